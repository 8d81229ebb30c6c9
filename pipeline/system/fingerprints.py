"""Hashes of files, kept from one build to the next with what the file system says of each file.

A file whose size, number and times of change are what they were is not read again, as Git's index has it
(git-scm.com/docs/index-format, "racy Git"): ten thousand texts are looked at in a second. The time of the last change
of the inode (``ctime``) is among them, which no program can set: a file replaced by one of the same size and date is
known. A file that was hashed right after it was changed is hashed once more when all is done, since it could have
changed again and look the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from pipeline.system.atomic import write_file

TICK, COARSE = 0.05, 2.0
"""A file that was changed less than so many seconds before it was hashed may change again and look the same: Linux
counts in steps of 10 ms at most, a file system without fractions of seconds (FAT, HFS+) in one or two seconds. Too low,
a change is missed; too high, what was just made is hashed twice."""

State = tuple[int, int, int, int]
"""Size, time of the last change of content and of the inode in nanoseconds, number of the inode."""


class _KeptFile(msgspec.Struct, frozen=True, array_like=True):
    """What is known of one file."""

    state: State
    digest: str


def state(path: str | Path) -> State | None:
    """Give what the file system says of a file; None of what is not there, or is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116 (pathlib takes three times as long)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


class Fingerprints:
    """The hashes of files and folders, those of files kept in `path`; each is looked at once, until it is forgotten."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: dict[str, str] = {}  # by names: Python hashes a Path anew each time, and there are 100,000 of them
        self._sizes: dict[str, int] = {}
        self._fresh: dict[str, State] = {}
        """Files that were hashed right after they were changed."""
        self._changed = False
        try:
            self._kept = msgspec.msgpack.decode(path.read_bytes(), type=dict[str, _KeptFile])
        except (OSError, msgspec.DecodeError):  # none yet, or of another version: every file is read
            self._kept = {}

    def of(self, path: Path) -> str:
        """Give a hash of a file's content, or of a folder's names and contents; empty if nothing is there."""
        name = str(path)
        if (known := self._seen.get(name)) is None:
            known = self._seen[name] = self._look(path)
        return known

    def size(self, path: Path) -> int:
        """Give the size of a file, 0 for a folder and what is not there."""
        self.of(path)
        return self._sizes.get(str(path), 0)

    def forget(self, path: Path) -> None:
        """Look at a file or folder anew when it is asked for again."""
        self._seen.pop(str(path), None)
        self._sizes.pop(str(path), None)

    def save(self) -> None:
        """Keep what is known, if that can be done."""
        for name, then in self._fresh.items():
            now, digest = state(name), file_digest(Path(name))
            if now == then and _settled(then):
                self._kept[name], self._changed = _KeptFile(then, digest), True
        self._fresh.clear()
        if self._changed:
            with contextlib.suppress(OSError):  # then every file is read the next time, too
                write_file(self.path, msgspec.msgpack.encode(self._kept))
            self._changed = False

    def _look(self, path: Path) -> str:
        now = state(str(path))
        if now is None:
            return _folder(path, self._file) if path.is_dir() else ""
        self._sizes[str(path)] = now[0]
        return self._file(path, now)

    def _file(self, path: Path, now: State | None = None) -> str:
        name, now = str(path), now or state(path)
        known = self._kept.get(name)
        if known and known.state == now:
            return known.digest
        digest = file_digest(path)
        if now and _settled(now):
            self._kept[name], self._changed = _KeptFile(now, digest), True
        elif now:
            self._fresh[name] = now
        return digest


def _settled(then: State) -> bool:
    """Tell whether a file that changes from now on will look otherwise."""
    last = max(then[1], then[2])
    return time.time() - last / 1e9 > (TICK if last % 10**9 else COARSE)


def fingerprint(path: Path) -> str:
    """Give a hash of a file's content, or of a folder's names and contents, read here and now; empty if nothing is
    there."""
    return _folder(path, file_digest) if path.is_dir() else file_digest(path)


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file; empty if it cannot be read."""
    with contextlib.suppress(OSError), path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""


def _folder(path: Path, of: Callable[[Path], str]) -> str:
    digest = hashlib.sha256()
    for name, file in sorted(_files(path)):
        digest.update(f"{name} {of(file)}\n".encode())
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix(), path
