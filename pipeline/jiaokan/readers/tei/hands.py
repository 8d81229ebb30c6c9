"""A reading that a hand corrected, as two: before and after the correction (TEI Guidelines, 11.3.1 and 12.1.3)."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree

from jiaokan.model.vocabulary import AFTER
from jiaokan.tei.tree import Element, alone, cut

_ADDED, _DELETED = "{*}add", "{*}del"


class Corrected(NamedTuple):
    """A reading before and after its correction, the hand if the file names it, words added and deleted again."""

    before: Element
    after: Element
    hand: str
    between: tuple[str, ...]


def split_correction(reading: Element) -> Corrected | None:
    """Return a reading before and after its correction; None if nothing in it is added or deleted, if it holds entries,
    or if both have the same words (an addition that was deleted again)."""
    if next(reading.iter(_ADDED, _DELETED), None) is None or next(reading.iter("{*}app"), None) is not None:
        return None
    before, after = _without(reading, _ADDED), _without(reading, _DELETED)
    if words_of(before) == words_of(after):
        return None
    hands = (mark.get("hand", "").rpartition("#")[2] for mark in reading.iter(_ADDED, _DELETED, "{*}subst"))
    between = tuple("".join(map(str, deletion.itertext())) for deletion in reading.iter(_DELETED)
                    if next(deletion.iterancestors(_ADDED), None) is not None)
    return Corrected(before, after, next(filter(None, hands), ""), between)


def _without(reading: Element, name: str) -> Element:
    copy = alone(reading)
    for mark in list(copy.iter(name)):
        cut(mark)
    etree.strip_tags(copy, _ADDED, _DELETED, "{*}subst")
    return copy


def words_of(reading: Element) -> str:
    """Return the characters of a reading without notes and white space."""
    copy = alone(reading)
    for note in list(copy.iter("{*}note")):
        cut(note)
    return "".join("".join(map(str, copy.itertext())).split())


def final(witness: str) -> str:
    """Return the id of a witness after its correction."""
    return f"{witness}-{AFTER}"
