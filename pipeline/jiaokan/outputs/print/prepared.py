"""Prepare a text for print: in the script of the book, with the parameters of the stylesheets.

OpenCC changes the script of the prepared form of a text (``xslt/prepare/main.xsl``), so that all layouts and outputs
print the same. Quoted evidence is not converted: words of witnesses in the apparatus, words that the editor replaced,
names of files. OpenCC converts by words, so words are converted across the marks in them; where one simplified graph is
used for several (后, 于) it follows modern use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

import opencc
from lxml import etree

from jiaokan import __version__
from jiaokan.characters.pinyin import sort_keys
from jiaokan.characters.scripts import is_chinese, own_forms, unsure_graphs
from jiaokan.errors import Finding, Message, Place
from jiaokan.model.pointers import reference_of
from jiaokan.outputs import DOCUMENT, OutputSettings, facts
from jiaokan.outputs.print.fonts import font_files, missing
from jiaokan.outputs.text.prepare import NAMESPACE as PREPARED
from jiaokan.outputs.text.prepare import interface_of_book, interface_of_text, prepare, script_facts
from jiaokan.settings.plans import PrintedScript, PrintPlan
from jiaokan.tei.persons import named_in
from jiaokan.tei.tree import Words, beginning, parse
from jiaokan.tei.views import references_xml

_WORD = 40
"""Characters of the longest head word with a sort key: the longest title of the five texts has 13. Longer words, such
as quotations, head no entry of an index."""
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
_COUNTED = frozenset({"unit", "note", "head", "trailer", "prose"})
"""Elements of the text, to proofread after conversion."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedText:
    """A text as it goes to print: the TEI as it came or, in a script of the book's own, the prepared form in it."""

    xml: bytes
    parameters: dict[str, str]
    """Parameters of the stylesheets of all printed outputs (``xslt/params.xsl``)."""
    findings: tuple[Finding, ...] = ()


def punctuation_style(plan: PrintPlan, usual: str = "full") -> str:
    """Return a book's style of punctuation (`jiaokan.model.marks.STYLES`); `usual`: that of the layout."""
    style = usual if plan.type.punctuation == "shown" else plan.type.punctuation
    return "none" if style == "hidden" else style


def _sort_keys(xml: bytes, settings: OutputSettings) -> str:
    """Return the sort keys of all possible head words of indexes (``xslt/lib/indexes.xsl``)."""
    plan = settings.print
    latin = {in_script(words, plan.type.script): sort_key for words, sort_key in settings.latin.items()}
    words: set[str] = set()
    for element in parse(xml, name=DOCUMENT).iter("{*}persName", "{*}placeName", "{*}orgName", "{*}title", "{*}name",
                                                  "{*}span", "{*}speaker", "{*}listed"):
        words_here = " ".join(element.get("name", "").split() or "".join(map(str, element.itertext())).split())
        if words_here and len(words_here) <= _WORD and "\t" not in words_here:
            words.add(words_here)
    return "\n".join(f"{word}\t{key}" for word, key in sort_keys(words, plan.content.index, latin).items())


def prepared_text(tei: bytes, settings: OutputSettings, *, usual: str = "full") -> PreparedText:
    """Return a TEI file or its prepared form with the stylesheets' parameters; `usual`: the layout's punctuation.

    Raises RenderError and TeiError.
    """
    plan, interface = settings.print, interface_of_book(tei, settings.print)
    in_own_words = interface == interface_of_text(tei)  # else the prepared form that a build made has others
    variants, content = plan.variants, plan.content
    style = punctuation_style(plan, usual)
    parameters = {
        "interface": interface,
        "layer": "no" if style == "none" else "yes", "points": style,
        "level": variants.level, "apparatus": variants.apparatus, "layers": content.layers,
        "numbers": variants.numbers, "series": variants.series, "keys": variants.keys, "opening": plan.page.opening,
        "translation": content.translation, "entries": variants.entries,
        "present": "yes" if content.present else "no", "notes": "paragraph" if plan.page.facing else content.notes,
        "speakers": " ".join(named_in(tei, content.speakers)), "omit": " ".join(content.omit),
        "script": plan.type.script,
    }
    is_prepared = etree.QName(beginning(tei, name=DOCUMENT)).namespace == PREPARED
    parameters["facts"] = facts(
        "" if is_prepared else references_xml(tei, name=DOCUMENT), settings.front,
        settings.quoted if plan.content.testimonia else "", description=settings.description, version=__version__,
        **script_facts(tei))
    files, in_source_script = font_files(files=settings.fonts), plan.type.script == "source"
    if is_prepared:
        prepared = tei
    elif in_source_script and style != "none" and settings.prepared and in_own_words:
        prepared = settings.prepared
    else:
        prepared = prepare(tei, settings, layer=style != "none", forms=in_source_script, interface=interface)
    if in_source_script:  # the book's own words are in the script of its text
        parameters["order"] = _sort_keys(tei, settings)
        parameters["forms"] = forms("traditional", files) if interface == "hant" else ""
        return PreparedText(xml=prepared, parameters=parameters)
    xml, findings = text_in_script(prepared, plan.type.script, files)
    if not is_chinese(interface):
        findings = (*findings, Finding(
            "script-not-chinese", Place("[print]"),
            Message("script-changes-chinese-characters-text", script=plan.type.script),
            Message("remove-print"), "info"))
    parameters["order"] = _sort_keys(xml, settings)
    parameters["forms"] = forms(plan.type.script, files) if is_chinese(interface) else ""
    return PreparedText(xml=xml, parameters=parameters, findings=findings)


