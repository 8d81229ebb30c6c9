"""What of a table of settings does not fit its type: everything at once, each with what to do.

msgspec stops at the first; here the description that it gives of a type (`msgspec.inspect`) is gone through.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from typing import Any, cast

from msgspec import inspect as types

from pipeline.model.variants import VARIANT_CLASSES
from pipeline.model.vocabulary import NOTE_SUBTYPES
from pipeline.settings import values
from pipeline.settings.patterns import Pair, checked, pair
from pipeline.settings.syntax import KeyPath
from pipeline.settings.values import LABEL, REGISTRIES, WHERE, Known, identifier_fault

_OWN: Known = {"kind of note": {key: (words,) for key, words in NOTE_SUBTYPES.items()}}
"""Names that no folder declares."""
_SHOWN = 40
"""So many characters of a wrong value are quoted."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that does not fit."""

    path: KeyPath
    message: str
    mend: str = ""
    value: bool = True
    """Whether it is the value that is wrong, not the key."""


def faults(table: Any, kind: type[Any], known: Known | None = None) -> tuple[Fault, ...]:
    """Give all faults of a table that is to be a `kind`; `known` are the names that it may use, none: any."""
    return tuple(_Checker(known or {}).check(table, _shape(cast(Hashable, kind)), ()))


@cache
def _shape(kind: Hashable) -> types.Type:
    """Give a type as msgspec sees it: worked out once, not for each of ten thousand texts."""
    return types.type_info(kind)


class _Checker:
    """Goes through values and types side by side."""

    def __init__(self, known: Known) -> None:
        self.known = known

    def check(self, value: Any, kind: types.Type, path: KeyPath) -> Iterator[Fault]:
        """Give the faults of a value that is to be of a kind."""
        match kind:
            case types.Metadata(type=inner, extra=extra):
                found = tuple(self.check(value, inner, path))
                yield from found or self.special(value, extra or {}, path)
            case types.UnionType(types=members):
                words = [word for each in members if isinstance(each, types.LiteralType) for word in each.values]
                other = [each for each in members if not isinstance(each, types.NoneType | types.LiteralType)]
                yield from self.check(value, other[0] if other else types.LiteralType(tuple(words)), path)
            case types.StructType() if isinstance(value, dict):
                yield from self.table(value, kind, path)
            case types.VarTupleType() if isinstance(value, list):
                yield from self.row(value, kind, path)
            case types.DictType(value_type=inner) if isinstance(value, dict):
                for key, each in value.items():
                    yield from self.check(each, inner, (*path, key))
                    for fault in self.check(key, kind.key_type, path):
                        yield Fault((*path, key), fault.message, fault.mend, value=False)
            case types.LiteralType(values=values):
                if value not in values:
                    right = sorted(map(str, filter(None, values)))
                    mend = f"write {_key(path)[1:-1]} = \"{_IDS[value]}\"" if _IDS.get(str(value)) in right else (
                        nearest(str(value), right, "values"))
                    yield Fault(path, f"{_quoted(value)} is no value of {_key(path)}", mend)
            case types.DateType():
                yield from _day(value, path)
            case _:
                yield from _plain(value, kind, path)

    def row(self, value: list[Any], kind: types.VarTupleType, path: KeyPath) -> Iterator[Fault]:
        """Give the faults of a list: of its length, where that is fixed, and of its values."""
        if kind.min_length and kind.min_length == kind.max_length != len(value):
            yield Fault(path, f"{_key(path)} has {len(value)} values; expected {kind.min_length}",
                        f"write {kind.min_length} of them, with commas between, in [ ]")
        for n, each in enumerate(value):
            yield from self.check(each, kind.item_type, (*path, n))

    def table(self, value: dict[str, Any], kind: types.StructType, path: KeyPath) -> Iterator[Fault]:
        """Give the faults of a table: unknown keys, missing keys, and those of its values."""
        fields = {each.encode_name: each for each in kind.fields}
        missing = [name for name, each in fields.items() if each.required and name not in value]
        for key in value:
            if key not in fields:
                left = [name for name in fields if name not in value]
                near = difflib.get_close_matches(key, left, 1, 0.5) or difflib.get_close_matches(key, fields, 1, 0.5)
                mend = f"did you mean `{near[0]}`?" if near else f"known keys: {', '.join(sorted(fields))}"
                missing = [name for name in missing if not near or name != near[0]]
                yield Fault((*path, key), f"`{key}` is no key of {_table(path)}", mend, value=False)
        for name in missing:
            row = str(path[-1] + 1) if name == "n" and path and isinstance(path[-1], int) else ""
            yield Fault(path, f"`{name}` is missing in {_table(path)}",
                        f"add {name} = {row or _sample(fields[name].type)}", value=False)
        for name, each in fields.items():
            if name in value:
                yield from self.check(value[name], each.type, (*path, name))

    def special(self, value: str, extra: dict[str, Any], path: KeyPath) -> Iterator[Fault]:
        """Give the fault of a name that nothing has, of a day, of an address or of the identifier of a registry."""
        if what := extra.get("names"):
            names = _OWN[what] if what in _OWN else self.known.get(what)
            if value and names is not None and value not in names:
                yield Fault(path, f"{_key(path)} {value[:_SHOWN]!r} is not declared: no {what} has this id",
                            undeclared(value, names, what))
        elif extra.get("is") == "day" and not _is_day(value):
            yield Fault(path, f"{value[:_SHOWN]!r} is no day that there is", 'write year-month-day: "2026-11-20"')
        elif extra.get("is") == "address" and not re.fullmatch(r"(?:https?://[^\s<>\"{}|\\^`]+)?", value):
            yield Fault(path, f"{value[:_SHOWN]!r} is no address of the web",
                        "begin with https:// and leave no blank in it, or leave the key out")
        elif extra.get("is") == "paper":
            yield from _paper(value, path)
        elif extra.get("is") == "words" and not value.strip():
            yield Fault(path, f"{_key(path)} is only white space", "write what is to be shown")
        elif extra.get("is") == "label" and not re.fullmatch(LABEL, value):
            yield Fault(path, f"{_key(path)} {value[:_SHOWN]!r} has what cannot stand in a sign",
                        "no private or combining character, nothing that is not seen, one blank between two words")
        elif extra.get("is") in REGISTRIES and (said := identifier_fault(extra["is"], value)):
            yield Fault(path, *said)


