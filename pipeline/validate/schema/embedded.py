"""Schematron rules that stand inside a RELAX NG grammar, as the TEI's own processor writes them there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy

from lxml import etree

from pipeline.tei.tree import Element, alone, local, serialise
from pipeline.validate.rule import Found
from pipeline.validate.schema.schematron import SCHEMATRON, Schematron

XSL = "http://www.w3.org/1999/XSL/Transform"
_SCH = f"{{{SCHEMATRON}}}"
_ONE = re.compile(r"\s*(?:[\w.-]+:)?([A-Za-z][\w.-]*)\s*(?:\[.*\])?\s*", re.S)
"""A context that is the name of one element, with or without a predicate."""


class Embedded:
    """The rules of one grammar."""

    def __init__(self, grammar: Element, name: str) -> None:
        """Take the root of a grammar; `name` is its name in messages. It may hold no rules."""
        self._name = name
        self._shared = [deepcopy(each) for each in grammar.iter(f"{_SCH}ns", f"{_SCH}let", f"{{{XSL}}}key")
                        if not _inside(each)]
        self._patterns = list(_patterns(grammar))
        self._made: dict[frozenset[int], Schematron] = {}
        """By which patterns are asked: what was compiled for them."""

    def check(self, root: Element) -> list[Found]:
        """Give what the rules find in a document; raises RenderError for an expression that is none."""
        names = {local(each) for each in root.iter() if isinstance(each.tag, str)}
        asked = frozenset(n for n, pattern in enumerate(self._patterns) if _may_match(pattern, names))
        if not asked:
            return []
        if asked not in self._made:
            self._made[asked] = Schematron(self._schema(asked), self._name)
        return self._made[asked].check(root, serialise(root))

    def _schema(self, asked: Iterable[int]) -> bytes:
        """A Schematron schema of some of the patterns."""
        schema = etree.Element(f"{_SCH}schema", {"queryBinding": "xslt2"}, nsmap={"sch": SCHEMATRON})
        seen: set[str] = set()
        for each in self._shared:
            if (prefix := each.get("prefix", "") or each.get("name", "")) not in seen:  # a prefix may be declared often
                seen.add(prefix)
                schema.append(deepcopy(each))
        schema.extend(deepcopy(self._patterns[n]) for n in sorted(asked))
        return etree.tostring(schema)


def _inside(element: Element) -> bool:
    """Whether a declaration belongs to a pattern or rule."""
    return any(each.tag in (f"{_SCH}pattern", f"{_SCH}rule") for each in element.iterancestors())


def _patterns(grammar: Element) -> Iterator[Element]:
    """The patterns of a grammar; a rule or an assertion that stands in none is one."""
    for each in grammar.iter(f"{_SCH}pattern", f"{_SCH}rule"):
        if not _inside(each):
            pattern = alone(each)
            if each.tag == f"{_SCH}rule":
                whole = etree.Element(f"{_SCH}pattern")
                whole.append(pattern)
                pattern = whole
            if pattern.get("id"):
                del pattern.attrib["id"]  # made by a program: says nothing to a reader
            yield pattern


def _may_match(pattern: Element, names: set[str]) -> bool:
    """Whether a rule can be about anything in a document of these elements; where that is not plain, it may."""
    if pattern.get("is-a") or pattern.get("abstract") == "true":
        return True
    for each in pattern.iter(f"{_SCH}rule"):
        found = [_ONE.fullmatch(part) for part in re.split(r"\|(?![^\[]*\])", each.get("context", ""))]
        if any(one is None or one[1] in names for one in found):
            return True
    return False
