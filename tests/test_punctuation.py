"""The editor's punctuation: what is typed, what is refused, what is carried over, and that nothing else sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from jiaokan.decisions.punctuation import matching
from jiaokan.decisions.punctuation.files import Basis, PunctuatedLine, parse
from jiaokan.decisions.punctuation.notation import TypedText, faults, read, write_notation
from jiaokan.decisions.punctuation.weave import set_aside_marks, weave, without_cut
from jiaokan.model import (
    App,
    Content,
    Correction,
    Division,
    Document,
    EditorsMark,
    EditorsName,
    Gap,
    Glyph,
    Line,
    Mark,
    Note,
    Paragraph,
    Reading,
    Space,
    Span,
    Supplied,
    Unit,
)
from jiaokan.model import text as views
from jiaokan.model.marks import STYLES, graphs, normalise_marks, style_marks
from jiaokan.model.text import VIEWS, edited
from jiaokan.model.walk import Rewriting, drop_layer, is_set_aside, walk
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import Element, element
from jiaokan.tei.write import to_tei

HAN = "燕礼小臣戒与者膳宰具官馔于寝东"
MINE = {"resp": "editors", "cert": "high", "basis": "basis-1"}


def typed(line: str) -> TypedText:
    return read(line)


def line_of(ref: str, text: str, number: int = 1) -> PunctuatedLine:
    return PunctuatedLine(path=Path("06.txt"), number=number, ref=ref, text=read(text, len(ref) + 1),
                          basis=Basis(resp="editors"))


# What is typed.


@pytest.mark.parametrize("line", [
    "燕礼。小臣戒与者。",
    "“_周公_若曰：‘云。’”，《周礼·春官·大宗伯》曰",
    "_郑|zhengxuan_云，?{zhushu 6.1.1}_子|kongzi_?曰？！",
    "《_周公_之诗》",
])
def test_what_is_typed_is_written_again(line: str) -> None:
    text = typed(line)
    assert not [*faults(text)]
    assert write_notation(text.graphs, text.marks, text.names) == line


@pytest.mark.parametrize(("line", "column", "message"), [
    ("“燕礼。", 1, "“ is not closed"),
    ("燕礼”。", 3, "” without an opening mark"),
    ("“燕《礼”》", 5, "” does not match the open 《"),
    ("“燕“礼””", 3, "“ inside “"),
    ("《燕《礼》》", 3, "《 inside 《"),
    ("燕，。礼", 2, "，。 cannot be side by side"),
    ("。燕礼", 1, "。 before the first character"),
    ("燕礼“”", 3, "“” cannot be side by side"),
    ("燕,礼", 2, "',' is not a mark of this notation"),
    ("燕「礼」", 2, "'「' is not a mark of this notation"),
    ("燕 礼", 2, "white space in the text"),
    ("_燕礼", 1, "a name is not closed"),
    ("__燕", 1, "an empty name"),
    ("_燕，礼_", 3, "， inside a name"),
    ("_燕|Y X_", 3, "'Y X' is not an id"),
    ("燕{x}礼", 2, "{ does not follow a mark"),
])
def test_a_line_is_refused_with_the_place(line: str, column: int, message: str) -> None:
    found = {(fault.column, fault.message)
             for fault in faults(typed(line))}
    assert (column, message) in found


@pytest.mark.parametrize("line", ["燕？！礼", "曰：“燕。”礼", "“燕乎？”，礼", "《燕》、《礼》。", "燕‘礼’", "“‘燕’礼”"])
def test_what_the_standard_allows(line: str) -> None:
    assert not [*faults(typed(line))]


def test_the_head_holds_for_what_follows() -> None:
    rows = ["# resp: editors", "# cert: high", "6.1.1\t燕。", "# cert: low", "# evidence: zhushu", "6.1.2\t礼。"]
    lines, errors = parse(Path("x"), rows, [])
    assert not errors
    assert [(each.basis.cert, each.basis.evidence) for each in lines] == [("high", ""), ("low", "zhushu")]


@pytest.mark.parametrize(("row", "message"), [
    ("6.1.1 燕。", "no tab in '6.1.1 燕。'"),
    ("vi\t燕。", "'vi' is not a reference"),
    ("# resp: nobody", "unknown person id 'nobody' in `resp`"),
    ("# cert: sure", "invalid cert 'sure'"),
    ("# when: yesterday", "invalid day 'yesterday'"),
    ("6.1.1\t燕。", "no person for these marks"),
])
def test_a_row_is_refused(row: str, message: str) -> None:
    _, errors = parse(Path("x"), [row], [])
    assert [each.message.partition(";")[0] for each in errors] == [message]


# Held against the text.


def test_a_changed_graph_is_told_and_its_marks_carried_over() -> None:
    matches = matching.match_lines([line_of("6.1.3", "乐人悬，于庭。")], {"6.1.3": "乐人县于庭"})
    (finding,) = matches.findings
    assert (finding.rule, finding.place.line, finding.place.column) == ("punctuation-words", 1, 9)
    assert "after 「乐人」 「悬」 where the text reads 「县」" in finding.message
    assert matching.line("6.1.3", matches.lines["6.1.3"].text) == "6.1.3\t乐人县，于庭。"


def test_a_renumbered_note_keeps_its_marks() -> None:
    texts = {"6.1.1.n1": "新注也", "6.1.1.n2": "戒犹告也"}
    matches = matching.match_lines([line_of("6.1.1.n1", "戒，犹告也。")], texts)
    assert [finding.rule for finding in matches.findings] == ["punctuation-moved"]
    assert matching.line("6.1.1.n2", matches.lines["6.1.1.n2"].text) == "6.1.1.n2\t戒，犹告也。"


def test_units_cut_otherwise_share_the_marks() -> None:
    lines = [line_of("6.1.1", "小臣戒与者，膳宰具官馔于寝东。")]
    matches = matching.match_lines(lines, {"6.1.1": "小臣戒与者", "6.1.2": "膳宰具官馔于寝东"})
    assert {ref: write_notation(each.text.graphs, each.text.marks, []) for ref, each in matches.lines.items()} == {
        "6.1.1": "小臣戒与者，", "6.1.2": "膳宰具官馔于寝东。"}


def test_what_stands_nowhere_is_told() -> None:
    matches = matching.match_lines([line_of("6.1.1", "甲，乙。")], {"6.1.1": "小臣戒与者"})
    assert [finding.rule for finding in matches.findings] == ["punctuation-lost"]
    assert not matches.lines


def test_a_chapter_that_the_text_lacks_is_told_once() -> None:
    matches = matching.match_lines([line_of("5.1.1", "甲。"), line_of("5.1.2", "乙。", 2)], {"6.1.1": "小臣戒与者"})
    (finding,) = matches.findings
    assert (finding.severity, finding.message) == ("warning", "the text has no chapter 5: 2 lines are not used")
    assert not matches.unmatched


@given(st.lists(st.sampled_from(HAN), min_size=2, max_size=40), st.data())
def test_nothing_is_lost_where_the_words_change(words: list[str], data: st.DataObject) -> None:
    """Each mark beside a graph that stays stands beside it in the new text."""
    graphs_ = "".join(words)
    at = sorted(data.draw(st.sets(st.integers(1, len(graphs_)), max_size=8)))
    old = typed("".join(char + ("，" if n + 1 in at else "") for n, char in enumerate(graphs_)))
    gone = data.draw(st.integers(0, len(graphs_) - 1))
    made = matching.carry(old, graphs_[:gone] + "新" + graphs_[gone + 1 :])
    assert [mark.at for mark in made.text.marks] == at and not made.lost


# In the text.


def _joined(items: list[Any]) -> Content:
    """Content whose adjacent strings are one, as TEI has it."""
    out: list[Any] = []
    for item in items:
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        else:
            out.append(item)
    return tuple(out)


def _content() -> st.SearchStrategy[Content]:
    """Content of every kind that a unit or note has."""
    text = st.text(alphabet=HAN, min_size=1, max_size=6)
    leaf = st.one_of(
        text, st.just("礼,臣。"), st.builds(Glyph, code=st.just("\ue001"), standard=st.sampled_from(["", "阼"])),
        st.builds(Correction, sic=st.sampled_from(HAN), corr=st.sampled_from(HAN)),
        st.builds(Gap, reason=st.just("lacuna"), rend=st.sampled_from(["", "□", "【阙】"])),
        st.builds(Supplied, text=st.sampled_from(HAN)), st.just(Space(text="\u3000")),
        st.just(Mark(witness="a", unit="6.1.1")), st.just(Note(content=("注也",), id="x.6.1.1.n9")),
        st.just(Span(role="punct", content=("句",), rend="〈〉")),
    )

    def inner(content: st.SearchStrategy[Content]) -> st.SearchStrategy[Content]:
        span = st.builds(Span, role=st.sampled_from(["lemma", "title", "quote"]), content=content)
        entry = st.builds(lambda lem, rdg: App(lemma=Reading(witnesses=("a",), content=lem),
                                               readings=(Reading(witnesses=("b",), content=rdg),)), content, content)
        return st.lists(st.one_of(leaf, span, entry), max_size=5).map(_joined)
    return st.recursive(st.lists(leaf, max_size=4).map(_joined), inner, max_leaves=8)


def without_layer(document: Document) -> Document:
    """Return a document as it was before marks and names were laid on it; the same one if none were."""
    bare = _Bare()
    divisions = tuple(map(bare.division, document.divisions))
    return replace(document, divisions=divisions) if bare.found else document


def bare_content(content: Content) -> Content:
    """Return content without the editor's layer; adjacent strings become one."""
    return _Bare().content(content)


