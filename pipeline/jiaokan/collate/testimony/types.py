"""What collation notes report of a text: the values that all modules of this room pass on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from jiaokan.characters.equality import judge, norm


class Report(NamedTuple):
    """What one authority has or proposes."""

    who: str  # id of a reported witness or a person; empty: only the note says it
    words: str
    person: bool = False
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """What a note says of one place of a text."""

    note: str  # id of the unit of the book that has the note
    text: str  # its words; empty if it states nothing and only marks a place
    layer: str  # ``text`` (經曰), ``note`` (注), ``shu`` (疏), or empty: not said
    quote: str = ""  # the text as it quotes it; empty if its form is unknown
    at: int = -1  # where the words in question begin in that; below zero: unknown
    on: str = ""  # these words; empty where another text has more
    readings: tuple[Report, ...] = ()
    begin: int = 0  # where in the quotation the words of the layer begin
    end: int = -1  # where they end, if words of another layer follow; below zero: nowhere before its end
    said: bool = False  # whether the note says 經曰 or 注曰 before the quotation
    short: bool = False  # whether it quotes single words in the order of the text (經典釋文)

    def readings_on(self, words: str) -> Iterator[Report]:
        """Yield the readings, with the edition's own `words` for the same in another script, and for those quoted."""
        for report in self.readings:
            if report.words == self.on:
                same = norm(report.words) == norm(words)
            elif words == self.on:
                same = False  # the note tells 于 from 於, and so does the edition
            else:
                same = judge(words, report.words).variant in ("", "script")
            yield report._replace(words=words) if same else report


def forms(text: str) -> str:
    """Return each character of a text in its normal form."""
    return "".join(norm(char)[:1] for char in text)


def count_shared(first: str, second: str) -> int:
    """Return how many graphs two words of one length share; 0 for words of unlike lengths."""
    return sum(norm(x) == norm(y) for x, y in zip(first, second, strict=False)) if len(first) == len(second) else 0


def last_start(text: str, words: str) -> int:
    """Return where words are last in a text; below zero if nowhere."""
    return norm(text).rfind(norm(words))
