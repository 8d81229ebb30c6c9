"""The TEI of single chapters as downloads: the header and the chapter, unchanged but for what leads out of the file.

A pointer to another chapter leads into the file of the whole text: ``whole:yili.5.1.1``. The prefix of pointers into
witnesses' files names the files that exist; to the others it gives names only (URNs).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml import etree

from pipeline.model.vocabulary import TEI
from pipeline.tei.tree import LANG, Words, alone, cut, parse, put_instead

_TEI = f"{{{TEI}}}"
_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
_TAG = re.compile(rb"<(?![!?]|prefixDef\b)[^<>]*#[^<>]*>")
"""A tag with a pointer; libxml2 writes < and > in attributes as references."""
_POINTER = re.compile(rb'(?<=["\s])#([^"\s]+)')
_ID = re.compile(rb'<[^<>]*\sxml:id="([^"]*)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The files beside that of a chapter."""

    whole: str
    """Address of the TEI of the whole text."""
    files: str
    """Address of the folder with the TEI of witnesses and other texts."""
    beside: Collection[str]
    """Ids of the witnesses whose TEI is in that folder."""
    lacking: Collection[str]
    """Ids of the witnesses to whose TEI the text points and which are not there."""


def excerpts(tei: bytes, titles: Mapping[str, str], around: Surroundings, *, name: str) -> Iterator[tuple[str, bytes]]:
    """Yield each chapter of a text's body as a TEI file, with the name of its page.

    `titles` are those of the chapters by page. Front matter alone is not a text: TEI requires a body. Raises TeiError
    if the file is not XML.
    """
    root = parse(tei, name=name)
    text = root.find(f"{_TEI}text")
    chapters = [] if text is None else text.findall(f"{_TEI}body/{_TEI}div")
    if text is None or not chapters:
        return
    text[:] = []
    text.text = None
    _declare_prefixes(root, around)
    heading = [_add_title(root, each) for each in root.iter(f"{_TEI}titleStmt")]
    body = etree.SubElement(text, f"{_TEI}body")
    outside = {*_ID.findall(etree.tostring(root, encoding="UTF-8"))}
    for chapter in chapters:
        page = chapter.get("n") or chapter.get("type") or ""
        for title in heading:
            title.text = titles.get(page, "")
        cut(chapter)
        body[:] = [chapter]
        known = outside | {*_ID.findall(etree.tostring(chapter, encoding="UTF-8"))}
        yield page, _DECLARATION + _redirected(etree.tostring(root, encoding="UTF-8"), known)


def _add_title(root: Any, statement: Any) -> Any:
    """Add the title of a part after those of the whole; return it."""
    titles = statement.findall(f"{_TEI}title")
    title = etree.Element(f"{_TEI}title", type="part")
    if LANG in root.attrib:
        title.set(LANG, root.get(LANG))
    if titles:
        after = Words(titles[-1], follows=True)
        statement.insert(statement.index(titles[-1]) + 1, title)
        Words(title, follows=True).put(after.get())
        after.put("\n")
    return title


def _declare_prefixes(root: Any, around: Surroundings) -> None:
    for old in [*root.iter(f"{_TEI}prefixDef")]:
        if old.get("ident") == "text":
            pattern = str(old.get("replacementPattern", ""))
            old.set("replacementPattern", around.files + pattern.rpartition("/")[2])
        elif old.get("ident") == "w":
            _declare_witnesses(old, around)
    for encoding in root.iter(f"{_TEI}encodingDesc"):
        lists = encoding.findall(f"{_TEI}listPrefixDef") or [etree.SubElement(encoding, f"{_TEI}listPrefixDef")]
        for each in lists:
            each.append(_prefix("whole", "(.+)", f"{around.whole}#$1",
                                "What stands in another chapter is in the file of the whole."))


def _declare_witnesses(old: Any, around: Surroundings) -> None:
    """Replace the prefix of pointers into witnesses' files."""
    made = []
    if around.beside:
        there = alone(old)
        there.set("matchPattern", rf"({'|'.join(around.beside)})\.(.+)")
        there.set("replacementPattern", f"{around.files}$1.xml#$1.$2")
        made.append(there)
    if around.lacking or not around.beside:
        made.append(_prefix("w", old.get("matchPattern"), "urn:jiaokan:$1.$2",
                            "The element of this name in the witness's own file, which does not come with this one."))
    put_instead(old, made)


def _prefix(ident: str, matched: str, replaced: str, words: str) -> Any:
    made = etree.Element(f"{_TEI}prefixDef", ident=ident, matchPattern=matched, replacementPattern=replaced)
    said = etree.SubElement(made, f"{_TEI}p", {LANG: "en"})
    said.text = words
    return made


def _redirected(data: bytes, known: Collection[bytes]) -> bytes:
    """Redirect pointers to unknown ids into the file of the whole text."""

    def point(found: re.Match[bytes]) -> bytes:
        pointer = found[1]
        target = pointer.partition(b"(")[2].partition(b",")[0] if b"(" in pointer else pointer
        return found[0] if target in known else b"whole:" + pointer

    return _TAG.sub(lambda tag: _POINTER.sub(point, tag[0]), data)
