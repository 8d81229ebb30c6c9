"""Alignment: least cost, rising pairs, the same each time; what is firm, where gaps stand, what moved."""

from __future__ import annotations

import random
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jiaokan.align import ABSENT, UNCOVERED, Kinship, Tokens, align_witnesses
from jiaokan.align.blocks import Pair, normalize_gaps, pairs_of
from jiaokan.align.gotoh import GAP, OPEN, RELATED, UNRELATED, exact
from jiaokan.align.moves import moved_passages
from jiaokan.align.pairs import drop_chance_pairs
from jiaokan.align.pairwise import align, align_blocks
from jiaokan.errors import CollationError
from tests.amount import examples

FEW = st.text(st.sampled_from("再拜稽首公答宾"), max_size=40)


def cost(a: str, b: str, pairs: list[Pair]) -> int:
    """Count substitutions and unpaired tokens."""
    return len(a) + len(b) - 2 * len(pairs) + sum(a[i] != b[j] for i, j in pairs)


def rising(pairs: list[Pair]) -> bool:
    """Whether pairs rise in both sequences."""
    return all(i < k and j < m for (i, j), (k, m) in pairwise(pairs))


@given(FEW, FEW)
def test_short_texts_are_aligned_at_least_cost(a: str, b: str) -> None:
    pairs = align(a, b)
    assert rising(pairs)
    assert cost(a, b, pairs) == Levenshtein.distance(a, b)


@settings(deadline=None, max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from([(0.02, 8), (0.2, 8), (0.02, 30), (0.2, 30), (0.2, 600), (0.5, 600)]))
def test_long_texts_are_aligned_near_least_cost(seed: int, text: tuple[float, int]) -> None:
    """Half of it changed is held only where graphs are many, as in real texts: with few, chance makes anchors."""
    noise, alphabet = text
    rng = random.Random(seed)
    graphs = [chr(0x4E00 + n) for n in range(alphabet)]
    a = "".join(rng.choice(graphs) for _ in range(1500))
    b = "".join(c if rng.random() > noise else rng.choice(["", rng.choice(graphs), c + rng.choice(graphs)]) for c in a)
    pairs = align(a, b)
    assert rising(pairs)
    assert cost(a, b, pairs) <= 1.02 * Levenshtein.distance(a, b)


def test_formulae() -> None:
    round_ = "下拜公辞升再拜稽首公答再拜宾坐祭卒爵"
    a = round_ * 60
    b = round_ * 30 + round_ * 29
    assert cost(a, b, align(a, b)) == len(round_)


def test_akin_tokens_stand_together() -> None:
    assert align("甲辩", "遍", lambda x, y: {x, y} == {"辩", "遍"}) == [(1, 0)]
    assert align("辩甲", "遍", lambda x, y: {x, y} == {"辩", "遍"}) == [(0, 0)]


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_text(a: str, b: str) -> None:
    assert align(a, b) == align(a, b)
    assert rising(pairs_of(drop_chance_pairs(a, b, align_blocks(a, b))))


def test_pairs_made_up_in_unlike_text_are_taken_back() -> None:
    a = "小臣戒与者" + "甲乙丙丁戊拜己庚辛壬癸" + "膳宰具官馔于寝"
    b = "小臣戒与者" + "子丑寅卯辰拜巳午未申酉" + "膳宰具官馔于寝"
    kept = pairs_of(drop_chance_pairs(a, b, align_blocks(a, b)))
    assert len(kept) == len("小臣戒与者膳宰具官馔于寝")


@pytest.mark.parametrize(
    ("a", "b", "breaks", "gap"),
    [
        ("宾升再拜宾降再拜宾出", "宾升再拜宾出", ({0, 4, 8}, {0, 4}), range(4, 8)),
        ("宾升再拜宾降再拜宾出", "宾升再拜宾出", ({0, 2, 6}, {0, 2}), range(2, 6)),
    ],
)
def test_gaps_keep_to_units(a: str, b: str, breaks: tuple[set[int], set[int]], gap: range) -> None:
    pairs = pairs_of(normalize_gaps(a, b, align_blocks(a, b), breaks))
    assert rising(pairs)
    assert sorted(set(range(len(a))) - {i for i, _ in pairs}) == list(gap)


