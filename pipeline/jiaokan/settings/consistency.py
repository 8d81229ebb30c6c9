"""Check that the settings of a folder agree: ids, sigla, chapters, witnesses, files, references, choices of print.

Each table has been checked against its type (`jiaokan.settings.faults`), and the names in it have been looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from jiaokan.errors import CatalogError, Message, Place, suggestion
from jiaokan.model.references import DEFAULT_FORM, steps
from jiaokan.settings import layouts
from jiaokan.settings.flat import value_of
from jiaokan.settings.names import check_id, file_name
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.syntax import KeyPath
from jiaokan.settings.toml import TomlTable, to_type

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_PLACE = re.compile(r"\{([^{}]*)\}")
"""A placeholder in an address of pictures."""
_HEEDED = ("margins", "woodcut", "faces", "line_numbers", "page_lines", "numbers", "series", "locators", "testimonia",
           "matter")
"""Choices that not every layout can heed: a layout that does names them in its ``takes``."""


Row = Mapping[str, Any]
"""A row of a table that fits its type."""


def ids_of(table: Mapping[str, object], name: str) -> list[str]:
    """Return the ids of the rows ``[[name]]`` of a table that may be faulty."""
    rows = table.get(name, [])
    rows = rows if isinstance(rows, list) else []
    return [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]


def names_of(table: Row, name: str) -> dict[str, tuple[str, ...]] | None:
    """Return the ids of rows ``[[name]]`` with their other names; None if an id is faulty: any name may mean it."""
    ids = ids_of(table, name)
    rows = table.get(name, [])
    if len(ids) != len(rows) or len({*ids}) != len(ids) or not all(map(_NAME.fullmatch, ids)):
        return None
    others = ([row.get(key, "") for key in ("name", "label", "siglum", "title")] for row in rows)
    return {key: tuple(word for word in words if isinstance(word, str) and word)
            for key, words in zip(ids, others, strict=True)}


def faults_of_persons(table: TomlTable) -> Iterator[CatalogError]:
    """Yield the faults of a persons.toml that fits its type."""
    yield from _ids(table, "person")
    yield from _ids(table, "named")
    persons = ids_of(table, "person")
    for n, row in enumerate(table.get("named", [])):
        if row["id"] in persons:
            yield table.error(("named", n, "id"), Message("id-person", id=row["id"]),
                              Message("add-forms-name-person-names"))
    for n, row in enumerate(table.get("person", [])):
        if row.get("birth", 0) and row.get("death", 0) and row["birth"] > row["death"]:
            yield table.error(("person", n, "death"),
                              Message("person-died-before-birth", id=row["id"], death=row["death"], birth=row["birth"]),
                              Message("correct-two-delete-unknown"))


def faults_of_places(table: TomlTable) -> Iterator[CatalogError]:
    """Yield the faults of a places.toml that fits its type."""
    for name in ("place", "org"):
        yield from _ids(table, name)


def faults_of_catalog(table: TomlTable, home: Path) -> Iterator[CatalogError]:
    """Yield the faults of a catalog.toml that fits its type; `home` is the folder ``tei`` in which it lies."""
    for name in ("source", "work"):
        yield from _ids(table, name)
    yield from _duplicates(table, "source", "siglum", Message("siglum-two-sources"),
                           Message("change-apparatus-not-tell-apart"))
    names, editors = table["project"]["editors"], table.get("publication", {}).get("editors", [])
    for n, row in enumerate(editors):
        path = ("publication", "editors", n, "name")
        if row["name"] not in names:
            yield table.error(path, Message("not-among-editors-project", name=row["name"]),
                              suggestion(row["name"], names, Message("add-name-project-lists-editors"), both=True))
    for n, row in enumerate(table.get("source", [])):
        yield from _source(table, n, row, home.resolve())
    for n, row in enumerate(table.get("work", [])):
        yield from _chapters(table, ("work", n, "chapters"), row["chapters"])
        yield from _labels(table, ("work", n, "chapters"), row)
        yield from _reference(table, ("work", n, "reference"), row, Message("the-work", id=row["id"]))
        if not row["chapters"]:
            yield table.error(("work", n, "chapters"), Message("work-no-chapter", id=row["id"]),
                              Message("declare-least-chapters-n-title", title=row["title"]))


def faults_of_plans(plans: Iterable[tuple[TomlTable, Path]], catalog: TomlTable) -> Iterator[CatalogError]:
    """Yield the faults of plans of editions, given with their files, that fit their type."""
    sources, works = frozenset(ids_of(catalog, "source")), {row["id"]: row for row in catalog.get("work", [])}
    for table, path in plans:
        plan = table["id"]
        if faulty := [*_caught(table, ("id",), partial(check_id, plan, "edition"))]:
            yield from faulty
        elif plan != path.stem:
            yield table.error(("id",), Message("edition-id-file", plan=plan, path=path.name),
                              Message("write-id-rename-file-toml", path=path.stem, plan=plan))
        if plan in sources and (table["kind"] != "reading" or table.get("witness", plan) != plan):
            yield table.error(("id",), Message("edition-id-source-mean-both", plan=plan),
                              Message("rename-edition-file-example-edition", plan=plan))
        if table["kind"] == "reading" and not table.get("witness"):
            yield table.error(("kind",), Message("reading-edition-names-no-text"),
                              Message("name-source-shows-witness-id"))
        if table["kind"] == "critical":
            yield from _critical(table, works)
        yield from _reference(table, ("reference",), table, Message("edition-named", plan=plan))
        if table["kind"] == "reading" and table.get("reference"):
            yield table.error(("reference",), Message("edition-shows-source-cited-source", plan=plan),
                              Message("declare-reference-work-catalog-toml"))
        yield from faults_of_print(table, path)


def _critical(table: TomlTable, works: Mapping[str, Row]) -> Iterator[CatalogError]:
    if not table.get("work"):
        yield table.error(("kind",), Message("critical-edition-names-no-work"),
                          Message("add-work-id-declared", works=", ".join(works) or "none"))
    if not table.get("chapters"):
        yield table.error(("kind",), Message("critical-edition-no-chapter"), Message("add-chapters-row"))
        return
    yield from _chapters(table, ("chapters",), table["chapters"])
    declared = {chapter["n"] for chapter in works[table["work"]]["chapters"]} if table.get("work") in works else None
    for n, row in enumerate(table["chapters"]):
        if row["base"] not in row["witnesses"]:
            yield table.error(("chapters", n, "base"),
                              Message("base-chapter-not-among-witnesses", base=row["base"], n=row["n"]),
                              Message("add-witnesses-choose", witnesses=", ".join(row["witnesses"])))
        for m, name in enumerate(row["witnesses"]):
            if name in row["witnesses"][:m]:
                yield table.error(("chapters", n, "witnesses", m), Message("duplicate-witness", name=name),
                                  Message("delete-one"))
        if declared is not None and row["n"] not in declared:
            known = ", ".join(map(str, sorted(declared)))
            yield table.error(("chapters", n, "n"), Message("work-has-no-chapter", work=table["work"], n=row["n"]),
                              Message("chapters-catalog-toml", known=known))


def _source(table: TomlTable, n: int, row: Row, home: Path) -> Iterator[CatalogError]:
    name, at = Message("the-source", id=row["id"]), ("source", n)
    inside = (home / row["file"]).resolve()
    if not inside.is_relative_to(home):
        yield table.error((*at, "file"), Message("lies-outside-edition-folder", name=name, file=row["file"]),
                          Message("copy-file-tei-sources-write"))
    elif inside.is_dir():
        yield table.error((*at, "file"), Message("file-is-folder", source=name, file=row["file"]),
                          Message("name-file-file-sources-name"))
    images = row.get("images", {})
    if images and sum(bool(images.get(key)) for key in ("address", "manifest", "folder")) != 1:
        yield table.error((*at, "images"), Message("images-needs-either-address-manifest", name=name),
                          Message("write-images-address-https"))
    if (pictures := images.get("folder")) and not (home / pictures).resolve().is_relative_to(home):
        yield table.error((*at, "images", "folder"), Message("lies-outside-edition-folder", name=name, file=pictures),
                          Message("copy-pictures-below-tei"))
    elif pictures and not (home / pictures).is_dir():
        yield table.error((*at, "images", "folder"), Message("pictures-missing", name=name, folder=pictures),
                          Message("copy-pictures-below-tei"))
    if re.match("https?:", images.get("manifest", "")):
        yield table.error((*at, "images", "manifest"),
                          Message("manifest-web-address-build-not", name=name),
                          Message("save-folder-curl-o-tei", id=row["id"], manifest=images["manifest"]))
    for fault in faults_of_address(images["address"]) if images.get("address") else ():
        yield table.error((*at, "images", "address"), Message("at-where", where=name, problem=fault),
                          Message("write-example-address-https-example"))
    marks = row.get("corrections", {})
    if {*marks.get("wrong", "")} & {*marks.get("right", "")}:
        yield table.error((*at, "corrections"), Message("wrong-right-corrections-share-bracket", name=name),
                          Message("write-two-pairs-corrections"))
    convention = row.get("convention") or row["id"]
    yield from _caught(table, (*at, "convention"), lambda place: file_name(convention, f"{name}: convention", place))


def faults_of_address(address: str) -> Iterator[str]:
    """Yield what is wrong with the template of addresses."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
    if not scheme or scheme[1].lower() not in ("http", "https"):
        yield Message("not-web-address", address=address)
    for place in _PLACE.findall(address):
        if not re.fullmatch(r"page|edition|n(?::0[1-9])?", place):
            yield Message("placeholder-unknown", place=place)
    if not _PLACE.search(address):
        yield Message("same-pages", address=address)
    if re.search(r"[{}]", _PLACE.sub("", address)) or re.search(r"\s", address):
        yield Message("unpaired-brace-white-space", address=address)


