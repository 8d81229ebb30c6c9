"""Tab-separated tables: those of the program beside its modules, and the lists of an edition folder."""

from __future__ import annotations

from collections.abc import Iterator


def table_rows(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line number, from 1, and the cells of each row; blank lines and those that begin with # are skipped."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, tuple(line.split("\t"))
