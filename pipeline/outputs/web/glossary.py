"""The characters of a site: how each is read and what it means, and which vary in its texts, with the places."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from pipeline.characters.meanings import meaning
from pipeline.outputs.web.finding import script_data

Pair = tuple[str, str, str]
"""Lemma and reading, one character each, and what the variant is called."""


def glossary(site: Path) -> bytes:
    """Give the script ``characters.js`` of a site: of each character of its texts that Unihan knows the reading and the
    meaning, and each pair of characters that its entries have, the most frequent first, with the places."""
    said: set[str] = set()
    pairs: dict[Pair, list[tuple[str, str, str]]] = defaultdict(list)
    for path in sorted(site.glob("[!.]*/find-*.js")):
        data = script_data(path)
        for kind, name, words, *rest in data["parts"]:
            said.update(words)
            for pair in _pair(kind, words, rest):
                said.update(pair[:2])
                pairs[pair].append((path.parent.name, data["page"], f"{data['text']}.{name}"))
    known = {graph: meaning(graph) for graph in sorted(said) if any(meaning(graph))}
    listed = sorted(pairs.items(), key=lambda item: (-len(item[1]), item[0]))
    rows = json.dumps([[*pair, places] for pair, places in listed], ensure_ascii=False)
    meanings = json.dumps(known, ensure_ascii=False)
    return f"self.jiaokanCharacters = {meanings};\nself.jiaokanPairs = {rows};\n".encode()


def _pair(kind: str, words: str, rest: list[str]) -> Iterator[Pair]:
    """Give the pair of a reading's row (``find.xsl``: witnesses, lemma, what the variant is called), if it is one."""
    if kind == "v" and len(rest) == 3 and len(words) == len(rest[1]) == 1 and words != rest[1]:
        yield rest[1], words, rest[2]
