"""Schemas that the user names: RELAX NG (XML or compact syntax), XSD, ISO Schematron, ODD; the root element says which.

Schematron inside a RELAX NG grammar or an ODD is run too. ``rnc2rng`` reads compact syntax.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import xmlschema
from lxml import etree
from lxml.builder import ElementMaker  # type: ignore[import-not-found]  # the stubs lack it

from pipeline.errors import Place, TeiError
from pipeline.model.numerals import whole
from pipeline.model.pointers import address
from pipeline.model.vocabulary import TEI
from pipeline.system.listing import read
from pipeline.tei.tree import Element, alone, parse, place, serialise
from pipeline.validate.rule import LIMIT, Found, Problem
from pipeline.validate.schema.jiaokan import crowded
from pipeline.validate.schema.relaxng import MANY, RNG, Gate, Grammar, delete_fault
from pipeline.validate.schema.schematron import SCHEMATRON, Embedded, Schematron

XSD = "http://www.w3.org/2001/XMLSchema"
ROUNDS = 25
"""Times that a document is validated again, each time without the faults found before."""
FEW = 3
"""The same for a large document, where each time takes seconds."""
_USABLE = "a schema is RELAX NG (.rng, .rnc), XSD, ISO Schematron, or an ODD that spells out its elements"
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
        case _ if etree.QName(root).namespace == TEI and root.find(f".//{{{TEI}}}schemaSpec") is not None:
            return _relax(grammar(root, path), path)
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


R: Any = ElementMaker(namespace=RNG, nsmap={None: RNG, "sch": SCHEMATRON})
_OCCURS = {("0", "1"): "optional", ("0", "unbounded"): "zeroOrMore", ("1", "unbounded"): "oneOrMore"}
_BORROWED = "classRef", "macroRef", "attRef", "memberOf", "specGrpRef", "dataRef[@key]", "classSpec", "macroSpec"
"""Elements of ODD that refer to the source of the Guidelines or to other files."""
_MOST = 10_000
"""Elements of a grammar that a repetition may produce; the whole grammar of the TEI has 20,000."""
_DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"


def find(node: Element, path: str) -> list[Any]:
    """Evaluate XPath on an ODD: ``t`` is TEI, ``sch`` Schematron."""
    found: Any = node.xpath(path, namespaces={"t": TEI, "sch": SCHEMATRON})
    return list(found)


def grammar(odd: Element, path: Path) -> Element:
    """Return the grammar of an ODD with its Schematron rules; raises TeiError if it borrows from the TEI's own ODD."""
    if borrowed := next(_borrowed(odd), ""):
        raise TeiError(
            f"this ODD takes {borrowed} from the TEI's own declarations, which is not compiled here",
            place=Place(str(path)), mend="compile it with the TEI Stylesheets (teitorelaxng) or Roma; give the .rng",
        )
    starts = " ".join(map(str, find(odd, "//t:schemaSpec/@start"))).split() or ["TEI"]
    made = R.grammar(R.start(R.choice(*(R.ref(name=each) for each in starts))), datatypeLibrary=_DATATYPES)
    for spec in find(odd, "//t:elementSpec"):
        element = R.element(name=spec.get("ident"), ns=spec.get("ns") or TEI)
        for definition in find(spec, "t:attList//t:attDef"):
            values = find(definition, "t:valList[@type = 'closed']/t:valItem/@ident")
            datatypes = find(definition, "t:datatype/*")
            inner = _choice(values) if values else _data(datatypes[0]) if datatypes else R.text()
            if find(definition, "t:datatype/@maxOccurs"):
                inner = R.list(R.oneOrMore(inner))
            attribute = R.attribute(inner, name=definition.get("ident"))
            element.append(attribute if definition.get("usage") == "req" else R.optional(attribute))
        element.extend(_pattern(each) for each in find(spec, "t:content/*"))
        if not find(spec, "t:content/*"):
            element.append(R.empty())
        made.append(R.define(element, name=spec.get("ident")))
    made.extend(deepcopy(each) for each in find(odd, "//t:constraint/*[not(self::sch:rule or self::sch:pattern)]"))
    made.extend(deepcopy(each) for each in find(odd, "//t:constraint/sch:rule | //t:constraint/sch:pattern"))
    return etree.fromstring(etree.tostring(made))


def _borrowed(odd: Element) -> Iterator[str]:
    spelt = {str(each) for each in find(odd, "//t:elementSpec[@mode = 'replace' or @mode = 'add' or t:content]/@ident")}
    for each in find(odd, "//t:schemaSpec//t:moduleRef[@key != 'tei']"):
        wanted = each.get("include", "").split()
        if not wanted:
            yield f"the module {each.get('key')}"
        yield from (f"<{name}>" for name in wanted if name not in spelt)
    yield from (f"<{each}>" for each in find(odd, "//t:elementSpec[@mode = 'change']/@ident"))
    for kind in _BORROWED:
        for each in find(odd, f"//t:schemaSpec//t:{kind}"):
            name = each.get("key") or each.get("ident") or each.get("class") or each.get("target", "")
            yield f"{name} (<{etree.QName(each).localname}>)"
    known = {str(each) for each in find(odd, "//t:elementSpec/@ident")}
    yield from (f"<{each}>" for each in find(odd, "//t:elementRef/@key") if each not in known)


def _pattern(content: Element) -> Element:
    match etree.QName(content).localname:
        case "textNode":
            made = R.text()
        case "empty":
            made = R.empty()
        case "elementRef":
            made = R.ref(name=content.get("key"))
        case "dataRef":
            made = _data(content)
        case "valList":
            made = _choice(find(content, "t:valItem/@ident"))
        case "alternate":
            made = R.choice(*map(_pattern, content))
        case _ if etree.QName(content).namespace == RNG:
            return deepcopy(content)
        case _:
            made = R.group(*map(_pattern, content))
    return _repeated(made, content.get("minOccurs", "1"), content.get("maxOccurs", "1"))


def _repeated(made: Element, least: str, most: str) -> Element:
    """Repeat a pattern per minOccurs and maxOccurs."""
    if (least, most) == ("1", "1"):
        return made
    if (least, most) in _OCCURS:
        repeated: Element = R(_OCCURS[least, most], made)
        return repeated
    often, most_often = whole(least, -1), whole(most, -1)
    size = sum(1 for _ in made.iter()) * max(often, most_often)
    if often < 0 or (most != "unbounded" and most_often < often) or size > _MOST:
        raise TeiError(f"minOccurs={least[:20]!r} and maxOccurs={most[:20]!r} are not numbers, or too large",
                       mend=f"at most {_MOST:,} elements may come from a content model")
    group: Element = R.group(*(deepcopy(made) for _ in range(often)))
    if most == "unbounded":
        group.append(R.zeroOrMore(deepcopy(made)))
    else:
        group.extend(R.optional(deepcopy(made)) for _ in range(most_often - often))
    return group


def _choice(values: list[Any]) -> Element:
    made: Element = R.choice(*(R.value(str(each), type="token") for each in values))
    return made


def _data(reference: Element) -> Element:
    made: Element = R.data(type=reference.get("name"))
    if restriction := reference.get("restriction"):
        made.append(R.param(restriction, name="pattern"))
    return made