@given(FEW, FEW, st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40)))
def test_settling_changes_no_cost(a: str, b: str, first: set[int], second: set[int]) -> None:
    pairs = align(a, b)
    settled = pairs_of(normalize_gaps(a, b, align_blocks(a, b), (first, second)))
    assert rising(settled)
    assert cost(a, b, settled) == cost(a, b, pairs)


def test_moves() -> None:
    a = "小臣戒与者膳宰具官" + "燕朝服于寝其牲狗也" + "有内羞"
    b = "小臣戒与者" + "有内羞" + "燕朝服於寝其牲狗也" + "膳宰具官"
    pairs = drop_chance_pairs(a, b, align_blocks(a, b))
    breaks = ({0, 5, 9, 18, 21}, {0, 5, 8, 17, 21})
    passages = ["".join(b[j] for _, j in passage) for passage in moved_passages(a, b, pairs, breaks)]
    assert sorted(passages) == ["有内羞", "膳宰具官"]


AKIN = {("宾", "賔"), ("賔", "宾"), ("辩", "遍"), ("遍", "辩")}
NEAR = st.text(st.sampled_from("再拜宾賔辩遍公"), max_size=12)


@settings(deadline=None, max_examples=examples(400))
@given(NEAR, NEAR)
def test_cells_left_out_change_nothing(a: str, b: str) -> None:
    """The alignment of short texts is that of the whole table, as Gotoh fills it."""
    assert exact(a, b, lambda x, y: (x, y) in AKIN) == whole(a, b)


@settings(deadline=None, max_examples=examples(60))
@given(st.integers(0, 10**6), st.integers(0, 6))
def test_cells_left_out_of_like_texts(seed: int, changes: int) -> None:
    rng = random.Random(seed)
    a = "".join(rng.choice("再拜宾賔辩遍公酬爵觯") for _ in range(18))
    b = list(a)
    for _ in range(changes):
        at = rng.randrange(len(b))
        b[at : at + rng.randrange(3)] = rng.sample("再宾遍公升", rng.randrange(3))
    assert exact(a, "".join(b), lambda x, y: (x, y) in AKIN) == whole(a, "".join(b))


def whole(a: str, b: str) -> list[Pair]:
    """Align by the whole table."""
    far = 10**9
    pair, down = [[0] + [far] * len(b)], [[far] * (len(b) + 1)]
    over = [[far] + [OPEN + GAP * j for j in range(1, len(b) + 1)]]
    for i, x in enumerate(a):
        p, d, o = [far], [min(pair[i][0] + OPEN, over[i][0] + OPEN, down[i][0]) + GAP], [far]
        for j, y in enumerate(b, 1):
            step = 0 if x == y else RELATED if (x, y) in AKIN else UNRELATED
            p.append(min(pair[i][j - 1], down[i][j - 1], over[i][j - 1]) + step)
            d.append(min(pair[i][j] + OPEN, over[i][j] + OPEN, down[i][j]) + GAP)
            o.append(min(p[j - 1] + OPEN, d[j - 1] + OPEN, o[j - 1]) + GAP)
        pair, down, over = [*pair, p], [*down, d], [*over, o]
    i, j, tables = len(a), len(b), (pair, down, over)
    state, pairs = min(range(3), key=lambda s: tables[s][i][j]), list[Pair]()
    while i or j:
        i, j, own = i - (state < 2), j - (state != 1), state
        pairs += [(i, j)] if own == 0 else []
        state = min(range(3), key=lambda s: tables[s][i][j] + (OPEN if own and s != own else 0))
    return pairs[::-1]


UNITS = st.lists(st.text(st.sampled_from("再拜稽首公答宾升"), max_size=10), min_size=1, max_size=5)


