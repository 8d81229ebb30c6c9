"""What the settings of a folder make of each line of its texts: the words of each layer, as their reader reads them.

It is what a page shows in colours, and what examples are held to: not what `init` planned but what a build will do.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from jiaokan.errors import JiaokanError
from jiaokan.model import Block, Division, Document, Furniture, Head, Inline, Item, Note, NoteGroup, Paragraph, Trailer
from jiaokan.model.text import received
from jiaokan.readers import load_source, reader
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.system.atomic import write_file

Layer = Literal["head", "section", "base", "note", "editorial", "front", "back", "page", "markup"]
_TAG = re.compile(r"<[^<>]*>")
_HALVES = re.compile(r"\(([^()/¶]*)/([^()/¶]*)\)")
_AHEAD = 4000
"""Characters of the text that are searched for a line that does not follow the one before. A choice."""
_OPENING = frozenset("(（〔［[【〈《「『“‘{｛〖<")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a line in one layer."""

    words: str
    layer: Layer
    person: str = ""
    """The name of the speaker of a note."""
    run: int = -1
    """The number of the words in the text of which it is a part: a note can go on in the next line."""


@dataclass(frozen=True, slots=True)
class LayeredText:
    """A source with the layers of its lines."""

    id: str
    sha256: str
    lines: tuple[tuple[Stretch, ...], ...]
    error: JiaokanError | None = field(default=None, compare=False)
    """Why it cannot be read; then it has no lines."""

    def layers(self, line: int) -> frozenset[Layer]:
        """Return the layers of a line, from 1, without markup."""
        return frozenset(stretch.layer for stretch in self.stretches(line)) - {"markup"}

    def stretches(self, line: int) -> tuple[Stretch, ...]:
        """Return the stretches of a line, from 1."""
        return self.lines[line - 1] if 0 < line <= len(self.lines) else ()


def layered_texts(files: Mapping[str, bytes]) -> tuple[LayeredText, ...]:
    """Return the texts of a folder with these files, in the order of its catalog. Raises CatalogError."""
    with tempfile.TemporaryDirectory() as home:
        for name, data in files.items():
            path = Path(home) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, data)
        catalog = catalogs.load(Path(home))
        return tuple(_read_layers(entry, catalog) for entry in catalog.sources.values())


def _read_layers(entry: SourceEntry, catalog: Catalog) -> LayeredText:
    module = reader(entry.reader)
    try:
        source = load_source(entry, catalog)
        document, _ = module.read(source)
    except JiaokanError as error:
        return LayeredText(entry.id, entry.sha256, (), error)
    names = {person.id: person.name for person in catalog.persons.values()}
    swaps = source.convention.get("halves") == "left" and entry.reader == "mandoku"
    lines = [_HALVES.sub(r"(\2/\1)", line) if swaps else line for line in source.lines]
    return LayeredText(entry.id, entry.sha256, tuple(_place(document, lines, names)))


_Run = tuple[str, Layer, str]


def _runs(document: Document, names: Mapping[str, str]) -> Iterator[_Run]:
    """Yield the words of a document in the order of its source, with their layer and speaker."""
    begun = False
    for division in document.divisions:
        begun = begun or division.kind == "pian"
        yield from _runs_of_division(division, names, "back" if begun else "front")


def _runs_of_division(division: Division, names: Mapping[str, str], outside: Layer) -> Iterator[_Run]:
    apart = division.kind == "front"
    for item in division.items:
        if isinstance(item, Division):
            yield from _runs_of_division(item, names, outside)
        elif isinstance(item, Furniture):
            yield received(item), "page", ""
        elif apart:
            yield received(item), outside, ""
        elif isinstance(item, Head):
            yield from _runs_of_content(item.content, names, "head" if division.kind in ("pian", "part") else "section")
        else:
            yield from _runs_of_block(item, names)


