"""A reading that hands corrected, as its states: before the corrections, and what each hand left (TEI Guidelines,
11.3.1 and 12.1.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from jiaokan.model.vocabulary import AFTER
from jiaokan.tei.tree import Element, after, alone, bare, cut

_ADDED, _DELETED, _SUBSTITUTED = "{*}add", "{*}del", "{*}subst"


class Corrected(NamedTuple):
    """A reading before its corrections, and after those of each hand with its name; words that no state shows. The
    name is empty if the file names no hand, `AFTER` for corrections without a hand beside those of several."""

    before: Element
    after: tuple[tuple[str, Element], ...]
    between: tuple[str, ...]


def split_correction(reading: Element) -> Corrected | None:
    """Return the states of a reading; None if nothing in it is added or deleted, if it holds entries, or if all states
    have the same words (an addition that was deleted again)."""
    marks = list(reading.iter(_ADDED, _DELETED))
    if not marks or next(reading.iter("{*}app"), None) is not None:
        return None
    hands = _hands(reading, marks)
    ordered = sorted(zip(marks, hands, strict=True), key=lambda pair: _step(pair[0]))
    order = list(dict.fromkeys(hand for _, hand in ordered))
    steps = [order.index(hand) for hand in hands]
    before, *later = (_state(reading, steps, step) for step in range(-1, len(order)))
    if all(words_of(state) == words_of(before) for state in later):
        return None
    return Corrected(before, tuple(zip(order, later, strict=True)), tuple(_words_in_no_state(marks, steps)))


def _hands(reading: Element, marks: Sequence[Element]) -> list[str]:
    """Return the hand of each addition and deletion. One that the file gives to nobody is of the hand of what it
    replaces or is replaced by, or of the only hand that the reading names."""
    stated = {mark: _hand_of(reading, mark) for mark in marks}
    named = {mark.get("hand", "") for mark in reading.iterdescendants(_ADDED, _DELETED, _SUBSTITUTED)} - {""}
    rest = _name(named.pop()) if len(named) == 1 else AFTER if named else ""
    beside = {mark: next((stated[other] for other in _beside(mark) if stated.get(other)), rest) for mark in marks}
    return [stated[mark] or beside[mark] for mark in marks]


def _name(pointer: str) -> str:
    return pointer.rpartition("#")[2]


def _hand_of(reading: Element, mark: Element) -> str:
    """Return the hand of a mark: its own, else that of what contains it in the reading."""
    node: Element | None = mark
    while node is not None and node is not reading:
        if hand := _name(node.get("hand", "")):
            return hand
        node = node.getparent()
    return ""


def _beside(mark: Element) -> list[Element]:
    """Return the marks that are one substitution with a mark: in one ``subst``, or side by side."""
    around, previous, following = mark.getparent(), mark.getprevious(), mark.getnext()
    if around is not None and bare(around) == "subst":
        return list(around.iterchildren(_ADDED, _DELETED))
    near = [following if not after(mark).strip() else None,
            previous if previous is not None and not after(previous).strip() else None]
    return [other for other in near if other is not None and bare(other) != bare(mark)]


def _step(mark: Element) -> int:
    """Return the place of a mark in the order that the file states (``@seq``); else that of the words is the order."""
    seq = mark.get("seq", "")
    return int(seq) if seq.isdecimal() else 0


def _state(reading: Element, steps: Sequence[int], step: int) -> Element:
    """Return a reading with the corrections up to a step."""
    copy = alone(reading)
    for mark, place in zip(list(copy.iter(_ADDED, _DELETED)), steps, strict=True):
        if (place <= step) == (bare(mark) == "del"):
            cut(mark)
    etree.strip_tags(copy, _ADDED, _DELETED, _SUBSTITUTED)
    return copy


def _words_in_no_state(marks: Sequence[Element], steps: Sequence[int]) -> list[str]:
    """Return the words of marks that no state shows: what was deleted not later than it was added."""
    at = dict(zip(marks, steps, strict=True))
    unseen: list[Element] = []
    for mark in marks:
        for other in mark.iterancestors(_ADDED, _DELETED):
            added, deleted = (mark, other) if bare(other) == "del" else (other, mark)
            if other in at and bare(other) != bare(mark) and at[deleted] <= at[added]:
                unseen.append(mark)
                break
    return ["".join(map(str, mark.itertext())) for mark in unseen
            if not any(other in unseen for other in mark.iterancestors())]


def words_of(reading: Element) -> str:
    """Return the characters of a reading without notes and white space."""
    copy = alone(reading)
    for note in list(copy.iter("{*}note")):
        cut(note)
    return "".join("".join(map(str, copy.itertext())).split())


def final(witness: str) -> str:
    """Return the id of a witness after its correction."""
    return f"{witness}-{AFTER}"
