"""`jiaokan review` and its library: what is open, what answers become, that they fit."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.annotate.remarks import remarks
from pipeline.cli import cli
from pipeline.collate.rulings import KINDS, Class, Emendation, Lemma, Merge, load, toml
from pipeline.model import Document
from pipeline.review import Judge, choose, classify, comment, emend, file, reject, undecided
from pipeline.tei.tree import element
from pipeline.tei.write import to_tei
from tests.collations import edition, shown, witness

LINES = {
    "a": "賔戒与者再拜|膳宰具官再拜(zhengxuan:注曰:今文具为共)|主人洗觚(zhengxuan:注曰:古文觚皆为觯)",
    "b": "宾诫与者再拜|膳宰共官再拜(zhengxuan:注曰:今文具为供)|主人洗觚",
}
JUDGE = Judge(resp="editors", when=date(2026, 11, 20))


def collated(root: Path) -> Document:
    return edition([remarks(witness(name, line))[0] for name, line in LINES.items()], root)[0]


def test_the_weightiest_first() -> None:
    found = undecided(collated(Path("nowhere")))
    assert [(each.unit, each.speaker, each.variant, each.context) for each in found] == [
        ("e.6.1.1", "", "substantive", "賔[戒]与者"),
        ("e.6.1.2", "", "substantive", "膳宰[具]官再"),
        ("e.6.1.2", "zhengxuan", "loan", "具为[共]"),
        ("e.6.1.1", "", "graphic", "[賔]戒与"),
    ]
    some = undecided(collated(Path("nowhere")), without={"graphic", "loan"}, within="e.6.1.2")
    assert [each.context for each in some] == ["膳宰[具]官再"]
    assert len(undecided(collated(Path("nowhere")), reported=True)) == 5


def test_answers_are_decisions_that_fit(tmp_path: Path) -> None:
    first, second, third, fourth, fifth = sorted(
        undecided(collated(tmp_path), reported=True), key=lambda each: (each.unit, each.context)
    )
    for ruling in (
        choose(first, first.readings[1], JUDGE, "乙", "low"),
        reject(second, JUDGE, "同字", "high"),
        classify(third, third.collated[1], "corruption", JUDGE, "形近", "medium"),
        comment(fourth, JUDGE, "引「郑注」\\，\t存", "medium"),
        choose(fifth, fifth.readings[1], JUDGE, "从古文", "medium"),
    ):
        file(tmp_path, ruling)
    made = collated(tmp_path)
    assert undecided(made, reported=True) == ()
    assert "按 引「郑注」\\，\t存" in shown(made)
    assert {type(each.ruling) for each in load(tmp_path)} >= {Lemma, Class, Emendation}


def test_every_kind_is_written_as_it_is_read(tmp_path: Path) -> None:
    entry = undecided(collated(tmp_path))[0]
    given = [
        Merge(unit="e.6.1.1", context="[賔戒]与", resp="x", why='"引号"', when=date(2026, 11, 20)),
        emend(entry, "", JUDGE, "衍", "low"), comment(entry, JUDGE, "多\n行", "high"),
    ]
    for each in given:
        file(tmp_path, each)
    assert [each.ruling for each in load(tmp_path)] == given
    assert all(toml(each).startswith(f"[[{KINDS[type(each)]}]]\n") for each in given)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An edition folder with a built edition."""
    assert CliRunner().invoke(cli, ["init", str(tmp_path / "f")]).exit_code == 0
    home = tmp_path / "f" / "tei"
    plan = next(p for p in sorted((home / "editions").glob("*.toml")) if 'kind = "critical"' in p.read_text("utf-8"))
    (home / "editions" / f"{plan.stem}.xml").write_bytes(to_tei(collated(Path("nowhere")), element("teiHeader")))
    for path in home.glob("decisions/lemmas*.toml"):
        path.unlink()
    return tmp_path / "f"


def test_review_asks_and_writes(folder: Path) -> None:
    keys = "2\n乙是\nhigh\nc\n2\ncorruption\n形近\n\no\n未详\nq\n"
    result = CliRunner().invoke(cli, ["review", "-C", str(folder), "--resp", "me", "--when", "2026-11-20"], keys)
    assert result.exit_code == 0, result.output
    assert "3 decided of 4 open" in result.output
    assert "⟦戒⟧与者再拜" in result.output
    assert [(type(each.ruling), each.ruling.why, each.ruling.cert, each.ruling.resp) for each in load(folder)] == [
        (Lemma, "乙是", "high", "me"), (Lemma, "未详", "low", "me"), (Class, "形近", "medium", "me"),
    ]


def test_review_lists(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["review", "-C", str(folder), "--list", "--without", "graphic", "-n", "2"])
    assert result.exit_code == 0
    assert result.output.endswith("2 open\n")
    assert load(folder) == ()


def test_review_of_what_there_is_not(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["review", "nothing", "-C", str(folder)])
    assert result.exit_code == 2
    assert "no critical edition is called 'nothing'" in result.output
