"""The script of a printed book: simplified or traditional characters, by OpenCC, whatever the TEI has.

What is quoted as evidence stays as it is: words of witnesses in the apparatus, words that the editor replaced, names
of files. OpenCC goes by words, and where one simple graph stands for several (后, 于) it follows modern use.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import opencc

from pipeline.outputs.fonts import missing
from pipeline.plans import PrintedScript

_CONFIGURATIONS = {"simplified": "t2s", "traditional": "s2t"}
_STAYS = re.compile("([云注])")
"""OpenCC takes them for 雲 and 註; in the classics they nearly always mean "says" and "comments"."""
_STRING = r'"(?:[^"\\]|\\.)*"'
_ENTRY = re.compile(rf'^\["entry",.*$|remark\({_STRING}\)', re.MULTILINE)
"""Entries of the traditional page and the editor's notes, which quote in 「」."""
_KEPT = re.compile(rf'quoted\({_STRING}\)|file: \\?"[^"]*"')
_QUOTED = re.compile("「[^「」]*」")


def in_script(text: str, script: PrintedScript) -> str:
    """Give words in a script; ``source``: as they are."""
    if script == "source":
        return text
    convert = _converter(_CONFIGURATIONS[script]).convert
    return "".join(piece if index % 2 else str(convert(piece)) for index, piece in enumerate(_STAYS.split(text)))


def source_in_script(source: str, script: PrintedScript, files: tuple[Path, ...]) -> str:
    """Give what the stylesheets of print made, its words in a script, and what is quoted as evidence as it is.

    OpenCC also makes graphs that hardly any font has (爇 → 𦶟): where none of the font `files` has one, the old stays.
    """
    if script == "source":
        return source
    kept = [found.span() for found in _KEPT.finditer(source)]
    kept += [
        (entry.start() + quoted.start(), entry.start() + quoted.end())
        for entry in _ENTRY.finditer(source) for quoted in _QUOTED.finditer(entry[0])
    ]
    made, end = [], 0
    for start, stop in sorted(kept):
        if start >= end:
            made += [_printable(source[end:start], script, files), source[start:stop]]
            end = stop
    return "".join([*made, _printable(source[end:], script, files)])


def _printable(text: str, script: PrintedScript, files: tuple[Path, ...]) -> str:
    made = in_script(text, script)
    lacking = set(missing(made, files))
    if not lacking or len(made) != len(text):
        return made
    return "".join(old if new in lacking else new for old, new in zip(text, made, strict=True))


@cache
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)
