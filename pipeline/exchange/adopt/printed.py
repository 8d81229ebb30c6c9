"""What a published edition prints beside what one of its witnesses has: the choices of its editor, by place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pipeline.model import App, Certainty, Division, Head, Line, Note, NoteGroup, Reading, Span, Trailer, Unit
from pipeline.model.text import attested

Layer = tuple[str, str]
"""A chapter's number and a layer of it: its base text (``text``), the notes of a speaker (``note wangbi``) or of nobody
(``note ``), its heads (``head``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One entry of the edition: what its editor prints there, reports and says."""

    start: int
    """The place where it begins: characters (`pipeline.model.text.attested`) of the layer as the witness has it."""
    end: int
    was: str
    """What the witness has."""
    words: str
    """What the edition prints."""
    resp: str = ""
    """Who answers for it, if the file says so: an id of the file."""
    cert: Certainty | Literal[""] = ""
    proposed: tuple[tuple[str, str], ...] = ()
    """Readings that no witness has, and ids of who proposes them."""
    notes: tuple[str, ...] = ()
    """What the editor says of the entry."""

    def says(self) -> bool:
        """Tell whether it is anything that the witnesses alone do not show."""
        return self.was != self.words or bool(self.resp or self.proposed or self.notes)


@dataclass(slots=True)
class Flow:
    """The words of one layer as a witness has them, and the choices on them."""

    words: str = ""
    choices: list[Choice] = field(default_factory=list)


def flows(divisions: Iterable[Division], witness: str) -> dict[Layer, Flow]:
    """Give the layers of an edition by chapter as a witness has them, each with what its editor chose there.

    Heads and trailers are a layer of their own (``head``).
    """
    made: dict[Layer, Flow] = {}
    for chapter in divisions:
        if chapter.kind == "pian":
            for item in texts(chapter.items):
                flow = made.setdefault((chapter.n, layer_of(item)), Flow())
                words, choices = _flow(item.content, witness, len(flow.words))
                flow.words += words
                flow.choices += [each for each in choices if each.says()]
    return made


def layer_of(item: Any) -> str:
    """Give the layer that a unit, note, head or trailer belongs to."""
    return "text" if isinstance(item, Unit) else f"note {item.resp}" if isinstance(item, Note) else "head"


def texts(items: Iterable[Any]) -> Iterator[Any]:
    """Give units, notes, heads and trailers in their order."""
    for item in items:
        if isinstance(item, (Unit, Note)):
            yield item
            yield from texts(item.content)
        elif isinstance(item, (Head, Trailer)):
            yield item
        else:
            inside = item.notes if isinstance(item, NoteGroup) else getattr(item, "items", None)
            yield from texts(inside if inside is not None else getattr(item, "content", None) or ())


def _flow(content: Sequence[Any], witness: str, at: int) -> tuple[str, list[Choice]]:
    """Give content as a witness has it, and the choices in it; `at` is the place where it begins."""
    words, found = "", list[Choice]()
    for item in content:
        here = at + len(words)
        if isinstance(item, App):
            own, inner = _entry(item, witness, here)
        elif isinstance(item, (Span, Line)):
            own, inner = _flow(item.content, witness, here)
        else:
            own, inner = "" if isinstance(item, (Note, NoteGroup)) else attested((item,)), []
        words += own
        found += inner
    return words, found


def _entry(app: App, witness: str, at: int) -> tuple[str, list[Choice]]:
    """Give what a witness has of an entry, and the choice that the entry is; of a longer lemma that the witness shares
    those in it."""
    own = next((each for each in (app.lemma, *app.readings) if witness in each.witnesses), app.lemma)
    words, inner = _flow(own.content, witness, at)
    choice = Choice(
        start=at, end=at + len(words), was=words, words=attested(app.lemma.content), resp=app.lemma.resp,
        cert=app.lemma.cert, proposed=tuple(_proposed(app.readings)),
        notes=tuple(filter(None, (attested(note.content).strip() for note in app.notes))),
    )
    if own is app.lemma and inner:
        return words, [*inner, replace(choice, words=words, resp="")]
    return words, [choice]


def _proposed(readings: Iterable[Reading]) -> Iterator[tuple[str, str]]:
    return ((attested(each.content), each.resp) for each in readings if not each.witnesses)
