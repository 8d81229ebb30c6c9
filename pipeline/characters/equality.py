"""Graded sameness of characters and words: how two readings differ, and which table says so.

Order of judgement, the first that knows the pair: our own lists (``list:taboo``, ``list:loan``,
``list:graphic``, ``list:corruption``), the pairs of OpenCC that only exchange script, the variant graphs of
yitizi (dictionary of variants, nk2028). `distinct.tsv` names pairs that yitizi joins and that are two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Literal

import opencc
import yitizi

from pipeline.characters.tables import table
from pipeline.model import VariantClass
from pipeline.names import VARIANT_CLASSES

LISTS: tuple[Literal["taboo", "loan", "graphic", "corruption"], ...] = ("taboo", "loan", "graphic", "corruption")
WEIGHT = {name: number for number, name in enumerate(VARIANT_CLASSES)}
"""Classes from lightest to heaviest."""


_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a reading differs from another: the class (empty: not at all) and what says so."""

    variant: VariantClass | Literal[""]
    source: str = ""


SAME = Judgement("")
SUBSTANTIVE = Judgement("substantive")


def judge(lemma: str, reading: str) -> Judgement:
    """Judge how two readings differ.

    Words of one length are compared graph by graph and the heaviest difference counts, unless a list knows
    the whole words; otherwise the difference is substantive, an omission or an addition.
    """
    if lemma == reading:
        return SAME
    if not reading:
        return Judgement("omission")
    if not lemma:
        return Judgement("addition")
    if len(lemma) == len(reading) == 1:
        return _judge_graphs(lemma, reading)
    whole = _listed(lemma, reading)
    if whole is not None:
        return whole
    if len(lemma) != len(reading):
        return SUBSTANTIVE
    return heaviest(_judge_graphs(x, y) for x, y in zip(lemma, reading, strict=True))


def heaviest(judgements: Iterable[Judgement]) -> Judgement:
    """Give the heaviest class of several, with all sources of that class."""
    found = [each for each in judgements if each.variant]
    if not found:
        return SAME
    top = max((each.variant for each in found), key=lambda name: WEIGHT[name])
    sources = dict.fromkeys(each.source for each in found if each.variant == top and each.source)
    return Judgement(top, " ".join(sources))


@lru_cache(maxsize=65536)
def norm(graph: str) -> str:
    """Give the form under which a graph is aligned: one for all graphs that OpenCC or yitizi ties to it.

    For finding places only; it is never printed and never decides a class. Longer words: each graph.
    """
    if len(graph) != 1:
        return "".join(norm(each) for each in graph)
    seen = {graph}
    todo = [graph]
    while todo:
        each = todo.pop()
        for other in (*yitizi.get(each), simplified(each)):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return min(seen)


def akin(left: str, right: str) -> bool:
    """Tell whether two graphs (or normal forms) are related by any table."""
    return _judge_graphs(left, right) is not SUBSTANTIVE


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Give the simplified form of a graph by OpenCC."""
    return _converted("t2s", graph)


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Give the first traditional form of a graph by OpenCC."""
    return _converted("s2t", graph)


@lru_cache(maxsize=65536)
def _ties(graph: str) -> frozenset[str]:
    """Give what ties a graph to others: by one step of OpenCC or yitizi, or as rows of our own lists.

    Two that share nothing are judged so without another look.
    """
    forms = {graph, simplified(graph), traditional(graph)} if len(graph) == 1 else set()
    rows = _rows().get(graph, ()), _rows().get(simplified(graph), ())
    named = (f"{sign} {row}" for sign, found in zip("=~", rows, strict=True) for row in found)
    return frozenset(forms.union(named, *map(yitizi.get, forms)))


@cache
def _rows() -> dict[str, list[str]]:
    """Give the rows of our own lists by each of their two words."""
    found: dict[str, list[str]] = {}
    for left, right in chain.from_iterable(map(table, LISTS)):
        found.setdefault(left, []).append("/".join(sorted((left, right))))
    return found


def _converted(name: str, graph: str) -> str:
    """Convert by OpenCC; half a surrogate pair, which is no character, stays."""
    if _SURROGATE.search(graph):
        return graph
    return str(_converter(name).convert(graph))


@cache
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)


def _listed(left: str, right: str) -> Judgement | None:
    """Look a pair up in our own lists."""
    for name in LISTS:
        if (left, right) in table(name):
            return Judgement(name, f"list:{name}")
    return None


@lru_cache(maxsize=65536)
def _judge_graphs(left: str, right: str) -> Judgement:
    """Judge two single graphs."""
    if left == right:
        return SAME
    if _ties(left).isdisjoint(_ties(right)):
        return SUBSTANTIVE
    listed = _listed(left, right) or _listed(simplified(left), simplified(right))
    if listed is not None:
        return listed
    if len(left) != 1 or len(right) != 1:
        return SUBSTANTIVE
    if _script_pair(left, right):
        return Judgement("script", "opencc")
    if _variant_graphs(left, right):
        return Judgement("graphic", "yitizi")
    if simplified(left) == simplified(right):
        return Judgement("graphic", "opencc")
    return SUBSTANTIVE


def _script_pair(left: str, right: str) -> bool:
    """Tell whether two graphs are the traditional and the simplified writing of one.

    OpenCC also simplifies variant graphs (賔 → 宾): such a pair is a matter of graph, known by the fact
    that the simplified form has another traditional one, to which the variant is a variant (賓).
    """
    for old, new in ((left, right), (right, left)):
        if simplified(old) == new != old:
            regular = traditional(new)
            return regular in (old, new) or regular not in yitizi.get(old)
    return traditional(left) == traditional(right) and simplified(left) == left and simplified(right) == right


def _variant_graphs(left: str, right: str) -> bool:
    """Tell whether yitizi holds the two for one graph, directly or in their simplified or traditional forms."""
    for form in (str, simplified, traditional):
        x, y = form(left), form(right)
        if (x, y) in table("distinct"):
            return False
        if y in yitizi.get(x) or x in yitizi.get(y):
            return True
    return False
