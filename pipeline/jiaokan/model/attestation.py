"""What an entry says of a witness, in four states; every view, output and statistic asks here.

* ``attested``: an entry names it, and it has words (or a note) there;
* ``omits``: an entry names it, and it has nothing there;
* ``lost``: its words are not there to be read: a lacuna, a fragment that begins later, illegible words;
* ``silent``: the entry does not name it. What it reads is unknown: neither the lemma nor an omission.

A witness that an entry names only after its correction has what that left (``A`` reads as ``A-pc``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal, Protocol, TypeVar

from jiaokan.model.document import App, Division, Document, Head, Item, Note, NoteGroup, Reading, Trailer, Unit
from jiaokan.model.text import is_lost, shown
from jiaokan.model.vocabulary import AFTER
from jiaokan.model.walk import items, units

State = Literal["attested", "omits", "silent", "lost"]

SIGNS: dict[State, str] = {"attested": "", "omits": "", "silent": "〔?〕", "lost": "〓"}
"""What plain text prints where a witness has no words."""


class _Group(Protocol):
    @property
    def witnesses(self) -> tuple[str, ...]: ...


_G = TypeVar("_G", bound=_Group)


def reading_of(groups: Iterable[_G], witness: str) -> _G | None:
    """Return the lemma or reading that names a witness, or its state after correction; None if none does."""
    every = tuple(groups)
    names = (witness, f"{witness}-{AFTER}")
    return next((group for name in names for group in every if name in group.witnesses), None)


def readings_of(groups: Iterable[_G], witnesses: Iterable[str]) -> dict[str, _G | None]:
    """Return for each witness what `reading_of` returns: an entry may name thousands."""
    naming: dict[str, _G] = {}
    for group in groups:
        for name in group.witnesses:
            naming.setdefault(name, group)
    return {name: naming.get(name) or naming.get(f"{name}-{AFTER}") for name in witnesses}


def before_hand(witness: str) -> str:
    """Return the witness of a state after correction (``A-pc``); any other as it is."""
    return witness.removesuffix(f"-{AFTER}")


def state_of(reading: Reading | None) -> State:
    """Return the state of the witnesses of a reading; of no reading, that of a witness that is not named."""
    if reading is None:
        return "silent"
    if is_lost(reading.content):
        return "lost"
    notes = any(isinstance(item, Note | NoteGroup) for item in reading.content)
    return "attested" if notes or shown(reading.content) else "omits"


def states(app: App, witnesses: Iterable[str]) -> dict[str, State]:
    """Return the state of each of these witnesses in an entry."""
    groups = (app.lemma, *app.readings)
    known = {id(group): state_of(group) for group in groups}
    return {witness: "silent" if reading is None else known[id(reading)]
            for witness, reading in readings_of(groups, witnesses).items()}


def silences(content: Iterable[Item], members: Collection[str]) -> Iterator[tuple[App, tuple[str, ...]]]:
    """Yield the entries of a unit or note that do not name all of its witnesses, with those that are silent. Inside a
    reading only its witnesses can be."""
    order = {name: n for n, name in enumerate(members)}
    for item in content:
        if isinstance(item, App):
            silent = tuple(name for name, state in states(item, members).items() if state == "silent")
            if silent and item.readings:
                yield item, silent
            for group in (item.lemma, *item.readings):
                yield from silences(group.content, sorted({*group.witnesses} & order.keys(), key=order.__getitem__))
        elif not isinstance(item, str | Unit | Note | NoteGroup):
            yield from silences(getattr(item, "content", ()), members)


def silent_entries(document: Document) -> Iterator[tuple[App, tuple[str, ...]]]:
    """Yield the entries of a document that do not name all witnesses of their text, with those that are silent."""
    for division in document.divisions:
        yield from _silent_in(division)


def _silent_in(division: Division) -> Iterator[tuple[App, tuple[str, ...]]]:
    members = dict.fromkeys(name for unit in units((division,)) for name in unit.sources)
    for block in division.items:
        if isinstance(block, Division):
            yield from _silent_in(block)
            continue
        if isinstance(block, Head | Trailer):  # they name no witnesses: who has the text below has them
            yield from silences(block.content, members)
        for item in items((block,)):
            if isinstance(item, Unit | Note) and item.sources:
                yield from silences(item.content, item.sources)


def silent_by_entry(document: Document) -> dict[str, tuple[str, ...]]:
    """Return the silent witnesses of each entry that has any, by its id."""
    return {app.id: names for app, names in silent_entries(document)}
