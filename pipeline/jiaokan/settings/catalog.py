"""The settings of an edition folder: sources, works, persons, conventions, editions, lists; or of one loose file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from jiaokan.errors import CatalogError, Message, Place, SourceError, raise_all, refusal, suggestion, visible
from jiaokan.settings import consistency
from jiaokan.settings import lists as own_lists
from jiaokan.settings.names import check_files, windows
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.tables import (
    CatalogFile,
    CatalogPart,
    Chapter,
    Licence,
    NamedPerson,
    NamedPlace,
    Organisation,
    Person,
    PersonsFile,
    PlacesFile,
    Project,
    Publication,
    Revision,
    SourceEntry,
    Work,
)
from jiaokan.settings.toml import JoinedTable, TomlTable, as_table, read_toml, to_type
from jiaokan.settings.values import Known
from jiaokan.system.listing import matching
from jiaokan.system.store import State, Store, are_settled, cache_folder, program, stamp, states

__all__ = [
    "Catalog", "Chapter", "Licence", "NamedPerson", "NamedPlace", "Organisation", "Person", "Project", "SourceEntry",
    "Work", "load", "persons", "read_catalog", "read_toml",
]

T = TypeVar("T")
R = TypeVar("R")


class Catalog(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All settings of an edition folder."""

    root: Path
    project: Project
    sources: Mapping[str, SourceEntry]
    works: Mapping[str, Work]
    persons: Mapping[str, Person]
    editions: Mapping[str, EditionPlan]
    publication: Publication = Publication()
    revisions: tuple[Revision, ...] = ()
    named: Mapping[str, NamedPerson] = {}
    places: Mapping[str, NamedPlace] = {}
    orgs: Mapping[str, Organisation] = {}
    lists: own_lists.Lists = own_lists.NONE
    """The folder's own lists, ``tei/lists``."""
    convention_files: Mapping[str, Path] = {}
    """Convention files outside the folder, by the id of their source."""

    def latin(self) -> dict[str, str]:
        """Return the declared Latin spellings (``pinyin``) of names and titles, by the Chinese form."""
        spellings = list(self.lists.latin().items())
        for named in (self.persons, self.named, self.places, self.orgs):
            spellings += [(row.name, row.pinyin) for row in named.values()]
        spellings += [(source.title, source.pinyin) for source in self.sources.values()]
        for plan in self.editions.values():
            spellings += [(plan.title, plan.pinyin), *((chapter.title, chapter.pinyin) for chapter in plan.chapters)]
        return {name: latin for name, latin in spellings if latin}

    def source(self, name: str) -> SourceEntry:
        """Return a source by its id; raises CatalogError for an unknown id."""
        if name not in self.sources:
            raise CatalogError(Message("no-source-called", name=name),
                               place=Place(str(self.root / "tei" / "catalog.toml")),
                               mend=suggestion(name, self.sources))
        return self.sources[name]

    def edition(self, name: str, *, critical: bool = False) -> EditionPlan:
        """Return an edition by its id; raises CatalogError for an unknown id, or one that should be `critical`."""
        known = {plan.id: plan for plan in self.editions.values() if plan.kind == "critical" or not critical}
        if name not in known:
            fault = Message("no-critical-edition-has-id", name=name) if critical else Message(
                "no-edition-is-called", name=name)
            raise CatalogError(fault, place=Place(str(self.root / "tei" / "editions")), mend=suggestion(name, known))
        return known[name]

    def path(self, entry: SourceEntry) -> Path:
        """Return the path of a source's file."""
        return self.root.joinpath("tei", entry.file)

    def manifest(self, entry: SourceEntry) -> Path | None:
        """Return the path of a source's IIIF manifest; None if it names none."""
        return self.root / "tei" / entry.images.manifest if entry.images and entry.images.manifest else None

    def pictures(self, entry: SourceEntry) -> Path | None:
        """Return the folder with the pictures of a source's leaves; None if it names none."""
        return self.root / "tei" / entry.images.folder if entry.images and entry.images.folder else None

    def conventions(self, source: str) -> tuple[Path, ...]:
        """Return the files that can hold the convention of a source: the one it names and its overriding own."""
        if source in self.convention_files:
            return (self.convention_files[source],)
        entry = self.sources.get(source)
        names = dict.fromkeys([entry.convention if entry and entry.convention else source, source])
        return tuple(self.root.joinpath("tei", "conventions", f"{name}.toml") for name in names)

    def convention(self, source: str) -> Mapping[str, Any]:
        """Return the convention of a source, empty if it has none; keys of its own file override the shared ones.

        Raises CatalogError if the convention that it names does not exist.
        """
        first, *overriding = self.conventions(source)
        entry = self.sources.get(source)
        if entry and entry.convention and not first.exists():
            there = [path.stem for path in matching(self.root / "tei" / "conventions", "*.toml")]
            declared = self.root / "tei" / "catalog.toml"
            catalog = read_catalog(self.root) if declared.exists() else as_table({}, "tei/catalog.toml")
            raise catalog.error(
                ("source", [*self.sources].index(entry.id), "convention"),
                Message("source-convention-tei-conventions-toml", entry=entry.id, convention=entry.convention),
                suggestion(entry.convention, there, Message("write-file-delete-key-existing", there=", ".join(there))),
            )
        table = read_toml(first) if first.exists() else TomlTable(paths=(first,))
        table.known = self.known
        for path in filter(Path.exists, overriding):
            over = read_toml(path)
            table = TomlTable({**table, **over}, paths=(path, first), known=table.known)
        return table

    @cached_property
    def known(self) -> Known:
        """The names that settings may use."""
        return {
            "person": {key: (person.name, person.label, *person.names) for key, person in self.persons.items()},
            "source": {key: (source.siglum, source.title) for key, source in self.sources.items()},
            "work": {key: (work.title,) for key, work in self.works.items()},
        }


