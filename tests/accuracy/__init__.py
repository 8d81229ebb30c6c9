"""Passages annotated by reading, and how much of them a reader gets right. The format is in README.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jiaokan.model import (
    Division,
    Document,
    Figure,
    Furniture,
    Head,
    Line,
    Note,
    NoteGroup,
    Paragraph,
    Span,
    Trailer,
    Unit,
)
from jiaokan.model.text import received

HOME = Path(__file__).parent

LAYERS = ("base", "note", "trailer", "head", "verse", "furniture", "figure", "prose")


@dataclass(frozen=True, slots=True)
class Mark:
    """A character with what it is."""

    char: str
    layer: str
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """How many characters of a passage are right, and which are not."""

    characters: int
    layers: int
    notes: int
    speakers: int
    wrong: tuple[str, ...] = ()

    @property
    def layer_share(self) -> float:
        """Share of characters in the right layer."""
        return self.layers / self.characters if self.characters else 1.0

    @property
    def speaker_share(self) -> float:
        """Share of the notes' characters with the right speaker."""
        return self.speakers / self.notes if self.notes else 1.0

    def __add__(self, other: Score) -> Score:
        return Score(
            self.characters + other.characters, self.layers + other.layers, self.notes + other.notes,
            self.speakers + other.speakers, self.wrong + other.wrong,
        )


def passages(source: str) -> list[Path]:
    """Return the annotated passages of a source."""
    return sorted((HOME / source).glob("*.txt"))


def sources() -> list[str]:
    """Return the sources of which passages are annotated; folders with a measure of their own are none."""
    return sorted(p.name for p in HOME.iterdir() if passages(p.name) and not (p / "__init__.py").exists())


def annotated(path: Path) -> list[Mark]:
    """Read a passage; raises ValueError with the line for what is not of the format."""
    marks: list[Mark] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        kind, colon, text = line.partition(":")
        layer, _, speaker = kind.partition(" ")
        if not colon or layer not in LAYERS or (layer == "note") != bool(speaker):
            raise ValueError(f"{path}:{number}: not `LAYER: TEXT` or `note PERSON: TEXT`: {line[:30]}")
        marks += [Mark(c, layer, "" if speaker == "?" else speaker) for c in text if not c.isspace()]
    return marks


def marked(document: Document) -> list[Mark]:
    """Return every character of a document as the source prints it, white space aside, with what it is."""
    return [mark for division in document.divisions for mark in _marks(division, "base", "")]


def _marks(item: Any, layer: str, speaker: str) -> Iterator[Mark]:
    """Return the characters of one thing that stands in `layer`, in the words of `speaker`."""
    match item:
        case Division():
            parts, rend = item.items, ""
        case Note():
            parts, rend, layer, speaker = item.content, item.rend, "note", item.resp
        case NoteGroup():
            parts, rend, layer, speaker = item.notes, item.rend, "note", item.notes[0].resp
        case Unit() | Head() | Trailer() | Furniture() | Paragraph() | Line() | Span():
            parts, rend, layer = item.content, getattr(item, "rend", ""), _layer(item) or layer
        case _:
            text, layer = received(item), "figure" if isinstance(item, Figure) else layer
            yield from (Mark(c, layer, speaker) for c in text if not c.isspace())
            return
    half = (len(rend) + 1) // 2
    yield from (Mark(c, layer, speaker) for c in rend[:half] if not c.isspace())
    for part in parts:
        yield from _marks(part, layer, speaker)
    last = item.notes[-1].resp if isinstance(item, NoteGroup) else speaker
    yield from (Mark(c, layer, last) for c in rend[half:] if not c.isspace())


def _layer(item: Any) -> str:
    """Return the layer that a thing with content opens; empty if it stands in the layer round it."""
    match item:
        case Unit(verse=True):
            return "verse"
        case Unit() | Paragraph(kind="jing"):
            return "base"
        case Paragraph():
            return "prose"
        case Head() | Trailer() | Furniture():
            return type(item).__name__.lower()
    return ""


def score(expected: list[Mark], found: list[Mark]) -> Score:
    """Compare an annotated passage against a whole document; raises ValueError unless its text stands there once."""
    text, words = "".join(m.char for m in found), "".join(m.char for m in expected)
    start = text.find(words)
    if start < 0 or text.find(words, start + 1) >= 0:
        raise ValueError(f"the passage {words[:20]}… stands {text.count(words)} times in the source")
    pairs = list(zip(expected, found[start : start + len(words)], strict=True))
    notes = [(e, f) for e, f in pairs if e.layer == "note"]
    return Score(
        len(pairs), sum(e.layer == f.layer for e, f in pairs), len(notes), sum(e == f for e, f in notes),
        tuple(_wrong(pairs)),
    )


def _wrong(pairs: list[tuple[Mark, Mark]]) -> Iterator[str]:
    """Describe each stretch that is wrong in one way."""
    key, words = None, ""
    for e, f in [*pairs, (Mark("", "", ""), Mark("", "", ""))]:
        now = None if e == f else (e.layer, e.speaker, f.layer, f.speaker)
        if now != key and key is not None:
            expected, got = " ".join(key[:2]).strip(), " ".join(key[2:]).strip()
            yield f"{words[:24]} ({len(words)}): is {expected}, read as {got}"
        words = e.char if now != key else words + e.char
        key = now
