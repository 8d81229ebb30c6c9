"""Sources of this repository, and their edition, as read and collated: once a run, for all files and workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

from jiaokan import readers
from jiaokan.collate import collate
from jiaokan.errors import Finding
from jiaokan.model import Document
from jiaokan.settings import catalog
from tests.shared import HOME, once_in

SETTINGS = catalog.load(Path(__file__).parents[1])


_T = TypeVar("_T")


def _shared(name: str, make: Callable[[], _T]) -> _T:
    """Return what the first worker makes; without pytest, make it."""
    if not HOME:
        return make()
    folder = once_in(HOME[0], name, lambda folder: (folder / "value").write_bytes(pickle.dumps(make())))
    value: _T = pickle.loads((folder / "value").read_bytes())
    return value


@cache
def read(name: str) -> tuple[Document, tuple[Finding, ...]]:
    """A source, and what was found in it."""
    return _shared(f"read-{name}", lambda: readers.read(SETTINGS.sources[name], SETTINGS))


@cache
def witnesses() -> dict[str, Document]:
    """Those of the 仪礼."""
    return {name: read(name)[0] for name in SETTINGS.editions["yili"].all_witnesses()}


@cache
def collated() -> Document:
    """The 仪礼."""
    return _shared("collated", lambda: collate(SETTINGS.editions["yili"], witnesses(), SETTINGS)[0])
