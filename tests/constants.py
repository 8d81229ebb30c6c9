"""The settings of alignment and collation as a table: `python -m tests.constants` writes it into
docs/development/measured.md."""

from __future__ import annotations

import re

from jiaokan.align import table_of_settings
from jiaokan.collate.settings import SETTINGS
from tests.rooms import ROOT

MEASURED = ROOT / "docs" / "development" / "measured.md"
_HEAD = "| setting | value | unit | what it does | other values |\n|---|--:|---|---|---|\n"
_TABLE = re.compile(re.escape(_HEAD) + r"(?:\|.*\n)*")


def table() -> str:
    """Return the table: a row for each setting."""
    rows = (f"| `{name}` | {value:,} | {about.unit} | {about.effect} | {about.source} |\n"
            for name, value, about in table_of_settings(SETTINGS))
    return _HEAD + "".join(rows)


def measured() -> str:
    """Return docs/development/measured.md with the table as the settings have it."""
    return _TABLE.sub(lambda _: table(), MEASURED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    MEASURED.write_text(measured(), encoding="utf-8")
