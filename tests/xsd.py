"""The XSD as a table of what it declares, its content models and datatypes said as ODD says them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.builder import ElementMaker

from jiaokan.model.vocabulary import TEI

XS = "{http://www.w3.org/2001/XMLSchema}"
FILES = ("jiaokan", "inline", "header", "values", "xml")
T = ElementMaker(namespace=TEI, nsmap={None: TEI})
Element = Any


@dataclass
class Declared:
    """An element as one place of the XSD declares it."""

    name: str
    parent: str
    content: list[Element] = field(default_factory=list)
    attributes: dict[str, Element] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    counted: dict[str, str] = field(default_factory=dict)
    """Of children that may stand in any order, each once: the least number of each."""


def repeated(particle: Element, occurs: dict[str, str]) -> Element:
    """What stands so often, with no group around it: the TEI Stylesheets merge groups of one and lose it."""
    if particle.attrib and set(particle.attrib) != {"key"} and occurs:
        return T.sequence(particle, **occurs)
    particle.attrib.update(occurs)
    return particle


class Xsd:
    """The XSD, read as a table of what is declared."""

    def __init__(self, folder: Path) -> None:
        roots = [etree.parse(str(folder / f"{name}.xsd")).getroot() for name in FILES]
        self.named = {(etree.QName(e).localname, e.get("name")): e for r in roots for e in r if e.get("name")}
        self.declared: dict[str, list[Declared]] = {}
        for root in roots:
            for element in root.findall(f"{XS}element"):
                self._element(element, "")

    def _element(self, element: Element, parent: str) -> None:
        made = Declared(element.get("name"), parent)
        known = self.declared.setdefault(made.name, [])
        if any(each.parent == parent for each in known):
            return
        known.append(made)
        kind = element.find(f"{XS}complexType")
        if kind is None:
            kind = self.named.get(("complexType", element.get("type")))
        if kind is None:
            made.content = [self._text(element.get("type"))]
        else:
            self._type(kind, made)

    def _text(self, base: str | None) -> Element:
        if base == "filled":
            return T.dataRef(name="string", restriction=r"[\s\S]+")
        return T.textNode()

    def _type(self, kind: Element, made: Declared) -> None:
        """Content and attributes of a complex type."""
        extension = kind.find(f"./*/{XS}extension")
        body = kind if extension is None else extension
        if extension is not None:
            base = self.named.get(("complexType", extension.get("base")))
            if base is not None:
                self._type(base, made)
            else:
                made.content = [self._text(extension.get("base"))]
        particle = next((e for e in body if e.tag in (f"{XS}sequence", f"{XS}choice", f"{XS}all")), None)
        if particle is not None:
            content = self._particle(particle, made)
            if kind.get("mixed") and content.tag == f"{{{TEI}}}alternate":
                content.insert(0, T.textNode())
            made.content = [content]
        elif not made.content:
            made.content = [T.empty()]
        for attribute in self._attributes(body):
            name = attribute.get("name") or attribute.get("ref")
            made.attributes[name] = attribute
            if attribute.get("use") == "required":
                made.required.add(name)

    def _attributes(self, body: Element) -> Iterator[Element]:
        for each in body:
            if each.tag == f"{XS}attribute":
                yield each
            elif each.tag == f"{XS}attributeGroup":
                yield from self._attributes(self.named["attributeGroup", each.get("ref")])

    def _particle(self, particle: Element, made: Declared) -> Element:
        """A sequence, choice or all as ODD says it."""
        occurs = {k: v for k in ("minOccurs", "maxOccurs") if (v := particle.get(k))}
        tag = etree.QName(particle).localname
        if tag == "element":
            if particle.get("name"):
                self._element(particle, made.name)
            return T.elementRef(key=particle.get("ref") or particle.get("name"), **occurs)
        if tag == "group":
            return repeated(self._particle(self.named["group", particle.get("ref")][0], made), occurs)
        children = [self._particle(each, made) for each in particle if isinstance(each.tag, str)]
        children = [each for each in children if each is not None]
        if len(children) == 1:
            return repeated(children[0], occurs)
        if tag == "choice":
            flat = [g for c in children for g in (c if c.tag == f"{{{TEI}}}alternate" and not c.attrib else [c])]
            return T.alternate(*flat, **occurs)
        if tag == "all":
            made.counted = {e.get("key"): e.attrib.pop("minOccurs", "1") for e in children}
            return T.alternate(*children, maxOccurs="unbounded")
        return T.sequence(*children, **occurs)

    def datatype(self, attribute: Element) -> tuple[Element, list[str]]:
        """What an attribute's value may be: a datatype of ODD, and the closed list if there is one."""
        if attribute.get("ref"):
            attribute = self.named["attribute", attribute.get("ref").removeprefix("xml:")]
        simple = attribute.find(f"{XS}simpleType")
        return self._simple(simple if simple is not None else attribute.get("type"))

    def _simple(self, kind: Any) -> tuple[Element, list[str]]:
        if isinstance(kind, str):
            if kind.startswith("xs:"):
                return T.datatype(T.dataRef(name=kind[3:])), []
            kind = self.named["simpleType", kind]
        listed = kind.find(f".//{XS}list")
        if listed is not None:
            union = kind.find(f".//{XS}union")
            members = union.get("memberTypes").split() if union is not None else [listed.get("itemType")]
            patterns = [self.named["simpleType", m].find(f".//{XS}pattern").get("value") for m in members]
            made = T.dataRef(name="token", restriction="|".join(f"({p})" for p in patterns))
            return T.datatype(made, minOccurs="1", maxOccurs="unbounded"), []
        values = [each.get("value") for each in kind.iter(f"{XS}enumeration")]
        restriction = kind.find(f"{XS}restriction")
        made = T.dataRef(name=restriction.get("base")[3:])
        if (pattern := restriction.find(f"{XS}pattern")) is not None:
            made.set("restriction", pattern.get("value"))
        return T.datatype(made), values
