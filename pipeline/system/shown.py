"""Text of others on a terminal: the one function that shows what would command it, or turn its lines about."""

from __future__ import annotations

import re

_COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Control characters but tab and line feed; line and paragraph separators; all with the property Bidi_Control
(Unicode Standard Annex 9); the byte order mark, and the two noncharacters beside it, which no XML can hold; bytes of a
file's name that are no text."""


def visible(text: str) -> str:
    """Give `text` with control and bidirectional characters as escapes (``\\\\x1b``), the rest as it is."""
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def cell(text: str) -> str:
    """Give a cell of a table, or of its head, that no spreadsheet takes for a formula (OWASP, “CSV Injection”)."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
