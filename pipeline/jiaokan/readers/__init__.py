"""Readers: from a source as received to a numbered, annotated `Document`. A new format is one new file here.

In comes a `Source`: the checked lines of a file with its convention and the editor's decisions on boundaries; out go a
`Document` and findings. Read first `common.source` (`Source`, `nest`), `brackets` (the reader of most sources) and
`plain` (the shortest reader).

A reader is a module of this folder with the functions of `Reader`. Optional are:

- ``explain(source)``, which returns its judgements if it weighs signs;
- ``breaks(source)``, if its format marks pages or lines;
- ``bare_lines(source)``, if it drops markup: the lines that the document must print;
- ``parse_pages(source)``, if the lines of its text are not those of the file: the source with them;
- ``XML = True`` for TEI; ``CHECKS_TEXT = True`` if it checks by itself that the document prints its source, with
  ``is_annotated(source)``: whether the source has annotations already.

A reader works with plain strings: it cuts layers and names speakers. Ids, targets, spans in notes and the editor's
decisions on characters are added here, in the same way for every format.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Protocol, get_type_hints

from jiaokan.annotate import annotate
from jiaokan.annotate.identifiers import number, with_references
from jiaokan.decisions import kinds
from jiaokan.decisions.characters import Decisions, mark_printed_corrections
from jiaokan.decisions.passages import point_notes
from jiaokan.decisions.tables import Decision, GlyphDecision, PrintedCharacter, TargetDecision
from jiaokan.errors import (
    CatalogError,
    DecisionError,
    Finding,
    JiaokanError,
    Message,
    Place,
    SourceError,
    raise_all,
    suggestion,
)
from jiaokan.model import Document
from jiaokan.readers.common.chapters import demote_trailers, juan_gaps, unfit_settings
from jiaokan.readers.common.pages import add_images, canvases, insert_breaks
from jiaokan.readers.common.source import Source, checked_lines, current_lines, load
from jiaokan.readers.common.vocabularies import kind_of_markup
from jiaokan.readers.pages.files import is_pages
from jiaokan.settings.catalog import Catalog, SourceEntry, read_catalog
from jiaokan.settings.manual import ReaderRow
from jiaokan.settings.values import Strict
from jiaokan.system.process import without_collection
from jiaokan.tei.lossless import check_source, check_text
from jiaokan.tei.views import source_text


class Reader(Protocol):
    """The functions that make a module of this folder a reader."""

    def convention(self, source: str, table: Mapping[str, object]) -> Strict:
        """Return the checked convention of a source; raises CatalogError if it is invalid."""

    def read(self, source: Source) -> tuple[Document, tuple[Finding, ...]]:
        """Return the document, without ids, and the findings; raises SourceError if the format does not fit."""


def names() -> list[str]:
    """Return the names of all readers: the modules here that have a ``read``."""
    return list(_reader_names(tuple(__path__)))


@cache
def _reader_names(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of readers in folders; cached, as a large library needs a reader ten thousand times."""
    modules = [m.name for m in pkgutil.iter_modules(folders)]
    return tuple(name for name in modules if hasattr(importlib.import_module(f"{__name__}.{name}"), "read"))