class _Bare(Rewriting):
    """One pass that takes the layer off."""

    def __init__(self) -> None:
        self.found = False

    def content(self, content: Content) -> Content:
        """Return content anew without the layer; the same if none of it is there."""
        content = super().content(content)
        if not any(isinstance(each, EditorsMark | EditorsName) or is_set_aside(each) for each in content):
            return content
        self.found = True
        return drop_layer(content)


@given(_content(), st.data())
def test_the_layer_comes_off_without_a_trace(content: Content, data: st.DataObject) -> None:
    """No view of the text sees marks or names, and what is left without them is what was there."""
    size = len(graphs(edited(content)))
    places = data.draw(st.sets(st.integers(0, size), max_size=6))
    marks = [(at, EditorsMark(sign="“" if at == 0 else "，", **MINE)) for at in sorted(places) if size]
    names = []
    if size > 1:
        start = data.draw(st.integers(0, size - 1))
        end = data.draw(st.integers(start + 1, size))
        names = [(start, end, EditorsName(kind="person", content=(), **MINE))]
    try:
        made = weave(content, marks, names)
    except Exception as error:
        assert type(error).__name__ == "Clustered"
        return
    for name in VIEWS:
        if name != "received":
            assert getattr(views, name)(made) == getattr(views, name)(content)
    assert bare_content(made) == content


