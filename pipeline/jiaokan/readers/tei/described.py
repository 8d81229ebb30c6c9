"""A file without a text that describes one: the description of a manuscript, an abstract, pictures of pages."""

from __future__ import annotations

from collections.abc import Iterator

from jiaokan.errors import Finding, Message, Place
from jiaokan.readers.tei.elements import name_of, whole_text
from jiaokan.tei.lossless import text_elements
from jiaokan.tei.tree import Element, alone, element

_DESCRIBING = ("msDesc", "abstract")


def text_of_description(root: Element, file: str) -> tuple[Element, tuple[Finding, ...]]:
    """Return a file without words in its text as a text of what its header describes and of its pictures of pages; any
    other file as it is. Also a finding."""
    if any(whole_text(text).strip() for text in text_elements(root)):
        return root, ()
    parts = [*_descriptions(root), *_pictures(root)]
    if not parts:
        return root, ()
    body = element("body", {}, "", element("div", {}, "", *parts))
    rest = (alone(part) for part in root.iterchildren("{*}standOff"))
    document = element("TEI", {}, "", *map(alone, root.iterfind("{*}teiHeader")), element("text", {}, "", body), *rest)
    return document, (Finding("tei-described", Place(file), Message("no-text-description-shown"),
                              Message("put-words-in-body"), "info"),)


def _descriptions(root: Element) -> Iterator[Element]:
    for node in root.iterfind("{*}teiHeader//*"):
        inside = any(name_of(above) in _DESCRIBING for above in node.iterancestors())
        if name_of(node) in _DESCRIBING and not inside and whole_text(node).strip():
            yield alone(node)


def _pictures(root: Element) -> Iterator[Element]:
    pages = (part for name in ("facsimile", "sourceDoc", "text") for part in root.iter(f"{{*}}{name}"))
    for graphic in (graphic for part in pages for graphic in part.iter("{*}graphic")):
        around = graphic.getparent()
        words = "" if around is None else " ".join(filter(None, (around.get("n", ""), whole_text(around))))
        yield element("figure", {}, "", element("graphic", {"url": graphic.get("url", "")}),
                      element("figDesc", {}, " ".join(words.split()) or graphic.get("url", "")))
