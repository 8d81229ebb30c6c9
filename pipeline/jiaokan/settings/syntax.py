"""Parse TOML 1.0.0 (toml.io), locate its keys, and explain faults of syntax to people who write it by hand."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from jiaokan.errors import DEPTH, CatalogError, Message, Place

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and, in lists, numbers from 0: ``("source", 2, "siglum")``."""
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\])*"|\'[^\']*\'', re.DOTALL)
_KEY = re.compile(r'[\w-]+|"(?:\\.|[^"\\])*"|\'[^\']*\'')
_BARE = re.compile(r"[^,\]}#\n]*")


@dataclass
class TomlPlaces:
    """The places of the keys of one file, line and column from 1."""

    text: str
    """Valid TOML."""
    keys: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    """Where a key, the head of a table or an item of a list begins."""
    values: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    """Where the value of a key begins."""

    def of(self, path: KeyPath, *, value: bool = False) -> tuple[int, int]:
        """Return the place of a path, or of the nearest table around it; (0, 0) for the whole file."""
        first = self.values if value else self.keys
        while path:
            if place := first.get(path) or self.keys.get(path):
                return place
            path = path[:-1]
        return 0, 0


def key_places(text: str) -> TomlPlaces:
    """Return the places of all keys of a valid TOML text."""
    places = TomlPlaces(text)
    _Scanner(places).file()
    return places