def test_a_mark_stands_beside_an_entry_and_inside_its_lemma() -> None:
    others = (Reading(witnesses=("b",), content=("臣",)),)
    entry = App(lemma=Reading(witnesses=("a",), content=("小臣",)), readings=others)
    marks = [(2, EditorsMark(sign="，", **MINE)), (3, EditorsMark(sign="、", **MINE)),
             (4, EditorsMark(sign="。", **MINE))]
    made = weave(("燕礼", entry), marks, [])
    assert [type(item).__name__ for item in made] == ["str", "EditorsMark", "App", "EditorsMark"]
    assert [type(item).__name__ for item in made[2].lemma.content] == ["str", "EditorsMark", "str"]
    assert made[2].readings == entry.readings


def test_a_title_found_across_a_stop_is_none() -> None:
    title = Span(role="title", content=("内则",), ref="work-neize")
    assert without_cut(("门", title, "宾"), {2}) == ("门", "内则", "宾")  # 门内，则宾
    assert without_cut(("门", title, "宾"), {1, 3}) == ("门", title, "宾")  # 门，《内则》，宾


def test_a_name_that_an_entry_cuts_is_in_pieces() -> None:
    entry = App(lemma=Reading(witnesses=("a",), content=("康成",)), readings=())
    made = weave(("郑", entry, "曰"), [], [(0, 2, EditorsName(kind="person", content=(), **MINE))])
    assert made[0] == EditorsName(kind="person", content=("郑",), part="I", **MINE)
    assert made[1].lemma.content == (EditorsName(kind="person", content=("康",), part="F", **MINE), "成")


