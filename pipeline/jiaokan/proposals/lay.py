"""Quotations in TEI, and the table of quotations on disk from which the steps that show them take them.

In TEI a quotation is ``quote/@source`` (Guidelines 3.3.3; att.global.source), a pointer to the words for each unit or
note that has some of them, and ``@corresp`` where another place of the text says the same. It changes nothing that is
read, counted or compared.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from jiaokan.decisions.punctuation.weave import unit_content, with_content
from jiaokan.errors import Message
from jiaokan.model import Content, Document, Inline, Item, Note, Span
from jiaokan.model.pointers import Range, range_of
from jiaokan.model.text import counted
from jiaokan.model.walk import Rewriting
from jiaokan.proposals.quotations import Quotation
from jiaokan.tei.header.declarations import FROM_TEXTS, from_text
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import ID, Element, add_block, beginning, element
from jiaokan.tei.write import to_tei

HALF = 0.5
"""A quotation that is marked already is the one found if so much of it is: it then gets the pointer."""


def with_quotations(
    tei: bytes, quotations: Iterable[Quotation], *, name: str, homes: Mapping[str, str] = MappingProxyType({})
) -> bytes:
    """Return one of our TEI files with the quotations of its text, without its schemas, which are in the folder. Only
    the notes that quote are read and written, in a text of their own; all else keeps its bytes. Quotations of other
    texts are ignored. `homes` are the files of texts by id, e.g. ``editions/yili.xml``. Raises TeiError as
    `jiaokan.tei.parse.from_tei`."""
    prefix = (beginning(tei, name=name).get(ID) or "") + "."
    in_text = tuple(quotation for quotation in quotations if quotation.here.id.startswith(prefix))
    ids = {quotation.here.id.encode() for quotation in in_text}
    notes = [*_notes(tei, ids)]
    if not notes:
        return tei
    head, text = tei.partition(_TEXT)[0], b"".join(tei[start:end] for start, end in notes)
    own_notes = b"".join((head, *_AROUND[:1], text, *_AROUND[1:]))
    document = add_quotations(from_tei(own_notes, name=name, layer=True), in_text)
    header = beginning(own_notes, name=name).find("{*}teiHeader")
    assert header is not None, "our TEI has a header"
    if texts := sorted({quotation.document for quotation in in_text} - {""}):
        declare(header, {text: homes.get(text, f"editions/{text}.xml") for text in texts})
    rewritten = to_tei(document, header)
    parts, done = [rewritten.partition(_TEXT)[0]], len(head)
    for (start, end), (first, last) in zip(notes, _notes(rewritten, ids), strict=True):
        parts += [tei[done:start], rewritten[first:last]]
        done = end
    return b"".join([*parts, tei[done:]])


_TEXT = b"<text>"
_AROUND = b'<text><body><div type="pian" n="1"><p>', b"</p></div></body></text></TEI>"
_NOTE = re.compile(rb'<note\b(?:[^>]*?\bxml:id="([^"]*)")?[^>]*?(/?)>|</note>')


def _notes(tei: bytes, ids: Collection[bytes]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the notes with these ids, of nested ones the outer."""
    depth = start = 0
    for tag in _NOTE.finditer(tei):
        if not depth and tag[1] not in ids:
            continue
        if not depth:
            start = tag.start()
        depth += -1 if tag[0] == b"</note>" else not tag[2]
        if not depth:
            yield start, tag.end()


def declare(header: Element, homes: Mapping[str, str]) -> None:
    """Declare in a header the prefix of pointers into other texts."""
    listed = header.find(".//{*}listPrefixDef")
    if listed is None:
        encoding = header.find("{*}encodingDesc")
        assert encoding is not None, "our header has an encodingDesc"
        listed = element("listPrefixDef")
        add_block(encoding, listed)
    for text, home in homes.items():
        add_block(listed, from_text(text, home))


def add_quotations(document: Document, quotations: Iterable[Quotation]) -> Document:
    """Return a text in which the quotations found in its comments are spans."""
    by_note: dict[str, list[Quotation]] = {}
    for quotation in quotations:
        by_note.setdefault(quotation.here.id, []).append(quotation)
    adder = _QuotationAdder(by_note)
    return adder.document(document) if by_note else document


