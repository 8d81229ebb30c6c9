"""Read TOML files as typed tables, and report every fault with its file, line and remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, cast

import msgspec

from jiaokan.errors import CatalogError, Message, Place, raise_all
from jiaokan.settings.faults import Fault, faults, shape
from jiaokan.settings.flat import nested
from jiaokan.settings.patterns import Pair, check_pattern, pair
from jiaokan.settings.syntax import KeyPath, TomlPlaces, key_places, parse_toml, syntax_faults
from jiaokan.settings.values import Known

T = TypeVar("T")
UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold; all other control characters, as DEL and U+0080 to U+009F command terminals too; and the
embeddings, overrides and isolates of direction U+202A to U+202E and U+2066 to U+2069, which show words in another order
than they have (UAX 9)."""
_LIMIT = 32 * 2**20
"""Bytes of a settings file. TOML takes thirty times as much memory; the decisions of a large edition are 2 MB."""


class TomlTable(dict[str, Any]):
    """A table of TOML that knows its files. Of two files, the keys of the first take precedence."""

    def __init__(
        self, table: Mapping[str, object] = MappingProxyType({}), *, paths: tuple[Path, ...],
        known: Known | None = None, text: str | None = None,
    ) -> None:
        super().__init__(table)
        self.paths, self.known, self._text = paths, known, text
        self._places: list[tuple[Path, TomlPlaces]] = []

    def place(self, path: KeyPath, *, value: bool = False) -> Place:
        """Return the place of a key or of its value, or of the nearest table around it; raises as `read_toml`."""
        for toml_path in () if self._places else self.paths:
            text = self._text
            if text is None:
                text = _read(toml_path) if toml_path.is_file() else ""
            self._places.append((toml_path, key_places(text)))
        file, places = next((entry for entry in self._places if path[:1] in entry[1].keys), self._places[0])
        return Place(str(file), *places.of(path, value=value))

    def error(self, path: KeyPath, message: str, mend: str, *, value: bool = True) -> CatalogError:
        """Return an error at the value of a key, or at the key itself."""
        return CatalogError(message, place=self.place(path, value=value), mend=mend)


class JoinedTable(TomlTable):
    """A table whose rows ``[[name]]`` stand in several files: those of the first, then those of each part."""

    def __init__(self, first: TomlTable, parts: Iterable[TomlTable], names: Iterable[str]) -> None:
        self._homes: dict[str, list[tuple[TomlTable, int]]] = {}
        rows: dict[str, list[object]] = {}
        for table in (first, *parts):
            for name in names:
                if isinstance(own_rows := table.get(name), list):  # anything else is a fault of that table
                    rows.setdefault(name, []).extend(own_rows)
                    self._homes.setdefault(name, []).extend((table, n) for n in range(len(own_rows)))
        super().__init__({**first, **rows}, paths=first.paths, known=first.known)

    def place(self, path: KeyPath, *, value: bool = False) -> Place:
        """Return the place of a key or value in the file of its row."""
        name, n, *inner = (*path, "", "")[: max(2, len(path))]
        homes = self._homes.get(str(name), [])
        if not isinstance(n, int) or n >= len(homes) or homes[n][0].paths == self.paths:
            return super().place(path, value=value)
        table, number = homes[n]
        return table.place((name, number, *inner), value=value)


def as_table(table: Mapping[str, object], name: str) -> TomlTable:
    """Return a mapping as a TomlTable; errors in one that comes from no file name the file `name`."""
    return table if isinstance(table, TomlTable) else TomlTable(table, paths=(Path(name),), text="")


def read_toml(path: Path) -> TomlTable:
    """Parse a TOML file. Raises CatalogError if the file is missing, and as `parse_table`."""
    try:
        return parse_table(_read(path), path)
    except FileNotFoundError:
        raise CatalogError(Message("file-not-found"), place=Place(str(path)),
                           mend=Message("jiaokan-init-makes")) from None
    except UnicodeDecodeError as error:
        before, likely = error.object[: error.start], "GB18030"
        if error.object[:2] in (b"\xff\xfe", b"\xfe\xff"):
            likely = "UTF-16"
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise CatalogError(
            Message("not-utf-at-byte", start=error.start), place=Place(str(path), before.count(b"\n") + 1, column),
            mend=Message("save-utf-iconv-f-t", likely=likely)) from None


