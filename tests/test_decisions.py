"""Decisions are applied where their words stand, and refused by name where they no longer fit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.annotate.identifiers import number
from jiaokan.cli import cli
from jiaokan.collate import collate
from jiaokan.decisions import kinds
from jiaokan.decisions.characters import Choices, Decisions, mark_printed_corrections
from jiaokan.decisions.kinds import Filed, check
from jiaokan.decisions.passages import point_notes
from jiaokan.decisions.tables import GlyphDecision, Judged, TargetDecision
from jiaokan.errors import CatalogError, DecisionError
from jiaokan.model import (
    App,
    Content,
    Correction,
    Division,
    Document,
    Furniture,
    Gap,
    Glyph,
    Inline,
    Note,
    Paragraph,
    Space,
    Span,
    Supplied,
    Trailer,
    Unit,
)
from jiaokan.model.text import counted, received
from jiaokan.model.walk import ReplacingStrings, strings, walk
from jiaokan.readers import read
from jiaokan.settings.catalog import load
from jiaokan.settings.patterns import Pair
from jiaokan.settings.tables import PrintedCorrections


def document(*content: object) -> Document:
    unit = Unit(content=content)  # type: ignore[arg-type]
    return Document(
        id="a", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=(unit,)),)),)
    )


def unit_content(text: Document) -> Content:
    paragraph = text.divisions[0].items[0]
    assert isinstance(paragraph, Paragraph)
    unit = paragraph.content[0]
    assert isinstance(unit, Unit)
    return unit.content


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tei" / "decisions").mkdir(parents=True)
    return tmp_path


def decide(folder: Path, toml: str) -> Decisions:
    (folder / "tei" / "decisions" / "text.toml").write_text(toml, encoding="utf-8")
    return Decisions.load(folder)


WHO = 'resp = "x"\nwhy = "y"\n'


@pytest.mark.parametrize("after", [(), (" ",), (Note(content=("凡一条",)),), (" ", Note(content=("凡一 条",)))])
def test_a_section_is_named_by_its_corrected_trailer(after: tuple[Inline, ...], folder: Path) -> None:
    decisions = decide(folder, '[[correction]]\nsource = "a"\ncontext = "右告借设具"\nsic = "借"\ncorr = "戒"\n'
                               + WHO)
    section = Division(kind="section", n="1", title="告借设具", items=(Trailer(content=("右告借设具", *after)),))
    made = decisions.apply(Document(id="a", divisions=(Division(kind="pian", n="1", items=(section,)),)))
    [named] = made.divisions[0].items
    assert isinstance(named, Division)
    assert named.title == "告戒设具"
    assert received(named.items[0].content).startswith("右告借设具")  # type: ignore[union-attr]


def test_each_kind_of_decision_finds_its_place(folder: Path) -> None:
    decisions = decide(folder, (
        f'[[glyph]]\ncode = "U+EB8E"\nstandard = "弦"\n{WHO}'
        f'[[correction]]\nsource = "a"\ncontext = "一久举"\nsic = "久"\ncorr = "人"\n{WHO}'
        f'[[supplied]]\nsource = "a"\nbefore = "执"\ntext = "弓"\nafter = "以"\n{WHO}'
        f'[[literal]]\nsource = "a"\ncontext = "鼓□□"\n{WHO}'
    ))
    text = decisions.apply(document("一久举\ueb8e执以 又□鼓□□"))
    assert unit_content(text) == (
        "一", Correction(sic="久", corr="人", resp="x", source="y"), "举", Glyph(code="\ueb8e", standard="弦"), "执",
        Supplied(text="弓", resp="x", source="y"), "以", Space(text=" "), "又", Gap(reason="blank", rend="□"), "鼓□□",
    )


def test_a_context_may_run_across_a_note(folder: Path) -> None:
    decisions = decide(folder, f'[[correction]]\nsource = "a"\ncontext = "甲乙丙"\nsic = "丙"\ncorr = "丁"\n{WHO}')
    text = decisions.apply(document("甲", Note(content=("乙",)), "丙"))
    assert unit_content(text)[2] == Correction(sic="丙", corr="丁", resp="x", source="y")


@pytest.mark.parametrize(("words", "says"), [("无此", "no longer fits"), ("再拜", "ambiguous")])
def test_a_decision_that_does_not_fit_is_named(folder: Path, words: str, says: str) -> None:
    decisions = decide(
        folder, f'[[correction]]\nsource = "a"\ncontext = "{words}"\nsic = "{words[0]}"\ncorr = "丁"\n{WHO}'
    )
    with pytest.raises(DecisionError, match=says) as caught:
        decisions.apply(document("再拜稽首再拜"))
    assert words in str(caught.value) and "text.toml" in str(caught.value)


def test_a_decision_that_cannot_be_applied_whole_is_named(folder: Path) -> None:
    decisions = decide(folder, f'[[correction]]\nsource = "a"\ncontext = "甲乙丙"\nsic = "甲乙"\ncorr = "丁"\n{WHO}')
    with pytest.raises(DecisionError, match="crosses the edge"):
        decisions.apply(document("甲", Note(content=("乙",)), "丙"))
    row = '[[correction]]\nsource = "a"\ncontext = "甲乙丙"\nsic = "{}"\ncorr = "丁"\n' + WHO
    with pytest.raises(DecisionError, match="same characters"):
        decide(folder, row.format("甲乙") + row.format("乙丙")).apply(document("甲乙丙"))


@given(st.lists(st.text(alphabet="甲乙□ \u3000\ueb8e", min_size=1), min_size=1, max_size=5))
def test_nothing_is_lost_when_characters_become_types(parts: list[str]) -> None:
    shown = {Gap: "rend", Space: "text", Glyph: "code"}
    text = Decisions().apply(document(*parts))
    printed = "".join(i if isinstance(i, str) else getattr(i, shown[type(i)]) for i in unit_content(text))
    assert printed == "".join(parts)


@given(st.lists(st.text(alphabet="甲乙丙", min_size=1), max_size=5))
def test_leaves_come_with_their_offsets(parts: list[str]) -> None:
    seen: list[tuple[str, int]] = []
    ReplacingStrings(lambda leaf, at: seen.append((leaf, at)) or (leaf,)).document(document(*parts))
    whole = "".join(strings(document(*parts)))
    assert whole == "".join(parts)
    assert all(whole[at : at + len(leaf)] == leaf for leaf, at in seen)


def test_all_that_no_longer_fits_is_told_at_once(folder: Path) -> None:
    row = '[[correction]]\nsource = "a"\ncontext = "{0}"\nsic = "{0}"\ncorr = "丁"\n' + WHO
    lost = f'[[supplied]]\nsource = "a"\nbefore = "再"\ntext = "弦"\nafter = "首"\n{WHO}'
    decisions = decide(folder, "\n".join([row.format("无"), row.format("稽"), row.format("再"), lost]))
    with pytest.raises(DecisionError, match="3 decisions no longer fit") as caught:
        decisions.apply(document("再拜稽首再拜"))
    for words in ("'无' no longer fits", "'再' is ambiguous", "'再首' no longer fits"):
        assert words in str(caught.value)


def test_a_decision_that_does_not_fit_says_where_it_is_filed_and_what_is_there(folder: Path) -> None:
    table = '[[correction]]\nsource = "a"\ncontext = "再拜首"\nsic = "首"\ncorr = "手"\n'
    decisions = decide(folder, f"# 校\n\n{table}{WHO}")
    with pytest.raises(DecisionError, match=r"text.toml:5:\d+: .*'再拜首' no longer fits.*「主人再拜稽首」"):
        decisions.apply(document("主人再拜稽首"))


def test_nobody_decides(folder: Path) -> None:
    decide(folder, f'[[correction]]\nsource = "a"\ncontext = "再"\nsic = "再"\ncorr = "二"\n{WHO}')
    check(kinds.load(folder, Judged), {"x"}, {"a"})
    with pytest.raises(DecisionError, match=r"text.toml:6:8: unknown person id 'x' in `resp`"):
        check(kinds.load(folder, Judged), {"zhuxi"}, {"a"})


def test_a_decision_on_no_source_is_named(folder: Path) -> None:
    decide(folder, f'# 校\n\n[[correction]]\nsource = "ab"\ncontext = "再"\nsic = "再"\ncorr = "二"\n{WHO}')
    said = r"text.toml:4:10: unknown source id 'ab' in `source`\n  → did you mean 'abc'?"
    with pytest.raises(DecisionError, match=said):
        check(kinds.load(folder, Judged), {"x"}, {"abc"})


class Lacuna(Judged, frozen=True, kw_only=True):
    """A made-up kind of decision: so much is lost there."""

    source: str
    leaves: int


def test_a_new_kind_is_its_type_and_its_row(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loaded with its line, held against the folder, its faults told, its file watched: by the table alone."""
    path = folder / "tei" / "decisions" / "lacunae-a.toml"
    path.write_text(f'# 阙\n[[lacuna]]\nsource = "a"\nleaves = 2\n{WHO}', encoding="utf-8")
    row = kinds.Kind("lacuna", Lacuna, ("lacunae*.toml",), "lacunae.toml", frozenset({"read"}))
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, row))
    (found,) = kinds.load(folder, Lacuna)
    assert (found.decision.leaves, found.place.line, kinds.paths(folder, "read")) == (2, 2, (path,))
    home = folder / "tei" / "decisions"
    assert kinds.paths(folder, "collate") == (home / "characters.toml", home / "lost-glyphs.toml")
    check([found], {"x"}, {"a"})
    with pytest.raises(DecisionError, match=r"lacunae-a.toml:3:10: unknown source id 'a' in `source`"):
        check([found], {"x"}, {"b"})
    path.write_text(f'[[lacuna]]\nsource = "a"\nleafs = 2\n{WHO}', encoding="utf-8")
    with pytest.raises(CatalogError, match=r"lacunae-a.toml:3:1: .*leafs.*\n.*did you mean 'leaves'"):
        kinds.load(folder, Lacuna)


