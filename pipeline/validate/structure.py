"""Is a document valid against the schema? A quick verdict first; only if it is no, the reasons."""

from __future__ import annotations

from functools import cache
from typing import Any

from lxml import etree

from pipeline.names import TEI
from pipeline.resources import resource
from pipeline.tei.tree import Element
from pipeline.validate.registry import Found, Problem

SCHEMA = "schema/jiaokan.xsd"


@cache
def _gate() -> etree.XMLSchema:
    """The schema compiled by libxml2: the verdict in milliseconds, poor messages."""
    return etree.XMLSchema(etree.parse(str(resource(SCHEMA))))


def check(root: Element) -> list[Found]:
    """Give what is wrong with the structure of a document; nothing if it is valid."""
    gate = _gate()
    if gate.validate(root):
        return []
    from pipeline.validate.messages import reasons  # xmlschema takes longer to import than a sound file to check

    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    found = reasons(root, resource(SCHEMA))
    return [Found("structure", "error", each) for each in found or [Problem(root, plain(str(e.message))) for e in log]]


def plain(message: str) -> str:
    """Give a message of libxml2 without namespaces."""
    return message.replace(f"{{{TEI}}}", "")
