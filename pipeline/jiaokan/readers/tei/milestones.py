"""Divisions that begin at a milestone: ``<milestone unit="chapter" n="54"/>`` in ``<div subtype="chapter" n="53">``.

Editions by the Canonical Text Services have a division for each chapter, but a chapter that begins in a paragraph of
the one before has only a milestone there (TEI P5, 3.11.3).
"""

from __future__ import annotations

from jiaokan.readers.tei.elements import name_of
from jiaokan.tei.tree import ID, Element, move_words_after


def divide_at_milestones(root: Element) -> None:
    """Begin a division at each milestone that counts in the unit of the division round it, with another number. One of
    another edition (``@ed``, ``@edRef``) begins none."""
    for mark in [node for node in root.iter("{*}milestone") if node.get("unit") and node.get("n")]:
        if mark.get("ed") or mark.get("edRef"):
            continue
        block = mark.getparent()
        division = block if block is None or name_of(block) == "div" else block.getparent()
        if block is None or division is None or name_of(division) != "div":
            continue
        if mark.get("unit") not in (division.get("subtype"), division.get("type")) \
                or division.get("n") in (None, mark.get("n")):
            continue
        after = _begin_after(division)
        after.set("n", mark.get("n", ""))
        if block is not division:
            first = _begin_after(block)
            following = [*first.itersiblings()]
            after.extend([first, *following])
            first.extend([mark, *mark.itersiblings()])
        else:
            after.extend([mark, *mark.itersiblings()])


def _begin_after(node: Element) -> Element:
    """Return a new element of the kind of another, between it and the words after it; its id stays with the first."""
    division = node.makeelement(node.tag, {str(key): str(value) for key, value in node.attrib.items() if key != ID})
    division.sourceline = node.sourceline
    node.addnext(division)
    move_words_after(node, division)
    return division
