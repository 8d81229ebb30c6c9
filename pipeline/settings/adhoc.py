"""Catalogs for files that stand in no edition folder."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import Place, SourceError
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog, Chapter, Licence, Project, SourceEntry, Work
from pipeline.settings.names import windows

_LONGEST = 40
"""So much of a file's name becomes the id of its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """What is said of such a file on the command line."""

    file: Path
    reader: str
    convention: Path | None
    persons: Path | None
    title: str
    chapters: tuple[Chapter, ...] = ()


@contextlib.contextmanager
def catalog_of(alone: Alone) -> Iterator[tuple[SourceEntry, Catalog]]:
    """Give a catalog that holds just this file; it lives in a temporary folder.

    Raises SourceError or CatalogError if the file, its convention or its persons cannot be read.
    """
    try:
        data = alone.file.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=Place(str(alone.file))) from None
    name = re.sub(r"[^a-z0-9-]+", "-", alone.file.stem.lower()).strip("-")[:_LONGEST]
    name = name if re.match(r"[a-z]", name) and not windows(name) else f"text{name}"
    title = alone.title or alone.file.stem
    free = Licence(name="not stated")
    entry = SourceEntry(
        id=name, siglum=title, file=str(alone.file.resolve()), sha256=hashlib.sha256(data).hexdigest(), work=name,
        title=title, authors=(), dynasty="", reader=alone.reader, language="lzh-Hant", licence=free,
    )
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        if alone.convention:
            catalogs.read_toml(alone.convention)  # a fault is told with the user's own path
            (root / "tei" / "conventions").mkdir(parents=True)
            shutil.copyfile(alone.convention, root / "tei" / "conventions" / f"{name}.toml")
        yield entry, Catalog(
            root=root,
            project=Project(title=title, publisher="", editors=(), date="", licence=free),
            sources={name: entry},
            works={name: Work(id=name, title=title, chapters=alone.chapters)},
            persons=catalogs.persons(alone.persons) if alone.persons else {},
            editions={},
        )
