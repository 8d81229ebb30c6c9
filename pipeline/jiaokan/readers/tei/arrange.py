"""What the TEI reader records on its way; white space, points and the order of divisions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from jiaokan import model
from jiaokan.model.text import edited
from jiaokan.tei.apparatus import Sizes, Variation, base_words, bounds, ink, inner_items, refill, size
from jiaokan.tei.lossless import all_words

_WIDE_SPACE = "　"
_LAYOUT = " \t\r\n"
_PARTS = re.compile(f"({_WIDE_SPACE})")
_RUN = re.compile(r"[ \t\r\n]{2,}|[\t\r\n]")
"""White space of the layout, unless it is one blank."""
_WIDE = "⺀-鿿豈-﫿！-｠\U00020000-\U0010ffff"
_BESIDE = re.compile(f"(?<=[{_WIDE}]) | (?=[{_WIDE}])")
"""A blank beside a character that is written without blanks."""
_NO_NAME = re.compile(r"[^A-Za-z0-9._+-]")
"""Characters of element names that names of ledger rules cannot have: prefixes, graphs."""


class Point(Struct, frozen=True):
    """Where the entry of this key begins or ends; removed by `without_points`."""

    key: str
    side: Literal["start", "end"]


PASSAGE = "passage "
"""The key of a point where a numbered passage begins: this, a serial number, a colon, and its number in references."""


class Restored(Struct, frozen=True, kw_only=True):
    """Words inside a deletion that are not deleted."""

    content: tuple[model.Item, ...]


Part = model.Item | Point | Restored
"""What is in the text while it is read: the model's items, and what is removed before the document is made."""
BlockItem = model.Block | model.Division
"""What a division contains."""
T = TypeVar("T", bound=Part)
_Item = TypeVar("_Item")


def as_content(parts: Iterable[Part]) -> model.Content:
    """Return parts as the content of an item. Points may still be among them: the model has no type for them, and
    `without_points` removes them from all content."""
    return cast("model.Content", tuple(parts))


def split_runs(
    items: Iterable[_Item], divides: Callable[[_Item], bool]
) -> Iterator[tuple[list[_Item], _Item | None]]:
    """Yield the runs of items between those that divide them, each with the dividing item after it; the last with
    None."""
    run: list[_Item] = []
    for item in items:
        if divides(item):
            yield run, item
            run = []
        else:
            run.append(item)
    yield run, None


@dataclass(slots=True)
class RawEntry:
    """An entry whose ends are still points with its key."""

    key: str
    entry: Variation
    """All but its place."""
    turns: tuple[tuple[str, str, str], ...]
    """Where witnesses stop or begin to have text: (``from`` or ``to`` of the absence, witness, ``before`` or ``after``
    the entry)."""

    def place(self, points: Mapping[Point, int]) -> tuple[int, int] | None:
        """Return where it begins and ends, if both points were found."""
        start, end = points.get(Point(self.key, "start")), points.get(Point(self.key, "end"))
        return None if start is None or end is None else (start, max(start, end))


@dataclass(slots=True)
class ReaderRecord:
    """What the reader shows as something else, and what it leaves out."""

    shown: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Counts of elements that the model lacks, each with what it is shown as."""
    left_out: list[tuple[str, str]] = field(default_factory=list)
    """Elements that are left out, each with its words."""
    apps: int = 0
    """Number of ``app`` elements read."""
    nested: set[int] = field(default_factory=set)
    """Those in a reading of another."""
    noted: int = 0
    """Those of notes only, in a list of entries."""
    twice: list[tuple[int, str]] = field(default_factory=list)
    """Witnesses named in two readings of an entry: line and siglum."""

    def show_as(self, name: str, what: str) -> None:
        """Count an element that is shown as something else."""
        self.shown[name, what] += 1

    def leave_out(self, name: str, words: str) -> None:
        """Record words that are left out."""
        if words.strip():
            plain = _NO_NAME.sub("-", name.rpartition("}")[2])
            self.left_out.append((f"tei-{plain}", " ".join(words.split())))

    def ledger(self) -> tuple[tuple[str, str], ...]:
        """Return the record as the ledger of a document."""
        shown = [("tei-shown", f"{name} ×{count}: {what}") for (name, what), count in sorted(self.shown.items())]
        return (*self.left_out, *shown)


def one_line(text: str) -> str:
    """Return words with one blank between them, none beside a Chinese character."""
    return _BESIDE.sub("", " ".join(text.split()))


def first_name(words: str, otherwise: str) -> str:
    """Return the first word that can be a name in an attribute of ours, other characters as hyphens; `otherwise` if no
    word begins with a letter or digit."""
    return next((plain for word in words.split() if (plain := _NO_NAME.sub("-", word).lstrip("._+-"))), otherwise)


def tidy(items: Sequence[Part]) -> list[Part]:
    """Return content without the white space of the file's layout: one blank between words of letters; none beside a
    Chinese character, at the beginning and at the end. An ideographic space is the source's own."""
    if len(items) == 1 and isinstance(items[0], str) and items[0].isalnum():
        return [*items]
    return _Tidying().content(items)


