"""The characters of a site: how each is read and what it means, and which vary in its texts, with the places."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from pipeline.characters.unihan import meaning
from pipeline.outputs.web.finding import script_data
from pipeline.system.listing import matching

Pair = tuple[str, str, str]
"""Lemma and reading, one character each, and what the variant is called."""


class TextCharacters(msgspec.Struct, frozen=True, array_like=True):
    """What a text leaves for what a site says of its characters."""

    shown: str
    """Those of its pages."""
    said: str
    """Those of its chapters, as they are found."""
    pairs: tuple[tuple[Pair, str, str], ...]
    """Each pair of its entries, with the page and the id of the entry's unit."""


def characters_of(folder: Path) -> TextCharacters:
    """Give what the pages of a text in a folder leave."""
    shown: set[str] = set()
    said: set[str] = set()
    pairs: list[tuple[Pair, str, str]] = []
    for path in matching(folder, "*.html"):
        shown.update(path.read_text(encoding="utf-8"))
    for path in matching(folder, "find-*.js"):
        data = script_data(path)
        for kind, name, words, *rest in data["parts"]:
            said.update(words)
            pairs += [(pair, data["page"], f"{data['text']}.{name}") for pair in _pair(kind, words, rest)]
    return TextCharacters("".join(sorted(shown)), "".join(sorted(said)), tuple(pairs))


def glossary(texts: Mapping[str, TextCharacters]) -> bytes:
    """Give the script ``characters.js`` of a site: of each character of its texts that Unihan knows the reading and the
    meaning, and each pair of characters that its entries have, the most frequent first, with the places. `texts` are
    given by their folders."""
    said: set[str] = set()
    pairs: dict[Pair, list[tuple[str, str, str]]] = defaultdict(list)
    for folder, text in sorted(texts.items()):
        said.update(text.said)
        for pair, page, name in text.pairs:
            said.update(pair[:2])
            pairs[pair].append((folder, page, name))
    known = {graph: meaning(graph) for graph in sorted(said) if any(meaning(graph))}
    listed = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = json.dumps([[*pair, places] for pair, places in listed], ensure_ascii=False)
    meanings = json.dumps(known, ensure_ascii=False)
    return f"self.jiaokanCharacters = {meanings};\nself.jiaokanPairs = {rows};\n".encode()


def _pair(kind: str, words: str, rest: list[str]) -> Iterator[Pair]:
    """Give the pair of a reading's row (``find.xsl``: witnesses, lemma, what the variant is called), if it is one."""
    if kind == "v" and len(rest) == 3 and len(words) == len(rest[1]) == 1 and words != rest[1]:
        yield rest[1], words, rest[2]
