"""Graded equality of characters: which class, by which table; the lists are well formed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.characters import tables
from pipeline.characters.equality import LISTS, akin, judge, norm
from pipeline.characters.tables import table
from pipeline.errors import JiaokanError

GRAPHS = st.sampled_from("宾賔賓说説說脱辟避適适于於後后余馀餘辩遍县縣懸悬玄𤣥旨㫖纳约一二三")

JUDGED = [
    ("宾", "宾", "", ""),
    ("賓", "宾", "script", "rule:opencc"), ("後", "后", "script", "rule:opencc"),
    ("於", "于", "script", "rule:opencc"), ("余", "馀", "script", "rule:opencc"),
    ("適", "适", "script", "rule:opencc"), ("請", "请", "script", "rule:opencc"),
    ("賔", "宾", "graphic", "rule:yitizi"), ("説", "说", "graphic", "rule:yitizi"),
    ("葢", "盖", "graphic", "rule:yitizi"), ("絶", "绝", "graphic", "rule:yitizi"),
    ("旨", "㫖", "graphic", "list:graphic"), ("羣", "群", "graphic", "rule:yitizi"),
    ("敎", "教", "graphic", "rule:yitizi"), ("绝", "絕", "script", "rule:opencc"),
    ("着", "著", "graphic", "list:graphic"), ("征", "徵", "script", "rule:opencc"),
    ("徴", "征", "graphic", "rule:yitizi"), ("余", "餘", "script", "rule:opencc"),
    ("余", "予", "loan", "list:loan"), ("餘", "予", "substantive", ""),
    ("云", "雲", "script", "rule:opencc"), ("谷", "穀", "script", "rule:opencc"),
    ("几", "幾", "script", "rule:opencc"), ("御", "禦", "script", "rule:opencc"),
    ("丑", "醜", "script", "rule:opencc"), ("发", "發", "script", "rule:opencc"),
    ("发", "髮", "script", "rule:opencc"), ("發", "髮", "substantive", ""),
    ("钟", "锺", "script", "rule:opencc"), ("搜", "蒐", "graphic", "rule:yitizi"),
    ("旜", "旃", "graphic", "list:graphic"), ("天", "大", "substantive", ""),
    ("己", "已", "corruption", "list:corruption"), ("赐", "锡", "loan", "list:loan"),
    ("複", "覆", "substantive", "list:distinct"), ("辩", "遍", "loan", "list:loan"),
    ("说", "脱", "loan", "list:loan"), ("説", "脱", "loan", "list:loan"),
    ("辟", "避", "loan", "list:loan"), ("縣", "懸", "loan", "list:loan"),
    ("乡尔", "向迩", "loan", "list:loan"), ("玄", "𤣥", "taboo", "list:taboo"),
    ("纳", "约", "corruption", "list:corruption"), ("皆", "比曰", "corruption", "list:corruption"),
    ("觯", "觚", "substantive", ""), ("适", "辟", "substantive", ""),
    ("弁", "辨", "substantive", "list:distinct"), ("授", "受", "substantive", ""),
    ("三耦", "二耦", "substantive", ""), ("君", "君如", "substantive", ""),
    ("再", "", "omission", ""), ("", "再", "addition", ""),
    ("宾觯", "賔觚", "substantive", ""), ("宾於", "賔于", "graphic", "rule:yitizi"),
]


@pytest.mark.parametrize(("lemma", "reading", "variant", "source"), JUDGED)
def test_judgement(lemma: str, reading: str, variant: str, source: str) -> None:
    judgement = judge(lemma, reading)
    assert (judgement.variant, judgement.source) == (variant, source)


@given(GRAPHS, GRAPHS)
def test_a_pair_is_judged_alike_both_ways(left: str, right: str) -> None:
    assert judge(left, right) == judge(right, left)
    assert akin(left, right) == (judge(left, right).variant != "substantive")


@given(GRAPHS)
def test_the_normal_form_is_stable(graph: str) -> None:
    assert norm(norm(graph)) == norm(graph)


@given(st.one_of(st.characters(), st.characters(categories=["Cs"])))
def test_any_character_has_a_normal_form(graph: str) -> None:
    assert norm(graph)
    assert judge(graph, "宾").variant == ("" if graph == "宾" else judge("宾", graph).variant)


@pytest.mark.parametrize("name", [*LISTS, "distinct"])
def test_each_row_has_its_citation(name: str) -> None:
    assert all(row.citation and row.left != row.right for row in table(name).values())


@pytest.mark.parametrize("line", ["宾\t賔", "宾\t宾\t某书", "宾\t賔\t", "甲\t乙\t某书\n乙\t甲\t某书"])
def test_a_bad_list_is_refused(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_HERE", tmp_path)
    (tmp_path / "bad.tsv").write_text(f"# comment\n{line}\n", encoding="utf-8")
    with pytest.raises(JiaokanError, match=r"bad\.tsv:"):
        table("bad")
    table.cache_clear()
