"""TOML files as typed tables; all faults of a file are told at once, each with its line and what to do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pipeline.errors import CatalogError, Place, together
from pipeline.settings.faults import Fault, faults
from pipeline.settings.patterns import Pair, Pattern, checked, pair
from pipeline.settings.syntax import KeyPath, TomlPlaces, faults_of_syntax, loaded, places
from pipeline.settings.values import Known

T = TypeVar("T")
FAULTS = "faults in the settings"
"""What several errors are called together."""
UNFIT = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, and all other control characters: DEL and U+0080 to U+009F command terminals too."""


class TomlTable(dict[str, Any]):
    """A table of TOML that knows its files, for messages. Of two, keys of the first stand above those of the second."""

    def __init__(self, *given: Any, paths: tuple[Path, ...], known: Known | None = None) -> None:
        super().__init__(*given)
        self.paths, self.known = paths, known
        """Its files, and the names that it may use, where that is known."""
        self._found: list[tuple[Path, TomlPlaces]] = []

    def place(self, path: KeyPath, *, value: bool = False) -> Place:
        """Give the place of a key or a value, or of the nearest thing around it."""
        if not self._found:
            self._found = [(each, places(_text(each)) if each.exists() else TomlPlaces("")) for each in self.paths]
        file, found = next((each for each in self._found if each[1].keys.get(path[:1])), self._found[0])
        return Place(str(file), *found.of(path, value=value))


class JoinedTable(TomlTable):
    """A table that has rows ``[[name]]`` in further files: those of the first, then those of each part in turn."""

    def __init__(self, first: TomlTable, parts: Iterable[TomlTable], names: Iterable[str]) -> None:
        self._homes: dict[str, list[tuple[TomlTable, int]]] = {}
        rows: dict[str, list[Any]] = {}
        for table in (first, *parts):
            for name in names:
                if isinstance(own := table.get(name), list):  # else it is a fault of that table
                    rows.setdefault(name, []).extend(own)
                    self._homes.setdefault(name, []).extend((table, n) for n in range(len(own)))
        super().__init__({**first, **rows}, paths=first.paths, known=first.known)

    def place(self, path: KeyPath, *, value: bool = False) -> Place:
        """Give the place of a key or a value in the file in which its row stands."""
        name, n, *inner = (*path, "", "")[: max(2, len(path))]
        homes = self._homes.get(str(name), [])
        if not isinstance(n, int) or n >= len(homes) or homes[n][0].paths == self.paths:
            return super().place(path, value=value)
        table, own = homes[n]
        return table.place((name, own, *inner), value=value)


def read_toml(path: Path) -> TomlTable:
    """Parse a TOML file; raises CatalogError with the places of all that makes it none, or if it is missing."""
    try:
        text = _text(path)
        table = TomlTable(loaded(text), paths=(path,))
        found = [*unfit(table)]
    except FileNotFoundError:
        raise CatalogError("file not found", place=Place(str(path)), mend="`jiaokan init` makes one") from None
    except UnicodeDecodeError as error:
        raise _undecodable(path, error) from None
    except tomllib.TOMLDecodeError:
        raise together(faults_of_syntax(text, path), FAULTS) from None
    except ValueError as error:  # numbers of thousands of digits
        raise CatalogError(f"not TOML that is read here: {error}", place=Place(str(path))) from None
    if found:
        raise together([CatalogError(
            f"`{_name(key)}` holds U+{ord(char):04X}, which can stand in no text, name or address",
            place=table.place(key), mend="take the character out",
        ) for key, char in found], FAULTS)
    return table


def place_of(table: Mapping[str, Any], path: KeyPath, name: str, *, value: bool = True) -> Place:
    """Give the place of a value, or of a key, in a table; the file `name` where the table does not know its own."""
    return table.place(path, value=value) if isinstance(table, TomlTable) and table.paths else Place(name)


