"""The verdict of our own schema, by libxml2; and what libxml2 reports, in words for people.

If a document is invalid, xmlschema finds the reasons, which takes longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from lxml import etree

from jiaokan.errors import Message, Place, TeiError
from jiaokan.model.vocabulary import TEI, XML
from jiaokan.system.listing import resource
from jiaokan.tei.tree import NOT_WELL_FORMED, Element, local, select_elements
from jiaokan.validate.positions import element_at
from jiaokan.validate.rule import LIMIT, Found, Problem

SCHEMA = "schema/jiaokan.xsd"
CROWD = 1000
_CROWDED = etree.XPath(f"descendant-or-self::*[@*[{CROWD + 1}]]")
POPULOUS = 5_000  # with more children in an element xmlschema, which takes quadratic time, does not explain the faults


@cache
def _gate() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(str(resource(SCHEMA))))


def check(root: Element) -> list[Found]:
    """Return what is wrong with the structure of a document; nothing if it is valid."""
    gate = _gate()
    if gate.validate(root):
        return []
    if crowd := find_crowded_element(root):
        return [crowd]
    from jiaokan.validate.schema.xsd import reasons  # xmlschema takes longer to import than a sound file to check

    log: Iterable[etree._LogEntry] = gate.error_log  # type: ignore[assignment]  # the stubs do not say so
    populous = any(len(element) > POPULOUS for element in root.iter())
    problems = [] if populous else reasons(root, resource(SCHEMA), doubtful(root, log))
    if not problems:
        problems = [Problem(at, Message("element-problem", element=local(at), message=plain(entry.message)))
                    for entry in log for at in [element_at(root, entry.path)]][:LIMIT]
    return [Found("structure", "error", fault) for fault in problems]


def doubtful(root: Element, log: Iterable[etree._LogEntry]) -> set[Element]:
    """Return the elements that can be at fault by the log of libxml2; all others are sound. These are the elements
    named and all that hold them; and, as libxml2 goes no further in an element in which a child is not expected, that
    child and all that follow it there, with all that they hold."""
    suspects: set[Element] = set()
    for entry in log:
        at = element_at(root, entry.path)
        suspects.update((at, *at.iterancestors()))
        if "not expected" in str(entry.message):
            suspects.update(inside for sibling in (at, *at.itersiblings()) for inside in sibling.iter())
    return suspects


def find_crowded_element(root: Element) -> Found | None:
    """Return a finding if an element has more than `CROWD` attributes: to explain them all would take hours."""
    for element in select_elements(_CROWDED, root):
        message = Message("too-many-attributes", element=local(element), count=len(element.attrib))
        return Found("structure", "error", Problem(element, message))
    return None


def plain(message: str) -> str:
    """Return a message of libxml2 without namespaces."""
    return message.replace(f"{{{TEI}}}", "").replace(f"{{{XML}}}", "xml:")


_MALFORMED: tuple[tuple[str, Message, Message], ...] = (
    (r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)",
     Message("end-tag-mismatch", found=3, element=1, line=2), Message("close-first", element=1)),
    (r"Premature end of data in tag (\S+) line (\d+)",
     Message("file-ends-within-element", element=1, line=2),
     Message("check-file-complete", element=1)),
    (r"Couldn't find end of Start Tag (\S+).*", Message("tag-not-closed", element=1), Message("close-it-with")),
    (r"expected '>'", Message("a-tag-is-not-closed"), Message("close-it-with")),
    (r"Entity '(\S+)' not defined", Message("entity-undeclared", name=1),
     Message("write-character-itself-xml-knows")),
    (r"xmlParseEntityRef: no name", Message("bare-ampersand"), Message("write-amp")),
    (r"EntityRef: expecting ';'", Message("ampersand-without-semicolon"), Message("write-amp-character")),
    (r"StartTag: invalid element name", Message("not-begin-tag"),
     Message("write-lt-character")),
    (r"Attribute (\S+) redefined", Message("attribute-duplicate", attribute=1), Message("remove-one-of-them")),
    (r"AttValue: .*expected", Message("attribute-value-without-quotation-marks"), Message("write-name-value")),
    (r"Specification mandates? value for attribute (\S+)", Message("attribute-without-value", attribute=1),
     Message("write-attribute-value", attribute=1)),
    (r"attributes construct error", Message("no-space-between-two-attributes"),
     Message("add-space-missing-quotation-mark")),
    (r"Unescaped '<' not allowed in attributes values", Message("attribute-value"),
     Message("write-lt-add-missing-quotation")),
    (r"(?:PCDATA invalid Char value|xmlParseCharRef: invalid xmlChar value) (\d+)|Invalid character: Char 0x(\w+).*",
     Message("character-xml-not-allow"), Message("remove-it")),
    (r"CharRef: .*", Message("invalid-character-reference"), Message("write-x793c")),
    (r"Extra content at the end of the document", Message("content-after-outermost-element"),
     Message("keep-outermost-element")),
    (r"Document is empty|Start tag expected, '<' not found", Message("not-xml"), Message("use-tei-document")),
    (r"XML declaration allowed only at the start of the document",
     Message("xml-not-very-beginning-file"),
     Message("remove-precedes-white-space-too")),
    (r"(?:Invalid bytes in character encoding|Incomplete UTF-8 sequence|Input is not proper UTF-8).*",
     Message("bytes-not-utf"), Message("save-file-utf")),
    (r"Namespace prefix (\S+) .*not defined", Message("prefix-undeclared", prefix=1),
     Message("write-xmlns", prefix=1)),
    (r"Comment not terminated.*", Message("comment-not-closed"), Message("close-comment")),
    (r"Double hyphen within comment.*", Message("two-hyphens-inside-comment"),
     Message("remove-end-comment")),
    (r"CData section not finished.*", Message("cdata-section-not-closed"), Message("close-cdata")),
    (r"Sequence '\]\]>' not allowed in content", Message("in-the-text"), Message("write-gt")),
)
"""What libxml2 reports: pattern, our message and mend, their values numbers of the pattern's groups."""


def explain(error: TeiError, name: str) -> tuple[Place, Message, Message]:
    """Return place, message and mend for a file that was rejected; unknown messages of libxml2 stay as they are."""
    place, message = error.place or Place(name), Message.of(error.message)
    if message.id == NOT_WELL_FORMED:
        reason = str(message.values["reason"]).strip()
        for pattern, ours, mend in _MALFORMED:
            if match := re.fullmatch(pattern, reason):
                if "entity" in ours.id and place.column:  # libxml2 reports the place behind it
                    place = replace(place, column=max(1, place.column - len(match[1]) - 1))
                why, how = (Message(wording.id, **{name: match[int(n)] or "" for name, n in wording.values.items()})
                            for wording in (ours, mend))
                return place, Message(NOT_WELL_FORMED, reason=why), how
    return place, message, Message.of(error.mend)
