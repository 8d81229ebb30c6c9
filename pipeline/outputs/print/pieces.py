"""Set a book in pieces, as Typst holds a whole document in memory; volumes share numbers, contents and indexes.

Each piece is set in a process of its own. It gets what it needs of the others as data (``piece`` of measures.typ): the
number of pages before it and, for contents and indexes, the places of divisions and words. `joined` makes one file of
the pieces of a volume.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import Finding, RenderError
from pipeline.outputs import OutputSettings
from pipeline.outputs.print.joined import SetPiece, SetVolume, address, join_pieces
from pipeline.outputs.print.typst import Substitution, count_pages, typeset_piece
from pipeline.outputs.print.volumes import Volume, link_places, typst_code
from pipeline.system.process import apart

_ROUNDS = 3
"""Maximum number of times that a book is set, until its front takes as many pages as assumed: usually once, as contents
leave room for numbers of three digits."""
_BLANK = "#page(header: none, footer: none, foreground: none, [])\n"
_BEGUN = "#plain-pages.update(false)\n"


@dataclass(slots=True)
class _Places:
    """What is set so far: divisions and words of indexes, each with the address of its place and its page."""

    divisions: dict[str, tuple[str, int]] = field(default_factory=dict)
    openings: list[int] = field(default_factory=list)
    places: dict[str, list[tuple[str, str, int, str]]] = field(default_factory=dict)

    def add(self, found: Mapping[str, Any], volume: int, shift: int, before: int) -> None:
        """Add the places that Typst found in a piece, after `shift` pages of the book; `before`: those of volumes."""
        for id_, said, page, x, y in found["divisions"]:
            words = f"小节 {said}" if said else f"小节, 页 {page + shift}"  # as Typst says it of its own links
            at = address(volume, page + shift - before - 1, x, y, named=id_, said=words)
            self.divisions[id_] = (at, page + shift)
        self.openings += [page + shift for page in found["openings"]]
        for index, marks in found["places"].items():
            self.places.setdefault(index, []).extend(
                (key, place, page + shift, address(volume, page + shift - before - 1, x, y))
                for key, place, page, x, y in marks)

    def for_indexes(self, volume: Volume) -> dict[str, object]:
        """Return the data of indexes."""
        return {"places": self.places, "openings": self.openings, **({"own": []} if volume.own else {})}


@dataclass(frozen=True, slots=True)
class _SetText:
    """The text of a volume, set."""

    known: _Places
    """The places that its contents list."""
    before: int = 0
    """Number of pages before the volume."""
    pieces: Sequence[SetPiece] = ()


@dataclass(slots=True)
class _Setting:

    volumes: Sequence[Volume]
    settings: OutputSettings
    used: tuple[Substitution, ...]
    findings: dict[Finding, None] = field(default_factory=dict)

    def piece(
        self, volume: Volume, code: str, at: int, start: int, known: Mapping[str, Any], *, asks: bool = False
    ) -> tuple[SetPiece, int, dict[str, Any]]:
        """Set a piece whose first page is the page `start` of the book, after `at` pages that are set already.

        Return it, the number of pages set with it, and, if it `asks`, where things stand in it. Odd pages of the piece
        are odd pages of the book.
        """
        shift = at - at % 2
        data = {"before": shift, "volume": volume.name, **known}
        code = volume.head + _BLANK * (start - 1 - shift) + code
        document, said, found = apart(typeset_piece, code, self.settings, self.used, data, asks)
        self.findings.update(dict.fromkeys(said))
        return SetPiece(document=document, dropped=at - shift), shift + count_pages(document), found

    def leaves(self) -> list[SetVolume]:
        """Set volumes of pages in columns: each is one piece, as all its numbers are known."""
        made = []
        for number, volume in enumerate(self.volumes, 1):
            elsewhere = {id_: address(n, page) for n, other in enumerate(self.volumes, 1) if n != number
                         for id_, page in link_places(other.parts).items()}
            piece, _, _ = self.piece(volume, typst_code(volume.parts), 0, 1, {"elsewhere": elsewhere})
            made.append(SetVolume(file=volume.file, pieces=(piece,), numbered=False))
        return made

    def once(self, fronts: Sequence[int]) -> tuple[list[SetVolume], list[int]]:
        """Set all volumes, their fronts last; `fronts`: the assumed number of pages of each.

        Return the volumes and the number of pages that their fronts take.
        """
        shared, at, set_ = _Places(), 0, []
        for number, (volume, front) in enumerate(zip(self.volumes, fronts, strict=True), 1):
            before = at + at % 2  # a volume begins on a right-hand page
            known = _Places() if volume.own else shared
            pieces, at = self.text(volume, number, known, before, before + front)
            set_.append(_SetText(known, before, pieces))
        return self.fronts(set_)

    def text(self, volume: Volume, number: int, known: _Places, before: int, at: int) -> tuple[list[SetPiece], int]:
        """Set the text of a volume after `at` pages, and what follows it; return it and the number of its last page."""
        pieces: list[SetPiece] = []
        for place, parts in enumerate((*volume.texts, volume.back)):
            text = place < len(volume.texts)
            start = at + 1 + (at % 2 if place == 0 else 0)  # the text begins on a right-hand page, too
            begun = _BEGUN if text else ""
            if parts:
                data = {} if text else known.for_indexes(volume)
                made, end, found = self.piece(volume, begun + typst_code(parts), at, start, data, asks=True)
                known.add(found, number, at - at % 2, before)
                pieces.append(made)
                at = end
        return pieces, at

    def fronts(self, set_: Sequence[_SetText]) -> tuple[list[SetVolume], list[int]]:
        """Set the pages before the text of each volume; return the volumes, and the number of these pages."""
        made, counts = [], []
        starts = {_divisions(volume)[0]: volume.name for volume in self.volumes if volume.name and not volume.own}
        for volume, text in zip(self.volumes, set_, strict=True):
            found: dict[str, Any] = dict.fromkeys(_divisions(volume), (None, "000")) if volume.own else {}
            found |= text.known.divisions
            given = {"divisions": found, "volumes": starts, **({"own": list(found)} if volume.own else {})}
            front, end = [], text.before
            if volume.front:
                piece, end, _ = self.piece(volume, typst_code(volume.front), text.before, text.before + 1, given)
                front = [piece]
            counts.append(end - text.before)
            made.append(SetVolume(file=volume.file, pieces=(*front, *text.pieces), before=text.before))
        return made, counts


def set_volumes(
    volumes: Sequence[Volume], settings: OutputSettings, used: tuple[Substitution, ...]
) -> tuple[list[bytes], tuple[Finding, ...]]:
    """Return volumes as PDFs, and Typst's warnings. Raises RenderError with Typst's own message."""
    setting = _Setting(volumes, settings, used)
    if any(part.kind == "page" for volume in volumes for part in volume.parts):
        made = setting.leaves()
        return [join_pieces(made, number) for number in range(1, len(made) + 1)], tuple(setting.findings)
    _, fronts = setting.fronts([_SetText(_Places()) for _ in volumes])
    for _ in range(_ROUNDS):
        made, counts = setting.once(fronts)
        if counts == fronts:
            return [join_pieces(made, number) for number in range(1, len(made) + 1)], tuple(setting.findings)
        fronts = counts
    raise RenderError("the number of pages before the text changes each time that they are set",
                      mend="set the book as one: remove `volumes` from [print]")


def _divisions(volume: Volume) -> list[str]:
    return [id_ for part in volume.parts for id_ in part.divisions]