class _QuotationAdder(Rewriting):
    """One pass that adds quotations to comments."""

    def __init__(self, quotations: Mapping[str, Sequence[Quotation]]) -> None:
        self.quotations = quotations

    def item(self, item: Item) -> Item:
        """Return one thing with the quotations in it."""
        note = super().item(item)
        if not isinstance(note, Note) or note.id not in self.quotations:
            return note
        content = note.content
        for quotation in self.quotations[note.id]:
            start, target = quotation.here.offset, ""
            ref = " ".join(
                f"{FROM_TEXTS}:{pointer.id}" if quotation.document else str(pointer) for pointer in quotation.source)
            if quotation.also and not quotation.document:
                target = str(quotation.also[0])
            span = Span(role="quote", content=(), ref=ref, target=target)
            content = _within(content, start, start + quotation.here.length, span)
        return replace(note, content=content)


def _within(content: Content, start: int, end: int, span: Span) -> Content:
    """Return content with a span around the characters from `start` to before `end`. What the range cuts is included
    as a whole: readings of an entry and names are not split."""
    places, at = [], 0
    for item in content:
        size = len(item) if isinstance(item, str) else len(counted(item))
        places.append((at, at + size))
        at += size
    for number, (first, last) in enumerate(places):
        item = content[number]
        if not isinstance(item, str) and first <= start and end <= last and (inner := unit_content(item)) is not None:
            if isinstance(item, Span) and item.role == "quote" and not item.ref and end - start > HALF * (last - first):
                piece: Inline = replace(item, ref=span.ref, target=item.target or span.target)
            else:
                inner = _within(inner, start - first, end - first, span)
                piece = with_content(item, inner)
            return (*content[:number], piece, *content[number + 1 :])
    before: list[Inline] = []
    inside: list[Inline] = []
    after: list[Inline] = []
    for item, (first, last) in zip(content, places, strict=True):
        if last <= start and not (first == last == start and inside):
            before.append(item)
        elif first >= end:
            after.append(item)
        elif isinstance(item, str):
            before += [item[: start - first]] if first < start else []
            inside.append(item[max(0, start - first) : end - first])
            after += [item[end - first :]] if end < last else []
        else:
            inside.append(item)
    return (*before, replace(span, content=tuple(inside)), *after) if inside else content


COLUMNS = ("text", "comment", "source", "in", "also", "speaker", "words", Message("source-words"))
"""The text whose comment quotes; the words in the comment and in the source, as pointers; the other text that has the
source; other places there; the person who comments; the quoted words; those of the source if they differ."""


def quotation_table(by_text: Mapping[str, Iterable[Quotation]]) -> bytes:
    """Return the table: tab-separated, a row for each quotation, in reading order."""
    rows = ["\t".join(COLUMNS)]
    for text, quotations in by_text.items():
        for quotation in quotations:
            rows.append("\t".join((
                text, str(quotation.here), " ".join(map(str, quotation.source)), quotation.document,
                " ".join(map(str, quotation.also)), quotation.speaker, quotation.words, quotation.source_words)))
    return "".join(f"{row}\n" for row in rows).encode()


def parts(table: bytes) -> dict[str, bytes]:
    """Return the rows of a table by the texts that quote or are quoted, each as a table. The pages of a text depend
    on these rows alone."""
    head, *rows = table.decode().splitlines(keepends=True)
    by_text: dict[str, list[str]] = {}
    for row in rows:
        text, _, _, document, _ = row.split("\t", 4)
        for name in {text, document or text}:
            by_text.setdefault(name, [head]).append(row)
    return {name: "".join(lines).encode() for name, lines in by_text.items()}


def read(path: Path) -> tuple[Quotation, ...]:
    """Return the quotations of a table, in its order; none where there is no file."""
    quotations: list[Quotation] = []
    for row in path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else ():
        _, here, source, document, also, *rest = row.split("\t")
        (place,) = _ranges(here)
        quotations.append(Quotation(place, _ranges(source), document, _ranges(also), *rest))
    return tuple(quotations)


def _ranges(words: str) -> tuple[Range, ...]:
    return tuple(place for word in words.split() if (place := range_of(word)))