def test_tei_gives_the_layer_back() -> None:
    unit = Unit(id="x.6.1.1", content=weave(
        ("郑氏曰,燕礼",), [(3, EditorsMark(sign="：", **MINE)), (3, EditorsMark(sign="《", **MINE)),
                       (5, EditorsMark(sign="》", **MINE))],
        [(0, 2, EditorsName(kind="person", ref="zhengxuan", content=(), **MINE)),
         (3, 5, EditorsName(kind="title", content=(), **MINE))]))
    division = Division(kind="pian", n="6", id="x.6", items=(Paragraph(content=(unit,)),))
    document = Document(id="x", divisions=(division,))
    tei = to_tei(document, element("teiHeader"))
    assert from_tei(tei, name="x", layer=True) == document
    assert from_tei(tei, name="x") == without_layer(document)
    assert edited(without_layer(document).divisions) == "郑氏曰,燕礼"
    assert '<pc resp="#editors" cert="high" ana="#basis-1">：</pc><pc type="source">,</pc>'.encode() in tei


@pytest.mark.parametrize("rend", ["〈〉", "（）", "[]"])
def test_a_mark_that_the_source_prints_as_a_note_gives_way_to_the_editor_s(rend: str) -> None:
    reading = Span(role="punct", rend=rend, content=("句",))
    app = App(lemma=Reading(witnesses=("A",), content=("自", reading, "荐")), readings=())
    content = ("妇酢舅", reading, EditorsName(kind="person", content=("更", reading, "爵"), **MINE), app, reading)
    document = of_unit(*set_aside_marks(weave(content, [(3, EditorsMark(sign="，", **MINE))], [])))
    assert without_layer(document) == of_unit(*drop_layer(content))
    assert from_tei(to_tei(document, usual_header()), name="x", layer=True) == document
    assert all(item.subtype == "source" for item in walk(document) if isinstance(item, Span))


def of_unit(*content: Any) -> Document:
    unit = Unit(id="x.6.1.1", content=content)
    return Document(id="x", divisions=(Division(kind="pian", n="6", id="x.6", items=(Paragraph(content=(unit,)),)),))


def usual_header() -> Element:
    """A header that states what most marks have."""
    punctuation = element("punctuation", {"resp": "#editors", "cert": "high", "ana": "#basis-1"})
    return element("teiHeader", {}, "", element("encodingDesc", {}, "", element("editorialDecl", {}, "", punctuation)))


def test_a_mark_states_only_what_differs_from_the_header() -> None:
    marks = (EditorsMark(sign="：", **MINE), EditorsMark(sign="《", resp="editors", cert="low", basis="basis-1"),
             EditorsMark(sign="》", resp="jiaokan", cert="high", basis="basis-2"))
    name = EditorsName(kind="person", ref="zhengxuan", content=("郑", EditorsMark(sign="，", **MINE), "氏"), **MINE)
    sign, aside = Span(role="punct", content=("⊕",)), Span(role="punct", subtype="source", content=(",",))
    document = of_unit(sign, name, *marks, "曰", aside)
    tei = to_tei(document, usual_header())
    assert ('<pc type="sign">⊕</pc><persName ref="#zhengxuan" resp="#editors">郑<pc>，</pc>氏</persName><pc>：</pc><pc '
            'cert="low">《</pc><pc resp="#jiaokan" ana="#basis-2">》</pc>曰<pc type="source">,</pc>') in tei.decode()
    assert from_tei(tei, name="x", layer=True) == document
    assert from_tei(tei, name="x") == without_layer(document)


