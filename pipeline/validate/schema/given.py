"""Schemas that are given: RELAX NG (XML syntax), XSD, ISO Schematron. Which one a file is, its root says."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import xmlschema
from lxml import etree

from pipeline.errors import Place, TeiError
from pipeline.tei.tree import Element, parse, serialise
from pipeline.validate.reading import read
from pipeline.validate.rule import Found, Problem
from pipeline.validate.schema.jiaokan import crowded
from pipeline.validate.schema.relaxng import LIMIT, Grammar, mend
from pipeline.validate.schema.schematron import SCHEMATRON, Schematron

RNG = "http://relaxng.org/ns/structure/1.0"
XSD = "http://www.w3.org/2001/XMLSchema"
ROUNDS = 25
"""So often a document is looked through again for what the last fault hid."""
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
        return [Found("structure", "error", each) for each in _one_by_one(gate, grammar, root)]

    return find


def _one_by_one(gate: etree.RelaxNG, grammar: Grammar, root: Element) -> list[Problem]:
    """What libxml2 finds. It gives up an element at its first fault: in a copy that is cut out, and it looks again."""
    copy = deepcopy(root)
    origin = dict(zip(copy.iter(), root.iter(), strict=True))
    found: list[Problem] = []
    for number in range(ROUNDS):
        if gate.validate(copy):
            break
        log: Any = gate.error_log
        problems = [each for each in grammar.problems(log, copy) if each.mend or not number]  # else what cutting left
        found += [replace(each, element=origin[each.element]) for each in problems]
        if not [each for each in problems if mend(each)] or len(found) >= LIMIT:
            break
    return list({(each.element, each.message): each for each in found}.values())[:LIMIT]


def _xsd(path: Path) -> Callable[[Element], list[Found]]:
    from pipeline.validate.schema.messages import reasons

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
