"""Checks before anything is written that no text is lost: a witness's TEI gives its source back, an edition its
witnesses, and every character of a TEI source is in the document or its ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from operator import attrgetter
from typing import Any

from lxml import etree
from msgspec import Struct

from jiaokan.errors import JiaokanError, Message, Place, SourceError, TeiError
from jiaokan.model import App, Correction, Document, Figure, Gap, Note, NoteGroup, Space, Span, Supplied
from jiaokan.model.text import common_prefix
from jiaokan.tei.apparatus import inner_items
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import Element, after, local
from jiaokan.tei.views import carriers, source_text, texts

_AROUND = 20


def check_source(document: Document, lines: Sequence[str], file: str) -> None:
    """Raise SourceError if a document does not print the lines of its source, less what named rules dropped. White
    space is not compared here: the readers take that between blocks for formatting."""
    dropped = Counter(bare for _, words in document.dropped for line in words.split("\n") if (bare := _bare(line)))
    text, at = _bare(source_text(document)), 0
    for number, line in enumerate(lines, 1):
        bare = _bare(line)
        if text.startswith(bare, at):
            at += len(bare)
        elif size := next((n for n in range(len(bare), 0, -1)
                           if dropped[bare[:n]] and text.startswith(bare[n:], at)), 0):
            dropped[bare[:size]] -= 1
            at += len(bare) - size
        else:
            raise _difference(SourceError, "", bare, text[at : at + len(bare) + _AROUND], Place(file, number))
    if at < len(text):
        raise _difference(SourceError, "", "", text[at:], Place(file, len(lines)))


def check_text(before: str, document: Document, step: str) -> None:
    """Raise TeiError if a document no longer prints what it did: `before`, by `source_text`, until `step`."""
    _check_same(before, source_text(document), document.id, step)


def check_tei(document: Document, tei: bytes) -> None:
    """Raise TeiError if the TEI of a witness, read back, does not print what its document prints."""
    for pair in zip_longest(document.divisions, from_tei(tei, name=document.id).divisions):
        before, after = (
            "" if division is None else source_text(Document(id=document.id, divisions=(division,)))
            for division in pair)
        _check_same(before, after, document.id, Message("the-tei"))


@dataclass(frozen=True, slots=True)
class Difference:
    """A unit or note of a witness that has another text in the edition."""

    id: str
    unit: str  # the id without the witness's name (``6.4.2``), as in the edition's milestones
    expected: str
    actual: str


def differences(edition: Document, witness: Document, name: str, chapters: Collection[str]) -> Iterator[Difference]:
    """Yield the units and notes of a witness that differ in an edition, of the chapters (by number) in which it is
    collated; not prose, which is not collated."""
    back = texts(edition, name) if name in carriers(edition) else {}
    for identifier, words in texts(witness, lost=False).items():
        unit = identifier.removeprefix(f"{name}.")
        if unit.split(".")[0] in chapters and not unit.endswith(".p") and back.get(unit, "") != words:
            yield Difference(identifier, unit, words, back.get(unit, ""))


def check_witness(edition: Document, witness: Document, name: str, chapters: Collection[str]) -> None:
    """Raise TeiError, with the first place, if an edition does not give the text of a witness back."""
    for difference in differences(edition, witness, name, chapters):
        raise _difference(TeiError, Message("collation-in", id=difference.id), difference.expected, difference.actual,
                          Place(edition.id), Message("the-witness"), Message("the-edition"))


def _check_same(before: str, after: str, name: str, step: str) -> None:
    if before != after:
        block = before.count("\n", 0, common_prefix(before, after)) + 1
        raise _difference(TeiError, Message("in-block", step=step, block=block), before, after, Place(name))


def _difference(
    kind: type[JiaokanError], start: str, source: str, ours: str, place: Place,
    source_name: str = "the source", our_name: str = "the TEI",
) -> JiaokanError:
    same = common_prefix(source, ours)
    there, here = (text[same : same + _AROUND].split("\n")[0] for text in (source, ours))
    return kind(
        Message("text-not-given-back", start=start, name=source_name, there=there, other=our_name, here=here),
        place=place, mend=Message("nothing-written-please-report-words"),
    )


def _bare(text: str) -> str:
    return "".join(text.split())


def check_conserved(root: Element, document: Document, file: str) -> None:
    """Raise TeiError if a character of the text is in neither the document nor its ledger. Order is not compared: a
    note may be placed where it belongs instead of where it was written."""
    if lost := lost_characters(root, document):
        some = "".join(sorted(lost))[:20]
        raise TeiError(Message("characters-text-lost", count=sum(lost.values()), some=some), place=Place(file),
                       mend=Message("nothing-written-please-report-file"))


def lost_characters(root: Element, document: Document) -> Counter[str]:
    """Count the characters of a file's text that are in neither a document nor its ledger."""
    return Counter(ink_of(root)) - Counter("".join(runs(document)))


