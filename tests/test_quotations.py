"""What comments quote from other passages: found, laid on the text, read back, shown."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.annotate.identifiers import number
from jiaokan.annotate.index import Index
from jiaokan.build.cache import key_of
from jiaokan.build.stages import steps
from jiaokan.model import Division, Document, Note, Paragraph, Span, Unit
from jiaokan.model.pointers import Range
from jiaokan.model.text import attested, counted
from jiaokan.model.walk import walk
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.pdf import typst_source
from jiaokan.outputs.web.links import quoted_xml
from jiaokan.proposals import lay
from jiaokan.proposals.lay import add_quotations, with_quotations
from jiaokan.proposals.library import Library
from jiaokan.proposals.quotations import Quotation, quotations, quotations_in
from jiaokan.proposals.sources import extend
from jiaokan.settings.catalog import load
from jiaokan.settings.folder import quoted_path, shown_text
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared
from jiaokan.tei.tree import beginning, parse
from jiaokan.tei.views import texts
from jiaokan.tei.write import to_tei
from jiaokan.validate import validate_bytes
from tests.plans import print_plan

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases" / "quotations"
SPEAKERS = {"zhengxuan": ("郑玄", "郑康成"), "aojigong": ("敖继公", "敖君善")}


@pytest.fixture(scope="module")
def editions() -> dict[str, bytes]:
    paths = (ROOT / "tei" / "editions" / "yili.xml", ROOT / "tei" / "witnesses" / "gangmu.xml")
    return {path.stem: path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def found(editions: dict[str, bytes]) -> dict[str, tuple[Quotation, ...]]:
    headers = [read_declared(data, name="") for data in editions.values()]
    people = {name: person for header in headers for name, person in header.persons.items()}
    documents = [from_tei(data, name=name) for name, data in editions.items()]
    return quotations(documents, {name: (person.name, *person.names) for name, person in people.items()})


def test_what_is_quoted_is_found_and_nothing_else(
    editions: dict[str, bytes], found: dict[str, tuple[Quotation, ...]]
) -> None:
    said = {k: v for name, data in editions.items() for k, v in Index.of(from_tei(data, name=name)).texts.items()}
    by_note: dict[str, list[Quotation]] = {}
    for each in (each for some in found.values() for each in some):
        by_note.setdefault(each.here.id, []).append(each)
    right, missed, wrong = 0, list[str](), list[str]()
    for row in (CASES / "sample.tsv").read_text(encoding="utf-8").splitlines():
        if row.startswith("#") or row.endswith("?"):
            continue
        _, note, before, after, source = row.split("\t")
        at = said[note].index(before + after) + len(before)
        reach = 4 if source == "-" else 9  # a quotation may begin with words that the source has otherwise
        got = {r.id for each in by_note.get(note, ()) if at - 1 <= each.here.offset <= at + reach for r in each.source}
        if source == "-":
            wrong += [row] if got else []
        elif got & {*source.split()}:
            right += 1
        else:
            missed.append(row)
            wrong += [row] if got else []
    assert right >= 0.85 * (right + len(missed)), "\n".join(missed)
    assert right >= 0.97 * (right + len(wrong)), "\n".join(wrong)


def _document(name: str, *chapters: tuple[str, list[tuple[str, list[Note]]]]) -> Document:
    """A text of chapters, each a title and units with their comments."""
    divisions = tuple(
        Division(kind="pian", n=str(n), title=title, items=tuple(
            Paragraph(content=(Unit(content=(words,)), *notes)) for words, notes in units
        )) for n, (title, units) in enumerate(chapters, 1)
    )
    return number(Document(id=name, divisions=divisions))


def _note(*content: str | Span, resp: str = "") -> Note:
    return Note(content=content, resp=resp)


RITES = ("公食大夫礼", [
    ("宰夫设筵加席几无尊饮酒浆饮俟于东房", []),
    ("司宫具几与蒲筵常缁布纯加萑席寻玄帛纯皆卷自末", []),
    ("亨于门外东方", []),
])


@pytest.mark.parametrize(("words", "source"), [
    ("案《公食大夫》记云司宫具几与蒲筵常缁布纯加萑席寻玄帛纯是也", "w.2.0.2"),
    ("案公食记云“亨于门外东方”故知也", "w.2.0.3"),
    ("《公食》記云宰夫設筵加席幾無尊", "w.2.0.1"),
    ("公食大夫礼设筵加席几无酒飲酒浆饮俟于房", "w.2.0.1"),
    ("《礼记》云司宫具几与蒲筵", ""),
    ("此云主人就东阶", ""),
    ("谓敬之也", ""),
])
def test_a_quotation_is_found_by_title_and_words(words: str, source: str) -> None:
    foreign = Span(role="title", content=("礼记",), ref="work-liji")
    content = ("《", foreign, words[3:]) if words.startswith("《礼记") else (words,)
    document = _document("w", ("燕礼", [("主人就东阶宾就西阶", [_note(*content)])]), RITES)
    (quoted,) = quotations([document]).values()
    assert [each.id for one in quoted for each in one.source][:1] == ([source] if source else [])


def test_a_library_grows_by_text_and_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Laid out on disk, text by text, and sought a few at a time: the same as all at once."""
    texts = [_document(f"t{n}", (title, [(words, [_note(f"案《公食大夫》记云{quoted}是也")])]), RITES)
             for n, (title, words, quoted) in enumerate([
                 ("燕礼", "主人就东阶宾就西阶", "司宫具几与蒲筵常缁布纯加萑席"),
                 ("聘礼", "宾皮弁聘至于朝", "宰夫设筵加席几无尊"),
                 ("觐礼", "至于郊王使人皮弁", "亨于门外东方")])]
    whole = quotations(texts)
    assert [len(each) for each in whole.values()] == [1, 1, 1]
    monkeypatch.setattr("jiaokan.proposals.quotations.ASKED", 1)
    read: list[str] = []

    def taken(library: Library, document: Document) -> str:
        return library.take(f"digest {document.id}", lambda: read.append(document.id) or document)

    with Library(tmp_path / "q.sqlite") as library:
        assert quotations_in(library, [taken(library, each) for each in texts[:2]]) == quotations(texts[:2])
    with Library(tmp_path / "q.sqlite") as library:
        names = [taken(library, each) for each in texts]
        assert quotations_in(library, names) == whole
        assert read == ["t0", "t1", "t2"]
        library.keep(names[1:])
        assert quotations_in(library, names[1:]) == quotations(texts[1:])
    (tmp_path / "q.sqlite").write_bytes(b"torn" * 200)
    with Library(tmp_path / "q.sqlite") as library:
        assert quotations_in(library, [taken(library, each) for each in texts]) == whole


