"""How a text is cited: forms of references, labels of chapters and sections, and that ids stay what they are."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from jiaokan.annotate.identifiers import number, with_references
from jiaokan.collate import collate
from jiaokan.editions.witness import make_witness
from jiaokan.errors import CatalogError, TeiError
from jiaokan.model import Break, Division, Document, Note, Paragraph, Unit
from jiaokan.model.pointers import reference_of
from jiaokan.model.references import DEFAULT_FORM, References, form_of, steps
from jiaokan.model.walk import walk
from jiaokan.scaffold.conventions import labels_of
from jiaokan.scaffold.folder import make_folder
from jiaokan.scaffold.survey import survey
from jiaokan.scaffold.works import group_by_work
from jiaokan.settings import catalog
from jiaokan.settings.catalog import Chapter, Work
from jiaokan.tei.header import declarations
from jiaokan.tei.header.declarations import form_of as form_in
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import add_block, element
from jiaokan.tei.views import plain_text, references_xml
from jiaokan.tei.write import to_tei
from tests.prepare import prepared

CHAPTERS = (Chapter(n=1, title="梁惠王上", label="1A"), Chapter(n=2, title="梁惠王下", label="1B"))
FORMS = st.sampled_from(
    ["{chapter}", "{chapter}.{section}", "{chapter}{section}", "{section}", "{chapter}:{section}.{unit}",
     "T08.251.{page}", "{page}{column}", "{page}.{line}"])


def section(*units: str, label: str = "") -> Division:
    note = Note(content=("注",))
    return Division(kind="section", label=label, items=(
        Paragraph(content=tuple(part for words in units for part in (Unit(content=(words,)), note))),))


def text(form: str = "", chapters: tuple[Chapter, ...] = ()) -> Document:
    """Two chapters of two sections each; the last section is numbered otherwise than it counts."""
    first = Division(kind="pian", n="1", title="上", items=(section("甲", "乙"), section("丙")))
    second = Division(kind="pian", n="2", title="下", items=(section("丁"), section("戊", label="7")))
    document = number(Document(id="m", divisions=(first, second)))
    return with_references(document, Work(id="m", title="m", chapters=chapters, reference=form))


def tei(document: Document) -> bytes:
    encoding = element("encodingDesc")
    add_block(encoding, declarations.references(document.reference, labelled=True))
    file = add_block(element("fileDesc"), *(add_block(element(name)) for name in ("publicationStmt", "sourceDesc")))
    return to_tei(document, add_block(element("teiHeader"), file, encoding))


@pytest.mark.parametrize(("form", "chapters", "expected"), [
    ("", (), {"m.1.1.2": "m:1.1.2", "m.2.2": "m:2.7", "m.2.2.1": "m:2.7.1", "m.2.2.1.n1": "m:2.7.1.n1"}),
    ("{chapter}.{section}", (), {"m.1": "m:1", "m.1.1": "m:1.1", "m.1.1.2": "m:1.1", "m.1.1.2.n1": "m:1.1.2.n1"}),
    ("{chapter}{section}", CHAPTERS,
     {"m.1.1": "m:1A1", "m.1.2.1": "m:1A2", "m.2.2.1": "m:1B7", "m.2.2.1.n1": "m:1B7.1.n1"}),
    ("{chapter}", (), {"m.1.2.1": "m:1", "m.2.1": "m:2"}),
    ("老子{chapter}", (), {"m.2": "m:老子2"}),
    ("{section}", (), {"m.1.2": "m:2", "m.2.2.1": "m:7"}),
])
def test_references(form: str, chapters: tuple[Chapter, ...], expected: dict[str, str]) -> None:
    references = References(text(form, chapters))
    assert {identifier: references.of(identifier) for identifier in expected} == expected


def test_pages_count_where_a_thing_begins() -> None:
    def page(n: str) -> Break:
        return Break(unit="page", n=n, edition="T")

    units = (Unit(content=(page("0848c"), "觀自在菩薩")), Unit(content=("行深", page("0849a"), "般若")),
             Unit(content=("照見",)))
    division = Division(kind="pian", n="1", items=(Division(kind="section", items=(Paragraph(content=units),)),))
    document = replace(number(Document(id="x", divisions=(division,))), reference="T08.251.{page}")
    references = References(document)
    found = [references.of(f"x.1.1.{n}") for n in (1, 2, 3)]
    assert found == ["x:T08.251.848c", "x:T08.251.848c", "x:T08.251.849a"]
    assert references.of("x.1") == references.of("x.1.1") == "x:T08.251.848c"
    assert plain_text(document, reference="T08.251.849a") == "照見"


def test_lines_and_pages_of_other_editions_are_counted_apart() -> None:
    def line(n: str, edition: str = "TLN") -> Break:
        return Break(unit="line", n=n, edition=edition)

    units = (
        Unit(content=(Break(unit="page", n="7", edition="F1"), line("1", "F1"), line("1201"), "Who goes there")),
        Unit(content=(line("2", "F1"), line("1202"), Break(unit="page", n="9", edition="Q"), "in the night")),
    )
    division = Division(kind="pian", n="1", items=(Paragraph(content=units),))
    document = replace(number(Document(id="x", divisions=(division,))), reference="{page}.{line}")
    assert [References(document).of(unit.id) for unit in walk(document) if isinstance(unit, Unit)] == ["x:7.1", "x:7.2"]


def test_a_text_is_read_by_its_references() -> None:
    document = text("{chapter}{section}", CHAPTERS)
    assert plain_text(document, reference="1A1") == plain_text(document, reference="m:1A1") == "甲\n乙"
    assert plain_text(document, reference="1B7") == plain_text(document, reference="2.2") == "戊"
    assert plain_text(document, reference="1B") == "丁\n戊"
    with pytest.raises(TeiError, match=r"(?s)no passage.*did you mean 'm:1B"):
        plain_text(document, reference="m:1B9")


@given(FORMS)
def test_what_the_tei_declares_is_the_form(form: str) -> None:
    header = add_block(element("teiHeader"), add_block(element("encodingDesc"), declarations.references(form)))
    assert form_in(header) == form
    assert form_of(steps(form)) == form


def test_the_usual_form_is_declared_as_ever() -> None:
    header = add_block(element("teiHeader"), declarations.references())
    assert form_in(header) == ""
    assert form_of(steps(DEFAULT_FORM)) == DEFAULT_FORM


@given(st.one_of(st.just(""), FORMS), st.sampled_from([(), CHAPTERS]))
def test_ids_stay_and_the_tei_says_the_same(form: str, chapters: tuple[Chapter, ...]) -> None:
    document = text(form, chapters)
    assert [each.id for each in walk(document) if getattr(each, "id", "")] == [
        each.id for each in walk(text()) if getattr(each, "id", "")]
    back = from_tei(tei(document), name="f.xml")
    assert References(back).labels == References(document).labels
    assert references_xml(tei(document), name="f.xml") == References(document).as_xml()


def test_a_text_without_form_is_cited_by_its_ids() -> None:
    document = number(replace(text(), divisions=text().divisions[:1]))
    assert References(document).labels == {}
    assert References(document).of("m.1.1.2") == reference_of("m.1.1.2")
    assert references_xml(tei(document), name="f.xml") == ""


def test_a_section_without_a_title_has_none_in_the_prepared_form() -> None:
    made = prepared(tei(text("{chapter}{section}", CHAPTERS)))
    assert 'id="m.1.1" n="1" kind="section" title="" ref="m:1A1"' in made
    assert 'id="m.1.1.2" n="2" ref="m:1A1" characters="1" again="yes"' in made
    assert 'cites="chapter section"' in made


@pytest.mark.parametrize(("line", "words"), [
    ('reference = "{chapter}.{verse}"', r"\{verse\} is not a step; known: \{chapter\}"),
    ('reference = "1.4"', "names no step"),
    ('reference = "{section}.{chapter}"', "from outside in"),
    ('reference = "{chapter}.{page}"', "chapters or pages"),
    ('reference = "{chapter}."', "after the last step"),
])
def test_a_form_that_is_none_is_told(tmp_path: Path, line: str, words: str) -> None:
    with pytest.raises(CatalogError, match=words):
        catalog.load(folder(tmp_path, line, 'label = "1A"'))


def test_labels_that_meet_are_told(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="chapters 1 and 2 have the label '2'"):
        catalog.load(folder(tmp_path, "", 'label = "2"'))


def folder(root: Path, line: str, label: str) -> Path:
    (root / "tei").mkdir()
    (root / "tei" / "catalog.toml").write_text(
        '[project]\ntitle = "t"\npublisher = ""\neditors = []\ndate = "2026-01-01"\nlicence = { name = "x" }\n'
        f'[[work]]\nid = "m"\ntitle = "m"\n{line}\n'
        f'chapters = [{{ n = 1, title = "上", {label} }}, {{ n = 2, title = "下" }}]\n', encoding="utf-8")
    return root


def test_halves_of_books_are_labelled() -> None:
    assert labels_of(["梁惠王章句上", "梁惠王章句下", "公孫丑上", "公孫丑下"]) == ["1A", "1B", "2A", "2B"]
    assert labels_of(["學而", "為政"]) == ["", ""]
    assert labels_of(["曲禮上", "曲禮下", "檀弓上", "檀弓下", "王制"]) == [""] * 5


def test_an_edition_is_cited_by_the_pages_of_its_base(tmp_path: Path) -> None:
    """Each unit, note and head has the reference that it has in the base: pages inside units and notes count."""
    (tmp_path / "KR9z0001_001.txt").write_text(
        "# -*- mode: mandoku-view; -*-\n#+TITLE: 器銘\n#+PROPERTY: WITNESS SBCK\n"
        "<pb:KR9z0001_SBCK_001-1a>¶\n鼎銘第一¶\n"
        "鼎之爲器也(鼎三足/兩耳之器)以烹以養三足而立(立/不傾)¶\n其心不傾君子觀之(任負/重也)知任¶\n"
        "<pb:KR9z0001_SBCK_001-1b>¶\n之重矣鐘之爲器也(鐘/樂器也)叩之以大(叩/擊)¶\n<pb:KR9z0001_SBCK_001-2a>¶\n"
        "(也/大)則大鳴叩之以小則小鳴未叩則黙然而已¶\n", encoding="utf-8")
    (tmp_path / "li.txt").write_text(
        "鼎銘第一\n\n鼎之爲器也，以烹以養，三足而立，其心不正。君子觀之，知任之重也。鐘之爲器也，扣之以大則大鳴，"
        "扣之以小則小鳴，未扣則默然而已。\n", encoding="utf-8")
    for name, data in make_folder(group_by_work([survey(tmp_path / name) for name in ("KR9z0001_001.txt", "li.txt")]),
                                today=date(2026, 1, 1)).files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    plan = next((tmp_path / "tei/editions").glob("*.toml"))
    plan.write_text(plan.read_text(encoding="utf-8").replace(
        "kind = ", 'reference = "SBCK.{page}.{line}"\nkind = ', 1), encoding="utf-8")
    found = catalog.load(tmp_path)
    witnesses = {name: make_witness(entry, found).document for name, entry in found.sources.items()}
    edition, _ = collate(next(iter(found.editions.values())), witnesses, found)
    base = witnesses[next(iter(found.editions.values())).chapters[0].base]
    cited = {each.removeprefix(base.id): label for each, label in
             References(replace(base, reference="SBCK.{page}.{line}")).labels.items()}
    own = {each.removeprefix(edition.id): label for each, label in References(edition).labels.items()}
    assert {each: own[each] for each in cited if re.fullmatch(r"[\d.h]+", each)} == {
        each: label for each, label in cited.items() if re.fullmatch(r"[\d.h]+", each)}
    assert len(set(cited.values())) > 3
