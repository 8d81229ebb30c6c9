"""The manual of the settings (`jiaokan explain TOPIC`): every key with its type, default, explanation and example.

Types and defaults come from the types themselves, the example of each key from ``keys.tsv``, its words from the
message ``key-…``, everything else from ``manual.toml``. Readers and kinds of decisions, which are declared in higher
rooms, are passed in.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

import msgspec
from msgspec import inspect as types

from jiaokan import messages
from jiaokan.errors import CatalogError, Message, suggestion
from jiaokan.settings.flat import flat_fields
from jiaokan.settings.layouts import LayoutDeclaration
from jiaokan.settings.lists import KINDS as LISTS
from jiaokan.settings.patterns import Pair
from jiaokan.settings.plans import EditionPlan, PrintPlan
from jiaokan.settings.tables import CatalogFile, PersonsFile, PlacesFile

_TABLES: Mapping[str, type] = MappingProxyType({
    "catalog": CatalogFile, "persons": PersonsFile, "places": PlacesFile, "edition": EditionPlan, "print": PrintPlan,
    "layout": LayoutDeclaration,
})
"""Topics that are one file or table."""
TOPICS = ("catalog", "persons", "places", "edition", "print", "convention", "reader", "decisions", "lists", "layout")
"""The pages of the manual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRow:
    """A reader, as far as the manual needs it."""

    name: str
    about: str
    """The docstring of its module."""
    convention: type


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualKey:
    """A key that a table may have."""

    name: str
    home: str
    """The class that declares it, and the key: ``SourceEntry.siglum``."""
    kind: types.Type
    required: bool
    default: object


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualTable:
    """A table of a file, with its keys."""

    head: str
    """Its first line in the file: ``[[source]]``; empty at the top of the file."""
    about: str
    kind: type
    keys: tuple[ManualKey, ...]


def tables(kind: type, head: str = "") -> Iterator[ManualTable]:
    """Yield the table that a type describes, and the tables in it, each once; `head` is the name of the first."""
    seen: set[type] = set()
    todo = [(kind, head, False)]
    while todo:
        table_type, path, in_list = todo.pop(0)
        if table_type in seen:
            continue
        seen.add(table_type)
        keys = []
        for part, field in sorted(flat_fields(table_type).values(), key=lambda flat: not flat.field.required):
            home = table_type if part else next(
                base for base in table_type.__mro__ if field.name in vars(base).get("__annotations__", {}))
            default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
            keys.append(ManualKey(
                name=field.encode_name, home=f"{home.__name__}.{field.name}", kind=field.type, required=field.required,
                default=default,
            ))
        shown = f"[[{path}]]" if in_list else f"[{path}]"
        about = _one_line(inspect.getdoc(table_type) or "")
        yield ManualTable(head=shown if path else "", about=about, kind=table_type, keys=tuple(keys))
        for key in keys:
            if inner := _struct_of(key.kind):
                todo.append((inner.cls, f"{path}.{key.name}".strip("."), isinstance(key.kind, types.VarTupleType)))


def _one_line(text: str) -> str:
    """Return the first paragraph of a docstring as one line, with single backquotes."""
    return re.sub(r"\s+", " ", text.partition("\n\n")[0]).replace("``", "`").strip()


def _struct_of(kind: types.Type) -> types.StructType | None:
    match kind:
        case types.StructType():
            return kind
        case types.VarTupleType(item_type=inner) | types.Metadata(type=inner):
            return _struct_of(inner)
        case types.UnionType(types=members):
            return next(filter(None, map(_struct_of, members)), None)
    return None


@cache
def _files() -> dict[str, str]:
    files: dict[str, str] = tomllib.loads(
        Path(__file__).with_name("manual.toml").read_text(encoding="utf-8"))["files"]
    return files


def _identifier(name: str) -> str:
    return f"manual-{name.replace(' ', '-')}"


def _word(name: str, lang: str, **values: str | int) -> str:
    return Message(_identifier(name), **values).in_language(lang)


class KeyWords(NamedTuple):
    """What the manual says about a key."""

    example: str
    """As TOML."""
    about: Message


@cache
def key_words() -> Mapping[str, KeyWords]:
    """Return the words on each key by type and key (``SourceEntry.siglum``), or key alone (``*.resp``): the example of
    its row in ``keys.tsv``, and its message ``key-…``."""
    rows = Path(__file__).with_name("keys.tsv").read_text(encoding="utf-8").splitlines()
    cells = (row.split("\t") for row in rows if row and not row.startswith("#"))
    return MappingProxyType({key: KeyWords(example, Message(f"key-{key.replace('*', 'any')}"))
                             for key, example in cells})


def words_of(key: ManualKey) -> KeyWords:
    """Return the words on a key. Raises KeyError if it has no row."""
    return key_words().get(key.home) or key_words()[f"*.{key.home.partition('.')[2]}"]


def value_words(kind: types.Type, lang: str) -> str:
    """Return what a value must be, in words."""
    def word(name: str, **values: str | int) -> str:
        return _word(f"kinds-{name}", lang, **values)

    match kind:
        case types.Metadata(type=inner, extra=extra):
            what = (extra or {}).get("names") or (extra or {}).get("is") or ""
            return word(what) if messages.has(_identifier(f"kinds-{what}")) else value_words(inner, lang)
        case types.StrType(min_length=least, pattern=pattern):
            if pattern:
                return word("code")
            return word("words" if least else "text")
        case types.IntType(ge=least, le=most) | types.FloatType(ge=least, le=most):
            name = word("whole" if isinstance(kind, types.IntType) else "number")
            return name if least is None else f"{name}, {word('from', least=str(least), most=str(most))}"
        case types.BoolType():
            return word("truth")
        case types.DateType():
            return word("date")
        case types.CustomType(cls=cls):
            return word("pair" if cls is Pair else "pattern")
        case types.LiteralType(values=values):
            return word("one", values=", ".join(str(choice) or '""' for choice in values))
        case types.DictType(key_type=key, value_type=value):
            return word("map", key=value_words(key, lang), value=value_words(value, lang))
        case types.VarTupleType(item_type=inner):
            return word("rows") if _struct_of(inner) else word("list", item=value_words(inner, lang))
        case types.UnionType(types=members):
            return "; ".join(value_words(member, lang) for member in members if not isinstance(member, types.NoneType))
    return word("table")


