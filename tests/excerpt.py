"""The least of a TEI file in which each of its constructs stands: what a whole edition would test, in a fraction of it.

A construct is an element in its place: its name and that of the one around it, of a block also of the one before it,
and those of its attributes that choose how it is set (``type``, ``rend``, ``reason`` …).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from lxml import etree

from jiaokan.model.vocabulary import TEI

Block = list[etree._Element]
"""A piece of a division with the notes after it."""

_T = f"{{{TEI}}}"
_CHOOSING = frozenset({"type", "subtype", "rend", "unit", "reason", "ana", "cert", "place", "indexName", "part", "ed"})
"""Attributes whose values are few, and by which stylesheets choose."""
_ALIKE = dict.fromkeys((f"{_T}{name}" for name in ("persName", "placeName", "orgName", "name")), "name")
_FOLLOWING = frozenset({f"{_T}note", f"{_T}noteGrp"})
"""What stands on the words before it, and goes where they go."""
_POINTER = re.compile(r"(?:#|words:)([^ /]+)")


def excerpt(tei: bytes) -> bytes:
    """Return a TEI file with only the blocks that have each construct of it, and those that they point to."""
    root = etree.fromstring(tei)
    body = next(root.iter(f"{_T}body"))
    blocks = list(_blocks(body))
    kept = _kept(blocks)
    for number, block in enumerate(blocks):
        for each in block if number not in kept else ():
            _parent(each).remove(each)
    for division in [*body.iter(f"{_T}div")][::-1]:
        if all(child.tag == f"{_T}index" for child in division):
            _parent(division).remove(division)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


def _blocks(body: etree._Element) -> Iterator[Block]:
    for division in body.iter(f"{_T}div"):
        block: Block = []
        for child in division.iterchildren(etree.Element):
            if child.tag in (f"{_T}div", f"{_T}index"):
                continue
            if block and child.tag not in _FOLLOWING:
                yield block
                block = []
            block.append(child)
        if block:
            yield block


def _kept(blocks: list[Block]) -> set[int]:
    """Choose blocks by their place in `blocks`: the shortest that have what shorter ones lack, and what they need."""
    sizes = [sum(len(etree.tostring(each)) for each in block) for block in blocks]
    seen: set[tuple[str, ...]] = set()
    asked: list[int] = []
    for number in sorted(range(len(blocks)), key=sizes.__getitem__):
        here = {construct for each in blocks[number] for construct in _constructs(each)}
        if not here <= seen:
            asked.append(number)
            seen |= here
    homes = {str(name): number for number, block in enumerate(blocks) for each in block
             for name in each.xpath("descendant-or-self::*/@xml:id")}
    kept: set[int] = set()
    while asked:
        number = asked.pop()
        if number not in kept:
            kept.add(number)
            asked += _pointed(blocks[number], homes)
    return kept


def _constructs(piece: etree._Element) -> Iterator[tuple[str, ...]]:
    for element in piece.iter(etree.Element):
        parent, before = element.getparent(), element.getprevious()
        yield ("in", _name(element), _name(parent))
        if parent is not None and parent.tag == f"{_T}div":
            yield ("after", _name(element), _name(before))
        yield from (("has", _name(element), name, value) for name, value in element.items() if name in _CHOOSING)


def _name(element: etree._Element | None) -> str:
    """Return an element's name; all names that are set alike have one."""
    return "" if element is None else _ALIKE.get(str(element.tag), str(element.tag))


def _pointed(block: Block, homes: Mapping[str, int]) -> set[int]:
    """Return the blocks that a block points to: a pointer to nothing is an error."""
    pointing = "descendant-or-self::*/@*[contains(., '#') or contains(., 'words:')]"
    values = [str(value) for each in block for value in each.xpath(pointing)]
    return {homes[name] for value in values for name in _POINTER.findall(value) if name in homes}


def _parent(element: etree._Element) -> etree._Element:
    parent = element.getparent()
    assert parent is not None
    return parent
