"""Classes of differences judged by reading, and how many of them an edition has right. The rows are in classes.tsv."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from jiaokan.entries import Entry

PATH = Path(__file__).parent / "classes.tsv"


@dataclass(frozen=True, slots=True)
class Judged:
    """A difference as it was judged: where, which words stand before it, both readings, the class, and why."""

    reference: str
    before: str
    lemma: str
    reading: str
    variant: str
    why: str


def judged() -> Iterator[Judged]:
    """Return the rows."""
    for line in PATH.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield Judged(*line.split("\t"))


def wrong(entries: Sequence[Entry]) -> list[str]:
    """Return the rows that the recorded entries of an edition (`jiaokan.entries.extract.all_entries`: slips of
    transcriptions among them) do not have so, and what they have.

    A difference whose readings are the other way round is wrong too: it blames the witness that is right.
    """
    found: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for entry in entries:
        for reading in entry.readings:
            key = (_unit(entry.unit.partition(".")[2]), entry.lemma.words, reading.words)
            found.setdefault(key, []).append((entry.before, reading.variant))
    out = []
    for row in judged():
        known = found.get((_unit(row.reference), row.lemma, row.reading), [])
        classes = {variant for before, variant in known if before.endswith(row.before)}
        if row.variant not in classes:
            out.append(f"{row.reference} {row.before}[{row.lemma}|{row.reading}]: {row.variant}, not {classes or '–'}")
    return out


def _unit(reference: str) -> str:
    """Return the unit of a reference: notes on it are numbered anew when others join them."""
    return ".".join(reference.split(".")[:3])