def _chapters(table: TomlTable, path: KeyPath, rows: Sequence[Row]) -> Iterator[CatalogError]:
    seen: dict[int, KeyPath] = {}
    for n, row in enumerate(rows):
        if row["n"] < 1:
            yield table.error((*path, n, "n"), Message("not-chapter-number", n=row["n"]), Message("count-from-one"))
        if row["n"] in seen:
            first = table.place(seen[row["n"]], value=True)
            yield table.error((*path, n, "n"), Message("chapter-duplicate-first-line", n=row["n"], line=first.line),
                              Message("give-chapter-own-number"))
        seen.setdefault(row["n"], (*path, n, "n"))


def _labels(table: TomlTable, path: KeyPath, work: Row) -> Iterator[CatalogError]:
    seen: dict[str, int] = {}
    for n, row in enumerate(work["chapters"]):
        label = row.get("label") or str(row["n"])
        if not re.fullmatch(r"[^\s:]+", label):
            yield table.error((*path, n, "label"),
                              Message("work-label-chapter-white-space", id=work["id"], label=label, n=row["n"]),
                              Message("write-label-stand-references"))
        if seen.setdefault(label, row["n"]) != row["n"]:
            yield table.error((*path, n, "label"),
                              Message("work-chapters-label", id=work["id"], seen=seen[label], n=row["n"], label=label),
                              Message("change-labels"))