def test_what_the_readme_of_a_new_folder_shows_fits_it(tmp_path: Path) -> None:
    assert CliRunner().invoke(cli, ["init", str(tmp_path / "f")]).exit_code == 0
    home = tmp_path / "f" / "tei"
    first, pair, second = re.findall("```toml\n(.*?)```", (home / "decisions" / "README.md").read_text("utf-8"), re.S)
    (home / "decisions" / "text.toml").write_text(first, encoding="utf-8")
    (home / "decisions" / "characters.toml").write_text(pair, encoding="utf-8")
    (home / "decisions" / "lemmas.toml").write_text(second, encoding="utf-8")
    catalog = load(tmp_path / "f")
    witnesses = {name: read(entry, catalog)[0] for name, entry in catalog.sources.items()}
    assert any(isinstance(item, Supplied) for item in walk(witnesses["jizhu"]))
    made, _ = collate(catalog.editions["lunyu"], witnesses, catalog)
    assert any(item.notes for item in walk(made) if isinstance(item, App))


def test_signs_of_a_source_lost_places_and_characters_without_a_code() -> None:
    judged = GlyphDecision(code="&KR0014;", standard="鐘", resp="editors", why="")
    decided = Decisions(glyphs={judged.code: Filed(Path("x"), judged)}, signs="⊕")
    made = decided.apply(document("甲⊕乙⬤■〓丙&KR0014;丁⿰木薄[金*薄]戊[注]"))
    assert unit_content(made) == (
        "甲", Span(role="punct", content=("⊕",)), "乙", *(Gap(reason="blank", rend=sign) for sign in "⬤■〓"), "丙",
        Glyph(code="&KR0014;", standard="鐘"), "丁", Glyph(code="⿰木薄"), Glyph(code="[金*薄]"), "戊[注]",
    )


