"""The parts of a header that say how the text is encoded: the same for every document, or by what it uses."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline import __version__
from pipeline.decisions.tables import GlyphDecision
from pipeline.model.variants import VARIANT_CLASSES
from pipeline.model.vocabulary import NOTE_SUBTYPES, PROGRAM
from pipeline.tei.tree import ID, LANG, Element, add_block, element

LANGUAGES = {
    "lzh-Hans": "文言，简体字 (Literary Chinese, simplified)",
    "lzh-Hant": "文言，繁体字 (Literary Chinese, traditional)",
    "zh": "现代汉语 (Modern Chinese)",
    "en": "English",
}
"""Languages by their tag (BCP 47; lzh is Literary Chinese in ISO 639-3), as ``langUsage`` names them."""
PREFIXES = {
    "w": (
        r"([a-z][a-z0-9-]*)\.(.+)", "../witnesses/$1.xml#$1.$2",
        "w:ID.6.4.2.n1 is the element ID.6.4.2.n1 of the own file of the witness ID.",
    ),
    "list": (r"(.+)", "#list-$1", "list:loan: a row of the program's list of this name, cited in the taxonomy lists."),
    "unihan": (
        r"(.+)", "https://www.unicode.org/reports/tr38/#$1",
        "unihan:kSemanticVariant: the field of this name of the Unicode Han database says so.",
    ),
    "rule": (r"(.+)", f"#{PROGRAM}", "rule:move: the program judged by its rule of this name."),
    "decision": (r"(.+)", "../decisions/", "decision:correction: the editor judged, in a decision of this kind."),
}
"""Prefixes of pointers: pattern, what replaces it, in words."""
_CITED = (
    ("/TEI", "@xml:id", "text", ""),
    ("text//div[@type='pian']", "@n", "chapter", ":"),
    (".//div[@n]", "@n", "section", "."),
    (".//*[@type='jing'][@n]", "@n", "unit", "."),
)

"""The steps of a canonical reference from outside in: path, attribute, name, and what stands before it (Guidelines
16.2.5.4)."""


def references() -> Element:
    """``refsDecl``: ``lunyu:6.3.2`` is text, chapter, section, unit."""
    inner: list[Element] = []
    for match, use, unit, delimiter in reversed(_CITED):
        attributes = {"delim": delimiter, "match": match, "unit": unit, "use": use}
        inner = [add_block(element("citeStructure", attributes), *inner)]
    return add_block(element("refsDecl"), *inner)


def prefixes(*, variants: bool) -> Element:
    """``listPrefixDef``: what ``w:`` points to; with `variants`, what justifies a judgement on a reading."""
    made = element("listPrefixDef")
    for prefix, (pattern, replacement, words) in PREFIXES.items():
        if variants or prefix == "w":
            attributes = {"ident": prefix, "matchPattern": pattern, "replacementPattern": replacement}
            add_block(made, add_block(element("prefixDef", attributes), element("p", {LANG: "en"}, words)))
    return made


def classes(*, variants: bool, cited: Mapping[str, Mapping[str, str]]) -> Element:
    """``classDecl``: the kinds of notes; with `variants`, the classes of variants too, and the rows that they cite.

    `cited` has for each of our lists the pairs of graphs that it judged, and what its row says.
    """
    made = add_block(element("classDecl"), _taxonomy("notes", "note-", NOTE_SUBTYPES))
    if variants:
        add_block(made, _taxonomy("variants", "var-", VARIANT_CLASSES))
    if cited:
        lists = add_block(element("taxonomy", {ID: "lists"}))
        for name, rows in cited.items():
            told = [element("catDesc", {LANG: "zh"}, f"{pair} {words}") for pair, words in rows.items()]
            add_block(lists, add_block(element("category", {ID: f"list-{name}"}), *told))
        add_block(made, lists)
    return made


def _taxonomy(name: str, prefix: str, names: Mapping[str, str]) -> Element:
    made = element("taxonomy", {ID: name})
    for key, label in names.items():
        add_block(made, element("category", {ID: prefix + key}, "", element("catDesc", {LANG: "zh"}, label)))
    return made


def characters(glyphs: Mapping[str, str], judged: Mapping[str, GlyphDecision]) -> Element:
    """``charDecl``: each private-use character with its code point, its standard character, and who says so and why."""
    made = element("charDecl")
    for code, standard in sorted(glyphs.items()):
        points = [f"{ord(c):04X}" for c in code]
        char = element("char", {ID: "-".join(["g", *points])})
        value = " ".join(f"U+{point}" for point in points)
        char.extend([
            element("localProp", {"name": "codepoint", "value": value}), element("mapping", {"type": "PUA"}, code),
        ])
        if standard:
            char.append(element("mapping", {"type": "standard"}, standard))
        if decision := judged.get(code):
            char.append(element("note", {"resp": f"#{decision.resp}", "cert": decision.cert}, decision.why))
        add_block(made, char)
    return made


def application() -> Element:
    """``appInfo``."""
    program = element("application", {"ident": PROGRAM, "version": __version__}, "", element("label", {}, "Jiaokan"))
    return add_block(element("appInfo"), program)


def languages(used: list[str]) -> Element:
    """``langUsage``: the text's languages first, then those of the header."""
    every = dict.fromkeys([*used, "zh", "en"])
    return add_block(
        element("langUsage"), *(element("language", {"ident": each}, LANGUAGES.get(each, each)) for each in every)
    )
