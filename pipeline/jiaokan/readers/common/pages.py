"""Page, column and line breaks of a transcription, inserted into its document by position; images of pages.

A reader works on the running text without breaks, because names, glosses and lemmata cross the ends of lines; the
breaks are inserted last. Positions count ink: characters that are neither white space nor the brackets of notes, which
a reader turns into elements.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from msgspec.structs import replace

from jiaokan.errors import CatalogError, Message, Place, refusal
from jiaokan.model import (
    Break,
    Content,
    Division,
    Document,
    Furniture,
    Head,
    Inline,
    Item,
    NoteGroup,
    Paragraph,
    Trailer,
)
from jiaokan.model.numerals import whole
from jiaokan.model.text import received
from jiaokan.model.walk import Rewriting, as_content, walk
from jiaokan.settings.tables import Images


@dataclass(frozen=True, slots=True)
class Placed:
    """A break, and the number of characters of ink before it."""

    at: int
    item: Break


def count_ink(text: str, brackets: str) -> int:
    """Count the characters of a text that are neither white space nor one of `brackets`."""
    return sum(1 for char in text if not char.isspace() and char not in brackets)


def insert_breaks(document: Document, placed: Sequence[Placed], brackets: str) -> Document:
    """Return a document with breaks, each before the character that follows it; at the end, after the last one.
    `placed` is sorted; `brackets` as for `count_ink`."""
    if not placed:
        return document
    pass_ = _Inserting(placed, brackets)
    divisions = tuple(map(pass_.division, document.divisions))
    if divisions and (rest := tuple(placing.item for placing in placed[pass_.done :])):
        divisions = (*divisions[:-1], _end_with(divisions[-1], rest))
    return replace(document, divisions=divisions)


class _Inserting(Rewriting):
    """One pass over a document; `at` counts the ink passed."""

    def __init__(self, todo: Sequence[Placed], brackets: str) -> None:
        self.todo, self.brackets, self.at, self.done = todo, brackets, 0, 0

    def item(self, item: Item) -> Item:
        if not hasattr(item, "content") and not isinstance(item, NoteGroup):
            self.at += count_ink(received(item), self.brackets)
            return item
        return super().item(item)

    def content(self, content: Content) -> Content:
        items: list[Item] = []
        for item in content:
            if isinstance(item, str):
                items += self.text(item)
                continue
            before, changed = self.at, self.item(item)
            if changed is item and self.at > before:
                items += self.due(self.at - 1)
            items.append(changed)
        return as_content(items)

    def due(self, upto: int) -> Iterator[Break]:
        while self.done < len(self.todo) and self.todo[self.done].at <= upto:
            yield self.todo[self.done].item
            self.done += 1

    def text(self, text: str) -> Iterator[Inline]:
        start = 0
        for offset, char in enumerate(text):
            if char.isspace() or char in self.brackets:
                continue
            if self.done < len(self.todo) and self.todo[self.done].at <= self.at:
                if offset > start:
                    yield text[start:offset]
                yield from self.due(self.at)
                start = offset
            self.at += 1
        if start < len(text):
            yield text[start:]


def _end_with(division: Division, breaks: tuple[Break, ...]) -> Division:
    """Return a division with breaks after its last words, in the last paragraph or in one of their own."""
    *before, last = division.items or (None,)
    match last:
        case Division():
            return replace(division, items=(*before, _end_with(last, breaks)))
        case Paragraph() | Furniture() | Head() | Trailer():
            return replace(division, items=(*before, replace(last, content=(*last.content, *breaks))))
        case _:
            return replace(division, items=(*division.items, Paragraph(content=breaks, kind="prose")))


def add_images(document: Document, images: Images | None, shown: Sequence[Canvas] = ()) -> Document:
    """Return a document with images of its pages, from the settings or the canvases of its manifest; pages that have
    one keep it."""
    if images is None or images.folder:  # a site has these pictures; no address leads to them
        return document
    named = {canvas.label: canvas.address for canvas in shown}
    pages = [item.n for item in walk(document) if isinstance(item, Break) and item.unit == "page"]
    labelled = bool(named) and all(page in named for page in pages)
    adding = _Picturing(images, shown, named if labelled else {})
    return adding.document(document)


class _Picturing(Rewriting):
    def __init__(self, images: Images, shown: Sequence[Canvas], named: Mapping[str, str]) -> None:
        self.images, self.shown, self.named = images, shown, named
        self.pages: Counter[str] = Counter()

    def item(self, item: Item) -> Item:
        if not isinstance(item, Break) or item.unit != "page":
            return super().item(item)
        self.pages[item.edition] += 1
        n = self.pages[item.edition]
        if item.image:
            return item
        if self.images.address:
            return replace(item, image=picture(self.images.address, page=item.n, edition=item.edition, n=n))
        at = self.images.first - 1 + (n - 1) // self.images.pages
        there = self.shown[at].address if at < len(self.shown) else ""
        return replace(item, image=self.named.get(item.n) or there)


_WIDEST = 99
"""The most digits of a number in an address."""


def picture(address: str, *, page: str, edition: str, n: int) -> str:
    """Return the address of the picture of one page."""
    def fill(match: re.Match[str]) -> str:
        name, _, width = match[1].partition(":")
        if name == "n":
            return str(n).zfill(min(whole(width), _WIDEST))
        return quote(page if name == "page" else edition, safe="")

    return re.sub(r"\{([^{}]*)\}", fill, address)


_WHOLE = "/full/max/0/default.jpg"
"""The whole picture in its best size (IIIF Image API 3.0, 4; 2.1 also has ``max``)."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """One page of a digitised book: the library's label (``1a``, ``第三葉``, or empty), the address of a picture."""

    label: str
    address: str


