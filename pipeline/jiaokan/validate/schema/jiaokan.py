"""The verdict of our own schema, by libxml2; and what libxml2 reports, in words for people.

If a document is invalid, xmlschema finds the reasons, which takes longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from lxml import etree

from jiaokan.errors import Message, Place, TeiError
from jiaokan.model.vocabulary import TEI, XML
from jiaokan.system.listing import resource
from jiaokan.tei.tree import NOT_WELL_FORMED, Element, local
from jiaokan.validate.positions import element_at
from jiaokan.validate.rule import LIMIT, Found, Problem

SCHEMA = "schema/jiaokan.xsd"
CROWD = 1000
POPULOUS = 5_000  # with more children in an element xmlschema, which takes quadratic time, does not explain the faults


@cache
def _gate() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(resource(SCHEMA))))


def check(root: Element) -> list[Found]:
    """Return what is wrong with the structure of a document; nothing if it is valid."""
    gate = _gate()
    if gate.validate(root):
        return []
    if crowd := crowded(root):
        return [crowd]
    from jiaokan.validate.schema.xsd import reasons  # xmlschema takes longer to import than a sound file to check

    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    populous = any(len(each) > POPULOUS for each in root.iter())
    found = [] if populous else reasons(root, resource(SCHEMA), doubtful(root, log))
    if not found:
        found = [Problem(at, Message("<{}>: {}", local(at), plain(each.message)))
                 for each in log for at in [element_at(root, each.path)]][:LIMIT]
    return [Found("structure", "error", each) for each in found]


def doubtful(root: Element, log: Iterable[Any]) -> set[Element]:
    """Return the elements that can be at fault by the log of libxml2; all others are sound. These are the elements
    named and all that hold them; and, as libxml2 goes no further in an element in which a child is not expected, that
    child and all that follow it there, with all that they hold."""
    found: set[Element] = set()
    for entry in log:
        at = element_at(root, entry.path)
        found.update((at, *at.iterancestors()))
        if "not expected" in str(entry.message):
            found.update(inside for each in (at, *at.itersiblings()) for inside in each.iter())
    return found


def crowded(root: Element) -> Found | None:
    """Return a finding if an element has more than `CROWD` attributes: to explain them all would take hours."""
    for element in root.iter():
        if isinstance(element.tag, str) and len(element.attrib) > CROWD:
            message = Message("<{}> has {} attributes", local(element), len(element.attrib))
            return Found("structure", "error", Problem(element, message))
    return None


def plain(message: str) -> str:
    """Return a message of libxml2 without namespaces."""
    return message.replace(f"{{{TEI}}}", "").replace(f"{{{XML}}}", "xml:")


_MALFORMED: tuple[tuple[str, Message, Message], ...] = (
    (r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)",
     Message("</{}> found while <{}> of line {} is still open", 3, 1, 2), Message("close it first: </{}>", 1)),
    (r"Premature end of data in tag (\S+) line (\d+)",
     Message("the file ends while <{}> of line {} is still open", 1, 2),
     Message("check that the file is complete, or add </{}>", 1)),
    (r"Couldn't find end of Start Tag (\S+).*", Message("the tag <{} is not closed", 1), Message("close it with >")),
    (r"expected '>'", Message("a tag is not closed"), Message("close it with >")),
    (r"Entity '(\S+)' not defined", Message("undeclared entity &{};", 1),
     Message("write the character itself; XML knows only &amp; &lt; &gt; &quot; &apos;")),
    (r"xmlParseEntityRef: no name", Message("a bare &"), Message("write &amp;")),
    (r"EntityRef: expecting ';'", Message("an & without its ;"), Message("write &amp; for the character &")),
    (r"StartTag: invalid element name", Message("a < that does not begin a tag"),
     Message("write &lt; for the character <")),
    (r"Attribute (\S+) redefined", Message("duplicate attribute {} in one tag", 1), Message("remove one of them")),
    (r"AttValue: .*expected", Message("an attribute value without quotation marks"), Message('write NAME="VALUE"')),
    (r"Specification mandates? value for attribute (\S+)", Message("the attribute {} has no value", 1),
     Message('write {}="VALUE"', 1)),
    (r"attributes construct error", Message("no space between two attributes"),
     Message("add a space, or the missing quotation mark")),
    (r"Unescaped '<' not allowed in attributes values", Message("a < in an attribute value"),
     Message("write &lt;, or add the missing quotation mark before it")),
    (r"(?:PCDATA invalid Char value|xmlParseCharRef: invalid xmlChar value) (\d+)|Invalid character: Char 0x(\w+).*",
     Message("a character that XML does not allow"), Message("remove it")),
    (r"CharRef: .*", Message("an invalid character reference"), Message("write it as in &#x793C;")),
    (r"Extra content at the end of the document", Message("content after the outermost element"),
     Message("keep one outermost element")),
    (r"Document is empty|Start tag expected, '<' not found", Message("this is not XML"), Message("use a TEI document")),
    (r"XML declaration allowed only at the start of the document",
     Message("<?xml …?> is not at the very beginning of the file"),
     Message("remove what precedes it, white space too")),
    (r"(?:Invalid bytes in character encoding|Incomplete UTF-8 sequence|Input is not proper UTF-8).*",
     Message("these bytes are not UTF-8"), Message("save the file as UTF-8")),
    (r"Namespace prefix (\S+) .*not defined", Message("undeclared prefix {}:", 1),
     Message('write xmlns:{}="…" in a tag around it', 1)),
    (r"Comment not terminated.*", Message("a comment is not closed"), Message("close it with -->")),
    (r"Double hyphen within comment.*", Message("two hyphens inside a comment"),
     Message("remove them; only --> may end a comment")),
    (r"CData section not finished.*", Message("a CDATA section is not closed"), Message("close it with ]]>")),
    (r"Sequence '\]\]>' not allowed in content", Message("]]> in the text"), Message("write ]]&gt;")),
)
"""What libxml2 reports: pattern, our message and mend, their values numbers of the pattern's groups."""


def explain(error: TeiError, name: str) -> tuple[Place, Message, Message]:
    """Return place, message and mend for a file that was rejected; unknown messages of libxml2 stay as they are."""
    place, message = error.place or Place(name), Message.of(error.message)
    if message.form == NOT_WELL_FORMED:
        said = str(message.values[0]).strip()
        for pattern, ours, mend in _MALFORMED:
            if found := re.fullmatch(pattern, said):
                if "entity" in ours.form and place.column:  # libxml2 reports the place behind it
                    place = replace(place, column=max(1, place.column - len(found[1]) - 1))
                why, how = (Message(each.form, *(found[int(n)] or "" for n in each.values)) for each in (ours, mend))
                return place, Message(NOT_WELL_FORMED, why), how
    return place, message, Message.of(error.mend)