def _paper(value: str, path: KeyPath) -> Iterator[Fault]:
    """Give the fault of a size of paper that is none, or none."""
    try:
        values.size_of(value)
    except ValueError as error:
        yield Fault(path, str(error), values.known_sizes())


def undeclared(name: str, names: Collection[str], what: str) -> str:
    """Say what to do about a name that is not declared: the nearest that is, and where to declare it."""
    called = [key for key, words in names.items() if name in words] if isinstance(names, Mapping) else []
    near = called or difflib.get_close_matches(name, names, 1, 0.6)
    hint = f"did you mean {near[0]!r}? else " if near else ""
    if what == "kind of note":
        return f"{hint}use one of: {', '.join(names)}"
    shown = [*names][:12]
    there = f" (there: {', '.join(shown)}{' …' if len(names) > len(shown) else ''})" if not near and shown else ""
    return f"{hint}declare it in {WHERE[what]}{there}"


def nearest(wrong: str, right: Collection[str], what: str) -> str:
    """Suggest the nearest of some words to a wrong one; if none is near, all."""
    near = difflib.get_close_matches(wrong, sorted(set(right)), 1, 0.6)
    return f"did you mean `{near[0]}`?" if near else f"known {what}: {', '.join(sorted(set(right)))}"


def _plain(value: Any, kind: types.Type, path: KeyPath) -> Iterator[Fault]:
    """Give the faults of a text, a number or a truth, and of a table or list where something else stands."""
    wanted, of = _wanted(kind)
    if type(value) not in of:
        yield Fault(path, f"{_key(path)} is {_what(value)}; expected {wanted}",
                    f"write {_last(path)}{_turned(value, kind)}")
    elif isinstance(kind, types.StrType):
        if kind.min_length and len(value) < kind.min_length:
            yield Fault(path, f"{_key(path)} is empty", "write something, or leave the key out where it may be missing")
        elif kind.pattern and not re.search(kind.pattern, value):
            what, write = _LANGUAGE if path[-1] == "language" else _CODE
            yield Fault(path, f"{value[:_SHOWN]!r} is no {what}", write)
    elif isinstance(kind, types.CustomType):
        try:
            (pair if kind.cls is Pair else checked)(value)
        except ValueError as error:
            said = _ENDLESS if "repeat" in str(error) else _HELP_PAIR if kind.cls is Pair else _HELP_PATTERN
            yield Fault(path, f"{_key(path)}: {error}", said)
    elif isinstance(kind, types.IntType | types.FloatType):
        yield from _bounds(value, kind, path)


