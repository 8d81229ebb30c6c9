"""How the tables relate two graphs. The order of precedence decides conflicts between tables:

1. our own lists, which were made for these texts, each row with its citation: ``list:taboo``, ``list:loan``,
   ``list:graphic``, ``list:corruption``, ``list:script``; then ``list:distinct``: different words, whatever others say;
2. exchange of script: Unihan names one graph as the simplified form of the other, or OpenCC converts each into the
   other and Unihan does not call them variants (``rule:opencc`` where it converts so, else
   ``unihan:kTraditionalVariant``), or both are simplified forms of one graph (钟 锺: 鍾);
3. variant graphs: ``rule:yitizi`` (nk2028's dictionary of variants), then Unihan's ``unihan:kSemanticVariant`` and
   ``unihan:kZVariant``, then OpenCC where it simplifies both alike, unless the simplified graph stands for two words
   (发: 發 and 髮).

OpenCC also simplifies variant graphs (賔 → 宾, 絶 → 绝, 敎 → 教). Such a pair is a matter of graph: the regular
traditional form is another (賓, 絕), which is why step 2 asks for the regular form of each. Nor do other forms of
two graphs decide where a list knows those by themselves: 余 and 予 are a loan, which says nothing of 餘 and 予.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, cast

from pipeline.characters import unihan
from pipeline.characters.scripts import is_common, variants
from pipeline.characters.tables import table
from pipeline.model import VariantClass
from pipeline.model.variants import TABLE
from pipeline.model.words import simplified, traditional

LISTS: tuple[VariantClass, ...] = tuple(
    cast(VariantClass, name)  # load() of variants.py holds the names of the table to this type
    for _, name in sorted((each.list.order, name) for name, each in TABLE.items() if each.list)
)
"""The classes that have a list of pairs, in the order of precedence."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a reading differs from another: the class (empty if it does not differ) and its source."""

    variant: VariantClass | Literal[""]
    source: str = ""


SUBSTANTIVE = Judgement("substantive")


def listed(left: str, right: str) -> Judgement | None:
    """Return the judgement of our own lists on two graphs or words; None if no list has them."""
    for name in LISTS:
        if (left, right) in table(name):
            return Judgement(name, f"list:{name}")
    return None


def related(left: str, right: str) -> Judgement:
    """Judge two different graphs by the first table that has them; SUBSTANTIVE if none has."""
    return SUBSTANTIVE if near(left).isdisjoint(near(right)) else _first(left, right)


def related_in_traditional(left: str, right: str) -> Judgement:
    """Judge two different graphs of texts in traditional script, as `known` with `one_script`."""
    return SUBSTANTIVE if near(left).isdisjoint(near(right)) else _first(left, right, one_script=True)


@lru_cache(maxsize=65536)
def _first(left: str, right: str, one_script: bool = False) -> Judgement:
    return next(known(left, right, one_script=one_script), SUBSTANTIVE)


@lru_cache(maxsize=65536)
def near(graph: str) -> frozenset[str]:
    """Return a graph and what any table links to it: two graphs that have none of these in common are unrelated."""
    forms = {graph, simplified(graph), traditional(graph)}
    tied = (variants(form) for form in forms if len(form) == 1)
    return frozenset(forms.union(*tied, unihan.neighbours(graph), _partners().get(graph, ())))


@cache
def _partners() -> Mapping[str, frozenset[str]]:
    """Return, for each graph or word of our lists, those that it is listed with."""
    found: dict[str, set[str]] = {}
    for name in (*LISTS, "distinct"):
        for left, right in table(name):
            found.setdefault(left, set()).add(right)
    return {word: frozenset(others) for word, others in found.items()}


def known(left: str, right: str, *, one_script: bool = False) -> Iterator[Judgement]:
    """Yield the judgement of each table on two different graphs, in the order of precedence.

    With `one_script` both texts are in traditional script. There a common graph (后 云 余 谷 朴) is not the simplified
    form of another (後 雲 餘 穀 樸): the texts read different words, or one borrows the graph. Dictionaries of variants
    are not used then, since they link the two by modern practice. Any other simplified form (礼 无) is what manuscripts
    and prints have always written beside the full one (禮 無): a variant graph, 俗字.
    """
    for name in LISTS:
        if (left, right) in table(name):
            yield Judgement(name, f"list:{name}")
    if len(left) != 1 or len(right) != 1:
        return
    if (left, right) in table("distinct"):
        yield Judgement("substantive", "list:distinct")
    script = list(_script(left, right))
    if one_script and script:
        short = unihan.field("kSimplifiedVariant")
        alone = any(is_common(simple) and (simple in short.get(full, "") or simplified(full) == simple)
                    for simple, full in ((left, right), (right, left)))
        yield Judgement("substantive", "rule:one-script") if alone else Judgement("graphic", script[0].source)
        return
    yield from script
    yield from _variants(left, right)


def _script(left: str, right: str) -> Iterator[Judgement]:
    both = any(simplified(x) == y and traditional(y) == x for x, y in ((left, right), (right, left)))
    if unihan.simplification(left, right) or (both and not unihan.semantic(left, right)):
        converted = simplified(left) == right or simplified(right) == left
        yield Judgement("script", "rule:opencc" if converted else "unihan:kTraditionalVariant")
    elif unihan.shared_traditional(left, right):
        same = traditional(left) == traditional(right)
        yield Judgement("script", "rule:opencc" if same else "unihan:kTraditionalVariant")


def _variants(left: str, right: str) -> Iterator[Judgement]:
    pairs = [(form(left), form(right)) for form in (str, simplified, traditional)]
    pairs = [pair for pair in pairs if pair == (left, right) or not (pair in table("distinct") or listed(*pair))]
    if (left, right) in table("distinct"):
        return
    if any(y in variants(x) or x in variants(y) for x, y in pairs):
        yield Judgement("graphic", "rule:yitizi")
    if name := unihan.semantic(left, right):
        yield Judgement("graphic", f"unihan:{name}")
    simple = simplified(left)
    if simple == simplified(right) and not unihan.merged(simple, left, right):
        yield Judgement("graphic", "rule:opencc")
