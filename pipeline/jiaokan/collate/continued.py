"""Join the entries on an absence over several units: the later ones become ``continued`` and repeat nothing."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from jiaokan.collate.settings import SETTINGS
from jiaokan.model import App, Division, Inline, Item, Mark, Reading, Space, Unit
from jiaokan.model.encoding import words
from jiaokan.model.text import UNDECIDED, edited
from jiaokan.model.walk import Rewriting


def continue_absences(division: Division) -> Division:
    """Return a chapter in which each absence is one entry: where the witnesses that lack the end of a unit lack the
    beginning of the next, and nobody differs there, nor has the editor decided anything."""
    return _Continuing().division(division)


class _Continuing(Rewriting):
    def __init__(self) -> None:
        self.last: App | None = None  # the entry with which the unit before ends

    def item(self, item: Item) -> Item:
        if not isinstance(item, Unit):
            return super().item(item)
        first = _edge(item.content)
        if self.last and first and _goes_on(self.last, first):
            rest = replace(first, kind="continued")
            item = replace(item, content=tuple([rest if part is first else part for part in item.content]))
        self.last = _edge(reversed(item.content))
        return item


def _edge(content: Iterable[Inline]) -> App | None:
    """Return the entry at the edge of a unit, if it has at least a phrase."""
    item = next((item for item in content if not _is_wordless(item)), None)
    if not isinstance(item, App) or item.kind not in ("variant", "continued"):
        return None
    return item if len(words(edited(item.lemma.content))) >= SETTINGS.phrase else None


def _is_wordless(item: Inline) -> bool:
    if isinstance(item, str):
        return not words(item)
    return isinstance(item, (Mark, Space)) or (isinstance(item, App) and item.kind == "accidental")


def _goes_on(last: App, first: App) -> bool:
    """Whether an entry says only what one before it says, of the same witnesses."""
    if len(first.readings) != 1 or first.notes or first.lemma.source or not _is_absence(first.readings[0]):
        return False
    reading = first.readings[0]
    return any(_is_absence(other) and (other.witnesses, other.variant, other.source) == (
        reading.witnesses, reading.variant, reading.source) for other in last.readings)


def _is_absence(reading: Reading) -> bool:
    empty = reading.variant in ("omission", "lacuna") and not edited(reading.content).strip(UNDECIDED)
    return empty and not reading.resp
