"""Finished content read, cut and put together again: by offsets, by witnesses.

Offsets count characters as `pipeline.model.text.counted`: of an entry its lemma, nothing of the notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.collate.tokens import ATOMS
from pipeline.model import App, Content, Inline, Line, Mark, Note, NoteGroup, Span
from pipeline.model.text import aligned, attested, counted, edited
from pipeline.model.walk import items, leaves
from pipeline.model.words import words as words_of

SHORT = 4
"""A place inside a lemma of at most so many characters is the entry's own; in a longer one, something inside it.
With 1 a decision makes one entry more, with 12 one less."""


class Unfit(Exception):
    """Content cannot be treated so; its message says why."""


def graphs(content: Iterable[Inline]) -> list[Inline]:
    """Give the graphs and words of some content and what stands for graphs: what is compared, no punctuation and no
    notes."""
    found: list[Inline] = []
    for item in leaves(content, into=_holds_words):
        if isinstance(item, str):
            found += words_of(item)
        elif isinstance(item, ATOMS):
            found.append(item)
    return found


def _holds_words(item: Inline) -> bool:
    return isinstance(item, (App, Line)) or (isinstance(item, Span) and not item.rend and item.role != "punct")


def entry_graphs(content: Iterable[Any]) -> frozenset[str]:
    """Give the characters of all readings of entries: what the editor says of any others (`Choices`) changes nothing
    there, since words in which all witnesses agree are not judged."""
    readings = (each for app in items(content) if isinstance(app, App) for each in (app.lemma, *app.readings))
    return frozenset("".join(view(each.content) for each in readings for view in (attested, edited, aligned)))


def words(content: Iterable[Inline]) -> str:
    """Give the words of some content as witnesses have them (`attested`), without punctuation."""
    return attested(graphs(content))


def cut(content: Content, start: int, end: int) -> tuple[Content, Content, Content]:
    """Cut content into what stands before, between and after two offsets.

    What has no width at an edge stays outside, but for entries and what stands between them and the words: nothing is
    put before or behind what it stands beside. An entry that a note parts from the words stays outside, too. Raises
    Unfit if an edge parts an item.
    """
    parts: _Parts = ([], [], [])
    at = 0
    for item in content:
        width = len(counted(item))
        if isinstance(item, str):
            pieces = (item[: max(start - at, 0)], item[max(start - at, 0) : max(end - at, 0)], item[max(end - at, 0) :])
            for part, piece in zip(parts, pieces, strict=True):
                part += [piece] if piece else []
        elif not width and start < end and at == start:
            _begin(parts, item)
        elif not width and start < end and at == end:
            _end(parts, item)
        elif at + width <= start:
            parts[0].append(item)
        elif at >= end:
            parts[2].append(item)
        elif start <= at and at + width <= end:
            parts[1].append(item)
        else:
            raise Unfit(f"{attested(item)!r} is parted there")
        at += width
    return tuple(parts[0]), tuple(parts[1]), tuple(parts[2])


_Parts = tuple[list[Inline], list[Inline], list[Inline]]
_NOTES = (Note, NoteGroup)


def _begin(parts: _Parts, item: Inline) -> None:
    """Put something without width that stands where the words begin."""
    if isinstance(item, _NOTES):
        parts[0].extend([*parts[1], item])
        parts[1].clear()
    else:
        parts[1 if parts[1] or _is_variant(item) else 0].append(item)


def _end(parts: _Parts, item: Inline) -> None:
    """Put something without width that stands where the words end."""
    if _is_variant(item) and not any(isinstance(each, _NOTES) for each in parts[2]):
        parts[1].extend([*parts[2], item])
        parts[2].clear()
    else:
        parts[2].append(item)


def _is_variant(item: Inline) -> bool:
    return isinstance(item, App) and item.kind == "variant"


Change = Callable[[Content, tuple[int, int], Sequence[str]], Content]
"""Gives content anew, changed between two offsets; the last are the witnesses that have it."""


def inside(content: Content, place: tuple[int, int], witnesses: Sequence[str], change: Change) -> Content:
    """Apply a change to the innermost content that holds a place: in a span, or in a longer passage that is a lemma.

    A place without words at the edge of such a one is on the side on which an entry stands.
    """
    at = 0
    for number, item in enumerate(() if _stands(content, place) else content):
        width = len(counted(item))
        own = place[0] - at, place[1] - at
        held = at <= place[0] and place[1] <= at + width and place[0] < at + width
        if held or (width and own == (width, width) and _stands((item,), own, deep=True)):
            if isinstance(item, (Span, Line)) and counted(item):
                made: Inline = replace(item, content=inside(item.content, own, witnesses, change))
                return (*content[:number], made, *content[number + 1 :])
            if isinstance(item, App) and item.kind == "variant" and not _is_entry(own, width):
                lemma = replace(item.lemma, content=inside(item.lemma.content, own, item.lemma.witnesses, change))
                return (*content[:number], replace(item, lemma=lemma), *content[number + 1 :])
        at += width
    return change(content, place, witnesses)


def _stands(content: Content, place: tuple[int, int], *, deep: bool = False) -> bool:
    """Tell whether an entry without words of its own stands at a place; `deep`: in spans and lemmata too."""
    at = 0
    for item in content if place[0] == place[1] else ():
        width = len(counted(item))
        if isinstance(item, App) and item.kind == "variant" and not width and at == place[0]:
            return True
        inner = item.lemma.content if isinstance(item, App) else item.content if isinstance(item, (Span, Line)) else ()
        if deep and width and at <= place[0] <= at + width and _stands(inner, (place[0] - at,) * 2, deep=True):
            return True
        at += width
    return False


def _is_entry(place: tuple[int, int], width: int) -> bool:
    """Tell whether a place is the entry's own: its whole lemma, or part of a short one."""
    return place == (0, width) or width <= SHORT


def restrict(content: Content, keep: Sequence[str]) -> Content:
    """Give content as some witnesses have it: of entries their readings, of marks their own."""
    out: list[Inline] = []
    for item in content:
        match item:
            case Mark() if item.witness not in keep:
                continue
            case Note() if item.sources and not {*item.sources} & {*keep}:
                continue
            case App():
                out += _restricted(item, keep)
            case Span() | Line():
                out.append(replace(item, content=restrict(item.content, keep)))
            case _:
                out.append(item)
    return joined(out)


def _restricted(app: App, keep: Sequence[str]) -> Content:
    found = [
        replace(each, witnesses=tuple(w for w in each.witnesses if w in keep), content=restrict(each.content, keep))
        for each in (app.lemma, *app.readings)
    ]
    found = [each for each in found if each.witnesses]
    if len(found) < 2:
        return found[0].content if found else ()
    return (replace(app, lemma=replace(found[0], variant="", source=""), readings=tuple(found[1:])),)


def joined(content: Iterable[Inline]) -> Content:
    """Give content with strings that stand side by side made one."""
    out: list[Inline] = []
    for item in content:
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        elif item != "":
            out.append(item)
    return tuple(out)
