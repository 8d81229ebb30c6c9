"""Texts from anywhere as witnesses: plain text, TEI of our encoding, and the running text of other TEI."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from pipeline.annotate.identifiers import number, renumber
from pipeline.decisions.characters import Decisions
from pipeline.errors import Finding, Place, TeiError
from pipeline.model import (
    Break,
    Content,
    Correction,
    Division,
    Document,
    Head,
    Inline,
    Juan,
    Line,
    Note,
    NoteGroup,
    Paragraph,
    Space,
    Span,
    Trailer,
    Unit,
)
from pipeline.model.text import shown
from pipeline.model.walk import walk
from pipeline.model.words import beside_letters
from pipeline.readers.common.source import decode_lines
from pipeline.readers.tei.text import in_units, other_text
from pipeline.tei.parse import from_tei
from pipeline.tei.tree import Element, local, parse, place

_WHITE = re.compile(r"(\s+)")
_WIDE = re.compile(r"[⺀-鿿豈-﫿！-｠\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class LooseWitness:
    """One text to collate."""

    name: str
    """Its id in the collation."""
    siglum: str
    file: str
    document: Document | None
    """The text, if it is TEI of our encoding."""
    units: tuple[Content, ...] = ()
    """Its paragraphs, if it is not."""
    findings: tuple[Finding, ...] = ()


def read(data: bytes, *, file: str, name: str, siglum: str) -> LooseWitness:
    """Read a witness from the bytes of a file; what begins with ``<`` is XML, anything else plain text.

    Raises SourceError for text that is not UTF-8 or empty, TeiError for what is not well-formed, or no TEI.
    """
    if not is_xml(data):
        return LooseWitness(name, siglum, file, None, tuple(plain(data, file)))
    root = parse(data, name=file)
    if local(root) != "TEI":
        raise TeiError(f"the root is <{local(root)}>", place=place(root, file), mend="give TEI or plain text")
    try:
        document = from_tei(data, name=file)
    except TeiError as error:
        return _other(root, LooseWitness(name, siglum, file, None), error)
    if any(document.chapters()):
        return LooseWitness(document.id or name, siglum, file, document)
    return _other(root, LooseWitness(name, siglum, file, None), TeiError("no chapter (div type=\"pian\") in it"))


def is_xml(data: bytes) -> bool:
    """Tell whether a file begins with ``<``, in UTF-8 or, with a byte order mark, in UTF-16."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data[2:4].strip(b"\0") == b"<"
    return data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def plain(data: bytes, file: str) -> Iterator[Content]:
    """Give the paragraphs of plain text: parted by blank lines if there are any, else each line.

    Lines of one paragraph are joined: a line break is no character of the text. White space in a line is kept.
    """
    rows = decode_lines(data, file)
    while rows and not rows[-1].strip():
        rows = rows[:-1]
    while rows and not rows[0].strip():
        rows = rows[1:]
    parted = any(not row.strip() for row in rows)
    paragraph: list[str] = []
    for row in (*rows, ""):
        if row.strip():
            paragraph.append(row)
        if paragraph and not (parted and row.strip()):
            yield _spaced(_joined(paragraph))
            paragraph = []


def _joined(rows: Iterable[str]) -> str:
    """Join lines; with a blank where no Chinese character stands at either side."""
    text = ""
    for row in rows:
        narrow = text and not _WIDE.match(text[-1]) and not _WIDE.match(row)
        text += f"{' ' if narrow and not text[-1].isspace() and not row[0].isspace() else ''}{row}"
    return text


def _spaced(text: str) -> Content:
    """Give words and the white space between them."""
    return tuple(Space(text=part) if part.isspace() else part for part in _WHITE.split(text) if part)


def _with_blanks(content: Content) -> Content:
    """Give content in which a blank between words of an alphabet is part of their string."""
    out: list[Inline] = []
    for at, item in enumerate(content):
        before, after = out[-1] if out else "", content[at + 1] if at + 1 < len(content) else ""
        if isinstance(item, Space) and item.text == " " and isinstance(before, str) and isinstance(after, str):
            item = " " if beside_letters(before[-1:], after[:1]) else item
        if isinstance(item, str) and out and isinstance(out[-1], str):
            out[-1] += item
        else:
            out.append(item)
    return tuple(out)


def _other(root: Element, witness: LooseWitness, reason: TeiError) -> LooseWitness:
    """The running text of TEI that is not of our encoding, of entries the lemma; says what was left out."""
    text = other_text(root, witness.file, witness.name)
    blocks = (block for each in in_units(text.document.divisions) for block in _blocks(each))
    units = tuple(unit for block in blocks for unit in _runs(block) if shown(unit).strip())
    notes = sum(1 for item in walk(text.document) if isinstance(item, Note))
    message = f"not of our encoding ({reason.message}): its running text is collated, without {notes} notes"
    found = Finding("collate-other-tei", Place(witness.file), message, severity="info")
    return dataclasses.replace(witness, units=units, findings=(found,))


def _blocks(division: Division) -> Iterator[Any]:
    for item in division.items:
        if isinstance(item, Division):
            yield from _blocks(item)
        elif isinstance(item, (Head, Paragraph, Trailer)):
            yield item


def _runs(block: Any) -> Iterator[Content]:
    """The units of a paragraph, the lines of verse, the words of a head, without notes and breaks."""
    if isinstance(block, Paragraph) and block.kind == "jing":
        for item in block.content:
            if isinstance(item, Unit):
                lines = [each for each in item.content if isinstance(each, Line)] if item.verse else [item]
                for part in lines:
                    yield tuple(_bare(part.content))
    else:
        yield tuple(_bare(block.content))


def _bare(content: Content) -> Iterator[Inline]:
    for item in content:
        if isinstance(item, str):
            yield from _spaced(item)
        elif isinstance(item, Correction):
            yield item.sic
        elif isinstance(item, Span):
            yield from _bare(item.content)
        elif not isinstance(item, (Note, NoteGroup, Break, Juan)):
            yield item


def document(witness: LooseWitness, chapter: str) -> Document:
    """Give a witness as a document, with ids as ours; paragraphs become the units of one chapter with this number.

    Characters without a code and lost places are known as in a source of a folder, where nobody decided on them.
    """
    if witness.document is not None:
        return renumber(replace(witness.document, id=witness.name))
    blocks = tuple(Paragraph(content=(Unit(content=_with_blanks(unit)),)) for unit in witness.units)
    section = Division(kind="section", items=blocks)
    made = Document(id=witness.name, divisions=(Division(kind="pian", n=chapter, items=(section,)),))
    return number(Decisions(glyphs={}).apply(made))
