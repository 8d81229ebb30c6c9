"""The grammar and the Schematron rules of schema/jiaokan.odd, as the program compiles ODD."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lxml import etree
from lxml.builder import ElementMaker

from pipeline.validate.schema import given as compiled
from pipeline.validate.schema.given import find

SCH = "http://purl.oclc.org/dsdl/schematron"
S = ElementMaker(namespace=SCH, nsmap={None: SCH})
Element = Any
__all__ = ["find", "grammar", "relax", "schematron"]


def relax(given: Element) -> etree.RelaxNG:
    """The grammar of an ODD, compiled."""
    return etree.RelaxNG(etree.fromstring(grammar(given)))


def grammar(given: Element) -> bytes:
    """The grammar that the content models, attributes and value lists of an ODD make."""
    return etree.tostring(compiled.grammar(given, Path("jiaokan.odd")))


def schematron(given: Element) -> bytes:
    """The rules in the constraints of an ODD, each a pattern."""
    made = S.schema(queryBinding="xslt2")
    shared = find(given, "//t:constraintSpec[@ident = 'shared']/t:constraint/*")
    made.extend(shared)
    for rule in find(given, "//t:constraint/sch:rule"):
        made.append(S.pattern(rule))
    return etree.tostring(made)
