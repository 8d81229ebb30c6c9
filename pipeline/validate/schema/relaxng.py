"""RELAX NG: the verdict by libxml2, and what the grammar allows at the place of each error, for messages.

libxml2 takes ten seconds to compile ``tei_all.rng``, nearly all of it for comparing the alternatives of large content
models. A document of a hundred different elements cannot use the other five hundred. `Gate` replaces these by
``notAllowed``: the verdict on this document is the same, and the grammar compiles in hundredths of a second. libxml2
matches content models with ``notAllowed`` step by step instead of by an automaton, which may take minutes in large
documents; these get the whole grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

from lxml import etree

from pipeline.errors import Message, suggestion
from pipeline.model.vocabulary import TEI
from pipeline.tei.tree import Element, bare, cut, local, strip_words
from pipeline.validate.positions import called, element_at
from pipeline.validate.rule import LIMIT, Problem

_SHOWN = 40
"""Names that are listed; tei_all allows some two hundred in a paragraph."""
_NOISE = re.compile(r"has extra content|failed to validate|Invalid sequence|Extra element|Expecting an? ?$|IDREF")
_MISSING = re.compile(r"Expecting an element (\S+), got nothing")
_INCOMPLETE = re.compile(r"Element \S+ failed to validate content$")
_MISPLACED = re.compile(r"(?:Did not expect element|Expecting element \S+, got|Element \S+ has extra content:) (\S+)")
_WITHIN = re.compile(r"Element (\S+) failed to validate attributes")
"""What libxml2 reports at a child of an element that must be empty."""
_NOT_ALLOWED = "<{}> is not allowed here in <{}>"
_NO_ATTRIBUTE = "<{}> cannot have the attribute {}"
_TEXT = "text directly in <{}>"
"""Forms of messages that say which node is at fault."""
_ATTRIBUTE = re.compile(r"Invalid attribute (\S+) for element")


class Grammar:
    """The declarations of one grammar."""

    def __init__(self, root: Element) -> None:
        self.defines: dict[str, list[Element]] = {}
        self.elements: dict[str, list[Element]] = {}
        self.starts = list(root.iter("{*}start"))
        for each in root.iter("{*}define"):
            self.defines.setdefault(each.get("name", ""), []).append(each)
        for each in root.iter("{*}element"):
            self.elements.setdefault(_name(each), []).append(each)

    @cache  # noqa: B019 - a grammar lives as long as the process
    def inside(self, name: str, kind: str) -> tuple[str, ...]:
        """Return the names of what is allowed in an element, of kind ``element`` or ``attribute``."""
        found: dict[str, None] = {}
        for element in self.elements.get(name, ()):
            self._collect(element, kind, found, set())
        return tuple(sorted(each for each in found if each))

    def _collect(self, pattern: Element, kind: str, found: dict[str, None], seen: set[str]) -> None:
        for child in pattern:
            tag = etree.QName(child).localname if isinstance(child.tag, str) else ""
            if tag == kind:
                found[_name(child)] = None
            elif tag == "ref" and (name := child.get("name", "")) not in seen:
                seen.add(name)
                for define in self.defines.get(name, ()):
                    self._collect(define, kind, found, seen)
            elif tag not in ("element", "attribute"):
                self._collect(child, kind, found, seen)

    def problems(self, log: Iterable[tuple[str, str]], root: Element) -> list[Problem]:
        """Return what libxml2 reports, each fault once, with what is allowed there; up to `LIMIT`."""
        faults: dict[tuple[Element, str], Problem] = {}
        rest: list[Problem] = []
        for message, path in islice(log, 5 * LIMIT):  # of a long log most lines say what the others said
            problem = self._problem(message, element_at(root, path))
            if _NOISE.search(message) and not problem.mend:
                rest.append(problem)
            else:
                faults.setdefault((problem.element, problem.message), problem)
        # elements that libxml2 calls misplaced only because their content is wrong are left out
        wrong = {above for each in faults.values() for above in each.element.iterancestors()}
        left = [each for each in faults.values() if each.element not in wrong or not self.fits(each)]
        if left or not rest or not _INCOMPLETE.search(rest[0].message):
            return (left or rest[:1])[:LIMIT]
        element = rest[0].element
        message = Message("something required in <{}> is missing or out of order", called(element))
        return [replace(rest[0], message=message, mend=self._may(etree.QName(element).localname, "", "element"))]

    def fits(self, problem: Problem) -> bool:
        """Whether an element that libxml2 calls misplaced is allowed in its parent."""
        parent = problem.element.getparent()
        message = problem.message
        misplaced = message.form == _NOT_ALLOWED and message.values[0] == called(problem.element)
        if parent is None or not misplaced or etree.QName(problem.element).namespace != TEI:
            return False
        return etree.QName(problem.element).localname in self.inside(etree.QName(parent).localname, "element")

    def _problem(self, message: str, element: Element) -> Problem:
        here, parent = etree.QName(element).localname, element.getparent()
        if found := _MISPLACED.match(message):
            if found[1] == "text" and element.find("{*}text") is None and (parent is None or here != "text"):
                return self._words(element)  # how libxml2 calls words
            if here == found[1]:  # libxml2 reports the path of the misplaced element, or of its parent
                return self._cannot(element, parent, found[1])
            return self._cannot(next(element.iterchildren(f"{{*}}{found[1]}"), None), element, found[1])
        found = _WITHIN.match(message)
        if found and parent is not None and etree.QName(parent).localname == found[1]:
            return self._cannot(element, parent, here)
        if found := _ATTRIBUTE.match(message):
            name, mend = found[1], self._may(here, found[1], "attribute")
            for each in map(etree.QName, element.attrib):
                if each.localname == name and each.namespace and element.get(name) is None:
                    prefix = next((p for p, uri in element.nsmap.items() if uri == each.namespace and p), "xml")
                    name = f"{prefix}:{name}"
            return Problem(element, Message(_NO_ATTRIBUTE, called(element), name), mend)
        if found := _MISSING.match(message):
            return Problem(element, Message("<{}> lacks <{}>", called(element), found[1]))
        if "Did not expect text" in message:
            return self._words(element)
        return Problem(element, Message("<{}>: {}", called(element), message))

    def _cannot(self, wrong: Element | None, within: Element | None, name: str) -> Problem:
        shown = name if wrong is None else called(wrong)
        if within is None:
            assert wrong is not None
            names: dict[str, None] = {}
            for start in self.starts:
                self._collect(start, "element", names, set())
            first = ", ".join(f"<{each}>" for each in names if each) or Message("another element")
            message = Message("<{}> cannot be the outermost element", shown)
            return Problem(wrong, message, Message("expected: {}", first))
        at = within if wrong is None else wrong
        holder = etree.QName(within).localname
        mend, foreign = self._may(holder, name, "element"), etree.QName(at).namespace != TEI and not at.prefix
        if at is wrong and foreign and name in self.inside(holder, "element"):
            mend = Message('it is not in the namespace of TEI: xmlns="{}"', TEI)
        return Problem(at, Message(_NOT_ALLOWED, shown, called(within)), mend)

    def _words(self, element: Element) -> Problem:
        here = etree.QName(element).localname
        return Problem(element, Message(_TEXT, called(element)), self._may(here, "", "element"))

    def _may(self, name: str, wrong: str, kind: str) -> Message:
        known = self.inside(name, kind)
        if near := suggestion(wrong, sorted({*known} - {wrong}), ""):
            return near
        names: str = ", ".join(known[:_SHOWN]) or Message("nothing")
        if len(known) > _SHOWN:
            names = Message("{} and {} more", names, len(known) - _SHOWN)
        if kind == "element":
            return Message("allowed in <{}>: {}", name, names)
        return Message("attributes allowed in <{}>: {}", name, names)


def delete_fault(problem: Problem) -> bool:
    """Delete the faulty node from a copy so that validation can continue; return whether that was possible."""
    element, values = problem.element, problem.message.values
    match problem.message.form:
        case form if form == _NOT_ALLOWED:
            inner = [each for each in element if isinstance(each.tag, str) and called(each) == values[0]]
            wrong = element if called(element) == values[0] else next(iter(inner), None)
            if wrong is None or wrong.getparent() is None:
                return False
            cut(wrong)
        case form if form == _NO_ATTRIBUTE:
            wanted = str(values[1]).rpartition(":")[2]
            names = [each for each in element.attrib if str(each).rpartition("}")[2] == wanted]
            for name in names:
                del element.attrib[name]
            return bool(names)
        case form if form == _TEXT:
            strip_words(element)
        case _:
            return False
    return True


def _name(pattern: Element) -> str:
    inner = pattern.find("{*}name")
    return (pattern.get("name") or ("" if inner is None else inner.text or "")).strip().rpartition(":")[2]


RNG = "http://relaxng.org/ns/structure/1.0"
MANY = 5000
"""With more elements the whole grammar is used. Up to here each of some 30 texts by others and generated ones took less
than 0.3 seconds step by step; an edition of 40,000 elements took two minutes, and by the whole grammar 4 seconds
besides the 10 for compiling it. A lower number compiles the whole more often, a higher one risks such minutes."""


class Gate:
    """A grammar of which only the part that documents need is compiled."""

    def __init__(self, grammar: Element) -> None:
        self._grammar = grammar
        self._named = {each.get("name", "").strip() for each in grammar.iter(f"{{{RNG}}}element")} - {""}
        self._prunable = grammar.find(f".//{{{RNG}}}include") is None and grammar.find(
            f".//{{{RNG}}}externalRef") is None and not any(":" in each for each in self._named)
        self._known: frozenset[str] = frozenset()
        """The elements of the compiled part."""
        self._part = etree.RelaxNG(self._pruned()) if self._prunable else etree.RelaxNG(grammar.getroottree())
        self._whole = None if self._prunable else self._part

    def validate(self, root: Element) -> list[tuple[str, str]]:
        """Return what libxml2 finds: messages with paths of elements; nothing if the document is valid."""
        found = [bare(each) for each in root.iter() if isinstance(each.tag, str)]
        used = self._named.intersection(found)
        if self._whole is None and len(found) > MANY:
            self._whole = etree.RelaxNG(self._grammar.getroottree())
        elif self._whole is None and not used <= self._known:
            self._known |= used
            self._part = etree.RelaxNG(self._pruned())
        return _log(self._part if self._whole is None else self._whole, root)

    def alone(self, root: Element) -> list[tuple[str, str]]:
        """Return what libxml2 finds in an element that is the root of its own tree, whatever its parent was."""
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
        return _log(etree.RelaxNG(grammar), root)

    def _pruned(self) -> Element:
        root = deepcopy(self._grammar)
        for each in list(root.iter(f"{{{RNG}}}element")):
            name, parent = each.get("name", "").strip(), each.getparent()
            if name and name not in self._known and parent is not None:
                parent.replace(each, etree.Element(f"{{{RNG}}}notAllowed"))
        return root


def _log(gate: etree.RelaxNG, root: Element) -> list[tuple[str, str]]:
    """Return the log of libxml2, which is silent on an outermost element that the grammar does not know."""
    if gate.validate(root):
        return []
    log: Any = gate.error_log  # the stubs do not say that it can be gone through
    told = [(str(each.message), each.path or "") for each in log]
    return told or [(f"Did not expect element {local(root)} there", "")]
