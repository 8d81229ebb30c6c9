"""The script of a printed book: simplified or traditional characters, by OpenCC, whatever the TEI has.

What is quoted as evidence stays as it is: words of witnesses in the apparatus, words that the editor replaced, names
of files. OpenCC goes by words, and where one simple graph stands for several (后, 于) it follows modern use.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import opencc
from lxml import etree

from pipeline.characters.scripts import unsure_graphs
from pipeline.errors import Finding, Place
from pipeline.model.identifiers import reference_of
from pipeline.model.vocabulary import TEI, XML
from pipeline.outputs.print.fonts import missing
from pipeline.settings.plans import PrintedScript
from pipeline.tei.tree import mixed, parse

_CONFIGURATIONS = {"simplified": "t2s", "traditional": "s2t"}
_NAMED = tuple(f"{{{TEI}}}{name}" for name in ("seg", "lg", "note", "head", "trailer", "p"))
"""Elements by whose reference a passage is named."""
_SHOWN = 8
"""So many places of a graph are told."""
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


def to_proofread(tei: bytes) -> tuple[Finding, ...]:
    """Give, for print in traditional characters, the simplified graphs that stand for several, the most frequent first.

    Each finding says what OpenCC made of a graph, how often, and where it stands first.
    """
    places: dict[str, list[str]] = {}
    made: dict[str, Counter[str]] = {}
    root = parse(tei, name="TEI").find(f"{{{TEI}}}text")
    for element in root.iter(*_NAMED) if root is not None else ():
        words = _own_words(element)
        converted = in_script(words, "traditional")
        for graph, form in zip(words, converted, strict=False) if len(words) == len(converted) else ():
            places.setdefault(graph, []).append(reference_of(element.get(f"{{{XML}}}id") or ""))
            made.setdefault(graph, Counter())[form] += 1
    return tuple(
        Finding(
            "script-unsure", Place(places[graph][0]), severity="info",
            message=f"{graph} became {', '.join(f'{form} {count}' for form, count in made[graph].most_common())}: "
                    + "、".join(_first(places[graph])),
            mend="proofread them",
        )
        for graph in sorted(unsure_graphs(places), key=lambda graph: (-len(places[graph]), graph))
    )


def _own_words(element: etree._Element) -> str:
    """The words of a unit, note, head or trailer without those of others inside it."""
    return "".join(
        part if isinstance(part, str) else _own_words(part)
        for part in mixed(element, "TEI") if isinstance(part, str) or part.tag not in _NAMED
    )


def _first(places: list[str]) -> list[str]:
    different = list(dict.fromkeys(filter(None, places)))
    return different[:_SHOWN] + ["…"][:len(different) - _SHOWN]


def _printable(text: str, script: PrintedScript, files: tuple[Path, ...]) -> str:
    made = in_script(text, script)
    lacking = set(missing(made, files))
    if not lacking or len(made) != len(text):
        return made
    return "".join(old if new in lacking else new for old, new in zip(text, made, strict=True))


@cache
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)
