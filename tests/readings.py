"""Sources of this repository, and their edition, as read and collated: once a process, for all files of tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jiaokan import readers
from jiaokan.collate import collate
from jiaokan.errors import Finding
from jiaokan.model import Document
from jiaokan.settings import catalog

SETTINGS = catalog.load(Path(__file__).parents[1])


@cache
def read(name: str) -> tuple[Document, tuple[Finding, ...]]:
    """A source, and what was found in it."""
    return readers.read(SETTINGS.sources[name], SETTINGS)


@cache
def witnesses() -> dict[str, Document]:
    """Those of the 仪礼."""
    return {name: read(name)[0] for name in SETTINGS.editions["yili"].all_witnesses()}


@cache
def collated() -> Document:
    """The 仪礼."""
    return collate(SETTINGS.editions["yili"], witnesses(), SETTINGS)[0]