class _Scanner:
    """Reads a file once, from beginning to end."""

    def __init__(self, places: TomlPlaces) -> None:
        self.places, self.text, self.at = places, places.text, 0
        self.rows: dict[KeyPath, int] = {}
        """The number of rows of each list of tables so far."""
        self.line, self.start, self.seen = 1, 0, 0

    def file(self) -> None:
        table: KeyPath = ()
        while self.skip():
            if self.text[self.at] == "[":
                table = self.head()
            else:
                self.pair(table)

    def skip(self) -> bool:
        """Skip white space and comments; return whether anything follows."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches nothing, too
        return self.at < len(self.text)

    def here(self) -> tuple[int, int]:
        """Return the current line and column."""
        passed = self.text.count("\n", self.seen, self.at)
        if passed:
            self.line, self.start = self.line + passed, self.text.rindex("\n", self.seen, self.at) + 1
        self.seen = self.at
        return self.line, self.at - self.start + 1

    def name(self) -> list[str]:
        """Read a key, which may have several parts with dots between."""
        parts = []
        while key := _KEY.match(self.text, self.at):
            self.at = key.end()
            parts.append(key[0][1:-1] if key[0][0] in "\"'" else key[0])
            self.skip()
            if self.text[self.at : self.at + 1] != ".":
                break
            self.at += 1
            self.skip()
        return parts

    def head(self) -> KeyPath:
        """Read ``[name]`` or ``[[name]]``, and return the path of the table that it begins."""
        place = self.here()
        rows = self.text.startswith("[[", self.at)
        self.at += 1 + rows
        self.skip()
        path: KeyPath = ()
        parts = self.name()
        for n, part in enumerate(parts):
            path = (*path, part)
            if rows and n == len(parts) - 1:
                self.rows[path] = self.rows.get(path, 0) + 1
                self.places.keys.setdefault(path, place)
            if path in self.rows:
                path = (*path, self.rows[path] - 1)
        self.at += 1 + rows
        self.places.keys.setdefault(path, place)
        return path

    def pair(self, table: KeyPath) -> None:
        """Read ``key = value``."""
        place, path = self.here(), (*table, *self.name())
        self.places.keys[path] = place
        self.at += 1
        self.skip()
        self.value(path)

    def value(self, path: KeyPath) -> None:
        """Read a value and the values in it."""
        self.places.values[path] = self.here()
        opening = self.text[self.at : self.at + 1]
        if opening and opening in "[{":
            self.inside(path, opening)
        else:
            end = _STRING.match(self.text, self.at) or _BARE.match(self.text, self.at)
            self.at = end.end() if end else self.at

    def inside(self, path: KeyPath, opening: str) -> None:
        """Read a list in [ ] or a table in { }."""
        self.at += 1
        number = 0
        while self.skip() and self.text[self.at] not in "]}":
            if self.text[self.at] == ",":
                self.at += 1
            elif opening == "[":
                self.places.keys[*path, number] = self.here()
                self.value((*path, number))
                number += 1
            else:
                self.pair(path)
        self.at += 1


_WIDE = {
    "“": '"', "”": '"', "„": '"', "＂": '"', "‘": "'", "’": "'", "＇": "'", "＝": "=", "［": "[", "］": "]",
    "【": "[", "】": "]", "，": ",", "、": ",", "｛": "{", "｝": "}", "＃": "#", "．": ".", "。": ".", "\u3000": " ",
    "\u00a0": " ", "\ufeff": "", "「": '"', "」": '"', "『": '"', "』": '"', "：": "=",
}
"""Characters that a Chinese input method or a word processor types instead of those of TOML."""
_DEEP = re.compile(rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DEPTH}}}""", re.A)
"""A key of more parts than any table is deep: the time of Python's parser grows with the square of their number."""
_STRINGS = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*')
_MESSAGES = (
    (r"Expected '=' after a key", Message("no-after-key"), Message("write-key-value-title")),
    (r"Invalid value|Expected.*value", Message("no-valid-value-after"),
     Message("write-text-quotes-title-list")),
    (r"Cannot overwrite a value", Message("the-key-duplicate"), Message("delete-two")),
    (r"Cannot declare .* twice", Message("table-duplicate"),
     Message("write-several-rows-otherwise-put")),
    (r"Cannot mutate immutable|Cannot redefine|Cannot declare",
     Message("table-list-two-tables-same"),
     Message("write-name-several-rows-no")),
    (r"Illegal character|Unterminated string|Expected \"'\"", Message("text-quotes-not-end-line"),
     Message("close-quotes-write-text-several")),
    (r"Unescaped '\\\\'|Invalid hex|Escaped character", Message("invalid-escape-inside"),
     Message("write-text-means-itself-write")),
    (r"Expected ']'|Expected ']]'", Message("head-table-not-closed"), Message("write-name-name-rows")),
    (r"Nested too deeply", Message("tables-lists-nested-more-deep", depth=DEPTH), Message("look-unclosed-bracket")),
    ("Missing comma", Message("no-comma-between-two-values"), Message("write-comma-after-value-list")),
    ("Missing brace", Message("table-not-closed-line"), Message("close-with-braces")),
    (r"Unclosed array|Unclosed inline", Message("the-list-table-not-closed"), Message("close-it-with-or")),
    (r"Expected newline or end", Message("something-follows-value"),
     Message("write-key-value-line-text")),
    (r"Invalid initial character for a key|Invalid statement", Message("invalid-key"),
     Message("write-key-z-quotes")),
    (r"Found invalid character", Message("control-character"), Message("delete-it")),
)
"""What Python's parser says, as a pattern; our message; the remedy."""


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises TOMLDecodeError if it is invalid or too deep, ValueError for immense numbers."""
    try:
        if _DEEP.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("Nested too deeply") from None


def syntax_faults(text: str, path: Path, error: tomllib.TOMLDecodeError) -> list[CatalogError]:
    """Return the faults of syntax of a text for which `parse_toml` raised an error: all full-width characters outside
    quotes, or, if there are none, that error."""
    lines = text.split("\n")
    if wide := list(_wide_signs(lines, path)):
        return wide
    where = re.search(r"line (\d+), column (\d+)", str(error))
    line, column = (int(where[1]), int(where[2])) if where else (0, 0)
    reason = _nearer_reason(str(error), lines, line)
    message, mend = next((words for pattern, *words in _MESSAGES if re.search(pattern, reason)),
                         (reason.partition(" (at")[0], Message("see-https-toml-io")))
    return [CatalogError(Message("invalid-toml", message=message), place=Place(str(path), line, column), mend=mend)]


def _nearer_reason(message: str, lines: list[str], number: int) -> str:
    """Return "Missing comma" or "Missing brace" where the line shows that, else the parser's message."""
    if not number:
        return message
    line = _STRINGS.sub(lambda match: '"' * len(match[0]) if match[0][0] in "\"'" else "", lines[number - 1]).strip()
    above = next((previous for previous in reversed(lines[: number - 1]) if previous.strip()), "").strip()
    if message.startswith("Unclosed array") and (re.search(r'"\s+"|\d\s+"|"\s+\d', line) or (
            line.startswith('"') and above[-1:] in ('"', "'"))):
        return "Missing comma"
    return "Missing brace" if line.count("{") > line.count("}") else message


def _wide_signs(lines: list[str], path: Path) -> Iterator[CatalogError]:
    """Yield each line with a full-width character outside quotes and comments, where TOML needs its own."""
    for number, line in enumerate(lines, 1):
        bare = _STRINGS.sub(lambda match: " " * len(match[0]), line)
        at = next((n for n, char in enumerate(bare) if char in _WIDE), None)
        if at is not None and ('"' not in bare[:at] or _WIDE[bare[at]] == '"'):  # else a text in quotes has no end
            char, right = bare[at], _WIDE[bare[at]]
            name = unicodedata.name(char, "").lower()
            seen = char.isprintable() and char.strip()
            shown = f"{char} (U+{ord(char):04X}, {name})" if seen else f"U+{ord(char):04X} ({name})"
            mended = re.sub('["“”„＂「」『』]', '"', line) if right == '"' and '"' not in bare else line
            mended = re.sub(f"{_STRINGS.pattern}|.", lambda match: _WIDE.get(match[0], match[0]), mended)
            yield CatalogError(
                Message("invalid-toml-instead", shown=shown,
                        right=right) if right.strip() else Message("invalid-toml-invisible", shown=shown),
                place=Place(str(path), number, at + 1),
                mend=Message("write-meant", meant=mended.strip()) if right.strip() else Message("delete-it"),
            )
