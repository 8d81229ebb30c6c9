"""The quick verdict on a document by a RELAX NG grammar: libxml2, given only what the document can ask of it.

To compile ``tei_all.rng`` takes libxml2 ten seconds, nearly all of it for comparing the alternatives of large content
models with each other. A document of a hundred different elements cannot use the other five hundred: where these are
replaced by ``notAllowed`` the verdict on this document is the same, and the grammar is compiled in hundredths of a
second. Content models with ``notAllowed`` libxml2 matches step by step instead of by an automaton, in time quadratic
to the children of one element; documents with an element of very many children get the whole grammar.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lxml import etree

from pipeline.tei.tree import Element, local

RNG = "http://relaxng.org/ns/structure/1.0"
MANY = 4000
"""With so many children of one element the whole grammar is as quick: 3,000 children take a second step by step
(measured with tei_all), 10,000 take as long as it takes to compile the whole."""


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
        gate = self._for(root)
        if gate.validate(root):
            return []
        log: Any = gate.error_log  # the stubs do not say that it can be gone through
        return [(str(each.message), each.path or "") for each in log]

    def _for(self, root: Element) -> etree.RelaxNG:
        """The grammar, with at least all that a document uses."""
        names: set[str] = set()
        populous = False
        for each in root.iter():
            if isinstance(each.tag, str):
                names.add(local(each))
                populous = populous or len(each) > MANY
        if self._whole is None and populous:
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
                nothing = etree.Element(f"{{{RNG}}}notAllowed")
                nothing.tail = each.tail
                parent.replace(each, nothing)
        return root
