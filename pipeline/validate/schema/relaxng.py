"""What a RELAX NG grammar lets stand where, for messages: libxml2 says only that something may not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from lxml import etree

from pipeline.tei.tree import Element, cut, strip_words
from pipeline.validate.rule import Problem, nearest

LIMIT = 200
_SHOWN = 40
"""So many names are listed; a paragraph of tei_all may hold some two hundred."""
_NOISE = re.compile(r"has extra content|failed to validate|Invalid sequence|Extra element|Expecting an? ?$|IDREF")
_MISPLACED = re.compile(r"(?:Did not expect element|Expecting element \S+, got|Element \S+ has extra content:) (\S+)")
_ATTRIBUTE = re.compile(r"Invalid attribute (\S+) for element")


class Grammar:
    """The declarations of one grammar."""

    def __init__(self, root: Element) -> None:
        """Take the root of a grammar in XML syntax."""
        self.defines: dict[str, list[Element]] = {}
        self.elements: dict[str, list[Element]] = {}
        for each in root.iter("{*}define"):
            self.defines.setdefault(each.get("name", ""), []).append(each)
        for each in root.iter("{*}element"):
            self.elements.setdefault(_name(each), []).append(each)

    @cache  # noqa: B019 - a grammar lives as long as the process
    def inside(self, name: str, kind: str) -> tuple[str, ...]:
        """Give the names of what may stand in an element: of kind ``element`` or ``attribute``."""
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

    def problems(self, log: Iterable[Any], root: Element) -> list[Problem]:
        """Give what libxml2 found, each thing once, with what may stand there; up to `LIMIT`."""
        told: dict[tuple[Element, str], Problem] = {}
        rest: list[Problem] = []
        for entry in log:
            problem = self._problem(str(entry.message), _element(root, entry.path))
            if _NOISE.search(str(entry.message)) and not problem.mend:
                rest.append(problem)
            else:
                told.setdefault((problem.element, problem.message), problem)
        return (list(told.values()) or rest[:1])[:LIMIT]

    def _problem(self, message: str, element: Element) -> Problem:
        here = etree.QName(element).localname
        parent = element.getparent()
        above = "" if parent is None else etree.QName(parent).localname
        if found := _MISPLACED.match(message):
            holder = above if found[1] == here else here
            if found[1] == "text" and holder == here and element.find("{*}text") is None:  # how libxml2 calls words
                return Problem(element, f"words stand directly in <{here}>", self._may(here, "", "element"))
            mend = self._may(holder, found[1], "element")
            return Problem(element, f"<{found[1]}> cannot stand here in <{holder}>", mend)
        if found := _ATTRIBUTE.match(message):
            mend = self._may(here, found[1], "attribute")
            return Problem(element, f"<{here}> cannot have the attribute {found[1]}", mend)
        if "Did not expect text" in message:
            return Problem(element, f"words stand directly in <{here}>", self._may(here, "", "element"))
        return Problem(element, f"<{here}>: {message}")

    def _may(self, name: str, wrong: str, kind: str) -> str:
        """What may stand there: the nearest name, or the names."""
        known = self.inside(name, kind)
        if near := nearest(wrong, [each for each in known if each != wrong]):
            return near
        more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
        verb = "may stand" if kind == "element" else "may be the attributes"
        return f"in <{name}> {verb}: {', '.join(known[:_SHOWN]) or 'nothing'}{more}"


def mend(problem: Problem) -> bool:
    """Take what is wrong out of a copy, so that what it hid is found; give whether that could be done."""
    element, message = problem.element, problem.message
    if found := re.match(r"<(\S+)> cannot stand here", message):
        wrong = element if etree.QName(element).localname == found[1] else element.find(f"{{*}}{found[1]}")
        if wrong is None or wrong.getparent() is None:
            return False
        cut(wrong)
    elif found := re.search(r"cannot have the attribute (\S+)$", message):
        names = [each for each in element.attrib if str(each).rpartition("}")[2] == found[1].rpartition(":")[2]]
        for name in names:
            del element.attrib[name]
        return bool(names)
    elif message.startswith("words stand directly"):
        strip_words(element)
    else:
        return False
    return True


def _name(pattern: Element) -> str:
    """The name of an element or attribute pattern; empty for any name."""
    inner = pattern.find("{*}name")
    return (pattern.get("name") or ("" if inner is None else inner.text or "")).strip().rpartition(":")[2]


def _element(root: Element, path: str | None) -> Element:
    """The element that libxml2 means."""
    found: Any = root.getroottree().xpath(path) if path else []
    return found[0] if found and isinstance(found[0], etree._Element) else root
