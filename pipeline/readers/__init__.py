"""Readers: from a source as received to a numbered, annotated `Document`. A new format is one new file here.

A reader is a module of this folder with ``read(source: Source) -> tuple[Document, tuple[Finding, ...]]``, with
``convention(source, table)`` that gives its settings typed, and ``breaks(source)`` if its format marks pages or lines;
one of TEI says ``XML = True``. One whose format is no lines holds the law by itself (``HOLDS``) and says whether a
source is annotated already (``annotated(source)``). A reader deals in plain strings: it cuts layers and names speakers.
Ids, targets, the insides of notes and the editor's decisions on characters are put in afterwards, the same way for
every format.
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
from pipeline.readers.common.findings import juan_gaps, unfit
from pipeline.readers.common.pages import insert, with_images
from pipeline.readers.common.source import Source, load
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.settings.images import canvases
from pipeline.settings.manual import ReaderRow
from pipeline.settings.values import Strict
from pipeline.system.collection import without_collection
from pipeline.tei.kept import hold_source, hold_text
from pipeline.tei.views import source_text


class Reader(Protocol):
    """What a module of this folder must have to be a reader."""

    def convention(self, source: str, table: Mapping[str, Any]) -> Strict:
        """Give the settings of a source; raises CatalogError for what does not fit."""

    def read(self, source: Source) -> tuple[Document, tuple[Finding, ...]]:
        """Give the document, without ids, and what was noticed. Raises SourceError if the format does not fit."""


def names() -> list[str]:
    """Give the names of all readers: the modules here that have a ``read``."""
    return list(_found(tuple(__path__)))


@cache
def _found(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Look for them once: a library asks for a reader ten thousand times."""
    modules = [m.name for m in pkgutil.iter_modules(folders)]
    return tuple(name for name in modules if hasattr(importlib.import_module(f"{__name__}.{name}"), "read"))


def reader(name: str) -> Reader:
    """Give a reader by name; raises CatalogError that names the nearest and all known ones."""
    known = names()
    if name not in known:
        raise CatalogError(
            f"no reader is called {name!r}", place=Place("tei/catalog.toml"),
            mend=f"{suggestion(name, known)} known: {', '.join(known)}; "
                 "`jiaokan explain reader` says what each reads".lstrip(),
        )
    module: Reader = importlib.import_module(f"{__name__}.{name}")
    return module


def manual_rows() -> list[ReaderRow]:
    """Return all readers with their docstrings and the types of their conventions, for the manual."""
    return [ReaderRow(name=name, about=inspect.getdoc(reader(name)) or "",
                      convention=get_type_hints(reader(name).convention)["return"]) for name in names()]


def read(entry: SourceEntry, catalog: Catalog) -> tuple[Document, tuple[Finding, ...]]:
    """Read one source of the catalog into a witness.

    Raises SourceError, CatalogError or DecisionError; gives the document and what the reader noticed. TeiError is
    a fault of the program: a step changed what the source prints.
    """
    with without_collection():
        reader(entry.reader).convention(entry.id, catalog.convention(entry.id))
        source = _loaded(entry, catalog)
        _check(catalog)
        document, findings = undecided(source, entry, catalog)
        return decided(source, document, entry, catalog), findings


def decided(source: Source, document: Document, entry: SourceEntry, catalog: Catalog) -> Document:
    """Give a source, read without decisions on characters (`undecided`), with these; raises as `read`."""
    decisions = Decisions.load(catalog.root, entry.signs)
    printed = source_text(document)
    document = decisions.apply(document)
    document = mark_printed_corrections(document, entry.corrections) if entry.corrections else document
    hold_text(printed, document, "decisions")
    manifest = catalog.manifest(entry)
    shown = canvases(manifest) if manifest else ()
    return with_images(_with_breaks(document, source, entry), entry.images, shown)


def _check(catalog: Catalog) -> None:
    for table in (Judged, Boundary):
        kinds.check(kinds.load(catalog.root, table), catalog.persons, catalog.sources)


def _loaded(entry: SourceEntry, catalog: Catalog) -> Source:
    return load(entry, catalog, whole=getattr(reader(entry.reader), "XML", False))


def as_received(entry: SourceEntry, catalog: Catalog) -> tuple[Source, Document]:
    """Load a source of the catalog and read it without what the editor decided about characters; raises as `read`."""
    source = _loaded(entry, catalog)
    _check(catalog)
    return source, undecided(source, entry, catalog)[0]


def undecided(source: Source, entry: SourceEntry, catalog: Catalog) -> tuple[Document, tuple[Finding, ...]]:
    """Read a source that is loaded, without what the editor decided about single characters; raises as `read`.

    The law is held here: the document prints its source, less what named rules dropped, and annotation changes nothing.
    """
    targets = partial(point_notes, decisions=kinds.load(catalog.root, TargetDecision))
    document, findings = _numbered(source, entry)  # what the reader made is let go before more is made of it
    module = reader(entry.reader)
    printed = source_text(document)
    if not getattr(module, "HOLDS", False):
        bare = module.bare_lines(source) if hasattr(module, "bare_lines") else source.lines
        hold_source(document, bare, source.file)
    elif module.annotated(source):  # type: ignore[attr-defined]  # a reader with HOLDS has it
        return targets(document), findings
    document, more = annotate(document, catalog.persons, catalog.lists, catalog.works[entry.work].annotators, targets)
    hold_text(printed, document, "annotation")
    return document, (*findings, *more, *unfit(document, source, _expected(entry, catalog)))


def _expected(entry: SourceEntry, catalog: Catalog) -> set[int]:
    """Give the chapters that a source should have: those that editions take from it; all, if it is its work's only."""
    taken = {chapter.n for plan in catalog.editions.values() if plan.work == entry.work
             for chapter in plan.chapters if entry.id in chapter.witnesses}
    alone = sum(other.work == entry.work for other in catalog.sources.values()) == 1
    return {chapter.n for chapter in catalog.works[entry.work].chapters} if alone else taken


def _with_breaks(document: Document, source: Source, entry: SourceEntry) -> Document:
    """Give a document with the pages and lines of its source, where the reader of the format knows them."""
    places = getattr(reader(entry.reader), "breaks", None)
    return insert(document, *places(source)) if places else document


def _numbered(source: Source, entry: SourceEntry) -> tuple[Document, tuple[Finding, ...]]:
    document, findings = reader(entry.reader).read(source)
    return with_references(number(demote_trailers(document)), source.work), (*findings, *juan_gaps(document, source))
