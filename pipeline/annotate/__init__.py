"""What is inside notes and between them: ids, targets, remarks, glosses, citations. One step a file, in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from pipeline.annotate.citations import citations, quotations
from pipeline.annotate.index import Index
from pipeline.annotate.lemmata import lemmata
from pipeline.annotate.phonetics import phonetics
from pipeline.annotate.remarks.mark import remarks
from pipeline.annotate.targets import reach, targets
from pipeline.errors import Finding
from pipeline.model import Document
from pipeline.settings.catalog import Person
from pipeline.settings.lists import NONE, Lists

Step = Callable[[Document], tuple[Document, tuple[Finding, ...]]]
"""A step of annotation: gives the document with more marked in it, and what it noticed."""

AIMING: tuple[Step, ...] = (targets, reach)
"""The steps that say what notes are about, in their order. Those after them mark words inside notes: they change no id,
no target and no word, so that one index of the text serves them all."""


def annotate(
    document: Document, persons: Mapping[str, Person] | None = None, lists: Lists = NONE,
    annotators: Mapping[str, str] | None = None, aimed: Callable[[Document], Document] = lambda document: document,
) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document, which is numbered, with every step applied, and what the steps noticed.

    `persons` are those it may name, `lists` those of its edition folder, `annotators` the persons whom later
    commentators mean by 注曰 and 疏曰, by kind of note (`pipeline.settings.catalog.Work`); `aimed` has the last word on
    what notes are about.
    """
    findings: tuple[Finding, ...] = ()
    known = persons or {}
    for step in AIMING:
        document, more = step(document)
        findings += more
    document = aimed(document)
    index = Index.of(document)
    marking: tuple[Step, ...] = (
        partial(lemmata, index=index), quotations,
        partial(remarks, persons=known, lists=lists, annotators=annotators, index=index),
        partial(phonetics, index=index), partial(citations, persons=known, lists=lists, index=index),
    )
    for step in marking:
        document, more = step(document)
        findings += more
    return document, findings
