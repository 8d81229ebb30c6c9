"""A reader of NEXUS of its own (Maddison, Swofford and Maddison 1997), which takes nothing but what the format says."""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN = re.compile(r"\[[^\]]*\]|'(?:[^']|'')*'|\"[^\"]*\"|[;,=/]|[^\s\[\]'\";,=/]+")


@dataclass(frozen=True)
class Matrix:
    """A block CHARACTERS: its format, the label and the state labels of each character, the symbols of each taxon."""

    taxa: list[str]
    format: dict[str, str]
    characters: list[tuple[str, list[str]]]
    rows: dict[str, str]

    def value(self, taxon: str, character: int) -> str:
        """Return the label of a state, or the symbol of what is no state."""
        symbol = self.rows[taxon][character]
        if symbol in (self.format["MISSING"], self.format.get("GAP")):
            return symbol
        return self.characters[character][1][self.format["SYMBOLS"].index(symbol)]


def read(text: str) -> Matrix:
    """Read a file with the blocks TAXA and CHARACTERS; raises AssertionError if it is not one."""
    assert text.startswith("#NEXUS\n")
    tokens = [token for token in TOKEN.findall(text.removeprefix("#NEXUS")) if not token.startswith("[")]
    commands: list[list[str]] = [[]]
    for token in tokens:
        if token == ";":
            commands.append([])
        else:
            commands[-1].append(token)
    assert commands.pop() == []
    by_name = {command[0].upper(): [_plain(token) for token in command[1:]] for command in commands}
    taxa = by_name["TAXLABELS"]
    size = {command[1].upper(): int(command[3]) for command in commands if command[0].upper() == "DIMENSIONS"}
    assert len(set(taxa)) == len(taxa) == size["NTAX"]
    words = by_name["FORMAT"]
    form = {words[n - 1].upper(): words[n + 1] for n, word in enumerate(words) if word == "="}
    characters = [_character(row) for row in _rows(commands)]
    matrix = by_name["MATRIX"]
    rows = dict(zip(matrix[::2], matrix[1::2], strict=True))
    assert [*rows] == taxa and len(characters) == size["NCHAR"]
    assert all(len(row) == size["NCHAR"] for row in rows.values())
    assert {*"".join(rows.values())} <= {*form["SYMBOLS"], form["MISSING"], form.get("GAP", "?")}
    return Matrix(taxa, form, characters, rows)


def _rows(commands: list[list[str]]) -> list[list[str]]:
    labels = next(command[1:] for command in commands if command[0].upper() == "CHARSTATELABELS")
    rows: list[list[str]] = [[]]
    for token in labels:
        if token == ",":
            rows.append([])
        else:
            rows[-1].append(token)
    return rows


def _character(row: list[str]) -> tuple[str, list[str]]:
    number, name, slash, *states = row
    assert number.isdigit() and slash == "/"
    return _plain(name), [_plain(state) for state in states]


def _plain(token: str) -> str:
    return token[1:-1].replace("''", "'") if token[:1] in "'\"" else token
