"""The parts of a header that say how the text is encoded: the same for every document, or by what it uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from jiaokan import __version__
from jiaokan.decisions.punctuation.files import Basis
from jiaokan.decisions.tables import GlyphDecision
from jiaokan.errors import Message, Place, TeiError
from jiaokan.messages import CHINESE, ENGLISH, TERM, wording
from jiaokan.model.references import DEFAULT_FORM, STATED, steps
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.vocabulary import JUDGED, NOTE_SUBTYPES, NOTE_SUBTYPES_ENGLISH, PROGRAM
from jiaokan.tei.persons import PREFIX, SHOWN
from jiaokan.tei.shapes import LAYER, glyph_id
from jiaokan.tei.tree import FORBIDDEN, ID, LANG, SPACE, Element, add_block, blocks, element, text_only

LANGUAGES = {
    "lzh-Hans": "文言，简体字 (Literary Chinese, simplified)",
    "lzh-Hant": "文言，繁体字 (Literary Chinese, traditional)",
    "zh": "现代汉语 (Modern Chinese)",
    "en": "English",
}
"""Languages by their tag (BCP 47; lzh is Literary Chinese in ISO 639-3), as ``langUsage`` names them."""
PREFIXES = {
    "w": (r"([a-z][a-z0-9-]*)\.(.+)", "../witnesses/$1.xml#$1.$2",
          "w:ID.6.4.2.n1 is the element ID.6.4.2.n1 of the own file of the witness ID."),
    "words": (r"([^/]+)/([0-9]+)/([0-9]+)", "#$1",
              "words:ID/4/2 are the 2 characters after the 4th of the element ID; of length 0 it is the place "
              "between two characters. A character is a Unicode code point of the text inside ID as its source "
              "has it: all text nodes in document order, without line feeds and without the content of note, "
              "noteGrp, rdg, corr, supplied, index and figure, of pc without type (the editor's marks), and of "
              "elements with rend other than choice and surplus. White space directly in app, choice and noteGrp "
              "is not counted. g counts as the mapping of type source or PUA of its char instead of its content, "
              "gap as its rend, space as the character that its rend names (U+3000), quantity times."),
    "list": (r"(.+)", "#list-$1", "list:loan: a row of the program's list of this name, cited in the taxonomy lists."),
    "unihan": (r"(.+)", "https://www.unicode.org/reports/tr38/#$1",
               "unihan:kSemanticVariant: the field of this name of the Unicode Han database says so."),
    "rule": (r"(.+)", f"#{PROGRAM}", "rule:move: the program judged by its rule of this name."),
    "decision": (r"(.+)", "#decision-$1", "decision:correction: the editor judged, in a decision of this kind."),
}
"""Prefixes of pointers: pattern, what replaces it, in words."""
FROM_TEXTS = "text"  # the prefix of pointers into another text of the folder, which only texts have that quote one
_DESCRIBED = {"&": "entity", "[": "composition"}
"""How a source names a character that has no code, by the first sign of the name; else it describes it (IDS)."""
_CITED: Mapping[str, tuple[str, str]] = {
    "chapter": ("text//div[@type='pian']", "@n"),
    "section": (".//div[@n]", "@n"),
    "unit": (".//*[@type='jing'][@n]", "@n"),
    "page": ("text//pb", "replace(@n, '^0+', '')"),
    "column": ("following::cb", "replace(@n, '^0+', '')"),
    "line": ("following::lb", "replace(@n, '^0+', '')"),
}
"""The steps of a canonical reference from outside in: path and what numbers it (Guidelines 16.2.5.4)."""
_LABELLED = "(index[@indexName='reference']/term, @n)[1]"
_NUMBERED = "*[index[@indexName='reference'] or self::ab[@n] or self::p[@n] or self::l[@n] or @subtype='stated']"
"""What can be cited in a text whose levels its own file declares."""


def references(form: str = "", *, labelled: bool = False) -> Element:
    """``refsDecl``: ``yili:6.3.2`` is text, chapter, section, unit; with a `form`, what that says. `labelled`: some
    divisions are cited by a label instead of their number."""
    cited = [("/TEI", "@xml:id", "text", "")]
    for n, step in enumerate(steps(form or DEFAULT_FORM)):
        match, use = _CITED.get(step.unit) or _stated_level(n)
        if labelled and step.unit in ("chapter", "section"):
            use = _LABELLED
        cited.append((match, use, step.unit.removeprefix(STATED), ("" if n else ":") + step.before))
    inner: list[Element] = []
    for match, use, unit, delimiter in reversed(cited):
        attributes = {"delim": delimiter, "match": match, "unit": unit, "use": use}
        inner = [add_block(element("citeStructure", attributes), *inner)]
    return add_block(element("refsDecl"), *inner)


def _stated_level(depth: int) -> tuple[str, str]:
    inside = f"{'text' if depth == 0 else '.'}//{_NUMBERED}"
    return f"{inside}[count(ancestor::{_NUMBERED}) = {depth}]", _LABELLED


def form_of(header: Element | None) -> str:
    """Return the form that a header's ``refsDecl`` declares; empty for the usual form or an unknown one."""
    encoding = own_encoding(header)
    structures = [] if encoding is None else encoding.findall("{*}refsDecl//{*}citeStructure")
    if not structures or structures[0].get("unit") != "text":
        return ""
    stated = STATED if any(_NUMBERED in structure.get("match", "") for structure in structures) else ""
    parts = (f"{structure.get('delim', '')}{{{stated}{structure.get('unit', '')}}}" for structure in structures[1:])
    form = "".join(parts).removeprefix(":")
    try:
        return "" if form == DEFAULT_FORM or not steps(form) else form
    except ValueError:
        return ""


