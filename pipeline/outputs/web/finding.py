"""What the search of a site is given: the list of its texts and chapters, and what can be found in a chapter."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

BEFORE, AFTER = "(self.jiaokanFind ||= []).push(", ");\n"
"""What stands round the data of ``find-PAGE.js`` (`xslt/html/find.xsl`): a script, which a page on disk may load."""
_PREPARED = "{urn:jiaokan:prepared}"


def texts_of(collection: bytes, site: Path) -> list[list[Any]]:
    """Give a row for each text of a site, as ``index.js`` has it, by what `pipeline.outputs.web.collection` makes of
    its cards: folder, title, section of the library, its pages that can be searched, their titles, its authors."""
    rows: list[list[Any]] = []
    for card in etree.fromstring(collection, etree.XMLParser(huge_tree=True)):
        folder = card.get("folder", "")
        chapters = [each for each in card.findall(f"{_PREPARED}chapter")
                    if (site / folder / f"find-{each.get('page')}.js").exists()]
        names = [each.text or "" for name in ("title", "subtitle") for each in card.findall(_PREPARED + name)]
        rows.append([folder, " ".join(names), card.get("section", ""),
                     [each.get("page", "") for each in chapters], [each.get("title", "") for each in chapters],
                     [each.text or "" for each in card.findall(f"{_PREPARED}author")]])
    return rows


class Folding(dict[int, str]):
    """A table for `str.translate` that folds as the search does (`fold` in ``search.js``): a character to the first of
    its family, what is no letter, number or lost character to nothing."""

    def __init__(self, families: Iterable[str]) -> None:
        super().__init__({ord(graph): family[0] for family in families for graph in family})

    def __missing__(self, code: int) -> str:
        graph = chr(code)
        category = unicodedata.category(graph)
        self[code] = graph.lower() if category[0] in "LN" or category == "Co" or graph in "〓□" else ""
        return self[code]


def streams(parts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Give what can be found as a whole in the rows of a chapter (`prepare` in ``search.js``): the base text of a
    section across its units, each note and each reading by itself."""
    base: list[str] = []
    for kind, _, words, *_ in parts:
        if kind == "s":
            yield "".join(base)
            base.clear()
        elif kind == "b":
            base.append(words)
        else:
            yield words
    yield "".join(base)


def script_data(path: Path) -> dict[str, Any]:
    """Give the data of a ``find-PAGE.js``: text, work, page, title, and parts as `xslt/html/find.xsl` says."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").removeprefix(BEFORE).removesuffix(AFTER))
    return data
