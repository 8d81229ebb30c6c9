"""Check a table of settings against its type: all faults at once, each with a remedy.

msgspec stops at the first fault; this module walks through its description of the type (`msgspec.inspect`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Any, cast

from msgspec import inspect as types

from jiaokan.errors import Message, nearest, suggestion
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.vocabulary import NOTE_SUBTYPES
from jiaokan.settings.flat import flat_fields
from jiaokan.settings.patterns import Pair, check_pattern, pair
from jiaokan.settings.syntax import KeyPath
from jiaokan.settings.values import FORMS, SHOWN, WHERE, Known, is_day

_OWN: Known = {"kind of note": {key: (words,) for key, words in NOTE_SUBTYPES.items()}}
"""Names that the program declares, not the folder."""
_IDS = {printed: name for names in (VARIANT_CLASSES, NOTE_SUBTYPES) for name, printed in names.items()}
"""Ids of what has a printed name: 通用, 疏."""
_HELP_LANGUAGE = Message("write-tag-rfc-lzh-hans")
_HELP_CODE = Message("write-u-eb8e-u-four")
_HELP_PAIR = Message("write-two-brackets-nothing-else")
_HELP_PATTERN = (
    Message("write-regular-expression-docs-python")
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not fit the type."""

    path: KeyPath
    message: str
    mend: str
    value: bool = True
    """Whether the value is wrong, not the key."""


def faults(table: object, kind: type, known: Known | None = None) -> tuple[Fault, ...]:
    """Return all faults of a table that should be a `kind`; any name may be used where `known` lacks its kind."""
    return tuple(_Checker(known or {}).check(table, shape(cast(Hashable, kind)), ()))


@cache
def shape(kind: Hashable) -> types.Type:
    """Return the description of a type."""
    return types.type_info(kind)


