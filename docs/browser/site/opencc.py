"""OpenCC's conversions in Python: OpenCC has no build for a browser. Its settings and dictionaries are its own.

At each place the first dictionary with a word that begins there gives its longest word; of a union the longest of all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_TABLES = Path(__file__).parent / "opencc_tables"


class OpenCC:
    """A conversion by name: ``s2t`` or ``t2s``."""

    def __init__(self, name: str) -> None:
        settings = json.loads((_TABLES / f"{name}.json").read_text(encoding="utf-8"))
        steps = [*settings.get("normalization", ()), *settings["conversion_chain"]]
        self.steps = [_dictionaries(step["dict"]) for step in steps]

    def convert(self, text: str) -> str:
        """Return the text in the other script."""
        for dictionaries in self.steps:
            text = _replace(text, dictionaries)
        return text


def _replace(text: str, dictionaries: list[tuple[Mapping[str, str], int]]) -> str:
    out, at = "", 0
    while at < len(text):
        word = form = text[at]
        for words, longest in dictionaries:
            ends = range(min(len(text), at + longest), at, -1)
            if match := next((text[at:end] for end in ends if text[at:end] in words), ""):
                word, form = match, words[match]
                break
        out, at = out + form, at + len(word)
    return out


def _dictionaries(settings: Mapping[str, Any]) -> list[tuple[Mapping[str, str], int]]:
    """Return dictionaries in order of precedence, each with the length of its longest word."""
    if settings["type"] != "group":
        return [_read(settings["file"])]
    parts = [part for inner in settings["dicts"] for part in _dictionaries(inner)]
    if settings.get("match_policy") != "union":
        return parts
    union: dict[str, str] = {}
    for words, _ in reversed(parts):
        union |= words
    return [(union, max(longest for _, longest in parts))]


@cache
def _read(file: str) -> tuple[Mapping[str, str], int]:
    lines = (_TABLES / f"{file.removesuffix('.ocd2')}.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line)
    words = {word: forms.split(" ")[0] for word, forms in rows}
    return words, max(map(len, words))
