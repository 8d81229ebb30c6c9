"""The grammar and the Schematron rules of schema/jiaokan.odd, which declares its elements completely."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from lxml import etree
from lxml.builder import ElementMaker

from jiaokan.model.vocabulary import TEI
from jiaokan.relaxng import RNG
from jiaokan.validate.schema.given import SCHEMATRON as SCH

S = ElementMaker(namespace=SCH, nsmap={None: SCH})
Element = Any
R = ElementMaker(namespace=RNG, nsmap={None: RNG, "sch": SCH})
_OCCURS = {("0", "1"): "optional", ("0", "unbounded"): "zeroOrMore", ("1", "unbounded"): "oneOrMore"}
_DATATYPES = "http://www.w3.org/2001/XMLSchema-datatypes"


def relax(given: Element) -> etree.RelaxNG:
    """The grammar of an ODD, compiled."""
    return etree.RelaxNG(etree.fromstring(grammar(given)))


def grammar(given: Element) -> bytes:
    """The grammar that the content models, attributes and value lists of an ODD make."""
    return etree.tostring(_compiled(given))


def schematron(given: Element) -> bytes:
    """The rules in the constraints of an ODD, each a pattern."""
    made = S.schema(queryBinding="xslt2")
    shared = find(given, "//t:constraintSpec[@ident = 'shared']/t:constraint/*")
    made.extend(shared)
    for rule in find(given, "//t:constraint/sch:rule"):
        made.append(S.pattern(rule))
    return etree.tostring(made)


def find(node: Element, path: str) -> list[Any]:
    """Evaluate XPath on an ODD: ``t`` is TEI, ``sch`` Schematron."""
    found: Any = node.xpath(path, namespaces={"t": TEI, "sch": SCH})
    return list(found)


def _compiled(odd: Element) -> Element:
    """Return the grammar of an ODD that declares its elements completely, with its Schematron rules."""
    starts = " ".join(map(str, find(odd, "//t:schemaSpec/@start"))).split() or ["TEI"]
    made = R.grammar(R.start(R.choice(*(R.ref(name=each) for each in starts))), datatypeLibrary=_DATATYPES)
    for spec in find(odd, "//t:elementSpec"):
        element = R.element(name=spec.get("ident"), ns=spec.get("ns") or TEI)
        for definition in find(spec, "t:attList//t:attDef[not(@mode = 'delete')]"):
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
    often, most_often = int(least), int(most) if most != "unbounded" else 0
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
