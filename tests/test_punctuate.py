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
from jiaokan.decisions.punctuation.notation import TypedMark, faults, read, written
from jiaokan.model import Division, Document, Note, Paragraph, Span, Unit
from jiaokan.model.marks import MARKS, STOPS, graphs
from jiaokan.proposals import punctuation as proposed
from jiaokan.proposals.authorities import authority_rows
from jiaokan.proposals.folder import FolderTexts, PunctuatedText
from jiaokan.proposals.learned import StopModel
from jiaokan.proposals.models import model_file
from jiaokan.proposals.named import ENDING, FoundName, NamedPassage, NameModel, named_passages
from jiaokan.proposals.names import NamePlace, candidates
from jiaokan.proposals.network import StopNetwork
from jiaokan.proposals.passages import BarePassage, FolderUsage, PunctuatedPassage, passages
from jiaokan.proposals.punctuation import Evidence, ProposedPassage, propose
from jiaokan.proposals.words import LearnedWords
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
    return written(proposal.passage.graphs, typed, ())


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
    first, second = (StopModel.trained(taught, usage) for _ in range(2))
    assert first.chances(asked) == second.chances(asked)
    assert shown(propose(asked, Evidence(model=first))) == "县者，悬也。悬之，县也。"


def test_a_model_is_learned_from_files_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text, Markdown and TEI teach; the model is stored for the user and proposes in any folder."""
    monkeypatch.setenv("JIAOKAN_STATE", str(tmp_path / "state"))
    taught = [f"{a}者，{b}也。{b}之，{a}也？{b}曰：{a}、{b}。" for a in "戒与膳宰官馔小臣" for b in "东西南北寝路门堂"]
    books = tmp_path / "books"
    books.mkdir()
    (books / "a.txt").write_text("\n".join(taught[:30]), encoding="utf-8")
    (books / "b.md").write_text("# 題\n\n" + "\n\n".join(taught[30:50]), encoding="utf-8")
    inside = "".join(f"<p>{text}<note>{text}</note></p>" for text in taught[50:])
    tei = f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body>{inside}</body></text></TEI>"
    (books / "c.xml").write_text(tei, encoding="utf-8")
    run = CliRunner().invoke(cli, ["punctuate", "--learn", str(books), "--model", "small"])
    assert run.exit_code == 0, run.output
    assert "learned from 64 paragraphs" in run.output
    network = StopNetwork.load(tmp_path / "state/models/small.npz")
    asked = passage("戒者官也官之戒也官曰戒官", "3.1.1")
    made = propose(asked, Evidence(model=network))
    assert shown(made) == "戒者，官也。官之，戒也？官曰：戒、官。"
    assert {mark.reason[:12] for mark in made.marks[:-1]} == {"model small "}
    long = passage(asked.graphs * 800)
    assert network.chances(long)[5000:5100] == network.chances(passage(asked.graphs * 430))[5000:5100]


def test_words_that_were_learned_are_punctuated_as_there(tmp_path: Path) -> None:
    """Five graphs in a row are enough; of two ways the more frequent counts; words across two passages are none."""
    texts = ("甲书 小臣戒与者，膳宰具官馔。", "甲书 乐人县之寝。", "乙书 乐人，县之寝！", "丙书 乐人，县之寝。")
    read_texts = [(text.partition(" ")[0], punctuated(text.partition(" ")[2])) for text in texts]
    taught = [dataclasses.replace(each, passage=dataclasses.replace(each.passage, text=book))
              for book, each in read_texts]
    LearnedWords.of(taught).saved(tmp_path / "x.words")
    words = LearnedWords.load(tmp_path / "x.words")
    assert words and LearnedWords.load(tmp_path / "y.words") is None
    made = propose(passage("某戒与者膳宰某乐人县之寝某官馔乐人县"), Evidence(words=words))
    assert [(mark.at, mark.sign, mark.reason) for mark in made.marks] == [
        (4, "，", "as 甲书"), (9, "，", "as 乙书"), (18, "。", "end")]
    assert words.slots("戒与") == {}


def test_models_that_are_not_there() -> None:
    learn = ["--learn", str(ROOT / "README.md")]
    for rest, said in (([*learn, "--model", "none"], "cannot name"), ([*learn, "--model", "../x"], "cannot name"),
                       (learn, "punctuated paragraph"), (["yili", "6.1.1", "--model", "unknown"], "no model")):
        run = CliRunner().invoke(cli, ["punctuate", *rest, "-C", str(ROOT)])
        assert run.exit_code == 3 or said in run.output, run.output
        assert said in run.output


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
    assert [proposed.untouched(each) for each in lines_of(path, text)] == [True]
    path.write_text(f"# resp: editors\n6.2.1\t乐人。\n{text}", encoding="utf-8")
    lines = lines_of(path, path.read_text("utf-8"))
    without = {path: "# resp: editors\n6.2.1\t乐人。\n"}
    assert proposed.files(tmp_path, "2026-02-01", [], lines) == without
    assert proposed.files(tmp_path, "2026-02-01", [], lines, "6.2") == {}
    changed = lines_of(path, text.replace("{end}", ""))
    assert [proposed.untouched(each) for each in changed] == [False]
    assert proposed.files(tmp_path, "2026-02-01", [made], changed) == {}


@pytest.fixture(scope="module")
def texts() -> FolderTexts:
    return FolderTexts.of(catalog.load(ROOT), "yili")


def test_a_source_that_prints_marks_teaches(texts: FolderTexts) -> None:
    """Of the stops of the last sixth of 注疏, ends counted, three quarters (F1); without the model rules are right."""
    found = dict(punctuation.of_source(texts))
    assert found["all, with ends"].breaks >= 0.75
    assert found["rules"].precision >= 0.9
    assert found["all"].breaks > found["model"].breaks


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
    run = CliRunner().invoke(cli, ["punctuate", "yili", "6.1.1", "--model", "none", "-C", str(tmp_path)])
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


def test_a_name_is_found_in_the_tables_of_the_user(tmp_path: Path) -> None:
    """Also where the table is in traditional characters, or has several names in a cell."""
    table = tmp_path / "persons.csv"
    table.write_text("c_personid,c_name_chn,c_alt_name_chn,c_dy\n3257,陳淳,北溪;陳安卿,15\n9,某甲,,6\n", "utf-8")
    found = authority_rows(table, {"陈淳", "北溪", "乙"})
    rest = {"c_personid": "3257", "c_dy": "15"}
    assert {form: [dict(row.cells) for row in rows] for form, rows in found.items()} == {
        "陈淳": [rest | {"c_alt_name_chn": "北溪;陳安卿"}],
        "北溪": [rest | {"c_name_chn": "陳淳", "c_alt_name_chn": "北溪;陳安卿"}]}
    assert str(found["陈淳"][0].place) == f"{table}:2"
    run = CliRunner().invoke(cli, ["names", "gangmu", "-C", str(ROOT), "--table", str(table)])
    assert run.exit_code == 0, run.output
    table.write_text("id\tdynasty\n1\t唐\n", "utf-8")
    wrong = CliRunner().invoke(cli, ["names", "gangmu", "-C", str(ROOT), "--table", str(table)])
    assert wrong.exit_code == 2 and "persons.csv:1: no column of names among id, dynasty" in wrong.output


def test_a_model_of_names_is_learned_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds a name that it never saw, and its kind, by the words around it."""
    monkeypatch.setenv("JIAOKAN_STATE", str(tmp_path / "state"))
    rows = []
    for n in range(64):
        graph = chr(0x4E00 + n)
        rows += [f"{graph} S-PER", "者 O", "， O", "中 B-LOC", f"{graph} E-LOC", "人 O", "也 O", "。 O", ""]
    (tmp_path / "rows.txt").write_text("\n".join(rows), "utf-8")
    tei = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p><persName>甲</persName>者，<placeName>中<app>' \
          "<lem>甲</lem><rdg>乙</rdg></app></placeName>人也。</p></body></text></TEI>"
    (tmp_path / "small.xml").write_text(tei, "utf-8")
    found = [*named_passages([tmp_path / "small.xml"])]
    assert found == [NamedPassage("甲者，中甲人也。", (FoundName(0, 1, "person"), FoundName(3, 5, "place")))]
    learn = ["names", "--learn", str(tmp_path / "rows.txt"), "--learn", str(tmp_path / "small.xml")]
    run = CliRunner().invoke(cli, [*learn, "--model", "small"])
    assert run.exit_code == 0 and "learned from 65 passages, 130 names" in run.output
    model = NameModel.load(model_file("small", ENDING))
    assert [(each.start, each.end, each.kind) for each in model.names("鼠者，中鼠人也。")] == [
        (0, 1, "person"), (3, 5, "place")]
    for asked, said in ((["names", "--learn", str(tmp_path / "small.xml")], "only 2 marked names"),
                        (["names", "gangmu", "--model", "unknown", "-C", str(ROOT)], "no model")):
        wrong = CliRunner().invoke(cli, asked)
        assert wrong.exit_code == 2 and said in wrong.output


def test_a_model_adds_names_that_nothing_else_finds(texts: FolderTexts) -> None:
    taught = [NamedPassage(f"{chr(0x4E00 + n)}者人也", (FoundName(0, 1, "person"),)) for n in range(60)]
    own = (passage("鼠者人也", "6.1.1"), passage("牛者人也", "6.1.2"))
    line = lines_of(Path("06.txt"), "# resp: editors\n6.1.2\t_牛_者人也。")
    asked = dataclasses.replace(texts, edition=own, lines=tuple(line))
    found = candidates(asked, catalog.load(ROOT), NameModel.trained(taught))
    assert [(each.form, each.meant, each.places[0].ref) for each in found if each.evidence == "model"] == [
        ("鼠", "person", "6.1.1")]
