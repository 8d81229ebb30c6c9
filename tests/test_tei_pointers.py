"""Ids and pointers of a tree of TEI."""

from __future__ import annotations

import pytest

from jiaokan.tei.pointers import ids_in, pointed_id, pointer_attributes
from jiaokan.tei.tree import parse

TREE = parse(b"""<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="t">
<teiHeader><prefixDef ident="w" replacementPattern="a.xml#$1"/></teiHeader>
<text><p xml:id="t.1" n="a">#t.9<note xml:id="t.2" target="#t.1 http://x.org/#y" resp="#zx"/>
<ref target="words:t.1/0/2" n='say "#t"'/></p></text></TEI>""", name="t")


def test_ids_are_those_of_elements() -> None:
    assert ids_in(TREE) == {"t", "t.1", "t.2"}
    assert ids_in(TREE[1]) == {"t.1", "t.2"}


def test_attributes_with_pointers_are_found_and_patterns_and_text_are_not() -> None:
    found = [(attribute.name, attribute.pointers()) for attribute in pointer_attributes(TREE)]
    assert found == [("target", ["#t.1", "http://x.org/#y"]), ("resp", ["#zx"]),
                     ("target", ["words:t.1/0/2"]), ("n", ["say", '"#t"'])]


@pytest.mark.parametrize(("pointer", "identifier"), [
    ("#t.1", "t.1"), ("#string-range(t.1,0,2)", "t.1"), ("http://x.org/#y", ""), ("w:a.1", ""), ("", ""), ("#", ""),
    ('"#t"', ""), ("#string-range(t.1", "t.1"),
    ("words:t.1/0/2", "t.1"), ("words:t.1", "t.1"), ("words:論.一/1/0", "論.一"), ("word:t.1/0/2", ""),
    ("#論.一", "論.一"),
])
def test_a_pointer_leads_to_an_id_of_the_file_or_elsewhere(pointer: str, identifier: str) -> None:
    assert pointed_id(pointer) == identifier
