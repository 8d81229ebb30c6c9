"""Change the script of a prepared text.

Old text becomes traditional by `jiaokan.characters.traditional`; everything else is converted by OpenCC, which knows
the words of today. Quoted evidence is not converted: words of witnesses in the apparatus, words that the editor
replaced, names of files. Words are converted across the marks in them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, chain, count
from pathlib import Path
from types import MappingProxyType
from typing import cast

import opencc
from lxml import etree

from jiaokan.characters.scripts import own_forms
from jiaokan.characters.traditional import SURE, Decided, FormChoice, choose_forms, in_traditional
from jiaokan.errors import Finding, Message, Place
from jiaokan.model.pointers import reference_of
from jiaokan.outputs.print.fonts import missing
from jiaokan.outputs.text.prepare import NAMESPACE as PREPARED
from jiaokan.settings.plans import PrintedScript
from jiaokan.tei.tree import Words, parse, put_across

_CONFIGURATIONS = {"simplified": "t2s", "traditional": "s2t"}
_STAYS = re.compile("([云注])")
"""OpenCC takes them for 雲 and 註; in the classics they nearly always mean "says" and "comments"."""
_KEPT = frozenset({"q", "words", "other", "file", "sha256", "date"})
"""Elements that are not converted: quotations and readings of witnesses, names of files."""
_WITHIN_WORDS = frozenset({"app", "accidental", "g", "gap", "corrected", "supplied", "move"})
"""Elements across which a word goes on, such as the number of an entry. All others part words: 本<title>周礼</title> is
not 本周 “this week”, which OpenCC writes 本週."""
_PRINTED = frozenset({
    "siglum", "sigla", "title", "collation", "dynasty", "label", "name", "standard", "sic",
})
"""Attributes of the prepared form that are printed; all others are ids, numbers and kinds."""
_LAYERS = frozenset({"unit", "note", "head", "trailer"})
"""Elements of the old text, whose graphs become traditional by context (`jiaokan.characters.traditional`). The editor's
own words are of today, which OpenCC knows."""
_OF_TODAY = frozenset({"editorial", "translation"})
"""Kinds of notes in the words of today."""
_NAMES = frozenset({"name", "title", "standard", "sic"})
"""Those of them with words of the old text."""
_QUOTED = re.compile("(「[^「」]*」)")
"""A quotation in an editor's plain text."""
_REMARKS = frozenset({"comment", "about"})
"""Elements with such text: remarks on an entry or a witness."""
_GROUNDS = frozenset({"evidence", "description", "said"})
"""Attributes with such text: the basis of an emendation, of the form printed for a lost character."""
_EDITED = ".//text()[not(ancestor::p:other)]"
"""The words of an element without those of other works."""
_SHOWN = 8
"""Number of places reported for a graph: enough to see their kind, and the finding stays one line."""
_SEPARATOR = "\x1f"
"""Between texts that OpenCC gets in one call; XML cannot hold it (XML 1.0, production 2)."""
_HAN = range(0x4E00, 0xA000)
"""The block CJK Unified Ideographs, which has all characters of our stylesheets' own words."""


@dataclass(slots=True)
class _ScriptRun:
    """Characters without a break between them but marks."""

    reference: str
    """The unit, note, head or trailer that has them."""
    layer: str
    """One of `_LAYERS`, or nothing for the editor's words."""
    holder: int
    """The number of the element of that layer: all of its runs are one text."""
    parts: list[Words] = field(default_factory=list)


def in_script(text: str, script: PrintedScript) -> str:
    """Return words in a script; unchanged for ``source``."""
    if script == "source":
        return text
    convert = _converter(_CONFIGURATIONS[script]).convert
    return "".join(piece if index % 2 else str(convert(piece)) for index, piece in enumerate(_STAYS.split(text)))


def forms(script: PrintedScript, files: tuple[Path, ...]) -> str:
    """Return the parameter ``forms`` of the stylesheets: each character that differs in the script, and its form.

    Layouts write their own words by it (f:said). These are modern Chinese, where one character has one form.
    """
    if script == "source":
        return ""
    if script == "traditional":
        pairs = own_forms().split(" ")
        lacking = set(missing("".join(pair[1] for pair in pairs), files))
        return " ".join(pair for pair in pairs if pair[1] not in lacking)
    chars = "".join(map(chr, _HAN))
    forms_in_script = _convert(list(chars), script, files)
    return " ".join(char + form for char, form in zip(chars, forms_in_script, strict=True) if form != char)


def text_in_script(
    prepared: bytes, script: PrintedScript, files: tuple[Path, ...], decided: Decided = MappingProxyType({})
) -> tuple[bytes, tuple[Finding, ...]]:
    """Return a prepared text in a script, and for traditional characters findings on places to proofread.

    `decided` are the editor's decisions on traditional forms. OpenCC also makes graphs that hardly any font has
    (爇 → 𦶟): where none of the font `files` has one, the old stays. Raises TeiError for malformed XML.
    """
    def convert(texts: list[str]) -> list[str]:
        return _convert(texts, script, files)

    def old_words(texts: list[str]) -> list[str]:
        return _in_fonts(texts, [in_traditional(text, decided) for text in texts], files)

    root = parse(prepared, name="the prepared form")
    for element in root.iter(f"{{{PREPARED}}}corrected", f"{{{PREPARED}}}supplied"):  # the editor's note quotes them
        element.set("quoted-sic", element.get("sic") or "")
        element.set("quoted", "".join(cast(list[str], element.xpath(_EDITED, namespaces={"p": PREPARED}))))
    runs, doubts = _runs(root), list[tuple[_ScriptRun, FormChoice]]()
    if script == "traditional":
        doubts = _to_traditional(runs, files, decided)
    others = [run for run in runs if script != "traditional" or not run.layer]
    before = ["".join(part.get() for part in run.parts) for run in others]
    for run, was, converted in zip(others, before, convert(before), strict=True):
        if len(converted) == len(was):
            put_across(run.parts, converted)
        else:  # which part has which words is not known
            for part, words in zip(run.parts, convert([part.get() for part in run.parts]), strict=True):
                part.put(words)
    by_context = _NAMES if script == "traditional" else frozenset[str]()
    for names, change in ((by_context, old_words), (_PRINTED - by_context, convert)):
        attributes = [(element, name) for element in root.iter() for name in names.intersection(element.attrib)]
        changed = change([element.get(name) or "" for element, name in attributes])
        for (element, name), words in zip(attributes, changed, strict=True):
            element.set(name, words)
    for element in root.iter(*(f"{{{PREPARED}}}{name}" for name in _REMARKS)):
        element.text = _around_quotations(element.text or "", convert)
    for element in root.iter():
        for name in _GROUNDS.intersection(element.attrib):
            element.set(name, _around_quotations(element.get(name) or "", convert))
    xml = etree.tostring(root, encoding="UTF-8")
    return xml, _to_proofread(doubts)


