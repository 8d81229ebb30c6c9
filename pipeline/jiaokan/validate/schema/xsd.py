"""The reasons why a document is invalid by an XSD, by xmlschema, in words for people who do not know the schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import cache
from pathlib import Path
from typing import Any

from lxml import etree
from xmlschema.validators import XMLSchemaChildrenValidationError, XsdAttributeGroup, XsdEnumerationFacets

from jiaokan import messages
from jiaokan.errors import Message, suggestion
from jiaokan.model.vocabulary import TEI, XML
from jiaokan.relaxng import DATES, FORMS, explain_date, list_values
from jiaokan.tei.tree import ID, Element, local, mixed_content
from jiaokan.validate.positions import element_name
from jiaokan.validate.rule import LIMIT, NOTHING, Problem, Spot

_VERSION_1_1 = re.compile(
    rb"minVersion\s*=\s*[\"']1\.[1-9]"
    rb"|<(?:[\w.-]+:)?(?:assert|assertion|alternative|override|(?:defaultO|o)penContent|explicitTimezone)[\s/>]")
"""What only XSD 1.1 knows. By a processor of 1.0 a schema with such a ``minVersion`` has no declarations at all."""
_LONG_NUMBER = re.compile(r"\s*(-?[0-9]{10,})")


@cache
def compiled(schema: Path) -> Any:
    """Return a schema compiled by xmlschema, which takes a quarter of a second; raises xmlschema's own errors."""
    from jiaokan.validate.schema.timed import TimedSchema10, TimedSchema11

    kind = TimedSchema11 if _VERSION_1_1.search(schema.read_bytes()) else TimedSchema10
    return kind(str(schema), allow="local", defuse="always")


def reasons(root: Element, schema: Path, doubtful: Set[Element] | None = None) -> list[Problem]:
    """Return what is wrong with the structure of a document by an XSD, up to `LIMIT` problems. If `doubtful` is given,
    only these elements are checked: xmlschema takes a second for ten thousand. Raises xmlschema's own errors if the
    schema cannot be used."""
    problems: dict[tuple[Element, str], Problem] = {}
    passed = None if doubtful is None else lambda element, _: element not in doubtful
    try:
        for error in compiled(schema).iter_errors(root, validation_hook=passed):
            new_problem = problem(error, root)
            problems.setdefault((new_problem.element, new_problem.message), new_problem)
            if len(problems) == LIMIT:
                break
    except OverflowError:  # of a year, which xmlschema takes up to 2³¹; the rest is reported when it is mended
        for element in root.iter("*"):
            for number in filter(None, map(_LONG_NUMBER.match, (*element.attrib.values(), element.text or ""))):
                message = Message("not-year", element=local(element), number=number[1][:20])
                problems.setdefault((element, message), Problem(element, message, FORMS["gYear"]))
    return list(problems.values())


def problem(error: Any, root: Element) -> Problem:
    """Return an error of xmlschema as a problem at the element at fault."""
    element: Element = error.elem if error.elem is not None else root
    if isinstance(error, XMLSchemaChildrenValidationError):
        return _children(error, element)
    reason = str(error.reason)
    if "is not an element of the schema" in reason and element.getparent() is None:
        mend = Message("expected-value", expected="<TEI>")
        if local(element) == "TEI":
            mend = Message("not-namespace-tei-xmlns", tei=TEI)
        return Problem(element, Message("cannot-outermost-element", element=element_name(element)), mend)
    if "character data between child elements" in reason:
        return _stray_words(element, _names(error.validator.iter_elements()))
    if isinstance(error.validator, XsdAttributeGroup):
        return _attributes(error, element, reason)
    if attribute := re.match(r"attribute ([^=]+)=", reason):
        return _value(error, element, attribute[1])
    return Problem(element,
                   Message("element-problem", element=local(element),
                           message=re.sub(r"\{[^}]*\}|\btei:", "", reason).strip()))


