"""The manual of the settings, page by page: what `jiaokan explain TOPIC` prints, in English or Chinese."""

from __future__ import annotations

import difflib
import importlib
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pipeline import readers
from pipeline.decisions import kinds
from pipeline.errors import CatalogError
from pipeline.manual.fields import ManualKey, ManualTable, kind_words, sentence, tables
from pipeline.manual.words import ABOUT, FILES, STAGES, TITLES
from pipeline.settings.layouts import LayoutDeclaration
from pipeline.settings.lists import KINDS as LISTS
from pipeline.settings.persons import PersonsFile, PlacesFile
from pipeline.settings.plans import EditionPlan, PrintPlan
from pipeline.settings.tables import CatalogFile

TOPICS = ("catalog", "persons", "places", "edition", "print", "convention", "reader", "decisions", "lists", "layout")
"""What has a page, in the order in which a folder is made."""


def page(topic: str, of: str = "", lang: str = "en") -> str:
    """Give a page of the manual: of a topic, or of one of its things (``reader``, ``brackets``).

    Raises CatalogError for what has none, with the nearest that has.
    """
    if topic not in TOPICS:
        raise _unknown(topic, TOPICS, "topic")
    parts = {"reader": readers.names(), "decisions": [kind.name for kind in kinds.KINDS], "lists": [*LISTS]}
    known = parts.get(topic, [])
    if of and of not in known:
        raise _unknown(of, known, topic)
    return "\n".join(_PAGES[topic](of, lang)).rstrip() + "\n"


@cache
def told() -> Mapping[str, tuple[str, str]]:
    """Give by type and key its example, as TOML, and what it says, in Chinese: ``keys.tsv``."""
    rows = (Path(__file__).parent / "keys.tsv").read_text(encoding="utf-8").splitlines()
    cells = (row.split("\t") for row in rows if row and not row.startswith("#"))
    return MappingProxyType({key: (example, words) for key, example, words in cells})


def of_key(key: ManualKey) -> tuple[str, str]:
    """Give the example of a key, as TOML, and what it says in Chinese. Raises KeyError if nobody wrote them."""
    return told().get(key.home) or told()[f"*.{key.home.partition('.')[2]}"]


def convention_of(reader: str) -> type[Any]:
    """Give the type of the settings of a reader."""
    found: type[Any] = typing.get_type_hints(readers.reader(reader).convention)["return"]
    return found


def _unknown(wrong: str, known: typing.Sequence[str], what: str) -> CatalogError:
    near = difflib.get_close_matches(wrong, known, 1, 0.5)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return CatalogError(f"the manual has no {what} {wrong!r}", mend=f"{hint}there is: {', '.join(known) or 'nothing'}")


def _file(topic: str, kind: type[Any], lang: str, head: str = "") -> Iterator[str]:
    """Give a page on a file with its tables."""
    yield f"{FILES[topic]}  {TITLES[lang][topic]}"
    yield ABOUT[lang][topic]
    for table in tables(kind, head):
        yield from _table(table, lang)


def _table(table: ManualTable, lang: str) -> Iterator[str]:
    """Give a table with all its keys: name, type, default; what it says; an example."""
    yield ""
    if table.head:
        yield f"{table.head}" + (f"  {table.about}" if lang == "en" else "")
    for key in table.keys:
        example, chinese = of_key(key)
        needed = {"en": "required", "zh": "必填"} if key.required else {
            "en": f"default {_default(key)}", "zh": f"默认 {_default(key)}"}
        yield f"  {key.name}  ({kind_words(key.kind, lang)}; {needed[lang]})"
        yield f"      {key.about if lang == 'en' else chinese}"
        if example != "[]":
            yield f"      {key.name} = {example}"


def _default(key: ManualKey) -> str:
    """Give a default as TOML, or what a table is without the key."""
    value = key.default
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[]"
    return "–" if value is None or isinstance(value, msgspec.Struct | Mapping) else str(value)


def _catalog(_: str, lang: str) -> Iterator[str]:
    return _file("catalog", CatalogFile, lang)


