"""Prepare a text for print: in the script of the book, with the parameters of the stylesheets.

The script of the prepared form of a text (``xslt/prepare/main.xsl``) is changed (`jiaokan.outputs.print.script`), so
that all layouts and outputs print the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from lxml import etree

from jiaokan import __version__
from jiaokan.characters.pinyin import sort_keys
from jiaokan.characters.scripts import is_chinese
from jiaokan.characters.traditional import load_forms
from jiaokan.errors import Finding, Message, Place
from jiaokan.outputs import DOCUMENT, OutputSettings, facts
from jiaokan.outputs.print.fonts import font_files
from jiaokan.outputs.print.script import forms, in_script, text_in_script
from jiaokan.outputs.text.prepare import NAMESPACE as PREPARED
from jiaokan.outputs.text.prepare import interface_of_book, interface_of_text, prepare, script_facts
from jiaokan.settings.plans import PrintPlan
from jiaokan.tei.persons import named_in
from jiaokan.tei.tree import beginning, parse
from jiaokan.tei.views import references_xml

_WORD = 40
"""Characters of the longest head word with a sort key: the longest title of the five texts has 13. Longer words, such
as quotations, head no entry of an index."""


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


def _place_of_translation(prepared: bytes, wanted: Literal["auto", "after", "facing"]) -> str:
    """Return where the translation of a text is printed: in a column beside it only if there is one."""
    translated = b"<translation " in prepared
    in_letters = beginning(prepared, name=DOCUMENT).get("script") is not None
    return "facing" if translated and (wanted == "facing" or (wanted == "auto" and in_letters)) else "after"


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
        "entries": variants.entries,
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
    parameters["translation"] = _place_of_translation(prepared, content.translation)
    if in_source_script:  # the book's own words are in the script of its text
        parameters["order"] = _sort_keys(tei, settings)
        parameters["forms"] = forms("traditional", files) if interface == "hant" else ""
        return PreparedText(xml=prepared, parameters=parameters)
    decided = load_forms(settings.decisions / "forms.toml") if settings.decisions else {}
    xml, findings = text_in_script(prepared, plan.type.script, files, decided)
    if not is_chinese(interface):
        findings = (*findings, Finding(
            "script-not-chinese", Place("[print]"),
            Message("script-changes-chinese-characters-text", script=plan.type.script),
            Message("remove-print"), "info"))
    parameters["order"] = _sort_keys(xml, settings)
    parameters["forms"] = forms(plan.type.script, files) if is_chinese(interface) else ""
    return PreparedText(xml=xml, parameters=parameters, findings=findings)
