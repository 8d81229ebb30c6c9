"""The ids of a tree of TEI and its pointers: ``#ID`` (TEI 17.2), ``words:ID/OFFSET/LENGTH``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from lxml import etree

from jiaokan.model.pointers import WORDS
from jiaokan.model.vocabulary import TEI
from jiaokan.tei.tree import Element

_ATTRIBUTES = etree.XPath("descendant-or-self::*[not(self::t:prefixDef)]/@*[contains(., $sign) or contains(., $other)]",
                          namespaces={"t": TEI})
"""The patterns of a ``prefixDef`` are no pointers."""
_IDS = etree.XPath("descendant-or-self::*/@xml:id")


class PointerAttribute(NamedTuple):
    """An attribute that can hold pointers."""

    element: Element
    name: str
    value: str

    def pointers(self) -> list[str]:
        """Return what its spaces part; joined by spaces it is the value again."""
        return self.value.split(" ")


def ids_in(tree: Element) -> set[str]:
    """Return the ids of an element and of all in it."""
    return {str(name) for name in cast(list[str], _IDS(tree))}


def pointer_attributes(tree: Element, prefix: str = "") -> Iterator[PointerAttribute]:
    """Yield the attributes of a tree with a pointer that begins so, without `prefix` with one into the file; others
    that have these characters, too."""
    values = _ATTRIBUTES(tree, sign=prefix or "#", other=prefix or WORDS)
    for value in cast(list[Any], values):  # lxml's strings, which know their attribute
        yield PointerAttribute(value.getparent(), value.attrname, str(value))


def pointed_id(pointer: str) -> str:
    """Return the id in the same file to which a pointer leads; empty if it leads elsewhere."""
    if pointer.startswith(WORDS):
        return pointer.removeprefix(WORDS).partition("/")[0]
    target = pointer[1:] if pointer.startswith("#") else ""
    return target.removeprefix("string-range(").partition(",")[0] if target.startswith("string-range(") else target
