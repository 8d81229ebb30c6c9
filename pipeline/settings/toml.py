"""TOML files as typed tables; a fault is told with its line, a wrong key with the nearest right one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pipeline.errors import CatalogError, Place, nearest
from pipeline.settings.patterns import Pair, Pattern, checked, pair

T = TypeVar("T")
_UNFIT = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, and all other control characters: DEL and U+0080 to U+009F command terminals too."""


class TomlTable(dict[str, Any]):
    """A table of TOML that knows its files, for messages."""

    def __init__(self, *given: Any, paths: tuple[Path, ...]) -> None:
        super().__init__(*given)
        self.paths = paths


def read_toml(path: Path) -> TomlTable:
    """Parse a TOML file; raises CatalogError with the place if it is missing or malformed."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        table = TomlTable(tomllib.loads(text), paths=(path,))
    except FileNotFoundError:
        raise CatalogError("file not found", place=Place(str(path)), mend="`jiaokan init` makes one") from None
    except UnicodeDecodeError as error:
        raise CatalogError(f"not UTF-8 at byte {error.start}", place=Place(str(path))) from None
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(where[1]), int(where[2])) if where else (0, 0)
        raise CatalogError(f"not TOML: {error}", place=Place(str(path), line, column)) from None
    except (RecursionError, ValueError) as error:  # deep arrays; numbers of thousands of digits
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise CatalogError(f"not TOML that is read here: {reason}", place=Place(str(path))) from None
    if bad := next(_unfit(table), None):
        key, char = bad
        raise CatalogError(
            f"`{key}` holds U+{ord(char):04X}, which can stand in no text, name or address",
            place=Place(str(path), _line_of((path,), key, "")), mend="take the character out",
        )
    return table


def _unfit(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Give keys under which something holds a character that XML and terminals cannot, however it was written."""
    if isinstance(value, str):
        if found := _UNFIT.search(value):
            yield key, found[0]
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _unfit(name, name)
            yield from _unfit(each, name)
    elif isinstance(value, list):
        for each in value:
            yield from _unfit(each, key)


def typed(path: Path, kind: type[T]) -> T:
    """Read a TOML file as `kind`; raises CatalogError that names the key and the nearest right one."""
    return fitting(read_toml(path), kind)


def fitting(table: Mapping[str, Any], kind: type[T], *, name: str = "", mend: str = "") -> T:
    """Give a table as `kind`; raises CatalogError as `typed`, at `name` where the table does not know its file.

    `mend` is said where nothing nearer is known.
    """
    try:
        return msgspec.convert(dict(table), kind, dec_hook=_decode)
    except msgspec.ValidationError as error:
        message, paths = str(error), table.paths if isinstance(table, TomlTable) else (Path(name),)
        unknown = re.search(r"unknown field `([^`]+)`", message)
        key = unknown[1] if unknown else (re.findall(r"[.`](\w+)(?:\[[.\d]+\])?`?$", message) or [""])[-1]
        raise CatalogError(
            f"{message.replace('Object', 'the table', 1)}",
            place=Place(str(paths[0]), _line_of(paths, key, message) if isinstance(table, TomlTable) else 0),
            mend=(_nearest(key, [name for name, _ in _fields(kind)], "keys") if unknown
                  else _value(message, key, kind) or mend),
        ) from None


def _decode(kind: type[Any], value: Any) -> Any:
    """Make what msgspec does not know by itself."""
    makers: dict[Any, Callable[[str], str]] = {Pattern: checked, Pair: pair}
    if kind in makers and isinstance(value, str):
        return makers[kind](value)
    raise ValueError(f"Expected `str`, got {type(value).__name__}")


def table_lines(path: Path) -> dict[str, list[int]]:
    """Give the line of each ``[[name]]`` of a TOML file, by name, in their order."""
    found: dict[str, list[int]] = {}
    for n, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if head := re.match(r"\s*\[\[\s*([\w.-]+)\s*\]\]", line):
            found.setdefault(head[1], []).append(n)
    return found


def _line_of(paths: tuple[Path, ...], key: str, message: str) -> int:
    """Give the line where a key is set, 0 if it is nowhere; in the table that the message names, if it names one."""
    path = paths[0]
    if not path.exists():
        return 0
    named = re.search(r"`\$\.(\w+)\[(\d+)\]", message)
    heads = table_lines(path).get(named[1], []) if named else []
    start = heads[int(named[2])] if named and int(named[2]) < len(heads) else 0
    pattern = re.compile(rf"\s*{re.escape(key)}\s*=|.*\b{re.escape(key)}\s*=") if key else None
    lines = path.read_text(encoding="utf-8-sig").splitlines()[start:]
    if start:
        lines = list(takewhile(lambda line: not re.match(r"\s*\[", line), lines))
    return next((n for n, line in enumerate(lines, start + 1) if pattern and pattern.match(line)), start)


def _value(message: str, key: str, kind: type[Any]) -> str:
    """Suggest the value nearest to one that a key cannot have."""
    if "date" in message:
        return "write the day as 2026-11-20"
    wrong = re.match(r"Invalid enum value '(.*?)'", message)
    types: list[Any] = [type_ for name, type_ in _fields(kind) if name == key]
    values: set[str] = set()
    while types:
        each = types.pop()
        values |= {each} if isinstance(each, str) else set()
        types.extend(getattr(each, "__args__", ()))
    return _nearest(wrong[1], values, "values") if wrong and values else ""


def _fields(kind: type[Any]) -> list[tuple[str, Any]]:
    """Give name and type of each field of `kind` and of the tables in it."""
    fields: list[tuple[str, Any]] = []
    todo: list[Any] = [kind]
    while todo:
        each = todo.pop()
        if isinstance(each, type) and issubclass(each, msgspec.Struct):
            fields += [(field.name, field.type) for field in msgspec.structs.fields(each)]
            todo += [field.type for field in msgspec.structs.fields(each)]
        else:
            todo.extend(getattr(each, "__args__", ()))
    return fields


def _nearest(wrong: str, right: Iterable[str], what: str) -> str:
    """Suggest the nearest of some words to a wrong one; if none is near, all."""
    words = sorted(set(right))
    near = nearest(wrong, words)
    return f"did you mean `{near}`?" if near else f"known {what}: {', '.join(words)}"
