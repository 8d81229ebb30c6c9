"""The cache: what the program stores between runs and can make again, in the user's cache folder.

One rule of staleness: an entry is used only if its stamp is unchanged. A stamp is a hash of everything the value was
made from: of input files their `State` (a file with unchanged size, inode and mtimes is not re-read, as in Git's index,
git-scm.com/docs/index-format, "racy Git") or their content, and of the program `program`. The ctime is part of the
state; no program can set it, so a file replaced by one of the same size and date is noticed.

Damaged entries count as missing. Where the cache cannot be written, nothing is stored.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import TypeVar

import msgspec

from jiaokan.errors import Message, Place, SystemFault, decode_message, encode_message, refusal
from jiaokan.system.atomic import folder_key, remove, write_file
from jiaokan.system.listing import below, paths_below, resource

T = TypeVar("T")
TICK, COARSE = 0.05, 2.0
"""A file changed less than this many seconds ago may change again and look the same: Linux counts in steps of 10 ms at
most, file systems without fractions of seconds (FAT, HFS+) in one or two seconds. Lower, a change is missed; higher,
what was just made is hashed twice."""
PRUNE = 500
"""A store with a limit is pruned at the first and then every so many entries that a process writes: to count them takes
as long as there are entries, so that counting at each would make ten thousand files a hundred times as slow."""
State = tuple[int, int, int, int]
"""Size, time of the last change of content and of the inode in nanoseconds, number of the inode."""
_PACKAGE, _HASHES = Path(__file__).parents[1], "hashes"
_WRITTEN = count()  # counts the entries that this process wrote to stores with a limit


def cache_folder(kind: str, of: Path | None = None) -> Path:
    """Return the user's folder for one kind of entries (of one folder): in ``JIAOKAN_CACHE``, else as XDG says."""
    named = os.environ.get("JIAOKAN_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = (Path(named) if named else Path(home) / "jiaokan") / kind
    return folder / folder_key(of) if of else folder


def check_cache() -> None:
    """Raise SystemFault if nothing can be written to the user's cache folder."""
    probe = cache_folder("records") / f".probe-{os.getpid()}"
    try:
        probe.parent.mkdir(parents=True, exist_ok=True)
        write_file(probe, b"x", lasting=False)
        remove(probe)
    except OSError as error:
        raise SystemFault(Message("cache-cannot-be-written", why=refusal(error)), place=Place(str(probe.parent)),
                          mend=Message("set-writable-cache-folder")) from None


class Store:
    """The entries in a folder; beyond `limit` entries the older half is removed."""

    def __init__(self, home: Path, *, limit: int = 0) -> None:
        self.home = home
        self._limit = limit

    def path(self, name: str) -> Path:
        """Return the file of an entry; for entries that are not values, such as a database."""
        return self.home / name

    def get(self, name: str, made_from: str, kind: type[T]) -> T | None:
        """Return an entry, None if it is missing, stale or damaged. `made_from` is its stamp."""
        try:
            before, value = msgspec.msgpack.decode(self.path(name).read_bytes(), type=tuple[str, msgspec.Raw])
            return msgspec.msgpack.decode(value, type=kind, dec_hook=_decode) if before == made_from else None
        except (OSError, ValueError):
            return None

    def put(self, name: str, made_from: str, value: object) -> None:
        """Store an entry, if that is possible."""
        with contextlib.suppress(OSError, ValueError, OverflowError):  # of the latter, a number of more than 64 bits
            data = msgspec.msgpack.encode((made_from, value), enc_hook=(
                lambda value: encode_message(value) if isinstance(value, Message) else str(value)))
            self.path(name).parent.mkdir(parents=True, exist_ok=True)
            if self._limit and next(_WRITTEN) % PRUNE == 0:
                self._prune()
            write_file(self.path(name), data, lasting=False)

    def keep(self, names: Collection[str]) -> None:
        """Remove all other entries."""
        paths = {self.path(name) for name in names}
        for path in below(self.home):
            if path not in paths:
                remove(path)

    def clear(self) -> None:
        """Remove all entries."""
        remove(self.home)

    def _prune(self) -> None:
        there = [path for path in self.home.iterdir() if path.is_file()]
        if len(there) > self._limit:
            for path in sorted(there, key=lambda path: path.stat().st_mtime)[: self._limit // 2]:
                path.unlink(missing_ok=True)


def _decode(kind: type, value: object) -> object:
    return decode_message(kind, value) if kind is Message else kind(value)


def stamp(*made_from: object) -> str:
    """Return the hash of values that can be written as JSON."""
    return hashlib.sha256(msgspec.json.encode(made_from, order="deterministic", enc_hook=str)).hexdigest()


def state(path: str | Path, *, folders: bool = False) -> State | None:
    """Return what the file system says about a file; None if there is no such file. With `folders` also about a folder,
    whose time changes with a file that is added to it or removed, though not with what its files have."""
    try:
        status = os.stat(path)  # noqa: PTH116 (pathlib takes three times as long)
    except (OSError, ValueError):
        return None
    if not (stat.S_ISREG(status.st_mode) or (folders and stat.S_ISDIR(status.st_mode))):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def states(files: Iterable[str | Path]) -> dict[str, State | None]:
    """Return the states of files and folders by their paths."""
    return {os.fspath(path): state(path, folders=True) for path in files}


def are_settled(*then: State | None) -> bool:
    """Whether files with these states will look different if they change from now on."""
    last = max((max(state[1], state[2]) for state in then if state), default=0)
    return time.time() - last / 1e9 > (TICK if last % 10**9 else COARSE)


@cache
def program() -> str:
    """Return the stamp of the installed program: the states of its modules and resources, and the times of the folders
    that hold its packages, which change when a package is replaced by another version."""
    homes = dict.fromkeys(os.path.realpath(root) for root in (_PACKAGE, resource("schema"), resource("xslt")))
    modified = [(path, os.stat(path).st_mtime_ns) for path in sys.path if os.path.isdir(path)]  # noqa: PTH112, PTH116
    return stamp([(path, state(path)) for home in homes for path in _program_files(home)], modified)


def _program_files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir():
                yield from _program_files(entry.path) if entry.name != "__pycache__" else ()
            else:
                yield entry.path


class _HashedFile(msgspec.Struct, frozen=True, array_like=True):
    state: State
    digest: str


class Fingerprints:
    """The SHA-256 of files and folders; those of files are stored. Each file is looked at once, until it is forgotten.

    A file hashed right after it changed is hashed again by `save`: it could have changed and look the same.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen: dict[str, str] = {}  # by names: Python hashes a Path anew each time, and there are 100,000 of them
        self._sizes: dict[str, int] = {}
        self._fresh: dict[str, State] = {}  # files that were hashed right after they changed
        self._changed = False
        self._stored = store.get(_HASHES, "", dict[str, _HashedFile]) or {}

    @property
    def path(self) -> Path:
        """The file in which the hashes are stored."""
        return self._store.path(_HASHES)

    def of(self, path: Path) -> str:
        """Return a hash of a file's content, or of a folder's names and contents; empty if nothing is there."""
        name = str(path)
        if (known := self._seen.get(name)) is None:
            known = self._seen[name] = self._look(name)
        return known

    def files(self, folder: Path) -> dict[str, str]:
        """Return the hashes of the files below a folder by their names; together they give the hash of the folder."""
        return _files(str(folder), self._file)

    def size(self, path: Path) -> int:
        """Return the size of a file in bytes, 0 for a folder and for what does not exist."""
        self.of(path)
        return self._sizes.get(str(path), 0)

    def forget(self, path: Path) -> None:
        """Look at a file or folder again when it is asked for."""
        self._seen.pop(str(path), None)
        self._sizes.pop(str(path), None)

    def save(self) -> None:
        """Store the hashes, if that is possible."""
        for name, then in self._fresh.items():
            now, digest = state(name), file_digest(name)
            if now == then and are_settled(then):
                self._stored[name], self._changed = _HashedFile(then, digest), True
        self._fresh.clear()
        if self._changed:
            self._store.put(_HASHES, "", self._stored)
            self._changed = False

    def _look(self, name: str) -> str:
        now = state(name)
        if now is None:
            return folder_digest(_files(name, self._file)) if os.path.isdir(name) else ""  # noqa: PTH112
        self._sizes[name] = now[0]
        return self._file(name, now)

    def _file(self, name: str, now: State | None = None) -> str:
        now = now or state(name)
        known = self._stored.get(name)
        if known and known.state == now:
            return known.digest
        digest = file_digest(name)
        if now and are_settled(now):
            self._stored[name], self._changed = _HashedFile(now, digest), True
        elif now:
            self._fresh[name] = now
        return digest


def fingerprint(path: Path) -> str:
    """Return a hash of a file's content, or of a folder's names and contents, read now; empty if nothing is there."""
    return folder_digest(_files(str(path), file_digest)) if path.is_dir() else file_digest(path)


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file; empty if it cannot be read."""
    with contextlib.suppress(OSError), open(path, "rb") as stream:  # noqa: PTH123 (names, not paths: 100,000 of them)
        return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""


def folder_digest(files: Mapping[str, str]) -> str:
    """Return the hash of a folder from the hashes of its files, in the order of their names."""
    digest = hashlib.sha256()
    for name, of_file in files.items():
        digest.update(f"{name} {of_file}\n".encode())
    return digest.hexdigest()


def _files(folder: str, of: Callable[[str], str]) -> dict[str, str]:
    start = len(folder) + 1
    names = sorted((path[start:].replace(os.sep, "/"), path) for path in paths_below(folder))
    return {name: of(path) for name, path in names if "__pycache__" not in name.split("/")}
