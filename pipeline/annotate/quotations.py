"""Quotations inside notes, where the source itself prints quotation marks after a word of speech.

A source without punctuation says where a quotation begins but not where it ends: there nothing is marked.
"""

from __future__ import annotations

import re

from pipeline.annotate.index import rewrite_notes
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Span

_QUOTATION = re.compile("(?<=[云曰言谓注::])(?:“[^“”]+”|「[^「」]+」)")

"""Words in quotation marks after a word of speech, after 注, or after a colon."""


def quotations(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its quotations marked; lemmata, which are marked already, are none of them."""

    def rewrite(note: Note, text: str) -> Content:  # noqa: ARG001 (every note is treated alike)
        out: list[str | Span] = []
        done = 0
        for match in _QUOTATION.finditer(text):
            out += [text[done : match.start()]] if text[done : match.start()] else []
            out.append(Span(role="quote", content=(match[0],)))
            done = match.end()
        return (*out, text[done:]) if text[done:] else tuple(out)

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "punct", "lemma", "quote"})), ()