@given(st.text(st.sampled_from("甲乙三（）〔〕 "), max_size=12), st.sampled_from(("（）", "")))
def test_what_a_source_corrects_reads_back_and_is_counted_without_what_is_right(text: str, wrong: str) -> None:
    plain = document(text) if text else document("甲")
    marks = PrintedCorrections(right=Pair("〔〕"), wrong=Pair(wrong))
    made = mark_printed_corrections(plain, marks)
    assert received(made.divisions) == received(plain.divisions)
    for item in (each for each in unit_content(made) if isinstance(each, Correction | Supplied)):
        assert received(item)[0] in f"{wrong[:1]}〔" and counted(item) == getattr(item, "sic", "")


def test_what_a_source_corrects_is_no_call_of_a_note_and_no_line_of_the_page() -> None:
    marks = PrintedCorrections(right=Pair("〔〕"), wrong=Pair("（）"))
    made = mark_printed_corrections(document("以（享）〔烹〕養，〔一〕其（五）〔三〕也（者）〔矣〕〔乎〕"), marks)
    assert [item for item in unit_content(made) if not isinstance(item, str)] == [
        *(Correction(sic=sic, corr=corr, cert="", rend="（）〔〕") for sic, corr in ("享烹", "五三", "者矣")),
        Supplied(text="乎", reason="omitted", cert="", rend="〔〕"),
    ]
    byline = Furniture(kind="byline", content=("〔晉〕陳壽 撰",))
    page = Document(id="w", divisions=(Division(kind="front", items=(byline,)),))
    assert mark_printed_corrections(page, marks) == page


