"""Schemas that the user names: RELAX NG (XML or compact syntax), XSD, ISO Schematron; the root element says which.

Schematron inside a RELAX NG grammar is run too. ``rnc2rng`` reads compact syntax.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from urllib.parse import unquote

import xmlschema
from lxml import etree

from pipeline.errors import Place, TeiError
from pipeline.model.pointers import address
from pipeline.model.vocabulary import TEI
from pipeline.system.listing import read
from pipeline.tei.tree import Element, alone, parse, place, serialise
from pipeline.validate.rule import LIMIT, Found, Problem
from pipeline.validate.schema.jiaokan import crowded
from pipeline.validate.schema.relaxng import MANY, RNG, Gate, Grammar, delete_fault
from pipeline.validate.schema.schematron import Embedded, Schematron

XSD = "http://www.w3.org/2001/XMLSchema"
ROUNDS = 25
"""Times that a document is validated again, each time without the faults found before."""
FEW = 3
"""The same for a large document, where each time takes seconds."""
_USABLE = "a schema is RELAX NG (.rng, .rnc), XSD or ISO Schematron"
_Check = Callable[[Element], list[Found]]


def check(path: Path, root: Element) -> list[Found]:
    """Return what a schema finds in a document; raises TeiError if the file is not a schema, or cannot be used."""
    crowd = crowded(root)
    return [crowd] if crowd else _schema(path, path.resolve(), path.stat().st_mtime_ns)(root)


@cache
def _schema(path: Path, _where: Path, _changed: int) -> _Check:
    data = content(path)
    if path.suffix == ".rnc":
        return _relax(from_compact(data, path), path)
    root = parse(data, name=str(path))
    match etree.QName(root).namespace:
        case "http://relaxng.org/ns/structure/1.0":
            if next(root.iter(f"{{{RNG}}}include", f"{{{RNG}}}externalRef"), None) is not None:
                _reachable(path, set())  # then libxml2 may read what it includes
                try:
                    root = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
                except etree.XMLSyntaxError as error:
                    raise _unusable(path, error) from None
            return _relax(root, path)
        case "http://www.w3.org/2001/XMLSchema":
            return partial(_by_xsd, path)
        case "http://purl.oclc.org/dsdl/schematron":
            rules = Schematron(read(path), str(path))
            return lambda document: rules.check(document, serialise(document))
    if root.find(f".//{{{TEI}}}schemaSpec") is not None:
        raise TeiError("an ODD has to be compiled to be a schema", place=Place(str(path)),
                       mend="compile it with the TEI Stylesheets (teitorelaxng) or Roma; give the .rng")
    raise TeiError("this is not a schema", place=Place(str(path)), mend=_USABLE)


def content(path: Path) -> bytes:
    """Return the bytes of a schema, decompressed if it is ``.xz``."""
    data = read(path)
    return lzma.decompress(data) if path.suffix == ".xz" else data


def _reachable(path: Path, seen: set[Path]) -> None:
    """Raise TeiError unless the grammar and all that it includes are files that may be read."""
    seen.add(path.resolve())
    for each in parse(read(path), name=str(path)).iter(f"{{{RNG}}}include", f"{{{RNG}}}externalRef"):
        href = each.get("href", "")
        if address(href).scheme or address(href).netloc:
            raise TeiError(f"the schema includes {href!r}, which is no file here", place=place(each, str(path)),
                           mend="put a copy beside it, and name that")
        inner = path.parent / unquote(address(href).path)
        if inner.resolve() not in seen:
            _reachable(inner, seen)


def _relax(root: Element, path: Path) -> _Check:
    try:
        gate = Gate(root)
    except etree.RelaxNGParseError as error:
        raise _unusable(path, error) from None
    grammar, rules = Grammar(root), Embedded(root, str(path))

    def find(document: Element) -> list[Found]:
        found = [Found("structure", "error", each) for each in _all_faults(gate, grammar, document)]
        return [*found, *rules.check(document)]

    return find


def _all_faults(gate: Gate, grammar: Grammar, root: Element) -> list[Problem]:
    """Return all faults: libxml2 stops at the first of an element, which is then deleted in a copy to continue."""
    if not (log := gate.validate(root)):
        return []
    copy = deepcopy(root)
    origin = dict(zip(copy.iter(), root.iter(), strict=True))
    found: list[Problem] = []
    for number in range(ROUNDS if len(origin) <= MANY else FEW):
        seen = [each for each in grammar.problems(log, copy) if each.mend or not number]  # else what cutting left
        problems = [inner for each in seen for inner in _inside(each, gate, grammar)]
        found += [replace(each, element=origin[each.element]) for each in problems]
        deleted = [each for each in problems if delete_fault(each)]
        if not deleted or len(found) >= LIMIT or not (log := gate.validate(copy)):
            break
    return list({(each.element, each.message): each for each in found}.values())[:LIMIT]


def _inside(problem: Problem, gate: Gate, grammar: Grammar) -> list[Problem]:
    """Return the faults inside an element that libxml2 wrongly calls misplaced; else the problem itself."""
    if not grammar.fits(problem):
        return [problem]
    copy = alone(problem.element)
    origin = dict(zip(copy.iter(), problem.element.iter(), strict=True))
    log = gate.alone(copy)
    found = [each for told in grammar.problems(log, copy) for each in _inside(told, gate, grammar)] if log else []
    return [replace(each, element=origin[each.element]) for each in found] or [problem]


def _by_xsd(path: Path, root: Element) -> list[Found]:
    from pipeline.validate.schema.xsd import reasons

    try:
        return [Found("structure", "error", each) for each in reasons(root, path)]
    except xmlschema.XMLSchemaException as error:
        raise _unusable(path, error) from None


def _unusable(path: Path, error: Exception) -> TeiError:
    return TeiError(f"the schema cannot be used: {str(error).splitlines()[0]}", place=Place(str(path)), mend=_USABLE)


_OTHERS = re.compile(rb"^[^#\n]*\b(?:include|external)\s+[\"']", re.M)
"""References to other files, which rnc2rng would open wherever they are."""


def from_compact(data: bytes, path: Path) -> Element:
    """Return a grammar in XML syntax; raises TeiError if it is not compact syntax, or includes other files."""
    import rnc2rng  # rply builds its tables at import: only where such a schema is given
    from rnc2rng.parser import ParseError
    from rply import LexingError

    if _OTHERS.search(data):
        raise TeiError("a grammar in compact syntax that includes another is not read", place=Place(str(path)),
                       mend="give it in XML syntax: trang FILE.rnc FILE.rng")
    try:
        made = rnc2rng.dumps(rnc2rng.loads(data.decode("utf-8-sig")))
        root = parse(made.encode(), name=str(path))
    except (ParseError, LexingError, TeiError, LookupError, ValueError, AttributeError) as error:
        # AttributeError is what rnc2rng raises where the grammar ends too early
        where = f": {error.msg}" if isinstance(error, ParseError) else ""
        raise TeiError(f"the grammar in compact syntax cannot be read{where}".split("\n")[0], place=Place(str(path)),
                       mend="look whether jing takes it; or give it in XML syntax: trang FILE.rnc FILE.rng") from None
    return root
