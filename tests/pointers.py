"""What leads nowhere: pointers of all TEI below a folder, by the prefixes of each header; links of a site's pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from lxml import etree, html

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
POINTING = ("target", "targetEnd", "corresp", "resp", "ref", "source", "wit", "ana", "who",
            "next", "prev", "sameAs")
"""The attributes that point: those of our encoding (the schema's types pointer, pointers, range and address), and three
more."""


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


@cache
def _file_at(path: str, folder: Path, top: Path) -> Path | str:
    """The file that a relative address leads to, or why it leads to none."""
    there = (folder / unquote(path)).resolve()
    if not there.is_relative_to(top):
        return "outside"
    return there if there.is_file() else "no file"


def _lost(word: str, file: Path, top: Path) -> str:
    """Why an address leads nowhere in a folder; empty if it leads somewhere."""
    path, _, name = word.partition("#")
    there = _file_at(path, file.parent, top) if path else file
    if isinstance(there, str):
        return there
    return "" if not name or name in _ids(there) else "no such id"


def followed(top: Path, names: str = "*.xml") -> Iterator[tuple[Path, str, str]]:
    """Each pointer of all TEI below a folder: its file, the pointer, why it leads nowhere (empty: it does not)."""
    top = top.resolve()
    _file_at.cache_clear()  # files may have moved since
    for file in sorted(top.rglob(names)):
        root = etree.parse(file).getroot()
        if etree.QName(root).localname != "TEI":
            continue
        prefixes = {str(each.get("ident")): (str(each.get("matchPattern")), str(each.get("replacementPattern")))
                    for each in root.iter("{*}prefixDef")}
        for node in root.iter("{*}*"):
            for word in (word for key in POINTING for word in node.get(key, "").split()):
                led = _led(word, prefixes)
                if not re.match("https?://|urn:|mailto:", led):
                    yield file, word, _lost(led, file, top)


def links(site: Path, elsewhere: str = "") -> tuple[list[str], set[str]]:
    """Links of a site's pages that lead nowhere, and the kinds of files that links lead to. Addresses of a form are
    left out: what another step puts there."""
    pages = {path: html.document_fromstring(path.read_bytes()) for path in site.rglob("*.html")}
    ids = {path: {str(each) for each in page.xpath("//@id")} for path, page in pages.items()}
    broken, kinds = [], set()
    for path, page in pages.items():
        for address in map(str, page.xpath("//@href | //@src")):
            if address.startswith(("https://", "http://", "mailto:")) or (elsewhere and re.match(elsewhere, address)):
                continue
            file, _, place = address.partition("#")
            target = (path.parent / unquote(file.partition("?")[0])).resolve() if file else path
            kinds.add(target.suffix)
            lost = place and target in ids and place not in ids[target]
            if lost or not target.is_file() or not target.is_relative_to(site):
                broken.append(f"{path.relative_to(site)}: {address}")
    return broken, kinds
