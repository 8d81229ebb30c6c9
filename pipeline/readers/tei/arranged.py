"""What stands between the heads and divisions of any TEI, arranged as ours: titles, trailers, parts beside parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.model import Division, Furniture, Head, Note, NoteGroup, Paragraph, Trailer
from pipeline.model.text import edited
from pipeline.readers.tei.met import Point
from pipeline.tei.apparatus import held


def named_by(before: Sequence[Any], division: Division) -> str:
    """Give the title of a division; of one without head the words of the line of its juan before it."""
    own = next((item for item in division.items if isinstance(item, Head)), None)
    juan = next((item for item in before if isinstance(item, Furniture) and item.kind == "juan-head"), None)
    return division.title if own or juan is None else plain(juan.content)


def title_of(items: Sequence[Any], otherwise: str) -> str:
    """Give the words of the head of a division, without what is no text of it."""
    head = next((item for item in items if isinstance(item, Head)), None)
    kept = () if head is None else tuple(each for each in head.content if not isinstance(each, (Point, Note)))
    return " ".join(plain(kept).split()) or otherwise


def plain(items: Sequence[Any]) -> str:
    """Give the words of some content as an editor has them, without notes and points."""
    words = ""
    for item in items:
        inside = held(item)
        if isinstance(item, (Note, NoteGroup, Point)):
            continue
        words += plain(inside) if inside is not None else edited(item)
    return words


def closed(items: list[Any]) -> list[Any]:
    """Have nothing but lines of the page and notes after a trailer: one that text follows is a paragraph."""
    last = max((n for n, each in enumerate(items) if isinstance(each, (Paragraph, Division))), default=-1)
    return [Paragraph(content=each.content) if isinstance(each, Trailer) and n < last else each
            for n, each in enumerate(items)]


def flat(items: Sequence[Any]) -> list[Any]:
    """Give what divisions of front matter hold one after the other: theirs are not numbered."""
    made: list[Any] = []
    for item in items:
        if not isinstance(item, Division):
            made.append(item)
            continue
        for each in flat(item.items):
            made.append(Paragraph(content=each.content, kind="prose") if isinstance(each, (Head, Trailer)) else each)
    return made


def set_apart(items: Sequence[Any], *, wrap_first: bool) -> list[Any]:
    """Put paragraphs that stand beside divisions into divisions of their own, but for the first of a chapter."""
    made: list[Any] = []
    run: list[Any] = []
    for item in (*items, None):
        if item is not None and not isinstance(item, Division) and not isinstance(item, Head):
            run.append(item)
            continue
        seen = any(isinstance(each, Division) for each in made)
        if any(isinstance(each, Paragraph) for each in run) and (seen or wrap_first):
            made.append(Division(kind="section", items=tuple(run)))
        else:
            made += run
        run = []
        made += [item] if item is not None else []
    return made


def begun(items: Iterable[Any]) -> bool:
    """Tell whether a division has begun with these: no head stands after them."""
    return any(isinstance(each, (Paragraph, Division)) for each in items)
