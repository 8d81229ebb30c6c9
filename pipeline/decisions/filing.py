"""Decisions written into the files in which they lie, in the order of the text, with all that stands there kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pipeline.decisions.readings import toml, toml_of_pair
from pipeline.decisions.tables import CharacterPair, ReadingDecision
from pipeline.model.identifiers import order_key
from pipeline.system.atomic import write_file


@dataclass(frozen=True, slots=True)
class Filing:
    """A decision that was written, and what the file held before."""

    path: Path
    before: bytes | None

    def undo(self) -> None:
        """Write the file again as it was before."""
        if self.before is None:
            self.path.unlink(missing_ok=True)
        else:
            write_file(self.path, self.before)


def file(root: Path, decision: ReadingDecision) -> Filing:
    """Add a decision to ``tei/decisions/lemmas.toml`` of an edition folder, after the others on what comes before it.

    What stands there, and its order, is kept.
    """
    path = root / "tei" / "decisions" / "lemmas.toml"
    before = path.read_bytes() if path.exists() else None
    tables = _tables((before or b"").decode("utf-8"))
    at = max(n for n, table in enumerate(tables, 1) if _order(table) <= _order(toml(decision)))
    text = "\n\n".join(table.strip("\n") for table in (*tables[:at], toml(decision), *tables[at:]) if table.strip())
    write_file(path, f"{text}\n".encode())
    return Filing(path, before)


def file_pair(root: Path, pair: CharacterPair) -> Filing:
    """Add what is said of two characters at the end of ``tei/decisions/characters.toml`` of an edition folder."""
    path = root / "tei" / "decisions" / "characters.toml"
    before = path.read_bytes() if path.exists() else None
    kept = (before or b"").decode("utf-8").rstrip("\n")
    write_file(path, f"{kept}{chr(10) * 2 if kept else ''}{toml_of_pair(pair)}".encode())
    return Filing(path, before)


def _tables(text: str) -> list[str]:
    """Part a file of decisions into what stands at its head and its tables, each with the comment right above it."""
    tables: list[list[str]] = [[]]
    for line in text.removesuffix("\n").split("\n") if text else ():
        if line.lstrip().startswith("[["):
            above = len(tables[-1])
            while above and tables[-1][above - 1].startswith("#"):
                above -= 1
            tables.append(tables[-1][above:])
            del tables[-2][above:]
        tables[-1].append(line)
    return ["\n".join(lines) for lines in tables]


def _order(table: str) -> tuple[tuple[tuple[int, str, int], ...], str]:
    """Give the key by which tables are sorted: as the text is read, then by speaker; a file's head comes first."""
    unit = re.search(r"""(?m)^\s*unit\s*=\s*["']([^"']*)""", table)
    speaker = re.search(r"""(?m)^\s*speaker\s*=\s*["']([^"']*)""", table)
    return order_key(unit[1].replace(":", ".", 1)) if unit else (), speaker[1] if speaker else ""