def reader(name: str) -> Reader:
    """Return a reader by name; raises CatalogError with the nearest and all known names."""
    known = names()
    if name not in known:
        raise CatalogError(
            Message("no-reader-called", name=name), place=Place("tei/catalog.toml"),
            mend=Message("the-reader-described", suggestion=suggestion(name, known)),
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
        document, findings = read_without_decisions(source, entry, catalog)
        return apply_decisions(source, document, entry, catalog), findings


def apply_decisions(source: Source, document: Document, entry: SourceEntry, catalog: Catalog) -> Document:
    """Return the document of `read_without_decisions` with the editor's decisions on characters; raises as `read`."""
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


def load_source(entry: SourceEntry, catalog: Catalog) -> Source:
    """Load a source, with the lines that its reader makes of markup. Raises as `load` and the reader."""
    module = reader(entry.reader)
    source = load(entry, catalog, whole=getattr(module, "XML", False))
    return module.parse_pages(source) if hasattr(module, "parse_pages") else source


def _load(entry: SourceEntry, catalog: Catalog) -> Source:
    """Load a source, and check the decisions on it."""
    source = load_source(entry, catalog)
    for kind in kinds.KINDS:
        if "read" in kind.stages:
            kinds.check(kinds.load(catalog.root, kind.table), catalog.persons, catalog.sources)
    return source


def load_without_decisions(entry: SourceEntry, catalog: Catalog) -> tuple[Source, Document]:
    """Load a source and read it without the editor's decisions on characters; raises as `read`."""
    source = _load(entry, catalog)
    return source, read_without_decisions(source, entry, catalog)[0]


def read_without_decisions(
    source: Source, entry: SourceEntry, catalog: Catalog
) -> tuple[Document, tuple[Finding, ...]]:
    """Read a loaded source without the editor's decisions on characters; raises as `read`. This checks that the
    document prints its source, except what named rules dropped, and that annotation changes none of it."""
    targets = partial(point_notes, decisions=kinds.load(catalog.root, TargetDecision))
    module = reader(entry.reader)
    document, findings = module.read(source)
    findings = (*findings, *juan_gaps(document, source))
    document = with_references(number(demote_trailers(document)), source.work)
    printed = source_text(document)
    if not getattr(module, "CHECKS_TEXT", False):
        bare = module.bare_lines(source) if hasattr(module, "bare_lines") else source.lines
        check_source(document, bare, source.file)
    elif module.is_annotated(source):  # type: ignore[attr-defined]  # a reader with CHECKS_TEXT has it
        return targets(document), findings
    document, more = annotate(document, catalog.persons, catalog.lists, catalog.works[entry.work].annotators, targets)
    check_text(printed, document, "annotation")
    # It should have the chapters that editions take from it; all, if it is the only source of its work.
    alone = sum(other.work == entry.work for other in catalog.sources.values()) == 1
    plans = (plan for plan in catalog.editions.values() if plan.work == entry.work)
    edited_chapters = {chapter.n for plan in plans for chapter in plan.chapters if entry.id in chapter.witnesses}
    expected = {chapter.n for chapter in catalog.works[entry.work].chapters} if alone else edited_chapters
    return document, (*findings, *more, *unfit_settings(document, source, expected))


_XML = re.compile(r"\s*(?:<\?xml\b|<!DOCTYPE\b|<(?:\w+:)?(?:TEI|teiCorpus)\b[^<>]*>)")
"""The beginning of an XML file (XML 1.0, 2.8), or of TEI without declaration."""
_MANDOKU = re.compile(r"<pb:[^<>]*>")
"""The mark of a page in Mandoku."""


def check(catalog: Catalog, sources: Iterable[str] | None = None) -> None:
    """Raise all errors that prevent reading the sources (only `sources` if given) or using the decisions."""
    wanted = catalog.sources if sources is None else sources
    errors = [error for name in wanted for error in _source_errors(catalog.sources[name], catalog)]
    errors += _errors_of(lambda: check_decisions(catalog))
    raise_all(errors)


def check_decisions(catalog: Catalog) -> None:
    """Read all decisions of a folder; raises CatalogError or DecisionError for those that do not fit it."""
    errors: list[JiaokanError] = []
    filed: list[kinds.Filed[Decision]] = []
    stages: tuple[kinds.Stage, ...] = ("read", "collate", "print", "desk")
    for path in sorted({path for stage in stages for path in kinds.paths(catalog.root, stage)}):
        try:
            filed += kinds.load_file(path, Decision)
        except CatalogError as error:
            errors += error.several or (error,)
    errors += _errors_of(lambda: kinds.check(filed, catalog.persons, catalog.sources, catalog.editions))
    errors += kinds.unread(catalog.root)
    first: dict[tuple[str, str], tuple[Place, str]] = {}
    for row in filed:
        if isinstance(row.decision, GlyphDecision | PrintedCharacter):
            code = row.decision.code.removeprefix("U+").lstrip("0")
            place, standard = first.setdefault(
                (type(row.decision).__name__, code), (row.place, row.decision.standard))
            if standard != row.decision.standard:
                errors.append(DecisionError(
                    Message("is-decided-twice-at-here", code=row.decision.code, standard=standard,
                            place=place, standard2=row.decision.standard), place=row.place,
                            mend=Message("withdraw-one-of-the-two"),
                ))
    raise_all(errors)


def check_file(entry: SourceEntry, catalog: Catalog) -> None:
    """Raise SourceError if the file of a source is not of its reader's kind, e.g. TEI instead of plain text."""
    lines = current_lines(entry, catalog)[0]
    place, text = Place(str(catalog.path(entry)), 1, 1), "\n".join([*lines[:200], *lines[200:][-20:]])
    takes_xml, is_xml = bool(getattr(reader(entry.reader), "XML", False)), bool(_XML.match(text))
    if is_pages(text.encode()) != (entry.reader == "pages"):
        what = Message("recognised-pages") if entry.reader != "pages" else Message("no-recognised-pages")
        raise SourceError(Message("source-of-other-kind", entry=entry.id, kind=what, reader=entry.reader), place=place,
                          mend=Message("write-reader-pages"))
    if entry.reader == "pages":
        return
    if is_xml and not takes_xml:
        raise SourceError(Message("source-xml-reader-reads-plain", entry=entry.id, reader=entry.reader),
                          place=place, mend=Message("write-reader-tei"))
    if not is_xml and not takes_xml and (kind := kind_of_markup(text)) not in ("", "tei", "html"):
        raise SourceError(Message("this-is-xml-but-not-tei", kind=kind), place=place,
                          mend=Message("convert-tei-html-plain-text"))
    if takes_xml and not is_xml:
        raise SourceError(Message("source-plain-text-reader-reads", entry=entry.id, reader=entry.reader),
                          place=place, mend=Message("write-reader-plain-another-lists"))
    if entry.reader != "mandoku" and (page := _MANDOKU.search(text)):
        line = text.count("\n", 0, page.start()) + 1
        raise SourceError(Message("source-marks-pages-kanripo-reader", entry=entry.id, page=page[0],
                                  reader=entry.reader), place=Place(place.file, line),
                          mend=Message("write-reader-mandoku"))


def _source_errors(entry: SourceEntry, catalog: Catalog) -> Iterator[JiaokanError]:
    form: tuple[JiaokanError, ...] = ()
    try:
        module = reader(entry.reader)
    except CatalogError as error:
        place = read_catalog(catalog.root).place(
            ("source", [*catalog.sources].index(entry.id), "reader"), value=True)
        yield CatalogError(Message("source-problem", source=entry.id, message=error.message), place=place,
                           mend=error.mend)
    else:
        yield from _errors_of(lambda: module.convention(entry.id, catalog.convention(entry.id)))
        form = _errors_of(lambda: check_file(entry, catalog))
    yield from form or _errors_of(lambda: checked_lines(entry, catalog))


def _errors_of(do: Callable[[], object]) -> tuple[JiaokanError, ...]:
    try:
        do()
    except JiaokanError as error:
        return error.several or (error,)
    return ()
