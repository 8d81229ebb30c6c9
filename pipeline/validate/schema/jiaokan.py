"""Is a document valid against the schema? A quick verdict first; only if it is no, the reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from lxml import etree

from pipeline.errors import Message
from pipeline.model.vocabulary import TEI, XML
from pipeline.system.resources import resource
from pipeline.tei.tree import Element, local
from pipeline.validate.positions import element_at
from pipeline.validate.rule import NOTHING, Found, Problem
from pipeline.validate.schema.malformed import filled

SCHEMA = "schema/jiaokan.xsd"
CROWD = 1000
POPULOUS = 20_000
"""In an element of more children than this xmlschema would take hours to tell what is wrong."""
LIMIT = 200

_SAID = (
    (r"Element '(\S+)': The attribute '(\S+)' is required but missing\.",
     Message("<{}> lacks the attribute {}", 1, 2), NOTHING),
    (r"Element '(\S+)', attribute '(\S+)': The attribute .* is not allowed\.",
     Message("<{}> cannot have the attribute {}", 1, 2), NOTHING),
    (r"Element '(\S+)': This element is not expected\. Expected is (?:one of )?\( (.*) \)\.",
     Message("<{}> is not allowed here", 1), Message("expected here: {}", 2)),
    (r"Element '(\S+)': This element is not expected\.", Message("<{}> is not allowed here", 1), NOTHING),
    (r"Element '(\S+)': Missing child element\(s\)\. Expected is (?:one of )?\( (.*) \)\.",
     Message("<{}> is not complete", 1), Message("missing: {}", 2)),
    (r"Element '(\S+)': Character content other than whitespace .*", Message("text directly in <{}>", 1), NOTHING),
)
"""What libxml2 reports where xmlschema is not used: pattern, our message and mend, their values group numbers."""


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
    from pipeline.validate.schema.messages import reasons  # xmlschema takes longer to import than a sound file to check

    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    populous = any(len(each) > POPULOUS for each in root.iter())
    found = [] if populous else reasons(root, resource(SCHEMA), doubtful(root, log))
    return [Found("structure", "error", each) for each in found or [_as_told(root, e) for e in log][:LIMIT]]


def _as_told(root: Element, entry: Any) -> Problem:
    """What libxml2 itself says, at its element."""
    element, message = element_at(root, entry.path), plain(str(entry.message)).strip()
    for pattern, ours, mend in _SAID:
        if found := re.fullmatch(pattern, message):
            attribute = found[2] if "attribute" in ours.form else ""
            return Problem(element, filled(ours, found), filled(mend, found), attribute=attribute)
    return Problem(element, Message.of(message))


def doubtful(root: Element, log: Iterable[Any]) -> set[Element]:
    """Give the elements that can be at fault after what libxml2 logged; all others are sound.

    These are the elements named and all that hold them; and, as libxml2 goes no further in an element in which a child
    is not expected, that child and all that follow it there, with all that they hold.
    """
    found: set[Element] = set()
    for entry in log:
        at = element_at(root, entry.path)
        found.update((at, *at.iterancestors()))
        if "not expected" in str(entry.message):
            found.update(inside for each in (at, *at.itersiblings()) for inside in each.iter())
    return found


def crowded(root: Element) -> Found | None:
    """Give what is wrong if an element has more attributes than anybody writes: to explain them all takes hours."""
    for element in root.iter():
        if isinstance(element.tag, str) and len(element.attrib) > CROWD:
            message = Message("<{}> has {} attributes", local(element), len(element.attrib))
            return Found("structure", "error", Problem(element, message))
    return None


def plain(message: str) -> str:
    """Give a message of libxml2 without namespaces."""
    return message.replace(f"{{{TEI}}}", "").replace(f"{{{XML}}}", "xml:")
