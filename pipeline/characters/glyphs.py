"""Proposals for characters that a transcription could not print: from the parallel passages of the other texts.

What is sought: private-use characters and □ that nobody decided, signs that stand for characters in no Chinese text
(kana, Greek, box drawing), characters that a convention declares to stand for others (防 for all of Extension A),
and characters that a text never has though its parallels have them in places that it shares: lost without trace. That
is proposed only on strong evidence (`_strong`): most often a text that has a word less has another reading.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline.characters.equality import judge, norm
from pipeline.characters.parallels import GRAM, Graph, Parallel, Parallels, SearchText
from pipeline.decisions.characters import Decisions
from pipeline.model import Certainty
from pipeline.model.pointers import reference_of
from pipeline.model.variants import ORTHOGRAPHIC
from pipeline.model.words import LACUNAE

Kind = Literal["private", "blank", "damaged", "substitute", "lost"]
CLOSE = 12
"""Characters of context before and after that together make one parallel sure: two phrases of four graphs and half
of another agree by descent, not by chance. Less proposes more; each proposal is judged by the editor."""
FIRM = 20
"""Characters of context that prove a loss by a single parallel. In 老子 (four witnesses) a shorter one, 13
for 坐進此道, is a variant of the tradition; a higher number misses losses near the ends of short notes."""
SEVERAL = 3
"""A graph that was corrected to so many others stands for whatever was lacking: a sign of the transcription, of
which no one correction says what it means elsewhere. With 2 graphs with two real confusions would be taken for such
signs."""
FAR = 40
"""The longest context that a decision names, on each side; a bound of the search, as formulae longer than a line
hardly repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A place of a text, and what its parallels have there."""

    kind: Kind
    witness: str
    owner: str
    """Id of the unit or note."""
    leaf: int
    """Offset in the text of the plain strings; for a lost character, of the one after it."""
    found: str
    """What stands there; empty where a character was lost."""
    parallels: tuple[Parallel, ...]
    """Those that have the proposed words, the closest first; empty if there is none."""
    proposed: str = ""
    against: tuple[Parallel, ...] = ()
    """Those that have something else."""

    @property
    def cert(self) -> Certainty:
        """How sure: several witnesses, or one that agrees far on both sides, and nothing against it."""
        others = {each.witness for each in self.parallels} - {self.witness}
        close = any(each.before + each.after >= CLOSE for each in self.parallels)
        if self.against or not self.parallels:
            return "low"
        return "high" if close and others else "medium"


def proposals(texts: Parallels, name: str, substitutes: str = "") -> tuple[Proposal, ...]:
    """Give what is open in one of the texts, in its order; `substitutes` are characters that stand for lost ones."""
    text = texts.witnesses[name]
    found = [*_marked(texts, text, substitutes), *_lost(texts, text)]
    return tuple(sorted(found, key=lambda each: (each.leaf, each.found)))


def _marked(texts: Parallels, text: SearchText, substitutes: str) -> Iterator[Proposal]:
    """Give the places where a sign stands for a character."""
    for stream in text.streams:
        for at, graph in enumerate(stream):
            if kind := _kind(graph, substitutes):
                yield _proposal(kind, text.id, graph, texts.of(stream, at, at + 1))


def _kind(graph: Graph, substitutes: str) -> Kind | None:
    """Tell for what kind of loss a character stands, if it does."""
    char = graph.char
    if "\ue000" <= char <= "\uf8ff" or char >= "\U000f0000":
        return "private"
    if char in LACUNAE:
        return "blank"
    if char in substitutes:
        return "substitute"
    if char.isascii() or char == "○" or unicodedata.name(char, "CJK").startswith(("CJK", "IDEOGRAPHIC", "FULLWIDTH")):
        return None
    return "damaged"


def _proposal(kind: Kind, witness: str, graph: Graph, parallels: Iterable[Parallel]) -> Proposal:
    """Weigh the parallels of a place: what most texts have is proposed, the rest is against it."""
    mine = norm(graph.char)
    useful = [each for each in parallels if not _unreadable(each.words) and each.words]
    votes: defaultdict[str, set[str]] = defaultdict(set)
    for each in useful:
        votes[norm(each.words)].add(each.witness)
    times = Counter(norm(each.words) for each in useful)
    best = max(votes, key=lambda words: (len(votes[words]), times[words], words), default="")
    agreeing = sorted(
        (each for each in useful if norm(each.words) == best),
        key=lambda each: (-each.before - each.after, each.witness, each.owner),
    )
    genuine = kind == "substitute" and best == mine
    return Proposal(
        kind=kind, witness=witness, owner=graph.owner, leaf=graph.leaf, found=graph.char,
        proposed="" if genuine or not agreeing else Counter(e.words for e in agreeing).most_common(1)[0][0],
        parallels=tuple(agreeing), against=tuple(e for e in useful if norm(e.words) != best),
    )


def _unreadable(words: str) -> bool:
    return any("\ue000" <= char <= "\uf8ff" or char in LACUNAE for char in words)


def _lost(texts: Parallels, text: SearchText) -> Iterator[Proposal]:
    """Give the places where parallels have one character more, one that the text has less often than it lacks it."""
    places: defaultdict[str, list[tuple[Graph, list[Parallel]]]] = defaultdict(list)
    for stream in text.streams:
        for at in range(GRAM, len(stream) - GRAM + 1):
            more: defaultdict[str, list[Parallel]] = defaultdict(list)
            others = [each for each in texts.of(stream, at, at, 1) if each.witness != text.id]
            for parallel in others:
                more[norm(parallel.words)].append(parallel)
            for key, parallels in more.items():
                if key and "" not in more:
                    places[key].append((stream[at], parallels))
    own = Counter(graph.char for stream in text.streams for graph in stream if graph.leaf >= 0)
    folded = Counter(graph.key for stream in text.streams for graph in stream if graph.leaf >= 0)
    for key in sorted(places):
        rare = folded[key] < len(places[key]) and _times(own, key) < len(places[key])
        if rare and _strong([parallels for _, parallels in places[key]]):
            for after, parallels in places[key]:
                graph = Graph("", "", after.leaf, after.owner)
                if after.leaf >= 0:
                    yield _proposal("lost", text.id, graph, parallels)


def _strong(places: list[list[Parallel]]) -> bool:
    """Tell whether a graph that a text lacks is lost in it, not a word that its tradition has not.

    So at several places, or at one where several texts have it, or one agrees far on both sides. A place where another
    text has nothing either is no evidence at all (and is not given).
    """
    return (
        len(places) > 1 or len({each.witness for each in places[0]}) > 1
        or any(each.before + each.after >= FIRM and min(each.before, each.after) >= GRAM for each in places[0])
    )


def _times(own: Counter[str], word: str) -> int:
    """Count how often a text has a character, in whatever form."""
    return sum(n for char, n in own.items() if norm(char) == word or judge(word, char).variant in ORTHOGRAPHIC)


def substitutes(decisions: Decisions, witness: str) -> str:
    """Give the characters that the editor corrected to several others: they stand for what a font lacked (防)."""
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for _, decision in decisions.corrections:
        if decision.source == witness and len(decision.sic) == 1:
            meant[decision.sic].add(decision.corr)
    return "".join(sorted(sic for sic, corr in meant.items() if len(corr) >= SEVERAL))


def row(proposal: Proposal, text: SearchText, resp: str) -> str:
    """Give a proposal as a table of ``tei/decisions/*.toml``, ready for the editor's yes."""
    before, after = contexts(text.text, proposal.leaf, len(proposal.found))
    where = "、".join(reference_of(each.owner) for each in proposal.parallels[:4])
    told = f"{where} 同句作{proposal.proposed}"
    match proposal.kind:
        case "private":
            kind, rows = "glyph", {"code": f"U+{ord(proposal.found):04X}", "standard": proposal.proposed}
        case "lost":
            rows = {"source": text.id, "before": before, "text": proposal.proposed, "after": after}
            kind = "supplied"
        case _:
            context = before + proposal.found + after
            rows = {"source": text.id, "context": context, "sic": proposal.found, "corr": proposal.proposed}
            kind = "correction"
    rows |= {"resp": resp, "why": told if kind == "glyph" else "据平行之文", "cert": proposal.cert}
    rows |= {} if kind == "glyph" else {"evidence": told}
    return f"[[{kind}]]\n" + "".join(f"{key} = {_quoted(value)}\n" for key, value in rows.items())


def _quoted(text: str) -> str:
    """Write a TOML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return f'"{escaped}"'


def contexts(text: str, leaf: int, length: int) -> tuple[str, str]:
    """Give words before and after a place of a text that together stand in it once."""
    for reach in range(3, FAR):
        before, after = text[max(0, leaf - reach) : leaf], text[leaf + length : leaf + length + reach]
        words = before + text[leaf : leaf + length] + after
        if text.count(words) == 1 and words.count(text[leaf : leaf + length] or words) == 1:
            return before, after
    return text[max(0, leaf - FAR) : leaf], text[leaf + length : leaf + length + FAR]


