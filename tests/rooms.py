"""The rooms of the program and their floors; `python -m tests.rooms` writes them into ARCHITECTURE.md.

What a room is for is the first line of its package's docstring.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pipeline" / "jiaokan"
FLOORS = (
    ("messages",),
    ("errors",),
    ("model", "align", "relaxng", "columns"),
    ("system",),
    ("settings",),
    ("decisions", "annotate"),
    ("tei",),
    ("characters", "readers"),
    ("collate", "entries", "proposals", "structure", "validate"),
    ("editions", "scaffold", "stats"),
    ("exchange", "outputs"),
    ("build",),
    ("desk", "api"),
    ("cli",),
)
"""The rooms from the lowest floor up. A room imports from lower floors only."""
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
_TABLE = re.compile(r"(?<=\n\| floor \| room \| purpose \|\n\|---\|---\|---\|\n)(?:\|.*\n)*")


def purpose(room: str) -> str:
    """Return the first line of a room's docstring, without its full stop."""
    path = PACKAGE / room / "__init__.py" if (PACKAGE / room).is_dir() else PACKAGE / f"{room}.py"
    lines = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").splitlines()
    return lines[0].removesuffix(".") if lines else ""


def table() -> str:
    """Return the rows of ARCHITECTURE's table, lowest floor first."""
    return "".join(f"| {FLOOR[room]} | `{room}` | {purpose(room)} |\n" for rooms in FLOORS for room in rooms)


def architecture() -> str:
    """Return ARCHITECTURE.md with the table as the packages have it."""
    return _TABLE.sub(lambda _: table(), (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    (ROOT / "ARCHITECTURE.md").write_text(architecture(), encoding="utf-8")
