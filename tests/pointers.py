"""Every pointer of all TEI below a folder, followed by nothing but the files: prefixes as each header declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from lxml import etree

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
POINTING = ("target", "targetEnd", "corresp", "resp", "ref", "source", "wit", "ana", "who")
"""The attributes of our encoding that point (the schema's types pointer, pointers, range and address)."""


@cache
def _ids(file: Path) -> frozenset[str]:
    return frozenset(str(each.get(XML_ID)) for each in etree.parse(file).iter("{*}*") if each.get(XML_ID))


def _led(word: str, prefixes: dict[str, tuple[str, str]]) -> str:
    """Where a pointer leads, its prefix replaced (Guidelines 16.2.3)."""
    prefix, colon, rest = word.partition(":")
    if not colon or prefix not in prefixes:
        return word
    pattern, replacement = prefixes[prefix]
    found = re.fullmatch(pattern, rest)
    return re.sub(r"\$(\d)", lambda n: found[int(n[1])], replacement) if found else f"?{word}"


def _lost(word: str, file: Path, top: Path) -> str:
    """Why an address leads nowhere in a folder; empty if it leads somewhere."""
    path, _, name = word.partition("#")
    there = (file.parent / unquote(path)).resolve() if path else file
    inner = re.fullmatch(r"string-range\(([^,]+),.*\)", name)
    if not there.is_relative_to(top):
        return "outside"
    if not there.is_file():
        return "no file"
    return "" if not name or (inner[1] if inner else name) in _ids(there) else "no such id"


def followed(top: Path) -> Iterator[tuple[Path, str, str]]:
    """Each pointer of all TEI below a folder: its file, the pointer, why it leads nowhere (empty: it does not)."""
    top = top.resolve()
    for file in sorted(top.rglob("*.xml")):
        root = etree.parse(file).getroot()
        if etree.QName(root).localname != "TEI":
            continue
        prefixes = {str(each.get("ident")): (str(each.get("matchPattern")), str(each.get("replacementPattern")))
                    for each in root.iter("{*}prefixDef")}
        for node in root.iter("{*}*"):
            for word in (word for key in POINTING for word in node.get(key, "").split()):
                led = _led(word, prefixes)
                if not re.match("https?://", led):
                    yield file, word, _lost(led, file, top)