def _text(path: Path) -> str:
    """Give what a file says, without a byte order mark; its line ends are those of TOML."""
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def _undecodable(path: Path, error: UnicodeDecodeError) -> CatalogError:
    """Say where a file stops being UTF-8, and what it may be."""
    before = error.object[: error.start]
    likely = "UTF-16" if error.object[:2] in (b"\xff\xfe", b"\xfe\xff") else "GB18030"
    place = Place(str(path), before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1)
    return CatalogError(f"not UTF-8 at byte {error.start}", place=place,
                        mend=f"save it as UTF-8; if it is {likely}: iconv -f {likely} -t UTF-8")


def unfit(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Give keys under which something holds a character that XML and terminals cannot, however it was written."""
    if isinstance(value, str):
        if found := UNFIT.search(value):
            yield path, found[0]
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from unfit(name, path)
            yield from unfit(each, (*path, name))
    elif isinstance(value, list):
        for n, each in enumerate(value):
            yield from unfit(each, (*path, n))


def _name(path: KeyPath) -> str:
    return next((each for each in reversed(path) if isinstance(each, str)), "")


def typed(path: Path, kind: type[T], *, known: Known | None = None, topic: str = "") -> T:
    """Read a TOML file as `kind`; raises CatalogError as `fitting`."""
    return fitting(read_toml(path), kind, known=known, topic=topic)


def fitting(
    table: Mapping[str, Any], kind: type[T], *, name: str = "", topic: str = "", known: Known | None = None
) -> T:
    """Give a table as `kind`; raises CatalogError with all that does not fit, each fault with its place.

    `name` is the file where the table does not know its own; `topic` is what `jiaokan explain` calls the settings;
    `known` are the names that may be used.
    """
    given = table if isinstance(table, TomlTable) else TomlTable(table, paths=())
    if found := faults(dict(given), kind, known or given.known):
        raise together([_error(fault, given, name, topic) for fault in found], FAULTS)
    try:
        return msgspec.convert(dict(given), kind, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise CatalogError(str(error), place=place_of(given, (), name)) from None


def _error(fault: Fault, table: TomlTable, name: str, topic: str) -> CatalogError:
    """Give a fault as an error at its place; where keys are wrong, it says what explains them."""
    part = next((each for each in reversed(fault.path) if isinstance(each, str)), "")
    told, message = fault.mend, f"{_row(table, fault.path)}{fault.message}"
    if topic and (not fault.value or told.startswith("known values")):
        what = "says what each means" if fault.value else "lists all keys"
        told = f"{told}{'' if told.endswith('?') else ';'} `jiaokan explain {topic}` {what}"
    if topic.startswith("reader "):
        message = message.replace("the file", f"a convention for the reader `{topic.removeprefix('reader ')}`")
    return CatalogError(message,
                        place=place_of(table, fault.path, name, value=fault.value and bool(part)), mend=told)


def _row(table: Mapping[str, Any], path: KeyPath) -> str:
    """Name the row of a list of tables in which something stands: ``source 'jijie': ``."""
    if len(path) > 1 and isinstance(path[0], str) and isinstance(path[1], int):
        row = table[path[0]][path[1]]
        if isinstance(row, dict) and len(table[path[0]]) > 1:
            names = ("id", "unit", "code", "prefix", "n")
            said = next((row[key] for key in names if isinstance(row.get(key), str | int)), "")
            return f"{path[0]} {said!r}: " if said != "" else f"{path[0]} {path[1] + 1}: "
    return ""


def _decode(kind: type[Any], value: Any) -> Any:
    """Make what msgspec does not know by itself."""
    makers: dict[Any, Callable[[str], str]] = {Pattern: checked, Pair: pair}
    if kind in makers and isinstance(value, str):
        return makers[kind](value)
    raise ValueError(f"Expected `str`, got {type(value).__name__}")


def table_lines(path: Path) -> dict[str, list[int]]:
    """Give the line of each ``[[name]]`` of a TOML file, by name, in order; raises CatalogError as `read_toml`."""
    read_toml(path)
    found: dict[str, list[int]] = {}
    for place, (line, _) in places(_text(path)).keys.items():
        if len(place) == 2 and isinstance(place[1], int):
            found.setdefault(str(place[0]), []).append(line)
    return found
