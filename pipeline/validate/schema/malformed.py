"""What libxml2 says of a file that is not well-formed XML, in the words of somebody who writes it."""

from __future__ import annotations

import re
from dataclasses import replace

from pipeline.errors import Place, TeiError

_SAYS = "not well-formed XML: "
_KNOWN: tuple[tuple[str, str, str, int], ...] = (
    (r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)",
     "</{3}> stands where <{1}> of line {2} is still open", "end it before: </{1}>", 0),
    (r"Premature end of data in tag (\S+) line (\d+)",
     "the file ends while <{1}> of line {2} is still open", "look whether the file is complete; else add </{1}>", 0),
    (r"Couldn't find end of Start Tag (\S+).*", "the tag <{1} does not end", "end it with >", 0),
    (r"expected '>'", "a tag does not end", "end it with >", 0),
    (r"Entity '(\S+)' not defined", "the entity &{1}; is not declared",
     "write the character itself; XML knows &amp; &lt; &gt; &quot; &apos; only", 1),
    (r"xmlParseEntityRef: no name", "a bare &", "write &amp;", 0),
    (r"EntityRef: expecting ';'", "an & that no ; ends", "write &amp; for the sign itself", 0),
    (r"StartTag: invalid element name", "a < that begins no tag", "write &lt; for the sign itself", 0),
    (r"Attribute (\S+) redefined", "the attribute {1} is given twice in one tag", "take one of them away", 0),
    (r"AttValue: .*expected", "the value of an attribute is not in quotation marks", 'write NAME="VALUE"', 0),
    (r"Specification mandates? value for attribute (\S+)", "the attribute {1} has no value", 'write {1}="VALUE"', 0),
    (r"attributes construct error", "two attributes are not parted",
     "put a blank between them, or close a quotation mark", 0),
    (r"Unescaped '<' not allowed in attributes values", "a < in the value of an attribute",
     "write &lt;, or close the quotation mark before it", 0),
    (r"(?:PCDATA invalid Char value|xmlParseCharRef: invalid xmlChar value) (\d+)|Invalid character: Char 0x(\w+).*",
     "a character that XML cannot hold", "take it out", 0),
    (r"CharRef: .*", "a number of a character that is none", "write it so: &#x793C;", 0),
    (r"Extra content at the end of the document", "something stands behind the outermost element",
     "a document has one outermost element", 0),
    (r"Document is empty|Start tag expected, '<' not found", "this is no XML", "give a TEI document", 0),
    (r"XML declaration allowed only at the start of the document",
     "<?xml …?> stands elsewhere than at the very beginning", "take away what stands before it, blanks too", 0),
    (r"(?:Invalid bytes in character encoding|Incomplete UTF-8 sequence|Input is not proper UTF-8).*",
     "here are bytes that are no UTF-8", "save the file as UTF-8", 0),
    (r"Namespace prefix (\S+) .*not defined", "the prefix {1}: is not declared",
     'write xmlns:{1}="…" in a tag around it', 0),
    (r"Excessive depth in document: (\d+).*", "elements are nested more than {1} deep", "no text needs that", 0),
    (r"Comment not terminated.*", "a comment does not end", "end it with -->", 0),
    (r"Double hyphen within comment.*", "two hyphens inside a comment", "take them away; only --> may end it", 0),
    (r"CData section not finished.*", "a CDATA section does not end", "end it with ]]>", 0),
    (r"Sequence '\]\]>' not allowed in content", "]]> stands in the text", "write ]]&gt;", 0),
)
"""What it says, what that means, what to do; and whether it names the place behind what it is about."""


def told(error: TeiError, name: str) -> tuple[Place, str, str]:
    """Give place, message and mend for a file that was refused; what has no words of ours keeps libxml2's."""
    where = error.place or Place(name)
    said = error.message.removeprefix(_SAYS)
    for pattern, message, mend, behind in _KNOWN if said != error.message else ():
        if found := re.fullmatch(pattern, said.strip()):
            words = (found[0], *(each or "" for each in found.groups()))
            if behind and where.column:
                where = replace(where, column=max(1, where.column - len(words[1]) - 1))
            return where, _SAYS + message.format(*words), mend.format(*words)
    return where, error.message, error.mend
