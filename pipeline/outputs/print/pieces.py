"""Set a book in pieces, as Typst holds a whole document in memory; volumes share numbers, contents and indexes.

Each piece is set in a process of its own. It gets what it needs of the others as data (``piece`` of measures.typ): the
number of pages before it and, for contents and indexes, the places of divisions and words. `_join` makes one file of
the pieces of a volume: Typst numbers tags in each file from 0 (ISO 32000-1, 14.7.4.4) and names notes 1, 2, 3; here the
numbers continue. A link to another piece or volume has an `_address`; it becomes a destination (12.3.2), or an action
that opens the other file (12.6.4.3), which PDF/A-2 allows (ISO 19005-2, 6.5.1). The same pieces give the same bytes.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import md5
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from pipeline.errors import Finding, RenderError
from pipeline.outputs import OutputSettings
from pipeline.outputs.print.typst import Substitution, count_pages, typeset_piece
from pipeline.outputs.print.volumes import Volume, link_places, typst_code
from pipeline.system.process import apart

_ROUNDS = 3
"""Maximum number of times that a book is set, until its front takes as many pages as assumed: usually once, as contents
leave room for numbers of three digits."""
_NEVER = 10**6  # more pages than a book has: no page of a front has a number of the text's series
_BLANK = "#page(header: none, footer: none, foreground: none, [])\n"
_BEGUN = "#plain-pages.update(false)\n"
_SCHEME = "jiaokan:"
_ABOVE = 10.0  # points above a place at which a view begins, as in Typst's own links
_PAGE = re.compile(r"页 (\d+)$")  # Typst's text of a link for a screen reader: the number of the page in the file
_COUNTED = re.compile(rb"<xmpTPg:NPages>\d+<")
"""Only these values of Typst's XMP are replaced: written anew, its attributes would come in another order."""
_NAMED = re.compile(rb"(<(?:xmpMM:InstanceID|xmpMM:DocumentID|stEvt:instanceID)>)[^<_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _SetPiece:
    """A piece as Typst set it."""

    document: bytes
    dropped: int = 0  # number of blank pages at its beginning, which only keep odd pages odd


@dataclass(frozen=True, slots=True, kw_only=True)
class _SetVolume:
    """A volume whose pieces are set."""

    file: str  # the name of its file
    pieces: tuple[_SetPiece, ...]
    before: int = 0  # number of pages in the volumes before it
    numbered: bool = True  # whether its page labels are the numbers in the book
    text: tuple[int, int] | None = None  # with folios apart: the first page of the text in the file, and its number


def _address(volume: int, page: int, x: float = 0, y: float = 0, *, named: str = "", said: str = "") -> str:
    """Return the address of a place: volume, from 1; page in its file, from 0; points from the upper left.

    `named`: the name of the destination, if it has one; `said`: text for a screen reader, if that is not the page.
    """
    return f"{_SCHEME}{volume}/{page}/{x:.3f}/{y:.3f}/{quote(named, safe='')}/{quote(said, safe='')}"


@dataclass(slots=True)
class _Places:
    """What is set so far: divisions and words of indexes, each with the address of its place and its page."""

    divisions: dict[str, tuple[str, int]] = field(default_factory=dict)
    openings: list[int] = field(default_factory=list)
    places: dict[str, list[tuple[str, str, int, str]]] = field(default_factory=dict)

    def add(self, found: Mapping[str, Any], volume: int, shift: int, text: _SetText) -> None:
        """Add the places that Typst found in a piece of a `text`, after `shift` pages of the book."""
        before, folio = text.before, shift - text.front
        for id_, said, page, x, y in found["divisions"]:
            words = f"小节 {said}" if said else f"小节, 页 {page + shift}"  # as Typst says it of its own links
            at = _address(volume, page + shift - before - 1, x, y, named=id_, said=words)
            self.divisions[id_] = (at, page + folio)
        self.openings += [page + folio for page in found["openings"]]
        for index, marks in found["places"].items():
            self.places.setdefault(index, []).extend(
                (key, place, page + folio, _address(volume, page + shift - before - 1, x, y))
                for key, place, page, x, y in marks)


@dataclass(frozen=True, slots=True)
class _SetText:
    """The text of a volume, set."""

    known: _Places  # the places that its contents list
    before: int = 0  # number of pages before the volume
    front: int = 0  # number of pages of the book that have no number of the text's series, up to this volume's text
    begun: int = 0  # pages of the book before the text
    pieces: Sequence[_SetPiece] = ()


@dataclass(slots=True)
class _Setting:
    volumes: Sequence[Volume]
    settings: OutputSettings
    used: tuple[Substitution, ...]
    check: bool
    findings: dict[Finding, None] = field(default_factory=dict)

    def piece(
        self, volume: Volume, code: str, at: int, start: int, known: Mapping[str, Any], *, asks: bool = False
    ) -> tuple[_SetPiece, int, dict[str, Any]]:
        """Set a piece whose first page is the page `start` of the book, after `at` pages that are set already.

        Return it, the number of pages set with it, and, if it `asks`, where things stand in it. Odd pages of the piece
        are odd pages of the book.
        """
        shift = at - at % 2
        data = {"before": shift, "volume": volume.name, **known}
        code = volume.head + _BLANK * (start - 1 - shift) + code
        document, said, found = apart(typeset_piece, code, self.settings, self.used, data, asks, self.check)
        self.findings.update(dict.fromkeys(said))
        return _SetPiece(document=document, dropped=at - shift), shift + count_pages(document), found

    def leaves(self) -> list[_SetVolume]:
        """Set volumes of pages in columns: each is one piece, as all its numbers are known."""
        made = []
        for number, volume in enumerate(self.volumes, 1):
            elsewhere = {id_: _address(n, page) for n, other in enumerate(self.volumes, 1) if n != number
                         for id_, page in link_places(other.parts).items()}
            piece, _, _ = self.piece(volume, typst_code(volume.parts), 0, 1, {"elsewhere": elsewhere})
            made.append(_SetVolume(file=volume.file, pieces=(piece,), numbered=False))
        return made

    def once(self, fronts: Sequence[int]) -> tuple[list[_SetVolume], list[int]]:
        """Set all volumes, their fronts last, which have an assumed number of pages; return as `fronts`."""
        shared, at, set_, numbered = _Places(), 0, list[_SetText](), 0
        for number, (volume, front) in enumerate(zip(self.volumes, fronts, strict=True), 1):
            before = at + at % 2  # a volume begins on a right-hand page
            begun = before + front + (before + front) % 2  # and so does the text
            text = _SetText(_Places() if volume.own else shared, before, begun - numbered if self.apart else 0, begun)
            text, at = self.text(volume, number, text, before + front)
            set_.append(text)
            numbered = at - text.front + (at - text.front) % 2
        return self.fronts(set_)

    @property
    def apart(self) -> bool:
        return self.settings.print.book.folios == "apart"

    def text(self, volume: Volume, number: int, set_: _SetText, at: int) -> tuple[_SetText, int]:
        """Set the text of a volume after `at` pages, and what follows it; return it and the number of its last page."""
        pieces, known = list[_SetPiece](), set_.known
        for place, parts in enumerate((*volume.texts, volume.back)):
            text = place < len(volume.texts)
            start = set_.begun + 1 if place == 0 else at + 1
            begun = _BEGUN if text else ""
            if parts:
                data: dict[str, Any] = {} if text else {"places": known.places, "openings": known.openings}
                data |= {"own": []} if volume.own and not text else {}
                data |= {"front": set_.front} if self.apart else {}
                made, end, found = self.piece(volume, begun + typst_code(parts), at, start, data, asks=True)
                known.add(found, number, at - at % 2, set_)
                pieces.append(made)
                at = end
        return replace(set_, pieces=pieces), at

    def fronts(self, set_: Sequence[_SetText]) -> tuple[list[_SetVolume], list[int]]:
        """Set the pages before the text of each volume; return the volumes, and the number of these pages."""
        made, counts = [], []
        starts = {_divisions(volume)[0]: volume.name for volume in self.volumes if volume.name and not volume.own}
        for volume, text in zip(self.volumes, set_, strict=True):
            found: dict[str, Any] = dict.fromkeys(_divisions(volume), (None, "000")) if volume.own else {}
            found |= text.known.divisions
            given: dict[str, Any] = {"divisions": found, "volumes": starts}
            given |= {"own": list(found)} if volume.own else {}
            given |= {"front": _NEVER, "from": text.before} if self.apart else {}
            front, end = [], text.before
            if volume.front:
                piece, end, _ = self.piece(volume, typst_code(volume.front), text.before, text.before + 1, given)
                front = [piece]
            counts.append(end - text.before)
            begun = (text.begun - text.before, text.begun - text.front + 1) if self.apart else None
            made.append(_SetVolume(file=volume.file, pieces=(*front, *text.pieces), before=text.before, text=begun))
        return made, counts


def set_volumes(
    volumes: Sequence[Volume], settings: OutputSettings, used: tuple[Substitution, ...], check: bool = False
) -> tuple[list[bytes], tuple[Finding, ...]]:
    """Return volumes as PDFs and, as `typeset`, findings. Raises RenderError with Typst's own message."""
    setting = _Setting(volumes, settings, used, check)
    if any(part.kind == "page" for volume in volumes for part in volume.parts):
        made = setting.leaves()
        return [_join(made, number) for number in range(1, len(made) + 1)], tuple(setting.findings)
    _, fronts = setting.fronts([_SetText(_Places()) for _ in volumes])
    for _ in range(_ROUNDS):
        made, counts = setting.once(fronts)
        if counts == fronts:
            return [_join(made, number) for number in range(1, len(made) + 1)], tuple(setting.findings)
        fronts = counts
    raise RenderError("the number of pages before the text changes each time that they are set",
                      mend="set the book as one: remove `volumes` from [print]")


def _divisions(volume: Volume) -> list[str]:
    return [id_ for part in volume.parts for id_ in part.divisions]


def _join(volumes: Sequence[_SetVolume], number: int) -> bytes:
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

    def finish(self, volumes: Sequence[_SetVolume], number: int) -> None:
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
        if volume.text:
            begun, first = volume.text
            self.pdf.Root.PageLabels = Dictionary(Nums=Array([
                0, Dictionary(S=Name.r), begun, Dictionary(S=Name.D, St=first)]))
        elif volume.before and volume.numbered:
            self.pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.D, St=volume.before + 1)]))
        said = self.pdf.Root.Metadata.read_bytes()
        own = b64encode(md5(b"".join(piece.document for piece in volume.pieces), usedforsecurity=False).digest())
        said = _COUNTED.sub(b"<xmpTPg:NPages>%d<" % len(self.pdf.pages), said)
        self.pdf.Root.Metadata.write(_NAMED.sub(lambda found: found[1] + own, said))

    def lead(self, link: Any, volumes: Sequence[_SetVolume], number: int) -> None:
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
