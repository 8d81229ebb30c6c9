"""What is inside notes and between them: ids, targets, remarks, glosses, citations. One step a file, in this order."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.annotate.phonetics import phonetics
from pipeline.annotate.remarks import remarks
from pipeline.annotate.targets import targets
from pipeline.errors import Finding
from pipeline.model import Document

Step = Callable[[Document], tuple[Document, tuple[Finding, ...]]]

STEPS: tuple[Step, ...] = (targets, remarks, phonetics)


def annotate(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with every step applied, and what the steps noticed."""
    findings: tuple[Finding, ...] = ()
    for step in STEPS:
        document, more = step(document)
        findings += more
    return document, findings