class DecisionKind(Protocol):
    """What the manual needs of a kind of decisions (`jiaokan.decisions.kinds.Kind`), which is of a higher room."""

    @property
    def name(self) -> str: ...
    @property
    def table(self) -> type: ...
    @property
    def files(self) -> tuple[str, ...]: ...
    @property
    def stages(self) -> Iterable[str]: ...
    @property
    def about(self) -> Message: ...
    @property
    def needs(self) -> Message: ...


def page(
    topic: str, of: str = "", lang: str = "en", *, readers: Sequence[ReaderRow] = (),
    kinds: Sequence[DecisionKind] = (),
) -> str:
    """Return a page of the manual: of a topic, or of one thing. Raises CatalogError for an unknown one.

    `kinds` are those of decisions.
    """
    if topic not in TOPICS:
        raise _unknown(topic, TOPICS, "topic")
    parts = {"reader": [reader.name for reader in readers], "decisions": [kind.name for kind in kinds],
             "lists": [*LISTS]}
    known = parts.get(topic, [])
    if of and of not in known:
        raise _unknown(of, known, topic)
    head = f"{_files()[topic]}  {_word(f'titles-{topic}', lang)}"
    lines = [] if of else [head, _word(f"about-{topic}", lang)]
    match topic:
        case "convention":
            lines += _convention(readers, lang)
        case "reader":
            lines += _reader(readers, of, lang)
        case "decisions":
            lines += _decisions(kinds, of, lang)
        case "lists":
            lines += _lists(of, lang)
        case _:
            for table in tables(_TABLES[topic], "print" if topic == "print" else ""):
                lines += _table(table, lang)
    return "\n".join(lines).rstrip() + "\n"


def _unknown(wrong: str, known: Sequence[str], what: str) -> CatalogError:
    return CatalogError(Message("the-manual-no", what=what, wrong=wrong), mend=suggestion(wrong, known))


def _table(table: ManualTable, lang: str) -> Iterator[str]:
    yield ""
    if table.head:
        yield f"{table.head}" + (f"  {table.about}" if lang == "en" else "")
    for key in table.keys:
        example, about = words_of(key)
        needed = _word("words-required", lang) if key.required else _word("words-default", lang, value=_default(key))
        yield f"  {key.name}  ({value_words(key.kind, lang)}; {needed})"
        yield f"      {about.in_language(lang)}"
        if example != "[]":
            yield f"      {key.name} = {example}"


def _default(key: ManualKey) -> str:
    match key.default:
        case bool():
            return str(key.default).lower()
        case str():
            return f'"{key.default}"'
        case tuple():
            return "[]"
        case None | msgspec.Struct() | Mapping():
            return "–"
    return str(key.default)


def _convention(readers: Sequence[ReaderRow], lang: str) -> Iterator[str]:
    shared: dict[type, list[str]] = {}
    for reader in readers:
        shared.setdefault(reader.convention, []).append(reader.name)
    for kind, names in shared.items():
        yield from ("", f"reader = {' | '.join(names)}")
        for table in tables(kind):
            yield from _table(table, lang)


def _reader(readers: Sequence[ReaderRow], of: str, lang: str) -> Iterator[str]:
    lines = {reader.name: _reader_line(reader, lang) for reader in readers}
    if not of:
        yield ""
        for name, line in lines.items():
            yield f"  {name:11} {line}"
        return
    row = next(reader for reader in readers if reader.name == of)
    yield f"reader = \"{of}\"  {lines[of]}"
    if lang == "en":
        yield from row.about.replace("``", "`").splitlines()[1:]
    for table in tables(row.convention):
        yield from _table(table, lang)


def _reader_line(row: ReaderRow, lang: str) -> str:
    identifier = f"reader-{row.name}"
    return Message(identifier).in_language(lang) if messages.has(identifier) else _one_line(row.about)


def _decisions(kinds: Sequence[DecisionKind], of: str, lang: str) -> Iterator[str]:
    for kind in kinds:
        if of in ("", kind.name):
            yield ""
            yield f"[[{kind.name}]]  {kind.about.in_language(lang)}"
            when = ", ".join(_word(f"stages-{stage}", lang) for stage in sorted(kind.stages))
            files = ", ".join(kind.files)
            yield f"  {_word('words-in', lang)} {files}; {_word('words-stage', lang)} {when}"
            yield f"  {_word('words-needs', lang)} {kind.needs.in_language(lang)}"
            yield from [*_table(next(iter(tables(kind.table))), lang)][1:]


def _lists(of: str, lang: str) -> Iterator[str]:
    for name, kind in LISTS.items():
        if of in ("", name):
            yield ""
            yield f"tei/lists/{name}.tsv  {_word(f'lists-{name}', lang)}"
            needed = len(kind.columns) - kind.optional
            columns = [column if n < needed else f"[{column}]" for n, column in enumerate(kind.columns)]
            yield f"  {' ⇥ '.join(columns)}"
            yield f"  {kind.example.replace(chr(9), ' ⇥ ')}"