def load(root: Path) -> Catalog:
    """Return the settings of the edition folder at `root`, from the cache if no file of them has changed.

    Raises CatalogError with everything that is missing, malformed, unknown, contradictory or outside the folder.
    """
    check_files(root)
    before, cache = files_of(root), Store(cache_folder("settings", root))
    made_from = stamp(program(), before)
    if (cached := cache.get("catalog", made_from, Catalog)) is not None and not _names_files(cached):
        return cached
    catalog = _load(root)
    if not _names_files(catalog) and are_settled(*before.values()) and files_of(root) == before:
        cache.put("catalog", made_from, catalog)
    return catalog


def files_of(root: Path) -> dict[str, State | None]:
    """Return the states of all files that `load` reads."""
    return states([*_files(root / "tei"), *own_lists.lists_paths(root)])


def parts(root: Path) -> list[Path]:
    """Return the files of a catalog in parts, ``tei/catalog/*.toml``, sorted by name."""
    home = root / "tei" / "catalog"
    names = sorted(path.name for path in home.iterdir()) if home.is_dir() else []
    return [home / name for name in names if name.endswith(".toml") and not name.startswith(".")]


def read_catalog(root: Path) -> TomlTable:
    """Read the catalog of a folder as one table, whose rows know their files. Raises CatalogError as `read_toml`."""
    first = read_toml(root / "tei" / "catalog.toml")
    return JoinedTable(first, map(read_toml, parts(root)), _ROWS)


_ROWS = ("source", "work")
"""The rows of the catalog that may stand in its parts."""


def _names_files(catalog: Catalog) -> bool:
    """Whether plans name files (fonts, profiles, pictures) whose presence is checked when settings are read."""
    plans = [plan.print for plan in catalog.editions.values()]
    return any(plan.type.fonts or plan.press.profile or plan.book.plates for plan in plans)


def _load(root: Path) -> Catalog:
    home = root / "tei"
    errors: list[CatalogError] = []
    tables = {path: _try(errors, read_toml, path) for path in _files(home)}
    further = [table for path in parts(root) if (table := tables[path]) is not None]
    first = tables[home / "catalog.toml"]
    raw = JoinedTable(first, further, _ROWS) if first is not None and further else first
    known = _names(tables, home, raw)
    plans = [(path, table) for path, table in tables.items() if path.parent.name == "editions" and table is not None]
    people, there = tables.get(home / "persons.toml"), tables.get(home / "places.toml")
    file = _try(errors, _as, first, CatalogFile, "catalog", known)
    files = [_try(errors, _as, table, CatalogPart, "catalog", known) for table in further]
    persons_file = _try(errors, _as, people, PersonsFile, "persons", known)
    places_file = _try(errors, _as, there, PlacesFile, "places", known)
    editions = [(path, table, _try(errors, _as, table, EditionPlan, "edition", known)) for path, table in plans]
    lists = _try(errors, own_lists.load, root)
    whole = [part for part in (file, *files) if part is not None]
    sound = raw is not None and file is not None and len(whole) == len(parts(root)) + 1
    if raw is not None and sound:
        errors += consistency.faults_of_catalog(raw, home)
    if persons_file and people:
        errors += consistency.faults_of_persons(people)
    if places_file and there:
        errors += consistency.faults_of_places(there)
    if raw is not None and sound:
        errors += consistency.faults_of_plans(((table, path) for path, table, plan in editions if plan), raw)
    raise_all(errors)
    assert file is not None and lists is not None  # else there is an error
    return Catalog(
        root=root, project=file.project, publication=file.publication, revisions=file.revision,
        sources={source.id: source for part in whole for source in part.source},
        works={work.id: work for part in whole for work in part.work}, lists=lists,
        persons={person.id: person for person in persons_file.person} if persons_file else {},
        editions={plan.id: plan for _, _, plan in editions if plan},
        named={person.id: person for person in persons_file.named} if persons_file else {},
        places={place.id: place for place in places_file.place} if places_file else {},
        orgs={org.id: org for org in places_file.org} if places_file else {},
    )