@dataclass(slots=True)
class _ScriptRun:
    """Characters without a break between them but marks."""

    reference: str
    """The unit, note, head or trailer that has them."""
    counted: bool
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
    prepared: bytes, script: PrintedScript, files: tuple[Path, ...]
) -> tuple[bytes, tuple[Finding, ...]]:
    """Return a prepared text in a script, and for traditional characters findings on places to proofread.

    OpenCC also makes graphs that hardly any font has (爇 → 𦶟): where none of the font `files` has one, the old stays.
    Raises TeiError for malformed XML.
    """
    def convert(texts: list[str]) -> list[str]:
        return _convert(texts, script, files)

    root = parse(prepared, name="the prepared form")
    for element in root.iter(f"{{{PREPARED}}}corrected", f"{{{PREPARED}}}supplied"):  # the editor's note quotes them
        element.set("quoted-sic", element.get("sic") or "")
        element.set("quoted", "".join(cast(list[str], element.xpath(_EDITED, namespaces={"p": PREPARED}))))
    runs = _runs(root)
    before = ["".join(part.get() for part in run.parts) for run in runs]
    after = convert(before)
    for run, was, converted in zip(runs, before, after, strict=True):
        at = 0
        for part in run.parts:
            if part_text := part.get():
                part.put(converted[at:at + len(part_text)] if len(converted) == len(was) else convert([part_text])[0])
            at += len(part_text)
    attributes = [(element, name) for element in root.iter() for name in element.attrib if name in _PRINTED]
    for (element, name), words in zip(attributes, convert([e.get(name) or "" for e, name in attributes]), strict=True):
        element.set(name, words)
    for element in root.iter(*(f"{{{PREPARED}}}{name}" for name in _REMARKS)):
        element.text = _around_quotations(element.text or "", convert)
    for element in root.iter():
        for name in _GROUNDS.intersection(element.attrib):
            element.set(name, _around_quotations(element.get(name) or "", convert))
    return etree.tostring(root, encoding="UTF-8"), _to_proofread(runs, before, after) if script == "traditional" else ()


def _runs(root: etree._Element) -> list[_ScriptRun]:
    """Return the runs of a tree that have words, in document order."""
    runs = [_ScriptRun("", counted=False)]

    def visit(element: etree._Element) -> None:
        name, around = etree.QName(element).localname, runs[-1]
        inline = name in _WITHIN_WORDS
        if not inline:
            reference = element.get("ref") or (reference_of(element.get("id") or "") if name in _COUNTED else "")
            counted = name in _COUNTED or (around.counted and name != "entry")
            runs.append(_ScriptRun(reference or around.reference, counted))
        if name not in _KEPT | _REMARKS:
            runs[-1].parts.append(Words(element, follows=False))
            for child in element:
                visit(child)
                runs[-1].parts.append(Words(child, follows=True))
        if not inline:
            runs.append(_ScriptRun(around.reference, around.counted))

    visit(root)
    return [run for run in runs if any(part.get().strip() for part in run.parts)]


def _around_quotations(text: str, convert: Callable[[list[str]], list[str]]) -> str:
    """Convert the editor's own words, but not what he quotes in them."""
    pieces = _QUOTED.split(text)
    converted = convert(pieces)
    return "".join(old if index % 2 else new for index, (old, new) in enumerate(zip(pieces, converted, strict=True)))


def _to_proofread(runs: list[_ScriptRun], before: list[str], after: list[str]) -> tuple[Finding, ...]:
    """Return findings on simplified graphs of the text that are used for several, the most frequent first.

    Each finding has the forms that OpenCC made of a graph, how often, and the first places.
    """
    places: dict[str, list[str]] = {}
    forms_by_graph: dict[str, Counter[str]] = {}
    for run, old, new in zip(runs, before, after, strict=True):
        for graph, form in zip(old, new, strict=False) if run.counted and len(old) == len(new) else ():
            places.setdefault(graph, []).append(run.reference)
            forms_by_graph.setdefault(graph, Counter())[form] += 1
    return tuple(
        Finding(
            "script-unsure", Place(places[graph][0]), severity="info",
            message=Message("graph-became", graph=graph,
                            replaced=", ".join(f"{form} {count}"
                                               for form, count in forms_by_graph[graph].most_common()))
                    + "、".join(_shown_places(places[graph])),
            mend=Message("proofread-them"),
        )
        for graph in sorted(unsure_graphs(places), key=lambda graph: (-len(places[graph]), graph))
    )


def _shown_places(places: list[str]) -> list[str]:
    different = list(dict.fromkeys(filter(None, places)))
    return [*different[:_SHOWN], "…"] if len(different) > _SHOWN else different


def _convert(texts: list[str], script: PrintedScript, files: tuple[Path, ...]) -> list[str]:
    """Return texts in a script, with the old character where no font has the new one."""
    converted = in_script(_SEPARATOR.join(texts), script).split(_SEPARATOR) if texts else []
    lacking = set(missing("".join(converted), files))
    return [
        "".join(old if new in lacking else new for old, new in zip(was, now, strict=True))
        if len(was) == len(now) and not lacking.isdisjoint(now) else now
        for was, now in zip(texts, converted, strict=True)
    ]


@cache
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)
