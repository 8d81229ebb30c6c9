"""Schemas that the user names: RELAX NG (XML or compact syntax), XSD, ISO Schematron; the root element says which.

Schematron inside a RELAX NG grammar is run too.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable
from copy import deepcopy
from functools import cache, cached_property
from pathlib import Path

from lxml import etree

from jiaokan.errors import Message, Place, Severity, TeiError
from jiaokan.model.vocabulary import TEI
from jiaokan.relaxng import RNG, Grammar, GrammarCheck, GrammarError, from_compact
from jiaokan.system.listing import read
from jiaokan.tei.tree import Element, alone, parse, serialise
from jiaokan.validate.rule import LIMIT, Found, Problem, Spot
from jiaokan.validate.schema.jiaokan import find_crowded_element

XSD = "http://www.w3.org/2001/XMLSchema"
_USABLE = Message("the-schema-relax-ng-rng-rnc")
_Check = Callable[[Element], list[Found]]


def check(path: Path, root: Element) -> list[Found]:
    """Return what a schema finds in a document; raises TeiError if the file is not a schema, or cannot be used, or one
    of its patterns takes too long."""
    crowd = find_crowded_element(root)
    try:
        return [crowd] if crowd else load(path)(root)
    except TeiError as error:
        raise TeiError(error.message, place=error.place or Place(str(path)), mend=error.mend) from None


def load(path: Path) -> _Check:
    """Return the check by a schema; raises TeiError if the file is not a schema, or cannot be used."""
    return _schema(path, path.resolve(), path.stat().st_mtime_ns)


@cache
def _schema(path: Path, _where: Path, _changed: int) -> _Check:
    data = content(path)
    if path.suffix == ".rnc":
        return _relax(from_compact(data, path), path)
    root = parse(data, name=str(path))
    match etree.QName(root).namespace:
        case namespace if namespace == RNG:
            return _relax(root, path)
        case "http://www.w3.org/2001/XMLSchema":
            return _by_xsd(path)
        case "http://purl.oclc.org/dsdl/schematron" | "http://www.ascc.net/xml/schematron":
            rules = Schematron(read(path).replace(_SCHEMATRON_1_5, SCHEMATRON.encode()), str(path))
            return lambda document: rules.check(document, serialise(document))
    if root.find(f".//{{{TEI}}}schemaSpec") is not None:
        raise TeiError(Message("odd-compiled-schema"), place=Place(str(path)),
                       mend=Message("compile-tei-stylesheets-teitorelaxng-roma"))
    raise TeiError(Message("not-schema"), place=Place(str(path)), mend=_USABLE)


def content(path: Path) -> bytes:
    """Return the bytes of a schema, decompressed if it is ``.xz``."""
    data = read(path)
    return lzma.decompress(data) if path.suffix == ".xz" else data


def _relax(root: Element, path: Path) -> _Check:
    try:
        judge = GrammarCheck(Grammar(root, path, _load), LIMIT)
    except (GrammarError, RecursionError) as error:
        raise _unusable(path, error) from None
    rules = Embedded(root, str(path))

    def find(document: Element) -> list[Found]:
        faults = judge.faults(document)
        misplaced = {fault.element for fault in faults if fault.misplaced}
        problems = (Problem(fault.element, fault.message, fault.mend, attribute=fault.attribute,
                            spot=Spot(*fault.words) if fault.words else None) for fault in faults)
        # of an element that may not be there at all the rules of the same schema say the same again
        return [*(Found("structure", "error", problem) for problem in problems),
                *(broken for broken in rules.check(document) if broken.problem.element not in misplaced)]

    return find


def _load(path: Path) -> Element:
    data = read(path)
    return from_compact(data, path) if path.suffix == ".rnc" else parse(data, name=str(path))


def _by_xsd(path: Path) -> _Check:
    import xmlschema  # takes as long as to check some ten files

    from jiaokan.validate.schema.xsd import compiled, reasons

    try:
        compiled(path)
    except xmlschema.XMLSchemaException as error:
        raise _unusable(path, error) from None

    def find(root: Element) -> list[Found]:
        try:
            return [Found("structure", "error", fault) for fault in reasons(root, path)]
        except xmlschema.XMLSchemaException as error:
            raise _unusable(path, error) from None

    return find


def _unusable(path: Path, error: Exception) -> TeiError:
    return TeiError(Message("the-schema-unusable", why=str(error).splitlines()[0]), place=Place(str(path)),
                    mend=_USABLE)


SCHEMATRON = "http://purl.oclc.org/dsdl/schematron"
_SCHEMATRON_1_5 = b"http://www.ascc.net/xml/schematron"
"""The namespace before ISO; EpiDoc's rules have it. What they use of it ISO has under the same names."""
_STEP = re.compile(r"/Q\{([^}]*)\}([^\[/]+)\[(\d+)\]")
_WARNING, _INFO = frozenset({"warning", "warn", "nonfatal"}), frozenset({"info", "information"})