def persons(path: Path) -> Mapping[str, Person]:
    """Read a persons.toml by id. Raises CatalogError with all its faults."""
    table = read_toml(path)
    file = to_type(table, PersonsFile, topic="persons")
    raise_all(consistency.faults_of_persons(table))
    return {person.id: person for person in file.person}


def _files(home: Path) -> list[Path]:
    named = (home / "persons.toml", home / "places.toml")
    return [home / "catalog.toml", *parts(home.parent), *filter(Path.exists, named),
            *matching(home / "editions", "*.toml")]


def _names(tables: Mapping[Path, TomlTable | None], home: Path, raw: TomlTable | None) -> Known:
    """Return the declared names, without a kind whose file is unreadable or has faulty ids: any name may be used."""
    people = tables.get(home / "persons.toml")
    whole = raw is not None and all(tables[path] is not None for path in parts(home.parent))
    known = {name: consistency.names_of(raw or {}, name) for name in _ROWS} if whole else {}
    if people is not None or home / "persons.toml" not in tables:
        known["person"] = consistency.names_of(people or {}, "person")
    if (persons := known.get("person")) is not None:
        known["agent"] = {**persons, "editors": ()}
    if (sources := known.get("source")) is not None:
        known["edition or source"] = {**sources, **{path.stem: () for path in tables if path.parent.name == "editions"}}
    return {what: names for what, names in known.items() if names is not None}


def _as(table: TomlTable | None, kind: type[T], topic: str, known: Known) -> T | None:
    return None if table is None else to_type(table, kind, topic=topic, known=known)


def _try(errors: list[CatalogError], do: Callable[..., R], *arguments: object) -> R | None:
    """Return the result of a call, or None after adding the CatalogError that it raised to `errors`."""
    try:
        return do(*arguments)
    except CatalogError as error:
        errors.append(error)
        return None


NOWHERE = Path("/nonexistent")
"""The folder of texts that belong to none: it has no decisions, lists or punctuation."""
NOT_STATED = Licence(name=Message("not-stated"))
_LONGEST = 40
"""Characters of a file name that become the id of its text."""


def loose_source(
    name: str, siglum: str, file: str, data: bytes, work: str, *, reader: str = "", language: str = "lzh-Hant",
    authors: tuple[str, ...] = (), licence: Licence = NOT_STATED,
) -> SourceEntry:
    """Return the catalog entry of a file outside an edition folder; `data` is its content."""
    return SourceEntry(id=name, siglum=siglum, file=file, sha256=hashlib.sha256(data).hexdigest(), work=work,
                       title=siglum, authors=authors, dynasty="", reader=reader, language=language, licence=licence)


def catalog_of_file(
    file: Path, *, reader: str, convention: Path | None = None, people: Path | None = None, title: str = "",
    chapters: tuple[Chapter, ...] = (),
) -> tuple[SourceEntry, Catalog]:
    """Return a catalog of one source outside an edition folder. Raises SourceError or CatalogError if unreadable."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SourceError(Message("cannot-read", strerror=refusal(error)), place=Place(str(file))) from None
    name = re.sub(r"[^a-z0-9-]+", "-", file.stem.lower()).strip("-")[:_LONGEST]
    name = name if re.match(r"[a-z]", name) and not windows(name) else f"text{name}"
    title = title or visible(file.stem)
    entry = loose_source(name, title, str(file.resolve()), data, name, reader=reader)
    return entry, Catalog(
        root=NOWHERE, project=Project(title=title, publisher="", editors=(), date="", licence=NOT_STATED),
        sources={name: entry}, works={name: Work(id=name, title=title, chapters=chapters)},
        persons=persons(people) if people else {}, editions={},
        convention_files={name: convention} if convention else {},
    )
