"""Carry marks and names over to a changed text, by an alignment of the two texts.

A closing or separating mark stays with the character before it, an opening one with the character after it. If that
character is gone, the mark is put in its place, or reported as lost if no mark can be there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from pipeline.decisions.punctuation.notation import TypedMark, TypedName, TypedText, faults, written
from pipeline.model.marks import OPENING

ALIKE = 0.6
"""Normalised Levenshtein similarity from which one text is a later state of the other. Re-collation changes a character
in ten at most, and different notes on one unit have under 0.3 in common; any value between gives the same on our texts.
Lower, marks end up in another text; higher, a short unit of which half is new counts as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedText:
    """Marks and names of a text on another, and the lost ones."""

    text: TypedText
    changes: tuple[tuple[int, str, str], ...]
    """The differences: the number of old characters before, the old characters, the new ones."""
    lost: tuple[str, ...] = ()
    """Marks and names without a place in the new text, each with the adjacent characters."""


def alike(one: str, other: str) -> float:
    """Return the similarity of two texts, from 0 to 1; 0 if below `ALIKE`."""
    return Levenshtein.normalized_similarity(one, other, score_cutoff=ALIKE)


def carry(old: TypedText, graphs: str) -> CarriedText:
    """Carry the marks and names of a text over to another."""
    steps = [(s.tag, s.src_start, s.src_end, s.dest_start, s.dest_end)
             for s in Levenshtein.opcodes(old.graphs, graphs)]
    places = [(False, 0)] * len(old.graphs)
    """For each old character whether the new text has it, and its place there, or where it was."""
    for tag, start, end, there, _ in steps:
        for n in range(start, end):
            places[n] = (False, there) if tag == "delete" else (True, there + n - start)
    marks: list[TypedMark] = []
    lost: list[str] = []
    for mark in old.marks:
        opens = mark.sign in OPENING
        beside = mark.at if opens else mark.at - 1
        kept, place = places[beside] if 0 <= beside < len(places) else (False, 0)
        at = place + 1 if kept and not opens else place
        marks.append(replace(mark, at=at))
    names = []
    for name in old.names:
        new = [place for kept, place in places[name.start : name.end] if kept]
        if new and new[-1] - new[0] < 2 * (name.end - name.start):
            names.append(replace(name, start=new[0], end=new[-1] + 1))
        else:
            lost.append(f"_{old.graphs[name.start : name.end]}_")
    text, dropped = _without_faults(replace(old, graphs=graphs, columns=(), marks=tuple(marks), names=tuple(names),
                                            faults=()))
    changes = tuple((a, old.graphs[a:b], graphs[c:d]) for a, b, c, d in _joined(steps))
    return CarriedText(text=text, changes=changes, lost=(*lost, *dropped))


def _joined(steps: Sequence[tuple[str, int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    out: list[tuple[int, int, int, int]] = []
    for tag, a, b, c, d in steps:
        if tag == "equal":
            continue
        if out and out[-1][1] == a and out[-1][3] == c:
            out[-1] = (out[-1][0], b, out[-1][2], d)
        else:
            out.append((a, b, c, d))
    return out


def _without_faults(text: TypedText) -> tuple[TypedText, list[str]]:
    """Return a text without its invalid marks, and these with the characters before them."""
    marks, lost = list(text.marks), list[str]()
    while True:
        numbered = [replace(mark, column=n + 1) for n, mark in enumerate(marks)]
        fault = next(faults(replace(text, marks=tuple(numbered))), None)
        if fault is None:
            return replace(text, marks=tuple(marks)), lost
        at = fault.column - 1
        parting = [n for n, mark in enumerate(marks) if mark.at == marks[at].at and mark.sign in "。，、；：？！·"]
        mark = marks.pop(parting[1] if len(parting) > 1 else at)  # of several separating marks in one place the second
        lost.append(f"{text.graphs[max(0, mark.at - 2) : mark.at]}{mark.sign}")


def joined(texts: Sequence[TypedText]) -> TypedText:
    """Join texts."""
    at, marks, names = 0, [], []
    for text in texts:
        marks += [replace(mark, at=mark.at + at) for mark in text.marks]
        names += [replace(name, start=name.start + at, end=name.end + at) for name in text.names]
        at += len(text.graphs)
    return TypedText(graphs="".join(text.graphs for text in texts), columns=(), marks=tuple(marks), names=tuple(names))


def parted(text: TypedText, sizes: Sequence[int]) -> list[CarriedText]:
    """Split a text into pieces of these sizes; marks and names that are invalid in a piece are lost.

    A mark between two pieces belongs to that of the character to which it is attached.
    """
    out, begun = [], 0
    for size in sizes:
        end = begun + size
        marks = [replace(mark, at=mark.at - begun) for mark in text.marks
                 if (begun <= mark.at < end if mark.sign in OPENING else begun < mark.at <= end)]
        names: list[TypedName] = []
        lost: list[str] = []
        for name in text.names:
            if begun <= name.start and name.end <= end:
                names.append(replace(name, start=name.start - begun, end=name.end - begun))
            elif begun <= name.start < end:
                lost.append(f"_{text.graphs[name.start : name.end]}_")
        whole, dropped = _without_faults(TypedText(
            graphs=text.graphs[begun:end], columns=(), marks=tuple(marks), names=tuple(names),
        ))
        out.append(CarriedText(text=whole, changes=(), lost=(*lost, *dropped)))
        begun = end
    return out


def line(ref: str, text: TypedText) -> str:
    """Return the line of a file for a unit or note."""
    return f"{ref}\t{written(text.graphs, text.marks, text.names)}"
