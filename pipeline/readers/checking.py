"""Checks the files, readers, conventions and decisions of a folder before any source is read.

It reports all errors of the folder together, except those that need the text of a source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pipeline.decisions import kinds
from pipeline.decisions.tables import GlyphDecision, PrintedCharacter
from pipeline.errors import CatalogError, DecisionError, JiaokanError, Place, SourceError, raise_all
from pipeline.readers import names, reader
from pipeline.readers.common.source import checked_lines, current_lines
from pipeline.settings.catalog import Catalog, SourceEntry, read_catalog
from pipeline.settings.values import Strict

_XML = re.compile(r"\s*(?:<\?xml\b|<!DOCTYPE\b|<(?:\w+:)?(?:TEI|teiCorpus)\b[^<>]*>)")
"""The beginning of an XML file (XML 1.0, 2.8), or of TEI without declaration."""
_MANDOKU = re.compile(r"<pb:[^<>]*>")
"""The mark of a page in Mandoku."""


def check(catalog: Catalog, sources: Iterable[str] | None = None) -> None:
    """Raise all errors that prevent reading the sources (only `sources` if given) or using the decisions."""
    wanted = catalog.sources if sources is None else sources
    errors = [each for name in wanted for each in _source_errors(catalog.sources[name], catalog)]
    errors += _errors_of(lambda: check_decisions(catalog))
    raise_all(errors)


def check_decisions(catalog: Catalog) -> None:
    """Read all decisions of a folder; raises CatalogError or DecisionError for those that do not fit it."""
    errors: list[JiaokanError] = []
    filed: list[kinds.Filed[Any]] = []
    stages: tuple[kinds.Stage, ...] = ("read", "collate", "print")
    for path in sorted({path for stage in stages for path in kinds.paths(catalog.root, stage)}):
        try:
            filed += kinds.load_file(path, Strict)
        except CatalogError as error:
            errors += error.several or (error,)
    errors += _errors_of(lambda: kinds.check(filed, catalog.persons, catalog.sources, catalog.editions))
    errors += kinds.unread(catalog.root)
    errors += _conflicting_characters(filed)
    raise_all(errors)


def _conflicting_characters(filed: list[kinds.Filed[Any]]) -> Iterator[DecisionError]:
    first: dict[tuple[str, str], kinds.Filed[Any]] = {}
    for each in filed:
        if isinstance(each.decision, GlyphDecision | PrintedCharacter):
            code = each.decision.code.removeprefix("U+").lstrip("0")
            other = first.setdefault((type(each.decision).__name__, code), each)
            if other.decision.standard != each.decision.standard:
                yield DecisionError(
                    f"{each.decision.code} is decided twice: {other.decision.standard!r} at {other.place}, here "
                    f"{each.decision.standard!r}", place=each.place, mend="withdraw one of the two",
                )


def check_file(entry: SourceEntry, catalog: Catalog) -> None:
    """Check the file of one source; raises as `check_form`."""
    check_form(entry, catalog, current_lines(entry, catalog)[0])


def check_form(entry: SourceEntry, catalog: Catalog, lines: tuple[str, ...]) -> None:
    """Raise SourceError if a file is not of its reader's kind, e.g. TEI instead of plain text."""
    place, text = Place(str(catalog.path(entry)), 1, 1), "\n".join(lines[:200])
    takes_xml = bool(getattr(reader(entry.reader), "XML", False))
    fit = [name for name in names() if getattr(reader(name), "XML", False)]
    if _XML.match(text) and not takes_xml:
        other = f'write reader = "{fit[0]}"' if fit else (
            "give the plain text; `jiaokan collate FILES` takes TEI as it is, without a catalog")
        raise SourceError(f"source {entry.id!r} is XML, and its reader {entry.reader!r} reads plain text",
                          place=place, mend=other)
    if takes_xml and not _XML.match(text):
        raise SourceError(f"source {entry.id!r} is plain text, and its reader {entry.reader!r} reads TEI",
                          place=place, mend='write reader = "plain", or another that `jiaokan explain reader` lists')
    if "mandoku" in names() and entry.reader != "mandoku" and (page := _MANDOKU.search(text)):
        line = text.count("\n", 0, page.start()) + 1
        raise SourceError(f"source {entry.id!r} has marks of pages of the Kanripo ({page[0]}), and its reader "
                          f"{entry.reader!r} would take them for text", place=Place(place.file, line),
                          mend='write reader = "mandoku"')


def _source_errors(entry: SourceEntry, catalog: Catalog) -> Iterator[JiaokanError]:
    form: tuple[JiaokanError, ...] = ()
    try:
        module = reader(entry.reader)
    except CatalogError as error:
        place = read_catalog(catalog.root).place(
            ("source", [*catalog.sources].index(entry.id), "reader"), value=True)
        yield CatalogError(f"source {entry.id!r}: {error.message}", place=place, mend=error.mend)
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
