"""Is a document valid against the schema? A quick verdict first; only if it is no, the reasons."""

from __future__ import annotations

from functools import cache
from typing import Any

import xmlschema
from lxml import etree

from pipeline.names import TEI
from pipeline.resources import resource
from pipeline.tei.tree import Element
from pipeline.validate.messages import problem
from pipeline.validate.registry import Problem

LIMIT = 200
"""So many findings of structure are told for one file."""


@cache
def _gate() -> etree.XMLSchema:
    """The schema compiled by libxml2: the verdict in milliseconds, poor messages."""
    return etree.XMLSchema(etree.parse(str(resource("schema/jiaokan.xsd"))))


@cache
def _judge() -> xmlschema.XMLSchema10:
    """The schema compiled by xmlschema: a quarter of a second, good messages."""
    return xmlschema.XMLSchema10(str(resource("schema/jiaokan.xsd")))


def check(root: Element) -> list[Problem]:
    """Give what is wrong with the structure of a document; nothing if it is valid."""
    gate = _gate()
    if gate.validate(root):
        return []
    found: dict[tuple[Element, str], Problem] = {}
    for error in _judge().iter_errors(root):
        each = problem(error, root)
        found.setdefault((each.element, each.message), each)
        if len(found) == LIMIT:
            break
    if found:
        return list(found.values())
    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    return [Problem(root, str(each.message).replace(f"{{{TEI}}}", "")) for each in log]
