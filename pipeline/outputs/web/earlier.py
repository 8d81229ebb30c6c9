"""The site as it was made before: what of it holds, so that of ten thousand texts only what changed is made anew.

A file is what it was where the system says so: its size, the time of its last change and its inode; not the inode's own
time, which changes when the pages of a text are linked into a site. What is written here is replaced, never written
into, so that what was made anew has another inode.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from pipeline.system.atomic import link, remove, write_file
from pipeline.system.fingerprints import file_digest
from pipeline.system.listing import below, paths_below

T = TypeVar("T")
_PARTS, _DIGESTS = "parts.msgpack", "digests.msgpack"


class EarlierSite:
    """A site that was made before, and what is known of it; where nothing is known, nothing holds."""

    def __init__(self, kept: Path, site: Path | None = None, program: str = "") -> None:
        """Take the folder of what is `kept`, that of the site if there is one, and which program makes it.

        Of what parts of the site are made is written down by `save`, once the new one stands in its place: where a
        build ends between the two, they are made anew.
        """
        self._kept, self._site, self._program = kept, site, program
        self._used: set[Path] = set()
        self._parts = self._read(_PARTS, dict[str, tuple[str, str]]) or {}
        self._digests = self._read(_DIGESTS, dict[str, tuple[str, str]]) or {}
        self._made_of: dict[str, str] = {}
        self._hashed: dict[str, tuple[str, str]] = {}

    def again(self, new: Path, name: str, made_of: str) -> bool:
        """Take a part of the site over into a `new` one: a file or a folder by its `name` in both, if it was `made_of`
        the same and nobody changed it since. Tell whether it was, which may have made nothing."""
        self._made_of[name] = made_of
        if self._site is None or self._parts.get(name) != (made_of, identity(self._site / name)):
            return False
        if (self._site / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            link(self._site / name, new / name)
        return True

    def known(self, name: str, made_of: str, kind: type[T], make: Callable[[], T]) -> T:
        """Give what can be said of some files, kept under a `name`, as it is if it was `made_of` the same."""
        found = self._read(name, dict[str, kind])  # type: ignore[valid-type]  # it is only handed on
        if found and made_of in found:
            return found[made_of]
        made = make()
        self._write(name, {made_of: made})
        return made

    def key(self, *said: object) -> str:
        """Give a name for what the program makes of what is said."""
        return hashlib.sha256(msgspec.json.encode([self._program, *said])).hexdigest()

    def file(self, name: str) -> Path:
        """Give where a further file is kept; those that nobody asked for go when all is saved."""
        path = self._kept / name
        self._used.add(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def digest(self, path: Path, name: str) -> str:
        """Give the SHA-256 of a file of the new site, by its `name` there; one that is what it was is not read."""
        now, known = identity(path), self._digests.get(name)
        self._hashed[name] = known if known and known[0] == now else (now, file_digest(path))
        return self._hashed[name][1]

    def save(self, site: Path) -> None:
        """Write down of what the parts of the new site, which stands in its place, are made."""
        self._write(_PARTS, {name: (made_of, identity(site / name)) for name, made_of in self._made_of.items()})
        self._write(_DIGESTS, self._hashed)
        for path in below(self._kept):
            if path not in self._used:
                remove(path)

    def _read(self, name: str, kind: type[T]) -> T | None:
        try:
            program, data = msgspec.msgpack.decode(self.file(name).read_bytes(), type=tuple[str, msgspec.Raw])
            return msgspec.msgpack.decode(data, type=kind) if program == self._program else None
        except (OSError, ValueError):
            return None

    def _write(self, name: str, said: object) -> None:
        data = msgspec.msgpack.encode((self._program, said))
        with contextlib.suppress(OSError):  # then it is worked out the next time, too
            write_file(self.file(name), data, lasting=False)


def identity(path: Path) -> str:
    """Give what the system says of a file, or of all in a folder by their names; empty if nothing is there."""
    if not path.is_dir():
        return _state(path)
    said = "".join(f"{name} {_state(each)}\n" for name, each in sorted(_files(path)))
    return hashlib.sha256(said.encode(errors="surrogatepass")).hexdigest()


def _state(path: str | Path) -> str:
    try:
        found = os.stat(path)  # noqa: PTH116 (pathlib takes three times as long)
    except OSError:
        return ""
    return f"{found.st_size} {found.st_mtime_ns} {found.st_ino}"


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """Give the files of a folder and of those in it, by their paths in it."""
    for path in paths_below(folder):
        yield path[len(str(folder)) + 1 :], path
