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

HOME: list[Path] = []
"""The folder that the workers of this run share, once it has begun."""


def home_of(factory: pytest.TempPathFactory) -> Path:
    """Return the parent of the temporary folders of all workers of a run (pytest-xdist, "Making session-scoped fixtures
    execute only once")."""
    base = factory.getbasetemp()
    return base.parent if base.name.startswith("popen-") else base


def once(name: str, factory: pytest.TempPathFactory, make: Callable[[Path], object]) -> Path:
    """Return the folder of that name, made by the first worker that asks."""
    return once_in(home_of(factory), name, make)


def once_in(home: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder of that name in `home`, made by the first process that asks."""
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
