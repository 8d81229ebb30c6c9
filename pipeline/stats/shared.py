"""How many characters two witnesses have in common, in all the words that both are evidence for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from pipeline.entries.extract import said
from pipeline.model import App, Content, Document, Gap, Line, Note, Paragraph, Span, Supplied, Unit
from pipeline.model.text import shown
from pipeline.model.walk import walk

Pair = tuple[str, str]


def shared(
    document: Document, names: Sequence[str], *, without: Iterable[str] = (), part: str = "text"
) -> dict[Pair, tuple[int, int]]:
    """Give for each two witnesses the characters in which they agree, and those of the texts that both have.

    A difference counts as many characters as its longer reading; one of a class in `without` is agreement. What a
    witness has lost, what lies outside it, punctuation and the words that introduce a note are not compared.
    """
    count = _Agreement(names, frozenset(without))
    for item in walk(document):
        if isinstance(item, (Unit, Note)) and part in ("all", "notes" if isinstance(item, Note) else "text"):
            count.content(item.content, item.sources)
    return {pair: (count.agree[pair], count.both[pair]) for pair in combinations(names, 2)}


class _Agreement:
    """Characters by pairs of witnesses."""

    def __init__(self, names: Sequence[str], light: frozenset[str]) -> None:
        self.rank = {name: n for n, name in enumerate(names)}
        self.light = light
        self.agree: Counter[Pair] = Counter()
        self.both: Counter[Pair] = Counter()

    def content(self, content: Content, members: Iterable[str]) -> None:
        """Count words that all members share, and the entries among them."""
        own = sorted((name for name in members if name in self.rank), key=self.rank.__getitem__)
        alike = 0
        for item in content:
            if isinstance(item, App):
                self.entry(item)
            elif isinstance(item, (Span, Line, Paragraph)):
                if not (isinstance(item, Span) and item.rend):
                    self.content(item.content, own)
            elif not isinstance(item, (Gap, Supplied)):
                alike += len(shown(item))
        for pair in combinations(own, 2):
            self.agree[pair] += alike
            self.both[pair] += alike

    def entry(self, app: App) -> None:
        """Count an entry: inside each reading, and between two."""
        readings = [(each, said(each)) for each in (app.lemma, *app.readings)]
        for each, _ in readings:
            self.content(each.content, each.witnesses)
        for (one, first), (other, second) in combinations(readings, 2):
            if app.kind != "variant" or first.lost or second.lost:
                continue
            size = max(len(first.words), len(second.words))
            light = all(each is app.lemma or each.variant in self.light for each in (one, other))
            for pair in self._pairs(one.witnesses, other.witnesses):
                self.both[pair] += size
                self.agree[pair] += size * light

    def _pairs(self, one: Iterable[str], other: Iterable[str]) -> Iterable[Pair]:
        for a in one:
            for b in other:
                if a in self.rank and b in self.rank:
                    yield (a, b) if self.rank[a] < self.rank[b] else (b, a)