def _runs_of_block(block: Block, names: Mapping[str, str]) -> Iterator[_Run]:
    if isinstance(block, Paragraph | Trailer):
        yield from _runs_of_content(block.content, names, "base")
    else:
        yield from _runs_of_content((block,), names, "base")


def _runs_of_content(content: Sequence[Inline | Item], names: Mapping[str, str], layer: Layer) -> Iterator[_Run]:
    for item in content:
        if isinstance(item, NoteGroup):
            yield from _runs_of_content(item.notes, names, layer)
        elif isinstance(item, Note):
            yield received(item), "editorial" if item.kind == "editorial" else "note", names.get(item.resp, item.resp)
        elif not isinstance(item, str) and getattr(item, "content", None) and _has_notes(item):
            yield from _runs_of_content(item.content, names, layer)  # type: ignore[union-attr]
        else:
            yield received(item), layer, ""


def _has_notes(item: Inline | Item) -> bool:
    inside = getattr(item, "content", ())
    return any(isinstance(part, Note | NoteGroup) or _has_notes(part) for part in inside if not isinstance(part, str))


class _Ink:
    """The letters of a text in order, with the number of their run, and how many are placed."""

    def __init__(self, runs: Sequence[_Run]) -> None:
        letters = [(char, n) for n, (words, _, _) in enumerate(runs) for char in words if char.isalnum()]
        self.text, self.of = "".join(char for char, _ in letters), [n for _, n in letters]
        self.at = 0

    def match(self, letters: str) -> list[int | None] | None:
        """Return the run of each letter of a line that is next, None for letters of its markup; None if the line is not
        of the text."""
        if self.text.startswith(letters, self.at):
            self.at += len(letters)
            return [*self.of[self.at - len(letters) : self.at]]
        at, runs = self.at, list[int | None]()
        for char in letters:
            is_next = at < len(self.text) and self.text[at] == char
            runs.append(self.of[at] if is_next else None)
            at += is_next
        if 2 * (at - self.at) >= len(letters):
            self.at = at
            return runs
        place = self.text.find(letters, self.at, self.at + _AHEAD) if len(letters) > 1 else -1
        if place < 0:
            return None
        self.at = place + len(letters)
        return [*self.of[place : self.at]]


def _place(document: Document, lines: Sequence[str], names: Mapping[str, str]) -> Iterator[tuple[Stretch, ...]]:
    """Yield the stretches of each line."""
    runs = list(_runs(document, names))
    ink, dropped = _Ink(runs), {line.strip() for _, words in document.dropped for line in words.split("\n")}
    masked = _TAG.sub(lambda tag: re.sub(r"[^\n]", "\0", tag[0]), "\n".join(lines)).split("\n")
    for line, bare in zip(lines, masked, strict=True):
        letters = "".join(char for char in bare if char.isalnum())
        places = None if not letters or line.strip() in dropped else ink.match(letters)
        yield tuple(_stretches(line, bare, places, runs))


def _stretches(line: str, bare: str, places: Sequence[int | None] | None, runs: Sequence[_Run]) -> Iterator[Stretch]:
    """Yield the stretches of a line by the run of each of its letters; signs go with the letter before them, opening
    brackets with the one after."""
    if places is None:
        if line.strip():
            yield Stretch(line, "markup")
        return
    after = iter(places)
    of_char: list[int | None] = []
    waiting = 0
    for char in bare:
        if char.isalnum():
            run = next(after)
            of_char += [run] * (waiting + 1)
            waiting = 0
        elif char in _OPENING or char == "\0" or not of_char:
            waiting += 1
        else:
            of_char += [of_char[-1]] * (waiting + 1)
            waiting = 0
    of_char += [of_char[-1] if of_char else None] * waiting
    start = 0
    for at in range(1, len(line) + 1):
        if at == len(line) or of_char[at] != of_char[start]:
            number = of_char[start]
            _, layer, person = ("", "markup", "") if number is None else runs[number]
            yield Stretch(line[start:at], layer, person, -1 if number is None else number)  # type: ignore[arg-type]
            start = at
