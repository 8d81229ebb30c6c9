"""Imports of other formats as TEI, which every command reads: one module a format, found by scanning.

An importer has ``SUFFIXES`` and ``convert(data, name) -> Imported``. It keeps all words; notes that it does not
understand stay notes and are reported.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Protocol

from jiaokan.errors import Finding, Message, Place, SourceError


@dataclass(frozen=True, slots=True)
class Imported:
    """A file of another format as TEI."""

    tei: bytes
    entries: int  # number of notes that became entries of an apparatus
    findings: tuple[Finding, ...]  # one for each note that was not understood, and for what is left out or doubtful


class Importer(Protocol):
    """A module of this folder that imports a format."""

    SUFFIXES: tuple[str, ...]

    def convert(self, data: bytes, name: str) -> Imported:
        """Return a file as TEI. Raises SourceError if it is not of the format."""


def importer(name: str) -> Importer:
    """Return the importer for a file name. Raises SourceError that lists the known suffixes."""
    modules = [importlib.import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    known: list[Importer] = [each for each in modules if hasattr(each, "convert")]
    suffix = "." + name.lower().rpartition(".")[2]
    for each in known:
        if suffix in each.SUFFIXES:
            return each
    suffixes = ", ".join(sorted(suffix for each in known for suffix in each.SUFFIXES))
    raise SourceError(Message("nothing-reads-file-kind"), place=Place(name),
                      mend=Message("known-text-needs-reader-tei", suffixes=suffixes))
