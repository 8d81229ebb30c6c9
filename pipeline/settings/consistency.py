"""Whether the tables of a folder fit each other: ids, sigla, chapters, witnesses, files. All faults, each at its place.

Each table has been found to fit its type (`pipeline.settings.faults`), and names in it to be declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from msgspec import convert, structs

from pipeline.errors import CatalogError, Place, nearest
from pipeline.model.references import DEFAULT_FORM, steps
from pipeline.settings import layouts
from pipeline.settings.images import faults_of_address
from pipeline.settings.names import check_id, file_name
from pipeline.settings.plans import EditionPlan, PrintPlan
from pipeline.settings.syntax import KeyPath
from pipeline.settings.toml import TomlTable
from pipeline.settings.values import size_of

_NAME = re.compile(r"[a-z][a-z0-9-]*")


def ids_of(table: Mapping[str, Any], name: str) -> list[str]:
    """Give the ids of the rows ``[[name]]`` of a table that may be faulty."""
    rows = table.get(name, [])
    rows = rows if isinstance(rows, list) else []
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def names_of(table: Mapping[str, Any], name: str) -> dict[str, tuple[str, ...]] | None:
    """Give the ids of rows with what they are called besides; None if an id is faulty: it may be meant by any name."""
    ids = ids_of(table, name)
    rows = table.get(name, [])
    if len(ids) != len(rows) or len({*ids}) != len(ids) or not all(map(_NAME.fullmatch, ids)):
        return None
    called = ([row.get(key, "") for key in ("name", "label", "siglum", "title")] for row in rows)
    return {key: tuple(each for each in words if isinstance(each, str) and each)
            for key, words in zip(ids, called, strict=True)}


def faults_of_persons(table: TomlTable) -> Iterator[CatalogError]:
    """Give what is wrong in a persons.toml that fits its type."""
    yield from _ids(table, "person")
    yield from _ids(table, "named")
    persons = ids_of(table, "person")
    for n, row in enumerate(table.get("named", [])):
        if row["id"] in persons:
            yield _error(table, ("named", n, "id"), f"{row['id']!r} is the id of a [[person]] too",
                         "add the forms of the name to that person's `names`, or give another id")
    for n, row in enumerate(table.get("person", [])):
        if row.get("birth", 0) and row.get("death", 0) and row["birth"] > row["death"]:
            yield _error(table, ("person", n, "death"),
                         f"person {row['id']!r} died in {row['death']}, before the birth in {row['birth']}",
                         "correct one of the two, or leave out what is not known")


def faults_of_places(table: TomlTable) -> Iterator[CatalogError]:
    """Give what is wrong in a places.toml that fits its type."""
    for name in ("place", "org"):
        yield from _ids(table, name)


def faults_of_catalog(table: TomlTable, home: Path) -> Iterator[CatalogError]:
    """Give what is wrong in a catalog.toml that fits its type; `home` is the folder ``tei`` in which it lies."""
    for name in ("source", "work"):
        yield from _ids(table, name)
    yield from _twice(table, "source", "siglum", "is the siglum of two sources",
                      "give one of them another: the apparatus could not tell them apart")
    yield from _editors(table)
    for n, row in enumerate(table.get("source", [])):
        yield from _source(table, n, row, home.resolve())
    for n, row in enumerate(table.get("work", [])):
        yield from _chapters(table, ("work", n, "chapters"), row["chapters"])
        if not row["chapters"]:
            yield _error(table, ("work", n, "chapters"), f"work {row['id']!r} has no chapter",
                         f'declare at least one: chapters = [{{ n = 1, title = "{row["title"]}" }}]')


def faults_of_plans(plans: Iterable[tuple[TomlTable, Path]], catalog: TomlTable) -> Iterator[CatalogError]:
    """Give what is wrong in the plans of editions, each with its file, that fit their type."""
    sources, works = frozenset(ids_of(catalog, "source")), {row["id"]: row for row in catalog.get("work", [])}
    for table, path in plans:
        yield from _plan(table, path, sources, works)


def _plan(
    table: TomlTable, path: Path, sources: Collection[str], works: Mapping[str, Mapping[str, Any]]
) -> Iterator[CatalogError]:
    """Give what is wrong in an edition's plan; `path` is its file."""
    plan = table["id"]
    if faulty := [*_caught(table, ("id",), partial(check_id, plan, "edition"))]:
        yield from faulty
    elif plan != path.stem:
        yield _error(table, ("id",), f"the edition is called {plan!r}, its file {path.name}",
                     f'write id = "{path.stem}", or call the file {plan}.toml')
    if plan in sources and (table["kind"] != "reading" or table.get("witness", plan) != plan):
        yield _error(table, ("id",), f"edition {plan!r} has the id of a source: {plan}:1.1 would mean both",
                     f"call edition and file otherwise, {plan}-edition for instance")
    if table["kind"] == "reading" and not table.get("witness"):
        yield _error(table, ("kind",), "a reading edition names no text", 'say which source it shows: witness = "ID"')
    if table["kind"] == "critical":
        yield from _critical(table, works)
    yield from faults_of_print(table, path)
    for n, font in enumerate(table.get("print", {}).get("fonts", [])):
        if not (path.parents[2] / font).resolve().is_relative_to(path.parents[2].resolve()):
            yield _error(table, ("print", "fonts", n), f"the font {font} lies outside the edition's folder",
                         "copy it into the folder")
        elif not (path.parents[2] / font).exists():
            yield _error(table, ("print", "fonts", n), f"there is no font {font!r} in the edition's folder",
                         "put the file there, or take it out of `fonts`: its path begins at the folder that holds tei/")