_IDS = {printed: name for names in (VARIANT_CLASSES, NOTE_SUBTYPES) for name, printed in names.items()}
"""Ids of what has a printed name: 通假, 疏."""
_ENDLESS = "matching it could take for ever: let * and + repeat one sign or [ ] only, as in '第[^节]+节'"
_LANGUAGE = ("language tag", "write one of RFC 5646: lzh-Hans, lzh-Hant, sa-Latn; `jiaokan explain catalog` has more")
_CODE = ("code point", "write it as U+EB8E: U+ and four to six of 0-9, A-F")
"""Texts of a form of their own: what they are, and how they are written."""
_HELP_PAIR = 'write the two signs and nothing else, as "〈〉"'
_HELP_PATTERN = (
    "it is a regular expression (docs.python.org/library/re): a sign such as ( [ * ? that means itself has "
    "a \\ before it, in '…'"
)


def _bounds(value: float, kind: types.IntType | types.FloatType, path: KeyPath) -> Iterator[Fault]:
    """Give the fault of a number that is too small or too great, or none."""
    least, most = kind.ge, kind.le
    if value != value or (least is not None and value < least) or (most is not None and value > most):
        yield Fault(path, f"{_key(path)} is {value}; expected a number >= {least} and <= {most}",
                    f"write a number from {least} to {most}")
    elif abs(value) > 2**53:
        yield Fault(path, f"{_key(path)} is greater than any number of its kind", "write a smaller one")


def _wanted(kind: types.Type) -> tuple[str, tuple[type, ...]]:
    """Say what is expected, and of which types of Python it is."""
    match kind:
        case types.StrType() | types.CustomType():
            return "text in quotes", (str,)
        case types.IntType():
            return "a whole number", (int,)
        case types.FloatType():
            return "a number", (int, float)
        case types.BoolType():
            return "true or false", (bool,)
        case types.VarTupleType():
            return "a list in [ ]", (list,)
    return "a table", (dict,)


def _what(value: Any) -> str:
    """Say what a value is."""
    match value:
        case bool():
            return f"`{str(value).lower()}`"
        case str():
            return f"the text {value[:_SHOWN]!r}"
        case int() | float():
            return f"the number {str(value)[:_SHOWN]}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a table"
        case date() | time():
            return f"the date {value.isoformat()}"
    return type(value).__name__


def _turned(value: Any, kind: types.Type) -> str:
    """Show a value as it should be written, or a sample."""
    if isinstance(kind, types.StrType | types.CustomType) and isinstance(value, int | float | date):
        return f'"{str(value)[:_SHOWN]}"'
    if isinstance(kind, types.VarTupleType) and isinstance(value, str):
        return f'["{value[:_SHOWN]}"]'
    if isinstance(kind, types.IntType | types.FloatType) and isinstance(value, str):
        return found[0] if (found := re.match(r"\d{1,9}", value)) else _sample(kind)
    return _sample(kind)


def _sample(kind: types.Type) -> str:
    """Give what a value of a kind looks like."""
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


def _day(value: Any, path: KeyPath) -> Iterator[Fault]:
    """Give the fault of a value that is no day."""
    good = isinstance(value, date) and not isinstance(value, datetime)
    if not good and not (isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) and _is_day(value)):
        yield Fault(path, f"{_key(path)} is {_what(value)}, which is no day", "write the day as 2026-11-20")


def _is_day(text: str) -> bool:
    """Whether a text is a year, a month or a day that there is."""
    if not re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text):
        return False
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return True


def _quoted(value: Any) -> str:
    return repr(value[:_SHOWN]) if isinstance(value, str) else _what(value)


def _key(path: KeyPath) -> str:
    """Name the key of a value: ``witnesses`` for an item of the list."""
    return f"`{next((each for each in reversed(path) if isinstance(each, str)), '')}`"


def _last(path: KeyPath) -> str:
    return f"{path[-1]} = " if path and isinstance(path[-1], str) else ""


def _table(path: KeyPath) -> str:
    """Name a table as the file writes it."""
    names = [each for each in path if isinstance(each, str)]
    if not names:
        return "the file"
    return f"[[{'.'.join(names)}]]" if isinstance(path[-1], int) else f"[{'.'.join(names)}]"
