"""TEI files as they are published: a browser that opens one runs nothing that is in it.

Somebody else's file may carry whatever XML allows. A browser runs elements of HTML and SVG wherever they are in an XML
document, event attributes of MathML, and the stylesheets that a document names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from lxml import etree

from jiaokan.errors import Finding, Message, Place
from jiaokan.tei.tree import Element, cut, parse, put_instead, select_elements, without_schemas

HTML, SVG, MATHML = "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"
NOT_RUN = "browser-would-run"
"""Rule of the finding on what is left out."""
INERT = "urn:jiaokan:not-run:html"
"""The namespace that elements of HTML get: their words and order stay, and a browser knows none of them."""
_FOREIGN = etree.XPath("//processing-instruction('xml-stylesheet') | //h:* | //s:* | //m:*[@*]",
                       namespaces={"h": HTML, "s": SVG, "m": MATHML})
_ADDRESSES = etree.XPath("//@*[contains(translate(., 'SCRIPT\t\n\r', 'script'), 'script') and contains(., ':')]")
_RUNS = re.compile(r"(?:java|vb|live)script:", re.I)
_IGNORED = re.compile("[\x00-\x20]+")
"""Characters that browsers remove from an address before they read its scheme (URL Standard, “basic URL parser”)."""


class Published(NamedTuple):
    """A TEI file for publication."""

    data: bytes
    left_out: tuple[str, ...]
    """The names of what a browser would have run."""


def make_inert(data: bytes, *, name: str) -> Published:
    """Return a TEI file without ``xml-model`` and without anything that a browser runs. A file without such things
    keeps its bytes. Raises TeiError if it is not XML.

    * ``xml-stylesheet``, SVG and ``script`` become a comment with their name.
    * Other elements of HTML get the namespace `INERT`, which nothing runs.
    * Event attributes, and attributes with an address that is a script, are removed.
    """
    root = parse(data, name=name, whole=True)
    left_out = {*_disarm_elements(root), *_disarm_addresses(root)}
    if not left_out:
        return Published(without_schemas(data), ())
    document = b"\n".join([b'<?xml version="1.0" encoding="UTF-8"?>', *_beside(root, preceding=True),
                           etree.tostring(root, encoding="UTF-8", xml_declaration=False, with_tail=False),
                           *_beside(root, preceding=False), b""])
    return Published(without_schemas(document), tuple(sorted(left_out)))


def not_run(copy: Published, name: str) -> tuple[Finding, ...]:
    """Return the finding on what is not published of a file."""
    if not copy.left_out:
        return ()
    message = Message("not-published-since-browser-run", left_out=", ".join(copy.left_out))
    return (Finding(NOT_RUN, Place(name), message, Message("delete-file-nothing-needs"), "warning"),)


def _disarm_elements(root: Element) -> Iterator[str]:
    """Replace or rename what a browser runs, and yield its names."""
    for node in select_elements(_FOREIGN, root):
        if isinstance(node, etree._ProcessingInstruction):
            yield str(node.target)
            if node.getparent() is not None:  # those beside the root are left out by `_beside`
                _replace(node, str(node.target))
            continue
        kind = etree.QName(node)
        for attribute in [name for name in node.attrib if str(name).lower().startswith("on")]:
            del node.attrib[attribute]
            yield str(attribute)
        if kind.namespace == SVG or (kind.namespace == HTML and kind.localname.lower() == "script"):
            yield kind.localname
            _replace(node, kind.localname)
        elif kind.namespace == HTML:
            yield kind.localname
            node.tag = f"{{{INERT}}}{kind.localname}"


def _replace(node: Element, name: str) -> None:
    if node.getparent() is None:
        return
    if etree.QName(node.getparent()).namespace == SVG:  # goes with it
        cut(node)
    else:
        shown = name.replace("--", "- -")  # a comment cannot contain two hyphens
        put_instead(node, [etree.Comment(f" not published, since a browser would run it: {shown} ")])


def _disarm_addresses(root: Element) -> Iterator[str]:
    """Remove attributes whose address is a script, and yield their names."""
    addresses: Any = _ADDRESSES(root)
    for value in addresses:
        if _RUNS.match(_IGNORED.sub("", value)):
            del value.getparent().attrib[value.attrname]
            yield etree.QName(value.attrname).localname


def _beside(root: Element, *, preceding: bool) -> list[bytes]:
    """Return the comments and instructions before or after the root, in order, without stylesheets."""
    nodes = [node for node in root.itersiblings(preceding=preceding)
             if not (isinstance(node, etree._ProcessingInstruction) and node.target == "xml-stylesheet")]
    return [etree.tostring(node, encoding="UTF-8", with_tail=False) for node in (nodes[::-1] if preceding else nodes)]
