"""Escape control characters for terminals, and formulas for spreadsheets."""

from __future__ import annotations

import re

_COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Control characters except tab and line feed; line and paragraph separators; characters with the property Bidi_Control
(Unicode Standard Annex 9); the byte order mark and the two noncharacters that XML forbids; undecodable bytes of file
names (surrogates)."""


def visible(text: str) -> str:
    """Return `text` with control and bidirectional characters as escapes (``\\\\x1b``)."""
    return _COMMANDS.sub(lambda found: ascii(found[0])[1:-1], text)


def cell(text: str) -> str:
    """Return a cell that no spreadsheet reads as a formula (OWASP, “CSV Injection”)."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
