"""Is a document valid against the schema? A quick verdict first; only if it is no, the reasons."""

from __future__ import annotations

from functools import cache
from typing import Any

from lxml import etree

from pipeline.names import TEI
from pipeline.resources import resource
from pipeline.tei.tree import Element, local
from pipeline.validate.registry import Found, Problem

SCHEMA = "schema/jiaokan.xsd"
CROWD = 1000
POPULOUS = 20_000
"""In an element of more children than this xmlschema would take hours to tell what is wrong."""
LIMIT = 200


@cache
def _gate() -> etree.XMLSchema:
    """The schema compiled by libxml2: the verdict in milliseconds, poor messages."""
    return etree.XMLSchema(etree.parse(str(resource(SCHEMA))))


def check(root: Element) -> list[Found]:
    """Give what is wrong with the structure of a document; nothing if it is valid."""
    gate = _gate()
    if gate.validate(root):
        return []
    if crowd := crowded(root):
        return [crowd]
    from pipeline.validate.messages import reasons  # xmlschema takes longer to import than a sound file to check

    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    populous = any(len(each) > POPULOUS for each in root.iter())
    found = [] if populous else reasons(root, resource(SCHEMA))
    return [Found("structure", "error", each) for each in found or [_as_told(root, e) for e in log][:LIMIT]]


def _as_told(root: Element, entry: Any) -> Problem:
    """What libxml2 itself says, at its element."""
    found: Any = root.getroottree().xpath(entry.path) if entry.path else []
    return Problem(found[0] if found else root, plain(str(entry.message)))


def crowded(root: Element) -> Found | None:
    """Give what is wrong if an element has more attributes than anybody writes: to explain them all takes hours."""
    for element in root.iter():
        if isinstance(element.tag, str) and len(element.attrib) > CROWD:
            message = f"<{local(element)}> has {len(element.attrib)} attributes"
            return Found("structure", "error", Problem(element, message))
    return None


def plain(message: str) -> str:
    """Give a message of libxml2 without namespaces."""
    return message.replace(f"{{{TEI}}}", "")
