"""What several test files look at, made once in a run: the first worker that needs it makes it, the others wait.

A folder made here is read only; a test that changes one copies it first.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from jiaokan.build.cache import Cache
from jiaokan.system.atomic import RECORDS


def once(name: str, factory: pytest.TempPathFactory, make: Callable[[Path], object]) -> Path:
    """Return the folder of that name, made by the first worker that asks.

    Workers of one run share the parent of their temporary folders
    (pytest-xdist, "Making session-scoped fixtures execute only once").
    """
    base = factory.getbasetemp()
    home = base.parent if base.name.startswith("popen-") else base
    folder, done = home / name, home / f"{name}.done"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def trust(out: Path) -> None:
    """Enter the records of a build by another worker in this worker's cache, as if it had built the folder."""
    Cache(out).trust((out / RECORDS).read_bytes())
