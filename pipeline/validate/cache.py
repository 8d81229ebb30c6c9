"""Verdicts kept by content: a file that was checked is not checked again with the same schemas and the same program.

Of a file of an edition folder the content is that of the whole folder ``tei``, since its rules look at all of it. They
lie in the user's cache folder (``JIAOKAN_CACHE``, else as XDG says); where nothing can be written none is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path

from pipeline import __version__
from pipeline.errors import Finding, Place
from pipeline.system.atomic import cache_folder, write_file
from pipeline.system.listing import below
from pipeline.validate.reading import read

KEPT = 30_000
"""So many verdicts are kept; beyond, the oldest half goes. A verdict is some hundred bytes for a sound file. With fewer
than a library has texts none would ever be found again: checked in one order, the oldest go first."""
EVERY = 500
"""After so many of its own, beginning with the first, a process looks whether there is room: to look takes as long as
there are verdicts, so that looking each time ten thousand files would take a hundred times as long as a thousand."""
_own = count()
_PACKAGE = Path(__file__).parents[1]


def key(data: bytes, options: Iterable[str], schemas: Iterable[Path]) -> str:
    """Give the name of a verdict: of a document, what was asked of it and the content of the schemas."""
    made = hashlib.sha256(_program().encode())
    for each in (*options, *(_content(each.resolve(), each.stat().st_mtime_ns) for each in schemas)):
        made.update(f"{each}\0".encode())
    made.update(data)
    return made.hexdigest()


def key_at_home(data: bytes, options: Iterable[str], root: Path, path: Path) -> str:
    """Give the name of a verdict on a file of the edition folder `root`."""
    return key(data, (*options, path.relative_to(root).as_posix(), _fonts(), _folder(root)), ())


@cache
def _folder(root: Path) -> str:
    """The content of all files of an edition folder that its rules can look at, read once in a process."""
    made = hashlib.sha256()
    for path in below(root / "tei"):
        if not path.name.startswith("."):
            made.update(f"{path.relative_to(root).as_posix()}\0".encode())
            made.update(hashlib.sha256(read(path)).digest())
    return made.hexdigest()


@cache
def _fonts() -> str:
    """Which fonts are installed: a rule says what they lack (`pipeline.validate.rules.characters`)."""
    found = []
    for name in ("pylopdf-fonts-zh-cn", "fonttools"):
        with contextlib.suppress(PackageNotFoundError):
            found.append(version(name))
    return " ".join(found)


def kept(name: str, file: str) -> tuple[Finding, ...] | None:
    """Give the findings that a verdict holds, in a file called `file`; None if there is no such verdict."""
    try:
        rows = json.loads((folder() / name).read_bytes())
        return tuple(Finding(**{**row, "place": Place(file, *row["place"])}) for row in rows)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def keep(name: str, findings: Sequence[Finding]) -> None:
    """Keep a verdict, if that can be done."""
    rows = [{**asdict(replace(each)), "place": [each.place.line, each.place.column]} for each in findings]
    with contextlib.suppress(OSError, ValueError):
        home = folder()
        if not home.exists():
            home.mkdir(parents=True)
        if next(_own) % EVERY == 0:
            _make_room(home)
        write_file(home / name, json.dumps(rows, ensure_ascii=True).encode(), lasting=False)


def _make_room(folder: Path) -> None:
    there = list(folder.iterdir())
    if len(there) > KEPT:
        there = [path for path in there if path.is_file()]
        for old in sorted(there, key=lambda path: path.stat().st_mtime)[: KEPT // 2]:
            old.unlink(missing_ok=True)


def folder() -> Path:
    """Give the folder in which verdicts are kept."""
    return cache_folder("verdicts")


@cache
def _program() -> str:
    """Which program gives the verdicts: its version and the files that it checks with, as they are now."""
    folders = [_PACKAGE, _PACKAGE / "../schema", _PACKAGE / "../xslt/schematron"]
    made = hashlib.sha256(__version__.encode())
    for path in sorted(path for folder in folders for path in below(folder)):
        if "__pycache__" not in path.parts:
            state = path.stat()
            made.update(f"{path.name} {state.st_size} {state.st_mtime_ns}\0".encode())
    return made.hexdigest()


@cache
def _content(schema: Path, _changed: int) -> str:
    """The content of a schema; of one with others beside it (XSD, grammars that include) that of all of these."""
    made = hashlib.sha256(read(schema))
    for path in sorted(schema.parent.glob("*")) if schema.suffix in (".xsd", ".rng", ".rnc") else ():
        if path.suffix == schema.suffix and path.is_file():
            state = path.stat()
            made.update(f"{path.name} {state.st_size} {state.st_mtime_ns}\0".encode())
    return made.hexdigest()
