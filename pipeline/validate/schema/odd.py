"""RELAX NG from an ODD that declares its elements completely, as ``schema/jiaokan.odd`` does.

What an ODD takes from the TEI's own declarations (whole modules, classes, macros, elements that are changed only) is
compiled by the TEI Stylesheets with the source of the Guidelines; such an ODD is refused here. What the elements of a
content model are called in ODD: TEI Guidelines, chapter 22 (Documentation Elements).
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.builder import ElementMaker  # type: ignore[import-not-found]  # the stubs lack it

from pipeline.errors import Place, TeiError
from pipeline.model.numerals import whole
from pipeline.model.vocabulary import TEI
from pipeline.tei.tree import Element
from pipeline.validate.schema.relaxng import RNG
from pipeline.validate.schema.schematron import SCHEMATRON

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
