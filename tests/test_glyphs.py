"""Proposals for what a transcription could not print: from parallels, with the evidence, never against a decision."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from jiaokan import readers
from jiaokan.annotate.identifiers import number
from jiaokan.characters.equality import judge, norm
from jiaokan.characters.glyphs import Proposal, decision_row, proposals, substitutes
from jiaokan.characters.parallels import Parallels, SearchText, search_text
from jiaokan.cli import cli
from jiaokan.decisions.characters import Decisions
from jiaokan.decisions.kinds import Filed
from jiaokan.decisions.tables import CorrectionDecision
from jiaokan.model import Division, Document, Note, Paragraph, Span, Unit
from jiaokan.model.variants import ORTHOGRAPHIC
from jiaokan.settings import catalog

ROOT = Path(__file__).parents[1]
NONE = Decisions()
WORDS = "公在西阶上酬宾宾降拜于阼阶下主人升受爵如初礼"


def text(name: str, base: str, *notes: str) -> SearchText:
    """A witness with one unit of base text and notes on it."""
    content = (Unit(content=(base,)), *(Note(content=(words,), rend="【】") for words in notes))
    division = Division(kind="pian", n="1", items=(Paragraph(content=content),))
    return search_text(number(Document(id=name, divisions=(division,))), NONE)


def one(*witnesses: SearchText, also: str = "") -> Proposal:
    found = proposals(Parallels(witnesses), witnesses[0].id, also)
    assert len(found) == 1
    return found[0]


SIGNS = [("\ue001", "private"), ("□", "blank"), ("ウ", "damaged"), ("防", "substitute")]


@pytest.mark.parametrize(("sign", "kind"), SIGNS)
def test_what_stands_for_a_character_gets_that_of_the_parallel(sign: str, kind: str) -> None:
    found = one(text("a", WORDS.replace("拜", sign)), text("b", WORDS), also="防")
    assert (found.kind, found.proposed, found.cert, found.owner) == (kind, "拜", "high", "a.1.0.1")
    assert [(p.witness, p.owner) for p in found.parallels] == [("b", "b.1.0.1")]


def test_a_character_lost_without_trace_is_found() -> None:
    lacking = text("a", WORDS.replace("酬", ""))
    assert (one(lacking, text("b", WORDS)).kind, one(lacking, text("b", WORDS)).proposed) == ("lost", "酬")


def test_a_character_that_the_text_has_elsewhere_is_an_omission_not_lost() -> None:
    assert proposals(Parallels([text("a", WORDS.replace("受爵", "受") + "爵爵"), text("b", WORDS)]), "a") == ()


def test_parallels_that_disagree_leave_it_low() -> None:
    found = one(text("a", WORDS.replace("拜", "□")), text("b", WORDS), text("c", WORDS.replace("拜", "立")))
    assert found.cert == "low"
    assert found.against


def test_what_has_no_parallel_stays_open() -> None:
    found = one(text("a", WORDS.replace("拜", "□")), text("b", "天地玄黄宇宙洪荒日月盈昃辰宿列张"))
    assert (found.proposed, found.parallels, found.cert) == ("", (), "low")


def test_a_sign_that_a_parallel_has_too_is_genuine() -> None:
    found = one(text("a", WORDS.replace("拜", "防")), text("b", WORDS.replace("拜", "防")), also="防")
    assert found.parallels
    assert not found.proposed


def test_punctuation_script_and_notes_do_not_hide_a_parallel() -> None:
    other = text("b", "公在西階上酬賓。賓降,拜于阼階下,主人升受爵,如初禮。")
    assert one(text("a", WORDS.replace("拜", "□")), other).proposed == "拜"
    noted = text("c", "天地玄黄", WORDS)
    found = one(text("a", WORDS.replace("拜", "□")), noted)
    assert [p.owner for p in found.parallels] == ["c.1.0.1.n1"]


def test_marks_of_punctuation_in_brackets_are_no_words() -> None:
    marked = (Unit(content=(WORDS[:9], Span(role="punct", content=("句",), rend="〈〉"), WORDS[9:])),)
    document = Document(id="b", divisions=(Division(kind="pian", n="1", items=(Paragraph(content=marked),)),))
    assert proposals(Parallels([text("a", WORDS), search_text(number(document), NONE)]), "a") == ()


def test_rows_are_decisions_that_fit() -> None:
    settings = catalog.load(ROOT)
    lost = text("zhushu", WORDS.replace("酬", "") + "\"。")
    marked = text("jibian", WORDS.replace("拜", "□") + "\\")
    for each in (lost, marked):
        made = tomllib.loads(decision_row(one(each, text("b", WORDS)), each, "jiaokan"))
        table = (made.get("supplied") or made.get("correction"))[0]
        words = table["before"] + table["after"] if "supplied" in made else table["context"]
        assert each.text.count(words) == 1
        assert table["resp"] == "jiaokan"
        assert table["evidence"]
    assert settings.root == ROOT


def test_characters_corrected_to_many_stand_for_what_was_lacking() -> None:
    rows = [("防", "会"), ("防", "旨"), ("防", "亵"), ("日", "曰")]
    decided = (CorrectionDecision(source="a", context=s + c, sic=s, corr=c, resp="x", why="y") for s, c in rows)
    made = tuple(Filed(Path("x"), each) for each in decided)
    assert substitutes(Decisions(corrections=made), "a") == "防"
    assert substitutes(Decisions(corrections=made), "b") == ""


def test_no_proposal_goes_against_what_was_decided_by_reading() -> None:
    settings, decisions = catalog.load(ROOT), Decisions.load(ROOT)
    documents = {
        name: readers.load_without_decisions(settings.sources[name], settings)[1]
        for name in ("zhushu", "tongjie", "jibian")
    }
    others = [search_text(documents[name], decisions) for name in ("tongjie", "jibian")]
    found = proposals(Parallels([search_text(documents["zhushu"], NONE), *others]), "zhushu")
    proposed = {each.leaf: each.proposed for each in found if each.proposed}
    decided = decisions.locate(documents["zhushu"])
    meant = {at: getattr(each.decision, "corr", "") or getattr(each.decision, "text", "") for at, each in decided}
    both = proposed.keys() & meant.keys()
    assert len(both) >= 10
    for at in both:
        same = norm(proposed[at]) == norm(meant[at]) or judge(meant[at], proposed[at]).variant in ORTHOGRAPHIC
        assert same, (at, meant[at], proposed[at])


@pytest.mark.thorough
def test_the_command_lists_and_gives_rows() -> None:
    done = CliRunner().invoke(cli, ["glyphs", "tongjie", "-C", str(ROOT)])
    assert done.exit_code == 0
    assert done.output.startswith("tongjie: ")
    rows = CliRunner().invoke(cli, ["glyphs", "--toml", "-C", str(ROOT / "pipeline/jiaokan/scaffold")])
    assert rows.exit_code == 0
    assert isinstance(tomllib.loads(rows.output), dict)
