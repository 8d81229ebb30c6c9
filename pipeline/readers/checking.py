"""Whether the sources of a folder can be read at all: their files, readers, conventions and decisions, before any is.

All faults of the folder are told at once; what needs the text itself to be read is told when it is.
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
"""How a file of XML begins (XML 1.0, 2.8), or TEI without declaration."""
_MANDOKU = re.compile(r"<pb:[^<>]*>")
"""The mark of a page in Mandoku, which is no word of any text."""


def check(catalog: Catalog, sources: Iterable[str] | None = None) -> None:
    """Raise an error with all that keeps the sources of a folder from being read (of `sources`, if they are given: the
    others have been read), or its decisions from being used."""
    asked = catalog.sources if sources is None else sources
    errors = [each for name in asked for each in _source(catalog.sources[name], catalog)]
    errors += _caught(lambda: check_decisions(catalog))
    raise_all(errors)


def check_decisions(catalog: Catalog) -> None:
    """Read all decisions of a folder; raises CatalogError or DecisionError for what does not fit it."""
    errors: list[JiaokanError] = []
    filed: list[kinds.Filed[Any]] = []
    stages: tuple[kinds.Stage, ...] = ("read", "collate", "print")
    for path in sorted({path for stage in stages for path in kinds.paths(catalog.root, stage)}):
        try:
            filed += kinds.load_file(path, Strict)
        except CatalogError as error:
            errors += error.several or (error,)
    errors += _caught(lambda: kinds.check(filed, catalog.persons, catalog.sources, catalog.editions))
    errors += kinds.unread(catalog.root)
    errors += _twice(filed)
    raise_all(errors)


def _twice(filed: list[kinds.Filed[Any]]) -> Iterator[DecisionError]:
    """Give the characters on which two decisions of a kind say different things."""
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


def hold_file(entry: SourceEntry, catalog: Catalog) -> None:
    """Hold the file of one source against its reader; raises as `hold_form`."""
    hold_form(entry, catalog, current_lines(entry, catalog)[0])


def hold_form(entry: SourceEntry, catalog: Catalog, lines: tuple[str, ...]) -> None:
    """Raise SourceError if a file is not of the kind that its reader reads, as TEI where text is meant."""
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


def _source(entry: SourceEntry, catalog: Catalog) -> Iterator[JiaokanError]:
    """Give what keeps one source from being read."""
    try:
        module = reader(entry.reader)
    except CatalogError as error:
        place = read_catalog(catalog.root).place(
            ("source", [*catalog.sources].index(entry.id), "reader"), value=True)
        yield CatalogError(f"source {entry.id!r}: {error.message}", place=place, mend=error.mend)
    else:
        yield from _caught(lambda: module.convention(entry.id, catalog.convention(entry.id)))
        faulty = _caught(lambda: hold_file(entry, catalog))
        yield from faulty or _caught(lambda: checked_lines(entry, catalog))
        return
    yield from _caught(lambda: checked_lines(entry, catalog))


def _caught(do: Callable[[], object]) -> tuple[JiaokanError, ...]:
    """Give what a check raises, one by one."""
    try:
        do()
    except JiaokanError as error:
        return error.several or (error,)
    return ()
