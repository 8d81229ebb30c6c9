"""The website in a folder, as far as a build of this user made it.

The desk's pages can decide in the editor's name, and a folder may come from somebody else with a website in it. So the
desk serves a file only if its hash is one of those that the build recorded, and the records are this user's (`Cache`).
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from base64 import b64encode
from pathlib import Path
from threading import Lock

from jiaokan.build.cache import Cache
from jiaokan.system.atomic import RECORDS
from jiaokan.system.store import State, folder_digest, state

_SCRIPT = re.compile(rb'<script src="([^"]+)"')


class OutdatedSite(Exception):
    """The file is not the one that the last build made: a build must make the site again."""


class TrustedSite:
    """The files of a site that a build of this user made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._records: State | None = None
        self._digests: dict[str, str] = {}
        self._lock = Lock()

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if the site has no such file. Raises OutdatedSite."""
        digests = self._current()
        if not digests:
            raise OutdatedSite
        if name not in digests:
            return None
        try:
            data = (self.folder / name).read_bytes()
        except OSError:
            raise OutdatedSite from None
        if hashlib.sha256(data).hexdigest() != digests[name]:
            raise OutdatedSite
        return data

    def has(self, name: str) -> bool:
        """Whether the site has a file of this name."""
        return name in self._digests

    def with_integrity(self, name: str, page: bytes) -> tuple[bytes, list[str]]:
        """Return a page with the hashes of its scripts, as browsers check them, and these hashes."""
        hashes: list[str] = []

        def add(script: re.Match[bytes]) -> bytes:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), script[1].decode()))
            if path not in self._digests:
                return script[0]
            hashes.append(integrity(self._digests[path]))
            return script[0] + f' integrity="{hashes[-1]}"'.encode()

        return _SCRIPT.sub(add, page), hashes

    def _current(self) -> dict[str, str]:
        """Return the hashes of the site's files by name; none if the site is not the one that is recorded."""
        out = self.folder.parent
        with self._lock:
            if (now := state(out / RECORDS)) != self._records or not self._digests:
                cache = Cache(out.resolve())
                record, digests = cache.records.get("site"), cache.files.files(self.folder)
                known = record is not None and record.outputs.get(self.folder.name) == folder_digest(digests)
                self._records, self._digests = now, digests if known else {}
            return self._digests


def integrity(digest: str) -> str:
    """Return a SHA-256 as browsers write it."""
    return f"sha256-{b64encode(bytes.fromhex(digest)).decode()}"
