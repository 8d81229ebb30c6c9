"""ISO Schematron by XSLT: schemas of their own, and the rules that a RELAX NG grammar of the TEI's holds."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cached_property

from lxml import etree

from pipeline.errors import Message, Place, Severity, TeiError
from pipeline.tei.tree import Element, alone, local, parse, serialise
from pipeline.validate.rule import Found, Problem

SCHEMATRON = "http://purl.oclc.org/dsdl/schematron"
_STEP = re.compile(r"/Q\{([^}]*)\}([^\[/]+)\[(\d+)\]")
_WARNING, _INFO = frozenset({"warning", "warn", "nonfatal"}), frozenset({"info", "information"})


class Schematron:
    """The rules of one schema."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name = data, name
        root = parse(data, name=name)
        for kind in ("include", "extends[@href]"):
            if root.find(f".//{{{SCHEMATRON}}}{kind}") is not None:
                raise TeiError("a Schematron schema that includes another is not read", place=Place(name),
                               mend="put both into one file")

    @cached_property
    def _stylesheet(self) -> str:
        from pipeline.system.xslt import transform  # Saxon is loaded only where Schematron is asked for

        return transform("xslt/schematron/compile.xsl", self.data)

    def check(self, root: Element, data: bytes) -> list[Found]:
        """Return what the rules find in a document; raises RenderError if an expression is invalid."""
        from pipeline.system.xslt import transform_by

        found: list[Found] = []
        for told in etree.fromstring(transform_by(self._stylesheet, data, name=self.name).encode()):
            element, role, more = root, told.get("role", "").lower(), told.find("diagnostic")
            for namespace, name, number in _STEP.findall(told.get("path", ""))[1:]:
                element = element.findall(f"{{{namespace}}}{name}" if namespace else name)[int(number) - 1]
            mend = "" if more is None else " ".join("".join(map(str, more.itertext())).split())
            whole = " ".join("".join(map(str, told.itertext())).split())
            message = whole.removesuffix(mend).strip() if mend else whole
            severity: Severity = "warning" if role in _WARNING else "info" if role in _INFO else "error"
            problem = Problem(element, Message.of(message), Message.of(mend))
            found.append(Found(told.get("rule", ""), severity, problem))
        return found


XSL = "http://www.w3.org/1999/XSL/Transform"
_SCH = f"{{{SCHEMATRON}}}"
_ONE = re.compile(r"\s*(?:[\w.-]+:)?([A-Za-z][\w.-]*)\s*(?:\[.*\])?\s*", re.S)
"""A context that is one element name, with or without a predicate."""


class Embedded:
    """The rules of one grammar."""

    def __init__(self, grammar: Element, name: str) -> None:
        self._name = name
        self._shared: dict[str, Element] = {}
        for each in grammar.iter(f"{_SCH}ns", f"{_SCH}let", f"{{{XSL}}}key"):
            if not _inside(each):  # a prefix may be declared often
                self._shared.setdefault(each.get("prefix", "") or each.get("name", ""), each)
        self._patterns: list[Element] = []
        """Its patterns; a rule outside a pattern becomes one."""
        for each in grammar.iter(f"{_SCH}pattern", f"{_SCH}rule"):
            if not _inside(each):
                pattern = alone(each)
                if each.tag == f"{_SCH}rule":
                    pattern = etree.Element(f"{_SCH}pattern")
                    pattern.append(alone(each))
                pattern.attrib.pop("id", "")  # made by a program: says nothing to a reader
                self._patterns.append(pattern)
        self._made: dict[frozenset[int], Schematron] = {}
        """What was compiled for each set of patterns."""

    def check(self, root: Element) -> list[Found]:
        """Return what the rules find in a document; raises RenderError if an expression is invalid."""
        names = {local(each) for each in root.iter() if isinstance(each.tag, str)}
        asked = frozenset(n for n, pattern in enumerate(self._patterns) if _may_match(pattern, names))
        if not asked:
            return []
        if asked not in self._made:
            schema = etree.Element(f"{_SCH}schema", {"queryBinding": "xslt2"}, nsmap={"sch": SCHEMATRON})
            schema.extend(map(deepcopy, self._shared.values()))
            schema.extend(deepcopy(self._patterns[n]) for n in sorted(asked))
            self._made[asked] = Schematron(etree.tostring(schema), self._name)
        return self._made[asked].check(root, serialise(root))


def _inside(element: Element) -> bool:
    return any(each.tag in (f"{_SCH}pattern", f"{_SCH}rule") for each in element.iterancestors())


def _may_match(pattern: Element, names: set[str]) -> bool:
    """Whether a pattern can match in a document with these elements; if unsure, it may."""
    if pattern.get("is-a") or pattern.get("abstract") == "true":
        return True
    for each in pattern.iter(f"{_SCH}rule"):
        found = [_ONE.fullmatch(part) for part in re.split(r"\|(?![^\[]*\])", each.get("context", ""))]
        if any(one is None or one[1] in names for one in found):
            return True
    return False
