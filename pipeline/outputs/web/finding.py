"""Which chapters have a character: the search asks it first, and loads no chapter that cannot have the words."""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

BEFORE, AFTER = "(self.jiaokanFind ||= []).push(", ");\n"
"""What stands round the data of ``find-PAGE.js`` (`xslt/html/find.xsl`): a script, which a page on disk may load."""


def index(site: Path, families: Iterable[str]) -> bytes:
    """Give the script ``index.js`` of a site: for each text its pages, and under each set of pages (bits, hexadecimal;
    the first page is the lowest bit) the characters that stand in these and no others.

    A character stands for its family (`families`, as the search has them); what is no letter or number is left out.
    """
    forms = {graph: family[0] for family in families for graph in family}
    texts: dict[str, object] = {}
    for folder in sorted({path.parent for path in site.glob("[!.]*/find-*.js")}):
        pages = sorted(path.name for path in folder.glob("find-*.js"))
        texts[folder.name] = {
            "pages": [name.removeprefix("find-").removesuffix(".js") for name in pages],
            "graphs": _gathered([_characters(folder / name) for name in pages], forms),
        }
    return f"self.jiaokanIndex = {json.dumps(texts, ensure_ascii=False, sort_keys=True)};\n".encode()


def _gathered(pages: Iterable[frozenset[str]], forms: Mapping[str, str]) -> dict[str, str]:
    """Give under each set of pages the characters that stand in just these."""
    bits: dict[str, int] = defaultdict(int)
    for place, graphs in enumerate(pages):
        for graph in graphs:
            for each in _folded(graph, forms):
                bits[each] |= 1 << place
    gathered: dict[str, list[str]] = defaultdict(list)
    for graph, mask in sorted(bits.items()):
        gathered[f"{mask:x}"].append(graph)
    return {mask: "".join(graphs) for mask, graphs in gathered.items()}


def _folded(graph: str, forms: Mapping[str, str]) -> str:
    """Fold a character as the search does (`fold` in ``search.js``)."""
    counts = unicodedata.category(graph)[0] in "LN" or unicodedata.category(graph) == "Co" or graph in "〓□"
    return (forms.get(graph) or graph.lower()) if counts else ""


def _characters(path: Path) -> frozenset[str]:
    """Give the characters of a chapter's words."""
    return frozenset(graph for words in _words(script_data(path)["parts"]) for graph in words)


def script_data(path: Path) -> dict[str, Any]:
    """Give the data of a ``find-PAGE.js``: text, work, page, title, and parts as `xslt/html/find.xsl` says."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8").removeprefix(BEFORE).removesuffix(AFTER))
    return data


def _words(parts: Iterable[list[str]]) -> Iterator[str]:
    """Give the words of each part that can be found: those of all but the titles of sections."""
    for kind, _, words, *_ in parts:
        if kind != "s":
            yield words
