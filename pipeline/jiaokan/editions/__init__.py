"""Work on an edition as a whole: make it, review it, explain an entry of it.

In come witnesses, a plan and decisions; out go the TEI of editions, proposals and reports on them. Read first `edition`
(the only maker of their TEI), `witness` (sources to TEI) and `review` (what is undecided).
"""

from __future__ import annotations

from dataclasses import dataclass

from jiaokan.errors import Finding
from jiaokan.model import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class TextResult:
    """A text, the TEI file that holds it, and what was noticed while it was made."""

    document: Document
    """The text, without the editor's marks and names, which the file has."""
    tei: bytes
    findings: tuple[Finding, ...] = ()
