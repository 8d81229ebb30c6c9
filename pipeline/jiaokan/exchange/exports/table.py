"""Form ``table``: the apparatus as lines for a terminal: reference, words before, ``lemma ] readings``, class."""

from __future__ import annotations

import unicodedata
from collections import Counter

from jiaokan.entries import carriers, count_classes, entries, heaviest, moves
from jiaokan.entries.sentences import move_formula
from jiaokan.exchange.exports import ExportSettings, left_out_by
from jiaokan.exchange.exports.apparatus import words_of
from jiaokan.model import Document
from jiaokan.model.references import References
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.words import last_words

_CONTEXT = 6


def write(document: Document, settings: ExportSettings) -> str:
    """Return a line for each entry and each moved passage, and at the end the number of each class; then what is left
    out: its number by class, and the references of each class."""
    listed = entries(document, without=settings.without, part=settings.part)
    elsewhere = moves(document, without=settings.without, part=settings.part)
    where, collated = References(document), frozenset(carriers(document))
    classes = [heaviest(entry) for entry in listed]
    rows = [
        (where.of(entry.unit), last_words(entry.before, _CONTEXT),
         f"{words_of(entry, settings, collated)}  ({VARIANT_CLASSES.get(name, '')})")
        for entry, name in zip(listed, classes, strict=True)
    ]
    kind = VARIANT_CLASSES["transposition"]
    rows += [(where.of(move.unit), "", f"{move_formula(move, settings.sigla)}  ({kind})") for move in elsewhere]
    widths = [max((width(row[n]) for row in rows), default=0) for n in range(2)]
    lines = [f"{pad(a, widths[0])}  {pad(b, widths[1], right=True)}  {c}" for a, b, c in rows]
    counts = count_classes(Counter(classes))
    summary = [f"{len(listed)} entries{': ' if counts else ''}{counts}"]
    summary[0] += f"; {len(elsewhere)} passages elsewhere" if elsewhere else ""
    left = left_out_by(document, settings)
    summary += [*left.messages(), *left.places(where.of)]
    return "\n".join([*lines, *([""] if lines else []), *summary]) + "\n"


def width(text: str) -> int:
    """Return the columns of a text on a terminal: two for each wide character."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Fill a text with blanks to a number of columns."""
    blank = " " * max(0, columns - width(text))
    return blank + text if right else text + blank
