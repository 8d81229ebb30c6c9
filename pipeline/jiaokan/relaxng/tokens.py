"""The tokens of RELAX NG's compact syntax (OASIS Committee Specification, 21 November 2002, sections 2 to 4)."""

from __future__ import annotations

import re
from typing import NamedTuple

from jiaokan.errors import Message, Place, TeiError
from jiaokan.relaxng.trees import FORBIDDEN

_START = (r"A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
          r"\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff")
_NAME = rf"[{_START}][{_START}0-9.\-\xb7\u0300-\u036f\u203f\u2040]*"
_NEWLINE = "\0"
"""A line break of the file. One that is written as ``\\x{A}`` ends neither a line nor a literal."""
_TOKEN = re.compile(
    rf"(?P<blank>[ \t{_NEWLINE}]+|#(?!#)[^{_NEWLINE}]*)"
    rf"|(?P<documentation>##[^{_NEWLINE}]*(?:{_NEWLINE}[ \t]*##[^{_NEWLINE}]*)*)"
    r'|(?P<literal>"""(?:(?!""").)*"""|' rf"'''(?:(?!''').)*'''|\"[^\"{_NEWLINE}]*\"|'[^'{_NEWLINE}]*')"
    rf"|(?P<wildcard>{_NAME}:\*)|(?P<qualified>{_NAME}:{_NAME})|(?P<quoted>\\{_NAME})|(?P<name>{_NAME})"
    r"|(?P<sign>\|=|&=|>>|[=,&|?*+\-(){}\[\]~])", re.S,
)
_ESCAPE = re.compile(r"\\x+\{([0-9A-Fa-f]{1,8}\}|)")
KEYWORDS = frozenset({
    "attribute", "default", "datatypes", "div", "element", "empty", "external", "grammar", "include", "inherit", "list",
    "mixed", "namespace", "notAllowed", "parent", "start", "string", "text", "token",
})


class Token(NamedTuple):
    """A token: its kind, its text, and its line and column (from 1)."""

    kind: str
    """``keyword``, ``name`` (quoted or not), ``qualified``, ``wildcard``, ``literal``, ``documentation``, ``sign``, or
    ``end``."""
    text: str
    line: int
    column: int


def split_tokens(data: bytes, name: str) -> list[Token]:
    """Return the tokens of a grammar with an ``end`` behind them; raises TeiError for what is not a token."""
    source = _decode(data, name)
    tokens, at, line, begin = list[Token](), 0, 1, 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            raise refuse(name, line, at - begin + 1, Message("no-token", shown=source[at : at + 12].split(_NEWLINE)[0]))
        kind, text = str(match.lastgroup), match[0]
        if kind != "blank":
            tokens.append(Token(*_value(kind, text), line, at - begin + 1))
        if breaks := text.count(_NEWLINE):
            line, begin = line + breaks, at + text.rindex(_NEWLINE) + 1
        at = match.end()
    return [*tokens, Token("end", "", line, at - begin + 1)]


def refuse(name: str, line: int, column: int, reason: Message) -> TeiError:
    """Return the error for a grammar that is not in compact syntax."""
    return TeiError(Message("grammar-compact-syntax-cannot-read", reason=reason), place=Place(name, line, column),
                    mend=Message("look-whether-jing-takes-give"))


def _decode(data: bytes, name: str) -> str:
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        source = data.decode(encoding)
        if "\0" in source:
            raise ValueError
        source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\n", _NEWLINE)
        return _ESCAPE.sub(_character, source)
    except (ValueError, OverflowError):  # also UnicodeDecodeError
        raise refuse(name, 0, 0, Message("not-text-utf")) from None


def _character(escape: re.Match[str]) -> str:
    character = chr(int(escape[1][:-1], 16))  # raises ValueError if it is not a number
    if FORBIDDEN.match(character):
        raise ValueError
    return character


def _value(kind: str, text: str) -> tuple[str, str]:
    match kind:
        case "literal":
            edge = 3 if text[:3] in ('"""', "'''") else 1
            return kind, text[edge : len(text) - edge].replace(_NEWLINE, "\n")
        case "documentation":
            lines = (line.strip(" \t").lstrip("#") for line in text.split(_NEWLINE))
            return kind, "\n".join(line.removeprefix(" ") for line in lines)
        case "quoted":
            return "name", text[1:]
        case "name" if text in KEYWORDS:
            return "keyword", text
    return kind, text