def canvases(path: Path) -> tuple[Canvas, ...]:
    """Return the canvases of a manifest, in order. Raises CatalogError if it is unreadable or none has a picture."""
    mend = Message("save-book-manifest-address-usually")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        message = Message("manifest-cannot-read", strerror=refusal(error))
        raise CatalogError(message, place=Place(str(path)), mend=mend) from None
    except (ValueError, RecursionError):
        raise CatalogError(Message("manifest-not-valid-json"), place=Place(str(path)), mend=mend) from None
    pages = _objects_at(manifest, "items") or _objects_at(manifest, "sequences", "canvases")
    pictured = tuple(Canvas(_label(page.get("label")), address) for page in pages if (address := _picture(page)))
    if not pictured:
        raise CatalogError(Message("not-iiif-manifest-no-canvas"), place=Place(str(path)), mend=mend)
    return pictured


def _picture(page: dict[str, object]) -> str:
    for body in _objects_at(page, "items", "items", "body") or _objects_at(page, "images", "resource"):
        body = next(iter(_objects_at(body, "items")), body)  # of a Choice the first is the default
        for thing, rest in ((next(iter(_objects_at(body, "service")), {}), _WHOLE), (body, "")):
            address = thing.get("id") or thing.get("@id")
            if isinstance(address, str) and address.startswith(("https://", "http://")):
                return address.rstrip("/") + rest if rest else address
    return ""


def _label(label: object) -> str:
    """Return a label, in its first language."""
    while isinstance(label, dict | list):
        if isinstance(label, dict):
            label = label["@value"] if "@value" in label else next(iter(label.values()), "")
        else:
            label = next(iter(label), "")
    return str(label or "").strip()


def _objects_at(thing: object, *keys: str) -> list[dict[str, object]]:
    """Return the objects under a path of keys, each of which has one object or a list of them."""
    objects = [thing]
    for key in keys:
        values = [value.get(key) for value in objects if isinstance(value, dict)]
        objects = [item for value in values for item in (value if isinstance(value, list) else [value])]
    return [item for item in objects if isinstance(item, dict)]
