"""The law of TEI of any encoding as a source: every character of its text is in the document or in its ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pipeline.errors import Place, TeiError
from pipeline.model import App, Correction, Document, Figure, Gap, Glyph, Note, NoteGroup, Space, Span, Supplied
from pipeline.tei.apparatus import held
from pipeline.tei.tree import Element, local


def hold(root: Element, document: Document, file: str) -> None:
    """Raise TeiError if a character of the text is in neither the document nor its ledger.

    Order is not compared: a note may stand where it belongs instead of where it was written.
    """
    gone = lost(root, document)
    if gone:
        some = "".join(sorted(gone))[:20]
        raise TeiError(f"{sum(gone.values())} characters of the text would be lost: {some!r}", place=Place(file),
                       mend="nothing was written; please report it with this file: it is a fault of jiaokan")


def lost(root: Element, document: Document) -> Counter[str]:
    """Count the characters of a file's text that are in neither a document nor its ledger."""
    return ink_of(root) - said(document)


def ink_of(root: Element) -> Counter[str]:
    """Count the characters of the texts of a file, and of the entries beside them, white space aside."""
    apart = [each for each in root.iter("{*}standOff") if not any(
        local(up) in ("text", "standOff") for up in each.iterancestors())]
    words = [*map(_all, texts(root)), *(_all(app) for part in apart for app in part.iter("{*}app"))]
    return Counter("".join("".join(words).split()))


def texts(root: Element) -> list[Element]:
    """Give the elements that hold the text of a file: each ``text``; where none has words, each ``sourceDoc``, a
    transcription of pages and lines that is all there is (TEI Guidelines, 11.2.2)."""
    found = [each for each in root.iter("{*}text") if not any(local(up) == "text" for up in each.iterancestors())]
    pages = [] if any(_all(each).strip() for each in found) else list(root.iter("{*}sourceDoc"))
    return [each for each in pages if _all(each).strip()] or found


def _all(node: Element) -> str:
    return "".join(map(str, node.itertext()))


def said(document: Document) -> Counter[str]:
    """Count the characters of a document, in all its readings and notes, and of its ledger."""
    words = [*_words(document.divisions), *(text for rule, text in document.dropped if rule != "tei-shown")]
    return Counter("".join("".join(words).split()))


def all_words(items: Any) -> str:
    """Give all words of some content, of every reading and note in it."""
    return "".join(_words(items))


def _words(items: Any) -> Iterator[str]:
    for item in items:
        match item:
            case str():
                yield item
            case Correction():
                yield item.sic + item.corr
            case Supplied() | Space():
                yield item.text
            case Figure():
                yield item.source + item.description
            case Gap():
                yield item.rend
            case Glyph():
                pass
            case App():
                for reading in (item.lemma, *item.readings):
                    yield from _words(reading.content)
                yield from _words(item.notes)
            case _:
                if isinstance(item, (Note, NoteGroup, Span)):
                    yield item.rend
                yield from _words(held(item) or ())
