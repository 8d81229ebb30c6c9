"""Readers: from a source as received to a numbered, annotated `Document`. A new format is one new file here.

A reader is a module of this folder with the functions of `Reader`. Optional are:

- ``explain(source)``, which returns its judgements if it weighs signs;
- ``breaks(source)``, if its format marks pages or lines;
- ``bare_lines(source)``, if it drops markup: the lines that the document must print;
- ``XML = True`` for TEI; ``HOLDS = True`` if it checks by itself that the document prints its source, with
  ``annotated(source)``: whether the source has annotations already.

A reader works with plain strings: it cuts layers and names speakers. Ids, targets, spans in notes and the editor's
decisions on characters are added here, in the same way for every format.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Protocol, get_type_hints

from pipeline.annotate import annotate
from pipeline.annotate.identifiers import number, with_references
from pipeline.decisions import kinds
from pipeline.decisions.characters import Decisions, mark_printed_corrections
from pipeline.decisions.passages import point_notes
from pipeline.decisions.tables import Boundary, Judged, TargetDecision
from pipeline.errors import CatalogError, Finding, Place, suggestion
from pipeline.model import Document
from pipeline.readers.common.divisions import demote_trailers
from pipeline.readers.common.findings import juan_gaps, unfit_settings
from pipeline.readers.common.pages import add_images, canvases, insert_breaks
from pipeline.readers.common.source import Source, load
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.settings.manual import ReaderRow
from pipeline.settings.values import Strict
from pipeline.system.process import without_collection
from pipeline.tei.lossless import check_source, check_text
from pipeline.tei.views import source_text


class Reader(Protocol):
    """The functions that make a module of this folder a reader."""

    def convention(self, source: str, table: Mapping[str, Any]) -> Strict:
        """Return the checked convention of a source; raises CatalogError if it is invalid."""

    def read(self, source: Source) -> tuple[Document, tuple[Finding, ...]]:
        """Return the document, without ids, and the findings; raises SourceError if the format does not fit."""


def names() -> list[str]:
    """Return the names of all readers: the modules here that have a ``read``."""
    return list(_found(tuple(__path__)))


@cache
def _found(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of readers in folders; cached, as a large library needs a reader ten thousand times."""
    modules = [m.name for m in pkgutil.iter_modules(folders)]
    return tuple(name for name in modules if hasattr(importlib.import_module(f"{__name__}.{name}"), "read"))


def reader(name: str) -> Reader:
    """Return a reader by name; raises CatalogError with the nearest and all known names."""
    known = names()
    if name not in known:
        raise CatalogError(
            f"no reader is called {name!r}", place=Place("tei/catalog.toml"),
            mend=f"{suggestion(name, known)} (`jiaokan explain reader` describes them)",
        )
    module: Reader = importlib.import_module(f"{__name__}.{name}")
    return module


def manual_rows() -> list[ReaderRow]:
    """Return all readers with their docstrings and the types of their conventions, for the manual."""
    return [ReaderRow(name=name, about=inspect.getdoc(reader(name)) or "",
                      convention=get_type_hints(reader(name).convention)["return"]) for name in names()]


def read(entry: SourceEntry, catalog: Catalog) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document of a source and the findings; raises SourceError, CatalogError, DecisionError or TeiError."""
    with without_collection():
        reader(entry.reader).convention(entry.id, catalog.convention(entry.id))
        source = _load(entry, catalog)
        _check_decisions(catalog)
        document, findings = read_undecided(source, entry, catalog)
        return apply_decisions(source, document, entry, catalog), findings


def apply_decisions(source: Source, document: Document, entry: SourceEntry, catalog: Catalog) -> Document:
    """Return the document of `read_undecided` with the editor's decisions on characters; raises as `read`."""
    decisions = Decisions.load(catalog.root, entry.signs)
    printed = source_text(document)
    document = decisions.apply(document)
    document = mark_printed_corrections(document, entry.corrections) if entry.corrections else document
    check_text(printed, document, "decisions")
    manifest = catalog.manifest(entry)
    shown = canvases(manifest) if manifest else ()
    if places := getattr(reader(entry.reader), "breaks", None):
        document = insert_breaks(document, *places(source))
    return add_images(document, entry.images, shown)


def _check_decisions(catalog: Catalog) -> None:
    for table in (Judged, Boundary):
        kinds.check(kinds.load(catalog.root, table), catalog.persons, catalog.sources)


def _load(entry: SourceEntry, catalog: Catalog) -> Source:
    return load(entry, catalog, whole=getattr(reader(entry.reader), "XML", False))


def as_received(entry: SourceEntry, catalog: Catalog) -> tuple[Source, Document]:
    """Load a source and read it without the editor's decisions on characters; raises as `read`."""
    source = _load(entry, catalog)
    _check_decisions(catalog)
    return source, read_undecided(source, entry, catalog)[0]


def read_undecided(source: Source, entry: SourceEntry, catalog: Catalog) -> tuple[Document, tuple[Finding, ...]]:
    """Read a loaded source without the editor's decisions on characters; raises as `read`.

    This checks that the document prints its source, except what named rules dropped, and that annotation changes none
    of it.
    """
    targets = partial(point_notes, decisions=kinds.load(catalog.root, TargetDecision))
    module = reader(entry.reader)
    document, findings = module.read(source)
    findings = (*findings, *juan_gaps(document, source))
    document = with_references(number(demote_trailers(document)), source.work)
    printed = source_text(document)
    if not getattr(module, "HOLDS", False):
        bare = module.bare_lines(source) if hasattr(module, "bare_lines") else source.lines
        check_source(document, bare, source.file)
    elif module.annotated(source):  # type: ignore[attr-defined]  # a reader with HOLDS has it
        return targets(document), findings
    document, more = annotate(document, catalog.persons, catalog.lists, catalog.works[entry.work].annotators, targets)
    check_text(printed, document, "annotation")
    # It should have the chapters that editions take from it; all, if it is the only source of its work.
    alone = sum(other.work == entry.work for other in catalog.sources.values()) == 1
    plans = (plan for plan in catalog.editions.values() if plan.work == entry.work)
    taken = {chapter.n for plan in plans for chapter in plan.chapters if entry.id in chapter.witnesses}
    expected = {chapter.n for chapter in catalog.works[entry.work].chapters} if alone else taken
    return document, (*findings, *more, *unfit_settings(document, source, expected))