class _Checker:
    """Walks through values and types side by side."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def check(self, value: Any, kind: types.Type, path: KeyPath) -> Iterator[Fault]:
        """Yield the faults of a value that should be of a type."""
        match kind:
            case types.Metadata(type=inner, extra=extra):
                inner_faults = tuple(self.check(value, inner, path))
                yield from inner_faults or self.form(value, extra or {}, path)
            case types.UnionType(types=members):
                words = [word for member in members if isinstance(member, types.LiteralType) for word in member.values]
                other = [member for member in members if not isinstance(member, types.NoneType | types.LiteralType)]
                yield from self.check(value, other[0] if other else types.LiteralType(tuple(words)), path)
            case types.StructType() if isinstance(value, dict):
                yield from self.table(value, kind, path)
            case types.VarTupleType() if isinstance(value, list):
                yield from self.items(value, kind, path)
            case types.DictType(value_type=inner) if isinstance(value, dict):
                for key, item in value.items():
                    yield from self.check(item, inner, (*path, key))
                    for fault in self.check(key, kind.key_type, path):
                        yield Fault((*path, key), fault.message, fault.mend, value=False)
            case types.LiteralType(values=values):
                if value not in values:
                    yield _unallowed_fault(value, sorted(map(str, filter(None, values))), path)
            case types.DateType():
                is_date = isinstance(value, date) and not isinstance(value, datetime)
                if not is_date and not (isinstance(value, str) and len(value) == 10 and is_day(value)):
                    yield Fault(path, Message("expected-date", key=_key(path), what=_what(value)),
                                Message("write-the-day-as"))
            case _:
                yield from _scalar(value, kind, path)

    def items(self, value: list[object], kind: types.VarTupleType, path: KeyPath) -> Iterator[Fault]:
        """Yield the faults of a list: its length, where that is fixed, and its items."""
        if kind.min_length and kind.min_length == kind.max_length != len(value):
            yield Fault(path,
                        Message("wrong-number-of-values", key=_key(path), count=len(value), expected=kind.min_length),
                        Message("write-values-commas-between", min_length=kind.min_length))
        for n, item in enumerate(value):
            yield from self.check(item, kind.item_type, (*path, n))

    def table(self, value: dict[str, object], kind: types.StructType, path: KeyPath) -> Iterator[Fault]:
        """Yield the faults of a table: unknown keys, missing keys, and its values."""
        fields = {key: flat.field for key, flat in flat_fields(kind.cls).items()}
        missing = [name for name, field in fields.items() if field.required and name not in value]
        for key in value:
            if key not in fields:
                left = [name for name in fields if name not in value or isinstance(value[name], list)]
                among = left if nearest(key, left) else sorted(fields)
                mend = suggestion(key, among, Message("known-keys", among=", ".join(among)))
                missing = [name for name in missing if name != nearest(key, among)]
                yield Fault((*path, key), Message("the-key-unknown", key=key, table=_table(path)), mend, value=False)
        for name in missing:
            row = str(path[-1] + 1) if name == "n" and path and isinstance(path[-1], int) else ""
            yield Fault(path, Message("the-key-missing", name=name, table=_table(path)),
                        Message("add-key", key=name, value=row or _sample(fields[name].type)), value=False)
        for name, field in fields.items():
            if name in value:
                yield from self.check(value[name], field.type, (*path, name))

    def form(self, value: str, extra: dict[str, str], path: KeyPath) -> Iterator[Fault]:
        """Yield the fault of a name that is not declared, or of a text that has not the form of its type."""
        if what := extra.get("names"):
            names = _OWN[what] if what in _OWN else self.known.get(what)
            if value and names is not None and value not in names:
                kind = what if what in _OWN else Message("id-of", what="person" if what == "agent" else what)
                yield Fault(path, Message("name-unknown", what=kind, name=value[:SHOWN], key=_key(path)),
                            undeclared_remedy(value, names, what))
        elif (check := FORMS.get(extra.get("is", ""))) and (fault := check(value)):
            message, mend = fault
            yield Fault(path, Message("at-where", where=_key(path), problem=message), mend)


def _unallowed_fault(value: object, allowed: list[str], path: KeyPath) -> Fault:
    shown = repr(value[:SHOWN]) if isinstance(value, str) else _what(value)
    mend = Message("write-key-id", key=_key(path)[1:-1], id=_IDS[str(value)]) if _IDS.get(str(value)) in allowed else (
        suggestion(str(value), allowed, Message("allowed-values", allowed=", ".join(allowed))))
    return Fault(path, Message("is-not-an-allowed-value-of", shown=shown, key=_key(path)), mend)


def undeclared_remedy(name: str, names: Collection[str], what: str) -> str:
    """Return the remedy for a name that is not declared: the nearest declared one, and where to declare it."""
    called = [key for key, words in names.items() if name in words] if isinstance(names, Mapping) else []
    wrong = called[0] if called else name
    if what == "kind of note":
        return suggestion(wrong, names, Message("use-one-of", names=", ".join(names)), both=True)
    if nearest(wrong, names):
        return suggestion(wrong, names, Message("declare-in", where=WHERE[what]), both=True)
    listed = [*names][:12]
    declared = Message("declared-names", names=", ".join(listed), more=" …" if len(names) > len(listed)
                       else "") if listed else ""
    return Message("declare-it-in", where=WHERE[what], declared=declared)


def _scalar(value: Any, kind: types.Type, path: KeyPath) -> Iterator[Fault]:
    """Yield the faults of a text, a number or a boolean, and of a table or list where something else stands."""
    wanted, of = _EXPECTED.get(type(kind), (Message("a-table"), (dict,)))
    if type(value) not in of:
        last = f"{path[-1]} = " if path and isinstance(path[-1], str) else ""
        mend = (Message("write-two-brackets", key=path[-1]) if isinstance(value, dict) and list in of and last
                else Message("write-corrected", key=last, corrected=_corrected_toml(value, kind)))
        yield Fault(path, Message("is-expected", key=_key(path), what=_what(value), wanted=wanted), mend)
    elif isinstance(kind, types.StrType):
        if kind.min_length and len(value) < kind.min_length:
            yield Fault(path, Message("the-key-empty", key=_key(path)), Message("write-something-delete-key-optional"))
        elif kind.pattern and not re.search(kind.pattern, value):
            what, mend = (Message("language-tag"),
                          _HELP_LANGUAGE) if path[-1] == "language" else (Message("code-point"), _HELP_CODE)
            yield Fault(path, Message("the-key-value-wrong-kind", key=_key(path), value=value[:SHOWN], what=what), mend)
    elif isinstance(kind, types.CustomType):
        try:
            (pair if kind.cls is Pair else check_pattern)(value)
        except ValueError as error:
            mend = _HELP_PAIR if kind.cls is Pair else _HELP_PATTERN
            yield Fault(path, Message("at-where", where=_key(path), problem=error.args[0]), mend)
    elif isinstance(kind, types.IntType | types.FloatType):
        least, most = kind.ge, kind.le
        if value != value or (least is not None and value < least) or (most is not None and value > most):
            bounds = Message("from-to", least=least, most=most) if least is not None and most is not None else (
                Message("at-least", least=least) if least is not None else Message("at-most", most=most))
            yield Fault(path, Message("number-expected", key=_key(path), value=value, bounds=bounds),
                        Message("write-number"))
        elif abs(value) > 2**53:
            yield Fault(path, Message("too-large", key=_key(path)), Message("write-smaller-number"))


_EXPECTED: dict[type[types.Type], tuple[str, tuple[type, ...]]] = {
    types.StrType: (Message("text-quotes"), (str,)), types.CustomType: (Message("text-quotes"), (str,)),
    types.IntType: (Message("whole-number"), (int,)), types.FloatType: (Message("a-number"), (int, float)),
    types.BoolType: (Message("true-false"), (bool,)), types.VarTupleType: (Message("a-list"), (list,)),
}
"""What is expected for each type, in words, and the Python types of such values; for all others a table."""


def _what(value: object) -> str:
    match value:
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return Message("the-text-value", value=value[:SHOWN])
        case int() | float():
            return Message("the-number-value", value=str(value)[:SHOWN])
        case list():
            return Message("a-list-of", count=len(value))
        case dict():
            return Message("a-table")
        case date() | time():
            return Message("the-date-value", date=value.isoformat())
    return type(value).__name__


def _corrected_toml(value: object, kind: types.Type) -> str:
    """Return a value in the TOML of the expected type, or a sample."""
    if isinstance(kind, types.StrType | types.CustomType) and isinstance(value, int | float | date):
        return f'"{str(value)[:SHOWN]}"'
    if isinstance(kind, types.VarTupleType) and isinstance(value, str):
        return f'["{value[:SHOWN]}"]'
    if isinstance(kind, types.IntType | types.FloatType) and isinstance(value, str):
        return match[0] if (match := re.match(r"\d{1,9}", value)) else _sample(kind)
    return _sample(kind)


def _sample(kind: types.Type) -> str:
    match kind:
        case types.Metadata(type=inner, extra=extra):
            return '"2026-11-20"' if (extra or {}).get("is") == "day" else _sample(inner)
        case types.IntType(ge=least) | types.FloatType(ge=least):
            return str(least if least is not None else 1)
        case types.BoolType():
            return "true"
        case types.DateType():
            return "2026-11-20"
        case types.LiteralType(values=values):
            return f'"{next(filter(None, values))}"'
        case types.VarTupleType(item_type=inner):
            return f"[{_sample(inner)}]"
        case types.StructType(fields=fields):
            shown = [f for f in fields if f.required] or fields[:1]
            return "{ " + ", ".join(f"{f.encode_name} = {_sample(f.type)}" for f in shown) + " }"
    return '"…"'


def _key(path: KeyPath) -> str:
    """Return the key of a value: `` `witnesses` `` for an item of the list."""
    return f"`{next((step for step in reversed(path) if isinstance(step, str)), '')}`"


def _table(path: KeyPath) -> str:
    """Return a table's name as the file writes it."""
    names = [step for step in path if isinstance(step, str)]
    if not names:
        return Message("the-file")
    return f"[[{'.'.join(names)}]]" if isinstance(path[-1], int) else f"[{'.'.join(names)}]"
