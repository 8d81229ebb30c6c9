"""What is inside notes and between them: ids, targets, lemmata, quotations, remarks, glosses, citations.

In comes the document of one witness, as its reader made it; out goes the same text with ids, targets of notes and
marked spans, and findings. Read first `identifiers` (ids and targets), `index` (how a step finds and marks words) and
`remarks.parse` (what a remark on the text reports).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from jiaokan.annotate.citations import mark_citations, mark_quotations
from jiaokan.annotate.glosses import mark_lemmata, mark_phonetics
from jiaokan.annotate.index import Index
from jiaokan.annotate.remarks.mark import mark_remarks
from jiaokan.annotate.targets import extend_targets, resolve_scopes
from jiaokan.errors import Finding
from jiaokan.model import Document
from jiaokan.settings.catalog import Person
from jiaokan.settings.lists import NONE, Lists


def annotate(
    document: Document, persons: Mapping[str, Person] | None = None, lists: Lists = NONE,
    annotators: Mapping[str, str] | None = None, aimed: Callable[[Document], Document] = lambda document: document,
) -> tuple[Document, tuple[Finding, ...]]:
    """Return a numbered document with targets set and spans marked in its notes, and the findings. `persons` are
    those it may name; `lists` are those of its edition folder; `annotators` maps kinds of note to the persons whom
    later commentators mean by 注曰 and 疏曰; `aimed` corrects the targets. Later steps change no id, target or word,
    so one index serves them all."""
    known = persons or {}
    document, findings = resolve_scopes(document)
    document = aimed(extend_targets(document))
    index = Index.of(document)
    document = mark_quotations(mark_lemmata(document, index))
    document = mark_remarks(document, known, lists, annotators, index)
    document = mark_phonetics(document, index)
    return mark_citations(document, known, lists, index), findings