def side_by_side(data: bytes) -> bytes:
    """Return a TEI file of ours as it is where the witnesses' files lie beside it, not in a folder of their own."""
    return re.sub(rb'(replacementPattern=")\.\./(?:witnesses|editions)/', rb"\1", data)


def prefixes(*, variants: bool) -> Element:
    """``listPrefixDef``: what ``w:`` and ``words:`` point to; with `variants`, what justifies a judgement."""
    definitions = element("listPrefixDef")
    for name, (pattern, replacement, words) in PREFIXES.items():
        if variants or name in ("w", "words"):
            add_block(definitions, _prefix(name, pattern, replacement, words))
    return definitions


def from_text(text: str, home: str) -> Element:
    """``prefixDef`` of pointers into another text, by its id, whose file lies at `home` (``editions/yili.xml``)."""
    words = f"text:{text}.6.4.2 is the element {text}.6.4.2 of the file of the text {text}."
    return _prefix(FROM_TEXTS, rf"({text})\.(.+)", f"../{home}#$1.$2", words)


def _prefix(name: str, pattern: str, replacement: str, words: str) -> Element:
    attributes = {"ident": name, "matchPattern": pattern, "replacementPattern": replacement}
    return add_block(element("prefixDef", attributes), element("p", {LANG: "en"}, words))


def classes(*, variants: bool, cited: Mapping[str, Mapping[str, str]], decided: bool = True) -> Element:
    """``classDecl``: the kinds of notes; with `variants`, the classes of variants too, the rows that they cite, and,
    where entries are `decided`, the kinds of decisions.
    `cited` has for each of our lists the pairs of graphs that it judged, and what its row means."""
    declaration = add_block(element("classDecl"), _taxonomy("notes", "note-", NOTE_SUBTYPES, NOTE_SUBTYPES_ENGLISH))
    if variants:
        english = {name: f"{wording(f'{TERM}variant-{name}', ENGLISH)}: {wording(f'gloss-{name}', ENGLISH)}"
                   for name in VARIANT_CLASSES}
        add_block(declaration, _taxonomy("variants", "var-", VARIANT_CLASSES, english))
        if decided:
            chinese = {name: words.in_language(CHINESE) for name, words in JUDGED.items()}
            add_block(declaration, _taxonomy("decisions", "decision-", chinese, JUDGED))
    if cited:
        lists = add_block(element("taxonomy", {ID: "lists"}))
        for name, rows in cited.items():
            rows_as_text = [element("catDesc", {LANG: "zh"}, f"{pair} {words}") for pair, words in rows.items()]
            add_block(lists, add_block(element("category", {ID: f"list-{name}"}), *rows_as_text))
        add_block(declaration, lists)
    return declaration


def bases(used: Iterable[tuple[str, Basis]]) -> Element:
    """``taxonomy`` of what the editor's marks and names rest on: who set them, when, on what evidence."""
    taxonomy = add_block(element("taxonomy", {ID: "bases"}))
    for identifier, basis in used:
        words = ": ".join(filter(None, (basis.when, basis.evidence))) or "—"
        add_block(taxonomy, element("category", {ID: identifier, "resp": f"#{basis.resp}"}, "",
                                element("catDesc", {}, words)))
    return taxonomy


def _taxonomy(name: str, prefix: str, names: Mapping[str, str], english: Mapping[str, str]) -> Element:
    taxonomy = element("taxonomy", {ID: name})
    for key, label in names.items():
        add_block(taxonomy, element("category", {ID: prefix + key}, "", element("catDesc", {LANG: "zh"}, label),
                                element("catDesc", {LANG: "en"}, english[key])))
    return taxonomy


