"""Proposals for characters that a transcription could not print, from the parallel passages of other texts.

Candidates are: private-use characters and □ without a decision; characters that no Chinese text has (kana, Greek, box
drawing); characters that the editor's corrections show to stand for others (防 for all of Extension A); and characters
that a text lacks throughout though its parallels have them: lost without trace. The last needs strong evidence
(several places or texts, or long agreement), because a text without a word usually has another reading.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from jiaokan.characters.equality import judge, norm
from jiaokan.characters.parallels import GRAM, Graph, Parallel, Parallels, SearchText
from jiaokan.decisions.characters import Decisions
from jiaokan.model import Certainty
from jiaokan.model.pointers import reference_of
from jiaokan.model.variants import ORTHOGRAPHIC
from jiaokan.model.words import LACUNAE, description_of

Kind = Literal["private", "blank", "damaged", "substitute", "lost"]
CLOSE = 12
"""Characters of context before and after that make one parallel sure: two phrases of four graphs and half of another
agree by descent, not by chance. Less proposes more; the editor judges each proposal."""
FIRM = 20
"""Characters of context by which a single parallel proves a loss. In 老子 (four witnesses) a shorter one, 13
for 坐進此道, is a variant of the tradition; a higher number misses losses near the ends of short notes."""
SEVERAL = 3
"""A graph corrected to this many others is a substitute for whatever the font lacked; no correction shows what it means
elsewhere. With 2, graphs with two real confusions would count as substitutes."""
_OWN = ("CJK", "IDEOGRAPHIC", "FULLWIDTH", "HEXAGRAM", "TRIGRAM", "DIGRAM", "TETRAGRAM", "MONOGRAM")
"""How the names in Unicode of characters of Chinese texts begin, with the signs of 易 (䷀, ☰) and 太玄 (𝌆)."""
FAR = 40  # longest context that a decision names, on each side; a bound of the search: longer formulae hardly repeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A place of a text, and the words of its parallels."""

    kind: Kind
    witness: str
    owner: str  # id of the unit or note
    leaf: int  # offset in the plain strings; for a lost character, of the one after it
    character: str  # the character there; empty where one was lost
    parallels: tuple[Parallel, ...]  # those with the proposed words, the closest first
    proposed: str = ""
    against: tuple[Parallel, ...] = ()  # those with other words

    @property
    def cert(self) -> Certainty:
        """Certainty: high for several witnesses and a long agreement, low for counter-evidence or none."""
        others = {parallel.witness for parallel in self.parallels} - {self.witness}
        close = any(parallel.before + parallel.after >= CLOSE for parallel in self.parallels)
        if self.against or not self.parallels:
            return "low"
        return "high" if close and others else "medium"


def proposals(texts: Parallels, name: str, substitutes: str = "") -> tuple[Proposal, ...]:
    """Return the proposals for one of the texts in its order; `substitutes` are characters that stand for others."""
    text = texts.witnesses[name]
    marked = (
        _proposal(kind, text.id, graph, texts.of(stream, at, at + 1))
        for stream in text.streams for at, graph in enumerate(stream) if (kind := _kind(graph.char, substitutes)))
    every = (*marked, *_lost_characters(texts, text))
    return tuple(sorted(every, key=lambda proposal: (proposal.leaf, proposal.character)))


def _kind(char: str, substitutes: str) -> Kind | None:
    if len(char) > 1:
        return None if description_of(char) else "private"
    if "\ue000" <= char <= "\uf8ff" or char >= "\U000f0000":
        return "private"
    if char in LACUNAE:
        return "blank"
    if char in substitutes:
        return "substitute"
    if char.isascii() or char == "○" or unicodedata.name(char, "CJK").startswith(_OWN):
        return None
    return "damaged"


def _proposal(kind: Kind, witness: str, graph: Graph, parallels: Iterable[Parallel]) -> Proposal:
    """Weigh the parallels of a place: the words of most texts are proposed, the others are counter-evidence."""
    mine = norm(graph.char) if len(graph.char) == 1 else ""
    unknown = f"{LACUNAE}&"
    readable = (p for p in parallels if not any("\ue000" <= char <= "\uf8ff" or char in unknown for char in p.words))
    useful = [parallel for parallel in readable if parallel.words]
    votes: defaultdict[str, set[str]] = defaultdict(set)
    for parallel in useful:
        votes[norm(parallel.words)].add(parallel.witness)
    times = Counter(norm(parallel.words) for parallel in useful)
    best = max(votes, key=lambda words: (len(votes[words]), times[words], words), default="")
    agreeing = sorted(
        (parallel for parallel in useful if norm(parallel.words) == best),
        key=lambda parallel: (-parallel.before - parallel.after, parallel.witness, parallel.owner))
    genuine = kind == "substitute" and best == mine
    return Proposal(
        kind=kind, witness=witness, owner=graph.owner, leaf=graph.leaf, character=graph.char,
        proposed="" if genuine or not agreeing else Counter(e.words for e in agreeing).most_common(1)[0][0],
        parallels=tuple(agreeing), against=tuple(e for e in useful if norm(e.words) != best))