def test_a_blank_between_words_of_an_alphabet_is_part_of_the_text() -> None:
    made = Decisions().apply(document("Zhu Xi, 朱子 曰"))
    assert unit_content(made) == ("Zhu Xi, 朱子", Space(text=" "), "曰")


def test_a_pair_of_characters_is_two_and_decided_once(folder: Path) -> None:
    row = '[[pair]]\nleft = "祭"\nright = "{}"\nvariant = "graphic"\nresp = "editors"\nwhy = "文淵閣本"\n'
    path = folder / "tei" / "decisions" / "characters.toml"
    path.write_text(row.format("𥙊") + row.format("𥙊"), encoding="utf-8")
    with pytest.raises(CatalogError, match="祭/𥙊 is decided twice"):
        Choices.load(folder)
    path.write_text(row.format("祭"), encoding="utf-8")
    with pytest.raises(CatalogError, match="two different characters"):
        Choices.load(folder)


def noted(*units: str) -> Document:
    """A numbered chapter of units, each with one note on it."""
    content = [each for n, words in enumerate(units, 1) for each in (
        Unit(content=(words,)), Note(content=(f"注{n}云",), kind="commentary"))]
    return number(Document(id="a", divisions=(
        Division(kind="pian", n="1", items=(Paragraph(content=tuple(content)),)),)))


@pytest.mark.parametrize(("context", "words", "target", "end"), [
    ("注2", "小臣", "words:a.1.0.2/2/2", ""), ("注1", "燕礼小臣", "a.1.0.1", ""),
    ("注3", "戒与者", "words:a.1.0.2/4/3", ""), ("注3", "者公降", "a.1.0.2", "a.1.0.3"),
    ("注1", "公降", "a.1.0.3", ""),
])
def test_a_note_is_on_the_words_that_the_editor_says(context: str, words: str, target: str, end: str) -> None:
    text = noted("燕礼小臣", "燕礼小臣戒与者", "公降")
    filed = kinds.Filed(Path("t.toml"), TargetDecision(source="a", context=context, words=words, resp="e", why="w"))
    made = point_notes(text, [filed])
    changed = [item for item in walk(made) if isinstance(item, Note) and context in counted(item.content)]
    assert [(note.target, note.target_end) for note in changed] == [(target, end)]
    assert received(made.divisions[0].items[0].content) == received(text.divisions[0].items[0].content)  # type: ignore[union-attr]


@pytest.mark.parametrize(("context", "words", "said"), [
    ("注", "小臣", "fits 3 notes"), ("无", "小臣", "fits 0 notes"), ("注1", "小目", "most similar is"),
])
def test_a_target_that_is_not_there_is_refused(context: str, words: str, said: str) -> None:
    filed = kinds.Filed(Path("t.toml"), TargetDecision(source="a", context=context, words=words, resp="e", why="w"), 3)
    with pytest.raises(DecisionError, match=said) as refused:
        point_notes(noted("燕礼小臣", "戒", "公降"), [filed])
    assert str(refused.value.place) == "t.toml:3"


@pytest.mark.parametrize(("name", "meant"), [
    ("glyps.toml", "glyphs.toml"), ("lemas-4.toml", "lemmas-4.toml"), ("lost-glyhs.toml", "lost-glyphs.toml"),
    ("boundries-zhushu.tml", "boundaries-zhushu.toml"), ("qqq.toml", "one of: assigned.toml"),
])
def test_a_misspelt_file_is_told_its_name(name: str, meant: str, tmp_path: Path) -> None:
    (tmp_path / "tei/decisions").mkdir(parents=True)
    (tmp_path / "tei/decisions" / name).touch()
    (error,) = kinds.unread(tmp_path)
    assert str(error.mend).startswith(f"rename it to {meant}")
