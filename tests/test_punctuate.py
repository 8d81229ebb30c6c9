"""Punctuation proposed: each mark by its evidence, nothing of the editor's touched, the same for the same folder."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.annotate import annotate
from jiaokan.annotate.identifiers import number
from jiaokan.cli import cli
from jiaokan.decisions.punctuation.files import PunctuatedLine, parse
from jiaokan.decisions.punctuation.notation import TypedMark, faults, read, write_notation
from jiaokan.model import Division, Document, Note, Paragraph, Span, Unit
from jiaokan.model.marks import MARKS, STOPS, graphs
from jiaokan.proposals import punctuation as proposed
from jiaokan.proposals.folder import FolderTexts, PunctuatedText
from jiaokan.proposals.names import NamePlace, candidates
from jiaokan.proposals.passages import BarePassage, FolderUsage, PunctuatedPassage, passages
from jiaokan.proposals.punctuation import Evidence, ProposedPassage, propose
from jiaokan.proposals.stop_model import StopModel
from jiaokan.settings import catalog
from tests.accuracy import punctuation

ROOT = Path(__file__).parents[1]
CASES = [row.split("\t") for row in (ROOT / "tests/cases/punctuate/rules.tsv").read_text("utf-8").splitlines()
         if not row.startswith("#")]
TEXTS = st.text("燕礼小臣戒与者公曰命某为宾云也", min_size=1, max_size=30)


def passage(text: str, ref: str = "1.1.1", name: str = "x") -> BarePassage:
    return BarePassage(text=name, ref=ref, graphs=text)


def punctuated(text: str, ref: str = "1.1.1") -> PunctuatedPassage:
    typed = read(text)
    return PunctuatedPassage(passage=passage(typed.graphs, ref), marks=typed.marks)


def shown(proposal: ProposedPassage) -> str:
    """The words with marks alone."""
    typed = [TypedMark(sign=mark.sign, at=mark.at) for mark in proposal.marks]
    return write_notation(proposal.passage.graphs, typed, ())


@pytest.mark.parametrize(("unit", "note", "wanted"), CASES, ids=[row[1] for row in CASES])
def test_rules(unit: str, note: str, wanted: str) -> None:
    settings = catalog.load(ROOT)
    speaker, _, words = note.rpartition("|")
    content = (Span(role="attribution", content=(speaker,)), words) if speaker else (words,)
    block = Paragraph(content=(Unit(content=(unit,)), Note(content=content)))
    section = Division(kind="section", n="1", items=(block,))
    document = number(Document(id="x", divisions=(Division(kind="pian", n="1", items=(section,)),)))
    annotated = annotate(document, settings.persons, settings.lists)[0]
    made = propose(next(each for each in passages(annotated) if each.note), Evidence())
    assert shown(made) == wanted
    assert all(mark.reason for mark in made.marks)


@given(TEXTS, st.lists(st.tuples(st.integers(1, 30), st.sampled_from(sorted(MARKS))), max_size=20))
def test_what_is_proposed_can_be_typed(text: str, marks: list[tuple[int, str]]) -> None:
    """Whatever stands elsewhere, and however faulty: the proposal has the text's graphs and no fault."""
    typed = tuple(TypedMark(sign=sign, at=at) for at, sign in sorted(marks) if at <= len(text))
    elsewhere = PunctuatedText.of([PunctuatedPassage(passage=passage(text, "2.1.1"), marks=typed)])
    for evidence in (Evidence(), Evidence(punctuated=elsewhere)):
        made = propose(passage(text), evidence)
        line = proposed.line(made).partition("\t")[2]
        back = read(line)
        assert (back.graphs, list(faults(back))) == (text, [])
        assert made == propose(passage(text), evidence)


@pytest.mark.parametrize("text", ["小臣戒与者，膳宰具官馔于寝东。乐人县。", "公曰：“以我安，卿大夫皆对曰诺。”敢不安？"])
def test_the_same_words_take_the_same_marks(text: str) -> None:
    elsewhere = punctuated(text, "2.1.1")
    made = propose(passage(elsewhere.passage.graphs), Evidence(punctuated=PunctuatedText.of([elsewhere])))
    marks = {(mark.at, mark.sign) for mark in made.marks if mark.reason == "as x 2.1.1"}
    inner = {(mark.at, mark.sign) for mark in elsewhere.marks if 1 < mark.at < len(elsewhere.passage.graphs) - 1}
    assert marks <= inner and {mark for mark in marks if mark[1] in STOPS} == {m for m in inner if m[1] in STOPS}


def test_what_is_left_out_gives_nothing() -> None:
    text = PunctuatedText.of([punctuated("小臣戒与者，膳宰具官馔。", "2.1.1")])
    made = propose(passage("小臣戒与者膳宰具官馔"), Evidence(punctuated=text), lambda _: False)
    assert [mark.reason for mark in made.marks] == ["end"]


def test_a_model_learns_and_is_the_same_twice() -> None:
    taught = [punctuated(f"{a}者，{b}也。{b}之，{a}也。", f"1.1.{n}") for n, (a, b) in
              enumerate((x, y) for x in "戒与膳宰官馔" for y in "东西南北寝路")]
    usage = FolderUsage.of(each.passage.keys for each in taught)
    asked = passage("县者悬也悬之县也", "3.1.1")
    first, second = (StopModel.train(taught, usage) for _ in range(2))
    assert first.chances(asked) == second.chances(asked)
    assert shown(propose(asked, Evidence(model=first))) == "县者，悬也。悬之，县也。"


def lines_of(path: Path, text: str) -> list[PunctuatedLine]:
    found, wrong = parse(path, text.split("\n"), [])
    assert wrong == []
    return found


