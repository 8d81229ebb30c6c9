"""The edition folder's TOML as typed, checked settings: sources, works, persons, conventions, editions."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from pipeline.errors import CatalogError, Place
from pipeline.plans import EditionPlan, Strict

T = TypeVar("T")


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
    origin: str = ""
    note: str = ""


class Person(Strict, frozen=True, kw_only=True):
    """A commentator, an author or an editor."""

    id: str
    name: str
    label: str
    names: tuple[str, ...] = ()
    dynasty: str = ""
    work: str = ""
    note: str = ""


class Project(Strict, frozen=True, kw_only=True):
    """What holds for all texts of the folder."""

    title: str
    publisher: str
    editors: tuple[str, ...]
    date: str
    licence: Licence


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

    def path(self, entry: SourceEntry) -> Path:
        """Give the path of a source's file."""
        return self.root / "tei" / entry.file

    def convention(self, source: str) -> Mapping[str, Any]:
        """Give the table of ``tei/conventions/SOURCE.toml``, empty if there is none."""
        path = self.root / "tei" / "conventions" / f"{source}.toml"
        return read_toml(path) if path.exists() else {}


def load(root: Path) -> Catalog:
    """Read the settings of the edition folder at `root`.

    Raises CatalogError for what is missing, malformed, unknown, contradictory, or outside the folder.
    """
    home = root / "tei"
    file = typed(home / "catalog.toml", _CatalogFile)
    people = home / "persons.toml"
    plans = [typed(path, EditionPlan) for path in sorted((home / "editions").glob("*.toml"))]
    place = Place(str(home / "catalog.toml"))
    catalog = Catalog(
        root=root,
        project=file.project,
        sources=_by_id(file.source, "source", place),
        works=_by_id(file.work, "work", place),
        persons=persons(people) if people.exists() else {},
        editions=_by_id(plans, "edition", Place(str(home / "editions"))),
    )
    _check(catalog, place)
    return catalog


def persons(path: Path) -> Mapping[str, Person]:
    """Read a persons.toml by id; raises CatalogError."""
    return _by_id(typed(path, _PersonsFile).person, "person", Place(str(path)))


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


def _by_id(items: Any, what: str, place: Place) -> dict[str, Any]:
    """Index things by id; raises CatalogError for an id that is given twice or is not a name."""
    index: dict[str, Any] = {}
    for item in items:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", item.id):
            raise CatalogError(f"{what} id {item.id!r} is not of the form a-z0-9-", place=place)
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
        _known(entry.work, catalog.works, f"source {entry.id!r}: work", place)
        for author in entry.authors:
            _known(author, catalog.persons, f"source {entry.id!r}: author", place)
    for plan in catalog.editions.values():
        where = Place(str(catalog.root / "tei" / "editions" / f"{plan.id}.toml"))
        for siglum in plan.all_witnesses():
            _known(siglum, catalog.sources, f"edition {plan.id!r}: witness", where)


def _known(name: str, table: Mapping[str, Any], what: str, place: Place) -> None:
    """Raise CatalogError if `name` is not in the table, with the nearest that is."""
    if name not in table:
        near = difflib.get_close_matches(name, table, 1, 0.5)
        mend = f"did you mean {near[0]!r}?" if near else f"declared: {', '.join(table) or 'none'}"
        raise CatalogError(f"{what} {name!r} is not declared", place=place, mend=mend)
