"""The settings of a library, kept as they were read: ten thousand files of TOML take seconds, what they say a tenth.
Where one has changed, that one is parsed and checked; what the others say is kept file by file.

They are taken where each file is what it was, by what the file system says (`pipeline.system.fingerprints.state`), and
the program too. They lie in the user's cache folder; where nothing can be written none are kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pipeline import __version__
from pipeline.settings.toml import TomlTable
from pipeline.settings.values import Known
from pipeline.system.atomic import cached, write_file
from pipeline.system.fingerprints import COARSE, State, state
from pipeline.system.listing import matching

T = TypeVar("T")
States = dict[str, State | None]
_PACKAGE = Path(__file__).parents[1]


class _KeptSettings(msgspec.Struct, frozen=True, array_like=True):
    program: str
    files: States
    settings: msgspec.Raw


def states(files: Sequence[Path]) -> States:
    """Give what the file system says of some files, by their paths."""
    return {os.fspath(path): state(path) for path in files}


def kept(root: Path, files: Sequence[Path], kind: type[T]) -> T | None:
    """Give the settings of a folder, if they are kept and its `files` are what they were."""
    try:
        found = msgspec.msgpack.decode(home(root).read_bytes(), type=_KeptSettings)
        if found.program != _program() or found.files != states(files):
            return None
        return msgspec.msgpack.decode(found.settings, type=kind, dec_hook=_decode)
    except (OSError, ValueError):
        return None


def keep(root: Path, files: States, settings: object) -> None:
    """Keep settings that were read when their `files` were so, if that can be done.

    Not where one of them was changed just before: it could have changed again since, and look the same.
    """
    last = max((max(each[1], each[2]) for each in files.values() if each), default=0)
    if files == states([Path(each) for each in files]) and time.time() - last / 1e9 > COARSE:
        made = msgspec.msgpack.encode(settings, enc_hook=str)
        with contextlib.suppress(OSError):
            write_file(home(root), msgspec.msgpack.encode(_KeptSettings(_program(), files, msgspec.Raw(made))))


class KeptTables:
    """The files of settings of a folder as tables, each kept with what the file system said of it."""

    def __init__(self, root: Path, read: Callable[[Path], TomlTable]) -> None:
        """Have those that are kept; the others are to be `read`."""
        self._path, self._read = cached("settings", root, ".tables"), read
        self._said: dict[str, tuple[State, msgspec.Raw]] = {}
        """What is known of each file that was read."""
        self._names: Known | None = None
        self._same = False
        try:
            found = msgspec.msgpack.decode(self._path.read_bytes(), type=_KeptTables)
            self._kept, self._known = (found.files, found.known) if found.program == _program() else ({}, "")
        except (OSError, ValueError):
            self._kept, self._known = {}, ""

    def read(self, path: Path) -> TomlTable:
        """Give the table of a file; raises as what reads it."""
        name, now = os.fspath(path), state(path)
        if (known := self._kept.get(name)) and known[0] == now:
            self._said[name] = known
            return TomlTable(msgspec.msgpack.decode(known[1]), paths=(path,))
        table = self._read(path)
        try:
            made = msgspec.msgpack.encode(dict(table), enc_hook=str)
        except OverflowError:  # a number of more than 64 bits, which what it is read for refuses
            return table
        if now and msgspec.msgpack.decode(made) == table and time.time() - max(now[1:3]) / 1e9 > COARSE:
            self._said[name] = now, msgspec.Raw(made)  # dates would come back as words
        return table

    def sound(self, path: Path, known: Known) -> bool:
        """Tell whether a file is what it was when it was found without fault, and the names that it may use, too."""
        name = os.fspath(path)
        if self._names is not known:
            self._names, self._same = known, self._known == _digest(known)
        return self._same and name in self._said and self._kept.get(name) is self._said[name]

    def keep(self, known: Known) -> None:
        """Keep the tables that were read, if that can be done: with these names `known`, none has a fault."""
        with contextlib.suppress(OSError):
            write_file(self._path, msgspec.msgpack.encode(_KeptTables(_program(), _digest(known), self._said)))


class _KeptTables(msgspec.Struct, frozen=True, array_like=True):
    program: str
    known: str
    files: dict[str, tuple[State, msgspec.Raw]]


def _digest(known: Known) -> str:
    names = {kind: sorted(each) for kind, each in known.items()}
    return hashlib.sha256(msgspec.json.encode(names, order="deterministic")).hexdigest()


def _decode(kind: type[Any], value: Any) -> Any:
    return kind(value)


def home(root: Path) -> Path:
    """Give the file in which the settings of a folder are kept."""
    return cached("settings", root, ".msgpack")


@cache
def _program() -> str:
    """Which program reads the settings."""
    made = hashlib.sha256(__version__.encode())
    for path in sorted(path for room in ("settings", "model") for path in matching(_PACKAGE / room, "*.*")):
        made.update(f"{path.name} {state(path)}\0".encode())
    return made.hexdigest()
