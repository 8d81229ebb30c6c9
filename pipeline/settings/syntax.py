"""Where each key, row and value of a TOML file stands: what its parser does not tell, and messages need.

The text has been parsed before (TOML 1.0.0, toml.io), so that what is read here is known to be right.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from pipeline.errors import DEPTH, CatalogError, Place

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and, in lists, numbers from 0: ``("source", 2, "siglum")``."""
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\])*"|\'[^\']*\'', re.DOTALL)
_KEY = re.compile(r'[\w-]+|"(?:\\.|[^"\\])*"|\'[^\']*\'')
_BARE = re.compile(r"[^,\]}#\n]*")


@dataclass
class TomlPlaces:
    """The places of one file, line and column from 1."""

    text: str
    keys: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    """Where a key, the head of a table or an item of a list begins."""
    values: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    """Where the value of a key begins."""

    def of(self, path: KeyPath, *, value: bool = False) -> tuple[int, int]:
        """Give the place of a path, or of the nearest thing around it; (0, 0) for the whole file."""
        first = self.values if value else self.keys
        while path:
            if found := first.get(path) or self.keys.get(path):
                return found
            path = path[:-1]
        return 0, 0


def places(text: str) -> TomlPlaces:
    """Give the places of a text that is TOML."""
    found = TomlPlaces(text)
    _Scanner(found).file()
    return found


class _Scanner:
    """Goes through a file once."""

    def __init__(self, found: TomlPlaces) -> None:
        self.found, self.text, self.at = found, found.text, 0
        self.rows: dict[KeyPath, int] = {}
        """How many rows each list of tables has so far."""
        self.line, self.start, self.seen = 1, 0, 0

    def file(self) -> None:
        table: KeyPath = ()
        while self.skip():
            if self.text[self.at] == "[":
                table = self.head()
            else:
                self.pair(table)

    def skip(self) -> bool:
        """Go to what comes next; tell whether anything does."""
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches nothing, too
        return self.at < len(self.text)

    def here(self) -> tuple[int, int]:
        """Give line and column of where we are."""
        passed = self.text.count("\n", self.seen, self.at)
        if passed:
            self.line, self.start = self.line + passed, self.text.rindex("\n", self.seen, self.at) + 1
        self.seen = self.at
        return self.line, self.at - self.start + 1

    def name(self) -> list[str]:
        """Read a key, which dots may part."""
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
        """Read ``[name]`` or ``[[name]]``, and give the path of what it opens."""
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
                self.found.keys.setdefault(path, place)
            if path in self.rows:
                path = (*path, self.rows[path] - 1)
        self.at += 1 + rows
        self.found.keys.setdefault(path, place)
        return path

    def pair(self, table: KeyPath) -> None:
        """Read ``key = value``."""
        place, path = self.here(), (*table, *self.name())
        self.found.keys[path] = place
        self.at += 1
        self.skip()
        self.value(path)

    def value(self, path: KeyPath) -> None:
        """Read a value and what is in it."""
        self.found.values[path] = self.here()
        opening = self.text[self.at : self.at + 1]
        if opening in ("[", "{") and opening:
            self.inside(path, opening)
        else:
            end = _STRING.match(self.text, self.at) or _BARE.match(self.text, self.at)
            self.at = end.end() if end else self.at

    def inside(self, path: KeyPath, opening: str) -> None:
        """Read a list or a table in one line."""
        self.at += 1
        number = 0
        while self.skip() and self.text[self.at] not in "]}":
            if self.text[self.at] == ",":
                self.at += 1
            elif opening == "[":
                self.found.keys[*path, number] = self.here()
                self.value((*path, number))
                number += 1
            else:
                self.pair(path)
        self.at += 1


_MOST = 20
"""So many lines of a file are told at most."""
_WIDE = {
    "“": '"', "”": '"', "„": '"', "＂": '"', "‘": "'", "’": "'", "＇": "'", "＝": "=", "［": "[", "］": "]",
    "【": "[", "】": "]", "，": ",", "、": ",", "｛": "{", "｝": "}", "＃": "#", "．": ".", "。": ".", "\u3000": " ",
    "\u00a0": " ", "\ufeff": "", "「": '"', "」": '"', "『": '"', "』": '"', "：": "=",
}
"""Signs that an input method for Chinese, or a word processor, puts for those of TOML."""
_DEEP = re.compile(rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DEPTH}}}""", re.A)
"""A key of more parts than any table is deep: Python's parser takes time that grows with the square of them."""
_STRINGS = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|#.*')
_SAYS = (
    (r"Expected '=' after a key", "no = after the key", 'a line is key = value: title = "论语"'),
    (r"Invalid value|Expected.*value", "after = stands nothing that is a value",
     'text stands in quotes: title = "论语"; lists in [ ], numbers and true, false as they are'),
    (r"Cannot overwrite a value", "this key stands there twice", "take one of the two out"),
    (r"Cannot declare .* twice", "this table stands there twice",
     "write [[ ]] if it is one of several rows; else put its keys under the first"),
    (r"Cannot mutate immutable|Cannot redefine|Cannot declare",
     "a table and a list, or two tables, have the same name", "write [[name]] for rows of which there may be several"),
    (r"Illegal character|Unterminated string|Expected \"'\"", "a text in quotes does not end in its line",
     "close the quotes; a text of several lines stands in \"\"\" … \"\"\""),
    (r"Unescaped '\\\\'|Invalid hex|Escaped character", "a \\ inside \" \" that begins no escape",
     r"put the text into '…' (there \ is itself), or write \\"),
    (r"Expected ']'|Expected ']]'", "the head of a table is not closed", "write [name], or [[name]] for rows"),
    (r"Nested too deeply", f"it is nested more than {DEPTH} deep", "no table needs that: look for what is amiss"),
    ("Missing comma", "between two values of a list no comma stands", "end each value of the list with a comma"),
    ("Missing brace", "a table in { } is not closed in its line", "close it with }"),
    (r"Unclosed array|Unclosed inline", "a list or table is opened and not closed", "close it with ] or }"),
    (r"Expected newline or end", "something stands after the value",
     "one key = value a line; text of one value in one pair of quotes"),
    (r"Invalid initial character for a key|Invalid statement", "no key stands here",
     "a key is of a-z, 0-9, _ and -, or stands in quotes"),
    (r"Found invalid character", "a character that no TOML may hold", "take it out"),
)
"""What Python's parser says; the same for people; what to do."""