def test_words_stand_where_the_pointer_says() -> None:
    note = _note("案公食云，司宫具几，与蒲筵长缁布纯加萑席是也")
    document = _document("w", ("燕礼", [("主人就东阶", [note])]), RITES)
    (quotation,) = quotations([document])["w"]
    said = Index.of(document).texts
    here, (there,) = quotation.here, quotation.source
    assert said[here.id][here.offset : here.offset + here.length] == "司宫具几，与蒲筵长缁布纯加萑席"
    assert said[there.id][there.offset : there.offset + there.length] == "司宫具几与蒲筵常缁布纯加萑席"
    assert (quotation.words, quotation.source_words) == ("司宫具几与蒲筵长缁布纯加萑席", "司宫具几与蒲筵常缁布纯加萑席")


def test_a_comment_is_quoted_by_its_speaker() -> None:
    said = _note(Span(role="attribution", content=("敖氏曰",)), "此以示不敢当盛礼之意", resp="aojigong")
    document = _document("w", ("燕礼", [("主人就东阶", [said]), ("宾就西阶", [_note("敖云示不敢当盛礼之意非")])]))
    (quotation,) = quotations([document], SPEAKERS)["w"]
    assert quotation.source[0].id == "w.1.0.1.n1"
    assert not quotations([document])["w"]  # without names nobody knows that this is somebody


def test_another_text_is_the_source_where_a_text_has_not_the_chapter() -> None:
    quoting_text = _document("a", ("燕礼", [("主人就东阶", [_note("公食云司宫具几与蒲筵常缁布纯")])]))
    other = _document("b", RITES)
    assert [each.document for each in quotations([quoting_text, other])["a"]] == ["b"]
    assert not quotations([quoting_text, other], shown={"a"})["a"]
    again = add_quotations(quoting_text, quotations([quoting_text, other])["a"])
    assert [each.ref for each in walk(again) if isinstance(each, Span)] == ["text:b.1.0.2"]


@given(st.text("甲乙丙丁戊", max_size=40), st.text("甲乙丙丁戊", max_size=40), st.integers(0, 5), st.integers(0, 5))
def test_an_alignment_is_of_what_is_the_same(ours: str, theirs: str, at: int, place: int) -> None:
    fit = extend(ours, at, theirs, place, len(ours))
    last = (at, place)
    for x, y, size in fit.blocks:
        assert ours[x : x + size] == theirs[y : y + size] and size
        assert x >= last[0] and y >= last[1]
        last = (x + size, y + size)


