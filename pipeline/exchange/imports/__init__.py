"""Formats that are no TEI as TEI of anybody's kind, which every command takes: one file a format, found by scanning.

An importer is a module of this folder with ``SUFFIXES`` and ``imported(data, name) -> Imported``. It keeps all words;
what it does not understand stays a note and is listed.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Protocol

from pipeline.errors import Finding, Place, SourceError


@dataclass(frozen=True, slots=True)
class Imported:
    """A file of another format as TEI."""

    tei: bytes
    entries: int
    """How many notes became entries of an apparatus."""
    findings: tuple[Finding, ...]
    """One for each note that was not understood, or whose words are not in the text."""


class Importer(Protocol):
    """What a module of this folder has to be an importer."""

    SUFFIXES: tuple[str, ...]

    def imported(self, data: bytes, name: str) -> Imported:
        """Give a file as TEI; raises SourceError for what is not of the format."""


def importer(name: str) -> Importer:
    """Give what reads a file of this name; raises SourceError that says what can be read."""
    modules = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    known: list[Importer] = [each for each in modules if hasattr(each, "imported")]
    suffix = "." + name.lower().rpartition(".")[2]
    for each in known:
        if suffix in each.SUFFIXES:
            return each
    said = ", ".join(sorted(suffix for each in known for suffix in each.SUFFIXES))
    raise SourceError("nothing reads a file of this kind", place=Place(name), mend=f"known: {said}")
