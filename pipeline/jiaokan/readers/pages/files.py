"""Files of recognised pages: which they are, what they contain, and many of them as one file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath

from lxml import etree, html

from jiaokan.errors import Message, Place, SourceError
from jiaokan.readers.pages import alto, hocr, page_xml
from jiaokan.readers.pages.layout import RecognisedPage
from jiaokan.tei.tree import Element, bare, parse

_SAMPLE = 20_000
_ROOT = re.compile(rb"<(?:[\w.-]+:)?(PcGts|alto|recognisedPages)[\s>]")
HOCR = re.compile(rb"<[a-zA-Z]+\s[^<>]*\bclass\s*=\s*[\"']ocrx?_(?:page|line|word|par|carea)\b")
"""An element of hOCR: HTML by its tags, but its lines are those of pages."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
TOGETHER = "recognisedPages"
"""The root of the file that has the pages of several files, each as it was."""
_PREAMBLE = re.compile(rb"^\xef\xbb\xbf|<\?xml[^>]*\?>|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>|<\?xml-[^>]*\?>")
_READERS: dict[str, Callable[[Element], Iterator[RecognisedPage]]] = {
    "PcGts": page_xml.pages_of, "alto": alto.pages_of, "html": hocr.pages_of}

_NAMES = {"PcGts": "PAGE XML", "alto": "ALTO", "html": "hOCR"}


def is_pages(data: bytes) -> bool:
    """Whether a file is PAGE XML, ALTO, hOCR, or several of them together."""
    start = data[:_SAMPLE]
    if start[:2] in _UTF16:
        start = start.decode("utf-16", "ignore").encode()
    return bool(start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and (_ROOT.search(start) or HOCR.search(start)))


def read_pages(data: bytes, name: str) -> list[RecognisedPage]:
    """Return the pages of a file called `name`. Raises TeiError if it is not well-formed, SourceError if no page of it
    has text."""
    root = _parse(data, name)
    pages: list[RecognisedPage] = []
    for part in root if bare(root) == TOGETHER else [root]:
        pages += _READERS[bare(part)](part) if bare(part) in _READERS else ()
    if not any(line.text.strip() for page in pages for line in page.lines):
        kind = _NAMES.get(bare(root), "XML")
        raise SourceError(Message("pages-no-text", kind=kind), place=Place(name), mend=Message("give-recognised-pages"))
    return pages


def together(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return files, each with its name, as one file; a single one of XML as it is."""
    if len(files) == 1 and files[0][1][:2] not in _UTF16 and not HOCR.search(files[0][1][:_SAMPLE]):
        return files[0][1]
    parts = [f"<{TOGETHER}>".encode()]
    for name, data in files:
        comment = PurePath(name).name.replace("--", "- -").rstrip("-")
        parts += [f"<!-- {comment} -->".encode(), _as_xml(data, name)]
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + b"\n".join([*parts, f"</{TOGETHER}>".encode()]) + b"\n"


def _as_xml(data: bytes, name: str) -> bytes:
    """Return a file without what precedes its root, in UTF-8; HTML that is not XML as XML."""
    if HOCR.search(data[:_SAMPLE]):
        return bytes(etree.tostring(_parse(data, name), encoding="utf-8"))
    if data[:2] in _UTF16:
        data = data.decode("utf-16").encode()
    parse(data, name=name)
    return _PREAMBLE.sub(b"", data).strip()


def _parse(data: bytes, name: str) -> Element:
    if HOCR.search(data[:_SAMPLE]) and not _ROOT.search(data[:_SAMPLE]):
        return html.document_fromstring(_PREAMBLE.sub(b"", data), parser=html.HTMLParser(encoding="utf-8"))
    return parse(data, name=name)
