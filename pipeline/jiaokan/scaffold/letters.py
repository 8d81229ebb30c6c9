"""Count the letters that come in and go out of a conversion: what is left out is listed, and nothing is lost silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from jiaokan.errors import Message, Place, SourceError

LOST = Message("part-lost-parser")
_GROWTH, _FREE = 4, 100_000
"""Most letters that a conversion makes of each letter, beyond so many free ones: notes are repeated where an archive or
a page names one many times."""


class LeftOut(NamedTuple):
    """Words of a file that are not in its text."""

    part: str
    """Name of the part or rule."""
    words: str
    is_text: bool = True
    """Whether they may be text; markup and navigation are none."""


@dataclass(frozen=True, slots=True)
class Received:
    """The text of a file, with what of the file is not in it."""

    text: str
    encoding: str = ""
    left_out: tuple[LeftOut, ...] = ()
    doubts: tuple[str, ...] = ()
    """What was decided without being sure."""
    brackets: str = ""
    """The brackets in which the conversion put what the markup says is a note; empty if there is none."""
    source: bytes = b""
    """The file to keep, if a reader takes its markup instead of the text."""


def letters(text: str) -> Counter[str]:
    """Return the letters and digits of a text, with their numbers."""
    return Counter({char: count for char, count in Counter(text).items() if char.isalnum()})


def amount(words: Iterable[str]) -> int:
    """Return how many letters and digits some words have."""
    return sum(letters(part).total() for part in words)


def account(source: Counter[str], received: Received, name: str) -> Received:
    """Return a conversion with the letters of its source that it neither has nor lists, as lost. Raises SourceError if
    it is much longer than its source."""
    output = letters(received.text)
    if output.total() > _GROWTH * source.total() + _FREE:
        raise SourceError(
            Message("text-times-long-file", total=output.total() // max(1, source.total())),
            place=Place(name), mend=Message("part-repeated-again-again-check"))
    listed = sum((letters(part.words) for part in received.left_out), Counter[str]())
    lost = source - output - listed
    if not lost:
        return received
    return replace(received, left_out=(*received.left_out, LeftOut(LOST, "".join(lost.elements()))))
