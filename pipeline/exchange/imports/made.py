"""What an importer gives."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.errors import Finding


@dataclass(frozen=True, slots=True)
class Imported:
    """A file of another format as TEI."""

    tei: bytes
    entries: int
    """How many notes became entries of an apparatus."""
    findings: tuple[Finding, ...]
    """Each note that was not understood, or whose words are not in the text."""