def _editors(table: TomlTable) -> Iterator[CatalogError]:
    """Give the editors of ``[publication]`` whom ``[project]`` does not name, or whom it says twice."""
    names = table["project"]["editors"]
    rows = table.get("publication", {}).get("editors", [])
    for n, row in enumerate(rows):
        if row["name"] not in names:
            near = nearest(row["name"], names)
            hint = f"did you mean {near!r}? else " if near else ""
            yield _error(table, ("publication", "editors", n, "name"),
                         f"{row['name']!r} is not among the `editors` of [project]",
                         f"{hint}add the name there: [project] says who edits, [publication] what else is known")
        if row["name"] in [other["name"] for other in rows[:n]]:
            yield _error(table, ("publication", "editors", n, "name"), f"{row['name']!r} stands there twice",
                         "put what the two rows say into one")


def _critical(table: TomlTable, works: Mapping[str, Mapping[str, Any]]) -> Iterator[CatalogError]:
    """Give what is wrong in the plan of a critical edition."""
    if not table.get("work"):
        yield _error(table, ("kind",), "a critical edition names no work",
                     f'add work = "ID"; declared: {", ".join(works) or "none"}')
    if not table.get("chapters"):
        yield _error(table, ("kind",), "a critical edition has no chapter", "say which: [[chapters]]")
        return
    yield from _chapters(table, ("chapters",), table["chapters"])
    declared = {chapter["n"] for chapter in works[table["work"]]["chapters"]} if table.get("work") in works else None
    for n, row in enumerate(table["chapters"]):
        if row["base"] not in row["witnesses"]:
            yield _error(table, ("chapters", n, "base"),
                         f"the base {row['base']!r} of chapter {row['n']} is not among its witnesses",
                         f"add it to `witnesses` ({', '.join(row['witnesses'])}), or take one of these")
        for m, name in enumerate(row["witnesses"]):
            if name in row["witnesses"][:m]:
                yield _error(table, ("chapters", n, "witnesses", m), f"witness {name!r} stands there twice",
                             "take one of the two out")
        if declared is not None and row["n"] not in declared:
            known = ", ".join(map(str, sorted(declared)))
            yield _error(table, ("chapters", n, "n"), f"work {table['work']!r} has no chapter {row['n']}",
                         f"its chapters in catalog.toml: {known}")