def _runs(root: etree._Element) -> list[_ScriptRun]:
    """Return the runs of a tree that have words, in document order."""
    runs, holders = [_ScriptRun("", "", 0)], count(1)

    def visit(element: etree._Element) -> None:
        name, around = etree.QName(element).localname, runs[-1]
        inline = name in _WITHIN_WORDS
        if not inline:
            reference = element.get("ref") or (reference_of(element.get("id") or "") if name in _LAYERS else "")
            old = name in _LAYERS and element.get("kind") not in _OF_TODAY
            layer = name if old else "" if name in _LAYERS or name == "entry" else around.layer
            runs.append(_ScriptRun(reference or around.reference, layer, next(holders) if old else around.holder))
        if name not in _KEPT | _REMARKS:
            runs[-1].parts.append(Words(element, follows=False))
            for child in element:
                visit(child)
                runs[-1].parts.append(Words(child, follows=True))
        if not inline:
            runs.append(_ScriptRun(around.reference, around.layer, around.holder))

    visit(root)
    return [run for run in runs if any(part.get().strip() for part in run.parts)]


def _around_quotations(text: str, convert: Callable[[list[str]], list[str]]) -> str:
    """Convert the editor's own words, but not what he quotes in them."""
    pieces = _QUOTED.split(text)
    converted = convert(pieces)
    return "".join(old if index % 2 else new for index, (old, new) in enumerate(zip(pieces, converted, strict=True)))


def _to_traditional(
    runs: list[_ScriptRun], files: tuple[Path, ...], decided: Decided
) -> list[tuple[_ScriptRun, FormChoice]]:
    """Put the old text into traditional graphs, each by its context in the whole unit or note; return the choices that
    are not sure."""
    wholes: dict[int, list[_ScriptRun]] = {}
    for run in runs:
        if run.layer:
            wholes.setdefault(run.holder, []).append(run)
    doubts = []
    texts = [["".join(part.get() for part in run.parts) for run in whole] for whole in wholes.values()]
    choices = [[*choose_forms("".join(text), decided, whole[0].layer)]
               for whole, text in zip(wholes.values(), texts, strict=True)]
    lacking = set(missing("".join({choice.form for of_text in choices for choice in of_text}), files))
    for whole, text, of_text in zip(wholes.values(), texts, choices, strict=True):
        forms = list("".join(text))
        starts = [*accumulate(map(len, text), initial=0)]
        for choice in of_text:
            if choice.form not in lacking:
                forms[choice.at] = choice.form
            if choice.probability < SURE:
                doubts.append((whole[bisect_right(starts, choice.at) - 1], choice))
        put_across(chain.from_iterable(run.parts for run in whole), "".join(forms))
    return doubts


def _to_proofread(doubts: list[tuple[_ScriptRun, FormChoice]]) -> tuple[Finding, ...]:
    """Return findings on graphs of the text whose form is not sure in its context, the most frequent first.

    Each finding has the forms that were chosen for a graph, how often, and the first places.
    """
    places: dict[str, list[str]] = {}
    chosen: dict[str, Counter[str]] = {}
    for run, choice in doubts:
        places.setdefault(choice.graph, []).append(run.reference)
        chosen.setdefault(choice.graph, Counter())[choice.form] += 1
    return tuple(
        Finding(
            "script-unsure", Place(places[graph][0]), severity="info",
            message=Message("graph-became", graph=graph,
                            replaced=", ".join(f"{form} {count}" for form, count in chosen[graph].most_common()))
                    + "、".join(_shown_places(places[graph])),
            mend=Message("proofread-them"),
        )
        for graph in sorted(places, key=lambda graph: (-len(places[graph]), graph))
    )


def _shown_places(places: list[str]) -> list[str]:
    different = list(dict.fromkeys(filter(None, places)))
    return [*different[:_SHOWN], "…"] if len(different) > _SHOWN else different


def _convert(texts: list[str], script: PrintedScript, files: tuple[Path, ...]) -> list[str]:
    """Return texts in a script, with the old character where no font has the new one."""
    converted = in_script(_SEPARATOR.join(texts), script).split(_SEPARATOR) if texts else []
    return _in_fonts(texts, converted, files)


def _in_fonts(texts: list[str], converted: list[str], files: tuple[Path, ...]) -> list[str]:
    lacking = set(missing("".join(converted), files))
    return [
        "".join(old if new in lacking else new for old, new in zip(was, now, strict=True))
        if len(was) == len(now) and not lacking.isdisjoint(now) else now
        for was, now in zip(texts, converted, strict=True)
    ]


@cache
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)
