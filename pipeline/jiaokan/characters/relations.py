"""How the tables relate two graphs. The order of precedence decides conflicts between tables:

1. our own lists (TSV files beside this module), which were made for these texts, each row with its citation:
   ``list:taboo``, ``list:loan``, ``list:graphic``, ``list:corruption``, ``list:script``; then ``list:distinct`` and
   ``rule:confusable`` (`dictionaries`): different words, whatever others say;
2. exchange of script: Unihan names one graph as the simplified form of the other, or OpenCC converts each into the
   other and Unihan does not call them variants (``rule:opencc`` where it converts so, else
   ``unihan:kTraditionalVariant``), or both are simplified forms of one graph (钟 锺: 鍾);
3. variant graphs: ``rule:yitizi`` (nk2028's dictionary of variants), then Unihan's ``unihan:kSemanticVariant`` and
   ``unihan:kZVariant``, then OpenCC where it simplifies both alike, unless the simplified graph stands for two words
   (发: 發 and 髮), then ``rule:irg`` and ``rule:koseki`` (`dictionaries`), then those that the Guangyun calls one
   (``rule:guangyun-form``);
4. loans: homophones by the Guangyun, of one initial, rhyme and tone in some reading (``rule:guangyun-sound``;
   docs/development/measured.md says how many are loans).

OpenCC also simplifies variant graphs (賔 → 宾, 絶 → 绝, 敎 → 教). Such a pair is a matter of graph: the regular
traditional form is another (賓, 絕), which is why step 2 asks for the regular form of each. Nor do other forms of
two graphs decide where a list knows those by themselves: 余 and 予 are a loan, which says nothing of 餘 and 予.

The Unihan database is UAX #38; ``python -m tests.unihan`` writes our two files from those of the database, and
``python -m tests.guangyun`` that of the Guangyun.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, cast, get_args

from jiaokan.characters.dictionaries import (
    GUANGYUN,
    MEANINGS,
    dictionaries_of,
    field,
    is_confusable,
    linked_by_dictionaries,
    sections,
    sounds,
)
from jiaokan.characters.scripts import is_common, variants
from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.model import Certainty, VariantClass
from jiaokan.model.variants import TABLE
from jiaokan.model.vocabulary import table_rows
from jiaokan.model.words import simplified, traditional

_HERE = Path(__file__).parent
_TO_FULL, _TO_SHORT = "kTraditionalVariant", "kSimplifiedVariant"
VARIANT_FIELDS = (_TO_FULL, _TO_SHORT, "kSemanticVariant", "kSpecializedSemanticVariant", "kZVariant")
MEANING_FIELDS = ("kMandarin", "kDefinition")
LISTS: tuple[VariantClass, ...] = tuple(
    cast(VariantClass, name)  # load() of variants.py holds the names of the table to this type
    for _, name in sorted((kind.list, name) for name, kind in TABLE.items() if kind.list)
)
"""The classes that have a list of pairs, in the order of precedence."""


@dataclass(frozen=True, slots=True)
class GraphPair:
    """One row of a list: two related graphs or words, the certainty, and the source."""

    left: str  # in a list of loans the borrowed graph; in lists of taboos and slips the right one
    right: str
    cert: Certainty
    citation: str


@cache
def rows(name: str) -> tuple[GraphPair, ...]:
    """Return the rows of a list: ``loan``, ``graphic``, ``taboo``, ``corruption``, ``script`` or ``distinct``. Raises
    JiaokanError with the line of a duplicate row, or of one without four cells and a known certainty."""
    path = _HERE / f"{name}.tsv"
    pairs: dict[tuple[str, str], GraphPair] = {}
    for number, cells in table_rows(path.read_text(encoding="utf-8")):
        place = Place(path.name, number)
        if len(cells) != 4 or not all(cells) or cells[0] == cells[1] or cells[2] not in get_args(Certainty):
            raise JiaokanError(Message("row-needs-two-different-words"), place=place)
        left, right, cert, citation = cells
        if (left, right) in pairs or (right, left) in pairs:
            raise JiaokanError(Message("pair-duplicate", left=left, right=right), place=place)
        pairs[left, right] = GraphPair(left, right, cert, citation)  # type: ignore[arg-type]  # checked above
    return tuple(pairs.values())


@cache
def table(name: str) -> Mapping[tuple[str, str], GraphPair]:
    """Return the rows of a list by pair of graphs, in both directions. Rows are written in traditional graphs and also
    cover their simplified and variant forms. Raises as `rows`."""
    pairs: dict[tuple[str, str], GraphPair] = {}
    for row in rows(name):
        for left in _forms(row.left):
            for right in _forms(row.right):
                if left != right and simplified(left) != right and simplified(right) != left:  # 复 is 復 and 複
                    pairs.setdefault((left, right), row)
                    pairs.setdefault((right, left), row)
    for row in rows(name):
        pairs[row.left, row.right] = pairs[row.right, row.left] = row
    return pairs


def _forms(word: str) -> tuple[str, ...]:
    """Return a word of a row, its simplified form, and the variants with the same simplified form. A graph that is its
    own simplified form has no others: 餘 becomes 余, but a row on 余 says nothing about it."""
    simple = simplified(word)
    if len(word) != 1 or simple == word:
        return (word,)
    return tuple(dict.fromkeys((word, simple, *(form for form in variants(word) if simplified(form) == simple))))


def homophones(graph: str) -> tuple[str, ...]:
    """Return the graphs of each sound that the Guangyun gives a graph, or the traditional forms of it."""
    written = dict.fromkeys((graph, *field("kTraditionalVariant").get(graph, "")))
    numbers = dict.fromkeys(number for form in written for number in sounds().get(form, ()))
    return tuple(sections(GUANGYUN)["sounds"][number] for number in numbers)


def _has(name: str, left: str, right: str) -> bool:
    table = field(name)
    return right in table.get(left, "") or left in table.get(right, "")


def _semantic(left: str, right: str) -> str:
    return next((name for name in ("kSemanticVariant", "kZVariant") if _has(name, left, right)), "")


@cache
def _meanings() -> Mapping[str, tuple[str, str]]:
    rows = table_rows(MEANINGS.read_text(encoding="utf-8"))
    return {graph: (reading, definition) for _, (graph, reading, definition) in rows}


def meaning(graph: str) -> tuple[str, str]:
    """Return a graph's usual reading in pinyin with tones and its English meaning; empty if unknown."""
    return _meanings().get(graph, ("", ""))


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a reading differs from another: the class (empty if it does not differ) and its source."""

    variant: VariantClass | Literal[""]
    source: str = ""
    cert: Certainty | Literal[""] = ""


SUBSTANTIVE = Judgement("substantive")
BY_SOUND = "rule:guangyun-sound"


def judge_by_lists(left: str, right: str) -> Judgement | None:
    """Return the judgement of our own lists on two graphs or words; None if no list has them."""
    return next(_by_lists(left, right), None)


def _by_lists(left: str, right: str) -> Iterator[Judgement]:
    return (Judgement(name, f"list:{name}") for name in LISTS if (left, right) in table(name))


def judge_graphs(left: str, right: str, *, one_script: bool = False) -> Judgement:
    """Judge two different graphs by the first table that has them; SUBSTANTIVE if none has; `one_script` as `known`."""
    return _first(left, right, one_script)


@lru_cache(maxsize=65536)
def _first(left: str, right: str, one_script: bool) -> Judgement:
    if near(left).isdisjoint(near(right)):
        return next(_in_guangyun(left, right), SUBSTANTIVE)
    return next(known(left, right, one_script=one_script), SUBSTANTIVE)


@lru_cache(maxsize=65536)
def near(graph: str) -> frozenset[str]:
    """Return a graph and what any table links to it: two graphs that have none of these in common are unrelated."""
    forms = {graph, simplified(graph), traditional(graph)}
    tied = (variants(form) for form in forms if len(form) == 1)
    listed = map(linked_by_dictionaries, forms)
    return frozenset(forms.union(*tied, *listed, _partners().get(graph, ())))


@cache
def _partners() -> Mapping[str, frozenset[str]]:
    """Return, for each graph or word, those with which our lists or Unihan link it, in either direction."""
    partners: defaultdict[str, set[str]] = defaultdict(set)
    pairs: Iterable[tuple[str, str]] = (pair for name in (*LISTS, "distinct") for pair in table(name))
    for left, right in pairs:
        partners[left].add(right)
    for name in (_TO_FULL, _TO_SHORT, "kSemanticVariant", "kZVariant"):
        for graph, others in field(name).items():
            partners[graph].update(others)
            for other in others:
                partners[other].add(graph)
    return {word: frozenset(others) for word, others in partners.items()}


def known(left: str, right: str, *, one_script: bool = False) -> Iterator[Judgement]:
    """Yield the judgement of each table on two different graphs, in the order of precedence. With `one_script` both
    texts are in traditional script. There a common graph (后 云 余 谷 朴) is not the simplified form of another (後 雲
    餘 穀 樸): the texts read different words, or one borrows the graph. Dictionaries of variants are not used then,
    since they link the two by modern practice. Any other simplified form (礼 无) is what manuscripts and prints have
    always written beside the full one (禮 無): a variant graph, 俗字."""
    yield from _by_lists(left, right)
    if len(left) != 1 or len(right) != 1:
        return
    apart = (left, right) in table("distinct")
    if apart or is_confusable(left, right):
        yield Judgement("substantive", "list:distinct" if apart else "rule:confusable")
    script = _script(left, right)
    if one_script and script:
        short = field(_TO_SHORT)
        alone = any(is_common(simple) and (simple in short.get(full, "") or simplified(full) == simple)
                    for simple, full in ((left, right), (right, left)))
        yield Judgement("substantive", "rule:one-script") if alone else Judgement("graphic", script)
        return
    if script:
        yield Judgement("script", script)
    if not (apart or is_confusable(left, right)):
        yield from _variants(left, right)
        yield from _in_guangyun(left, right)


def _script(left: str, right: str) -> str:
    """Return the source by which two graphs are forms of one in two scripts; empty if they are not."""
    full = field(_TO_FULL)
    both = any(simplified(x) == y and traditional(y) == x for x, y in ((left, right), (right, left)))
    if _has(_TO_FULL, left, right) or _has(_TO_SHORT, left, right) or (both and not _semantic(left, right)):
        converted = simplified(left) == right or simplified(right) == left
    elif not set(full.get(left, "")).isdisjoint(full.get(right, "")):  # 钟 and 锺 have 鍾
        converted = traditional(left) == traditional(right)
    else:
        return ""
    return "rule:opencc" if converted else "unihan:kTraditionalVariant"


def _variants(left: str, right: str) -> Iterator[Judgement]:
    pairs = [(form(left), form(right)) for form in (str, simplified, traditional)]
    pairs = [pair for pair in pairs
             if pair == (left, right) or not (
                 pair in table("distinct") or is_confusable(*pair) or judge_by_lists(*pair))]
    if any(y in variants(x) or x in variants(y) for x, y in pairs):
        yield Judgement("graphic", "rule:yitizi")
    if name := _semantic(left, right):
        yield Judgement("graphic", f"unihan:{name}")
    simple = simplified(left)
    merged = field(_TO_FULL).get(simple, "")  # one simplified graph for two traditional ones that are different words
    if simple == simplified(right) and not (left in merged and right in merged):
        yield Judgement("graphic", "rule:opencc")
    for source in dict.fromkeys(source for pair in dict.fromkeys(pairs) for source in dictionaries_of(*pair)):
        yield Judgement("graphic", source)


def _in_guangyun(left: str, right: str) -> Iterator[Judgement]:
    if len(left) != 1 or len(right) != 1:
        return
    here, there = {left, traditional(left)}, {right, traditional(right)}
    forms, numbers = field("forms", GUANGYUN), sounds()
    if any(y in forms.get(x, "") or x in forms.get(y, "") for x in here for y in there):
        yield Judgement("graphic", "rule:guangyun-form")
    if not {n for x in here for n in numbers.get(x, ())}.isdisjoint(n for y in there for n in numbers.get(y, ())):
        yield Judgement("loan", BY_SOUND)
