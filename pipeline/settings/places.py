"""Where each key, row and value of a TOML file stands: what its parser does not tell, and messages need.

The text has been parsed before (TOML 1.0.0, toml.io), so that what is read here is known to be right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

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
