"""Schemas that the user names: RELAX NG (XML or compact syntax), XSD, ISO Schematron; the root element says which.

Schematron inside a RELAX NG grammar is run too. ``rnc2rng`` reads compact syntax.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import xmlschema
from lxml import etree

from pipeline.errors import Place, TeiError
from pipeline.model.vocabulary import TEI
from pipeline.system.listing import read
from pipeline.tei.tree import Element, parse, serialise
from pipeline.validate.rule import Found
from pipeline.validate.schema.grammar import Grammar, GrammarError
from pipeline.validate.schema.jiaokan import crowded
from pipeline.validate.schema.relaxng import GrammarCheck
from pipeline.validate.schema.schematron import Embedded, Schematron

XSD = "http://www.w3.org/2001/XMLSchema"
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


def _relax(root: Element, path: Path) -> _Check:
    try:
        judge = GrammarCheck(Grammar(root, path))
    except (GrammarError, RecursionError) as error:
        raise _unusable(path, error) from None
    rules = Embedded(root, str(path))

    def find(document: Element) -> list[Found]:
        found = [Found("structure", "error", each) for each in judge.faults(document)]
        return [*found, *rules.check(document)]

    return find


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
