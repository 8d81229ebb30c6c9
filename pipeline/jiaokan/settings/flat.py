"""Tables that are flat in TOML and composed of smaller structs in the program, as ``[print]``.

A field annotated with `FLAT` is such a struct: the file writes its keys in the table around it, and never its name.
The checks and the manual see the keys as the file has them; `nested` builds the structs once, when a table is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import inspect as types

FLAT = msgspec.Meta(extra={"flat": True})
"""The annotation of a field whose struct has its keys in the table around it."""

S = TypeVar("S", bound=msgspec.Struct)


class FlatField(NamedTuple):
    """A key of a table, and where the program has it."""

    part: str
    """The field of the struct that has the key; empty if the table's own struct has it."""
    field: types.Field


@cache
def flat_fields(table: type) -> Mapping[str, FlatField]:
    """Return the keys that a table may have in TOML, in the order of the declarations. A part has no parts itself."""
    info = types.type_info(table)
    assert isinstance(info, types.StructType)
    fields: dict[str, FlatField] = {}
    for field in info.fields:
        match field.type:
            case types.Metadata(type=types.StructType(fields=inner), extra={"flat": True}):
                fields |= {key.encode_name: FlatField(field.name, key) for key in inner}
            case _:
                fields[field.encode_name] = FlatField("", field)
    return MappingProxyType(fields)


def nested(value: object, kind: types.Type) -> object:
    """Return a value that fits a type as the program's structs have it, for `msgspec.convert`."""
    match kind:
        case types.Metadata(type=inner):
            return nested(value, inner)
        case types.StructType(cls=table) if isinstance(value, dict):
            return _nested_table(value, table)
        case types.VarTupleType(item_type=inner) if isinstance(value, list):
            return [nested(item, inner) for item in value]
        case types.DictType(value_type=inner) if isinstance(value, dict):
            return {key: nested(item, inner) for key, item in value.items()}
        case types.UnionType(types=members):
            struct = next((member for member in members if isinstance(member, types.StructType)), None)
            return nested(value, struct) if struct else value
    return value


def _nested_table(table: Mapping[str, object], kind: type) -> dict[str, object]:
    values, parts = dict[str, object](), dict[str, dict[str, object]]()
    fields = flat_fields(kind)
    for key, value in table.items():
        part, field = fields[key]
        home = parts.setdefault(part, {}) if part else values
        home[key] = nested(value, field.type)
    return {**values, **parts}


def value_of(struct: msgspec.Struct, key: str) -> object:
    """Return the value of a key of TOML. Raises KeyError for an unknown key."""
    part, field = flat_fields(type(struct))[key]
    return getattr(getattr(struct, part) if part else struct, field.name)


def with_values(struct: S, **values: object) -> S:
    """Return a struct with other values for some keys of TOML. Raises KeyError for an unknown key."""
    for key, value in values.items():
        part, field = flat_fields(type(struct))[key]
        change = {field.name: value}
        if part:
            change = {part: msgspec.structs.replace(getattr(struct, part), **change)}
        struct = msgspec.structs.replace(struct, **change)
    return struct
