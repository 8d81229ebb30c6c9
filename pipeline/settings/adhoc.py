"""Make catalogs for files outside an edition folder: one source to read, or several witnesses to collate."""

from __future__ import annotations

import contextlib
import hashlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from pipeline.errors import Place, SourceError
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog, Chapter, Licence, Person, Project, SourceEntry, Work
from pipeline.settings.names import windows
from pipeline.settings.plans import EditionPlan
from pipeline.system.shown import visible

_LONGEST = 40
"""Characters of a file name that become the id of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """A source outside a folder, as described on the command line."""

    file: Path
    reader: str
    convention: Path | None
    persons: Path | None
    title: str
    chapters: tuple[Chapter, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A file that is a witness."""

    name: str
    """Its id in the catalog."""
    siglum: str
    file: str
    data: bytes
    """The content of the file; the catalog records its sha256."""
    language: str = "lzh-Hant"


_FREE = Licence(name="not stated")


@contextlib.contextmanager
def catalog_of(alone: Alone) -> Iterator[tuple[SourceEntry, Catalog]]:
    """Yield a catalog with just this file, in a temporary folder. Raises SourceError or CatalogError if unreadable."""
    try:
        data = alone.file.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=Place(str(alone.file))) from None
    name = re.sub(r"[^a-z0-9-]+", "-", alone.file.stem.lower()).strip("-")[:_LONGEST]
    name = name if re.match(r"[a-z]", name) and not windows(name) else f"text{name}"
    title = alone.title or visible(alone.file.stem)
    entry = _entry(Text(name=name, siglum=title, file=str(alone.file.resolve()), data=data), name, alone.reader)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        yield entry, Catalog(
            root=root,
            project=Project(title=title, publisher="", editors=(), date="", licence=_FREE),
            sources={name: entry},
            works={name: Work(id=name, title=title, chapters=alone.chapters)},
            persons=catalogs.persons(alone.persons) if alone.persons else {},
            editions={},
            own={name: alone.convention} if alone.convention else {},
        )


@contextlib.contextmanager
def catalog_of_texts(
    texts: Sequence[Text], plan: EditionPlan, persons: Mapping[str, Person], date: str
) -> Iterator[Catalog]:
    """Yield a catalog with just these witnesses and the plan of their edition, in an empty temporary folder.

    `date` (``2026-11-20``) is the day of the edition, for its header.
    """
    sources = {text.name: _entry(replace(text, file=PurePath(text.file).name), plan.work, "") for text in texts}
    work = Work(id=plan.work, title=plan.title, chapters=tuple(Chapter(n=c.n, title=c.title) for c in plan.chapters))
    with tempfile.TemporaryDirectory() as temporary:
        yield Catalog(
            root=Path(temporary),
            project=Project(title=plan.title, publisher="", editors=(), date=date, licence=_FREE),
            sources=sources, works={plan.work: work}, persons=dict(persons), editions={plan.id: plan},
        )


def _entry(text: Text, work: str, reader: str) -> SourceEntry:
    return SourceEntry(
        id=text.name, siglum=text.siglum, file=text.file, sha256=hashlib.sha256(text.data).hexdigest(), work=work,
        title=text.siglum, authors=(), dynasty="", reader=reader, language=text.language, licence=_FREE,
    )
