"""Decisions as tables of TOML, as a person writes them: what it is about first, then who, why, when and how surely."""

from __future__ import annotations

import io
from typing import Any

import msgspec

from pipeline.decisions.kinds import KINDS
from pipeline.decisions.tables import CharacterPair
from pipeline.settings.plans import Strict

ORDER = (
    "edition", "unit", "speaker", "source", "code", "characters", "context", "before", "text", "after", "sic", "corr",
    "standard", "verdict", "person", "chapter", "words", "reading", "witness", "variant", "notes", "evidence",
    "resp", "why", "when", "cert",
)
"""The keys of all kinds in the order in which they are written."""
_OF_PAIRS = ("left", "right", "variant", "source", "resp", "why", "when", "cert")
_NAMES = {kind.table: kind.name for kind in KINDS}


def toml(decision: Strict) -> str:
    """Write a decision of any kind as a table of TOML; keys that say nothing are left out, but for the certainty."""
    rank = _OF_PAIRS if isinstance(decision, CharacterPair) else ORDER
    lines = [f"[[{_NAMES[type(decision)]}]]"]
    said = {field.name: field for field in msgspec.structs.fields(type(decision))}
    for name in sorted(said, key=rank.index):
        value = getattr(decision, name)
        if value is not None and (said[name].required or name == "cert" or value != said[name].default):
            lines.append(f"{name} = {_value(value)}")
    return "\n".join(lines) + "\n"


def rows(text: str) -> list[str]:
    """Give the lines of a file that a person writes, each with its end: only a line feed ends one, as TOML counts them.

    `str.splitlines` ends one at U+2028, U+0085 or a form feed, too, which can stand in a comment.
    """
    return io.StringIO(text, newline="\n").readlines()


def order(key: str) -> int:
    """Give the rank of a key: those of the left and the right of a pair come first."""
    return ORDER.index(key) if key in ORDER else -1


def _value(value: Any) -> str:
    """Write a value of TOML; a basic string, whose escapes are those of JSON, for all but numbers and truth."""
    encoded = msgspec.json.encode(value if isinstance(value, bool | int) else str(value))
    return encoded.decode("utf-8").replace("\x7f", "\\u007f")
