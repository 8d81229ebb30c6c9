"""Match the editor's lines with the units and notes of the text as it reads now.

A line fits if its characters are those of the unit with its reference. Otherwise a finding reports the difference, and
the marks are carried over to the unit that the line is about, whatever its number is now: a closing or separating mark
stays with the character before it, an opening one with the character after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from jiaokan.decisions.punctuation.files import PunctuatedLine
from jiaokan.decisions.punctuation.notation import TypedMark, TypedName, TypedText, faults, write_notation
from jiaokan.errors import Finding, Message
from jiaokan.model import Document, Note, Unit
from jiaokan.model.marks import OPENING, graphs
from jiaokan.model.pointers import order_key
from jiaokan.model.text import edited
from jiaokan.model.walk import walk

CARRY = Message("compare-two-rewrites-lines-present")
NEARLY = 0.8
"""Similarity of a unit before and after small changes; units that were split or joined mostly have less."""
_AROUND = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedLine:
    """The marks of a unit or note as it reads now, and their line."""

    ref: str
    text: TypedText
    line: PunctuatedLine
    changed: tuple[tuple[int, str, str], ...] = ()
    """Differences of the line, as in `CarriedText.changes`."""
    lost: tuple[str, ...] = ()
    """Marks of the line without a place."""


@dataclass
class LineMatches:
    """The matches of all lines."""

    streams: dict[tuple[str, bool], dict[str, str]] = field(default_factory=dict)
    """The units, and the notes, of each chapter."""
    lines: dict[str, MatchedLine] = field(default_factory=dict)
    """By the reference of the unit or note."""
    unmatched: list[PunctuatedLine] = field(default_factory=list)
    """Lines whose words are nowhere in the text."""
    absent: dict[str, list[PunctuatedLine]] = field(default_factory=dict)
    """Lines of chapters that the text does not have, by chapter."""
    merged: list[PunctuatedLine] = field(default_factory=list)
    """Lines whose marks went to units that have more of another line."""
    findings: list[Finding] = field(default_factory=list)


def graphs_by_ref(document: Document) -> dict[str, str]:
    """Return the characters of each unit and note of a text, by reference without the text's name."""
    return {item.id.partition(".")[2]: graphs(edited(item.content))
            for item in walk(document) if isinstance(item, Unit | Note) and item.id}


def match_lines(lines: Sequence[PunctuatedLine], texts: Mapping[str, str]) -> LineMatches:
    """Match lines with the units and notes of a text, as `graphs_by_ref` returns them."""
    matches = LineMatches()
    for ref, text in texts.items():
        matches.streams.setdefault(_stream(ref), {})[ref] = text
    rest: list[PunctuatedLine] = []
    for line in lines:
        if texts.get(line.ref) == line.text.graphs:
            matches.lines[line.ref] = MatchedLine(ref=line.ref, text=line.text, line=line)
        elif any((_stream(line.ref)[0], note) in matches.streams for note in (False, True)):
            rest.append(line)
        else:
            matches.absent.setdefault(_stream(line.ref)[0], []).append(line)
    matches.findings += [Finding(
        rule="punctuation-lost", place=lines[0].place(1), severity="warning",
        message=Message("text-no-chapter-lines-not", chapter=chapter, count=len(lines)),
        mend=Message("add-chapter-edition-plan-delete"),
    ) for chapter, lines in matches.absent.items()]
    rest = _similar(matches, _similar(matches, rest, 1.0), NEARLY)
    rest = _similar(matches, _align_split_units(matches, rest), ALIKE)
    matches.unmatched = rest
    for line in rest:
        there = texts.get(line.ref)
        words = f"「{there[:20]}{'…' if len(there) > 20 else ''}」" if there else ""
        problem = f"{line.ref} reads {words}" if words else Message("reference-missing", reference=line.ref)
        matches.findings.append(Finding(
            rule="punctuation-lost", place=line.place(1),
            message=Message("nothing-chapter-similar-line-not", has=problem, graph=line.text.graphs[:20]),
            mend=Message("give-line-reference-unit-keeps"),
        ))
    return matches


def _free(matches: LineMatches, like: PunctuatedLine) -> dict[str, str]:
    """Return the units (or notes, for a line of a note) of the line's chapter that have no line yet."""
    return {ref: text for ref, text in matches.streams.get(_stream(like.ref), {}).items() if ref not in matches.lines}


def _stream(ref: str) -> tuple[str, bool]:
    """Return the chapter of a reference, and whether it is that of a note."""
    return ref.partition(".")[0], ".n" in ref


def _similar(matches: LineMatches, lines: list[PunctuatedLine], least: float) -> list[PunctuatedLine]:
    """Find the same units with other words, then the most similar ones with other numbers, the nearest of several, from
    a similarity on; return the lines that are left."""
    def far(other: str, here: str) -> tuple[int, str]:
        numbers = [[number for _, _, number in order_key(ref)] for ref in (other, here)]
        return sum(abs(a - b) * 100 ** (6 - n) for n, (a, b) in enumerate(zip(*numbers, strict=False))), other

    for elsewhere in (False, True):
        rest = []
        for line in lines:
            free, ref, graphs = _free(matches, line), line.ref, line.text.graphs
            if elsewhere:
                near = [(-similarity, *far(ref, line.ref)) for ref in free
                        if (similarity := alike(graphs, free[ref], least))]
                ref = min(near)[-1] if near else ""
            there = free.get(ref, "")
            if there and alike(graphs, there, least):
                _add_carried(matches, line, ref, carry(line.text, there))
            else:
                rest.append(line)
        lines = rest
    return lines


