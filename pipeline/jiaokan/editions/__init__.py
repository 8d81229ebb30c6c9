"""Work on an edition as a whole: make it, review it, explain an entry of it."""

from __future__ import annotations

from dataclasses import dataclass

from jiaokan.errors import Finding
from jiaokan.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A text, the TEI file that holds it, and what was noticed while it was made."""

    document: Document
    """The text, without the editor's marks and names, which the file has."""
    tei: bytes
    findings: tuple[Finding, ...] = ()
