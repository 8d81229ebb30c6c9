"""The quotations of a folder's texts as a table on disk, so that each step that shows them need not look for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pipeline.model.pointers import Range, range_of
from pipeline.quotations.find import Quotation

COLUMNS = ("text", "comment", "source", "in", "also", "speaker", "words", "source words")
"""The text whose comment quotes; the words of the comment and of the source, as pointers; the text that has the source,
if it is another; where else in that the words stand; the id of who comments; what is quoted, and what the source has if
that differs."""


def written(found: Mapping[str, Iterable[Quotation]]) -> bytes:
    """Give the table: tab-separated, a row for each quotation, in reading order."""
    rows = ["\t".join(COLUMNS)]
    for text, quotations in found.items():
        rows += (
            "\t".join((text, str(each.here), _joined(each.source), each.document, _joined(each.also), each.speaker,
                       each.words, each.said))
            for each in quotations
        )
    return "".join(f"{row}\n" for row in rows).encode()


def parts(table: bytes) -> dict[str, bytes]:
    """Give the rows of a table by the texts that quote or are quoted in them, each as a table: what is shown of a text
    changes with these alone."""
    head, *rows = table.decode().splitlines(keepends=True)
    found: dict[str, list[str]] = {}
    for row in rows:
        text, _, _, document, _ = row.split("\t", 4)
        for name in {text, document or text}:
            found.setdefault(name, [head]).append(row)
    return {name: "".join(lines).encode() for name, lines in found.items()}


def _joined(ranges: Iterable[Range]) -> str:
    return " ".join(map(str, ranges))


def read(path: Path) -> tuple[Quotation, ...]:
    """Give the quotations of a table, in its order; none where there is no file."""
    found: list[Quotation] = []
    for row in path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else ():
        _, here, source, document, also, *said = row.split("\t")
        (place,) = _ranges(here)
        found.append(Quotation(place, _ranges(source), document, _ranges(also), *said))
    return tuple(found)


def _ranges(words: str) -> tuple[Range, ...]:
    return tuple(found for each in words.split() if (found := range_of(each)))
