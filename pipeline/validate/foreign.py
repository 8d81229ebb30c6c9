"""Schemas that are given: RELAX NG (XML syntax), XSD, ISO Schematron. Which one a file is, its root says."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import xmlschema
from lxml import etree

from pipeline.errors import Place, TeiError
from pipeline.tei.tree import Element, parse, serialise
from pipeline.validate.grammar import Grammar
from pipeline.validate.reading import read
from pipeline.validate.registry import Found
from pipeline.validate.schematron import SCHEMATRON, Schematron
from pipeline.validate.structure import crowded

RNG = "http://relaxng.org/ns/structure/1.0"
XSD = "http://www.w3.org/2001/XMLSchema"
_USABLE = "a schema is RELAX NG in XML syntax (.rng), XSD or ISO Schematron"


def check(path: Path, root: Element) -> list[Found]:
    """Give what a schema finds in a document. Raises TeiError for what is no schema, or one that cannot be used."""
    crowd = crowded(root)
    return [crowd] if crowd else _schema(path)(root)


@cache
def _schema(path: Path) -> Callable[[Element], list[Found]]:
    data = read(path)
    if path.suffix == ".rnc":
        raise TeiError("RELAX NG in compact syntax is not read", place=Place(str(path)),
                       mend="give it in XML syntax: trang FILE.rnc FILE.rng")
    namespace = etree.QName(parse(data, name=str(path))).namespace
    known = {RNG: _relax, XSD: _xsd, SCHEMATRON: _schematron}
    if namespace not in known:
        raise TeiError("this is no schema", place=Place(str(path)), mend=_USABLE)
    return known[namespace](path)


def _relax(path: Path) -> Callable[[Element], list[Found]]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        tree = etree.parse(str(path), parser)
        gate = etree.RelaxNG(tree)
    except (etree.RelaxNGParseError, etree.XMLSyntaxError) as error:
        raise _unusable(path, error) from None
    grammar = Grammar(tree.getroot())

    def find(root: Element) -> list[Found]:
        if gate.validate(root):
            return []
        log: Any = gate.error_log
        return [Found("structure", "error", each) for each in grammar.problems(log, root)]

    return find


def _xsd(path: Path) -> Callable[[Element], list[Found]]:
    from pipeline.validate.messages import reasons

    def find(root: Element) -> list[Found]:
        try:
            return [Found("structure", "error", each) for each in reasons(root, path)]
        except xmlschema.XMLSchemaException as error:
            raise _unusable(path, error) from None

    return find


def _schematron(path: Path) -> Callable[[Element], list[Found]]:
    rules = Schematron(read(path), str(path))
    return lambda root: rules.check(root, serialise(root))


def _unusable(path: Path, error: Exception) -> TeiError:
    return TeiError(f"the schema cannot be used: {str(error).splitlines()[0]}", place=Place(str(path)), mend=_USABLE)