def characters(glyphs: Mapping[str, str], judged: Mapping[str, GlyphDecision]) -> Element:
    """``charDecl``: each private-use character with its code point, its standard character, and who says so and why."""
    declaration = element("charDecl")
    for code, standard in sorted(glyphs.items()):
        char = element("char", {ID: glyph_id(code)})
        if len(code) == 1:
            char.append(element("localProp", {"name": "codepoint", "value": f"U+{ord(code):04X}"}))
            char.append(element("mapping", {"type": "PUA"}, code))
        else:
            char.append(element("localProp", {"name": _DESCRIBED.get(code[0], "IDS"), "value": code}))
            char.append(element("mapping", {"type": "source"}, code))
        if standard:
            char.append(element("mapping", {"type": "standard"}, standard))
        if decision := judged.get(code):
            char.append(element("note", {"resp": f"#{decision.resp}", "cert": decision.cert}, decision.why))
        add_block(declaration, char)
    return declaration


def application(*, shown: bool = False) -> Element:
    """``appInfo``; `shown`: the header is that of somebody else's file, carried over by `carried_header`."""
    attributes = {"ident": PROGRAM, "version": __version__, "type": SHOWN if shown else ""}
    return add_block(element("appInfo"), element("application", attributes, "", element("label", {}, "Jiaokan")))


def own_encoding(header: Element | None) -> Element | None:
    """Return the ``encodingDesc`` that says how the text is encoded: the program's, else the first."""
    encodings = [] if header is None else header.findall("{*}encodingDesc")
    program = f"{{*}}appInfo/{{*}}application[@ident='{PROGRAM}']"
    ours = [encoding for encoding in encodings if encoding.find(program) is not None]
    return next(iter([*ours[-1:], *encodings]), None)


def languages(used: list[str]) -> Element:
    """``langUsage``: the text's languages first, then those of the header."""
    every = dict.fromkeys([*used, "zh", "en"])
    return add_block(
        element("langUsage"),
        *(element("language", {"ident": language}, LANGUAGES.get(language, language)) for language in every),
    )


_LEDGER = "{*}ab[@type='ledger']"


def write_ledger(header: Element, dropped: tuple[tuple[str, str], ...], name: str) -> None:
    """Put the ledger into `header`, in place of any that is there: one item for each text, its rule in ``@n``. Raises
    TeiError for a text that XML cannot hold."""
    encoding = own_encoding(header)
    for old in [] if encoding is None else encoding.findall("{*}samplingDecl"):
        if encoding is not None and old.find(_LEDGER) is not None:
            encoding.remove(old)
    if not dropped:
        return
    items = element("list")
    for rule, text in dropped:
        if bad := FORBIDDEN.search(rule + text):
            raise TeiError(
                Message("ledger-rule-holds-u-cannot", rule=rule, code=ord(bad[0])), place=Place(name),
                mend=Message("let-reader-write-character-code"),
            )
        add_block(items, element("item", {"n": rule, SPACE: "preserve"}, text))
    if encoding is None:
        encoding = element("encodingDesc")
        header.insert(1, encoding)
    add_block(encoding, add_block(element("samplingDecl"), element("ab", {"type": "ledger"}, "", items)))


def read_ledger(header: Element | None, name: str) -> tuple[tuple[str, str], ...]:
    """Return the ledger of a header back; empty if it has none."""
    encoding = own_encoding(header)
    ledger = None if encoding is None else encoding.find(f"{{*}}samplingDecl/{_LEDGER}")
    if ledger is None:
        return ()
    return tuple(
        (item.get("n", ""), text_only(item, name)) for items in blocks(ledger, name) for item in blocks(items, name)
    )


def layer_attributes(layer: Mapping[tuple[str, str, str], int]) -> dict[str, str]:
    """Return the attributes that most of the editor's marks and names have, by how many have which id of who set it,
    certainty and basis; none of a kind that any of them lacks."""
    most = max(layer, key=layer.__getitem__, default=("", "", ""))
    return {key: attribute.codec.write(value) for key, attribute, value, *others
            in zip(LAYER, LAYER.values(), most, *layer, strict=True) if value and all(others)}


def usual_layer(header: Element | None) -> dict[str, str]:
    """Return the attributes that most of the editor's marks and names have, as a header states them; see
    `jiaokan.tei.shapes.LAYER`."""
    encoding = own_encoding(header)
    stated = None if encoding is None else encoding.find("{*}editorialDecl/{*}punctuation")
    return {} if stated is None else {
        key: value.replace(f"#{PREFIX}", "#", 1) for key in LAYER
        if (value := stated.get(key) or (stated.get("source") if key == "ana" else None))}
