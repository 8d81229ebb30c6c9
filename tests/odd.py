"""A small ODD processor, for the part of ODD that schema/jiaokan.odd uses: RELAX NG and Schematron from it.

It stands in for the TEI's own Stylesheets, which no package brings: what the ODD says is then something that tests can
ask. Elements are declared whole there (``mode="replace"``), so nothing need be taken from TEI's classes.
"""

from __future__ import annotations

from typing import Any

from lxml import etree
from lxml.builder import ElementMaker

from pipeline.model.vocabulary import TEI

RNG = "http://relaxng.org/ns/structure/1.0"
SCH = "http://purl.oclc.org/dsdl/schematron"
R = ElementMaker(namespace=RNG, nsmap={None: RNG})
S = ElementMaker(namespace=SCH, nsmap={None: SCH})
_OCCURS = {("0", "1"): "optional", ("0", "unbounded"): "zeroOrMore", ("1", "unbounded"): "oneOrMore"}
Element = Any


def find(node: Element, path: str) -> list[Element]:
    return node.xpath(path, namespaces={"t": TEI, "sch": SCH})


def relax(odd: Element) -> etree.RelaxNG:
    """The grammar of an ODD, compiled."""
    return etree.RelaxNG(etree.fromstring(grammar(odd)))


def grammar(odd: Element) -> bytes:
    """The grammar that the content models, attributes and value lists of an ODD make."""
    made = R.grammar(R.start(R.ref(name="TEI")), datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes")
    for spec in find(odd, "//t:elementSpec"):
        element = R.element(name=spec.get("ident"), ns=TEI)
        element.extend(attribute(each) for each in find(spec, "t:attList/t:attDef"))
        element.extend(pattern(each) for each in find(spec, "t:content/*"))
        made.append(R.define(element, name=spec.get("ident")))
    return etree.tostring(made)


def pattern(content: Element) -> Element:
    """A content model."""
    tag = etree.QName(content).localname
    match tag:
        case "textNode":
            made = R.text()
        case "empty":
            made = R.empty()
        case "elementRef":
            made = R.ref(name=content.get("key"))
        case "dataRef":
            made = data(content)
        case "alternate":
            made = R.choice(*map(pattern, content))
        case _:
            made = R.group(*map(pattern, content))
    occurs = (content.get("minOccurs", "1"), content.get("maxOccurs", "1"))
    return made if occurs == ("1", "1") else R(_OCCURS[occurs], made)


def data(reference: Element) -> Element:
    made = R.data(type=reference.get("name"))
    if restriction := reference.get("restriction"):
        made.append(R.param(restriction, name="pattern"))
    return made


def attribute(definition: Element) -> Element:
    """An attribute with its datatype, or its closed list."""
    values = find(definition, "t:valList[@type = 'closed']/t:valItem/@ident")
    (datatype,) = find(definition, "t:datatype")
    inner = R.choice(*(R.value(each, type="token") for each in values)) if values else data(datatype[0])
    if datatype.get("maxOccurs"):
        inner = R.list(R.oneOrMore(inner))
    made = R.attribute(inner, name=definition.get("ident"))
    return made if definition.get("usage") == "req" else R.optional(made)


def schematron(odd: Element) -> bytes:
    """The rules in the constraints of an ODD, each a pattern."""
    made = S.schema(queryBinding="xslt2")
    shared = find(odd, "//t:constraintSpec[@ident = 'shared']/t:constraint/*")
    made.extend(shared)
    for rule in find(odd, "//t:constraint/sch:rule"):
        made.append(S.pattern(rule))
    return etree.tostring(made)
