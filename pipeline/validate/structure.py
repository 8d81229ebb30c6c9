"""Is a document valid against the schema? A quick verdict first; only if it is no, the reasons."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import xmlschema
from lxml import etree

from pipeline.names import TEI
from pipeline.resources import resource
from pipeline.tei.tree import Element, local
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
    found: list[Problem] = []
    for error in _judge().iter_errors(root):
        found.append(_problem(error, root))
        if len(found) == LIMIT:
            break
    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    return found or [Problem(root, _plain(str(each.message))) for each in log]


def _problem(error: Any, root: Element) -> Problem:
    """A finding of xmlschema in a reader's words."""
    element = error.elem if error.elem is not None else root
    reason = _plain(str(error.reason))
    child = re.match(r"Unexpected child with tag '?([^' ]+)'? at position (\d+)\.(?: (.*))?", reason, re.S)
    if child:
        index = int(child[2]) - 1
        children = [each for each in element if isinstance(each.tag, str)]
        place = children[index] if index < len(children) else element
        return Problem(place, f"<{child[1]}> cannot stand here in <{local(element)}>", _plain(child[3] or ""))
    missing = re.match(r"The content of element '?([^' ]+)'? is not complete\. (.*)", reason, re.S)
    if missing:
        return Problem(element, f"<{missing[1]}> is not complete", missing[2])
    return Problem(element, f"<{local(element)}>: {reason}")


def _plain(words: str) -> str:
    """A message without namespaces."""
    return re.sub(r"\{[^}]*\}|\btei:", "", words.replace(f"{{{TEI}}}", "")).strip()
