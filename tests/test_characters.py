"""Graded equality of characters: which class, by which table; the lists are well formed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.characters import relations
from jiaokan.characters.equality import LISTS, akin, judge, judge_between, norm
from jiaokan.characters.relations import Judgement, judge_graphs, table
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.tables import CharacterPair
from jiaokan.errors import JiaokanError
from jiaokan.model.encoding import words
from jiaokan.model.words import composed_length, parts
from jiaokan.settings.lists import load

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
    ("余", "予", "loan", "list:loan"), ("餘", "予", "loan", "rule:guangyun-sound"),
    ("云", "雲", "script", "rule:opencc"), ("谷", "穀", "script", "rule:opencc"),
    ("几", "幾", "script", "rule:opencc"), ("御", "禦", "script", "rule:opencc"),
    ("丑", "醜", "script", "rule:opencc"), ("发", "發", "script", "rule:opencc"),
    ("发", "髮", "script", "rule:opencc"), ("發", "髮", "loan", "rule:guangyun-sound"),
    ("钟", "锺", "script", "rule:opencc"), ("搜", "蒐", "graphic", "rule:yitizi"),
    ("旜", "旃", "graphic", "list:graphic"), ("天", "大", "lookalike", "rule:form"),
    ("己", "已", "lookalike", "list:lookalike"), ("毋", "母", "lookalike", "list:lookalike"),
    ("束", "朿", "corruption", "list:corruption"),
    ("赐", "锡", "loan", "list:loan"), ("複", "覆", "substantive", "list:distinct"),
    ("辩", "遍", "loan", "list:loan"), ("说", "脱", "loan", "list:loan"), ("説", "脱", "loan", "list:loan"),
    ("辟", "避", "loan", "list:loan"), ("縣", "懸", "loan", "list:loan"), ("乡尔", "向迩", "loan", "list:loan"),
    ("玄", "𤣥", "taboo", "list:taboo"),
    ("纳", "约", "corruption", "list:corruption"), ("皆", "比曰", "corruption", "list:corruption"),
    ("觯", "觚", "substantive", ""), ("适", "辟", "substantive", ""),
    ("雙", "𩀱", "graphic", "rule:koseki"), ("袁", "𡊮", "graphic", "rule:irg"), ("𡊮", "袁", "graphic", "rule:irg"),
    ("發", "𤼵", "graphic", "list:graphic"), ("葬", "𦵏", "graphic", "rule:irg"), ("象", "𧰼", "graphic", "rule:irg"),
    ("采", "釆", "lookalike", "rule:confusable"), ("冑", "胄", "lookalike", "rule:confusable"),
    ("商", "啇", "substantive", ""), ("友", "犮", "lookalike", "rule:confusable"),
    ("予", "豫", "lookalike", "rule:form"), ("授", "受", "substantive", ""), ("淺", "薄", "substantive", ""),
    ("懷", "壞", "lookalike", "rule:form"), ("反", "及", "lookalike", "rule:form"),
    ("是", "足", "lookalike", "rule:form"), ("坏", "怀", "lookalike", "rule:form"),
    ("反切", "及切", "lookalike", "rule:form"), ("三耦", "二耦", "lookalike", "rule:form"),
    ("三耦", "眾耦", "substantive", ""), ("弁", "辨", "substantive", "list:distinct"),
    ("君", "君如", "substantive", ""),
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
    assert akin(left, right) == (left == right or judge_graphs(left, right).variant != "substantive")


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
    monkeypatch.setattr(relations, "_HERE", tmp_path)
    (tmp_path / "bad.tsv").write_text(f"# comment\n{line}\n", encoding="utf-8")
    with pytest.raises(JiaokanError, match=r"bad\.tsv:"):
        table("bad")
    table.cache_clear()


ONE_SCRIPT = [
    ("后", "後", "substantive"), ("余", "餘", "substantive"), ("云", "雲", "substantive"),
    ("谷", "穀", "substantive"), ("朴", "樸", "substantive"), ("几", "幾", "substantive"),
    ("礼", "禮", "graphic"), ("无", "無", "graphic"), ("眾", "衆", "graphic"), ("已", "巳", "lookalike"),
    ("說", "悅", "loan"), ("丘", "邱", "taboo"),
]


@pytest.mark.parametrize(("lemma", "reading", "variant"), ONE_SCRIPT)
def test_in_traditional_script_throughout_a_simple_graph_is_a_word(lemma: str, reading: str, variant: str) -> None:
    choices = Choices(traditional=frozenset({"a", "b"}))
    assert judge_between(choices, lemma, reading, ("a",), ("b",)).variant == variant
    assert judge_between(choices, lemma, reading, ("a",), ("c",)) == judge(lemma, reading)


def test_what_the_editor_says_of_a_pair_stands_above_the_tables() -> None:
    who = {"resp": "editors", "why": "文淵閣本"}
    here = CharacterPair(left="祭", right="𥙊", variant="graphic", source="b", **who)
    every = CharacterPair(left="宾", right="觯", variant="loan", **who)
    choices = Choices(pairs=(here, every))
    assert judge_between(choices, "𥙊", "祭", ("a",), ("b",)) == Judgement("graphic", "decision:pair")
    assert judge_between(choices, "祭", "𥙊", ("a",), ("c",)) == judge("祭", "𥙊")
    assert judge_between(choices, "宾祭", "觯𥙊", ("a",), ("b",)) == Judgement("loan", "decision:pair")


def test_a_list_of_the_folder_stands_below_a_pair_and_above_the_tables(tmp_path: Path) -> None:
    home = tmp_path / "tei"
    (home / "lists").mkdir(parents=True)
    (home / "lists" / "variants.tsv").write_text(
        "祭\t𥙊\n宾\t觯\tloan\n觯\t宾\tgraphic\n說\t悅\tsubstantive\n燕禮\t宴\ttaboo\n", encoding="utf-8")
    (home / "decisions").mkdir()
    listed = load(tmp_path).of("variants")
    source = "rule:variants-list"
    wanted = [("𥙊", "祭", "graphic"), ("宾祭", "觯𥙊", "loan"), ("說", "悅", "substantive"), ("宴", "燕禮", "taboo")]
    choices = Choices.load(tmp_path, listed=listed)
    for lemma, reading, variant in wanted:
        within = choices.within(frozenset(lemma + reading))
        for chosen in (choices, within):
            assert judge_between(chosen, lemma, reading, ("a",), ("b",)) == Judgement(variant, source)  # type: ignore[arg-type]
    assert judge_between(choices, "禮", "礼", ("a",), ("b",)) == judge("禮", "礼")
    (home / "decisions" / "characters.toml").write_text(
        '[[pair]]\nleft = "祭"\nright = "𥙊"\nvariant = "loan"\nresp = "editors"\nwhy = "x"\n', encoding="utf-8")
    decided = Choices.load(tmp_path, listed=listed)
    assert judge_between(decided, "祭", "𥙊", ("a",), ("b",)) == Judgement("loan", "decision:pair")


WORDS = [
    ("Dog", "dog", "case", "rule:case"), ("caf\u00e9", "cafe\u0301", "", ""),
    ("god", "dog", "substantive", ""), ("śiva", "siva", "substantive", ""), ("jam", "iam", "spelling", "rule:letters"),
    ("uult", "Vult", "spelling", "rule:letters"), ("cælum", "caelum", "spelling", "rule:letters"),
    ("été", "ete", "spelling", "rule:accents"), ("ἀφ’", "ἀπό", "spelling", "rule:elision"),
    ("δ’", "δέ", "spelling", "rule:elision"), ("كِتَاب", "كتاب", "spelling", "rule:accents"),
    ("क्", "क", "substantive", ""), ("ἡμεῖς", "ὑμεῖς", "substantive", ""), ("ñandú", "nandú", "substantive", ""),
    ("λόγος", "ΛΌΓΟΣ", "case", "rule:case"),
]


@pytest.mark.parametrize(("lemma", "reading", "variant", "source"), WORDS)
def test_words_of_an_alphabet(lemma: str, reading: str, variant: str, source: str) -> None:
    assert judge(lemma, reading) == Judgement(variant, source)


PARTS = [
    ("don't stop, 12 dogs", ["don't", "stop", "12", "dogs"]), ("ἀλλ’ ἄγε", ["ἀλλ’", "ἄγε"]),
    ("朱熹Zhu Xi曰：「性」", ["朱", "熹", "Zhu", "Xi", "曰", "性"]), ("學而 시습지라", ["學", "而", "시습지라"]),
    ("ひらがなカタカナ", [*"ひらがなカタカナ"]), ("○※〇", ["〇"]), ("dharma\u1e43 ca", ["dharma\u1e43", "ca"]),
]


@pytest.mark.parametrize(("text", "found"), PARTS)
def test_what_is_a_word(text: str, found: list[str]) -> None:
    assert words(text) == found


@given(st.text())
def test_the_parts_of_a_text_are_the_text(text: str) -> None:
    assert "".join(parts(text)) == text


COMPOSED = [
    ("⿰木薄之", 3), ("⿱艹⿰日月也", 5), ("⿲甲乙", 0), ("⿰&KR0001;木", 10), ("&KR0014;也", 8), ("&也", 0),
    ("[金*薄]", 5), ("[(金/木)*薄]", 9), ("[注]", 0), ("[A*B]", 0),
]


@pytest.mark.parametrize(("text", "length"), COMPOSED)
def test_what_stands_for_one_character(text: str, length: int) -> None:
    assert composed_length(text, 0) == length