def _lost_characters(texts: Parallels, text: SearchText) -> Iterator[Proposal]:
    """Yield the places where parallels have one more character, if the text lacks it more often than it has it."""
    places: defaultdict[str, list[tuple[Graph, list[Parallel]]]] = defaultdict(list)
    for stream in text.streams:
        for at in range(GRAM, len(stream) - GRAM + 1):
            more: defaultdict[str, list[Parallel]] = defaultdict(list)
            for parallel in texts.of(stream, at, at, 1):
                if parallel.witness != text.id:
                    more[norm(parallel.words)].append(parallel)
            for key, parallels in more.items():
                if key and "" not in more:
                    places[key].append((stream[at], parallels))
    counts = Counter(graph.char for stream in text.streams for graph in stream if graph.leaf >= 0)
    folded = Counter(graph.key for stream in text.streams for graph in stream if graph.leaf >= 0)
    for key in sorted(places):
        if folded[key] >= len(places[key]):
            continue
        present = sum(n for char, n in counts.items() if norm(char) == key or judge(key, char).variant in ORTHOGRAPHIC)
        first = places[key][0][1]
        strong = len(places[key]) > 1 or len({parallel.witness for parallel in first}) > 1 or any(
            parallel.before + parallel.after >= FIRM and min(parallel.before, parallel.after) >= GRAM
            for parallel in first)
        if present < len(places[key]) and strong:
            for after, parallels in places[key]:
                if after.leaf >= 0:
                    yield _proposal("lost", text.id, Graph("", "", after.leaf, after.owner), parallels)


def substitutes(decisions: Decisions, witness: str) -> str:
    """Return the characters that the editor corrected to several others: they stand for what a font lacked (防)."""
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for decision in (filed.decision for filed in decisions.corrections):
        if decision.source == witness and len(decision.sic) == 1:
            meant[decision.sic].add(decision.corr)
    return "".join(sorted(sic for sic, corr in meant.items() if len(corr) >= SEVERAL))


def decision_row(proposal: Proposal, text: SearchText, resp: str) -> str:
    """Return a proposal as a table of ``tei/decisions/*.toml``."""
    before, after = contexts(text.text, proposal.leaf, len(proposal.character))
    where = "、".join(reference_of(parallel.owner) for parallel in proposal.parallels[:4])
    evidence = f"{where} 同句作{proposal.proposed}"
    match proposal.kind:
        case "private":
            kind, rows = "glyph", {"code": code_of(proposal.character), "standard": proposal.proposed}
        case "lost":
            rows = {"source": text.id, "before": before, "text": proposal.proposed, "after": after}
            kind = "supplied"
        case _:
            context = before + proposal.character + after
            rows = {"source": text.id, "context": context, "sic": proposal.character, "corr": proposal.proposed}
            kind = "correction"
    rows |= {"resp": resp, "why": evidence if kind == "glyph" else "据平行之文", "cert": proposal.cert}
    rows |= {} if kind == "glyph" else {"evidence": evidence}
    escapes = str.maketrans({"\\": r"\\", '"': r"\"", "\t": r"\t"})
    return f"[[{kind}]]\n" + "".join(f'{key} = "{value.translate(escapes)}"\n' for key, value in rows.items())


def code_of(char: str) -> str:
    """Return the code of a character as decisions name it: U+EB8E, or what the source writes."""
    return f"U+{ord(char):04X}" if len(char) == 1 else char


def contexts(text: str, leaf: int, length: int) -> tuple[str, str]:
    """Return words before and after a place of a text that together occur in it once."""
    for reach in range(3, FAR):
        before, after = text[max(0, leaf - reach) : leaf], text[leaf + length : leaf + length + reach]
        words = before + text[leaf : leaf + length] + after
        if text.count(words) == 1 and words.count(text[leaf : leaf + length] or words) == 1:
            return before, after
    return text[max(0, leaf - FAR) : leaf], text[leaf + length : leaf + length + FAR]
