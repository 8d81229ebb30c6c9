"""The quick verdict on a document by a RELAX NG grammar: libxml2, given only what the document can ask of it.

To compile ``tei_all.rng`` takes libxml2 ten seconds, nearly all of it for comparing the alternatives of large content
models with each other. A document of a hundred different elements cannot use the other five hundred: where these are
replaced by ``notAllowed`` the verdict on this document is the same, and the grammar is compiled in hundredths of a
second. Content models with ``notAllowed`` libxml2 matches step by step instead of by an automaton, which in large
documents may take minutes; these get the whole grammar.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lxml import etree

from pipeline.tei.tree import Element, bare, local

RNG = "http://relaxng.org/ns/structure/1.0"
MANY = 5000
"""With more elements the whole grammar is asked: up to here each of some 30 texts by others and made ones took less
than 0.3 seconds step by step; an edition of 40,000 elements took two minutes, and by the whole grammar 4 seconds
besides the 10 for compiling it. A lower number compiles the whole more often, a higher one risks such minutes."""



class Gate:
    """A grammar that is compiled as far as documents need it."""

    def __init__(self, grammar: Element) -> None:
        """Take the root of a grammar in XML syntax; raises lxml's RelaxNGParseError for one that cannot be used."""
        self._grammar = grammar
        self._named = {each.get("name", "").strip() for each in grammar.iter(f"{{{RNG}}}element")} - {""}
        self._prunable = grammar.find(f".//{{{RNG}}}include") is None and grammar.find(
            f".//{{{RNG}}}externalRef") is None and not any(":" in each for each in self._named)
        self._known: frozenset[str] = frozenset()
        """The elements that the compiled part knows."""
        self._part = etree.RelaxNG(self._pruned()) if self._prunable else etree.RelaxNG(grammar.getroottree())
        self._whole = None if self._prunable else self._part

    def validate(self, root: Element) -> list[tuple[str, str]]:
        """Give what libxml2 finds, each a message and the path of an element; nothing if the document is valid."""
        return _told(self._for(root), root)

    def alone(self, root: Element) -> list[tuple[str, str]]:
        """Give what libxml2 finds in an element that is the root of a tree of its own, whatever it may stand in."""
        name = local(root)
        if not self._prunable or name not in self._named:
            return []
        names = {bare(each) for each in root.iter() if isinstance(each.tag, str)}
        self._known |= names & self._named
        grammar = self._pruned()
        for start in grammar.findall(f"{{{RNG}}}start"):
            grammar.remove(start)
        start = etree.SubElement(etree.SubElement(grammar, f"{{{RNG}}}start"), f"{{{RNG}}}choice")
        start.extend(deepcopy(each) for each in self._grammar.iter(f"{{{RNG}}}element") if each.get("name") == name)
        for each in list(start.iter(f"{{{RNG}}}element")):
            if each.getparent() is not start and each.get("name") not in self._known:
                each.getparent().replace(each, etree.Element(f"{{{RNG}}}notAllowed"))  # type: ignore[union-attr]
        return _told(etree.RelaxNG(grammar), root)

    def _for(self, root: Element) -> etree.RelaxNG:
        """The grammar, with at least all that a document uses."""
        found = [bare(each) for each in root.iter() if isinstance(each.tag, str)]
        names = frozenset(found)
        if self._whole is None and len(found) > MANY:
            self._whole = etree.RelaxNG(self._grammar.getroottree())
        if self._whole is not None:
            return self._whole
        if not names & self._named <= self._known:
            self._known |= names & self._named
            self._part = etree.RelaxNG(self._pruned())
        return self._part

    def _pruned(self) -> Element:
        """The grammar without the elements that no document used so far."""
        root = deepcopy(self._grammar)
        for each in list(root.iter(f"{{{RNG}}}element")):
            name, parent = each.get("name", "").strip(), each.getparent()
            if name and name not in self._known and parent is not None:
                parent.replace(each, etree.Element(f"{{{RNG}}}notAllowed"))
        return root


def _told(gate: etree.RelaxNG, root: Element) -> list[tuple[str, str]]:
    """What libxml2 finds; of an outermost element that no grammar knows it says nothing."""
    if gate.validate(root):
        return []
    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    told = [(str(each.message), each.path or "") for each in log]
    return told or [(f"Did not expect element {local(root)} there", "")]
