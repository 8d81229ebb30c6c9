"""Read files of unknown encoding and format; HTML, EPUB, Word and JSON become Markdown."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError, refusal
from jiaokan.model.words import LINE_END
from jiaokan.readers.common.aozora import is_aozora
from jiaokan.readers.common.binary import binary_fault, refuse_binary
from jiaokan.readers.common.source import UNFIT, count_common, decode, is_chinese, refuse_table
from jiaokan.readers.common.vocabularies import kind_of_markup
from jiaokan.readers.pages.files import is_pages
from jiaokan.readers.plain import NOTE_TEMPLATE
from jiaokan.scaffold.json_text import json_as_markdown
from jiaokan.scaffold.letters import LeftOut, Received
from jiaokan.scaffold.markup import epub_as_markdown, html_as_markdown
from jiaokan.scaffold.outline import outline_as_markdown
from jiaokan.scaffold.pages import load_pages
from jiaokan.scaffold.tags import without_tags
from jiaokan.scaffold.word import word_as_markdown
from jiaokan.system.archive import BROKEN, names_in
from jiaokan.system.listing import bytes_of
from jiaokan.system.pandoc import odt_as_docx

_HEAD = 64
"""Bytes of a file by which its format is known."""
CONTROL = Message("part-control")
"""The part of a file that XML cannot hold."""
_SAMPLE = 20_000
"""Characters that are examined; a page is enough."""
_TAG = re.compile(r"</?[A-Za-z]+\d?\b[^<>]*>")


def load_text(path: Path) -> Received:
    """Return the text of a file, of HTML, EPUB, Word, OpenDocument and JSON as Markdown, with its encoding and what is
    left out. Raises SourceError if it cannot be read as text."""
    try:
        data = bytes_of(path)
    except OSError as error:
        raise SourceError(Message("cannot-read", strerror=refusal(error)), place=Place(str(path)),
                          mend=Message("check-name-permissions")) from None
    refuse_table(str(path))
    if data[:2] == b"PK" and (received := _from_archive(data, str(path))):
        return received
    refuse_binary(data, str(path))
    if is_pages(data):
        return replace(load_pages(data, path), encoding="utf-8")
    text, encoding, count = _decode(data, path)
    left_out = (LeftOut(CONTROL, "〓" * count),) if count else ()
    received = _from_markup(text, path)
    return replace(received, encoding=encoding + (f" ({received.encoding})" if received.encoding else ""),
                   left_out=(*left_out, *received.left_out))


def _decode(data: bytes, path: Path) -> tuple[str, str, int]:
    """Return the text of bytes, its encoding, and the number of control characters, which XML cannot hold, as 〓."""
    decodings = {encoding: text for encoding, text in decode(data).items()
                 if encoding.startswith("utf") or count_common(text) or is_chinese(text)}
    if not decodings:
        raise SourceError(Message("cannot-detect-encoding"), place=Place(str(path)), mend=Message("convert-file-utf"))
    encoding = max(decodings, key=lambda name: count_common(decodings[name][:_SAMPLE]))
    text, count = UNFIT.subn("〓", LINE_END.sub("\n", decodings[encoding].removeprefix("\ufeff")))
    return text, encoding.removesuffix("-sig"), count


def is_archive(data: bytes) -> bool:
    """Whether a file is a zip archive of files, and no EPUB, Word or OpenDocument file."""
    if not data.startswith(b"PK\x03\x04") or b"mimetypeapplication/" in data[:100]:
        return False
    with suppress(*BROKEN):
        return not {"word/document.xml", "[Content_Types].xml"} & {*names_in(data)}
    return True


def is_binary(path: Path, *, whole: bool = True) -> bool:
    """Whether a file, or else its beginning, is no text, nor an archive, which may have texts in it."""
    try:
        with path.open("rb") as file:
            data = file.read(-1 if whole else _HEAD)
    except OSError:
        return False  # whoever loads it says why
    return not (whole and data.startswith(b"PK\x03\x04")) and bool(binary_fault(data))


def _from_archive(data: bytes, name: str) -> Received | None:
    """Return the text of an archive that is an EPUB, a Word or an OpenDocument file; None if it is another one."""
    if b"application/epub+zip" in data[:100]:
        return replace(epub_as_markdown(data, name), encoding="epub")
    if b"application/vnd.oasis.opendocument.text" in data[:100]:
        return replace(word_as_markdown(odt_as_docx(data, name), name), encoding="odt")
    with suppress(*BROKEN):
        if "word/document.xml" in names_in(data):
            return word_as_markdown(data, name)
    return None


def _from_markup(text: str, path: Path) -> Received:
    """Return the text of JSON, HTML or text with tags. Raises SourceError for XML that is neither TEI nor HTML."""
    if path.suffix.lower() == ".json":
        return json_as_markdown(text, str(path))
    kind = kind_of_markup(text)
    named = path.suffix.lower() in (".html", ".htm", ".xhtml") and kind in ("", "html")
    if kind == "html" or (named and _TAG.search(text)):
        return html_as_markdown(text, str(path))
    if kind not in ("", "tei"):
        raise SourceError(Message("this-is-xml-but-not-tei", kind=kind), place=Place(str(path)),
                          mend=Message("convert-tei-html-plain-text"))
    if kind or format_of(text) not in ("plain", "markdown"):
        return Received(text)
    return without_tags(outline_as_markdown(text))


def format_of(text: str) -> str:
    """Return the format of a text: ``tei``, ``mandoku``, ``wiki``, ``aozora``, ``markdown`` or ``plain``."""
    head = text.lstrip()
    if head.startswith("<") and re.search(r"<(?:\w+:)?TEI\b|<teiCorpus\b", head[:_SAMPLE]):
        return "tei"
    if "mandoku" in head[:200] or re.search(r"<pb:[^<>]+>", text):
        return "mandoku"
    if re.search(r"^={1,6}[^=\n]+={1,6}\s*$|^\{\{[^\n]+", text, re.M) or NOTE_TEMPLATE.search(text):
        return "wiki"  # a heading, a template, small type
    if is_aozora(text):
        return "aozora"
    return "markdown" if re.search(r"^#{1,6} \S", text, re.M) else "plain"