def _reference(table: TomlTable, path: KeyPath, row: Row, name: str) -> Iterator[CatalogError]:
    form = row.get("reference", "")
    try:
        steps(form or DEFAULT_FORM)
    except ValueError as error:
        yield table.error(path, Message("work-reference-invalid", name=name, form=form, error=error),
                          Message("write-example-reference"))


def _ids(table: TomlTable, name: str) -> Iterator[CatalogError]:
    for n, identifier in enumerate(ids_of(table, name)):
        yield from _caught(table, (name, n, "id"), partial(check_id, identifier, name))
    yield from _duplicates(table, name, "id", Message("id-two-rows", name=name), Message("change-one-of-them"))


def _duplicates(table: TomlTable, name: str, key: str, message: str, mend: str) -> Iterator[CatalogError]:
    """Yield the values of a key that two rows have."""
    first: dict[str, int] = {}
    for n, row in enumerate(table.get(name, [])):
        if row[key] in first:
            line = table.place((name, first[row[key]], key)).line
            yield table.error((name, n, key), Message("other-line", row=row[key], message=message, line=line), mend)
        first.setdefault(row[key], n)


def _caught(table: TomlTable, path: KeyPath, check: Callable[[Place], object]) -> Iterator[CatalogError]:
    """Yield the error of a check with its place, which is looked up only then: a library has ten thousand of them."""
    try:
        check(Place(""))
    except CatalogError as error:
        yield table.error(path, error.message, error.mend)


def faults_of_print(table: TomlTable, path: Path) -> Iterator[CatalogError]:
    """Yield the faults of the table ``[print]`` of a plan that fits its type; `path` is the plan's file."""
    print_table = table.get("print", {})
    plan = to_type(print_table, PrintPlan)
    takes = {key for layout in plan.pdf_layouts() for key in layouts.declaration(layout).takes}
    for key in _HEEDED:
        if key in print_table and value_of(plan, key) != value_of(PrintPlan(), key) and key not in takes:
            others = ", ".join(name for name in layouts.names() if key in layouts.declaration(name).takes)
            yield table.error(("print", key),
                              Message("the-key-without-effect", key=key, layouts=" or ".join(plan.pdf_layouts())),
                              Message("delete-choose-another-layout", others=others), value=False)
    named: list[tuple[str, KeyPath]] = [(font, ("print", "fonts", n)) for n, font in enumerate(plan.type.fonts)]
    named += [(plate.file, ("print", "book", "plates", n, "file")) for n, plate in enumerate(plan.book.plates)]
    named += [(plan.press.profile, ("print", "press", "profile"))] if plan.press.profile else []
    home = path.parents[2].resolve()
    for file, at in named:
        if not (home / file).resolve().is_relative_to(home):
            yield table.error(at, Message("file-lies-outside-edition-folder", file=file), Message("copy-folder"))
        elif not (home / file).exists():
            yield table.error(at, Message("file-not-found-edition-folder", file=file),
                              Message("put-file-path-begins-folder"))
