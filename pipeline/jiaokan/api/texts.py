"""Texts as TEI: read a source or a TEI file, collate witnesses, validate."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from jiaokan.api.inputs import File, file_of, guard, is_many, path_of, read_bytes, read_input, wrong_type, xml_files
from jiaokan.api.tei_text import Level, Source, TeiText, read_tei, text_of
from jiaokan.api.values import FindingListing
from jiaokan.errors import CollationError, Finding, JiaokanError, Message, Place, SourceError, raise_all

if TYPE_CHECKING:
    from jiaokan.editions.loose import LooseEdition
    from jiaokan.settings.catalog import Catalog, SourceEntry
    from jiaokan.validate import Checks

__all__ = [
    "Level", "Source", "TeiText", "checks", "collate_texts", "read_bytes", "read_source", "read_tei", "text_of",
    "text_of_edition", "text_of_source", "validate_tei",
]


@guard
def read_source(
    file: File, *, reader: str, convention: Path | str | Mapping[str, object] | None = None,
    persons: Path | str | None = None, title: str = "", chapters: Mapping[int, str] | None = None,
) -> TeiText:
    """Read a transcription and return it as TEI.

    `reader` is a format (``jiaokan explain reader`` lists them); `convention` says how the file marks its layers, as a
    TOML file or a mapping (``jiaokan explain convention``); `persons` is a persons.toml with those who are cited;
    `chapters` are the titles of the chapters by number. Raises SourceError, CatalogError,
    DecisionError, or JiaokanError for an argument of a wrong type.

    >>> _ = Path("my.txt").write_text("學而\\n子曰學而時習之〈馬曰時習〉\\n", encoding="utf-8")
    >>> text = read_source("my.txt", reader="brackets", convention={"brackets": "〈〉"}, chapters={1: "學而"})
    >>> text.read("1")
    '子曰學而時習之'
    """
    from jiaokan.settings.catalog import Chapter, catalog_of_file

    titles = [Chapter(n=_check_type(n, int), title=_check_type(name, str))
              for n, name in _check_type(chapters or {}).items()]
    with _path_of_source(file) as path, _file_of(convention) as toml:
        people = file_of(persons) if persons else None
        entry, catalog = catalog_of_file(path, reader=reader, convention=toml, people=people, title=title,
                                         chapters=tuple(titles))
        return text_of_source(entry, catalog)


def _check_type(value: object, kind: type = Mapping) -> Any:
    """Return a title, a number or all titles of `chapters`; raises JiaokanError for another type."""
    if not isinstance(value, kind):
        raise wrong_type(value, Message("chapter-titles"), "chapters")
    return value


@contextmanager
def _path_of_source(file: File) -> Iterator[Path]:
    """Provide a source as a file on disk."""
    if isinstance(file, str | os.PathLike):
        yield path_of(file)
        return
    name, data = read_input(file)
    with _written_aside(PurePath(name).name.strip("<>") or "text", data, name) as path:
        yield path


@contextmanager
def _file_of(convention: Path | str | Mapping[str, object] | None) -> Iterator[Path | None]:
    """Provide a convention as a TOML file."""
    if not isinstance(convention, Mapping):
        yield file_of(convention) if convention else None
        return
    import tomli_w

    try:
        text = tomli_w.dumps(convention)
    except TypeError as error:
        raise JiaokanError(Message("convention-not-toml", reason=error)) from None
    with _written_aside("convention.toml", text.encode(), "convention") as path:
        yield path


@contextmanager
def _written_aside(file: str, data: bytes, name: str) -> Iterator[Path]:
    """Write a temporary file; an error in it names what the caller gave (`name`)."""
    with TemporaryDirectory() as aside:
        path = Path(aside) / file
        path.write_bytes(data)
        try:
            yield path
        except JiaokanError as error:
            if error.place is None or PurePath(error.place.file).name != file:
                raise
            raise type(error)(error.message, place=replace(error.place, file=name), mend=error.mend) from None


def text_of_source(entry: SourceEntry, catalog: Catalog) -> TeiText:
    """Read a source of a catalog; raises as `read_source`."""
    from jiaokan.editions.witness import make_witness

    witness = make_witness(entry, catalog)
    return TeiText(tei=witness.tei, name=entry.id, findings=witness.findings)


def date_of(*files: Path) -> str:
    """Return the date of the last change of some files: outputs must not depend on the clock."""
    newest = max((path.stat().st_mtime for path in files if path.exists()), default=0.0)
    return datetime.fromtimestamp(newest, tz=UTC).date().isoformat()


_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
"""A date as TEI has it (W3C ``gYear``, ``gYearMonth``, ``date``)."""
Witness = str | Source
"""A text to collate: its words, its contents, its file, or as TEI."""


@guard
def collate_texts(
    witnesses: Mapping[str, Witness] | Iterable[Source], *, base: str = "", date: str = ""
) -> TeiText:
    """Collate witnesses and return the edition.

    `witnesses` are texts by siglum (strings, or paths, contents and open files of plain text or TEI), or files. In
    plain text blank lines separate paragraphs; without them each line is one. `base` is the siglum or file of the base
    text (default: the first). A single file must be a TEI edition. `date` (2026-11-20) is written into the header, by
    default that of the newest file. Raises SourceError, TeiError or CollationError.

    >>> text = collate_texts({"甲": "學而時習之", "乙": "學而時習"})
    >>> text.witnesses
    ('甲', '乙')
    """
    from jiaokan.editions.loose import collate_files

    if date and not _DATE.fullmatch(date):
        raise CollationError(Message("date-invalid", value=date), mend=Message("write-date"))
    if isinstance(witnesses, Mapping):
        sigla = [_siglum(siglum) for siglum in witnesses]
        contents = [_words(text, siglum) for siglum, text in witnesses.items()]
    elif is_many(witnesses):
        witnesses = [*witnesses]
        sigla, contents = [], [_contents(file) for file in witnesses]
    else:
        raise wrong_type(witnesses, Message("witnesses-by-siglum"), "witnesses")
    if not contents:
        raise CollationError(Message("witnesses-none"), mend=Message("give-two-files-more-edition"))
    candidates = witnesses.values() if isinstance(witnesses, Mapping) else map(path_of, filter(_is_path, witnesses))
    files = [text for text in candidates if isinstance(text, os.PathLike)]
    return text_of_edition(collate_files(contents, base=base, date=date or date_of(*map(Path, files)), sigla=sigla))


def _is_path(file: object) -> bool:
    return isinstance(file, str | os.PathLike)


def _siglum(siglum: object) -> str:
    if not isinstance(siglum, str) or not siglum.strip():
        raise wrong_type(siglum, Message("a-siglum"))
    return siglum


def _words(text: Witness, siglum: str) -> tuple[str, bytes]:
    """Return the name and content of a witness that is given by siglum, where a string is its words."""
    if not isinstance(text, str):
        name, data = _contents(text)
        return siglum if _is_unnamed(text) else name, data
    if _is_file(text):
        raise CollationError(Message("words-are-a-path", siglum=siglum, path=text),
                             mend=Message("give-path", path=text))
    try:
        return siglum, text.encode()
    except UnicodeEncodeError:
        raise SourceError(Message("text-not-unicode"), place=Place(siglum)) from None


def _is_file(words: str) -> bool:
    try:
        return "\n" not in words and Path(words).is_file()
    except (OSError, ValueError):  # too long for a path
        return False


def _is_unnamed(file: object) -> bool:
    return not _is_path(file) and not isinstance(getattr(file, "name", None), str)


def _contents(file: Source) -> tuple[str, bytes]:
    if isinstance(file, TeiText):
        return file.name, file.tei
    from jiaokan.tei.included import expand_includes

    name, data = read_input(file)
    return name, expand_includes(data, path_of(file) if _is_path(file) else None, name).data


def text_of_edition(edition: LooseEdition) -> TeiText:
    """Return a collated edition as a text."""
    return TeiText(tei=edition.tei, name=edition.document.id, findings=edition.findings, collated=edition)


@guard
def validate_tei(
    source: Source | Iterable[Source], *, schemas: Sequence[str | Path] = (), ignore: Collection[str] = ()
) -> FindingListing:
    """Return the findings on a text, a TEI file, all files of a folder or of a pattern; none if they are valid.

    `source` can also be a list of these. `schemas` are files of RELAX NG, XSD, Schematron or ODD, or ``jiaokan`` for
    our own; by default the schema that each file names, else tei_all. `ignore` are ids of rules. Raises JiaokanError
    for an unknown rule or schema, and, once all others are checked, for files that cannot be read.

    >>> [finding.rule for finding in validate_tei(collate_texts({"甲": "學而時習之", "乙": "學而時習"}))]
    ['header-lacking']
    """
    from jiaokan.validate import validate, validate_bytes

    chosen = checks(schemas, ignore)
    findings: list[Finding] = []
    failures: list[JiaokanError] = []
    for item in _all_files(source):
        try:
            if isinstance(item, Path):
                findings += validate(item, chosen)
            else:
                name, data = _contents(item)
                findings += validate_bytes(data, name=name, checks=chosen)
        except JiaokanError as error:
            failures.append(error)
    raise_all(failures, "files-not-checked")
    return FindingListing(findings)


def _all_files(source: Source | Iterable[Source]) -> Iterator[Source]:
    """Yield texts and contents as they are, and the files of paths, folders and patterns."""
    if isinstance(source, str | os.PathLike):
        yield from xml_files(path_of(source))
    elif is_many(source):
        for item in source:
            yield from _all_files(item)
    else:
        yield cast(Source, source)


def checks(schemas: Sequence[str | Path] = (), ignore: Collection[str] = (), *, cached: bool = False) -> Checks:
    """Return what to check; raises JiaokanError for an unknown rule or a missing schema.

    `cached` stores the findings and reuses them while nothing has changed.
    """
    from jiaokan.validate import STANDARD
    from jiaokan.validate.choice import OURS, OWN
    from jiaokan.validate.rules import explain_rule

    for name, values in (("schemas", schemas), ("ignore", ignore)):
        if isinstance(values, str | bytes) or not isinstance(values, Collection):
            raise wrong_type(values, Message("a-list-of-names"), name)
    for rule in ignore:
        explain_rule(rule)
    for schema in schemas:
        if schema != OURS and not path_of(schema).is_file():
            raise JiaokanError(Message("the-schema-not-found"), place=Place(str(schema)),
                               mend=Message("give-file-own", ours=OURS))
    return replace(STANDARD, schemas=tuple(map(str, schemas)) or (OWN,), cached=cached, ignored=frozenset(ignore),
                   entries=_entries)


def _entries(data: bytes, name: str) -> tuple[Finding, ...]:
    if b"<app" not in data:
        return ()
    from jiaokan.readers.tei.edition import accounts

    return accounts(data, name)
