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
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    known: list[Importer] = [module for module in modules if hasattr(module, "convert")]
    suffix = "." + name.lower().rpartition(".")[2]
    for importer_module in known:
        if suffix in importer_module.SUFFIXES:
            return importer_module
    suffixes = ", ".join(sorted(suffix for importer_module in known for suffix in importer_module.SUFFIXES))
    raise SourceError(Message("nothing-reads-file-kind"), place=Place(name),
                      mend=Message("known-text-needs-reader-tei", suffixes=suffixes))
