"""Quotations inside notes, where the source itself prints quotation marks after a word of speech.

A source without punctuation says where a quotation begins but not where it ends: there nothing is marked.
"""

from __future__ import annotations

import re

from pipeline.annotate.index import rewrite_notes
from pipeline.annotate.placing import FoundSpan, placed
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Span

_QUOTATION = re.compile("(?<=[云曰言谓注::])(?:“[^“”]+”|「[^「」]+」)")

"""Words in quotation marks after a word of speech, after 注, or after a colon."""


def quotations(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its quotations marked; lemmata, which are marked already, are none of them."""

    def rewrite(note: Note, text: str) -> Content:  # noqa: ARG001 (every note is treated alike)
        quote = Span(role="quote", content=())
        return placed(text, [FoundSpan(*match.span(), quote) for match in _QUOTATION.finditer(text)])

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "call", "punct", "lemma", "quote"})), ()
