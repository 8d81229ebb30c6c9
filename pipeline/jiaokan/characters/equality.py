"""Graded equality of characters and words: how two readings differ, and by which source; normal forms for alignment.

Single graphs are judged by the tables, in the order of precedence in `relations`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache, partial
from typing import cast, get_args

from rapidfuzz.distance import Indel

from jiaokan.characters.letters import spelling_rule
from jiaokan.characters.relations import LISTS, SUBSTANTIVE, Judgement, judge_by_lists, judge_graphs, near, rows
from jiaokan.characters.scripts import variants
from jiaokan.characters.shapes import look_alike
from jiaokan.decisions.characters import Choices
from jiaokan.model import Certainty, VariantClass
from jiaokan.model.encoding import one_code
from jiaokan.model.variants import TABLE
from jiaokan.model.words import alphabetic, fold_case, simplified, traditional

WEIGHT = {name: number for number, name in enumerate(TABLE)}
"""The rank of each class by weight: of several differences the heaviest counts."""
SAME = Judgement("")
ENCODED = Judgement("encoding", "rule:encoding")
"""Two words that are one but for how their files encode them."""
_SPELLING: Mapping[str, Judgement] = {
    rule: Judgement("case" if rule == "case" else "spelling", f"rule:{rule}")
    for rule in ("case", "accents", "letters", "elision")}
ALIKE = 0.5
"""Words with at least this share of letters in common are a near match. CollateX takes whatever is nearest; below a
half, words of four letters share two by chance, and ties between places would be decided by that."""
Relate = Callable[[str, str], Judgement]  # judges two different graphs
_SPELLINGS = dict(spelling.split(":") for spelling in [
    "ηι:η", "ωι:ω", "ει:ι", "οι:ι", "υι:ι", "η:ι", "ου:U", "υ:ι", "αι:ε", "ω:ο",
    "ae:e", "oe:e", "æ:e", "œ:e", "j:i", "y:i", "v:u", "ph:f", "h:", "k:c"])
"""Spellings of one sound in copies, replaced in this order: Greek itacism (F. T. Gignac, A Grammar of the Greek Papyri
I, 1976), Latin (P. Stotz, Handbuch zur lateinischen Sprache des Mittelalters III, 1996). Double letters are one."""
_PARTICLES = "也矣焉哉乎歟邪耶兮耳爾夫之者其所於于以而則即乃且故蓋亦又猶尚既皆咸俱惟唯維諸粵"
"""Function words, which copyists omit and add while they keep content words. 顏之推 says it of 也 (《顏氏家訓·書證》:
河北經傳悉略此字). The graphs are from 王引之《經傳釋詞》 and 楊樹達《詞詮》: particles, prepositions, conjunctions,
pronouns, adverbs of extent; without negations and without those that are as often content words (為, 與, 是)."""


def judge(lemma: str, reading: str, relate: Relate = judge_graphs) -> Judgement:
    """Judge how two readings differ; `relate` judges two graphs. Words of the same length are compared graph by graph
    and the heaviest difference counts, unless a list has the whole words; otherwise the difference is substantive, an
    omission or an addition. Words of an alphabet are compared as wholes: any difference except one of spelling
    (`spelling_rule`) is substantive. How a file encodes a word (`one_code`) is no difference. Different words whose
    graphs look alike are a class of their own."""
    lemma, reading = one_code(lemma) or lemma, one_code(reading) or reading
    if lemma == reading:
        return SAME
    if not reading:
        return Judgement("omission")
    if not lemma:
        return Judgement("addition")
    if alphabetic(lemma) or alphabetic(reading):
        return _SPELLING.get(spelling_rule(lemma, reading), SUBSTANTIVE)
    if len(lemma) == len(reading) == 1:
        return by_form(lemma, reading, relate(lemma, reading))
    whole = judge_by_lists(lemma, reading)
    if whole is not None:
        return whole
    if len(lemma) != len(reading):
        return SUBSTANTIVE
    return heaviest(
        SAME if x == y else by_form(x, y, relate(x, y)) for x, y in zip(lemma, reading, strict=True))


def by_form(left: str, right: str, judged: Judgement) -> Judgement:
    """Return the judgement of two graphs, or that they look alike if no table relates them."""
    if judged.variant != "substantive" or judged.source not in ("", "rule:confusable"):
        return judged
    cert = look_alike(left, right)
    return Judgement("lookalike", judged.source or "rule:form", cert) if cert else judged


def heaviest(judgements: Iterable[Judgement]) -> Judgement:
    """Return the heaviest class of several judgements, with all sources for that class."""
    differences = [judgement for judgement in judgements if judgement.variant]
    if not differences:
        return SAME
    top = max((judgement.variant for judgement in differences), key=lambda name: WEIGHT[name])
    heavy = (judgement for judgement in differences if judgement.variant == top)
    sources = dict.fromkeys(judgement.source for judgement in heavy if judgement.source)
    certs = [judgement.cert for judgement in differences if judgement.variant == top and judgement.cert]
    return Judgement(top, " ".join(sources), max(certs, key=get_args(Certainty).index, default=""))


_related_in_traditional = partial(judge_graphs, one_script=True)
_judge_by_tables = lru_cache(maxsize=16384)(judge)
"""Cached because the same pairs are judged for every column and again for their entry."""


def judge_between(
    choices: Choices, lemma: str, reading: str, here: Collection[str], there: Collection[str]
) -> Judgement:
    """Judge how two readings differ, where witnesses `here` have the lemma and witnesses `there` the reading (ids). The
    editor's pairs precede the folder's list, and that all tables. Script is a difference unless all of these witnesses
    are in traditional script: a transcription in simplified graphs is no evidence for the forms of its print."""
    everyone = (*here, *there)
    both = choices.traditional and here and choices.traditional.issuperset(everyone)
    by_tables = _related_in_traditional if both else judge_graphs
    if not (choices.pairs or choices.listed):
        return _judge_by_tables(lemma, reading, by_tables)

    def relate(left: str, right: str) -> Judgement:
        return _by_editor(choices, left, right, everyone) or by_tables(left, right)

    return _by_editor(choices, lemma, reading, everyone) or judge(lemma, reading, relate)


def _by_editor(choices: Choices, left: str, right: str, witnesses: Collection[str]) -> Judgement | None:
    if pair := choices.pair(left, right, witnesses):
        return Judgement(pair.variant, "decision:pair")
    name = choices.listed.get(frozenset((left, right)))
    return Judgement(cast(VariantClass, name), "rule:variants-list") if name else None  # `lists` checks the class


@lru_cache(maxsize=65536)
def norm(graph: str) -> str:
    """Return the form under which a graph is aligned: one for all graphs that OpenCC or yitizi links to it. It only
    serves to find places; it is never printed and never decides a class. Longer words are normalised graph by graph;
    words of an alphabet lose their capitals."""
    graph = one_code(graph) or graph
    if alphabetic(graph):
        return fold_case(graph)
    return _norms[graph] if len(graph) == 1 else "".join(norms(graph))


def norms(graphs: Iterable[str]) -> Iterator[str]:
    """Return the forms (`norm`) of single graphs that are not letters."""
    return map(_norms.__getitem__, graphs)


class _Norms(dict[str, str]):
    """Normal forms of graphs, each computed once: a dict lookup takes a third of the time of a bounded cache."""

    def __missing__(self, graph: str) -> str:
        form = self[graph] = min(_linked_graphs(graph, lambda other: (*variants(other), simplified(other))))
        return form


_norms = _Norms()


def _linked_graphs(graph: str, links: Callable[[str], Iterable[str]]) -> set[str]:
    seen, todo = {graph}, [graph]
    while todo:
        news = set(links(todo.pop())) - seen
        seen |= news
        todo += news
    return seen


def families(graphs: Iterable[str]) -> tuple[str, ...]:
    """Return the families of more than one graph to which `graphs` belong, in code point order inside and outside. Two
    graphs are of one family if yitizi or OpenCC links them, over any number of steps: 后 and 後, 云 and 雲. Like
    `norm`, this only serves to find places: a search for one graph finds the others."""
    known: set[str] = set()
    groups = []
    for graph in sorted(set(graphs)):
        if graph not in known:
            family = _linked_graphs(graph, lambda member: (*variants(member), simplified(member), traditional(member)))
            known |= family
            if len(family) > 1:
                groups.append("".join(sorted(family)))
    return tuple(sorted(groups))


@lru_cache(maxsize=65536)
def is_particle(graph: str) -> bool:
    """Whether a graph, or the normal form of one, is mostly a function word."""
    return norm(graph) in norms(_PARTICLES)


def akin(left: str, right: str) -> bool:
    """Whether two words may be aligned: graphs or normal forms that any table relates, or words of an alphabet that
    are spelled nearly alike."""
    if alphabetic(left):
        return alphabetic(right) and Indel.normalized_similarity(left, right) >= ALIKE
    if _links(left).isdisjoint(_links(right)):
        return False
    if left == right or judge_graphs(left, right).variant != "substantive":
        return True
    return norm(right) in _listed_norms().get(norm(left), ())


def spelled_alike(left: str, right: str) -> float:
    """Return the share of letters that two words have in common, from 0 to 1, without accents and capitals."""
    return float(Indel.normalized_similarity(_letters(left), _letters(right)))


def _letters(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(sign))


@lru_cache(maxsize=65536)
def form(word: str) -> str:
    """Return the form under which a token is aligned: of a Greek or Latin word its sound, else as `norm`."""
    letters = _letters(word) if alphabetic(word) else ""
    if not letters or not ("a" <= letters[0] <= "z" or "α" <= letters[0] <= "ω" or letters[0] in "æœ"):
        return norm(word)
    for spelled, sound in _SPELLINGS.items():
        letters = letters.replace(spelled, sound)
    return re.sub(r"(.)\1", r"\1", letters) or norm(word)


@lru_cache(maxsize=65536)
def _links(graph: str) -> frozenset[str]:
    form = norm(graph)
    return near(graph) | {form} | _listed_norms().get(form, frozenset())


@cache
def _listed_norms() -> Mapping[str, frozenset[str]]:
    partners: dict[str, set[str]] = {}
    for row in (row for name in LISTS for row in rows(name)):
        left, right = norm(row.left), norm(row.right)
        partners.setdefault(left, set()).add(right)
        partners.setdefault(right, set()).add(left)
    return {form: frozenset(others) for form, others in partners.items()}