def _source(table: TomlTable, n: int, row: Mapping[str, Any], home: Path) -> Iterator[CatalogError]:
    """Give what is wrong with the files that a source names."""
    inside = (home / row["file"]).resolve()
    if not inside.is_relative_to(home):
        yield _error(table, ("source", n, "file"), f"source {row['id']!r} lies outside the edition's folder: "
                     f"{row['file']}", "copy the file into tei/sources/, and write file = \"sources/NAME.txt\"")
    elif inside.is_dir():
        yield _error(table, ("source", n, "file"), f"source {row['id']!r}: {row['file']!r} is a folder, no file",
                     'write the file: file = "sources/NAME.txt"')
    images = row.get("images", {})
    if images and bool(images.get("address")) == bool(images.get("manifest")):
        yield _error(table, ("source", n, "images"), f"source {row['id']!r}: `images` needs an address or a manifest, "
                     "one of them", 'write images = { manifest = "sources/manifest.json" }, or address = "https://…{page}…"')
    if re.match("https?:", images.get("manifest", "")):
        yield _error(table, ("source", n, "images", "manifest"), f"source {row['id']!r}: the manifest is an address; a "
                     "build asks no other host", "save it into the folder: "
                     f"curl -o tei/sources/{row['id']}.json {images['manifest']}, and write manifest = "
                     f"\"sources/{row['id']}.json\"")
    marks = row.get("corrections", {})
    if {*marks.get("wrong", "")} & {*marks.get("right", "")}:
        yield _error(table, ("source", n, "corrections"), f"source {row['id']!r}: `wrong` and `right` of its "
                     "corrections have a bracket in common",
                     'write two pairs: corrections = { wrong = "（）", right = "〔〕" }')
    for fault in faults_of_address(images["address"]) if images.get("address") else ():
        yield _error(table, ("source", n, "images", "address"), f"source {row['id']!r}: {fault}",
                     'write for example address = "https://example.org/iiif/{edition}/{page}/full/max/0/default.jpg"')
    named = row.get("convention") or row["id"]
    yield from _caught(table, ("source", n, "convention"),
                       lambda at: file_name(named, f"source {row['id']!r}: convention", at))


def _chapters(table: TomlTable, path: KeyPath, rows: Sequence[Mapping[str, Any]]) -> Iterator[CatalogError]:
    """Give the numbers of chapters that stand twice, or are none."""
    seen: dict[int, KeyPath] = {}
    for n, row in enumerate(rows):
        if row["n"] < 1:
            yield _error(table, (*path, n, "n"), f"{row['n']} is no number of a chapter", "count from 1")
        if row["n"] in seen:
            first = table.place(seen[row["n"]], value=True)
            yield _error(table, (*path, n, "n"), f"chapter {row['n']} stands there twice (first in line {first.line})",
                         "give each chapter its own number")
        seen.setdefault(row["n"], (*path, n, "n"))


def _ids(table: TomlTable, name: str) -> Iterator[CatalogError]:
    """Give the ids that are no names, or stand twice."""
    for n, identifier in enumerate(ids_of(table, name)):
        yield from _caught(table, (name, n, "id"), partial(check_id, identifier, name))
    yield from _twice(table, name, "id", f"is the id of two rows [[{name}]]", "give one of them another id")


def _twice(table: TomlTable, name: str, key: str, message: str, mend: str) -> Iterator[CatalogError]:
    """Give the values of a key that two rows have."""
    first: dict[str, int] = {}
    for n, row in enumerate(table.get(name, [])):
        if row[key] in first:
            line = table.place((name, first[row[key]], key)).line
            yield _error(table, (name, n, key), f"{row[key]!r} {message} (the other in line {line})", mend)
        first.setdefault(row[key], n)


def _caught(table: TomlTable, path: KeyPath, check: Callable[[Place], object]) -> Iterator[CatalogError]:
    """Give what a check raises, with its place: that is sought only then, as a library has ten thousand of them."""
    try:
        check(Place(""))
    except CatalogError as error:
        yield _error(table, path, error.message, error.mend)


def _error(table: TomlTable, path: KeyPath, message: str, mend: str) -> CatalogError:
    return CatalogError(message, place=table.place(path, value=True), mend=mend)


_POINT = 25.4 / 72
_LEAST = 10
"""So many characters of the base text a line has at least, and so many lines of it a page: with fewer, numbers and
brackets alone break lines anyhow."""
_LEADING = 22 / 12
"""Height of a line of base text, in its size: `measures.typ`."""
_HEEDED = ("margins", "woodcut", "faces", "line_numbers", "numbers", "series", "locators", "testimonia", "matter")
"""Choices that not every layout can heed: a layout that does names them in its ``takes``."""