def _align_split_units(matches: LineMatches, lines: Sequence[PunctuatedLine]) -> list[PunctuatedLine]:
    """Align the joined lines of a chapter with its joined units without a line, for units that were split or joined."""
    rest: list[PunctuatedLine] = []
    for stream in dict.fromkeys(_stream(line.ref) for line in lines):
        chapter_lines = [line for line in lines if _stream(line.ref) == stream]
        free = _free(matches, chapter_lines[0])
        free = {ref: text for ref, text in free.items() if any(_part(text, line.text.graphs) for line in chapter_lines)}
        there = "".join(free.values())
        rest += [line for line in chapter_lines if not _part(line.text.graphs, there)]
        chapter_lines = [line for line in chapter_lines if _part(line.text.graphs, there)]
        if not chapter_lines:
            continue
        whole = carry(join_texts([line.text for line in chapter_lines]), there)
        used: set[str] = set()
        for (ref, text), piece in zip(free.items(), split_text(whole.text, [len(unit) for unit in free.values()]),
                                      strict=True):
            changed = {n: carry(line.text, text).changes for n, line in enumerate(chapter_lines)}
            new = {n: sum(len(words) for _, _, words in changes) for n, changes in changed.items()}
            line, changes = chapter_lines[best := min(new, key=new.__getitem__)], changed[best]
            if new[best] < len(text) * ALIKE and (piece.text.marks or piece.text.names):
                used.add(line.ref)
                _add_carried(matches, line, ref, CarriedText(text=piece.text, changes=changes, lost=piece.lost))
        matches.merged += [line for line in chapter_lines if line.ref not in used]
    return rest


def _part(text: str, other: str) -> bool:
    """Whether the longer of two texts nearly contains the shorter; False for an empty one."""
    return bool(text and other) and fuzz.partial_ratio(text, other) >= 100 * NEARLY


def _add_carried(matches: LineMatches, line: PunctuatedLine, ref: str, carried: CarriedText) -> None:
    matches.lines[ref] = MatchedLine(ref=ref, text=carried.text, line=line, changed=carried.changes, lost=carried.lost)
    if not carried.changes and not carried.lost:
        matches.findings.append(Finding(
            rule="punctuation-moved", place=line.place(1), severity="warning",
            message=Message("now-same-words", ref=line.ref, ref2=ref), mend=CARRY,
        ))
        return
    at, old, new = next(iter(carried.changes), (len(line.text.graphs), "", ""))
    columns = line.text.columns
    column = columns[at] if at < len(columns) else (columns[-1] + 1 if columns else 1)
    around = line.text.graphs[max(0, at - _AROUND) : at]
    where = f"after 「{around}」" if around else Message("at-beginning")
    more = Message("differs-further-places", count=len(carried.changes) - 1) if len(carried.changes) > 1 else ""
    named = ref if ref == line.ref else Message("reference-now", reference=line.ref, now=ref)
    gone = Message("no-place-left", lost="、".join(carried.lost)) if carried.lost else ""
    matches.findings.append(Finding(
        rule="punctuation-words", place=line.place(column), mend=CARRY,
        message=Message("line-carried-over", reference=named, where=where, was=_in_brackets(old), now=_in_brackets(new),
                        more=more, gone=gone),
    ))


def _in_brackets(words: str) -> str:
    return f"「{words}」" if words else "nothing"


ALIKE = 0.6
"""Normalised Levenshtein similarity from which a text is a later state of another (docs/development/measured.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedText:
    """Marks and names of a text on another, and the lost ones."""

    text: TypedText
    changes: tuple[tuple[int, str, str], ...]
    """The differences: the number of old characters before, the old characters, the new ones."""
    lost: tuple[str, ...] = ()
    """Marks and names without a place in the new text, each with the adjacent characters."""


def alike(text: str, other: str, least: float = ALIKE) -> float:
    """Return the similarity of two texts, from 0 to 1; 0 if below `least`."""
    return Levenshtein.normalized_similarity(text, other, score_cutoff=least)


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
        survives, place = places[beside] if 0 <= beside < len(places) else (False, 0)
        at = place + 1 if survives and not opens else place
        marks.append(replace(mark, at=at))
    names = []
    for name in old.names:
        new = [place for survives, place in places[name.start : name.end] if survives]
        if new and new[-1] - new[0] < 2 * (name.end - name.start):
            names.append(replace(name, start=new[0], end=new[-1] + 1))
        else:
            lost.append(f"_{old.graphs[name.start : name.end]}_")
    text, dropped = _without_faults(replace(old, graphs=graphs, columns=(), marks=tuple(marks), names=tuple(names),
                                            faults=()))
    changes = tuple((a, old.graphs[a:b], graphs[c:d]) for a, b, c, d in _join_changes(steps))
    return CarriedText(text=text, changes=changes, lost=(*lost, *dropped))


def _join_changes(steps: Sequence[tuple[str, int, int, int, int]]) -> list[tuple[int, int, int, int]]:
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


def join_texts(texts: Sequence[TypedText]) -> TypedText:
    """Join texts."""
    at, marks, names = 0, [], []
    for text in texts:
        marks += [replace(mark, at=mark.at + at) for mark in text.marks]
        names += [replace(name, start=name.start + at, end=name.end + at) for name in text.names]
        at += len(text.graphs)
    return TypedText(graphs="".join(text.graphs for text in texts), columns=(), marks=tuple(marks), names=tuple(names))


def split_text(text: TypedText, sizes: Sequence[int]) -> list[CarriedText]:
    """Split a text into pieces of these sizes; marks and names that are invalid in a piece are lost. A mark between
    two pieces belongs to that of the character to which it is attached."""
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
    return f"{ref}\t{write_notation(text.graphs, text.marks, text.names)}"