def _children(error: Any, element: Element) -> Problem:
    expected = _names(error.expected or ())
    if error.invalid_tag is None:
        return Problem(element, Message("not-complete", element=local(element)),
                       Message("missing-elements", elements=", ".join(expected)))
    child = error.invalid_child if error.invalid_child is not None else element
    allowed = _names(child for child in error.validator.iter_elements())
    tag = etree.QName(child)
    message = Message("is-not-allowed-here-in", element=element_name(child), element2=element_name(element))
    if tag.localname in allowed and tag.namespace != TEI and not child.prefix:
        return Problem(child, message, Message("not-namespace-tei-xmlns", tei=TEI))
    if local(child) in allowed:
        order = Message("expected-order", allowed=", ".join(allowed))
        return Problem(child, message, Message("expected-here", expected=", ".join(expected)) if expected else order)
    return Problem(child, message, suggestion(local(child), sorted(allowed), may(element, allowed)))


def _names(elements: Iterable[Any]) -> list[str]:
    return list(dict.fromkeys(str(element.local_name) for element in elements))


def _stray_words(element: Element, allowed: list[str]) -> Problem:
    before: Element | None = None
    for node in mixed_content(element, ""):
        if not isinstance(node, str):
            before = node
        elif words := node.strip():
            message = Message("text-directly", element=local(element), stray=words[:20])
            return Problem(element, message, may(element, allowed), spot=Spot(before, node.index(words)))
    return Problem(element, Message("text-directly-in", element=local(element)), may(element, allowed))


def may(element: Element, allowed: Iterable[str]) -> Message:
    """Return what is allowed in an element."""
    return Message("allowed-in", element=local(element), names=", ".join(allowed) or Message("nothing"))


def _attributes(error: Any, element: Element, reason: str) -> Problem:
    allowed = [_readable(str(name)) for name in error.validator if name]
    missing = re.match(r"missing required attribute '([^']+)'", reason)
    if missing:
        attribute = error.validator.get(missing[1])
        values = () if attribute is None else attribute.type.enumeration or ()
        mend = Message("expected-one-of", expected=list_values(map(str, values))) if values else NOTHING
        message = Message("lacks-attribute", element=local(element), readable=_readable(missing[1]))
        return Problem(element, message, mend)
    unexpected = re.match(r"'([^']+)' attribute not allowed", reason)
    name = _readable(unexpected[1]) if unexpected else ""
    prefixes = {uri: prefix for prefix, uri in element.nsmap.items() if prefix}
    if unexpected and (namespace := unexpected[1].removeprefix("{").rpartition("}")[0]) in prefixes:
        name = f"{prefixes[namespace]}:{unexpected[1].rpartition('}')[2]}"
    known = suggestion(name, sorted(allowed),
                       Message("allowed-attributes", allowed=", ".join(allowed) or Message("none")))
    message = Message("attribute-not-allowed", element=local(element), attribute=name or Message("unknown"))
    return Problem(element, message, known, attribute=name)


def _value(error: Any, element: Element, name: str) -> Problem:
    written, readable = element.get(name) or "", _readable(name)
    message = Message("attribute-value-invalid", element=local(element), key=readable, value=written)
    if isinstance(error.validator, XsdEnumerationFacets):
        values = [str(value) for value in error.validator.enumeration]
        mend = suggestion(written, sorted(values), Message("expected-one-of", expected=list_values(values)))
        return Problem(element, message, mend, attribute=readable)
    types: list[str] = []
    kind = getattr(error.validator, "parent", None) or error.validator
    while kind is not None:
        types.append(str(getattr(kind, "local_name", "")))
        types += [str(member.local_name) for member in getattr(kind, "member_types", None) or ()]
        kind = getattr(kind, "base_type", None)
    annotation = getattr(getattr(error.validator, "parent", None), "annotation", None)
    reason = explain_date(written) if DATES.intersection(types) else NOTHING
    if reason:
        mend = reason
    elif described := " ".join(str(annotation or "").split()):
        mend = _describe_type(described)
    else:
        mend = next((FORMS[type_name] for type_name in types if type_name in FORMS), NOTHING)
    if types[:1] == ["pointer"] and any(node.get(ID) == written for node in element.getroottree().iter()):
        mend = Message("did-you-mean", name=f"#{written}")
    return Problem(element, message, mend, attribute=readable)


def _describe_type(annotation: str) -> Message:
    """Return what a type of a schema says of the form of its values: a message, if the schema is ours."""
    identifier = messages.id_of(annotation, "schema-")
    return Message(identifier) if identifier else Message.of(annotation)


def _readable(name: str) -> str:
    return name.replace(f"{{{XML}}}", "xml:")
