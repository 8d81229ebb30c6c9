"""What is marked inside notes: remarks, glosses, lemmata and citations as cases; scopes; and that no word changes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan import readers
from jiaokan.annotate import annotate
from jiaokan.annotate.citations import link_titles, mark_citations, mark_quotations, names
from jiaokan.annotate.glosses import mark_lemmata, mark_phonetics
from jiaokan.annotate.identifiers import number
from jiaokan.annotate.index import Index, rows, search_form, traditions
from jiaokan.annotate.remarks.mark import formulae, mark_remarks
from jiaokan.annotate.remarks.parse import Remark, Where, further_remarks, parse, read, split_clauses
from jiaokan.annotate.targets import extend_targets, resolve_scopes
from jiaokan.model import (
    Division,
    Document,
    EditorsMark,
    EditorsName,
    Glyph,
    Head,
    Item,
    Note,
    NoteKind,
    Paragraph,
    Span,
    Unit,
)
from jiaokan.model.pointers import Range, id_of, range_of
from jiaokan.model.text import counted
from jiaokan.model.vocabulary import REMARKS
from jiaokan.model.walk import walk
from jiaokan.settings import catalog
from jiaokan.settings.catalog import Person
from jiaokan.settings.lists import NONE, Lists
from jiaokan.tei.header.uses import uses
from jiaokan.tei.views import source_text
from tests import readings

ROOT = Path(__file__).parents[1]
HOME = ROOT / "tests/cases/annotate"
PERSONS = {
    "zhenge": Person(id="zhenge", name="郑锷", label="郑", names=("刚中", "郑氏")),
    "zhengxuan": Person(id="zhengxuan", name="郑玄", label="郑注", names=("郑康成", "郑氏")),
    "kongyingda": Person(id="kongyingda", name="孔颖达", label="孔", names=("孔氏",)),
}
LISTS = catalog.load(ROOT).lists
STEPS: dict[str, Callable[[Document, Lists], Document]] = {
    "remarks": lambda document, lists: mark_remarks(document, {}, lists),
    "phonetics": lambda document, _: mark_phonetics(document),
    "lemmata": lambda document, _: mark_lemmata(document),
    "quotations": lambda document, _: mark_quotations(document),
    "citations": lambda document, lists: mark_citations(document, PERSONS, lists),
}
CASES = [
    pytest.param(step, LISTS if path.stem == step else NONE, *line.split("\t"), id=f"{path.stem}-{n}")
    for step in STEPS
    for path in sorted(HOME.glob(f"{step}*.tsv"))
    for n, line in enumerate(path.read_text(encoding="utf-8").splitlines())
    if not line.startswith("#")
]
"""Cases of our texts, with the lists of this repository's own folder; those of ``STEP.other.tsv``, of other texts,
with none."""


def document(unit: str, *notes: Note) -> Document:
    """A chapter of one unit with notes on it, numbered."""
    paragraph = Paragraph(content=(Unit(content=(unit,)), *notes))
    return number(Document(id="x", divisions=(Division(kind="pian", n="6", items=(paragraph,)),)))


def marked(note: Note) -> str:
    """The words of a note with its spans as ⟦name words⟧."""
    return "".join(
        part if isinstance(part, str) else f"⟦{part.subtype or part.role} {counted(part.content)}⟧"
        for part in note.content if isinstance(part, str | Span)
    )


@pytest.mark.parametrize(("step", "lists", "unit", "subtype", "expected"), CASES)
def test_case(step: str, lists: Lists, unit: str, subtype: str, expected: str) -> None:
    text = re.sub("⟦[a-z]+ ([^⟧]*)⟧", r"\1", expected)
    kind: NoteKind = "gloss" if subtype == "gloss" else "commentary"
    numbered = document(unit, Note(content=(text,), kind=kind, subtype="" if kind == "gloss" else subtype))
    made = STEPS[step](numbered, lists)
    note = Index.of(made).notes["x.6.0.1.n1"]
    assert marked(note) == expected
    about = {id_of(part.target) for part in note.content if isinstance(part, Span) and step in ("remarks", "lemmata")}
    assert about <= {"x.6.0.1"}


READINGS = [
    line.split("\t") for line in (HOME / "readings.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("case", READINGS, ids=lambda case: case[2])
def test_what_a_remark_says(case: list[str]) -> None:
    """Change, tradition, the words of the text, those reported, and where they stand; read again from the span too."""
    printed, kind, said, change, tradition, on, reported, marked_text, before = [*case, ""][:9]
    text, at = printed.replace("‸", ""), printed.find("‸")
    bare = marked_text.replace("‸", "")
    start = bare.find("⟦")
    target = str(Range("u", start, bare.find("⟧") - start - 1)) if start >= 0 else "u"
    found = parse(said, kind, Where("u", text, at if at >= 0 else None, lead=before), "speaker", LISTS)
    assert found == Remark(kind, change, tradition, reported, on, target)  # type: ignore[arg-type]
    span = Span(role="textcrit", content=(said,), subtype=kind, target=target, ref=tradition)
    again = read(span, text, lead=before, lists=LISTS)
    assert (again.change, again.tradition, again.reported, again.target) == (change, tradition, reported, target)


@pytest.mark.parametrize(
    ("remark", "parts"),
    [
        ("今文无则,下无燕", ("今文无则", "今文无后燕")),
        ("今文皆作爵又无觯", ("今文皆作爵", "今文无觯")),
        ("郑本饔作雍洁作絜", ("郑本饔作雍", "郑本洁作絜")),
        ("今文皮树繁竖糅为縚", ("今文皮树为繁竖", "今文糅为縚")),  # a row of this folder
        ("今文觯作觚", ("今文觯作觚",)),
    ],
)
def test_a_remark_that_says_several_things_is_parted(remark: str, parts: tuple[str, ...]) -> None:
    assert split_clauses(remark, LISTS) == parts


def test_a_remark_on_several_texts_is_of_each() -> None:
    span = Span(role="textcrit", content=("监本及敖氏郝氏诸本俱无复有肫字",), subtype="ben", target="u", ref="jianben")
    assert [each.tradition for each in further_remarks(span, "介俎脊胁胳肺", LISTS)] == ["aoben", "haoben"]


@pytest.mark.parametrize(
    ("note", "who"),
    [
        ("敖君善以⟦臑⟧字为衍文", "aojigong"), ("云⟦臑⟧者敖君善以为字之误", "aojigong"),
        ("郝仲舆谓⟦臑⟧字疑衍", "haojing"),
        ("疏曰或言⟦臑⟧者盖误", "jiagongyan"), ("或以⟦臑⟧字为衍文", ""), ("或⟦臑⟧字乃肺字之误", "speaker"),
        ("注云⟦臑⟧恐当作肺", "speaker"), ("⟦臑⟧字当从敖君善作衍文", "speaker"), ("亦或⟦臑⟧字乃肺字之误欤", "speaker"),
    ],
)
def test_whose_conjecture_it_is(note: str, who: str) -> None:
    text = note.replace("⟦", "").replace("⟧", "")
    persons = {
        "aojigong": Person(id="aojigong", name="敖继公", label="敖", names=("敖君善",)),
        "haojing": Person(id="haojing", name="郝敬", label="郝", names=("郝仲舆",)),
        "jiagongyan": Person(id="jiagongyan", name="贾公彦", label="贾疏", names=()),
    }
    made = mark_remarks(
        document("折脊胁肺臑", Note(content=(text,), subtype="shuo", resp="speaker")), persons, LISTS,
        {"shu": "jiagongyan"},
    )
    found = [part for note in walk(made) if isinstance(note, Note) for part in note.content if isinstance(part, Span)]
    assert [span.ref for span in found if span.role == "textcrit"] == [who]


def test_traditions_are_declared() -> None:
    assert {known for _, known in traditions()} <= set(NONE.reported_traditions())
    assert {known for _, known in traditions(LISTS)} <= set(LISTS.reported_traditions())
    assert LISTS.reported_traditions()["jianben"] == "监本"


def scoped(*scopes: str) -> Note:
    return Note(content=tuple(Span(role="scope", content=(scope,)) for scope in scopes), subtype="shu", place="block")


def test_a_scope_is_sought_in_its_own_block_only() -> None:
    """The second paragraph is lost: its scope must not be found in the third, whose words it would fit."""
    items = (
        Paragraph(content=(Unit(content=("公与客燕,",)), Note(content=("谓四方之使者。",), subtype="zhu"))),
        scoped("“公与客燕”。", "注“谓四”至“使者”。"),
        scoped("“曰寡”至“以请”。", "注“君使”至“无之”。"),
        Paragraph(content=(Unit(content=("“寡君曰寡君固以请。",)),)),
    )
    made, findings = resolve_scopes(number(Document(id="x", divisions=(Division(kind="pian", n="6", items=items),))))
    notes = [item for item in made.divisions[0].items if isinstance(item, Note)]
    assert [[part.target for part in note.content if isinstance(part, Span)] for note in notes] == [
        ["x.6.0.1", "x.6.0.1.n1"], ["", ""],
    ]
    assert [finding.rule for finding in findings] == ["scope-unresolved"] * 2
    assert "lacks the paragraph “曰寡”至“以请” after x.6.0.1" in findings[0].message


def test_a_scope_may_begin_in_a_head_and_run_over_units() -> None:
    items = (
        Head(content=("记。",)),
        Paragraph(content=(Unit(content=("燕,朝服於寝。",)), Note(content=("礼也。",), subtype="zhu"))),
        Paragraph(content=(Unit(content=("士旅酌。",)), Note(content=("旅,序也。",), subtype="zhu"))),
        scoped("“记燕”至“旅酌”。", "注“旅序”至“也”。"),
    )
    chapter = Division(kind="pian", n="6", items=(Division(kind="ji", items=items),))
    made, _ = resolve_scopes(number(Document(id="x", divisions=(chapter,))))
    note = Index.of(made).notes["x.6.1.2.n2"]
    assert (note.target, note.target_end) == ("x.6.1.1", "x.6.1.2")
    spans = [part for part in note.content if isinstance(part, Span)]
    assert [(span.target, span.target_end) for span in spans] == [("x.6.1.h", "x.6.1.2"), ("x.6.1.2.n1", "")]


REACH = [
    ("counted", ["甲之殇", "乙之殇", "丙之殇"], "此三条皆降", "x.6.0.1"),
    ("counted after another", ["甲之殇〈此一事也〉", "乙之殇", "丙之殇"], "以上二条皆降", "x.6.0.2"),
    ("counts more than there are", ["乙之殇", "丙之殇"], "此九条皆降", ""),
    ("words of the first", ["族曾祖父母", "族祖父母", "族昆弟"], "族曾祖父者髙祖之子也", "x.6.0.1"),
    ("words of the second", ["重埋之", "立丧主于虞", "桑主不文"], "桑主以桑木为主即丧主也", "x.6.0.2"),
    ("words of its own", ["肵俎心舌皆去本", "肵俎实于鼎"], "肵俎者尸食之俎也", ""),
    ("words across", ["公子为其母练", "冠麻衣"], "练冠以九升布为之", "x.6.0.1"),
    ("a quotation", ["君于士既殡而往", "君视敛"], "敖氏曰君于士既殡而往常礼也", "x.6.0.1"),
    ("a comment between", ["族曾祖父母〈髙祖之子〉", "族昆弟"], "族曾祖父者髙祖之子也", ""),
]


@pytest.mark.parametrize(("units", "said", "first"), [row[1:] for row in REACH], ids=[row[0] for row in REACH])
def test_how_far_a_note_reaches_back(units: list[str], said: str, first: str) -> None:
    content: list[Unit | Note] = []
    for each in units:
        words, _, comment = each.rstrip("〉").partition("〈")
        content += [Unit(content=(words,)), *([Note(content=(comment,))] if comment else [])]
    speaker = (Span(role="attribution", content=("敖氏曰",)),) if said.startswith("敖氏曰") else ()
    content.append(Note(content=(*speaker, said.removeprefix("敖氏曰"))))
    chapter = Division(kind="pian", n="6", items=(Paragraph(content=tuple(content)),))
    made = extend_targets(number(Document(id="x", divisions=(chapter,))))
    last = f"x.6.0.{len(units)}"
    note = Index.of(made).notes[f"{last}.n1"]
    assert (note.target, note.target_end) == ((first, last) if first else (last, ""))


def test_the_scopes_of_zhushu_are_resolved() -> None:
    made, findings = readings.read("zhushu")
    spans = [p for note in Index.of(made).notes.values() for p in note.content if isinstance(p, Span)]
    scopes = [span for span in spans if span.role == "scope"]
    assert (len(scopes), sum(bool(span.target) for span in scopes)) == (167, 165)
    lost = [finding.message for finding in findings if finding.rule == "scope-unresolved"]
    assert ["曰寡" in message or "君使" in message for message in lost] == [True, True]


def test_the_tables_are_well_formed() -> None:
    assert {kind for kind, _ in formulae()} == REMARKS
    for lists in (NONE, LISTS):
        for kind, pattern, example in rows("remarks", lists):
            assert kind and pattern and example, pattern
        uses = {use for use, *_ in rows("uses", lists)}
        assert {use for _, use, _ in rows("titles", lists)} | {"always"} == uses  # only titles of folders are always
        assert all(work.startswith("work-") for *_, work in rows("titles", lists))


def test_a_name_that_two_share_is_nobody() -> None:
    assert names(PERSONS) == {"郑锷": "zhenge", "刚中": "zhenge", "郑玄": "zhengxuan", "郑康成": "zhengxuan",
                              "孔颖达": "kongyingda"}


WORDS = st.one_of(
    st.sampled_from(["今文无", "古文曰", "俗作", "当作", "衍", "脱一字", "音", "徒旱反", "云“", "”者", "郑康成曰"]),
    st.text("今古文无作字也。“”《》音反 　\ue000□X", max_size=4),
)


@given(st.lists(WORDS, max_size=8).map("".join), st.sampled_from(["zhu", "shu", "an"]))
def test_no_word_is_changed(text: str, subtype: str) -> None:
    numbered = document("公作音今文", Note(content=(text,), subtype=subtype))
    made, _ = annotate(numbered, PERSONS)
    assert source_text(made) == source_text(numbered)


def test_annotating_loses_nothing_of_any_source() -> None:
    """And each pointer to words leads to words: those that a lemma takes up, graphs that are mixed freely aside."""
    settings = catalog.load(ROOT)
    for entry in settings.sources.values():
        made: Any = readers.reader(entry.reader).read(readers.load(entry, settings))[0]
        annotated = annotate(number(made), settings.persons, settings.lists)[0]
        assert source_text(annotated) == source_text(made), entry.id
        texts = Index.of(annotated).texts
        for span in (item for item in walk(annotated) if isinstance(item, Span)):
            if place := range_of(span.target):
                words = texts[place.id][place.offset : place.offset + place.length]
                assert len(words) == place.length
                assert span.role != "lemma" or search_form(words) == search_form(counted(span.content))


def test_the_spellers_stand_in_the_table_as_they_are_sought() -> None:
    """The table is read without OpenCC, so it must itself have the simplified form of each graph."""
    from jiaokan.annotate.index import own_rows, search_form, to_simplified

    graphs = "".join(row[1] for row in own_rows("spellers", 2))
    assert set(to_simplified(graphs)) - set(search_form(graphs)) == set()


def test_a_remark_on_the_word_zhi_after_its_own_zhi_is_on_no_phrase() -> None:
    assert Where("w.1.1", "知之者不如好之者", lead="之").within_phrase("之") == (False, None)
    assert Where("w.1.1", "知之者不如好之者", lead="好之之").within_phrase("之") == (True, Range("w.1.1", 6, 1))


def test_titles_that_the_editor_marks_point_to_their_works() -> None:
    marked = tuple(EditorsName(kind="title", content=tuple(
        EditorsMark(sign=part, resp="e") if part == "·" else part for part in re.split("(·)", title)), resp="e")
                   for title in ("三禮圖", "三礼图", "无名书", "大书·三礼图", "大书·某官职", "他书·某官", "某官职"))
    lists = Lists({"titles": (("三礼图", "always", "work-x"), ("大书", "always", "work-y"))})
    document = Document(id="e", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=(
        Unit(content=marked, id="e.1.1"),)),)),))
    linked = [item.ref for item in walk(link_titles(document, lists)) if isinstance(item, EditorsName)]
    assert linked == ["work-x", "work-x", "", "work-x", "work-y", "", ""]


def _marked(*content: Item | str) -> EditorsName:
    return EditorsName(kind="title", content=content, resp="e", ref="work-x")


def _cited(*content: Item | str) -> Span:
    return Span(role="title", content=content, ref="work-x")


@pytest.mark.parametrize("marked", [
    (_marked(_cited("白虎通")),), (_cited(_marked("白虎通")),), (_marked(), _cited("白虎通")),
    (_cited("白虎", Glyph(code="U+E000", standard="通")),)])
def test_a_work_has_its_title_in_the_header_whatever_marks_it(marked: tuple[Item, ...]) -> None:
    document = Document(id="e", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=(
        Unit(content=marked, id="e.1.1"),)),)),))
    assert uses(document).works == {"work-x": "白虎通"}
