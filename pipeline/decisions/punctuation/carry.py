"""Marks and names carried over to a text that has changed, by the alignment of the two.

A mark stays with the graph beside which it stands: what closes or parts with the one before it, what opens with the one
after it. Where that graph is gone it comes to stand where it was, unless no mark can stand there; then it is given back
as lost, so that a person can decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from pipeline.decisions.punctuation.notation import TypedMark, TypedName, TypedText, faults, written
from pipeline.model.marks import OPENING

ALIKE = 0.6
"""So much of two texts must be equal (normalised Levenshtein similarity) for the one to be the other as it reads now.
Re-collation changes a graph in ten at most, and different notes on one unit have under 0.3 in common; between these
any value gives the same on our texts. Lower, marks come to stand in another text; higher, a short unit of which half
is new is given back as lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedText:
    """Marks and names of a text on another, and what of them had to be left."""

    text: TypedText
    changes: tuple[tuple[int, str, str], ...]
    """Where the two differ: how many graphs of the old stand before it, what it has there, what the new has."""
    lost: tuple[str, ...] = ()
    """Marks and names without a place in the new text, each with the words beside it."""


def alike(one: str, other: str) -> float:
    """Give how much two texts have in common, from 0 to 1."""
    return Levenshtein.normalized_similarity(one, other, score_cutoff=ALIKE)


def carry(old: TypedText, graphs: str) -> CarriedText:
    """Carry the marks and names of a text over to another."""
    steps = [(s.tag, s.src_start, s.src_end, s.dest_start, s.dest_end)
             for s in Levenshtein.opcodes(old.graphs, graphs)]
    places = _places(steps, len(old.graphs))
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
        there = [place for kept, place in places[name.start : name.end] if kept]
        if there and there[-1] - there[0] < 2 * (name.end - name.start):
            names.append(replace(name, start=there[0], end=there[-1] + 1))
        else:
            lost.append(f"_{old.graphs[name.start : name.end]}_")
    text, dropped = _without_faults(replace(old, graphs=graphs, columns=(), marks=tuple(marks), names=tuple(names),
                                            faults=()))
    changes = tuple((a, old.graphs[a:b], graphs[c:d]) for a, b, c, d in _joined(steps))
    return CarriedText(text=text, changes=changes, lost=(*lost, *dropped))


def _places(steps: Sequence[tuple[str, int, int, int, int]], length: int) -> list[tuple[bool, int]]:
    """Give for each graph of the old text whether the new one has one for it, and its place, or where it was."""
    places = [(False, 0)] * length
    for tag, start, end, there, _ in steps:
        for n in range(start, end):
            places[n] = (False, there) if tag == "delete" else (True, there + n - start)
    return places


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
    """Give a text without those marks that cannot stand in it any more, and these with the words before them."""
    marks, lost = list(text.marks), list[str]()
    while True:
        numbered = [replace(mark, column=n + 1) for n, mark in enumerate(marks)]
        fault = next(faults(replace(text, marks=tuple(numbered))), None)
        if fault is None:
            return replace(text, marks=tuple(marks)), lost
        at = _blamed(numbered, fault.column - 1)
        mark = marks.pop(at)
        lost.append(f"{text.graphs[max(0, mark.at - 2) : mark.at]}{mark.sign}")


def _blamed(marks: Sequence[TypedMark], at: int) -> int:
    """Give which mark is to go: of several in one place the second that parts, else the one at fault."""
    same = [n for n, mark in enumerate(marks) if mark.at == marks[at].at]
    parting = [n for n in same if marks[n].sign in "。，、；：？！·"]
    return parting[1] if len(parting) > 1 else at


def joined(texts: Sequence[TypedText]) -> TypedText:
    """Put texts one after the other."""
    at, marks, names = 0, [], []
    for text in texts:
        marks += [replace(mark, at=mark.at + at) for mark in text.marks]
        names += [replace(name, start=name.start + at, end=name.end + at) for name in text.names]
        at += len(text.graphs)
    return TypedText(graphs="".join(text.graphs for text in texts), columns=(), marks=tuple(marks), names=tuple(names))


def parted(text: TypedText, sizes: Sequence[int]) -> list[CarriedText]:
    """Take a text apart into pieces of so many graphs each; what cannot stand in its piece alone is lost."""
    out, begun = [], 0
    for size in sizes:
        end = begun + size
        marks = [replace(mark, at=mark.at - begun) for mark in text.marks if _in(mark, begun, end)]
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


def _in(mark: TypedMark, start: int, end: int) -> bool:
    """Tell whether a mark belongs to a stretch of graphs: at its bounds by the graph beside which it stands."""
    return start <= mark.at < end if mark.sign in OPENING else start < mark.at <= end


def line(ref: str, text: TypedText) -> str:
    """Give the line of a file for a unit or note."""
    return f"{ref}\t{written(text.graphs, text.marks, text.names)}"
