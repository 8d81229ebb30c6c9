"""Comments collated by hand, and how many of them an edition has as one note that reads back. Format: README.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jiaokan.model import App, Document, Note, NoteGroup, Span
from jiaokan.model.text import received
from jiaokan.model.walk import walk
from jiaokan.settings.catalog import Catalog

HOME = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment, and what each work prints for it."""

    speaker: str
    works: Mapping[str, str]
    place: str
    """Where it is written down."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A comment that the edition does not have as one note, and why."""

    comment: Comment
    reason: str


def comments(catalog: Catalog) -> list[Comment]:
    """Read all comments; raises ValueError with the place for what does not stand in its source."""
    lines = {
        name: ("", *catalog.path(source).read_text(encoding="utf-8").splitlines())
        for name, source in catalog.sources.items()
    }
    found = []
    for path in sorted(HOME.glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                speaker, *works = (part.strip() for part in line.split("\t"))
                place = f"{path.name}:{number}"
                found.append(Comment(speaker, dict(_work(each, lines, place) for each in works), place))
    return found


def _work(text: str, lines: Mapping[str, tuple[str, ...]], place: str) -> tuple[str, str]:
    """Return a work and what it prints, from ``work LINES FIRST…LAST + LINES FIRST…LAST``."""
    name, _, rest = text.partition(" ")
    return name, "".join(_stretch(name, each.strip(), lines, place) for each in rest.split(" + "))


def _stretch(name: str, text: str, lines: Mapping[str, tuple[str, ...]], place: str) -> str:
    numbers, words = text.split(" ", 1)
    first, _, last = numbers.partition("-")
    own = "".join("".join(lines[name][int(first) : int(last or first) + 1]).split())
    opening, dots, closing = words.partition("…")
    start = own.find(opening)
    end = own.find(closing, start + len(opening))
    if start < 0 or end < 0 or (dots and not closing):
        raise ValueError(f"{place}: {words} does not stand in {name}, line {numbers}")
    return own[start : end + len(closing)]


def misses(edition: Document, wanted: list[Comment]) -> list[Miss]:
    """Return the comments that are not one note of the edition which reads back what each work prints."""
    notes = [item for item in walk(edition) if isinstance(item, Note) and item.kind == "commentary"]
    read = {(note.id, work): words(note, work) for note in notes for work in note.sources}
    by_words: dict[tuple[str, str], set[str]] = {}
    for (name, work), text in read.items():
        by_words.setdefault((work, text), set()).add(name)
    speakers = {note.id: note.resp for note in notes}
    return [miss for comment in wanted if (miss := _miss(comment, by_words, read, speakers))]


def _miss(
    comment: Comment, by_words: Mapping[tuple[str, str], set[str]], read: Mapping[tuple[str, str], str],
    speakers: Mapping[str, str],
) -> Miss | None:
    """Return what is wrong with a comment in the edition; None if it is one note, of its speaker."""
    found = {work: by_words.get((work, text), set()) for work, text in comment.works.items()}
    shared = set.intersection(*found.values())
    if any(speakers[name] == comment.speaker for name in shared):
        return None
    reasons = []
    for work, text in comment.works.items():
        near = sorted({n for (n, w), t in read.items() if w == work and (t[:8] in text or text[:8] in t) and t})
        shown = ", ".join(f"{n} {speakers[n]} «{read[n, work]}»" for n in sorted(found[work]) or near[:2])
        reasons.append(f"{work} {'has' if found[work] else 'differs:'} {shown or 'nothing'}")
    return Miss(comment, "; ".join(reasons))


def words(note: Note, work: str) -> str:
    """Return what one work prints for a note, white space aside."""
    return "".join("".join(_printed(item, work) for item in note.content).split())


def _printed(item: Any, work: str) -> str:
    match item:
        case App():
            own = [each for each in (item.lemma, *item.readings) if work in each.witnesses]
            return "".join(_printed(part, work) for each in own for part in each.content)
        case Note() if item.sources and work not in item.sources:
            return ""
        case Note() | Span() | NoteGroup():
            parts: Iterator[Any] = iter(item.notes if isinstance(item, NoteGroup) else item.content)
            half = (len(item.rend) + 1) // 2
            return item.rend[:half] + "".join(_printed(part, work) for part in parts) + item.rend[half:]
    return received(item)
