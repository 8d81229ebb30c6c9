"""Join the pieces of a volume that Typst set one by one: pages, tags, bookmarks, destinations, links.

Typst numbers tags in each file from 0 (ISO 32000-1, 14.7.4.4) and names notes 1, 2, 3; here the numbers continue. A
link to another piece or volume has an `address`; it becomes a destination (12.3.2), or an action that opens the other
file (12.6.4.3), which PDF/A-2 allows (ISO 19005-2, 6.5.1). The same pieces give the same bytes.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote

import pikepdf
from pikepdf import Array, Dictionary, Name, String

_SCHEME = "jiaokan:"
_ABOVE = 10.0
"""Points above a place at which a view begins, as in Typst's own links."""
_PAGE = re.compile(r"页 (\d+)$")
"""Typst's text of a link for a screen reader: the number of the page in the file."""
_COUNTED = re.compile(rb"<xmpTPg:NPages>\d+<")
"""Only these values of Typst's XMP are replaced: written anew, its attributes would come in another order."""
_NAMED = re.compile(rb"(<(?:xmpMM:InstanceID|xmpMM:DocumentID|stEvt:instanceID)>)[^<_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPiece:
    """A piece as Typst set it."""

    document: bytes
    dropped: int = 0
    """Number of blank pages at its beginning, which only keep odd pages odd."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetVolume:
    """A volume whose pieces are set."""

    file: str
    """The name of its file."""
    pieces: tuple[SetPiece, ...]
    before: int = 0
    """Number of pages in the volumes before it."""
    numbered: bool = True
    """Whether its page labels are the numbers in the book."""


def address(volume: int, page: int, x: float = 0, y: float = 0, *, named: str = "", said: str = "") -> str:
    """Return the address of a place: volume, from 1; page in its file, from 0; points from the upper left.

    `named`: the name of the destination, if it has one; `said`: text for a screen reader, if that is not the page.
    """
    return f"{_SCHEME}{volume}/{page}/{x:.3f}/{y:.3f}/{quote(named, safe='')}/{quote(said, safe='')}"


def join_pieces(volumes: Sequence[SetVolume], number: int) -> bytes:
    """Return volume `number`, from 1, as one PDF; the other volumes are needed for links to them."""
    volume, made = volumes[number - 1], BytesIO()
    first, *others = volume.pieces
    with pikepdf.open(BytesIO(first.document)) as pdf:
        book = _Book(pdf)
        book.describe_links(len(pdf.pages), volume.before)
        for piece in others:
            with pikepdf.open(BytesIO(piece.document)) as part:
                book.add(part, piece.dropped, volume.before)
        book.finish(volumes, number)
        pdf.save(made, deterministic_id=True, fix_metadata_version=False,
                 object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return made.getvalue()


class _Book:
    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.tree = pdf.Root.StructTreeRoot
        self.parents: list[Any] = list(self.tree.ParentTree.Nums)
        self.notes = list(self.tree.IDTree.Names) if "/IDTree" in self.tree else []
        self.names = list(_names(pdf))

    def add(self, part: pikepdf.Pdf, dropped: int, before: int) -> None:
        del part.pages[:dropped]
        keys, notes, pages = len(self.parents) // 2, len(self.notes) // 2, len(self.pdf.pages)
        _renumber(part, keys)
        self.pdf.pages.extend(part.pages)
        self.describe_links(len(part.pages), before + pages - dropped, first=pages)
        tree: Any = self.pdf.copy_foreign(part.Root.StructTreeRoot)
        (document,), (more,) = self.tree.K, tree.K
        for element in more.K:
            element.P = document
        document.K.extend(more.K)
        for key, parents in _pairs(tree.ParentTree.Nums):
            self.parents += [int(key) + keys, parents]
        for name, element in _pairs(tree.IDTree.Names) if "/IDTree" in tree else ():
            element.ID = String(f"Note {int(str(name).split()[-1]) + notes}")
            self.notes += [element.ID, element]
        self.bookmarks(part)
        numbers = {page.obj.objgen: number for number, page in enumerate(part.pages, pages)}
        self.names += [(name, Array([self.pdf.pages[numbers[place[0].objgen]].obj, *list(place)[1:]]))
                       for name, place in _names(part)]

    def describe_links(self, count: int, before: int, first: int = 0) -> None:
        """Correct page numbers in the links' texts for screen readers, on `count` pages from `first` on."""
        for page in list(self.pdf.pages)[first:first + count]:
            for link in page.get("/Annots", ()):
                said = str(link.get("/Contents", ""))
                link.Contents = String(_PAGE.sub(lambda found: f"页 {int(found[1]) + before}", said))

    def bookmarks(self, part: pikepdf.Pdf) -> None:
        if "/First" not in part.Root.get("/Outlines", {}):
            return
        more = self.pdf.copy_foreign(part.Root.Outlines)
        outlines = self.pdf.Root.get("/Outlines")
        if outlines is None or "/First" not in outlines:
            self.pdf.Root.Outlines = more
            return
        outlines.Last.Next, more.First.Prev = more.First, outlines.Last
        item: Any = more.First
        while item is not None:
            item.Parent = outlines
            item = item.get("/Next")
        outlines.Last = more.Last
        outlines.Count = int(outlines.Count) + int(more.Count)

    def finish(self, volumes: Sequence[SetVolume], number: int) -> None:
        """Write the tables of the whole file."""
        volume = volumes[number - 1]
        self.tree.ParentTree.Nums = Array(self.parents)
        self.tree.ParentTreeNextKey = len(self.parents) // 2
        if self.notes:
            notes = sorted(_pairs(self.notes), key=lambda pair: bytes(pair[0]))
            self.tree.IDTree = Dictionary(Names=Array([each for pair in notes for each in pair]))
        names = sorted(self.names, key=lambda pair: bytes(String(pair[0])))
        self.pdf.Root.Names = Dictionary(Dests=Dictionary(
            Names=Array([each for name, place in names for each in (String(name), place)])))
        for page in self.pdf.pages:
            for link in page.get("/Annots", ()):
                self.lead(link, volumes, number)
        if volume.before and volume.numbered:
            self.pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D, St=volume.before + 1)]))
        said = self.pdf.Root.Metadata.read_bytes()
        own = b64encode(md5(b"".join(piece.document for piece in volume.pieces), usedforsecurity=False).digest())
        said = _COUNTED.sub(b"<xmpTPg:NPages>%d<" % len(self.pdf.pages), said)
        self.pdf.Root.Metadata.write(_NAMED.sub(lambda found: found[1] + own, said))

    def lead(self, link: Any, volumes: Sequence[SetVolume], number: int) -> None:
        """Set the destination of a link with an address."""
        uri = str(link.A.get("/URI", "")) if "/A" in link else ""
        if not uri.startswith(_SCHEME):
            return
        volume, page, x, y, *words = uri.removeprefix(_SCHEME).split("/")
        there, index, (name, said) = volumes[int(volume) - 1], int(page), map(unquote, words)
        link.Contents = String(said or f"页 {there.before + index + 1}")
        height = float(self.pdf.pages[0].MediaBox[3])
        view = [Name.XYZ, round(float(x), 3), round(height - max(0.0, float(y) - _ABOVE), 3), 0]
        if int(volume) == number:
            link.Dest = String(name) if name else Array([self.pdf.pages[index].obj, *view])
            del link.A
        else:
            file = Dictionary(Type=Name.Filespec, F=String(there.file), UF=String(there.file))
            place = String(name) if name else Array([index, *view])
            link.A = Dictionary(Type=Name.Action, S=Name.GoToR, F=file, D=place)


def _pairs(flat: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield keys and values of the leaf of a name or number tree (ISO 32000-1, 7.9.6 and 7.9.7)."""
    each = list(flat)
    return zip(each[::2], each[1::2], strict=True)


def _names(pdf: pikepdf.Pdf) -> Iterator[tuple[str, Any]]:
    names: Any = pdf.Root.get("/Names")
    for name, place in _pairs(names.Dests.Names) if names is not None else ():
        yield str(name), place


def _renumber(part: pikepdf.Pdf, keys: int) -> None:
    """Shift the keys by which tags of pages and links are found."""
    for page in part.pages:
        if "/StructParents" in page:
            page.StructParents = int(page.StructParents) + keys
        for link in page.get("/Annots", ()):
            if "/StructParent" in link:
                link.StructParent = int(link.StructParent) + keys
