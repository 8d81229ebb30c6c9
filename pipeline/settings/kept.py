"""The settings of a library, kept as they were read: ten thousand files of TOML take seconds, what they say a tenth.

They are taken where each file is what it was, by what the file system says (`pipeline.system.fingerprints.state`), and
the program too. They lie in the user's cache folder; where nothing can be written none are kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pipeline import __version__
from pipeline.system.atomic import cached, write_file
from pipeline.system.fingerprints import COARSE, State, state

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


def _decode(kind: type[Any], value: Any) -> Any:
    return kind(value)


def home(root: Path) -> Path:
    """Give the file in which the settings of a folder are kept."""
    return cached("settings", root, ".msgpack")


@cache
def _program() -> str:
    """Which program reads the settings."""
    made = hashlib.sha256(__version__.encode())
    for path in sorted(path for room in ("settings", "model") for path in (_PACKAGE / room).glob("*.*")):
        made.update(f"{path.name} {state(path)}\0".encode())
    return made.hexdigest()
