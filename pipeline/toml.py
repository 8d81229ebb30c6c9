"""TOML files as typed tables; a fault is told with its line, a wrong key with the nearest right one."""

from __future__ import annotations

import difflib
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pipeline.errors import CatalogError, Place

T = TypeVar("T")


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file; raises CatalogError with the place if it is missing or malformed."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CatalogError("file not found", place=Place(str(path)), mend="`jiaokan init` makes one") from None
    except UnicodeDecodeError as error:
        raise CatalogError(f"not UTF-8 at byte {error.start}", place=Place(str(path))) from None
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(where[1]), int(where[2])) if where else (0, 0)
        raise CatalogError(f"not TOML: {error}", place=Place(str(path), line, column)) from None


def typed(path: Path, kind: type[T]) -> T:
    """Read a TOML file as `kind`; raises CatalogError that names the key and the nearest right one."""
    table = read_toml(path)
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        message = str(error)
        unknown = re.search(r"unknown field `([^`]+)`", message)
        key = unknown[1] if unknown else (re.findall(r"[.`](\w+)(?:\[\.\.\.\])?`?$", message) or [""])[-1]
        raise CatalogError(
            f"{message.replace('Object', 'the table', 1)}",
            place=Place(str(path), _line_of(path, key)),
            mend=_nearest(key, kind) if unknown else "",
        ) from None


def _line_of(path: Path, key: str) -> int:
    """Give the line where a key is set, 0 if it is nowhere."""
    pattern = re.compile(rf"\s*{re.escape(key)}\s*=|.*\b{re.escape(key)}\s*=") if key else None
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines, 1) if pattern and pattern.match(line)), 0)


def _nearest(key: str, kind: type[Any]) -> str:
    """Suggest the field nearest to a wrong key, among those of `kind` and of the tables in it."""
    fields: set[str] = set()
    todo: list[Any] = [kind]
    while todo:
        each = todo.pop()
        if isinstance(each, type) and issubclass(each, msgspec.Struct):
            for field in msgspec.structs.fields(each):
                fields.add(field.name)
                todo.append(field.type)
        else:
            todo.extend(getattr(each, "__args__", ()))
    near = difflib.get_close_matches(key, fields, 1, 0.5)
    return f"did you mean `{near[0]}`?" if near else f"known keys: {', '.join(sorted(fields))}"
