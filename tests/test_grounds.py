"""Why a reading has its class: every table that knows a pair is named, the one that decides first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.characters.equality import judge
from jiaokan.characters.relations import LISTS, rows
from jiaokan.cli import cli
from jiaokan.editions.loose import collate_files
from jiaokan.entries.grounds import _REASONS, explain_pair, grounds

ROOT = Path(__file__).parents[1]
LISTED = [row for name in LISTS for row in rows(name)]
GRAPHS = st.sampled_from("宾賔賓说説說脱辟避后後余馀餘予辩遍教敎复覆復于於天大")
CONFLICTS = [
    ("寔", "實", ["list:loan", "rule:yitizi", "unihan:kSemanticVariant"]),
    ("着", "著", ["list:graphic", "unihan:kTraditionalVariant", "rule:yitizi", "unihan:kSemanticVariant",
                  "rule:koseki"]),
    ("采", "釆", ["rule:confusable"]),
    ("复", "覆", ["list:distinct", "unihan:kTraditionalVariant"]),
    ("餘", "予", ["rule:guangyun-sound"]),
]


@pytest.mark.parametrize(("left", "right", "sources"), CONFLICTS)
def test_conflicts_between_tables_have_one_order(left: str, right: str, sources: list[str]) -> None:
    found = grounds(left, right)
    assert [each.judgement.source for each in found] == sources
    assert [each.decides for each in found] == [number == 0 for number in range(len(found))]


@given(GRAPHS, GRAPHS)
def test_the_first_ground_is_the_judgement(left: str, right: str) -> None:
    found = grounds(left, right)
    expected = found[0].judgement.variant if found else "substantive" if left != right else ""
    assert judge(left, right).variant == expected
    assert list(explain_pair(left, right))


@pytest.mark.parametrize("row", LISTED, ids=lambda row: f"{row.left}/{row.right}")
def test_a_row_is_told_with_its_citation(row: object) -> None:
    assert any(row.citation in line for line in explain_pair(row.left, row.right))  # type: ignore[attr-defined]


def test_every_rule_and_decision_of_the_edition_is_told() -> None:
    tei = (ROOT / "tei" / "editions" / "yili.xml").read_text(encoding="utf-8")
    body = tei.partition("<text")[2]
    words = {word for value in re.findall(r' (?:ana|corresp)="([^"]*)"', body) for word in value.split()}
    named = {word for word in words if word.startswith(("rule:", "decision:", "unihan:"))}
    assert named
    assert named <= set(_REASONS)


def test_the_command_tells_entries_and_pairs() -> None:
    run = CliRunner()
    pair = run.invoke(cli, ["explain", "辩/遍"])
    assert (pair.exit_code, "list:loan" in pair.output, "辯有音遍" in pair.output) == (0, True, True)
    entry = run.invoke(cli, ["explain", "yili:6.2.3.a1", "-C", str(ROOT)])
    assert (entry.exit_code, "纳" in entry.output, "corruption" in entry.output) == (0, True, True)
    none = run.invoke(cli, ["explain", "yili:6.2.3.a99", "-C", str(ROOT)])
    assert none.exit_code == 2


def test_the_edition_cites_the_rows_that_it_rests_on() -> None:
    """For each reading judged by a list the header has the row, under the id to which ``list:`` leads."""
    made = collate_files([("甲.txt", "众賔辩有脯醢".encode()), ("乙.txt", "众宾遍有脯醢".encode())])
    tei = made.tei.decode()
    assert 'corresp="list:loan"' in tei
    assert 'replacementPattern="#list-$1"' in tei
    assert '<category xml:id="list-loan">' in tei
    assert "辩/遍 辯借为遍：《经典释文·仪礼音义》" in tei
