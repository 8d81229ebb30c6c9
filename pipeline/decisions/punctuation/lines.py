"""Lines of the editor's punctuation taken out of a file and put into it, in the order of the text."""

from __future__ import annotations

from pipeline.model.identifiers import order_key


def line_taken(text: str, line: str) -> str | None:
    """Give the text of a file without one line, which stands there exactly so; None if it does not, or not once."""
    rows = text.splitlines(keepends=True)
    found = [n for n, row in enumerate(rows) if row.rstrip("\r\n") == line]
    return "".join((*rows[: found[0]], *rows[found[0] + 1 :])) if len(found) == 1 else None


def line_placed(text: str, line: str) -> str:
    """Give the text of a file with a line more, after those of what comes before it; all else is as it was.

    A remark goes to the end. Where nothing comes before it, it is put before the first line that has a reference.
    """
    rows = text.splitlines(keepends=True)
    if rows and not rows[-1].endswith("\n"):
        rows[-1] += "\n"
    lines = [n for n, row in enumerate(rows) if _reference(row)]
    before = [n + 1 for n in lines if order_key(_reference(rows[n])) <= order_key(_reference(line))]
    at = max(before, default=lines[0] if lines else len(rows)) if _reference(line) else len(rows)
    return "".join((*rows[:at], f"{line}\n", *rows[at:]))


def _reference(row: str) -> str:
    """Give the reference that a line is of; empty if it is none."""
    return "" if row.startswith("#") else row.partition("\t")[0].strip() if "\t" in row else ""
