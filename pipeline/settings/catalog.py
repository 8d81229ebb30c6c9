"""The edition folder's TOML as typed, checked settings: sources, works, persons, conventions, editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Literal

import msgspec

from pipeline.errors import CatalogError, Place, suggestion
from pipeline.model.vocabulary import NOTE_SUBTYPES
from pipeline.settings import lists as own_lists
from pipeline.settings.names import check_id, file_name
from pipeline.settings.plans import EditionPlan, Strict
from pipeline.settings.toml import TomlTable, read_toml, table_lines, typed

__all__ = [
    "Catalog", "Chapter", "Licence", "Person", "Project", "SourceEntry", "Work",
    "load", "persons", "read_toml", "typed",
]




class Licence(Strict, frozen=True, kw_only=True):
    """Under what terms a text may be used."""

    name: str
    url: str = ""


class Chapter(Strict, frozen=True, kw_only=True):
    """A chapter 篇 of a work: its canonical number and every title under which sources print it."""

    n: int
    title: str
    names: tuple[str, ...] = ()


class Work(Strict, frozen=True, kw_only=True):
    """A work whose chapters are numbered; sources of one work can be collated."""

    id: str
    title: str
    chapters: tuple[Chapter, ...]
    annotators: Mapping[str, str] = {}
    """Whom later commentators mean by 注曰 and 疏曰: ids of persons, by kind of note (``zhu``, ``shu``). Where none is
    declared, it is the one who speaks all notes of this kind in a source."""

    def chapter(self, title: str) -> Chapter | None:
        """Give the chapter that a source prints under this title, or None."""
        return next((c for c in self.chapters if title == c.title or title in c.names), None)


class SourceEntry(Strict, frozen=True, kw_only=True):
    """One transcription as received."""

    id: str
    siglum: str
    file: str
    sha256: str
    work: str
    title: str
    authors: tuple[str, ...]
    dynasty: str
    reader: str
    language: Literal["lzh-Hans", "lzh-Hant"]
    licence: Licence
    convention: str = ""
    """Name of the file in ``tei/conventions`` by which it marks its layers; if empty, its own id."""
    origin: str = ""
    note: str = ""
    pinyin: str = ""
    """The title in Latin letters; empty: as its graphs are commonly read."""


class Person(Strict, frozen=True, kw_only=True):
    """A commentator, an author or an editor."""

    id: str
    name: str
    label: str
    names: tuple[str, ...] = ()
    dynasty: str = ""
    birth: int = 0
    """Year of birth of the common era, where reference works agree; 0 if they do not, or nobody knows."""
    death: int = 0
    work: str = ""
    note: str = ""
    pinyin: str = ""
    """The name in Latin letters (Ao Jigong); empty: as its graphs are commonly read."""


class Project(Strict, frozen=True, kw_only=True):
    """What holds for all texts of the folder."""

    title: str
    publisher: str
    editors: tuple[str, ...]
    date: str
    licence: Licence
    url: str = ""
    """Where the site is published (``https://example.org/lunyu/``): citations then begin with it."""


class _CatalogFile(Strict, frozen=True, kw_only=True):
    project: Project
    source: tuple[SourceEntry, ...] = ()
    work: tuple[Work, ...] = ()


class _PersonsFile(Strict, frozen=True, kw_only=True):
    person: tuple[Person, ...] = ()


class Catalog(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of an edition folder."""

    root: Path
    project: Project
    sources: Mapping[str, SourceEntry]
    works: Mapping[str, Work]
    persons: Mapping[str, Person]
    editions: Mapping[str, EditionPlan]
    lists: own_lists.Lists = own_lists.NONE
    """The folder's own lists, ``tei/lists``."""

    def latin(self) -> dict[str, str]:
        """Give what the settings say of names and titles in Latin letters, by what they are in Chinese."""
        said = [(person.name, person.pinyin) for person in self.persons.values()]
        said += [(source.title, source.pinyin) for source in self.sources.values()]
        for plan in self.editions.values():
            said += [(plan.title, plan.pinyin), *((chapter.title, chapter.pinyin) for chapter in plan.chapters)]
        return {name: latin for name, latin in said if latin}

    def path(self, entry: SourceEntry) -> Path:
        """Give the path of a source's file."""
        return self.root / "tei" / entry.file

    def conventions(self, source: str) -> tuple[Path, ...]:
        """Give the files that can hold the convention of a source: the one it names, and its own, which goes above.

        Raises CatalogError if what it names is no file of ``tei/conventions``.
        """
        entry = self.sources.get(source)
        named = entry.convention if entry and entry.convention else source
        place = Place(str(self.root / "tei" / "catalog.toml"))
        names = dict.fromkeys([file_name(named, f"source {source!r}: convention", place), source])
        return tuple(self.root / "tei" / "conventions" / f"{name}.toml" for name in names)

    def convention(self, source: str) -> Mapping[str, Any]:
        """Give the convention of a source, empty if it has none; keys of its own file stand above those of the shared.

        Raises CatalogError if the convention that it names is not there.
        """
        first, *own = self.conventions(source)
        table = read_toml(first) if own or first.exists() else TomlTable(paths=(first,))
        for path in filter(Path.exists, own):
            over = read_toml(path)
            table = TomlTable({**table, **over}, paths=(path, first))
        return table


def load(root: Path) -> Catalog:
    """Read the settings of the edition folder at `root`.

    Raises CatalogError for what is missing, malformed, unknown, contradictory, or outside the folder.
    """
    home = root / "tei"
    file = typed(home / "catalog.toml", _CatalogFile)
    people = home / "persons.toml"
    files = sorted((home / "editions").glob("*.toml"))
    plans = [typed(path, EditionPlan) for path in files]
    place = Place(str(home / "catalog.toml"))
    catalog = Catalog(
        root=root,
        project=file.project,
        sources=_by_id(file.source, "source", _rows(home / "catalog.toml", "source")),
        works=_by_id(file.work, "work", _rows(home / "catalog.toml", "work")),
        persons=persons(people) if people.exists() else {},
        lists=own_lists.load(root),
        editions=_by_id(plans, "edition", [Place(str(path)) for path in files]),
    )
    _check(catalog, place)
    return catalog


def persons(path: Path) -> Mapping[str, Person]:
    """Read a persons.toml by id; raises CatalogError."""
    return _by_id(typed(path, _PersonsFile).person, "person", _rows(path, "person"))


def _rows(path: Path, name: str) -> Iterator[Place]:
    """Give the place of each row of a table in a file, then for ever that of the file."""
    lines = table_lines(path).get(name, [])
    return chain((Place(str(path), line) for line in lines), repeat(Place(str(path))))


def _by_id(items: Any, what: str, places: Iterable[Place]) -> dict[str, Any]:
    """Index things by id; raises CatalogError for an id that is given twice or is not a name."""
    index: dict[str, Any] = {}
    for item, place in zip(items, places, strict=False):
        check_id(item.id, what, place)
        if item.id in index:
            raise CatalogError(f"{what} {item.id!r} is declared twice", place=place)
        index[item.id] = item
    return index


def _check(catalog: Catalog, place: Place) -> None:
    """Hold the parts against each other; raises CatalogError for the first that does not fit."""
    for entry in catalog.sources.values():
        inside = (catalog.root / "tei").resolve()
        if not (inside / entry.file).resolve().is_relative_to(inside):
            raise CatalogError(
                f"source {entry.id!r} lies outside the edition's folder: {entry.file}",
                place=place, mend="copy the file into tei/sources/",
            )
        file_name(entry.convention or entry.id, f"source {entry.id!r}: convention", place)
        _known(entry.work, catalog.works, f"source {entry.id!r}: work", place)
        for author in entry.authors:
            _known(author, catalog.persons, f"source {entry.id!r}: author", place)
    for work in catalog.works.values():
        for kind, annotator in work.annotators.items():
            _known(kind, NOTE_SUBTYPES, f"work {work.id!r}: annotators:", place)
            _known(annotator, catalog.persons, f"work {work.id!r}: annotator", place)
    for plan in catalog.editions.values():
        _check_plan(plan, catalog, Place(str(catalog.root / "tei" / "editions" / f"{plan.id}.toml")))


def _check_plan(plan: EditionPlan, catalog: Catalog, place: Place) -> None:
    """Hold an edition's plan against the catalog."""
    for witness in plan.all_witnesses():
        _known(witness, catalog.sources, f"edition {plan.id!r}: witness", place)
    for speaker in plan.print.speakers:
        _known(speaker, catalog.persons, "[print] speakers:", place)
    if plan.kind == "reading" and not plan.witness:
        raise CatalogError("a reading edition names no text", place=place, mend='say which: witness = "ID"')
    if plan.kind == "critical":
        _known(plan.work, catalog.works, f"edition {plan.id!r}: work", place)
        if not plan.chapters:
            raise CatalogError("a critical edition has no chapter", place=place, mend="say which: [[chapters]]")
    for chapter in plan.chapters:
        if chapter.base not in chapter.witnesses:
            raise CatalogError(
                f"the base {chapter.base!r} of chapter {chapter.n} is not among its witnesses", place=place,
                mend="add it to `witnesses`",
            )


def _known(name: str, table: Mapping[str, Any], what: str, place: Place) -> None:
    """Raise CatalogError if `name` is not in the table, with the nearest that is."""
    if name not in table:
        mend = suggestion(name, table, f"declared: {', '.join(table) or 'none'}")
        raise CatalogError(f"{what} {name!r} is not declared", place=place, mend=mend)