@pytest.mark.thorough
def test_laid_on_it_is_read_back_and_nothing_else_changes(
    editions: dict[str, bytes], found: dict[str, tuple[Quotation, ...]]
) -> None:
    tei = with_quotations(editions["yili"], found["yili"], name="yili")
    before, after = (from_tei(data, name="yili") for data in (editions["yili"], tei))
    assert counted(after.divisions) == counted(before.divisions)
    for witness in ("benyi", "jibian", "tongjie", "zhushu"):
        assert texts(after, witness) == texts(before, witness)
    header = beginning(editions["yili"], name="yili").find("{*}teiHeader")
    whole = to_tei(add_quotations(from_tei(editions["yili"], name="yili", layer=True), found["yili"]), header)
    bodies = [each.partition(b"<text>")[2].partition(b"</body>")[0] for each in (tei, whole)]
    assert bodies[0] == bodies[1]  # as if the whole file had been read and written
    said = Index.of(after).texts
    quoted = [each for each in walk(after) if isinstance(each, Span) and each.role == "quote" and each.ref]
    assert {each.ref for each in quoted} == {" ".join(map(str, each.source)) for each in found["yili"]}
    pointed = [each for quotation in found["yili"] for each in quotation.source]
    assert all(said[each.id][each.offset : each.offset + each.length] for each in pointed)
    assert all(attested(each.content) for each in quoted)
    assert not [each for each in validate_bytes(tei, name="yili.xml") if each.severity == "error"]


def test_the_table_gives_the_quotations_back(tmp_path: Path, found: dict[str, tuple[Quotation, ...]]) -> None:
    (tmp_path / "q.tsv").write_bytes(lay.quotation_table(found))
    assert lay.read(tmp_path / "q.tsv") == tuple(each for some in found.values() for each in some)


def test_each_text_has_the_rows_in_which_it_quotes_or_is_quoted(
    tmp_path: Path, found: dict[str, tuple[Quotation, ...]]
) -> None:
    parts = lay.parts(lay.quotation_table(found))
    for name in {*found, *(each.document for some in found.values() for each in some if each.document)}:
        own = [each for text, some in found.items() for each in some if name in (text, each.document)]
        (tmp_path / name).write_bytes(parts.get(name, b""))
        assert lay.read(tmp_path / name) == tuple(own)
    assert lay.read(tmp_path / "none.tsv") == ()


def test_a_text_is_stale_by_its_own_rows_alone(example: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(example, tmp_path / "demo"))
    catalog, out = load(folder), folder / "build"
    shown = [step for step in steps(catalog, out) if step.stage in ("copy", "html")]
    before = {step.name: key_of(step, folder) for step in shown}
    plan = next(iter(catalog.editions.values()))
    quoted = quoted_path(out, shown_text(plan))
    quoted.parent.mkdir(parents=True, exist_ok=True)
    quoted.write_bytes(b"another row")
    changed = {step.name for step in shown if key_of(step, folder) != before[step.name]}
    assert f"html {plan.id}" in changed and changed < before.keys()
    assert not [name for name in changed if name.startswith("copy witnesses/") and shown_text(plan) not in name]


def test_a_passage_says_who_quotes_it_and_what_differs() -> None:
    quotation = Quotation(
        Range("w.1.1.1.n1", 4, 4), (Range("w.2.0.2", 0, 5),), speaker="aojigong", words="司空具机",
        source_words="司宫具几与",
    )
    made = quoted_xml("w", [quotation], {"aojigong": "敖"}, {"w": "w"})
    assert '<at id="w.2.0.2"><by text="w" id="w.1.1.1.n1" who="敖" said="司宫具几与">司<d said="宫">空</d>具' in made
    assert quoted_xml("v", [quotation], {}, {"w": "w", "v": "v"}).count("<at") == 0


def test_print_can_list_what_is_quoted() -> None:
    note = _note("案公食云司宫具几与蒲筵长缁布纯是也", resp="aojigong")
    text = _document("w", ("燕礼", [("主人就东阶", [note])]), RITES)
    header = parse((CASES.parent / "tei" / "sample.xml").read_bytes(), name="sample").find("{*}teiHeader")
    assert header is not None
    found = quotations([text])["w"]
    tei = with_quotations(to_tei(text, header), found, name="w")
    settings = OutputSettings(quoted=quoted_xml("w", found, {"aojigong": "敖"}, {"w": "w"}))
    made = typst_source(tei, replace(settings, print=print_plan(testimonia=True)))
    assert '#endnotes("引文", (("", (("2.0.2", {"「";quoted("司宫具几与蒲筵长缁布纯");"」敖 1.0.1";}),)),))' in made
    assert "引文" not in typst_source(tei, settings)
