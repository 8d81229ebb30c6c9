"""Files dropped on the first page: in a folder of this desk, which the next desk removes if this one is killed."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from filelock import FileLock, Timeout

from jiaokan.system.store import cache_folder

_LOCK = ".lock"


class Uploads:
    """The files of one desk. It holds a lock, which the system releases when the process ends, however it ends."""

    def __init__(self) -> None:
        home = cache_folder("uploads")
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = secrets.token_hex(8)
        self.folder, self._lock = home / name, FileLock(home / f"{name}{_LOCK}", blocking=False)
        with FileLock(home / _LOCK):  # one desk at a time: a lock not yet taken looks like that of a killed desk
            for path in sorted(home.glob(f"[!.]*{_LOCK}")):
                _remove_abandoned(path)
            self._lock.acquire()
        self.clear()

    def clear(self) -> None:
        """Remove the files."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700, exist_ok=True)

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.release()
        Path(self._lock.lock_file).unlink(missing_ok=True)


def _remove_abandoned(path: Path) -> None:
    """Remove the files of a desk that no longer runs; `path` is its lock."""
    lock = FileLock(path, blocking=False)
    try:
        lock.acquire()
    except Timeout:
        return
    shutil.rmtree(path.with_suffix(""), ignore_errors=True)
    lock.release()
    path.unlink(missing_ok=True)
