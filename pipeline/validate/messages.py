"""What xmlschema says, in the words of somebody who knows the encoding and not the schema."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import xmlschema
from xmlschema.validators import XMLSchemaChildrenValidationError, XsdAttributeGroup, XsdEnumerationFacets

from pipeline.names import XML
from pipeline.tei.tree import Element, local, mixed
from pipeline.validate.registry import Problem, nearest

LIMIT = 200
"""So many problems of structure are told for one file."""


@cache
def _judge(schema: Path) -> Any:
    """A schema compiled by xmlschema: a quarter of a second, but it knows what it expected."""
    kind = xmlschema.XMLSchema11 if b"xs:assert" in schema.read_bytes() else xmlschema.XMLSchema10
    return kind(str(schema), allow="local", defuse="always")


def reasons(root: Element, schema: Path) -> list[Problem]:
    """Give what is wrong with the structure of a document by an XSD, up to `LIMIT` problems.

    Raises xmlschema's own errors for what is no usable schema.
    """
    found: dict[tuple[Element, str], Problem] = {}
    for error in _judge(schema).iter_errors(root):
        each = problem(error, root)
        found.setdefault((each.element, each.message), each)
        if len(found) == LIMIT:
            break
    return list(found.values())


def problem(error: Any, root: Element) -> Problem:
    """Give a finding for an error of xmlschema, at the element that is at fault."""
    element: Element = error.elem if error.elem is not None else root
    if isinstance(error, XMLSchemaChildrenValidationError):
        return _children(error, element)
    reason = str(error.reason)
    if "character data between child elements" in reason:
        return _stray_words(element)
    if isinstance(error.validator, XsdAttributeGroup):
        return _attributes(error, element, reason)
    attribute = re.match(r"attribute ([^=]+)=", reason)
    if attribute:
        return _value(error, element, attribute[1])
    return Problem(element, f"<{local(element)}>: {_plain(reason)}")


def _children(error: Any, element: Element) -> Problem:
    """An element too many, too few, or another than expected."""
    expected = _names(error.expected or ())
    if error.invalid_tag is None:
        return Problem(element, f"<{local(element)}> is not complete", f"it still needs: {', '.join(expected)}")
    child = error.invalid_child if error.invalid_child is not None else element
    allowed = _names(each for each in error.validator.iter_elements())
    message = f"<{local(child)}> cannot stand here in <{local(element)}>"
    if local(child) in allowed:
        order = f"expected here: {', '.join(expected)}" if expected else f"the order in it is: {', '.join(allowed)}"
        return Problem(child, message, order)
    near = nearest(local(child), allowed)
    return Problem(child, message, near or f"in <{local(element)}> may stand: {', '.join(allowed) or 'nothing'}")


def _names(elements: Iterable[Any]) -> list[str]:
    """The names of some declarations, each once."""
    return list(dict.fromkeys(str(each.local_name) for each in elements))


def _stray_words(element: Element) -> Problem:
    """Words between elements where only elements stand; the place is the element after them, else the one before."""
    words, place, message = "", element, f"words stand directly in <{local(element)}>"
    for node in mixed(element, ""):
        if isinstance(node, str):
            words = words or node.strip()[:20]
        else:
            place = node
            if words:
                break
    return Problem(place, f"{message}: {words!r}", "words stand in a paragraph, a head, a trailer or a note")


def _attributes(error: Any, element: Element, reason: str) -> Problem:
    """An attribute too many or one that is missing."""
    allowed = [_readable(str(each)) for each in error.validator if each]
    missing = re.match(r"missing required attribute '([^']+)'", reason)
    if missing:
        attribute = error.validator.get(missing[1])
        values = () if attribute is None else attribute.type.enumeration or ()
        mend = f"one of: {', '.join(map(str, values))}" if values else ""
        return Problem(element, f"<{local(element)}> lacks the attribute {_readable(missing[1])}", mend)
    found = re.match(r"'([^']+)' attribute not allowed", reason)
    name = _readable(found[1]) if found else "unknown"
    known = nearest(name, allowed) or f"it may have: {', '.join(allowed) or 'none'}"
    return Problem(element, f"<{local(element)}> cannot have the attribute {name}", known)


def _value(error: Any, element: Element, name: str) -> Problem:
    """A value outside a closed list or not of the right form."""
    written = element.get(name) or ""
    message = f"{local(element)}/@{_readable(name)} is {written!r}"
    if isinstance(error.validator, XsdEnumerationFacets):
        values = [str(each) for each in error.validator.enumeration]
        return Problem(element, message, nearest(written, values) or f"one of: {', '.join(values)}")
    annotation = getattr(getattr(error.validator, "parent", None), "annotation", None)
    return Problem(element, message, " ".join(str(annotation or "").split()))


def _readable(name: str) -> str:
    return name.replace(f"{{{XML}}}", "xml:")


def _plain(words: str) -> str:
    """A message without namespaces."""
    return re.sub(r"\{[^}]*\}|\btei:", "", words).strip()
