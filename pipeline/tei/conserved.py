"""The law of TEI of any encoding as a source: every character of its text is in the document or in its ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from lxml import etree

from pipeline.errors import Place, TeiError
from pipeline.model import App, Correction, Document, Figure, Gap, Note, NoteGroup, Space, Span, Supplied
from pipeline.tei.apparatus import held
from pipeline.tei.tree import Element, bare, local


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
    """Count the characters of a file's text that are in neither a document nor its ledger.

    Most stand in both in one order. Runs that are found again are left out on both sides, which changes no
    difference; only the characters of the others are counted.
    """
    whole, rest, at = ink_of(root), list[str](), 0
    unfound: list[str] = []
    for words in said(document):
        found = whole.find(words, at, at + len(words) + _NEAR)
        if found < 0:
            unfound.append(words)
            continue
        rest.append(whole[at:found])
        at = found + len(words)
    rest.append(whole[at:])
    return Counter("".join(rest)) - Counter("".join(unfound))


_NEAR = 400
"""So many characters of the file at most are passed over to find a run again: readings, what is left out, notes that
stand elsewhere. With fewer more are counted one by one, which takes longer and gives the same."""


def ink_of(root: Element) -> str:
    """Give the characters of the texts of a file, and of the entries beside them, white space aside."""
    apart = [each for each in beside(root) if not any(local(up) == "text" for up in each.iterancestors())]
    return "".join("".join(map(_all, (*texts(root), *apart))).split())


def beside(root: Element) -> Iterator[Element]:
    """Give the entries of a file that stand in ``standOff``, each that is in no other one there."""
    for app in root.iter("{*}app"):
        around = map(bare, app.iterancestors())
        if next((name for name in around if name in ("app", "standOff")), "") == "standOff":
            yield app


def texts(root: Element) -> list[Element]:
    """Give the elements that hold the text of a file: each ``text``; where none has words, each ``sourceDoc``, a
    transcription of pages and lines that is all there is (TEI Guidelines, 11.2.2)."""
    found = [each for each in root.iter("{*}text") if not any(local(up) == "text" for up in each.iterancestors())]
    pages = [] if any(_all(each).strip() for each in found) else list(root.iter("{*}sourceDoc"))
    return [each for each in pages if _all(each).strip()] or found


def _all(node: Element) -> str:
    words: Any = _STRING(node)  # the stubs know all that XPath can give
    return str(words)


_STRING = etree.XPath("string()", smart_strings=False)


def said(document: Document) -> Iterator[str]:
    """Give the runs of a document without white space, of all its readings and notes, and of its ledger."""
    found: list[str] = []
    _words(document.divisions, found)
    found += [text for rule, text in document.dropped if rule != "tei-shown"]
    return filter(None, ("".join(words.split()) for words in found))


def all_words(items: Any) -> str:
    """Give all words of some content, of every reading and note in it."""
    found: list[str] = []
    _words(items, found)
    return "".join(found)


_OWN: dict[type, Callable[[Any], str]] = {
    Correction: lambda item: item.sic + item.corr, Supplied: attrgetter("text"), Space: attrgetter("text"),
    Figure: lambda item: item.source + item.description, Gap: attrgetter("rend"), Note: attrgetter("rend"),
    NoteGroup: attrgetter("rend"), Span: attrgetter("rend"),
}
"""Words of an item that stand in none that it holds."""


def _words(items: Any, found: list[str]) -> None:
    for item in items:
        if isinstance(item, str):
            found.append(item)
            continue
        if own := _OWN.get(type(item)):
            found.append(own(item))
        if isinstance(item, App):
            for reading in (item.lemma, *item.readings):
                _words(reading.content, found)
            _words(item.notes, found)
        elif inside := held(item):
            _words(inside, found)
