"""Graphs of a page whose traditional form depends on the context, as books in traditional script have them.

The font of the switch to traditional script draws one form for each graph (`jiaokan.outputs.web.fonts`). A graph that
has another one in its context (后 for 後, 于 of the notes for 於) is marked with it: ``<span class="tf"
data-t="後">后</span>``. The text stays as in the source; the style sheet draws the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from jiaokan.characters.scripts import traditional_forms
from jiaokan.characters.traditional import Decided, choose_forms

_TOKEN = re.compile(r"""<(?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+""")
_SIGN = re.compile("&[#A-Za-z0-9]+;|.", re.S)
_CLASS = re.compile(r'class="([^"]*)"')
_LAYERS = {"jing": "unit", "trailer": "trailer", "given": "head"}
"""Layers of the old text by the class of their element; a paragraph in a note is of the layer ``note``."""
_ASIDE = frozenset({"a", "del"})
"""Elements in a text that are no part of it: links of entries, graphs that the editor replaced."""


@dataclass(slots=True)
class _Run:
    layer: str
    holder: str
    signs: list[tuple[int, int]] = field(default_factory=list)  # token and place in it
    words: list[str] = field(default_factory=list)


def mark_forms(page: str, decided: Decided) -> str:
    """Return an HTML page with the forms of its old text marked; `decided` are the editor's decisions on forms."""
    tokens = [[match[0]] if match[0].startswith("<") else _SIGN.findall(match[0]) for match in _TOKEN.finditer(page)]
    for run in _runs(tokens):
        for choice in choose_forms("".join(run.words), decided, run.layer):
            if choice.form != _drawn(choice.graph):
                token, at = run.signs[choice.at]
                tokens[token][at] = f'<span class="tf" data-t="{choice.form}">{choice.graph}</span>'
    return "".join(sign for token in tokens for sign in token)


@cache
def _drawn(graph: str) -> str:
    """Return the form that the font of the switch draws for a graph."""
    return traditional_forms((graph,)).get(graph, graph)


def _runs(tokens: list[list[str]]) -> Iterator[_Run]:
    """Yield the units, heads, trailers and paragraphs of notes of a page with their words; a note in a note is a run
    of its own."""
    inside: list[bool] = []  # of the open `div` elements, whether they are notes
    open_runs: list[_Run] = []
    aside = ""
    for number, signs in enumerate(tokens):
        if not signs[0].startswith("<"):
            if open_runs and not aside:
                open_runs[-1].signs += [(number, at) for at in range(len(signs))]
                open_runs[-1].words += [sign if len(sign) == 1 else " " for sign in signs]
            continue
        name, closes, kinds = _tag(signs[0])
        if aside:
            aside = "" if closes and name == aside else aside
        elif closes:
            if name == "div" and inside:
                inside.pop()
            if open_runs and open_runs[-1].holder == name:
                yield open_runs.pop()
        elif name == "div":
            inside.append("note" in kinds)
        elif open_runs and name in _ASIDE:
            aside = name
        elif layer := _layer(name, kinds, inside, nested=bool(open_runs)):
            open_runs.append(_Run(layer, name))


def _tag(tag: str) -> tuple[str, bool, list[str]]:
    match = _CLASS.search(tag)
    return tag.strip("</>").split(maxsplit=1)[0], tag.startswith("</"), match[1].split() if match else []


def _layer(name: str, kinds: list[str], inside: list[bool], *, nested: bool) -> str:
    if name == "small" and "note" in kinds:
        return "note" if nested else ""
    if name not in ("p", "h2", "h3") or nested:
        return ""
    known = next((_LAYERS[kind] for kind in kinds if kind in _LAYERS), "")
    return known or ("note" if name == "p" and not kinds and any(inside) else "")
