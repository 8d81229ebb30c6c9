"""The site of the last build: parts made from unchanged texts are reused, of ten thousand texts nearly all.

A file of the site is unchanged if its size, mtime and inode are; the ctime is not compared, since it changes when the
pages of a text are linked into a site. Files of a site are replaced, never written into: a new file has a new inode.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from jiaokan.system.atomic import link
from jiaokan.system.listing import paths_below
from jiaokan.system.store import Store, file_digest, stamp

T = TypeVar("T")
_PARTS, _DIGESTS = "parts", "digests"


class EarlierSite:
    """The site of the last build and what is stored about it; without these nothing is reused."""

    def __init__(self, store: Store, site: Path | None = None, program: str = "") -> None:
        """Open the `store` of a `site`; `program` is the hash of the program that makes the site."""
        self._store, self._site, self._program = store, site, program
        self._used = {_PARTS, _DIGESTS}
        self._parts = store.get(_PARTS, program, dict[str, tuple[str, str]]) or {}
        self._digests = store.get(_DIGESTS, program, dict[str, tuple[str, str]]) or {}
        self._made_of: dict[str, str] = {}
        self._hashed: dict[str, tuple[str, str]] = {}

    def again(self, new: Path, name: str, made_of: str) -> bool:
        """Link a file or folder of the earlier site into the `new` one if it was made from the same and is unchanged.

        Whether it was; what was made may be nothing.
        """
        if self._site is None or not self.is_unchanged(name, made_of):
            return False
        if (self._site / name).exists():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            link(self._site / name, new / name)
        return True

    def is_unchanged(self, name: str, made_of: str = "") -> bool:
        """Whether a file or folder of the earlier site was made by this user from the same, and not changed since."""
        self._made_of[name] = made_of
        return self._site is not None and self._parts.get(name) == (made_of, identity(self._site / name))

    def known(self, name: str, made_of: str, kind: type[T], make: Callable[[], T]) -> T:
        """Return the stored value of that `name` if it was made from the same; else make and store it."""
        self._used.add(name)
        if (value := self._store.get(name, made_of, kind)) is None:
            value = make()
            self._store.put(name, made_of, value)
        return value

    def key(self, *made_from: object) -> str:
        """Return the stamp of what this program makes from some values."""
        return stamp(self._program, *made_from)

    def file(self, name: str) -> Path:
        """Return the path of a further file in the store; those not asked for are removed by `save`."""
        self._used.add(name)
        path = self._store.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def digest(self, path: Path, name: str) -> str:
        """Return the SHA-256 of a file of the new site, by its `name` there; an unchanged file is not read."""
        now, known = identity(path), self._digests.get(name)
        self._hashed[name] = known if known and known[0] == now else (now, file_digest(path))
        return self._hashed[name][1]

    def save(self, site: Path) -> None:
        """Store what the parts of the new site are made from, once it is in its place.

        If a build ends before, they are made again.
        """
        parts = {name: (made_of, identity(site / name)) for name, made_of in self._made_of.items()}
        self._store.put(_PARTS, self._program, parts)
        self._store.put(_DIGESTS, self._program, self._hashed)
        self._store.keep(self._used)


def identity(path: Path) -> str:
    """Return size, mtime and inode of a file, or a hash of those of the files in a folder; empty if there is none."""
    if not path.is_dir():
        return _identity(path)
    start = len(str(path)) + 1
    lines = "".join(f"{path_below[start:]} {_identity(path_below)}\n" for path_below in sorted(paths_below(path)))
    return hashlib.sha256(lines.encode(errors="surrogatepass")).hexdigest()


def _identity(path: str | Path) -> str:
    try:
        status = os.stat(path)  # noqa: PTH116 (pathlib takes three times as long)
    except OSError:
        return ""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ino}"
