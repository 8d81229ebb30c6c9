"""Graded sameness of characters and words: how two readings differ, and what says so.

Single graphs are judged by the tables, in the order of precedence that ``relations.py`` states.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache

from rapidfuzz.distance import Indel

from pipeline.characters.relations import LISTS, SUBSTANTIVE, Judgement, listed, near, related, related_in_traditional
from pipeline.characters.scripts import simplified, traditional, variants
from pipeline.characters.tables import rows
from pipeline.decisions.throughout import Choices
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
    return _norms[graph] if len(graph) == 1 else "".join(norms(graph))


def norms(graphs: Iterable[str]) -> Iterator[str]:
    """Give the forms (`norm`) of single graphs that are no letters."""
    return map(_norms.__getitem__, graphs)


class _Forms(dict[str, str]):
    """The forms of graphs, each found once: a plain table is asked in a third of the time of a cache with a limit."""

    def __missing__(self, graph: str) -> str:
        form = self[graph] = _form(graph)
        return form


_norms = _Forms()


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


def judge_between(
    choices: Choices, lemma: str, reading: str, here: Collection[str], there: Collection[str]
) -> Judgement:
    """Judge how two readings differ (as `equality.judge`), the lemma that of the witnesses `here`, the reading that of
    those `there` (ids).

    Pairs of the editor stand above all tables. Script is a difference unless all of these witnesses are in
    traditional script: a transcription in simplified graphs does not attest which of them its print has.
    """
    if choices.pairs and (own := choices.pair(lemma, reading, (*here, *there))):
        return Judgement(own.variant, "decision:pair")
    relate = _relate(choices, here, there)
    return judge(lemma, reading, relate) if choices.pairs else _judged(lemma, reading, relate)


_judged = lru_cache(maxsize=16384)(judge)
"""What the tables alone say of two words; the same pairs are asked for at every column and again for their entry."""


def _relate(choices: Choices, here: Collection[str], there: Collection[str]) -> Relate:
    both = choices.traditional and here and choices.traditional.issuperset((*here, *there))
    plain = related_in_traditional if both else related
    if not choices.pairs:
        return plain

    def relate(left: str, right: str) -> Judgement:
        own = choices.pair(left, right, (*here, *there))
        return Judgement(own.variant, "decision:pair") if own else plain(left, right)

    return relate


_GRAPHS = "也矣焉哉乎歟邪耶兮耳爾夫之者其所於于以而則即乃且故蓋亦又猶尚既皆咸俱惟唯維諸粵"


@lru_cache(maxsize=65536)
def is_particle(graph: str) -> bool:
    """Tell whether a graph (or the normal form of one) is mostly a word of grammar."""
    return norm(graph) in _particle_forms()


@lru_cache(maxsize=1)
def _particle_forms() -> frozenset[str]:
    return frozenset(map(norm, _GRAPHS))


def families(graphs: Iterable[str]) -> tuple[str, ...]:
    """Give the families of more than one graph to which `graphs` belong, each and all in code point order.

    Two graphs are of one family if yitizi or OpenCC ties them, over any number of steps. It is for finding
    places, as `equality.norm`, and decides no class: 后 and 後, 云 and 雲 are one family.
    """
    known: set[str] = set()
    found = []
    for graph in sorted(set(graphs)):
        if graph not in known:
            family = _related_graphs(graph)
            known |= family
            if len(family) > 1:
                found.append("".join(sorted(family)))
    return tuple(sorted(found))


def _related_graphs(graph: str) -> set[str]:
    """All graphs that can be reached from one."""
    seen, todo = {graph}, [graph]
    while todo:
        each = todo.pop()
        near = {*variants(each), simplified(each), traditional(each)}
        todo += sorted(near - seen)
        seen |= near
    return seen
