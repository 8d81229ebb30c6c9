"""Graded sameness of characters and words: how two readings differ, and what says so.

Single graphs are judged by the tables, in the order of precedence that ``relations.py`` states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache

from rapidfuzz.distance import Indel

from pipeline.characters.conversion import simplified, variants
from pipeline.characters.relations import LISTS, SUBSTANTIVE, Judgement, listed, near, related
from pipeline.characters.tables import rows
from pipeline.model.variants import TABLE
from pipeline.model.words import alphabetic, folded

WEIGHT = {name: number for number, name in enumerate(TABLE)}
"""The place of each class in the order of weight: of several differences the heaviest counts."""
SAME = Judgement("")
CASE = Judgement("graphic", "rule:case")
"""Two words that differ in capitals only, or in how Unicode composes their letters."""
ALIKE = 0.5
"""From so much of their letters in common two words are a near match. CollateX takes whatever is nearest; below a half,
words of four letters share two by chance, and ties between places would be decided by that."""
Relate = Callable[[str, str], Judgement]
"""Judges two different graphs."""


def judge(lemma: str, reading: str, relate: Relate = related) -> Judgement:
    """Judge how two readings differ; `relate` judges two graphs (`usage.between` for two witnesses).

    Words of one length are compared graph by graph and the heaviest difference counts, unless a list knows
    the whole words; otherwise the difference is substantive, an omission or an addition. Words of an alphabet are
    compared as wholes: but for capitals, any difference is substantive.
    """
    if lemma == reading:
        return SAME
    if not reading:
        return Judgement("omission")
    if not lemma:
        return Judgement("addition")
    if alphabetic(lemma) or alphabetic(reading):
        return CASE if folded(lemma) == folded(reading) else SUBSTANTIVE
    if len(lemma) == len(reading) == 1:
        return relate(lemma, reading)
    whole = listed(lemma, reading)
    if whole is not None:
        return whole
    if len(lemma) != len(reading):
        return SUBSTANTIVE
    return heaviest(SAME if x == y else relate(x, y) for x, y in zip(lemma, reading, strict=True))


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

    For finding places only; it is never printed and never decides a class. Longer words: each graph; words of an
    alphabet: without capitals.
    """
    if alphabetic(graph):
        return folded(graph)
    return _forms[graph] if len(graph) == 1 else "".join(norms(graph))


def norms(graphs: Iterable[str]) -> Iterator[str]:
    """Give the forms (`norm`) of single graphs that are no letters."""
    return map(_forms.__getitem__, graphs)


class _Forms(dict[str, str]):
    """The forms of graphs, each found once: a plain table is asked in a third of the time of a cache with a limit."""

    def __missing__(self, graph: str) -> str:
        form = self[graph] = _form(graph)
        return form


_forms = _Forms()


def _form(graph: str) -> str:
    """Give the first, by code point, of all graphs that are tied to one."""
    seen = {graph}
    todo = [graph]
    while todo:
        each = todo.pop()
        for other in (*variants(each), simplified(each)):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return min(seen)


def akin(left: str, right: str) -> bool:
    """Tell whether two graphs (or normal forms) are related by any table, so that they may stand side by side; two
    words of an alphabet, whether they are spelled nearly alike."""
    if alphabetic(left):
        return alphabetic(right) and Indel.normalized_similarity(left, right) >= ALIKE
    if _kin(left).isdisjoint(_kin(right)):
        return False
    if left == right or related(left, right).variant != "substantive":
        return True
    return norm(right) in _listed_forms().get(norm(left), ())


@lru_cache(maxsize=65536)
def _kin(graph: str) -> frozenset[str]:
    """Give what ties a graph to those akin to it: two that have none of these in common are not."""
    form = norm(graph)
    return near(graph) | {form} | _listed_forms().get(form, frozenset())


@cache
def _listed_forms() -> Mapping[str, frozenset[str]]:
    """Give the pairs of our lists by their normal forms, both ways round."""
    found: dict[str, set[str]] = {}
    for row in (row for name in LISTS for row in rows(name)):
        left, right = norm(row.left), norm(row.right)
        found.setdefault(left, set()).add(right)
        found.setdefault(right, set()).add(left)
    return {form: frozenset(others) for form, others in found.items()}