class Schematron:
    """The rules of one schema."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.name = data, name
        root = parse(data, name=name)
        for kind in ("include", "extends[@href]"):
            if root.find(f".//{{{SCHEMATRON}}}{kind}") is not None:
                raise TeiError(Message("schematron-schema-includes-another-not"), place=Place(name),
                               mend=Message("put-both-file"))

    @cached_property
    def _stylesheet(self) -> str:
        from jiaokan.system.xslt import transform  # Saxon is loaded only where Schematron is asked for

        return transform("xslt/schematron/compile.xsl", self.data)

    def check(self, root: Element, data: bytes) -> list[Found]:
        """Return what the rules find in a document; raises RenderError if an expression is invalid."""
        from jiaokan.system.xslt import transform_by

        findings: list[Found] = []
        for report in etree.fromstring(transform_by(self._stylesheet, data, name=self.name).encode()):
            element, role, more = root, report.get("role", "").lower(), report.find("diagnostic")
            for namespace, name, number in _STEP.findall(report.get("path", ""))[1:]:
                element = element.findall(f"{{{namespace}}}{name}" if namespace else name)[int(number) - 1]
            mend = "" if more is None else " ".join("".join(map(str, more.itertext())).split())
            whole = " ".join("".join(map(str, report.itertext())).split())
            message = whole.removesuffix(mend).strip() if mend else whole
            problem = Problem(element, Message.of(message), Message.of(mend))
            findings.append(Found(report.get("rule", ""), _severity(role), problem))
        return findings


def _severity(role: str) -> Severity:
    if role in _WARNING:
        return "warning"
    return "info" if role in _INFO else "error"


XSL = "http://www.w3.org/1999/XSL/Transform"
_SCH = f"{{{SCHEMATRON}}}"
_ONE = re.compile(r"\s*(?:[\w.-]+:)?([A-Za-z][\w.-]*)\s*(?:\[.*\])?\s*", re.S)
"""A context that is one element name, with or without a predicate."""


class Embedded:
    """The rules of one grammar."""

    def __init__(self, grammar: Element, name: str) -> None:
        self._shared: dict[str, Element] = {}
        for declaration in grammar.iter(f"{_SCH}ns", f"{_SCH}let", f"{{{XSL}}}key"):
            if not _inside(declaration):  # a prefix may be declared often
                self._shared.setdefault(declaration.get("prefix", "") or declaration.get("name", ""), declaration)
        self._patterns: list[Element] = []  # its patterns; a rule outside a pattern becomes one
        for node in grammar.iter(f"{_SCH}pattern", f"{_SCH}rule"):
            if not _inside(node):
                pattern = alone(node)
                if node.tag == f"{_SCH}rule":
                    pattern = etree.Element(f"{_SCH}pattern")
                    pattern.append(alone(node))
                pattern.attrib.pop("id", "")  # made by a program: says nothing to a reader
                self._patterns.append(pattern)
        schema = etree.Element(f"{_SCH}schema", {"queryBinding": "xslt2"}, nsmap={"sch": SCHEMATRON})
        schema.extend(map(deepcopy, self._shared.values()))
        schema.extend(map(deepcopy, self._patterns))
        self._schematron = Schematron(etree.tostring(schema), name)

    def check(self, root: Element) -> list[Found]:
        """Return what the rules find in a document; raises RenderError if an expression is invalid."""
        names = {tag.rpartition("}")[2] for tag in {element.tag for element in root.iter("*")}}
        if not any(_may_match(pattern, names) for pattern in self._patterns):
            return []  # Saxon need not be loaded
        return self._schematron.check(root, serialise(root))


def _inside(element: Element) -> bool:
    return any(ancestor.tag in (f"{_SCH}pattern", f"{_SCH}rule") for ancestor in element.iterancestors())


def _may_match(pattern: Element, names: set[str]) -> bool:
    """Whether a pattern can match in a document with these elements; if unsure, it may."""
    if pattern.get("is-a") or pattern.get("abstract") == "true":
        return True
    for rule in pattern.iter(f"{_SCH}rule"):
        steps = [_ONE.fullmatch(part) for part in re.split(r"\|(?![^\[]*\])", rule.get("context", ""))]
        if any(step is None or step[1] in names for step in steps):
            return True
    return False
