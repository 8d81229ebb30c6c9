"""The element at a path that libxml2 writes, and the name by which a message calls an element."""

from __future__ import annotations

import re

from lxml import etree

from pipeline.model.numerals import whole
from pipeline.model.vocabulary import TEI
from pipeline.tei.tree import Element, local

_STEP = re.compile(r"/(?:(\*)|([^/\[:]+:)?([^/\[]+))(?:\[(\d+)\])?")


def element_at(root: Element, path: str | None) -> Element:
    """Give the element that a path as libxml2's ``xmlGetNodePath`` writes it leads to; the last one that is there.

    In it ``*`` stands for an element of the default namespace, counted among all elements; a prefix is that which the
    document gives, so that XPath, which knows no prefix of the document, cannot follow it.
    """
    here = root
    for number, step in enumerate(_STEP.finditer(path or "")):
        if not number:  # the outermost element
            continue
        among = [each for each in here if isinstance(each.tag, str)]
        if not step[1]:
            prefix = (step[2] or "").removesuffix(":")
            among = [each for each in among if local(each) == step[3] and (each.prefix or "") == prefix]
        at = whole(step[4] or "", 1) - 1
        if at >= len(among):
            return here
        here = among[at]
    return here


def called(element: Element) -> str:
    """Give an element's name as the document writes it where it is not TEI's (``cb:div``), else without a prefix."""
    name = etree.QName(element)
    if name.namespace in (None, TEI) or not element.prefix:
        return name.localname
    return f"{element.prefix}:{name.localname}"