def ink_of(root: Element) -> str:
    """Return the characters of a file outside its header, without white space."""
    apart = [entry for entry in standoff_entries(root) if not any(local(up) == "text" for up in entry.iterancestors())]
    beside = (words for _, words in outside_text(root))
    return "".join("".join(chain(map(_all, (*text_elements(root), *apart)), beside)).split())


def outside_text(root: Element) -> Iterator[tuple[str, str]]:
    """Yield the words of a file that are in no header, text or entry, each with the path of its element, such as
    ``standOff/listEvent``: lists, remarks and transcriptions beside the text."""
    if local(root) != "text":
        if loose := "".join((root.text or "", *map(after, root))).strip():
            yield local(root), loose
        yield from _outside(root, "", {*text_elements(root), *standoff_entries(root)})


def _outside(node: Element, path: str, read: Collection[Element]) -> Iterator[tuple[str, str]]:
    for child in node.iterchildren("{*}*"):
        here = f"{path}/{local(child)}".lstrip("/")
        if child in read or local(child) == "teiHeader":
            continue
        inside = child.iter("{*}text", "{*}app", "{*}sourceDoc")
        if local(child) in _CONTAINERS or any(inner in read for inner in inside):
            if own_words := "".join((child.text or "", *map(after, child))).strip():
                yield here, own_words
            yield from _outside(child, "" if local(child) == "TEI" else here, read)
        elif (words := _all(child)).strip():
            yield here, words


_CONTAINERS = frozenset({"TEI", "teiCorpus", "standOff"})
"""Elements whose children are listed one by one."""


def standoff_entries(root: Element) -> Iterator[Element]:
    """Yield the outermost entries in ``standOff``."""
    for part in root.iter("{*}standOff"):
        yield from (app for app in part.iter("{*}app") if next(app.iterancestors("{*}app", "{*}standOff")) is part)


def text_elements(root: Element) -> list[Element]:
    """Return the elements with the text of a file: each ``text``; if none has words, each ``sourceDoc``, a
    transcription by pages and lines (TEI Guidelines, 11.2.2)."""
    texts = [node for node in root.iter("{*}text") if not any(local(up) == "text" for up in node.iterancestors())]
    pages = [] if any(_all(node).strip() for node in texts) else list(root.iter("{*}sourceDoc"))
    return [page for page in pages if _all(page).strip()] or texts


def _all(node: Element) -> str:
    return str(_STRING(node))


_STRING = etree.XPath("string()", smart_strings=False)


def runs(document: Document) -> Iterator[str]:
    """Yield the runs of text of a document, its readings, notes and ledger, without white space."""
    dropped = (text for rule, text in document.dropped if rule != "tei-shown")
    return filter(None, map(_bare, chain(_words(document.divisions), dropped)))


def all_words(items: Iterable[str | Struct]) -> str:
    """Return all text of some content, of every reading and note in it."""
    return "".join(_words(items))


_OWN: dict[type, Callable[[Any], str]] = {
    Correction: lambda item: item.sic + item.corr, Supplied: attrgetter("text"), Space: attrgetter("text"),
    Figure: lambda item: item.source + item.description, Gap: attrgetter("rend"), Note: attrgetter("rend"),
    NoteGroup: attrgetter("rend"), Span: attrgetter("rend"),
}
"""Text of an item that is not in its content."""


def _words(items: Iterable[str | Struct]) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
            continue
        if own_words := _OWN.get(type(item)):
            yield own_words(item)
        if isinstance(item, App):
            for reading in (item.lemma, *item.readings):
                yield from _words(reading.content)
            yield from _words(item.notes)
        elif inside := inner_items(item):
            yield from _words(inside)
