"""A text with the editor's punctuation as plain text: in a style, or as the editor types it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pipeline.model import App, Document, EditorsMark, Note, NoteGroup, Span, Unit
from pipeline.model.layer import set_aside
from pipeline.model.marks import MARKS, normalised
from pipeline.model.styles import PunctuationStyle, styled
from pipeline.model.text import edited
from pipeline.model.walk import items
from pipeline.tei.views import passage

_EDITORS = re.compile(rb'(<pc resp="[^"<>]*"(?: [a-z]+="[^"<>]*")*)>([^<>&"]+)</pc>')
_RUN = re.compile(f"[{''.join(sorted(MARKS))}]+")


def aside(tei: bytes) -> bytes:
    """Give a TEI file of ours with each mark of the editor's in an attribute, ``pc/@n``, as the stylesheets read it.

    They would do so themselves (``xslt/prepare/02-layer.xsl``), by a copy of the whole tree.
    """
    return _EDITORS.sub(rb'\1 n="\2"/>', tei)


def punctuated_text(document: Document, style: PunctuationStyle, *, reference: str = "") -> str:
    """Give the edited base text of a document with its layer, or of the passage at `reference`, one unit on a line.

    Where the editor set marks these are shown and those of the source are not; elsewhere the source's, as
    `pipeline.model.marks.normalised` gives them. Plain text has no lines: titles keep 《》 there, names have nothing.
    The id of a note gives that note. Raises TeiError for a passage that there is not.
    """
    wanted = passage(document, reference)
    found = items(document.divisions, readings=False)
    return "\n".join(words(item, style) for item in found
                     if isinstance(item, Unit | Note) and item.id and wanted(item.id, isinstance(item, Note)))


def words(item: Unit | Note, style: PunctuationStyle) -> str:
    """Give the words of a unit or note in a style."""
    pieces = [*_pieces(item.content)]
    if any(isinstance(piece, EditorsMark | Span) for piece in pieces):
        return "".join(_shown(pieces, style))
    return _RUN.sub(lambda run: styled(run[0], style), normalised(edited(item.content)))


def _pieces(content: Iterable[Any]) -> Iterator[str | EditorsMark | Span]:
    """Words, the editor's marks and marks of the source in their order."""
    for item in content:
        if isinstance(item, str | EditorsMark) or set_aside(item):
            yield item
        elif isinstance(item, Note | NoteGroup) or (isinstance(item, Span) and item.rend):
            continue
        elif isinstance(item, App):
            yield from _pieces(item.lemma.content)
        elif (held := getattr(item, "content", None)) is not None:
            yield from _pieces(held)
        else:
            yield edited(item)


def _shown(pieces: Iterable[str | EditorsMark | Span], style: PunctuationStyle) -> Iterator[str]:
    """What is printed; marks that stand in one place are styled together."""
    slot = ""
    for piece in pieces:
        if isinstance(piece, EditorsMark):
            slot += piece.sign
            continue
        if not isinstance(piece, str):
            continue
        if piece:
            yield styled(slot, style)
            slot = ""
            yield piece
    yield styled(slot, style)