@dataclass(slots=True)
class _Tidying:
    """`before` is the last character written, `pending` whether white space follows it."""

    before: str = ""
    pending: bool = False

    def content(self, items: Sequence[Part]) -> list[Part]:
        content: list[Part] = []
        words = ""
        for item in items:
            if isinstance(item, str):
                words += item
                continue
            if words:
                self._words(words, content)
                words = ""
            if isinstance(item, (model.Break, Point)):
                pass
            elif isinstance(item, (model.Supplied, model.Correction)):
                text = item.text if isinstance(item, model.Supplied) else item.sic
                content += self._blank(text)
                self.before = (text or getattr(item, "corr", ""))[-1:] or self.before
            elif isinstance(item, (model.Gap, model.Glyph)):
                content += self._blank("·" if self.before else "")
            elif not isinstance(item, (model.Note, model.NoteGroup)) and (inside := inner_items(item)) is not None:
                content += self._blank(first_character(inside))
                item = replace(item, content=tuple(self.content(inside)))
            content.append(item)
        if words:
            self._words(words, content)
        return content

    def _blank(self, following: str) -> str:
        """Return the blank due before these characters; empty if none is."""
        due = self.pending and self.before and following and not wide(self.before[-1]) and not wide(following[0])
        self.pending = self.pending and not following
        return " " if due else ""

    def _words(self, text: str, content: list[Part]) -> None:
        for part in _PARTS.split(text) if _WIDE_SPACE in text else (text,):
            if part == _WIDE_SPACE:
                self.pending = False
                content.append(model.Space(text=part))
            elif core := part.strip(_LAYOUT):
                self.pending = self.pending or part[0] in _LAYOUT
                words = core if len(core.split(None, 1)) == 1 else _BESIDE.sub("", _RUN.sub(" ", core))
                content.append(self._blank(core) + words if self.pending else words)
                self.before = core[-1]
                self.pending = part[-1] in _LAYOUT
            elif part:
                self.pending = True


def first_character(items: Sequence[Part]) -> str:
    """Return the first character of content, empty if that is white space."""
    for item in items:
        if isinstance(item, str) and item:
            return "" if item[0].isspace() else item[0]
        if isinstance(item, (model.Gap, model.Glyph)):
            return "·"
        if isinstance(item, model.Supplied):
            return item.text[:1]
        if (inside := inner_items(item)) and not isinstance(item, model.Note):
            return first_character(inside)
    return ""


def wide(char: str) -> bool:
    """Whether a character is written without blanks: Chinese, kana, and their punctuation."""
    return "⺀" <= char <= "鿿" or "豈" <= char <= "﫿" or "！" <= char <= "｠" or char >= "\U00020000"


_BLOCKS = (model.Division, model.Paragraph, model.Head, model.Trailer, model.Furniture, model.Line, model.Unit)