def loaded(text: str) -> dict[str, Any]:
    """Parse TOML; raises TOMLDecodeError also for what is nested more deeply than is read, ValueError for numbers of
    thousands of digits."""
    try:
        if _DEEP.search(text):
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("Nested too deeply") from None


def faults_of_syntax(text: str, path: Path) -> list[CatalogError]:
    """Give what makes a text no TOML, one error a line; at least one for a text that `tomllib` refuses."""
    lines = text.split("\n")
    wide = list(_wide(lines, path)) if _refused(text) else []
    single = list(_single(lines, path)) if _refused(text) else []
    for place in (each.place for each in wide if each.place):
        _leave_out(lines, place.line - 1)
    found: list[CatalogError] = []
    while len(found) < _MOST and (error := _refused("\n".join(lines))):
        where = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(where[1]), int(where[2])) if where else (0, 0)
        if (wide or single) and not line:
            break  # the end of the file is where what was left out is missed
        found.append(_told(_seen(str(error), lines, line), Place(str(path), line, column)))
        if not line or not lines[line - 1].strip():
            break
        _leave_out(lines, line - 1)
    return sorted([*wide, *single, *found], key=lambda each: each.place or Place(""))


def _leave_out(lines: list[str], number: int) -> None:
    """Empty a line; one that heads a table with all that stands in it, which would seem to be the table before's."""
    head = lines[number].lstrip()[:1] in ("[", "［", "【")
    lines[number] = ""
    while head and number + 1 < len(lines) and lines[number + 1].lstrip()[:1] not in ("[", "［", "【"):
        number += 1
        lines[number] = ""


def _refused(text: str) -> tomllib.TOMLDecodeError | None:
    try:
        loaded(text)
    except tomllib.TOMLDecodeError as error:
        return error
    return None


def _seen(said: str, lines: list[str], number: int) -> str:
    """Give what the parser says; where the line shows a nearer reason, that."""
    if not number:
        return said
    line = _STRINGS.sub(lambda match: '"' * len(match[0]) if match[0][0] in "\"'" else "", lines[number - 1]).strip()
    above = next((each for each in reversed(lines[: number - 1]) if each.strip()), "").strip()
    if said.startswith("Unclosed array") and (re.search(r'"\s+"|\d\s+"|"\s+\d', line) or (
            line.startswith('"') and above[-1:] in ('"', "'"))):
        return "Missing comma"
    return "Missing brace" if line.count("{") > line.count("}") else said


def _single(lines: list[str], path: Path) -> Iterator[CatalogError]:
    """Give each ``[name]`` beside rows ``[[name]]``, and make it one of them: its keys would run into theirs."""
    rows = {match[1] for line in lines if (match := re.match(r"\s*\[\[\s*([^\[\]]+?)\s*\]\]", line))}
    for number, line in enumerate(lines):
        match = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$", line)
        if match and match[1] in rows:
            lines[number] = f"[[{match[1]}]]"
            yield CatalogError(f"not TOML: [{match[1]}] stands in one pair of brackets, other rows of it in two",
                               place=Place(str(path), number + 1, line.index("[") + 1), mend=f"write [[{match[1]}]]")


def _told(said: str, place: Place) -> CatalogError:
    """Give one of the parser's messages in our words."""
    for pattern, message, mend in _SAYS:
        if re.search(pattern, said):
            return CatalogError(f"not TOML: {message}", place=place, mend=mend)
    return CatalogError(f"not TOML: {said.partition(' (at')[0]}", place=place, mend="compare toml.io")


def _wide(lines: list[str], path: Path) -> Iterator[CatalogError]:
    """Give each line in which a full-width sign stands where TOML has its own: outside of quotes and remarks."""
    for number, line in enumerate(lines, 1):
        bare = _STRINGS.sub(lambda match: " " * len(match[0]), line)
        if (at := next((n for n, char in enumerate(bare) if char in _WIDE), None)) is not None:
            char, right = bare[at], _WIDE[bare[at]]
            name = unicodedata.name(char, "").lower()
            seen = char.isprintable() and char.strip()
            shown = f"{char} (U+{ord(char):04X}, {name})" if seen else f"U+{ord(char):04X} ({name})"
            yield CatalogError(
                f"not TOML: {shown} stands where TOML has {right!r}" if right.strip() else
                f"not TOML: {shown}, which cannot be seen, stands between the signs of TOML",
                place=Place(str(path), number, at + 1),
                mend=f"write {_mended(line)}" if right.strip() else "take it out",
            )


def _mended(line: str) -> str:
    """Give the line with the signs of TOML."""
    parts, done = [], 0
    for match in _STRINGS.finditer(line):
        parts += ["".join(_WIDE.get(char, char) for char in line[done : match.start()]), match[0]]
        done = match.end()
    return "".join([*parts, *(_WIDE.get(char, char) for char in line[done:])]).strip()
