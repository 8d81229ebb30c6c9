"""What commentaries report of other texts, and what they conjecture, as readings of the entries they are about.

今文曰洗象觚 becomes a reading of 今文 beside the collated ones, with a pointer to the note; 觚当作觯 one of the person
who says so. Where words are collated already it joins their entry, else it has an entry of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pipeline.annotate.readings import Remark, read
from pipeline.characters.equality import norm
from pipeline.collate.cutting import against
from pipeline.collate.tokens import PUNCTUATION
from pipeline.model import (
    App,
    Content,
    Division,
    Head,
    Note,
    Reading,
    Space,
    Span,
    Trailer,
    Unit,
)
from pipeline.names import REPORTED
from pipeline.ranges import Range, characters, id_of, range_of
from pipeline.tei.walk import items

CHANGES = frozenset({"substitution", "omission", "addition"})
"""Remarks that report a difference in words."""


@dataclass(frozen=True, slots=True)
class Report:
    """A reading that a note reports, and where."""

    place: Range
    words: str
    tradition: str
    """The reported witness, or the person who conjectures."""
    note: str
    """Id of the note that says so."""

    def reading(self, content: Content, lemma: Content) -> Reading:
        """Give it as a reading with this content, judged against the lemma."""
        judged = against(lemma, content)
        known = self.tradition in REPORTED
        return Reading(
            witnesses=(self.tradition,) if known else (), resp="" if known else self.tradition, content=content,
            variant=judged.variant, source=" ".join(filter(None, (f"#{self.note}", judged.source))),
        )


def reports(chapter: Division) -> list[Report]:
    """Give what the notes of a chapter of an edition report, where they say which words in place of which."""
    told = [
        (note, span) for note in items(chapter.items) if isinstance(note, Note) and note.id
        for span in _remarks(note.content)
    ]
    if not told:
        return []
    texts = {item.id: characters(item.content) for item in items(chapter.items) if isinstance(item, _TEXTS) and item.id}
    found: dict[Report, None] = {}
    for note, span in told:
        place = range_of(span.target)
        said = read(span, texts.get(id_of(span.target), ""), speaker=note.resp)
        if place and place.id in texts and said.tradition and said.change in CHANGES:
            report = _report(said, place, texts[place.id], note.id)
            if report:
                found[report] = None
    return list(found)


_TEXTS = (Unit, Note, Head, Trailer)


def _remarks(content: Content) -> Iterator[Span]:
    """The remarks in a note, not those of notes in it; one that a difference of punctuation parts is whole again."""
    last: Span | None = None
    for item in content:
        if isinstance(item, Span) and item.role == "textcrit":
            if last and (last.subtype, last.target, last.ref) == (item.subtype, item.target, item.ref):
                last = replace(last, content=(*last.content, *item.content))
                continue
            if last:
                yield last
            last = item
            continue
        if isinstance(item, (str, Space)) or (isinstance(item, App) and item.kind != "accidental"):
            if last:
                yield last
            last = None
        if isinstance(item, App):
            for each in (item.lemma, *item.readings):
                yield from _remarks(each.content)
        elif isinstance(item, Span):
            yield from _remarks(item.content)
    if last:
        yield last


def _report(said: Remark, place: Range, text: str, note: str) -> Report | None:
    """Give the report with as few words as tell the difference; None if the remark does not give them."""
    on = text[place.offset : place.offset + place.length]
    has = "".join(each for each in said.reported if each not in PUNCTUATION)
    if said.change == "omission":
        return Report(place, "", said.tradition, note) if on else None
    if not has or any(each in PUNCTUATION for each in on):
        return None
    head = _shared(on, has)
    tail = _shared(on[head:][::-1], has[head:][::-1])
    if head + tail == len(on) == len(has):
        return Report(place, has, said.tradition, note)
    smaller = Range(place.id, place.offset + head, len(on) - head - tail)
    return Report(smaller, has[head : len(has) - tail], said.tradition, note)


def _shared(one: str, other: str) -> int:
    """Count the graphs that two strings begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (x, y) in pairs if norm(x) != norm(y)), min(len(one), len(other)))
