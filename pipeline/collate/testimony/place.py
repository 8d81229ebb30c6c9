"""Finds the words that a note is about in the texts of a chapter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from pipeline.characters.equality import norm
from pipeline.collate.testimony.claims import Claim
from pipeline.model.pointers import Range

_LEAST, _PART = 2, 5
"""A quotation of at least two graphs is searched whole, then with ever fewer graphs around the words in question, down
to five in all, or to three (`_IN_LAYER`) if the note says whether it quotes text or commentary: of fewer, most occur in
a chapter by chance (docs/measured.md)."""
_IN_LAYER = 3
_MOST = 12
"""Graphs on each side with which the search begins; scholars quote a sentence, of which a commentator's text may divide
or lack the far end."""


class GraphRun:
    """Texts as one run of graphs in their normal forms, without punctuation."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self.texts = list(texts)
        run = [(n, at, norm(char)) for n, (_, text) in enumerate(self.texts)
               for at, char in enumerate(text) if char.isalnum() or ord(char) > 0xFFFF]
        self.places = [(n, at) for n, at, _ in run]
        self.graphs = "".join(form[:1] for *_, form in run)

    def starts(self, graphs: str) -> list[int]:
        """Return all positions of some graphs in normal form, at most two."""
        first = self.graphs.find(graphs)
        second = self.graphs.find(graphs, first + 1) if first >= 0 else -1
        return [each for each in (first, second) if each >= 0]

    def range(self, start: int, size: int) -> tuple[Range, str] | None:
        """Return the place of some graphs and their words; None if they are in two texts. No graphs: the place after
        the graph before them."""
        if not size:
            if not start:
                return None
            n, at = self.places[start - 1]
            return Range(self.texts[n][0], at + 1, 0), ""
        (n, at), (last, end) = self.places[start], self.places[start + size - 1]
        identifier, text = self.texts[n]
        return (Range(identifier, at, end + 1 - at), text[at : end + 1]) if n == last else None


def find(claim: Claim, texts: Sequence[GraphRun]) -> list[tuple[Range, str]]:
    """Return the places of the words in question, and what the texts have there: the words that the note quotes, or one
    of the readings that it reports. None if nothing has them; several if the quotation is not clear."""
    if claim.at < 0 or not claim.quote:
        return []
    before = norm(claim.quote[: claim.at])[-_MOST:]
    after = norm(claim.quote[claim.at + len(claim.on) :])[:_MOST]
    forms = dict.fromkeys(norm(each) for each in (claim.on, *(words for _, words in claim.readings)))
    whole, least = len(before) + len(after), _IN_LAYER if claim.layer else _PART
    for width in range(whole, 0, -1):
        sides = [(before[len(before) - left :], after[: width - left])
                 for left in range(max(0, width - len(after)), min(width, len(before)) + 1)]
        for some in (filter(None, forms), [""] if "" in forms else []):  # words that stand there are not lacking
            found: dict[tuple[Range, str], None] = {}
            for form, (left, right) in product(some, sides):
                if len(left + form + right) >= (_LEAST if width == whole else least):
                    starts = ((each, at) for each in texts for at in each.starts(left + form + right))
                    found |= dict.fromkeys(filter(None, (each.range(at + len(left), len(form)) for each, at in starts)))
            if found:
                return list(found)
    return []
