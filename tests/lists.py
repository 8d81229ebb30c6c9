"""The lists that a layout's stylesheet makes for an engine, written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from jiaokan.outputs.print.volumes import BookPart, Kind


def script(*rows: list[object]) -> list[BookPart]:
    """Return the parts of a book from rows; ``["main"]`` and ``["back"]`` begin the text and what follows it."""
    return [*_parts(rows)]


def _parts(rows: tuple[list[object], ...]) -> Iterator[BookPart]:
    kind = "front" if ["main"] in rows else "chapter"
    lines: list[str] = []
    for row in (*rows, ["end"]):
        if row in (["main"], ["back"], ["end"]):
            yield BookPart(kind=cast(Kind, kind), source="\n".join(lines))
            kind, lines = "chapter" if row == ["main"] else "back", []
        else:
            lines.append(json.dumps(row, ensure_ascii=False))
