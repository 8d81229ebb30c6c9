"""`jiaokan review` and its library: what is open, what answers become, that they fit."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jiaokan.annotate.remarks.mark import mark_remarks
from jiaokan.cli import cli
from jiaokan.decisions.filing import to_toml
from jiaokan.decisions.kinds import load
from jiaokan.decisions.readings import NAMES
from jiaokan.decisions.tables import Class, Comment, Emendation, Lemma, Merge, ReadingDecision, Reject
from jiaokan.editions.review import choose, decide, undecided_entries
from jiaokan.model import App, Document
from jiaokan.model.text import attested
from jiaokan.model.walk import walk
from jiaokan.tei.tree import element
from jiaokan.tei.write import to_tei
from tests.collations import edition, shown, witness
from tests.filing import file_decision

LINES = {
    "a": "賔戒与者再拜|膳宰具官再拜(zhengxuan:注曰:今文具为共)|主人洗觚(zhengxuan:注曰:古文觚皆为觯)",
    "b": "宾命与者再拜|膳宰共官再拜(zhengxuan:注曰:今文具为供)|主人洗觚",
}
JUDGE: dict[str, Any] = {"resp": "editors", "when": date(2026, 11, 20)}


def collated(root: Path) -> Document:
    return edition([mark_remarks(witness(name, line)) for name, line in LINES.items()], root)[0]


def test_the_weightiest_first() -> None:
    found = undecided_entries(collated(Path("nowhere")))
    assert [(each.unit, each.speaker, each.variant, each.context) for each in found] == [
        ("e.6.1.1", "", "substantive", "賔[戒]与者再拜"),
        ("e.6.1.2", "", "substantive", "膳宰[具]官再拜"),
        ("e.6.1.2", "zhengxuan", "loan", "今文具为[共]"),
        ("e.6.1.1", "", "graphic", "[賔]戒与者再"),
    ]
    some = undecided_entries(collated(Path("nowhere")), without={"graphic", "loan"}, within="e.6.1.2")
    assert [each.context for each in some] == ["膳宰[具]官再拜"]
    assert len(undecided_entries(collated(Path("nowhere")), reported=True)) == 5


def test_answers_are_decisions_that_fit(tmp_path: Path) -> None:
    first, second, third, fourth, fifth = sorted(
        undecided_entries(collated(tmp_path), reported=True), key=lambda each: (each.unit, each.context)
    )
    for decision in (
        choose(first, first.readings[1], **JUDGE, why="乙", cert="low"),
        decide(Reject, second, **JUDGE, why="同字", cert="high"),
        decide(Class, third, **JUDGE, why="形近", cert="medium", variant="corruption",
               reading=attested(third.collated_readings[1].content)),
        decide(Comment, fourth, **JUDGE, why="引「郑注」\\，\t存", cert="medium"),
        choose(fifth, fifth.readings[1], **JUDGE, why="从古文", cert="medium"),
    ):
        file_decision(tmp_path, decision)
    made = collated(tmp_path)
    assert undecided_entries(made, reported=True) == ()
    assert "按 引「郑注」\\，\t存" in shown(made)
    assert {type(each.decision) for each in load(tmp_path, ReadingDecision)} >= {Lemma, Class, Emendation}


def test_every_kind_is_written_as_it_is_read(tmp_path: Path) -> None:
    entry = undecided_entries(collated(tmp_path))[0]
    given = [
        Merge(unit="e.6.1.1", context="[賔戒]与", resp="x", why='"引号"', when=date(2026, 11, 20)),
        decide(Emendation, entry, **JUDGE, why="衍", cert="low", reading=""),
        decide(Comment, entry, **JUDGE, why="多\n行", cert="high"),
    ]
    for each in given:
        file_decision(tmp_path, each)
    assert [each.decision for each in load(tmp_path, ReadingDecision)] == given
    assert all(to_toml(each).startswith(f"[[{NAMES[type(each)]}]]\n") for each in given)


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


def test_decisions_are_filed_in_the_order_of_the_text(tmp_path: Path) -> None:
    home = tmp_path / "tei" / "decisions"
    home.mkdir(parents=True)
    said = 'resp = "editors"\nwhy = "义"\nwhen = "2026-11-20"\n'
    kept = [f"# 按{n}\n[[note]]\nunit = '{unit}'\ncontext = \"[小]臣\"  # 如此\n{said}"
            for n, unit in enumerate(("e.6.1.2", "e.6.1.10"))]
    path = home / "lemmas.toml"
    path.write_text("# 去取\n\n" + "\n".join(kept), encoding="utf-8")
    for unit in ("e.6.1.9", "e:6.1.1", "e.6.2.1", "e.6.1.9"):
        file_decision(tmp_path, Merge(unit=unit, context="[賔戒]与", resp="x", why="义", when=date(2026, 11, 20)))
    assert [each.decision.unit for each in sorted(load(tmp_path, ReadingDecision), key=lambda each: each.line)] == [
        "e:6.1.1", "e.6.1.2", "e.6.1.9", "e.6.1.9", "e.6.1.10", "e.6.2.1",
    ]
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# 去取\n\n[[merge]]")
    assert all(each in text for each in kept)


def test_review_lists(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["review", "-C", str(folder), "--without", "graphic", "-n", "2"])
    assert result.exit_code == 0
    assert result.output.endswith("2 open\n")
    assert load(folder, ReadingDecision) == ()


def test_review_for_programs(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["review", "-C", str(folder), "--json", "--reported"])
    rows = json.loads(result.output)
    assert [row["class"] for row in rows] == ["substantive", "substantive", "substantive", "loan", "graphic"]
    assert rows[0]["context"] == "賔[戒]与者再拜"
    (reported,) = (row for row in rows if row["remarks"] == ["古文觚皆为觯"])
    assert [each["witnesses"] for each in reported["readings"]] == [["a", "b"], ["guwen"]]
    check = ["review", "-C", str(folder), "--check"]
    assert CliRunner().invoke(cli, check).exit_code == 1
    assert CliRunner().invoke(cli, [*check, "--within", "6.9"]).exit_code == 0


def test_review_of_what_there_is_not(folder: Path) -> None:
    result = CliRunner().invoke(cli, ["review", "nothing", "-C", str(folder)])
    assert result.exit_code == 2
    assert "no critical edition is called 'nothing'" in result.output


def test_every_open_entry_of_an_edition_can_be_answered(tmp_path: Path) -> None:
    """Entries at the edges of spans, inside longer passages, in formulae that come again."""
    lines = {
        "a": "公答再拜宾答再拜公答拜|升(zhengxuan:注曰:公答再拜也今文无再)|主人洗觚升自西阶东面北上公升即位",
        "b": "公答拜宾答再拜公答再拜|升(zhengxuan:注曰:公答再拜今文无再也)|主人洗觯",
        "c": "公答再拜宾答拜公答再拜升|升(zhengxuan:注曰:也公答再拜今文无再)|主人洗觚升自西阶北面东上公升即位",
    }
    witnesses = [mark_remarks(witness(name, line)) for name, line in lines.items()]
    made = edition(witnesses, tmp_path)[0]
    found = undecided_entries(made, reported=True)
    assert len(found) > 5
    for n, each in enumerate(found):
        file_decision(tmp_path, decide(Comment, each, **JUDGE, why=f"按{n}", cert="medium"))
    again = edition(witnesses, tmp_path)[0]
    told = {app.id: attested(app.notes[0].content) for app in walk(again) if isinstance(app, App) and app.notes}
    assert told == {each.app.id: f"按{n}" for n, each in enumerate(found)}
    assert undecided_entries(again, reported=True) == ()
