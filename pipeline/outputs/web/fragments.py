"""The sections of a text as documents of their own for Distributed Text Services: what a reference to a section gets.

A fragment is the section's element in ``dts:wrapper``, without a header (DTS 1.0, Document endpoint); what it points to
is in the chapter's file. Units are too small to be files: a unit's document is that of its section or chapter.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from pipeline.tei.tree import parse

WRAPPER = "https://dtsapi.org/v1.0#"
"""The namespace of ``dts:wrapper``."""
_TEI = "http://www.tei-c.org/ns/1.0"
_ID = "{http://www.w3.org/XML/1998/namespace}id"


def sections(chapter: Path, text: str) -> Iterator[tuple[str, bytes]]:
    """Give each section of a chapter's TEI file, with its document: by its reference, its id without the `text`'s."""
    root = parse(chapter.read_bytes(), name=chapter.name)
    for division in root.iterfind(f".//{{{_TEI}}}body/{{{_TEI}}}div//{{{_TEI}}}div"):
        identifier = division.get(_ID, "")
        if identifier.startswith(f"{text}."):
            yield identifier.removeprefix(f"{text}."), _document(division, identifier.removeprefix(f"{text}."))


def _document(division: etree._Element, reference: str) -> bytes:
    names: dict[str | None, str] = {None: _TEI, "dts": WRAPPER}
    made = etree.Element(f"{{{_TEI}}}TEI", nsmap=names)  # type: ignore[arg-type]  # lxml takes None for the default
    wrapper = etree.SubElement(made, f"{{{WRAPPER}}}wrapper", {"ref": reference})
    wrapper.append(parse(etree.tostring(division, with_tail=False), name=reference))
    return bytes(etree.tostring(made, xml_declaration=True, encoding="UTF-8")) + b"\n"
