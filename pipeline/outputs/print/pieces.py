"""A book set in pieces, so that Typst holds one of them at a time: volumes that share numbers, contents and indexes.

Typst holds a whole book in memory. So its document is cut where pages begin anyhow, each piece is set by a process of
its own, and what stands in others is given to it as data (``piece`` of measures.typ): the number of pages before it,
and for contents and indexes where things stand. `joined` makes one file of the pieces of a volume.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.errors import Finding, RenderError
from pipeline.outputs import OutputSettings
from pipeline.outputs.print.joined import SetPiece, SetVolume, address, joined
from pipeline.outputs.print.typst import Substitution, count_pages, typeset_piece
from pipeline.outputs.print.volumes import Volume, places, source
from pipeline.system.process import apart

_ROUNDS = 3
"""So often is a book set until its front takes as many pages as was thought: once, as its contents leave room for
numbers that they do not know yet; a second time where these have more than three digits."""
_BLANK = "#page(header: none, footer: none, foreground: none, [])\n"
_BEGUN = "#plain-pages.update(false)\n"


@dataclass(slots=True)
class _Standing:
    """Where things stand in what is set so far, each with the address where links lead and the number of its page."""

    divisions: dict[str, tuple[str, int]] = field(default_factory=dict)
    openings: list[int] = field(default_factory=list)
    places: dict[str, list[tuple[str, str, int, str]]] = field(default_factory=dict)

    def take(self, found: Mapping[str, Any], volume: int, shift: int, before: int) -> None:
        """Take what a piece says of itself: `shift` its pages on the whole, `before` those of the volumes before."""
        for id_, said, page, x, y in found["divisions"]:
            words = f"小节 {said}" if said else f"小节, 页 {page + shift}"  # as Typst says it of its own links
            at = address(volume, page + shift - before - 1, x, y, named=id_, said=words)
            self.divisions[id_] = (at, page + shift)
        self.openings += [page + shift for page in found["openings"]]
        for index, marks in found["places"].items():
            self.places.setdefault(index, []).extend(
                (key, place, page + shift, address(volume, page + shift - before - 1, x, y))
                for key, place, page, x, y in marks)


    def told(self, volume: Volume) -> dict[str, object]:
        """Give what indexes are told."""
        return {"places": self.places, "openings": self.openings, **({"own": []} if volume.own else {})}


@dataclass(frozen=True, slots=True)
class _SetText:
    """The text of a volume, set."""

    known: _Standing
    """What its contents can tell."""
    before: int = 0
    """So many pages stand before the volume."""
    pieces: Sequence[SetPiece] = ()


@dataclass(slots=True)
class _Setting:
    """A book that is being set."""

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
        told = {"before": shift, "volume": volume.name, **known}
        code = volume.head + _BLANK * (start - 1 - shift) + code
        document, said, found = apart(typeset_piece, code, self.settings, self.used, told, asks)
        self.findings.update(dict.fromkeys(said))
        return SetPiece(document=document, dropped=at - shift), shift + count_pages(document), found

    def leaves(self) -> list[SetVolume]:
        """Set volumes whose pages and their numbers are there: each is a piece by itself."""
        made = []
        for number, volume in enumerate(self.volumes, 1):
            elsewhere = {id_: address(n, page) for n, other in enumerate(self.volumes, 1) if n != number
                         for id_, page in places(other.parts).items()}
            piece, _, _ = self.piece(volume, source(volume.parts), 0, 1, {"elsewhere": elsewhere})
            made.append(SetVolume(file=volume.file, pieces=(piece,), numbered=False))
        return made

    def once(self, fronts: Sequence[int]) -> tuple[list[SetVolume], list[int]]:
        """Set all volumes, their fronts last; `fronts`: how many pages these are thought to take.

        Gives the volumes, and how many they take.
        """
        shared, at, set_ = _Standing(), 0, []
        for number, (volume, front) in enumerate(zip(self.volumes, fronts, strict=True), 1):
            before = at + at % 2  # a volume begins on a right-hand page
            known = _Standing() if volume.own else shared
            pieces, at = self.text(volume, number, known, before, before + front)
            set_.append(_SetText(known, before, pieces))
        return self.fronts(set_)

    def text(self, volume: Volume, number: int, known: _Standing, before: int, at: int) -> tuple[list[SetPiece], int]:
        """Set the text of a volume after so many pages, and what follows it; give also the number of its last page."""
        pieces: list[SetPiece] = []
        for place, parts in enumerate((*volume.texts, volume.back)):
            text = place < len(volume.texts)
            start = at + 1 + (at % 2 if place == 0 else 0)  # the text begins on a right-hand page, too
            begun = _BEGUN if text else ""
            if parts:
                told = {} if text else known.told(volume)
                made, end, found = self.piece(volume, begun + source(parts), at, start, told, asks=True)
                known.take(found, number, at - at % 2, before)
                pieces.append(made)
                at = end
        return pieces, at

    def fronts(self, set_: Sequence[_SetText]) -> tuple[list[SetVolume], list[int]]:
        """Set what stands before the text of each volume."""
        made, counts = [], []
        starts = {_divisions(volume)[0]: volume.name for volume in self.volumes if volume.name and not volume.own}
        for volume, text in zip(self.volumes, set_, strict=True):
            found: dict[str, Any] = dict.fromkeys(_divisions(volume), (None, "000")) if volume.own else {}
            found |= text.known.divisions
            given = {"divisions": found, "volumes": starts, **({"own": list(found)} if volume.own else {})}
            front, end = [], text.before
            if volume.front:
                piece, end, _ = self.piece(volume, source(volume.front), text.before, text.before + 1, given)
                front = [piece]
            counts.append(end - text.before)
            made.append(SetVolume(file=volume.file, pieces=(*front, *text.pieces), before=text.before))
        return made, counts


def set_volumes(
    volumes: Sequence[Volume], settings: OutputSettings, used: tuple[Substitution, ...]
) -> tuple[list[bytes], tuple[Finding, ...]]:
    """Set volumes, each as one PDF; give them with what Typst warned of.

    Raises RenderError with Typst's own message.
    """
    setting = _Setting(volumes, settings, used)
    if any(part.kind == "page" for volume in volumes for part in volume.parts):
        made = setting.leaves()
        return [joined(made, number) for number in range(1, len(made) + 1)], tuple(setting.findings)
    _, fronts = setting.fronts([_SetText(_Standing()) for _ in volumes])
    for _ in range(_ROUNDS):
        made, counts = setting.once(fronts)
        if counts == fronts:
            return [joined(made, number) for number in range(1, len(made) + 1)], tuple(setting.findings)
        fronts = counts
    raise RenderError("the pages before the text take more or fewer each time that they are set",
                      mend="set the book as one: take `volumes` out of [print]")


def _divisions(volume: Volume) -> list[str]:
    return [id_ for part in volume.parts for id_ in part.divisions]
