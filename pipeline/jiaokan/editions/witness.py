"""Witnesses: make the TEI of one from its source; compare a source that changed, and accept it into the catalog."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from rapidfuzz.distance import Postfix, Prefix

from jiaokan import readers
from jiaokan.editions import TextResult
from jiaokan.errors import CatalogError, Message, Place, SourceError, refusal, visible
from jiaokan.model import Document
from jiaokan.readers import check_file
from jiaokan.readers.common.source import decode_lines
from jiaokan.readers.tei.facts import UNNAMED, facts
from jiaokan.settings.catalog import NOWHERE, Catalog, SourceEntry, read_catalog
from jiaokan.settings.folder import witness_path
from jiaokan.system.atomic import inside, write_file
from jiaokan.system.process import without_collection
from jiaokan.tei.header.build import witness_header
from jiaokan.tei.header.carried import carried_header, source_header, text_addresses
from jiaokan.tei.header.uses import uses
from jiaokan.tei.lossless import check_tei
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import is_ours
from jiaokan.tei.tree import Element, parse
from jiaokan.tei.views import source_text
from jiaokan.tei.write import to_tei


def make_witness(entry: SourceEntry, catalog: Catalog, *, schemas: str = "") -> TextResult:
    """Read one source of a catalog and write it as TEI.

    `schemas` is where the folder's schemas lie as seen from the file; empty: the file names none. Raises SourceError
    for a source that cannot be read, CatalogError for settings that do not hold, DecisionError for a decision of the
    editor that does not fit the source, TeiError for TEI that would not give its source back.
    """
    check_file(entry, catalog)
    document, findings = readers.read(entry, catalog)
    source = _other_source(entry, catalog)
    with without_collection():
        if source is None:
            tei = to_tei(document, witness_header(entry, document, catalog), schemas=schemas)
        else:
            tei = _with_own_header(source, document, entry, catalog)
        check_tei(document, tei)
    return TextResult(document=document, tei=tei, findings=findings)


def _other_source(entry: SourceEntry, catalog: Catalog) -> Element | None:
    """Return the root of a source outside an edition folder that is TEI with a header of somebody else."""
    if catalog.root != NOWHERE or entry.reader != "tei":
        return None
    file = catalog.path(entry)
    root = parse(file.read_bytes(), name=str(file))
    return None if is_ours(root) else root


def _with_own_header(root: Element, document: Document, entry: SourceEntry, catalog: Catalog) -> bytes:
    """Return the text of somebody else's file as TEI under the header of that file."""
    persons = {key: person.label or person.name for key, person in catalog.persons.items()}
    known = facts(root)
    title = entry.title if entry.title != visible(PurePath(entry.file).stem) else known.title or entry.title
    header = carried_header(
        source_header(root), document, uses(document, catalog.lists.reported_traditions()), title=title, editor=UNNAMED,
        witnesses={}, sigla={}, persons=known.persons | persons, linked={},
        addresses=text_addresses(root, PurePath(entry.file).name))
    return to_tei(document, header, language=known.language or entry.language)


_FAR = 4000
"""A line is looked for so many characters after the one before it: more than that lost at once is reported as lost up
to the next line that is found."""
_SURE = 8
"""A line of so many characters is known again anywhere there; a shorter one only right after the line before it."""


@dataclass(frozen=True, slots=True)
class SourceChange:
    """One changed passage."""

    line: int
    """The line of the file where it begins."""
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChanges:
    """The changes of a source."""

    sha256: str
    lines: int
    characters: int
    """Of the file without white space."""
    were: int
    """Characters that its TEI has of the state before; 0 where there is none to compare."""
    changes: tuple[SourceChange, ...]


def source_changes(entry: SourceEntry, catalog: Catalog) -> SourceChanges:
    """Return the changes of a source since its TEI was made. Raises SourceError for a file that cannot be read."""
    path = catalog.path(entry)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(Message("source-cannot-read", entry=entry.id, strerror=refusal(error)),
                          place=Place(str(path)),
                          mend=Message("put-file-correct-file-source")) from None
    now = decode_lines(data, str(path))
    before, dropped = _read_before(entry, catalog)
    return SourceChanges(
        sha256=hashlib.sha256(data).hexdigest(), lines=len(now), characters=sum(len(_bare(line)) for line in now),
        were=len(before) + sum(map(len, dropped)), changes=tuple(_changes(before, dropped, now)) if before else (),
    )


def accept(entry: SourceEntry, catalog: Catalog, sha256: str) -> Path:
    """Write the new checksum of a source into the catalog and return the catalog's path; nothing else changes.

    Raises CatalogError if the checksum there is not a quoted string.
    """
    table = read_catalog(catalog.root)
    row = next(n for n, source in enumerate(table["source"]) if source["id"] == entry.id)
    place = table.place(("source", row, "sha256"), value=True)
    path = Path(place.file)
    rows = path.read_bytes().decode("utf-8").split("\n")  # lines as TOML counts them
    mark = rows[place.line - 1].startswith("\ufeff")
    at = place.column - 1 + mark
    head, value = rows[place.line - 1][:at], rows[place.line - 1][at:]
    new_value, count = re.subn(r"\A(\"[^\"]*\"|'[^']*')", f'"{sha256}"', value)
    if not count:
        raise CatalogError(Message("checksum-not-quoted-string"), place=place,
                           mend=Message("write-sha256", sha256=sha256))
    rows[place.line - 1] = head + new_value
    write_file(inside(catalog.root, path, "tei"), "\n".join(rows).encode())
    return path


def _read_before(entry: SourceEntry, catalog: Catalog) -> tuple[str, frozenset[str]]:
    path = witness_path(catalog, entry.id)
    if not path.exists():
        return "", frozenset()
    data = path.read_bytes()
    checksum = parse(data, name=str(path)).findtext("{*}teiHeader/{*}fileDesc/{*}sourceDesc//{*}idno[@type='sha256']")
    if checksum != entry.sha256:
        return "", frozenset()
    document = from_tei(data, name=str(path))
    return _bare(source_text(document)), frozenset(_bare(words) for _, words in document.dropped)


def _changes(before: str, dropped: frozenset[str], now: tuple[str, ...]) -> Iterator[SourceChange]:
    at, new, first = 0, "", 0
    for number, line in enumerate(map(_bare, now), 1):
        if not line or line in dropped:
            continue
        start = at if before.startswith(line, at) else -1
        if start < 0 and len(line) >= _SURE:
            start = before.find(line, at, at + len(line) + _FAR)
        if start < 0:
            new, first = new + line, first or number
            continue
        if new or start > at:
            yield _shorten_change(first or number, before[at:start], new)
        at, new, first = start + len(line), "", 0
    if new or at < len(before):
        yield _shorten_change(first or len(now), before[at:], new)


def _shorten_change(line: int, before: str, after: str) -> SourceChange:
    same = Prefix.similarity(before, after)
    ends = Postfix.similarity(before[same:], after[same:])
    start, stop = max(0, same - _SURE), max(0, ends - _SURE)
    return SourceChange(line, before[start : len(before) - stop], after[start : len(after) - stop])


def _bare(text: str) -> str:
    return "".join(text.split())
