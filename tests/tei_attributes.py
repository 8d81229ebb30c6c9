"""The attributes that TEI gives each element, and by which class, as ``schema/tei_all.rng.xz`` has them."""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from jiaokan.relaxng import RNG

_R = f"{{{RNG}}}"
_CLASS, _ALL = ".attributes", Path(__file__).parents[1] / "schema" / "tei_all.rng.xz"


class Attributes(NamedTuple):
    """What an element or a class has: attributes of its own, and the classes that it is a member of."""

    attributes: frozenset[str]
    classes: tuple[str, ...]


@cache
def _defined() -> Mapping[str, etree._Element]:
    root = etree.fromstring(lzma.decompress(_ALL.read_bytes()))
    return {str(node.get("name")): node for node in root.iter(f"{_R}define")}


def _read(node: etree._Element) -> Attributes:
    attributes, classes = set[str](), list[str]()
    for inner in node.iter(f"{_R}attribute", f"{_R}ref"):
        name = str(inner.get("name"))
        if inner.tag == f"{_R}attribute":
            attributes.add(name)
        elif name.endswith(_CLASS):
            classes.append(name.removesuffix(_CLASS))
        elif ".attribute." in name:
            attributes |= {str(attribute.get("name")) for attribute in _defined()[name].iter(f"{_R}attribute")}
    return Attributes(frozenset(attributes), tuple(classes))


@cache
def of_element(name: str) -> Attributes:
    """Return the attributes of an element; raises KeyError if TEI has none of this name."""
    (declared,) = _defined()[name].iterchildren(f"{_R}element")
    return _read(declared)


@cache
def of_class(name: str) -> Attributes:
    """Return the attributes of a class."""
    return _read(_defined()[f"{name}{_CLASS}"])


def inherited(classes: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return some classes and all that they are members of, each with its own attributes."""
    known: dict[str, frozenset[str]] = {}
    todo = list(classes)
    while todo:
        name = todo.pop()
        if name not in known:
            known[name] = of_class(name).attributes
            todo += of_class(name).classes
    return known
