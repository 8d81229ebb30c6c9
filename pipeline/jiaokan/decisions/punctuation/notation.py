"""Parse and write the notation of punctuation and names in a line of text: ``“_周公_若曰”，``.

A name is between underscores, with an id after a bar if the form alone is ambiguous (``_郑|zhengxuan_``); a title is in
《》. After a mark or the closing underscore of a name, ``?`` (ASCII) marks low certainty, and ``{…}`` contains the
evidence if it is not that of the file's head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jiaokan.errors import Message
from jiaokan.model.marks import MARKS, OPENING, OWN, PAIRS, STRAIGHT

NAME, BAR, LOW = "_", "|", "?"
_ID = re.compile(r"[a-z][a-z0-9-]*")
_GROUNDS = r"(?P<low>\??)(?:\{(?P<why>[^{}]*)\})?"
_MARK = re.compile(f"[{''.join(sorted(MARKS))}]{_GROUNDS}")
_END = re.compile(rf"(?:_|\|(?P<id>[^_]*)_?){_GROUNDS}")
"""The end of an open name: an underscore, or a bar, an id and an underscore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedMark:
    """A mark between two graphs."""

    sign: str
    at: int
    """The number of characters of the text before it."""
    column: int = 0
    low: bool = False
    why: str = ""
    """Its evidence, if not that of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedName:
    """A name: the characters from `start` to before `end`."""

    start: int
    end: int
    id: str = ""
    column: int = 0
    low: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class LineFault:
    """A fault in a line, at a column from 1."""

    column: int
    message: str
    mend: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedText:
    """The text of a line, and its marks and names."""

    graphs: str
    columns: tuple[int, ...]
    marks: tuple[TypedMark, ...]
    names: tuple[TypedName, ...]
    faults: tuple[LineFault, ...] = ()


def read(line: str, offset: int = 0) -> TypedText:
    """Parse what an editor typed after `offset` characters of a line, which columns count too."""
    graphs, columns = list[str](), list[int]()
    marks, names, faults = list[TypedMark](), list[TypedName](), list[LineFault]()
    opened: tuple[int, int] | None = None
    """The beginning of the open name: characters before it, column."""
    at = 0
    while at < len(line):
        char, column = line[at], offset + at + 1
        if char in MARKS and (mark := _MARK.match(line, at)):
            marks.append(TypedMark(sign=char, at=len(graphs), column=column, low=bool(mark["low"]), why=_why(mark)))
            at = mark.end()
            continue
        if opened and (end := _END.match(line, at)):
            (start, begun), opened, ref = opened, None, end["id"] or ""
            if end["id"] is not None and not _ID.fullmatch(ref):
                faults.append(LineFault(column, Message("not-id", ref=ref),
                                        Message("after-write-id-persons-toml")))
            if start == len(graphs):
                faults.append(LineFault(begun, Message("empty-name"), Message("write-before-after-characters")))
            else:
                names.append(TypedName(start=start, end=len(graphs), id=ref, column=begun, low=bool(end["low"]),
                                       why=_why(end)))
            at = end.end()
            continue
        at += 1
        if char == NAME:
            opened = (len(graphs), column)
        elif char in OWN or char in STRAIGHT:
            meant = OWN.get(char) or STRAIGHT[char]
            faults.append(LineFault(column, Message("not-mark-notation", char=char),
                                    Message("write-meant", meant=" or ".join(meant))))
        elif char.isspace():
            faults.append(LineFault(column, Message("white-space-text"), Message("delete-it")))
        elif char in "{}":
            faults.append(LineFault(column, Message("not-follow-mark", char=char), Message("write-right-after-mark")))
        else:
            graphs.append(char)
            columns.append(column)
    if opened:
        faults.append(LineFault(opened[1], Message("name-not-closed"), Message("write-after-last-character")))
    return TypedText(graphs="".join(graphs), columns=tuple(columns), marks=tuple(marks), names=tuple(names),
                     faults=tuple(faults))


def _why(match: re.Match[str]) -> str:
    return (match["why"] or "").strip()


def write_notation(graphs: str, marks: Iterable[TypedMark], names: Iterable[TypedName]) -> str:
    """Write a text with its marks and names in the notation."""
    outer_first = sorted(names, key=lambda name: (name.start, -name.end))
    parts = [  # characters before it, rank there (ends of names, then marks, names, the character), what it is
        *((name.end, 0, f"{BAR + name.id if name.id else ''}{NAME}{_doubt_and_reason(name.low, name.why)}")
          for name in reversed(outer_first)),
        *((mark.at, 2 if mark.sign in OPENING else 1, f"{mark.sign}{_doubt_and_reason(mark.low, mark.why)}")
          for mark in marks),
        *((name.start, 3, NAME) for name in outer_first), *((n, 4, graph) for n, graph in enumerate(graphs)),
    ]
    return "".join(text for *_, text in sorted(parts, key=lambda part: part[:2]))


def _doubt_and_reason(low: bool, why: str) -> str:
    return (LOW if low else "") + (f"{{{why}}}" if why else "")


def faults(text: TypedText) -> Iterator[LineFault]:
    """Yield the faults of the marks of a line: of pairs, order and places, and marks inside names."""
    yield from text.faults
    yield from unpaired_faults(text.marks)
    slots: dict[int, list[TypedMark]] = {}
    for mark in text.marks:
        slots.setdefault(mark.at, []).append(mark)
    for at, marks in slots.items():
        signs = "".join(mark.sign for mark in marks)
        if not _SLOT.fullmatch(signs):
            yield LineFault(marks[0].column, Message("cannot-side-side", signs=signs),
                            Message("write-mark-place-closing-before"))
        elif at == 0 and marks[0].sign not in OPENING:
            yield LineFault(marks[0].column, Message("before-first-character", sign=marks[0].sign),
                            Message("put-end-unit-before-delete"))
        elif at == len(text.graphs) and marks[-1].sign in OPENING:
            yield LineFault(marks[-1].column, Message("opens-after-last-character", sign=marks[-1].sign),
                            Message("delete-it"))
    for name in text.names:
        inner = next((mark for mark in text.marks if name.start < mark.at < name.end and mark.sign != "·"), None)
        if inner:
            yield LineFault(inner.column, Message("inside-name", sign=inner.sign), Message("end-name-before"))


def unpaired_faults(marks: Sequence[TypedMark]) -> Iterator[LineFault]:
    """Yield pairs that are not closed, cross each other, or are nested in their own kind (GB/T 15834-2011, 4.8.3.4 and
    4.15.3.4: outside “ and 《, inside ‘ and 〈)."""
    closes = {close: opens for opens, close in PAIRS.items()}
    stack: list[TypedMark] = []
    for mark in marks:
        if mark.sign in PAIRS:
            if stack and stack[-1].sign == mark.sign and mark.sign in _INNER:
                yield LineFault(mark.column, Message("sign-inside-itself", sign=mark.sign),
                                Message("inside-write", inner=_INNER[mark.sign]))
            stack.append(mark)
        elif mark.sign in closes:
            if not stack or stack[-1].sign != closes[mark.sign]:
                message = Message("without-opening-mark", sign=mark.sign)
                if stack:
                    message = Message("not-match-open", sign=mark.sign, sign2=stack[-1].sign)
                yield LineFault(mark.column, message, Message("write-before-delete", close=closes[mark.sign]))
            else:
                stack.pop()
    for mark in stack:
        yield LineFault(mark.column, Message("not-closed", sign=mark.sign),
                        Message("write-ends-line", pair=PAIRS[mark.sign]))


_INNER = {"“": "‘", "《": "〈"}
_SLOT = re.compile(
    r"[”’》〉]*(?:(?:[。，、；：·]|[？！]{1,3})[”’》〉]*|[。？！][”’》〉]+[，。；：、][”’》〉]*)?"
    r"[“‘《〈]*"
)
"""Valid marks between two characters, in this order: closing, separating (？！ together: 4.3.3.3), closing, opening."""