def test_a_text_with_the_signs_that_stand_for_tags_is_written_all_the_same() -> None:
    document = of_unit("甲\ufdd0乙", EditorsMark(sign="，", **MINE), "丙\ufdd1")
    tei = to_tei(document, usual_header())
    assert "甲\ufdd0乙<pc>，</pc>丙\ufdd1" in tei.decode()
    assert from_tei(tei, name="x", layer=True) == document


def test_a_mark_without_attributes_is_the_source_s_unless_the_header_states_them() -> None:
    tei = to_tei(of_unit("甲", Span(role="punct", content=("⊕",)), "乙"), element("teiHeader"))
    old = tei.replace(b' type="sign"', b"")
    assert from_tei(old, name="x") == from_tei(tei, name="x") and "⊕" in edited(from_tei(old, name="x").divisions)


def test_a_verse_line_keeps_its_marks() -> None:
    content = (Line(content=("燕礼",)), Line(content=("小臣",)))
    made = weave(content, [(2, EditorsMark(sign="，", **MINE)), (4, EditorsMark(sign="。", **MINE))], [])
    assert [len(line.content) for line in made] == [2, 2]


@pytest.mark.parametrize(("places", "made"), [
    ([(3, "“"), (4, "”")], "案|注云“若”|者"),
    ([(1, "“"), (3, "。"), (3, "”")], "案|“注云。”若|者"),
    ([(1, "《"), (4, "》"), (4, "，")], "案《|注云若|》，者"),
    ([(0, "“"), (1, "‘"), (3, "’"), (4, "。"), (4, "”")], "“案|‘注云’若|。”者"),
    ([(2, "“"), (3, "”"), (4, "，")], "案|注“云”若|，者"),
    ([(3, "“"), (5, "”")], "案|注云“若|者”"),
])
def test_marks_nest_with_the_elements_of_the_text(places: list[tuple[int, str]], made: str) -> None:
    """Both marks of a pair are in one element where the text allows it."""
    content = ("案", Span(role="scope", content=("注云若",)), "者")
    def shown(part: object) -> str:
        return part if isinstance(part, str) else part.sign if isinstance(part, EditorsMark) else (
            f"|{''.join(map(shown, part.content))}|")
    marks = [(at, EditorsMark(sign=sign, **MINE)) for at, sign in places]
    assert "".join(map(shown, weave(content, marks, []))) == made


# How it is shown.


@pytest.mark.parametrize(("signs", "shown"), [
    ("。”", {"full": "。”", "corner": "。」", "lines": "。」", "judou": "。", "none": ""}),
    ("》，", {"full": "》，", "corner": "》，", "lines": "，", "judou": "、", "none": ""}),
    ("、", {"full": "、", "corner": "、", "lines": "、", "judou": "", "none": ""}),
    ("：“‘", {"full": "：“‘", "corner": "：「『", "lines": "：「『", "judou": "、", "none": ""}),
    ("？”，", {"full": "？”，", "corner": "？」，", "lines": "？」，", "judou": "。", "none": ""}),
])
def test_styles(signs: str, shown: dict[str, str]) -> None:
    assert {name: style_marks(signs, style) for name, style in STYLES.items()} == shown


@pytest.mark.parametrize(("source", "shown"), [
    ("云若曰:“燕礼,小臣也.”", "云若曰：“燕礼，小臣也。”"),
    ('云"若"者', "云“若”者"),
    ("cf. p. 3, 燕礼", "cf. p. 3, 燕礼"),
    ('云"若者', '云"若者'),
])
def test_marks_of_a_source_are_shown_in_full_width(source: str, shown: str) -> None:
    assert normalise_marks(source) == shown


def test_marks_of_an_entry_on_punctuation_are_set_aside() -> None:
    lemma, other = Reading(witnesses=("a",), content=("，",)), Reading(witnesses=("b",))
    app = App(kind="accidental", lemma=lemma, readings=(other,))
    quote = Span(role="quote", content=(app,))
    mark = EditorsMark(sign="，", resp="editors", cert="high", basis="basis-1")
    for item, entry in ((app, lambda made: made), (quote, lambda made: made.content[0])):
        _, editors, source, _ = weave(("甲", item, "乙"), [(1, mark)], [])
        assert editors == mark
        assert all(map(is_set_aside, entry(source).lemma.content))
