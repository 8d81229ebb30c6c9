"""Notes that a number calls: the call, and the note where it comes."""

from __future__ import annotations

from msgspec.structs import replace

from pipeline.annotate.identifiers import SAME
from pipeline.model import Content, Note, NoteGroup, Span


def call(words: str) -> Span:
    """Give a call: its number, and the brackets round it."""
    if len(words) > 2 and not words[0].isalnum() and not words[-1].isalnum():
        return Span(role="call", content=(words[1:-1],), rend=words[0] + words[-1])
    return Span(role="call", content=(), rend=words)


def on_the_same(note: Note | NoteGroup) -> Note | NoteGroup:
    """Give a note that is on what the one before it is on."""
    if isinstance(note, NoteGroup):
        return replace(note, notes=tuple(replace(each, target=SAME) for each in note.notes))
    return replace(note, target=SAME)


def beginning(note: Note | NoteGroup, opening: Content) -> Note | NoteGroup:
    """Give a note with what opens it; of several speakers' the first."""
    if isinstance(note, NoteGroup):
        first, *others = note.notes
        return replace(note, notes=(replace(first, content=(*opening, *first.content)), *others))
    return replace(note, content=(*opening, *note.content))