@dataclass(slots=True)
class Extents:
    """Where the parts of a text are, in the order of their ends."""

    sizes: Sizes = field(default_factory=Sizes)
    """Sizes of the items that hold others."""
    holders: list[tuple[int, int, int, bool]] = field(default_factory=lambda: [(0, 0, 0, True)])
    """Each item that holds others: its beginning and end, the number of the one around it, whether it is a block."""
    leaves: list[tuple[int, int, int]] = field(default_factory=list)
    """Each part that holds none: its beginning and end, the number of the item around it."""

    def pieces(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of a stretch, each inside one block, or one item in it that the stretch cuts."""
        pieces: list[tuple[int, int, int]] = []
        for number in range(bisect_right(self.leaves, start, key=itemgetter(1)), len(self.leaves)):
            first, last, holder = self.leaves[number]
            if first >= end:
                break
            first, last = max(first, start), min(last, end)
            while not self.holders[holder][3] and start <= self.holders[holder][0] and self.holders[holder][1] <= end:
                first, last, holder, _ = self.holders[holder]
            if pieces and pieces[-1][2] == holder:
                first = pieces.pop()[0]
            pieces.append((first, last, holder))
        return [(first, last) for first, last, _ in pieces]


def without_points(
    items: Sequence[T], points: dict[Point, int], at: int = 0, extents: Extents | None = None, around: int = 0
) -> tuple[tuple[T, ...], int]:
    """Return blocks or content without their points, and the place of their end; the places of the points go into
    `points`, those of all parts into `extents`; `around` is the number there of the item that holds these."""
    bare: list[T] = []
    for item in items:
        start = at
        if isinstance(item, str):
            at += ink(item)
            if bare and isinstance(bare[-1], str):
                bare[-1] += item  # type: ignore[assignment]  # both are strings, and T has them
            else:
                bare.append(item)
        elif isinstance(item, model.Break):
            bare.append(replace(item, rend="") if item.rend else item)
        elif isinstance(item, Point):
            points.setdefault(item, at)
        elif (inside := inner_items(item)) is None:
            at += size(item)
            bare.append(item)
        else:
            edge, number, leaves = bounds(item), 0, 0
            if extents is not None:
                number, leaves = len(extents.holders), len(extents.leaves)
                extents.holders.append((0, 0, 0, True))
            content, end = without_points(inside, points, at + edge, extents, number)
            at = end + edge
            bare.append(refill(item, content))
            if extents is not None:
                extents.sizes[id(bare[-1])] = at - start
                extents.holders[number] = start, at, around, isinstance(item, _BLOCKS)
                if len(extents.leaves) > leaves or isinstance(item, _BLOCKS):
                    continue
        if at > start and extents is not None:
            extents.leaves.append((start, at, around))
    return tuple(bare), at


def head_title(items: Sequence[Part], otherwise: str) -> str:
    """Return the words of the head among items; `otherwise` if it has none."""
    head = next((item.content for item in items if isinstance(item, model.Head)), ())
    return " ".join(plain(head).split()) or otherwise


def plain(items: Sequence[Part]) -> str:
    """Return the edited words of content, without notes and points."""
    words = ""
    for item in items:
        if isinstance(item, (model.Note, model.NoteGroup, Point)):
            continue
        if isinstance(item, Restored):
            words += plain(item.content)
        elif isinstance(item, model.Gap) and item.reason == "blank" and words and not wide(words[-1]):
            words += " "  # a space that the source leaves
        else:
            inside = inner_items(item)
            words += plain(inside) if inside is not None else edited(item)
    return words


def end_with_trailers(items: list[BlockItem]) -> list[BlockItem]:
    """Return items with trailers that text follows as paragraphs."""
    last = max((n for n, item in enumerate(items) if isinstance(item, (model.Paragraph, model.Division))), default=-1)
    return [model.Paragraph(content=item.content, form="trailer")
            if isinstance(item, model.Trailer) and n < last else item for n, item in enumerate(items)]


def flatten(items: Sequence[BlockItem]) -> list[BlockItem]:
    """Return the items of divisions of front matter in one row: its divisions are not numbered."""
    flat: list[BlockItem] = []
    for item in items:
        inner = flatten(item.items) if isinstance(item, model.Division) else None
        for part in [item] if inner is None else inner:
            flat.append(model.Paragraph(content=part.content, kind="prose", form=type(part).__name__.lower())
                        if inner is not None and isinstance(part, (model.Head, model.Trailer)) else part)
    return flat


def with_sections(items: Sequence[BlockItem], *, wrap_first: bool) -> list[BlockItem]:
    """Return items with paragraphs beside divisions in sections of their own, except the first ones of a chapter."""
    sections: list[BlockItem] = []
    for run, item in split_runs(items, lambda item: isinstance(item, (model.Division, model.Head))):
        seen = any(isinstance(part, model.Division) for part in sections)
        if any(isinstance(part, model.Paragraph) for part in run) and (seen or wrap_first):
            sections.append(model.Division(kind="section", items=tuple(run)))
        else:
            sections += run
        sections += [item] if item is not None else []
    return sections


def has_begun(items: Iterable[model.Item]) -> bool:
    """Whether a division has a paragraph or division already: no head may follow."""
    return any(isinstance(item, (model.Paragraph, model.Division)) for item in items)


def resolve_entry(entry: Variation, span: tuple[int, int], record: ReaderRecord, words: str) -> Variation:
    """Return an entry at its place; without a lemma, readings with the words of the text (`words`) there are one."""
    entry = replace(entry, start=span[0], end=span[1])
    text = words[span[0] : span[1]].replace("\0", "")
    if entry.lemma is not None or (not text and span[0] < span[1]):
        return entry
    same = [reading for reading in entry.readings if reading.witnesses and bool(reading.content) == bool(text)
            and not any(isinstance(item, model.App) for item in reading.content)
            and base_words(reading.content).replace("\0", "") == text]
    for reading in same:
        record.leave_out("rdg", all_words(reading.content))
    rest = tuple(reading for reading in entry.readings if reading not in same)
    also = tuple(name for reading in same for name in reading.witnesses)
    return replace(entry, readings=rest, also=(*entry.also, *also))
