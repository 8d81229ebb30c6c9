"""Words that only some witnesses have, where notes may report readings of them: units of a work inside an addition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.model import App, Content, Mark, Note, Reading, Unit
from pipeline.model.identifiers import parent_of
from pipeline.model.text import counted

Own = tuple[str, str]
"""A witness, and one of its units by the id without the witness's name."""


@dataclass(frozen=True, slots=True)
class AddedUnit:
    """The words of a witness's unit inside an addition."""

    app: str
    """Id of the entry."""
    start: int
    """How many characters of the addition stand before it."""
    text: str


@dataclass
class Additions:
    """What an edition's units have as additions, an entry's lemma being empty and one reading having words."""

    texts: dict[str, str] = field(default_factory=dict)
    """The words of each addition, by the id of its entry."""
    units: dict[Own, AddedUnit] = field(default_factory=dict)

    @classmethod
    def of(cls, units: Iterable[Unit]) -> Additions:
        """Learn the additions of units with ids."""
        made = cls()
        for unit in units:
            last: dict[str, str] = {}
            for item in unit.content:
                reading = added(item) if isinstance(item, App) and item.id else None
                marks = [(witness, own, 0) for witness, own in last.items()]
                marks += _marks(reading.content if reading else (item,), 0)
                if reading and isinstance(item, App):
                    made._add(item.id, reading.content, [mark for mark in marks if mark[0] in reading.witnesses])
                last = {witness: own for witness, own, _ in marks}
        return made

    def _add(self, app: str, content: Content, marks: Sequence[tuple[str, str, int]]) -> None:
        text = self.texts[app] = counted(content)
        for number, (witness, own, start) in enumerate(marks):
            end = next((at for other, _, at in marks[number + 1 :] if other == witness), len(text))
            if start < end:
                self.units.setdefault((witness, own), AddedUnit(app, start, text[start:end]))

    def of_note(self, note: Note) -> AddedUnit | None:
        """Give the words of the unit that a note stands on in its work, if they are in an addition."""
        own = ((item.witness, parent_of(item.unit)) for item in note.content if isinstance(item, Mark))
        return next((self.units[each] for each in own if each in self.units), None)


def added(app: App) -> Reading | None:
    """Give the reading of an entry that is an addition and has one reading with words; None if it is no such entry."""
    said = [each for each in app.readings if each.content]
    return said[0] if app.kind == "variant" and len(said) == 1 and not counted(app.lemma.content) else None


def _marks(content: Iterable[Any], at: int) -> list[tuple[str, str, int]]:
    """Give the marks of units in some content: witness, unit, and how many characters stand before."""
    found: list[tuple[str, str, int]] = []
    for item in content:
        if isinstance(item, Mark):
            found.append((item.witness, item.unit.partition("+")[0], at))
        elif isinstance(item, App):
            found += _marks(item.lemma.content, at)
        at += len(counted((item,)))
    return found
