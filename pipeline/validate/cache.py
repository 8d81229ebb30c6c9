"""Cached findings: a file is not checked again while its content, schemas, options and program are the same.

For a file of an edition folder the content of the whole folder ``tei`` counts, since its rules look at all of it.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipeline.errors import Finding
from pipeline.system.listing import below
from pipeline.system.store import Store, cache_folder, program
from pipeline.validate.reading import read

LIMIT = 30_000
"""Files whose findings are stored; some hundred bytes each. With fewer than a library has texts none would be found
again: they are checked in the same order each time, and the oldest are removed first."""


def key(data: bytes, options: Iterable[str], schemas: Iterable[Path]) -> str:
    """Return the name of the entry for a document, with the options of the check and the content of the schemas."""
    digest = hashlib.sha256(program().encode())
    for each in (*options, *(_content(each.resolve(), each.stat().st_mtime_ns) for each in schemas)):
        digest.update(f"{each}\0".encode())
    digest.update(data)
    return digest.hexdigest()


def key_at_home(data: bytes, options: Iterable[str], root: Path, path: Path) -> str:
    """Return the name of the entry for a file of the edition folder `root`."""
    return key(data, (*options, path.relative_to(root).as_posix(), _fonts(), _folder(root)), ())


@cache
def _folder(root: Path) -> str:
    digest = hashlib.sha256()
    for path in below(root / "tei"):
        if not path.name.startswith("."):
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
            digest.update(hashlib.sha256(read(path)).digest())
    return digest.hexdigest()


@cache
def _fonts() -> str:
    found = []
    for name in ("pylopdf-fonts-zh-cn", "fonttools"):
        with contextlib.suppress(PackageNotFoundError):
            found.append(version(name))
    return " ".join(found)


def kept(name: str, file: str) -> tuple[Finding, ...] | None:
    """Return the stored findings, as those of a file called `file`; None if there are none."""
    found = store().get(name, "", tuple[Finding, ...])
    return found and tuple(replace(each, place=replace(each.place, file=file)) for each in found)


def keep(name: str, findings: Sequence[Finding]) -> None:
    """Store findings, if that is possible."""
    store().put(name, "", [replace(each, place=replace(each.place, file="")) for each in findings])


def store() -> Store:
    """Return the store of findings."""
    return Store(cache_folder("verdicts"), limit=LIMIT)


@cache
def _content(schema: Path, _changed: int) -> str:
    digest = hashlib.sha256(read(schema))
    for path in sorted(schema.parent.glob("*")) if schema.suffix in (".xsd", ".rng", ".rnc") else ():
        if path.suffix == schema.suffix and path.is_file():
            state = path.stat()
            digest.update(f"{path.name} {state.st_size} {state.st_mtime_ns}\0".encode())
    return digest.hexdigest()
