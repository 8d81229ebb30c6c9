"""Which schema a file is checked against if the user names none: the one that the file names.

Our own schema and the rules of editions are for TEI of our own encoding; any other file is checked by the schema that
it names by ``xml-model`` (W3C Note "Associating Schemas with XML documents 1.0"), or else against ``tei_all``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

from pipeline.errors import Message
from pipeline.model.pointers import address
from pipeline.model.vocabulary import PROGRAM, TEI
from pipeline.system.resources import resource
from pipeline.tei.tree import SCHEMAS, Element, local
from pipeline.validate.rule import Found, Problem

OURS = "jiaokan"
"""The name of our own schema, where a file can be given instead."""
OWN = "auto"
"""The schema that a file names itself."""
TEI_ALL = "schema/tei_all.rng.xz"
_MODEL = re.compile(rb"<\?xml-model\s+(.*?)\?>", re.S)
_HREF = re.compile(rb"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KNOWN = ("tei_all.rng", "tei_all.rnc", "tei_all.xsd", "tei_all.dtd")
"""Published forms of ``tei_all``, which comes with the program and need not be fetched."""
_ROOTS = ("TEI", "teiCorpus")


@dataclass(frozen=True)
class Profile:
    """What a file is checked against."""

    schemas: tuple[str, ...]
    notes: tuple[Found, ...] = ()
    """Findings about the choice."""
    named: bool = False
    """Whether the file names the schemas."""

    @property
    def ours(self) -> bool:
        """Whether the rules of editions apply to the file."""
        return OURS in self.schemas


def profile(schemas: Sequence[str], root: Element, data: bytes, path: Path | None, *, at_home: bool) -> Profile:
    """Return what a document is checked against: the schemas given, or for `OWN` those that it names.

    `path` is its file, `at_home` whether that is in an edition folder.
    """
    if OWN not in schemas:
        return Profile(tuple(schemas))
    text = data.decode("utf-16", "replace").encode() if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data
    first = re.search(rb"<[A-Za-z_]", text)
    named = map(_HREF.search, _MODEL.findall(text[: first.start() if first else 0]))
    models = [(each[1] or each[2] or b"").decode("utf-8", "replace").replace("&amp;", "&") for each in named if each]
    program = root.find("{*}teiHeader/{*}encodingDesc/{*}appInfo/{*}application")
    made_by_us = program is not None and program.get("ident") == PROGRAM
    if at_home or made_by_us or any(href.rpartition("/")[2] in SCHEMAS for href in models):
        return Profile((OURS,))
    if etree.QName(root).namespace != TEI and local(root) not in _ROOTS:
        problem = Problem(root, Message("this is not TEI: the outermost element is <{}>", local(root)),
                          Message("name its schema with --schema FILE"))
        return Profile((), (Found("tei-none", "warning", problem),))
    found, notes = [], []
    for href in dict.fromkeys(models):
        if schema := _reached(href, path):
            found.append(schema)
        elif not address(href).path.endswith(_KNOWN):
            notes.append(unread(root, href))
    return Profile(tuple(dict.fromkeys(found)) or (str(resource(TEI_ALL)),), tuple(notes), named=True)


def unread(root: Element, href: str) -> Found:
    """Return the finding that a schema named by the file is not available."""
    message = Message('the schema "{}" that the file names is not available', href)
    return Found("schema-unread", "info", Problem(
        root, message, Message("tei_all is used instead; give a copy with --schema FILE")))


def _reached(href: str, path: Path | None) -> str:
    """Return the path of a schema: a file beside the document, or our copy of tei_all; empty if there is neither."""
    parts = address(href)
    if not parts.scheme and not parts.netloc and path is not None and parts.path:
        there = path.parent / unquote(parts.path)
        with suppress(OSError):  # a name that no system can have
            if there.is_file():
                return str(there)
    return str(resource(TEI_ALL)) if parts.path.endswith(_KNOWN) else ""
