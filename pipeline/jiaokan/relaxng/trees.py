"""Elements, and schemas read from files: no network, no document type, no entities."""

from __future__ import annotations

import re
from pathlib import Path

from lxml import etree

from jiaokan.errors import Message, Place, TeiError

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""
Element = etree._Element  # lxml names its element class so


def parse(data: bytes, name: str) -> Element:
    """Parse a grammar in XML syntax; raises TeiError if it is not well-formed."""
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError as error:
        place = Place(name, error.lineno or 0, error.offset or 0)
        raise TeiError(Message("xml-not-well-formed", reason=error.msg), place=place) from None


def load_file(path: Path) -> Element:
    """Return the outermost element of a grammar's file; raises TeiError if it is not well-formed."""
    return parse(path.read_bytes(), str(path))


def text_after(element: Element) -> str:
    """Return the text that follows an element in its parent."""
    return element.tail or ""


def add_words(element: Element, words: str) -> None:
    """Add words behind the last child of an element."""
    if len(element):
        element[-1].tail = text_after(element[-1]) + words
    else:
        element.text = (element.text or "") + words
