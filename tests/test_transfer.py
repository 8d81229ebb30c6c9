"""Marks of a file on an edition: where their words are, in doubt beside other words, listed without a place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.cli import cli
from jiaokan.decisions.punctuation.files import parse
from jiaokan.decisions.punctuation.notation import faults, write_notation
from jiaokan.editions.marks_of_file import marked_stream, read_marks
from jiaokan.editions.transfer import LEAST, Transfer, compare_marks, transfer
from jiaokan.proposals import punctuation as proposals
from jiaokan.proposals.passages import BarePassage
from jiaokan.proposals.punctuation import Evidence, propose

ROOT = Path(__file__).parents[1]
NOTHING = marked_stream(())
UNITS = ("子曰学而时习之不亦说乎有朋自远方来不亦乐乎", "人不知而不愠不亦君子乎", "有子曰其为人也孝弟而好犯上者鲜矣")
MARKED = ("子曰：“学而时习之，不亦说乎？有朋自远方来，不亦乐乎？", "人不知而不愠，不亦君子乎？”",
          "有子曰：“其为人也孝弟，而好犯上者，鲜矣。”")


def passages(*units: str) -> list[BarePassage]:
    return [BarePassage(text="x", ref=f"1.1.{n}", graphs=unit) for n, unit in enumerate(units, 1)]


def lay(paragraphs: tuple[str, ...], *units: str) -> Transfer:
    return transfer(passages(*units), marked_stream(paragraphs), NOTHING)


def lines(result: Transfer) -> list[str]:
    return [write_notation(piece.text.graphs, piece.text.marks, piece.text.names) for piece in result.texts.values()]


def wordings(result: Transfer) -> list[str]:
    return [f"{reference} {difference}" for reference, difference in result.differences]


def test_the_same_words_get_all_marks_and_speech_is_closed_in_each_unit() -> None:
    result = lay(("".join(MARKED),), *UNITS)
    assert lines(result) == [f"{MARKED[0]}”", f"“{MARKED[1]}", MARKED[2]]
    assert result.differences == [] and result.share == 1


@pytest.mark.parametrize("text", [
    "子曰：「學而時習之，不亦説乎？有朋自遠方來，不亦樂乎？」",  # traditional, a variant, corner quotation marks
    '子曰: "学而时习之, 不亦说乎? 有朋自远方来, 不亦乐乎?"',  # ASCII marks with spaces
    "【一】子曰：“学而时习之，不亦说乎？（有朋）自远方来，不亦乐乎？”",  # brackets and numbers of the file
])
def test_another_script_and_other_forms_of_marks_tell_the_same(text: str) -> None:
    assert lines(lay((text,), UNITS[0])) == [f"{MARKED[0]}”"]


def test_beside_words_that_differ_a_mark_is_in_doubt() -> None:
    result = lay(("有子曰：其为人也孝悌，而好犯上者也，鲜矣。",), "有子曰其为人也孝弟而好犯上者鲜矣")
    assert lines(result) == ["有子曰：其为人也孝弟，而好犯上者，?鲜矣。"]


def test_a_clause_that_the_edition_lacks_leaves_one_stop_and_is_listed() -> None:
    result = lay(("子曰：学而时习之，有朋自远方来，不亦乐乎？人不知而不愠。不亦君子乎？",),
                 "子曰学而时习之人不知而不愠不亦君子乎")
    assert lines(result) == ["子曰：学而时习之？?人不知而不愠。不亦君子乎？"]
    assert any("有朋自远方来" in row for row in wordings(result))


def test_a_clause_that_the_file_lacks_is_listed() -> None:
    result = lay(("子曰：学而时习之。人不知而不愠，不亦君子乎？",), "子曰学而时习之有朋自远方来人不知而不愠不亦君子乎")
    assert lines(result) == ["子曰：学而时习之。?有朋自远方来人不知而不愠，不亦君子乎？"]
    assert [row for row in wordings(result) if "有朋自远方来" in row and "6" in row]


def test_a_passage_that_the_file_has_elsewhere_gets_its_marks() -> None:
    marked = "".join(row.translate(dict.fromkeys(map(ord, "“”"))) for row in (MARKED[2], MARKED[0], MARKED[1]))
    assert lines(lay((marked,), *UNITS)) == [row.translate(dict.fromkeys(map(ord, "“”"))) for row in MARKED]


@pytest.mark.parametrize("text", [
    "甲曰：「乙谓丙曰：『古人有言：「无欲速。」』信乎？」", "甲曰：“乙谓丙曰：‘古人有言：“无欲速。”’信乎？”",
    "甲曰：『乙谓丙曰：「古人有言：『无欲速。』」信乎？』", "甲曰：「乙谓丙曰：「古人有言：「无欲速。」」信乎？」",
])
def test_nested_quotation_marks_take_turns(text: str) -> None:
    result = lay((text,), "甲曰乙谓丙曰古人有言无欲速信乎")
    assert lines(result) == ["甲曰：“乙谓丙曰：‘古人有言：“无欲速。”’信乎？”"]


def test_a_pair_without_a_partner_is_listed() -> None:
    result = lay(("子曰：“学而时习之，不亦说乎？",), "子曰学而时习之不亦说乎")
    assert lines(result) == ["子曰：学而时习之，不亦说乎？"]
    assert len(result.differences) == 1 and "“" in wordings(result)[0]


def test_speech_that_each_paragraph_opens_again() -> None:
    result = lay(("子曰：「学而时习之。", "「人不知而不愠。」"), "子曰学而时习之人不知而不愠")
    assert lines(result) == ["子曰：“学而时习之。”“人不知而不愠。”"]


def test_text_around_the_words_of_the_edition_is_one_row_on_each_side() -> None:
    result = lay(("前言，甲乙丙。丁戊己，庚辛。", *MARKED, "后记；壬癸、子丑。寅卯也！"), *UNITS)
    assert lines(result) == [f"{MARKED[0]}”", f"“{MARKED[1]}", MARKED[2]]
    assert len(result.differences) == 2


@pytest.mark.parametrize("ending", ["txt", "md"])
def test_names_and_titles(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"a.{ending}"
    file.write_text("_鲁哀公_问：《诗·小雅》_孔|kongzi_子。\n", "utf-8")
    result = transfer(passages("鲁哀公问诗小雅孔子"), *read_marks(file))
    assert lines(result) == ["_鲁哀公_问：《诗·小雅》_孔_子。"]


def test_other_words_are_told_by_their_share() -> None:
    """Formulae in common do not make two texts one."""
    result = lay(("道可道，非常道；名可名，非常名。子曰。无名，天地之始。",), *UNITS)
    assert result.share < LEAST and lines(result) == []


def test_tei_gives_marks_names_and_notes(tmp_path: Path) -> None:
    file = tmp_path / "marked.xml"
    file.write_text(
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader><fileDesc><titleStmt><title>x</title></titleStmt></fileDesc>"
        "</teiHeader><text><body><div><head>学而</head><p><persName>有子</persName>曰：<q>其为人也孝弟，"
        "<note>善事<placeName>鲁</placeName>之父母。</note>鲜矣。</q>见<title>诗</title>及<title>《书》</title>。</p>"
        "</div></body></text></TEI>", "utf-8")
    units = passages("有子曰其为人也孝弟", "鲜矣见诗及书")
    note = BarePassage(text="x", ref="1.1.1.n1", graphs="善事鲁之父母")
    result = transfer([units[0], note, units[1]], *read_marks(file))
    assert lines(result) == ["_有子_曰：“其为人也孝弟，”", "“鲜矣。”见《诗》及《书》。", "善事_鲁_之父母。"]


def test_a_file_of_the_text_alone_leaves_the_notes_alone() -> None:
    units = passages(*UNITS[:2])
    note = BarePassage(text="x", ref="1.1.1.n1", graphs="学而时习之谓温故也")
    result = transfer([units[0], note, units[1]], marked_stream(MARKED[:2]), NOTHING)
    assert set(result.texts) == {"1.1.1", "1.1.2"}


def test_disagreements_are_listed_by_place() -> None:
    ours = marked_stream(("子曰，学而时习之！不亦说乎？",)).text
    theirs = marked_stream(("子曰：学而时习之不亦说乎？",)).text
    assert [str(row).count("，") + str(row).count("！") for row in compare_marks(ours.marks, theirs)] == [1, 1]
    assert [*compare_marks(ours.marks, ours)] == []


MARKS = st.text("学而时习之不亦说乎，。“”‘’《》·：", max_size=40)


@given(st.lists(MARKS, max_size=4), st.lists(st.text("学而时习之不亦说乎", min_size=1, max_size=12), min_size=1,
                                             max_size=4))
def test_whatever_a_file_has_lines_can_be_typed(paragraphs: list[str], units: list[str]) -> None:
    for ref, piece in lay(tuple(paragraphs), *units).texts.items():
        assert not [*faults(piece.text)] and piece.text.graphs == units[int(ref[-1]) - 1]


def test_proposals_of_a_file_and_of_the_program_leave_each_other_alone(tmp_path: Path) -> None:
    own = [propose(passage, Evidence()) for passage in passages("甲乙丙丁", "戊己庚辛")]
    (path, text), = proposals.files(tmp_path, "2026-02-01", own, []).items()
    path.write_text(text, "utf-8")
    lines_now, _ = parse(path, text.split("\n"), [])
    theirs = proposals.ProposedPassage(passage=passages("甲乙丙丁")[0], certain=1.0, marks=(
        proposals.ProposedMark(sign="，", at=2, chance=1.0, reason="from a.txt"),))
    (_, text), = proposals.files(tmp_path, "2026-02-01", [theirs], lines_now, origin="a.txt").items()
    assert "1.1.1\t甲乙，{from a.txt}丙丁\n" in text and "1.1.2\t戊己庚辛。{end}" in text and text.count("1.1.1") == 1
    lines_now, wrong = parse(path, text.split("\n"), [])
    assert wrong == [] and [proposals.origin_of(line) for line in lines_now] == ["", "a.txt"]
    path.write_text(text, "utf-8")
    (_, again), = proposals.files(tmp_path, "2026-02-01", own[1:], lines_now).items()
    assert again.count("{from a.txt}") == 1 and again.count("{end}") == 1
    bare = [line.split("\t")[0] for line in again.splitlines() if "\t" in line]
    assert sorted(bare) == ["1.1.1", "1.1.2"]


@pytest.mark.thorough
def test_the_command_writes_proposals_and_lists_differences(tmp_path: Path) -> None:
    folder = tmp_path / "tei"
    folder.mkdir()
    for name in ("catalog.toml", "persons.toml", "places.toml", "conventions", "editions", "lists", "witnesses"):
        place = ROOT / "tei" / name
        if place.is_dir():
            shutil.copytree(place, folder / name)
        elif place.exists():
            shutil.copy(place, folder / name)
    options = ["-C", str(tmp_path)]
    plain = CliRunner().invoke(cli, ["punctuate", "yili", "6.1", "--no-model", *options])
    assert plain.exit_code == 0, plain.output
    other = tmp_path / "other.md"
    other.write_text("# 燕礼\n\n燕禮。小臣戒與者。膳宰具官饌于寢東。樂人縣。\n", "utf-8")
    run = CliRunner().invoke(cli, ["punctuate", "yili", "6.1", "--from", str(other), "--write", *options])
    assert run.exit_code == 0, run.output
    (path,) = (folder / "punctuation" / "yili").glob("*.txt")
    text = path.read_text("utf-8")
    assert "# evidence: from other.md" in text and "戒与者。{from other.md}" in text
    other.write_text("道可道，非常道。名可名，非常名。", "utf-8")
    wrong = CliRunner().invoke(cli, ["punctuate", "yili", "6.1", "--from", str(other), *options])
    assert wrong.exit_code and "% of the words" in wrong.output
    other.write_text("燕礼小臣戒与者", "utf-8")
    bare = CliRunner().invoke(cli, ["punctuate", "yili", "6.1", "--from", str(other), *options])
    assert bare.exit_code and "no marks" in bare.output