def _persons(_: str, lang: str) -> Iterator[str]:
    return _file("persons", PersonsFile, lang)


def _places(_: str, lang: str) -> Iterator[str]:
    return _file("places", PlacesFile, lang)


def _edition(_: str, lang: str) -> Iterator[str]:
    return _file("edition", EditionPlan, lang)


def _print(_: str, lang: str) -> Iterator[str]:
    return _file("print", PrintPlan, lang, "print")


def _layout(_: str, lang: str) -> Iterator[str]:
    return _file("layout", LayoutDeclaration, lang)


def _convention(_: str, lang: str) -> Iterator[str]:
    """How conventions are found, then the keys of every kind of them."""
    yield f"{FILES['convention']}  {TITLES[lang]['convention']}"
    yield ABOUT[lang]["convention"]
    shared: dict[type[Any], list[str]] = {}
    for name in readers.names():
        shared.setdefault(convention_of(name), []).append(name)
    for kind, names in shared.items():
        yield from ("", f"reader = {' | '.join(names)}")
        for table in tables(kind):
            yield from _table(table, lang)


def _reader(of: str, lang: str) -> Iterator[str]:
    """All readers in a line each, or one with its convention."""
    if not of:
        yield f"{FILES['reader']}  {TITLES[lang]['reader']}"
        yield ABOUT[lang]["reader"]
        yield ""
        for name in readers.names():
            yield f"  {name:11} {_does(name, lang)}"
        return
    yield f"reader = \"{of}\"  {_does(of, lang)}"
    module = importlib.import_module(f"pipeline.readers.{of}")
    if lang == "en":
        yield from (inspect.getdoc(module) or "").replace("``", "`").splitlines()[1:]
    for table in tables(convention_of(of)):
        yield from _table(table, lang)


def _does(reader: str, lang: str) -> str:
    """Give what a reader reads in one line: the first of its module, or the Chinese words for it."""
    first = sentence(inspect.getdoc(importlib.import_module(f"pipeline.readers.{reader}")) or "")
    return ABOUT["zh"].get(f"reader {reader}", first) if lang == "zh" else first


def _decisions(of: str, lang: str) -> Iterator[str]:
    """All kinds of decisions, or one, each with its file and its keys."""
    if not of:
        yield f"{FILES['decisions']}  {TITLES[lang]['decisions']}"
        yield ABOUT[lang]["decisions"]
    for kind in kinds.KINDS:
        if of in ("", kind.name):
            about = sentence(inspect.getdoc(kind.table) or "") if lang == "en" else ABOUT["zh"].get(kind.name, "")
            stages = ", ".join(STAGES[lang][stage] for stage in sorted(kind.stages))
            yield ""
            yield f"[[{kind.name}]]  {about}"
            yield f"  {TITLES[lang]['in']} {', '.join(kind.files)}; {TITLES[lang]['stage']} {stages}"
            if lang == "en":
                yield f"  {TITLES[lang]['needs']} {kind.needs}"
            yield from [*_table(next(iter(tables(kind.table))), lang)][1:]


def _lists(of: str, lang: str) -> Iterator[str]:
    """All lists, or one, with their columns and a row of the program's own."""
    if not of:
        yield f"{FILES['lists']}  {TITLES[lang]['lists']}"
        yield ABOUT[lang]["lists"]
    for name, kind in LISTS.items():
        if of in ("", name):
            yield ""
            yield f"tei/lists/{name}.tsv  {ABOUT[lang][f'list {name}']}"
            needed = len(kind.columns) - kind.optional
            columns = [column if n < needed else f"[{column}]" for n, column in enumerate(kind.columns)]
            yield f"  {' ⇥ '.join(columns)}"
            yield f"  {kind.example.replace(chr(9), ' ⇥ ')}"


_PAGES: Mapping[str, Callable[[str, str], Iterator[str]]] = MappingProxyType({
    "catalog": _catalog, "persons": _persons, "places": _places, "edition": _edition, "print": _print,
    "convention": _convention, "reader": _reader, "decisions": _decisions, "lists": _lists, "layout": _layout,
})
