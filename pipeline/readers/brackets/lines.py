"""The lines of a source before they are read: those of one note joined, base text parted at white space and calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pipeline.model import Span
from pipeline.model.words import beside_letters
from pipeline.readers.brackets.calls import call
from pipeline.readers.common.balance import unpaired

BLANK = " \t　"
_MOST_LINES = 40
"""A note of more lines than this is none: its bracket has lost its partner. Prefaces in notes have a dozen."""


def joined(lines: Iterable[tuple[int, str]], pair: str) -> Iterator[tuple[int, str]]:
    """Give lines, each with its number; one in which a note is left open, with those up to where it closes.

    A bracket that opens where one is open already shows that the first has lost its partner: its line stays alone.
    """
    waiting: list[tuple[int, str]] = []
    for number, line in lines:
        opens = len(unpaired(line, pair)) == 1 and line[unpaired(line, pair)[0]] == pair[0]
        closes = len(unpaired(line, pair)) == 1 and not opens
        if waiting and closes:
            first, *more = [*waiting, (number, line)]
            yield first[0], first[1].rstrip(BLANK) + "".join(each.strip(BLANK) for _, each in more)
            waiting = []
        elif waiting and (pair[0] in line or len(waiting) > _MOST_LINES):
            yield from waiting
            waiting = [(number, line)] if opens else []
            yield from [] if opens else [(number, line)]
        elif waiting or opens:
            waiting.append((number, line))
        else:
            yield number, line
    yield from waiting


def parted(text: str) -> Iterator[str]:
    """Give base text and the white space that parts its units; a blank that parts words of an alphabet is text."""
    done = 0
    for blank in re.finditer(f"[{BLANK}]+", text):
        before, after = text[: blank.start()][-1:], text[blank.end() :][:1]
        if blank[0] == " " and before and after and beside_letters(before, after):
            continue
        yield from filter(None, (text[done : blank.start()], blank[0]))
        done = blank.end()
    if done < len(text):
        yield text[done:]


def calling(text: str, pattern: str) -> Iterator[str | Span]:
    """Cut base text at the numbers that call notes, where a pattern says what these are, and at white space."""
    done = 0
    for match in re.finditer(pattern, text) if pattern else ():
        yield from parted(text[done : match.start()])
        yield call(match[0])
        done = match.end()
    yield from parted(text[done:])