def faults_of_print(table: TomlTable, path: Path) -> Iterator[CatalogError]:
    """Give what is wrong in the table ``[print]`` of a plan that fits its type; `path` is the plan's file."""
    given = table.get("print", {})
    plan = convert(given, PrintPlan)
    takes = {key for layout in plan.made() for key in layouts.declaration(layout).takes}
    for key in _HEEDED:
        if key in given and getattr(plan, key) != getattr(PrintPlan(), key) and key not in takes:
            others = ", ".join(name for name in layouts.names() if key in layouts.declaration(name).takes)
            yield CatalogError(f"`{key}` changes nothing in the layout {' or '.join(plan.made())}",
                               place=table.place(("print", key)),
                               mend=f"take it out, or choose another layout: {others}")
    if "margins" in given and "margins" in takes:
        yield from _narrow(table, plan)
    if plan.press.profile:
        home, place = path.parents[2], table.place(("print", "press", "profile"), value=True)
        if not (home / plan.press.profile).resolve().is_relative_to(home.resolve()):
            yield CatalogError(f"the profile {plan.press.profile} lies outside the edition's folder", place=place,
                               mend="copy it into the folder")
        elif not (home / plan.press.profile).is_file():
            yield CatalogError(f"there is no profile {plan.press.profile!r} in the edition's folder", place=place,
                               mend="put the file there: its path begins at the folder that holds tei/")


def _narrow(table: TomlTable, plan: PrintPlan) -> Iterator[CatalogError]:
    """Give the fault of margins that leave no room."""
    width, height = size_of(plan.paper)
    sides = structs.asdict(plan.margins)
    across = (width - sides["inside"] - sides["outside"]) / (plan.base_size * _POINT)
    down = (height - sides["top"] - sides["bottom"]) / (plan.base_size * _POINT * _LEADING)
    for room, what in ((across, "characters a line"), (down, "lines a page")):
        if room < _LEAST:
            left = f"{max(0, int(room))} {what} on {width:g} × {height:g} mm"
            yield CatalogError(f"the margins leave {left}; at least {_LEAST} are needed",
                               place=table.place(("print", "margins")),
                               mend="make them smaller, the paper greater, or the type smaller")


class CitedChapter(Protocol):
    """What is asked of a chapter."""

    @property
    def n(self) -> int:
        """Its number."""

    @property
    def label(self) -> str:
        """What references call it."""


class CitedWork(Protocol):
    """What is asked of a work."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def reference(self) -> str:
        """The form of its references."""

    @property
    def chapters(self) -> Sequence[CitedChapter]:
        """Its chapters."""


def faults_of_citing(
    root: Path, works: Iterable[CitedWork], editions: Iterable[EditionPlan]
) -> Iterator[CatalogError]:
    """Give an error for each form of references that is none, does not fit its text, or calls two chapters the same."""
    path = root / "tei" / "catalog.toml"
    place = Place(str(path))
    for work in works:
        yield from _form_faults(work.reference, f"work {work.id!r}", _declared(path, work.reference))
        yield from _label_faults(work, place)
    for plan in editions:
        path = root / "tei" / "editions" / f"{plan.id}.toml"
        yield from _plan_reference_faults(plan, _declared(path, plan.reference))


def _declared(path: Path, form: str) -> Place:
    """Give where a file declares a form of references."""
    lines = path.read_text(encoding="utf-8-sig").split("\n") if form and path.exists() else []
    number = next((n for n, line in enumerate(lines, 1) if re.match(r"\s*reference\s*=", line) and form in line), 0)
    return Place(str(path), number) if number else Place(str(path))


def _form_faults(form: str, what: str, place: Place) -> Iterator[CatalogError]:
    try:
        steps(form or DEFAULT_FORM)
    except ValueError as error:
        yield CatalogError(f"{what}: reference = {form!r}: {error}", place=place,
                           mend='for example reference = "{chapter}.{section}"')


def _label_faults(work: CitedWork, place: Place) -> Iterator[CatalogError]:
    called: dict[str, int] = {}
    for chapter in work.chapters:
        label = chapter.label or str(chapter.n)
        if not re.fullmatch(r"[^\s:]+", label):
            yield CatalogError(f"work {work.id!r}: label {label!r} of chapter {chapter.n} holds white space or a colon",
                               place=place, mend="labels stand in references: write 1A")
        if label in called:
            yield CatalogError(f"work {work.id!r}: references call chapters {called[label]} and {chapter.n} both "
                               f"{label!r}", place=place, mend="give one of them another label")
        called[label] = chapter.n


def _plan_reference_faults(plan: EditionPlan, place: Place) -> Iterator[CatalogError]:
    yield from _form_faults(plan.reference, f"edition {plan.id!r}", place)
    if plan.kind == "reading" and plan.reference:
        yield CatalogError(f"edition {plan.id!r} shows one source and is cited as that is", place=place,
                           mend="declare `reference` on the work in catalog.toml")
