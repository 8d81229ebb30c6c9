"""Is a document valid against the schema? A quick verdict first; only if it is no, the reasons."""

from __future__ import annotations

from functools import cache
from typing import Any

from lxml import etree

from pipeline.names import TEI
from pipeline.resources import resource
from pipeline.tei.tree import Element
from pipeline.validate.registry import Problem


@cache
def _gate() -> etree.XMLSchema:
    """The schema compiled by libxml2: the verdict in milliseconds, poor messages."""
    return etree.XMLSchema(etree.parse(str(resource("schema/jiaokan.xsd"))))


def check(root: Element) -> list[Problem]:
    """Give what is wrong with the structure of a document; nothing if it is valid."""
    gate = _gate()
    if gate.validate(root):
        return []
    from pipeline.validate.messages import reasons  # xmlschema takes longer to import than a sound file to check

    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    return reasons(root) or [Problem(root, str(each.message).replace(f"{{{TEI}}}", "")) for each in log]
