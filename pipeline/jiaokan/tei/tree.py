"""XML trees: safe parsing, mixed content, stable bytes. The only module that uses lxml's ``tail``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from lxml import etree

from jiaokan.errors import DEPTH, Message, Place, TeiError
from jiaokan.model.vocabulary import TEI, XML
from jiaokan.tei.doctype import expand_entities, refusal_of

Element = etree._Element  # lxml names its element class so
ID = f"{{{XML}}}id"
LANG = f"{{{XML}}}lang"
SPACE = f"{{{XML}}}space"
SCHEMAS = {"jiaokan.rng": "http://relaxng.org/ns/structure/1.0", "jiaokan.xsd": "http://www.w3.org/2001/XMLSchema",
           "jiaokan.sch": "http://purl.oclc.org/dsdl/schematron"}
"""Our schemas, with their languages as in the W3C note on xml-model."""
_MODEL = re.compile(rb"<\?xml-model [^?]*\?>\n")
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML 1.0 forbids
_NAMESPACES: dict[Any, str] = {None: TEI}
_DECLARES = f' xmlns="{TEI}"'.encode()
_PIECE = 2**16  # bytes that are parsed at a time if only a part of the tree is in memory
_FORMATTING = " \t\r\n"
_SAFE: dict[str, Any] = {
    "resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": True, "collect_ids": False,
    "remove_comments": True, "remove_pis": True,
}
_BELOW = etree.XPath("/*" * (DEPTH + 1))
NOT_WELL_FORMED = "xml-not-well-formed"  # id of the message with what libxml2 reports
_AS_UTF8 = Message("save-utf")
_EBCDIC = b"\x4c\x6f\xa7\x94"  # ``<?xm`` in EBCDIC (XML 1.0, appendix F)
_DECLARED = re.compile(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"']([A-Za-z0-9._-]+)")


def parse(data: bytes, *, name: str, whole: bool = False) -> Element:
    """Parse untrusted XML: no network, no document type, no entities; duplicate ids are accepted. Comments and
    instructions are left out unless `whole`. Raises TeiError with line and column if it is not well-formed."""
    if not data.strip():
        raise TeiError(Message("file-empty"), place=Place(name), mend=Message("use-tei-document"))
    data = _without_doctype(data, name)
    options = {**_SAFE, "remove_comments": not whole, "remove_pis": not whole}
    try:
        root = etree.fromstring(data, etree.XMLParser(**options))
    except (etree.XMLSyntaxError, ValueError) as error:
        line, column = (error.lineno or 0, error.offset or 0) if isinstance(error, etree.XMLSyntaxError) else (0, 0)
        message = re.sub(r", line \d+, column \d+.*", "", str(error))
        if not line and ("unknown error" in message or "emory" in message):
            raise MemoryError from None  # lxml says no more of it
        if "Excessive depth" in message:
            raise _deep(Place(name, line, column)) from None
        raise TeiError(Message(NOT_WELL_FORMED, reason=message), place=Place(name, line, column)) from None
    if root.getroottree().docinfo.internalDTD is not None:  # in an encoding in which the bytes did not show it
        raise refusal_of(Place(name))
    if below := select_elements(_BELOW, root):
        raise _deep(place(below[0], name))
    return root


def select_elements(path: etree.XPath, root: Element) -> list[Element]:
    """Return the elements that a compiled path selects; the stubs know all that XPath can give."""
    return cast("list[Element]", path(root))


def beginning(data: bytes, *, name: str) -> Element:
    """Return the root of a TEI document with its whole header and little of the rest. Raises TeiError as `parse`."""
    data = _without_doctype(data, name)
    # iterparse would reject duplicate ids, which `parse` accepts
    parser: Any = etree.XMLPullParser(events=("end",), tag=f"{{{TEI}}}teiHeader", **_SAFE)
    with suppress(etree.XMLSyntaxError):  # `parse` reports the fault
        for at in range(0, len(data), _PIECE):
            parser.feed(data[at : at + _PIECE])
            for _, node in parser.read_events():
                root: Element = node.getroottree().getroot()
                return root
    return parse(data, name=name)


def _deep(where: Place) -> TeiError:
    message = Message("elements-nested-more-deep", depth=DEPTH)
    return TeiError(message, place=where, mend=Message("no-text-needs-look-missing"))


def _without_doctype(data: bytes, name: str) -> bytes:
    """Return XML without its document type, with the entities that it declares expanded (`jiaokan.tei.doctype`)."""
    received = data
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode()
    elif b"\0" in data[:4] or data[:4] == _EBCDIC:  # what libxml2 would read as UTF-16, UCS-4 or EBCDIC by its look
        raise TeiError(Message("neither-utf-nor-utf-byte"), place=Place(name), mend=_AS_UTF8)
    elif (encoding := _DECLARED.match(data)) and encoding[1].lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
        message = Message("declared-utf-utf-byte-order", encoding=encoding[1].decode())
        raise TeiError(message, place=Place(name), mend=_AS_UTF8)
    if b"<!DOCTYPE" not in data:
        return received
    text = data.decode("utf-8-sig", "surrogateescape")
    return expand_entities(text, name).encode("utf-8", "surrogateescape")


def place(element: Element, name: str) -> Place:
    """Return the line of an element in the file called `name`, from 1; 0 if it was not parsed."""
    line: Any = element.sourceline  # the stubs do not type it
    return Place(name, line or 0)


def element(tag: str, attributes: Mapping[str, str] | None = None, text: str = "", *children: Element) -> Element:
    """Make a TEI element with attributes in the given order; empty ones are left out. Raises ValueError (lxml's) for
    characters that XML forbids, which `FORBIDDEN` finds."""
    filled = {name: value for name, value in attributes.items() if value} if attributes else None
    node = etree.Element(f"{{{TEI}}}{tag}", filled, _NAMESPACES)
    if text:
        node.text = text
    if children:
        node.extend(children)
    return node


def inside(parent: Element | None, tag: str, attributes: dict[str, str]) -> Element:
    """Make a TEI element at the end of another, or alone, as `element` does. An element made in its place needs no
    document of its own, which costs as much as the element."""
    if parent is None:
        return element(tag, attributes)
    filled = attributes if all(attributes.values()) else {name: value for name, value in attributes.items() if value}
    return etree.SubElement(parent, f"{{{TEI}}}{tag}", filled)


def add_text(parent: Element, text: str) -> None:
    """Append characters to mixed content; raises ValueError as `element` does."""
    last = _last(parent)
    if last is not None:
        last.tail = (last.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _last(parent: Element) -> Element | None:  # `len()` counts all children each time
    return next(parent.iterchildren(reversed=True), None)


def add_block(parent: Element, *children: Element) -> Element:
    """Append blocks, each on a line of its own; returns the parent."""
    for child in children:
        if _last(parent) is None:
            parent.text = "\n"
        parent.append(child)
        child.tail = "\n"
    return parent


def cut(element: Element) -> None:
    """Remove an element; the text after it stays."""
    parent, before, after = element.getparent(), element.getprevious(), element.tail or ""
    if parent is not None:
        if before is not None:
            before.tail = (before.tail or "") + after
        else:
            parent.text = (parent.text or "") + after
        element.tail = None
        parent.remove(element)


def alone(element: Element) -> Element:
    """Return a copy of an element without the words that follow it."""
    copy = deepcopy(element)
    copy.tail = None
    return copy


def put_instead(element: Element, others: Sequence[Element], words: str = "") -> None:
    """Replace an element by text and other elements; the text after it stays."""
    parent, after = element.getparent(), element.tail or ""
    if parent is None:
        return
    at = parent.index(element)
    element.tail = None
    parent.remove(element)
    for number, other in enumerate(others):
        parent.insert(at + number, other)
    if others:
        others[-1].tail = (others[-1].tail or "") + after
    else:
        words += after
    if words and at:
        parent[at - 1].tail = (parent[at - 1].tail or "") + words
    elif words:
        parent.text = (parent.text or "") + words


def mixed_content(parent: Element, name: str) -> Iterator[str | Element]:
    """Yield the content of a mixed element in order; raises TeiError for an entity reference."""
    if parent.text:
        yield parent.text
    for child in parent:
        if not isinstance(child.tag, str):
            raise TeiError(Message("entity-reference-not-read", text=child.text), place=place(parent, name))
        yield child
        if child.tail:
            yield child.tail


def loose_words(parent: Element) -> Iterator[str]:
    """Yield the runs of text directly in an element that are not white space."""
    yield from filter(str.strip, (parent.text or "", *(child.tail or "" for child in parent)))


@dataclass(frozen=True, slots=True)
class Words:
    """A run of text of a tree, which can be replaced."""

    holder: Element  # the element whose text it is or, if it `follows`, the element before it
    follows: bool

    def get(self) -> str:
        """Return the characters."""
        return (self.holder.tail if self.follows else self.holder.text) or ""

    def put(self, text: str) -> None:
        """Replace the characters."""
        if self.follows:
            self.holder.tail = text
        else:
            self.holder.text = text

    def insert(self, offset: int, node: Element) -> None:
        """Insert an element after so many of the characters."""
        text = self.get()
        self.put(text[:offset])
        parent = self.holder.getparent() if self.follows else self.holder
        following = self.holder.getnext() if self.follows else next(iter(self.holder), None)
        if following is not None:
            following.addprevious(node)
        elif parent is not None:
            parent.append(node)
        node.tail = text[offset:]


def put_across(runs: Iterable[Words], text: str) -> None:
    """Put a text of the same length into the runs that had the old one, each as much as it had."""
    at = 0
    for run in runs:
        if length := len(run.get()):
            run.put(text[at:at + length])
        at += length


def move_words_after(node: Element, other: Element) -> None:
    """Let the words after a node follow another one instead."""
    other.tail, node.tail = node.tail, None


def after(element: Element) -> str:
    """Return the text that follows an element in its parent."""
    return element.tail or ""


def blocks(parent: Element, name: str) -> Iterator[Element]:
    """Yield the children of an element; raises TeiError if it directly contains text."""
    for node in mixed_content(parent, name):
        if not isinstance(node, str):
            yield node
        elif stray := node.strip(_FORMATTING):
            raise TeiError(
                Message("text-directly", element=local(parent), stray=stray[:20]), place=place(parent, name),
                mend=Message("put-paragraph-head-trailer-note"),
            )


def text_only(parent: Element, name: str) -> str:
    """Return the text of an element; raises TeiError if it has children."""
    for child in parent:
        message = Message("not-allowed", element=local(child), element2=local(parent))
        raise TeiError(message, place=place(parent, name))
    return parent.text or ""


def local(node: Element) -> str:
    """Return an element's name, with its namespace if it is not TEI."""
    return _local(node.tag)


def bare(node: Element) -> str:
    """Return an element's name without any namespace."""
    return str(node.tag).rpartition("}")[2]


@cache
def _local(tag: object) -> str:
    """Cached: a file has few tags, and each is asked for a hundred thousand times."""
    return str(tag).removeprefix(f"{{{TEI}}}")


def serialise(root: Element, schemas: str = "") -> bytes:
    """Return the bytes of a document: UTF-8, one declaration, one newline at the end; `schemas` as in
    `schema_instructions`."""
    body: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=False)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + schema_instructions(schemas).encode() + body + b"\n"


def within(root: Element) -> bytes:
    """Return the bytes of an element inside a document that declares the namespace."""
    return etree.tostring(root, encoding="UTF-8", xml_declaration=False).replace(_DECLARES, b"", 1)


def schema_instructions(schemas: str) -> str:
    """Return the ``xml-model`` instructions for our schemas in a folder; empty without one."""
    if not schemas:
        return ""
    return "".join(f'<?xml-model href="{schemas}/{name}" type="application/xml" schematypens="{language}"?>\n'
                   for name, language in SCHEMAS.items())


def without_schemas(data: bytes) -> bytes:
    """Return a document without its ``xml-model`` instructions, for a copy elsewhere."""
    return _MODEL.sub(b"", data)