@settings(deadline=None, max_examples=examples(100))
@given(st.lists(UNITS, min_size=2, max_size=4))
def test_each_token_is_in_one_column(texts: list[list[str]]) -> None:
    witnesses = [Tokens.of(units) for units in texts]
    table = align_witnesses(witnesses, kinship=Kinship(akin=lambda x, y: {x, y} == {"再", "升"}))
    columns = [column for unit in table.columns for column in unit]
    assert len(table.columns) == len(witnesses[0].texts)
    for number, witness in enumerate(witnesses):
        if witnesses[0].size:
            assert sorted(column[number] for column in columns if column[number] >= 0) == list(range(witness.size))
    base = [column[0] for column in columns if column[0] >= 0]
    assert base == list(range(witnesses[0].size))
    assert all(cell in (ABSENT, UNCOVERED) for column in columns for cell in column if cell < 0)


def test_what_a_fragment_lacks_is_uncovered() -> None:
    base = Tokens.of(["abcdefgh", "ijklmnop", "qrstuvwx"])
    begins_later = Tokens.of(["ijklmnop", "qrstuvwx"])
    whole = Tokens(begins_later.forms, begins_later.texts, edges=(False, False))
    assert {column[1] for column in align_witnesses([base, begins_later]).columns[0]} == {UNCOVERED}
    assert {column[1] for column in align_witnesses([base, whole]).columns[0]} == {ABSENT}


def test_kinship_decides_which_word_stands_beside_which() -> None:
    base, other = Tokens.of([["x", "colour", "off", "y"]]), Tokens.of([["x", "color", "y"]])

    def beside(kinship: Kinship) -> list[tuple[str, str]]:
        columns = align_witnesses([base, other], kinship=kinship).columns[0]
        return [(base.forms[i], other.forms[j]) for i, j in columns if i >= 0 <= j]

    assert ("colour", "color") in beside(Kinship(akin=lambda x, y: x[:3] == y[:3]))
    assert ("off", "color") in beside(Kinship(akin=lambda x, y: {x, y} == {"off", "color"}))


def test_a_moved_unit_is_in_the_columns_of_the_base() -> None:
    base = Tokens.of(["abcdefgh", "ijklmnop", "qrstuvwx"])
    other = Tokens.of(["ijklmnop", "abcdefgh", "qrstuvwx"])
    table = align_witnesses([base, other])
    assert all(column[1] >= 0 for unit in table.columns for column in unit)
    assert len({*table.moves[1]} - {0}) == 1


def test_no_witness_is_refused() -> None:
    with pytest.raises(CollationError):
        align_witnesses([])
    assert align_witnesses([Tokens.of(["ab"])]).columns == [[(0,), (1,)]]
    assert align_witnesses([Tokens.of([]), Tokens.of(["ab"])]).columns == []


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("texts", [
    ("the grey heron", "the old grey heron", "the heron stands in the pond"),
    ("門 白 犬", "門 小 白 犬", "門 犬 吠 而 走 入"),
    ("ad urbem magnam redit", "ad urbem pulchram magnam redit", "ad magnam et veterem domum patris"),
])
def test_a_word_that_all_have_is_in_one_column(texts: tuple[str, ...], order: tuple[int, ...]) -> None:
    witnesses = [Tokens.of([texts[n].split()]) for n in order]
    columns = align_witnesses(witnesses).columns[0]
    shared = {*texts[0].split()} & {*texts[1].split()} & {*texts[2].split()}
    for word in shared:
        rows = [{witness.forms[cell] if cell >= 0 else "" for witness, cell in zip(witnesses, column, strict=True)}
                for column in columns]
        assert rows.count({word}) == 1


def test_words_that_unlike_texts_share_by_chance_stay_apart() -> None:
    texts = ("a b c d et e f g h", "a b x d et e f g h", "q r s t u et v w y z")
    columns = align_witnesses([Tokens.of([text.split()]) for text in texts]).columns[0]
    assert not any(column[0] == 4 and column[2] == 5 for column in columns)  # et


def test_a_word_beside_two_phrases_of_unlike_text_may_be_chance() -> None:
    texts = ("谓也君但以大夫为宾者大夫卑虽尊之犹逺于君", "谓也卿尊矣复以为賔恐逼君故恒以大夫为之",
             "谓也君恒以大夫为宾者大夫卑虽尊之犹远于君")  # 君 for 卿 … 故
    columns = align_witnesses([Tokens.of([text]) for text in texts]).columns[0]
    assert (2, 11, 2) not in columns
