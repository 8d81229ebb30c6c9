"""An edition without what a few parts of one chapter do not need, so that these can be set in a moment.

Of other sections of the chapter all units and notes are kept, with who has them and no words: by these a page says
which witness has a unit elsewhere, and in which work most notes are. Of other chapters only what the wanted parts point
to is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from pipeline.model import (
    App,
    Block,
    Division,
    Document,
    Head,
    Inline,
    Mark,
    Note,
    NoteGroup,
    Paragraph,
    Reading,
    Trailer,
    Unit,
)
from pipeline.model.walk import items

_POINTER = re.compile(rb"""[" ]#(?:string-range\()?([^",() ]+)""")
_ID = re.compile(rb'xml:id="([^"]+)"')
STUBS = "stubs"
"""Name of the division, in each chapter, that holds what is only pointed to."""


def thinned(chapter: Division, wanted: Collection[str]) -> Division:
    """Return a chapter in which only the wanted sections keep their words; all do if the chapter itself is wanted."""
    if chapter.id in wanted:
        return chapter
    first = next((each.id for each in chapter.items if isinstance(each, Division) and _has_entry(each)), "")
    items = tuple(each if _id(each) in wanted else _bare(each, keep_entry=_id(each) == first) for each in chapter.items)
    return replace(chapter, items=tuple(each for each in items if each is not None))


def outside(chapter: Division) -> Division:
    """Return a chapter in which everything outside its sections keeps its words."""
    first = next((each.id for each in chapter.items if isinstance(each, Division) and _has_entry(each)), "")
    items = (_bare(each, keep_entry=each.id == first) if isinstance(each, Division) else each for each in chapter.items)
    return replace(chapter, items=tuple(items))


def completed(document: Document, whole: Document, tei: bytes, also: Iterable[str] = (), hidden: str = "") -> Document:
    """Return a thinned document with a stub for each id of the `whole` that its TEI, or `also`, points to and it lacks.

    Stubs of a chapter stand in a section of their own, or in that of the id `hidden`, which is not shown."""
    there = {each.decode() for each in _ID.findall(tei)}
    lacking = ({each.decode() for each in _POINTER.findall(tei)} | {*also}) - there
    if not lacking:
        return document
    own = {division.id: division for division in document.divisions}
    made = []
    for division in whole.divisions:
        stubs = tuple(_stubs(division, lacking))
        here = own.get(division.id, replace(division, items=()) if stubs else None)
        if here is not None and stubs:
            section = Division(kind="section", n="0", id=f"{division.id}.{STUBS}", title=STUBS, items=stubs)
            kept = tuple(replace(each, items=(*each.items, *stubs)) if isinstance(each, Division) and each.id == hidden
                         else each for each in here.items)
            here = replace(here, items=kept if hidden.startswith(f"{here.id}.") else (*here.items, section))
        if here is not None:
            made.append(here)
    return replace(document, divisions=tuple(made))


def _id(item: Any) -> str:
    return getattr(item, "id", "")


def _has_entry(division: Division) -> bool:
    return any(isinstance(item, App) and item.kind == "variant" for item in items((division,)))


def _bare(item: Any, *, keep_entry: bool = False) -> Any:
    """Return a block or division without words; None if nothing depends on it.

    With `keep_entry` its units keep their words, so that the chapter's first apparatus stays in its place.
    """
    match item:
        case Division():
            inside = (_bare(each, keep_entry=keep_entry) for each in item.items)
            return replace(item, items=tuple(each for each in inside if each is not None))
        case Paragraph():
            return replace(item, content=tuple(_inlines(item.content, keep_entry)))
        case Head() | Trailer():
            return replace(item, content=())
        case Note() | NoteGroup() | App():
            made = tuple(_inlines((item,), keep_entry))
            return Paragraph(content=made) if made else None
    return None


def _inlines(content: Iterable[Inline | Block], keep_entry: bool) -> Iterator[Inline]:
    for item in content:
        match item:
            case Unit():
                own = tuple(each for each in item.content if isinstance(each, Mark))
                yield item if keep_entry else replace(item, content=own, verse=False)
            case Note():
                yield replace(item, content=())
            case NoteGroup():
                yield replace(item, notes=tuple(replace(each, content=()) for each in item.notes))
            case App() if item.kind == "variant":
                yield from _inlines(item.lemma.content, keep_entry)


def _stubs(division: Division, lacking: set[str]) -> Iterator[Block]:
    content: list[Inline] = []
    for item in items((division,)):
        if _id(item) in lacking and not isinstance(item, Reading):
            lacking.discard(_id(item))
            content.append(replace(item, content=(), target="", target_end="", alike=()) if isinstance(item, Note)
                           else Unit(id=_id(item), content=()))
    if content:
        yield Paragraph(content=tuple(content))
