"""The schemas for a file: those that are given, or those that it names itself."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree

from jiaokan.errors import Message, suggestion
from jiaokan.model.pointers import address
from jiaokan.model.vocabulary import TEI
from jiaokan.system.listing import resource
from jiaokan.tei.persons import is_ours
from jiaokan.tei.tree import SCHEMAS, Element
from jiaokan.validate.rule import Found, Problem

OURS = "jiaokan"  # the name of our own schema, where a file can be given instead
OWN = "auto"  # the schema that a file names itself
TEI_ALL = "schema/tei_all.rng.xz"
_MODEL = re.compile(rb"<\?xml-model\s+(.*?)\?>", re.S)
_HREF = re.compile(rb"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_TAG = re.compile(rb"<[A-Za-z_](?:[^<>\"']|\"[^\"]*\"|'[^']*')*")
_LOCATIONS = "schemaLocation"
_LOCATED = re.compile(rb":schemaLocation\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KNOWN = ("tei_all.rng", "tei_all.rnc", "tei_all.xsd", "tei_all.dtd")
"""Published forms of ``tei_all``, which comes with the program and need not be fetched."""
_SCHEMA_SUFFIXES = (".rng", ".rnc", ".xsd", ".sch")
_RULES = (".sch", ".schematron", ".isosch")
"""Files of rules, which say nothing of what is allowed where."""
_PREVIOUS = ("TEI.2", "teiCorpus.2")
"""The outermost elements of TEI P4 and earlier."""
_NONE: Mapping[str, str] = MappingProxyType({})


class SchemaChoice(NamedTuple):
    """The schemas for one file, findings about the choice, and those that the file names, with their addresses there.
    The rules of editions apply if `OURS` is among them."""

    schemas: tuple[str, ...]
    notes: tuple[Found, ...] = ()
    named: Mapping[str, str] = _NONE


def tei_all() -> str:
    """Return the path of the schema for any TEI."""
    return str(resource(TEI_ALL))


def is_grammar(schema: str) -> bool:
    """Whether a schema says what is allowed where, and is not only a list of rules."""
    return not schema.lower().endswith(_RULES)


def named_schemas(data: bytes) -> list[str]:
    """Return the addresses of the schemas that a document names by ``xml-model``; if no grammar is among them, also
    that of ``xsi:schemaLocation`` for TEI."""
    text = data.decode("utf-16", "replace").encode() if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
    tag = _TAG.search(text)
    models = map(_HREF.search, _MODEL.findall(text[: tag.start() if tag else 0]))
    named = [_written(match) for match in models if match]
    if not any(map(is_grammar, named)) and tag and (located := _LOCATED.search(tag[0])):
        words = _written(located).split()
        named += [where for namespace, where in zip(words[::2], words[1::2], strict=False) if namespace == TEI]
    return named


def _written(match: re.Match[bytes]) -> str:
    return (match[1] or match[2] or b"").decode("utf-8", "replace").replace("&amp;", "&")


def is_foreign(schemas: Iterable[str], data: bytes) -> bool:
    """Whether a document (`data`, or its beginning) is checked by a schema that does not come with the program: its
    expressions may take for ever."""
    named = named_schemas(data) if OWN in schemas else []
    given = [schema for schema in schemas if schema not in (OURS, OWN) and Path(schema) != resource(TEI_ALL)]
    return bool(given) or any(not href.endswith((*_KNOWN, *SCHEMAS)) for href in named)


def choose_schemas(
    given: tuple[str, ...], root: Element, data: bytes, path: Path | None, *, at_home: bool
) -> SchemaChoice:
    """Return what a document is checked against: the schemas given, or for `OWN` those that it names; by ``tei_all`` if
    it names no grammar that is there."""
    if OWN not in given:
        return SchemaChoice(given)
    models = named_schemas(data)
    if at_home or is_ours(root) or any(href.rpartition("/")[2] in SCHEMAS for href in models):
        return SchemaChoice((OURS,))
    if other := _other_than_tei(root):
        return SchemaChoice((), (Found("tei-none", "error", other),))
    schemas: dict[str, str] = {}
    notes = []
    for href in dict.fromkeys(models):
        parts = address(href)
        with contextlib.suppress(OSError):  # a name that no system can have
            beside = (path or Path()).parent / unquote(parts.path)
            there = path and parts.path and not parts.scheme and not parts.netloc and beside.suffix != ".odd"
            if there and beside.is_file():
                schemas.setdefault(str(beside), href)
                continue
        if parts.path.endswith(_KNOWN):
            schemas.setdefault(tei_all(), href)
        else:
            notes.append(Found("schema-unread", "error", _missing_schema(root, href, path)))
    if not any(map(is_grammar, schemas)):
        return SchemaChoice((*schemas, tei_all()), tuple(notes), schemas)
    return SchemaChoice(tuple(schemas), tuple(notes), schemas)


def _other_than_tei(root: Element) -> Problem | None:
    """Return the problem of a document that is not TEI P5; None if its outermost element is of TEI, or a ``TEI``
    without namespace, of which the grammar says what is wrong."""
    name = etree.QName(root)
    if name.namespace == TEI or (not name.namespace and name.localname in ("TEI", "teiCorpus")):
        return None
    if name.localname in ("TEI", "teiCorpus"):
        message = Message("root-in-other-namespace", element=name.localname, namespace=name.namespace)
        return Problem(root, message, Message("write-namespace-of-tei", tei=TEI))
    if name.localname in _PREVIOUS:
        return Problem(root, Message("root-is", element=name.localname), Message("tei-p4-make-p5-first"))
    message = Message("not-tei-outermost-element", element=name.localname)
    return Problem(root, message, Message("name-schema-schema-file"))


def _missing_schema(root: Element, href: str, path: Path | None) -> Problem:
    """Return the problem of a schema that a document names and that is not there."""
    mend = Message("tei-used-instead-give-copy")
    parts = address(href)
    if path and not parts.scheme and not parts.netloc:
        folder, _, name = unquote(parts.path).rpartition("/")
        with contextlib.suppress(OSError):
            beside = [file.name for file in (path.parent / folder).iterdir() if file.suffix in _SCHEMA_SUFFIXES]
            mend = suggestion(name, sorted(beside), mend, prefix=f"{folder}/" if folder else "")
    return at_name(root, href, Message("the-schema-file-names-not-available", href=href), mend)


def at_name(root: Element, href: str, message: Message, mend: Message) -> Problem:
    """Return a problem of a schema, at the instruction or attribute that names it."""
    located = next((str(name) for name, value in root.items()
                    if str(name).endswith(_LOCATIONS) and href in str(value).split()), "")
    if located:
        return Problem(root, message, mend, attribute=f"xsi:{_LOCATIONS}")
    return Problem(root, message, mend, before=href.replace("&", "&amp;"))