@given(st.lists(st.sampled_from(["6.1.1", "6.1.2", "6.1.3", "6.1.4"]), unique=True), st.booleans())
def test_nothing_of_the_editors_is_touched(
    tmp_path_factory: pytest.TempPathFactory, own: list[str], again: bool
) -> None:
    """His rows stand where they stood, proposals below; written twice the file is the same."""
    folder = tmp_path_factory.mktemp("p")
    path = folder / "06.txt"
    head = "# resp: editors\n# when: 2026-01-31\n# a remark\n"
    path.write_text(head + "".join(f"{ref}\t燕礼，小臣。\n" for ref in own), encoding="utf-8")
    before = path.read_text("utf-8").splitlines()
    for _ in range(1 + again):
        lines = lines_of(path, path.read_text("utf-8"))
        made = [propose(passage("燕礼小臣", ref), Evidence()) for ref in ("6.1.1", "6.1.2", "6.1.3", "6.1.4")]
        for name, text in proposed.files(folder, "2026-02-01", made, lines).items():
            name.write_text(text, encoding="utf-8")
    after = path.read_text("utf-8").splitlines()
    assert after[: len(before)] == before
    assert sorted(each.ref for each in lines_of(path, "\n".join(after))) == ["6.1.1", "6.1.2", "6.1.3", "6.1.4"]


def test_a_proposal_that_the_editor_changed_is_his(tmp_path: Path) -> None:
    made = propose(passage("燕礼小臣", "6.1.1"), Evidence())
    (path, text), = proposed.files(tmp_path, "2026-02-01", [made], []).items()
    assert [proposed.is_untouched(each) for each in lines_of(path, text)] == [True]
    path.write_text(f"# resp: editors\n6.2.1\t乐人。\n{text}", encoding="utf-8")
    lines = lines_of(path, path.read_text("utf-8"))
    without = {path: "# resp: editors\n6.2.1\t乐人。\n"}
    assert proposed.files(tmp_path, "2026-02-01", [], lines) == without
    assert proposed.files(tmp_path, "2026-02-01", [], lines, "6.2") == {}
    changed = lines_of(path, text.replace("{end}", ""))
    assert [proposed.is_untouched(each) for each in changed] == [False]
    assert proposed.files(tmp_path, "2026-02-01", [made], changed) == {}


@pytest.fixture(scope="module")
def texts() -> FolderTexts:
    return FolderTexts.of(catalog.load(ROOT), "yili")


@pytest.mark.thorough
def test_a_source_that_prints_marks_teaches(texts: FolderTexts) -> None:
    """Of the stops of the last sixth of 注疏, ends counted, three quarters (F1); without the model rules are right."""
    found = dict(punctuation.of_source(texts))
    assert found["all, with ends"].breaks >= 0.75
    assert found["rules"].precision >= 0.9
    assert found["all"].breaks > found["model"].breaks


@pytest.mark.thorough
def test_a_parallel_that_is_punctuated_gives_its_marks(texts: FolderTexts) -> None:
    """Of the stops of the notes that 注疏 prints too, nine in ten are found (F1), and as many proposed are right."""
    found = dict(punctuation.of_parallel(texts))
    assert found["carried over"].precision >= 0.95
    assert found["all"].breaks >= 0.9 and found["all"].saved >= 0.75


def test_a_command_proposes_with_reasons(tmp_path: Path) -> None:
    folder = tmp_path / "tei"
    for name in ("catalog.toml", "persons.toml", "places.toml", "conventions", "editions", "lists", "witnesses"):
        place = ROOT / "tei" / name
        if place.is_dir():
            shutil.copytree(place, folder / name)
        elif place.exists():
            folder.mkdir(exist_ok=True)
            shutil.copy(place, folder / name)
    run = CliRunner().invoke(cli, ["punctuate", "yili", "6.1.1", "--no-model", "-C", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert "疏曰：{speaker}案《{title}周礼·{title}" in run.output
    assert all(graphs(row.partition("\t")[0]) for row in run.output.splitlines())
    wrong = CliRunner().invoke(cli, ["punctuate", "yili", "99.1", "-C", str(tmp_path)])
    assert wrong.exit_code and "no passage" in wrong.output


def test_names_are_found_and_what_is_marked_is_not(texts: FolderTexts) -> None:
    """Forms that the folder declares, 某氏, rulers by their epithets, speakers; none twice at one place."""
    text = "敖氏曰齐侯之言卫灵公问于某氏王氏不从叔孙氏笑之曰然"
    line = lines_of(Path("06.txt"), "# resp: editors\n6.1.2\t_敖氏_曰。")
    own = (passage(text, "6.1.1"), passage("敖氏曰", "6.1.2"))
    asked = dataclasses.replace(texts, edition=own, lines=tuple(line))
    found = {each.form: each for each in candidates(asked, catalog.load(ROOT))}
    assert {"敖氏", "卫灵公", "王氏", "叔孙氏"} <= set(found) and "某氏" not in found
    assert (found["敖氏"].evidence, found["敖氏"].marked, len(found["敖氏"].places)) == ("declared", 1, 1)
    assert found["王氏"].places[0] == NamePlace("6.1.1", "侯之言卫灵公问于某氏"[-8:] + "‹王氏›不从叔孙氏笑之曰"[:12])


def test_a_command_lists_names() -> None:
    run = CliRunner().invoke(cli, ["names", "gangmu", "-n", "1", "-C", str(ROOT)])
    assert run.exit_code == 0, run.output
    assert "gangmu, declared in persons.toml or places.toml" in run.output and "‹" in run.output
    wrong = CliRunner().invoke(cli, ["names", "gangmo", "-C", str(ROOT)])
    assert wrong.exit_code and "gangmu" in wrong.output