def parse_table(text: str, path: Path) -> TomlTable:
    """Parse TOML; `path` is its file, for messages. Raises CatalogError with all faults of syntax."""
    try:
        table = TomlTable(parse_toml(text), paths=(path,), text=text)
    except tomllib.TOMLDecodeError as error:
        raise_all(syntax_faults(text, path, error))
        raise
    except ValueError as error:  # numbers of thousands of digits
        raise CatalogError(Message("invalid-toml", message=error), place=Place(str(path)),
                           mend=Message("write-smaller-number")) from None
    raise_all(
        table.error(key, Message("contains-u-no-text-name", last_name=_last_name(key), code=ord(char)),
                    Message("delete-character"), value=False)
        for key, char in unprintable_characters(table)
    )
    return table


def _read(path: Path) -> str:
    """Return the text of a file; raises CatalogError if it is larger than `_LIMIT`."""
    if path.stat().st_size > _LIMIT:
        raise CatalogError(Message("larger-mb", limit=_LIMIT // 2**20), place=Place(str(path)),
                           mend=Message("split-settings-file"))
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def unprintable_characters(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str]]:
    """Yield the path of each key whose name or value has an `UNPRINTABLE` character, with the first such character."""
    if isinstance(value, str):
        if match := UNPRINTABLE.search(value):
            yield path, match[0]
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from unprintable_characters(name, path)
            yield from unprintable_characters(item, (*path, name))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from unprintable_characters(item, (*path, n))


def _last_name(path: KeyPath) -> str:
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def load_as(path: Path, kind: type[T], *, known: Known | None = None, topic: str = "") -> T:
    """Read a TOML file as `kind`. Raises CatalogError as `read_toml` and `to_type`."""
    return to_type(read_toml(path), kind, known=known, topic=topic)


def to_type(
    table: Mapping[str, object], kind: type[T], *, name: str = "", topic: str = "", known: Known | None = None
) -> T:
    """Return a table as `kind`. Raises CatalogError with all faults, each with its place and remedy.

    `name` is the file of a plain mapping; `topic` is the page of `jiaokan explain` on these settings; `known` are the
    names that may be used.
    """
    toml_table = as_table(table, name)
    raise_all(_error(fault, toml_table, topic) for fault in faults(dict(toml_table), kind, known or toml_table.known))
    try:
        return msgspec.convert(nested(dict(toml_table), shape(cast(Hashable, kind))), kind, dec_hook=_decode)
    except msgspec.ValidationError as error:
        raise toml_table.error((), str(error), "", value=False) from None


def _error(fault: Fault, table: TomlTable, topic: str) -> CatalogError:
    """Return a fault as an error at its place; the remedy names the page of the manual where that helps."""
    message, mend = _row(table, fault.path) + Message.of(fault.message), Message.of(fault.mend)
    if topic and (not fault.value or mend.startswith("allowed values")):
        what = Message("says-means") if fault.value else Message("lists-keys")
        mend += Message("remedy-and-explain", remedy="" if mend.endswith("?") else ";", topic=topic, what=what)
    if topic.startswith("reader "):
        convention = Message("convention-for-reader", reader=topic.removeprefix("reader "))
        message = _with_value(message, "the-file", convention)
    return table.error(fault.path, message, mend, value=fault.value and bool(_last_name(fault.path)))


def _with_value(message: Message, old: str, new: Message) -> Message:
    """Return a message with another value in place of the message with the id `old`."""
    values = {name: value if not isinstance(value, Message) else new if value.id == old
              else _with_value(value, old, new) for name, value in message.values.items()}
    return Message(message.id, **values)


def _row(table: TomlTable, path: KeyPath) -> Message:
    """Return the name of the row in which something stands: ``source 'jijie': ``; "" if it is the only row."""
    if len(path) > 1 and isinstance(path[0], str) and isinstance(path[1], int):
        row = table[path[0]][path[1]]
        if isinstance(row, dict) and len(table[path[0]]) > 1:
            names = (row.get(key) for key in ("id", "unit", "code", "prefix", "n"))
            name = next((value for value in names if isinstance(value, str | int)), "")
            return Message("in-row", table=path[0], row=repr(name) if name != "" else path[1] + 1)
    return Message.of("")


def _decode(kind: type, value: str) -> object:
    return pair(value) if kind is Pair else check_pattern(value)  # `faults` has found it valid
