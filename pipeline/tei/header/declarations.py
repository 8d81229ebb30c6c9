"""The parts of a header that say how the text is encoded: the same for every document, or by what it uses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, toml

from pipeline import __version__
from pipeline.decisions.punctuation.files import Basis
from pipeline.decisions.readings import Collation, Tally
from pipeline.decisions.tables import GlyphDecision
from pipeline.errors import Place, TeiError
from pipeline.model import App, Document, EditorsMark, Note, Unit
from pipeline.model.numerals import written
from pipeline.model.references import DEFAULT_FORM, ReferenceUnit, steps
from pipeline.model.text import counted as counted_text
from pipeline.model.variants import TABLE, VARIANT_CLASSES
from pipeline.model.vocabulary import JUDGED, JUDGED_ENGLISH, NOTE_SUBTYPES, NOTE_SUBTYPES_ENGLISH, PROGRAM
from pipeline.model.walk import items, walk
from pipeline.tei.persons import PREFIX
from pipeline.tei.shapes import LAYER, glyph_id
from pipeline.tei.tree import FORBIDDEN, ID, LANG, SPACE, Element, add_block, blocks, element, text_only

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
_CITED: Mapping[ReferenceUnit, tuple[str, str]] = {
    "chapter": ("text//div[@type='pian']", "@n"),
    "section": (".//div[@n]", "@n"),
    "unit": (".//*[@type='jing'][@n]", "@n"),
    "page": ("text//pb", "replace(@n, '^0+', '')"),
    "column": ("following::cb", "replace(@n, '^0+', '')"),
    "line": ("following::lb", "replace(@n, '^0+', '')"),
}
"""The steps of a canonical reference from outside in: path and what numbers it (Guidelines 16.2.5.4)."""
_LABELLED = "(index[@indexName='reference']/term, @n)[1]"


def references(form: str = "", *, labelled: bool = False) -> Element:
    """``refsDecl``: ``yili:6.3.2`` is text, chapter, section, unit; with a `form`, what that says. `labelled`: some
    divisions are cited by a label instead of their number."""
    cited = [("/TEI", "@xml:id", "text", "")]
    for n, step in enumerate(steps(form or DEFAULT_FORM)):
        match, use = _CITED[step.unit]
        if labelled and step.unit in ("chapter", "section"):
            use = _LABELLED
        cited.append((match, use, step.unit, ("" if n else ":") + step.before))
    inner: list[Element] = []
    for match, use, unit, delimiter in reversed(cited):
        attributes = {"delim": delimiter, "match": match, "unit": unit, "use": use}
        inner = [add_block(element("citeStructure", attributes), *inner)]
    return add_block(element("refsDecl"), *inner)


def form_of(header: Element | None) -> str:
    """Return the form that a header's ``refsDecl`` declares; empty for the usual form or an unknown one."""
    found = [] if header is None else header.findall(".//{*}refsDecl//{*}citeStructure")
    if not found or found[0].get("unit") != "text":
        return ""
    form = "".join(f"{each.get('delim', '')}{{{each.get('unit', '')}}}" for each in found[1:]).removeprefix(":")
    try:
        return "" if form == DEFAULT_FORM or not steps(form) else form
    except ValueError:
        return ""


def side_by_side(data: bytes) -> bytes:
    """Return a TEI file of ours as it is where the witnesses' files lie beside it, not in a folder of their own."""
    return re.sub(rb'(replacementPattern=")\.\./(?:witnesses|editions)/', rb"\1", data)


def prefixes(*, variants: bool) -> Element:
    """``listPrefixDef``: what ``w:`` points to; with `variants`, what justifies a judgement on a reading."""
    made = element("listPrefixDef")
    for name, (pattern, replacement, words) in PREFIXES.items():
        if variants or name == "w":
            add_block(made, _prefix(name, pattern, replacement, words))
    return made


def from_text(text: str, home: str) -> Element:
    """``prefixDef`` of pointers into another text, by its id, whose file lies at `home` (``editions/yili.xml``)."""
    words = f"text:{text}.6.4.2 is the element {text}.6.4.2 of the file of the text {text}."
    return _prefix(FROM_TEXTS, rf"({text})\.(.+)", f"../{home}#$1.$2", words)


def _prefix(name: str, pattern: str, replacement: str, words: str) -> Element:
    attributes = {"ident": name, "matchPattern": pattern, "replacementPattern": replacement}
    return add_block(element("prefixDef", attributes), element("p", {LANG: "en"}, words))


def classes(*, variants: bool, cited: Mapping[str, Mapping[str, str]]) -> Element:
    """``classDecl``: the kinds of notes; with `variants`, the classes of variants too, and the rows that they cite.
    `cited` has for each of our lists the pairs of graphs that it judged, and what its row means."""
    made = add_block(element("classDecl"), _taxonomy("notes", "note-", NOTE_SUBTYPES, NOTE_SUBTYPES_ENGLISH))
    if variants:
        english = {name: f"{each.english}: {each.gloss[1]}" for name, each in TABLE.items()}
        add_block(made, _taxonomy("variants", "var-", VARIANT_CLASSES, english))
        add_block(made, _taxonomy("decisions", "decision-", JUDGED, JUDGED_ENGLISH))
    if cited:
        lists = add_block(element("taxonomy", {ID: "lists"}))
        for name, rows in cited.items():
            rows_as_text = [element("catDesc", {LANG: "zh"}, f"{pair} {words}") for pair, words in rows.items()]
            add_block(lists, add_block(element("category", {ID: f"list-{name}"}), *rows_as_text))
        add_block(made, lists)
    return made


def bases(used: Iterable[tuple[str, Basis]]) -> Element:
    """``taxonomy`` of what the editor's marks and names rest on: who set them, when, on what evidence."""
    made = add_block(element("taxonomy", {ID: "bases"}))
    for identifier, basis in used:
        words = ": ".join(filter(None, (basis.when, basis.evidence))) or "—"
        add_block(made, element("category", {ID: identifier, "resp": f"#{basis.resp}"}, "",
                                element("catDesc", {}, words)))
    return made


def _taxonomy(name: str, prefix: str, names: Mapping[str, str], english: Mapping[str, str]) -> Element:
    made = element("taxonomy", {ID: name})
    for key, label in names.items():
        add_block(made, element("category", {ID: prefix + key}, "", element("catDesc", {LANG: "zh"}, label),
                                element("catDesc", {LANG: "en"}, english[key])))
    return made


def characters(glyphs: Mapping[str, str], judged: Mapping[str, GlyphDecision]) -> Element:
    """``charDecl``: each private-use character with its code point, its standard character, and who says so and why."""
    made = element("charDecl")
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


_PATH = "{*}encodingDesc/{*}samplingDecl/{*}ab[@type='ledger']"


def write_ledger(header: Element, dropped: tuple[tuple[str, str], ...], name: str) -> None:
    """Put the ledger into `header`, in place of any that is there: one item for each text, its rule in ``@n``. Raises
    TeiError for a text that XML cannot hold."""
    for old in header.iterfind("{*}encodingDesc/{*}samplingDecl"):
        encoding = old.getparent()
        if encoding is not None:
            encoding.remove(old)
    if not dropped:
        return
    items = element("list")
    for rule, text in dropped:
        if bad := FORBIDDEN.search(rule + text):
            raise TeiError(
                f"the ledger's rule {rule!r} holds U+{ord(bad[0]):04X}, which cannot stand in XML", place=Place(name),
                mend="let the reader write such a character as its code point",
            )
        add_block(items, element("item", {"n": rule, SPACE: "preserve"}, text))
    encoding = header.find("{*}encodingDesc")
    if encoding is None:
        encoding = element("encodingDesc")
        header.insert(1, encoding)
    add_block(encoding, add_block(element("samplingDecl"), element("ab", {"type": "ledger"}, "", items)))


def read_ledger(header: Element | None, name: str) -> tuple[tuple[str, str], ...]:
    """Return the ledger of a header back; empty if it has none."""
    found = None if header is None else header.find(_PATH)
    if found is None:
        return ()
    return tuple(
        (item.get("n", ""), text_only(item, name)) for items in blocks(found, name) for item in blocks(items, name)
    )


def layer_attributes(layer: Mapping[tuple[str, str, str], int]) -> dict[str, str]:
    """Return the attributes that most of the editor's marks and names have, by how many have which id of who set it,
    certainty and basis; none of a kind that any of them lacks."""
    most = max(layer, key=layer.__getitem__, default=("", "", ""))
    return {key: attribute.codec.write(value) for key, attribute, value, *others
            in zip(LAYER, LAYER.values(), most, *layer, strict=True) if value and all(others)}


def usual_layer(header: Element | None) -> dict[str, str]:
    """Return the attributes that most of the editor's marks and names have, as a header states them; see
    `pipeline.tei.shapes.LAYER`."""
    stated = None if header is None else header.find("{*}encodingDesc/{*}editorialDecl/{*}punctuation")
    return {} if stated is None else {
        key: value.replace(f"#{PREFIX}", "#", 1) for key in LAYER if (value := stated.get(key))}


class Sentence(Struct, frozen=True, forbid_unknown_fields=True):
    """One statement of ``principles.toml``, whose head explains the fields."""

    simplified: str
    traditional: str
    english: str
    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


CHINESE = ("lzh", "zh", "och", "cmn", "yue")
"""Languages that are written in Chinese graphs alone (BCP 47); of these a header speaks Chinese first."""


@cache
def principles() -> dict[str, tuple[Sentence, ...]]:
    """Return the statements by element of ``editorialDecl``, in their order."""
    data = Path(__file__).with_name("principles.toml").read_bytes()
    return toml.decode(data, type=dict[str, tuple[Sentence, ...]])


def editorial(features: Collection[str], language: str, layer: Mapping[str, str] | None = None) -> Element:
    """Return the ``editorialDecl`` of a document with these `features`, whose text is in `language` (``lzh-Hant``);
    `layer` as `layer_attributes` returns it."""
    made = element("editorialDecl")
    for name, sentences in principles().items():
        chosen = [each for each in sentences if (not each.needs or any(need in features for need in each.needs))
                  and not any(lack in features for lack in each.lacks)]
        words = ("".join(each.simplified for each in chosen), "".join(each.traditional for each in chosen))
        add_block(made, statement(name, *words, " ".join(each.english for each in chosen), language))
    for key, value in (layer or {}).items():
        made[list(principles()).index("punctuation")].set(key, value)
    return made


_PARTLY = "（不全）"
_SEVERAL = ("{titles}，以{base}为底本，校以{others}。", "{titles}，以{base}為底本，校以{others}。",
            "{titles}: base {base}, collated with {others}.")
_ALONE = ("{titles}，仅据{base}一本，无他本可校。", "{titles}，僅據{base}一本，無他本可校。",
          "{titles}: only {base}, without a second witness.")


def chapters(every: Iterable[Collation], sigla: Mapping[str, str], language: str) -> list[Element]:
    """Return the paragraphs that say which chapters have which base and witnesses; none for a text without chapters."""
    groups: dict[tuple[str, tuple[str, ...], frozenset[str]], list[str]] = {}
    for each in every:
        groups.setdefault((each.base, each.others, each.partly), []).append(each.title or each.chapter)
    made: list[list[str]] = [[], [], []]
    for (base, others, partly), titles in groups.items():
        for n, (words, form) in enumerate(zip(made, _SEVERAL if others else _ALONE, strict=True)):
            sign, part = ("、", _PARTLY) if n < 2 else (", ", " (in part)")
            many = f"{written(len(titles))}篇" if n < 2 < len(titles) else ""
            named = sign.join(f"{sigla.get(each, each)}{part if each in partly else ''}" for each in others)
            words.append(form.format(titles=sign.join(titles) + many, base=sigla.get(base, base), others=named))
    simplified, traditional, english = made
    if not groups:
        return []
    return list(statement("correction", "".join(simplified), "".join(traditional), " ".join(english), language))


def counted(text: Tally, notes: Tally, settled: Tally, language: str) -> list[Element]:
    """Return the paragraphs that say how many variants of base text and notes the editor decided; none if none.
    `settled` counts those of the base text in whose classes the base is followed unless the editor decides."""
    if not text.decided + notes.decided:
        return []
    n = text.doubted + notes.doubted
    doubted = (f"诸本无异而前人所疑，存疑{n}条。", f"諸本無異而前人所疑，存疑{n}條。",
               f"Where the witnesses agree and scholars doubt them, {n} places are left open. ") if n else ("", "", "")
    return list(statement(
        "correction",
        f"诸本异文：经文{text.entries}条，编者所定{text.decided}条，其中存疑{text.doubtful}条；"
        f"注文节引所省不计，{notes.entries}条，所定{notes.decided}条，其中存疑{notes.doubtful}条。"
        f"概从底本之类（字形之异）别计：经文{settled.entries}条，不从底本者{settled.decided}条，皆编者所定。"
        f"{doubted[0]}未经裁定者，经文从底本，注文从所印之本，底本节引之注从其全本，其异见校勘记。",
        f"諸本異文：經文{text.entries}條，編者所定{text.decided}條，其中存疑{text.doubtful}條；"
        f"注文節引所省不計，{notes.entries}條，所定{notes.decided}條，其中存疑{notes.doubtful}條。"
        f"概從底本之類（字形之異）別計：經文{settled.entries}條，不從底本者{settled.decided}條，皆編者所定。"
        f"{doubted[1]}未經裁定者，經文從底本，注文從所印之本，底本節引之注從其全本，其異見校勘記。",
        f"Variants: {text.entries} of the base text, of them decided {text.decided}, {text.doubtful} with doubt; "
        f"{notes.entries} of the notes, besides what works abridge, of them decided {notes.decided}, {notes.doubtful} "
        "with doubt. Not counted are the classes "
        f"in which the base is followed: {settled.entries} of the base text, in {settled.decided} of which "
        f"the editor decided otherwise. {doubted[2]}In the rest the base text follows its base, a note the witness "
        "that it is printed from; a note that the base abridges is printed from the fullest witness.", language,
    ))


_NAMED = 3
"""Pairs of graphs that differ so often are named in the header."""


def graphs(document: Document, simplified: str, language: str) -> list[Element]:
    """Return the paragraphs that say once how the witnesses differ in writing; none without a witness in simplified
    script, whose graphs are no evidence for those of its original. `simplified` are the sigla of these witnesses."""
    found: Counter[tuple[str, ...]] = Counter()
    for app in (item for item in walk(document) if isinstance(item, App)):
        for each in app.readings:
            if each.variant in ("script", "graphic"):
                pairs = zip(counted_text(app.lemma.content), counted_text(each.content), strict=False)
                found.update({tuple(sorted(pair)) for pair in pairs if len({*pair}) > 1})
    if not found or not simplified:
        return []
    named = [(pair, count) for pair, count in found.most_common() if count >= _NAMED]
    listed = "；".join(f"{'、'.join(pair)}（{count}）" for pair, count in named)
    total, kinds = found.total(), len(found)
    return list(statement(
        "normalization",
        f"{simplified}皆简体转录，不足以证其原本之字形：繁简、异体之异{total}处，凡{kinds}组，总记于此，不作异文论；"
        f"各本用字仍逐处存录。其{_NAMED}处以上者：{listed}。",
        f"{simplified}皆簡體轉錄，不足以證其原本之字形：繁簡、異體之異{total}處，凡{kinds}組，總記於此，不作異文論；"
        f"各本用字仍逐處存錄。其{_NAMED}處以上者：{listed}。",
        f"{simplified} are transcribed in simplified script and no evidence for the graphs of their originals: "
        f"{total} differences of writing, of {kinds} pairs, are stated here once and are no readings; each place "
        f"keeps what each witness writes. Those with {_NAMED} places or more: {listed}.", language,
    ))


_TEXT = ("", "commentary")


def punctuated(document: Document, language: str) -> list[Element]:
    """Return the paragraphs that say how much of a text has the editor's punctuation, and how much the program's."""
    made = []
    for kind in (Unit, Note):
        own = [each for each in walk(document) if isinstance(each, kind) and getattr(each, "kind", "") in _TEXT]
        marks = [{item.resp for item in items(each.content) if isinstance(item, EditorsMark)} for each in own]
        made.append((sum(map(bool, marks)), len(own), marks.count({PROGRAM})))
    (units, of_units, own_units), (notes, of_notes, own_notes) = made
    proposed = own_units + own_notes
    more = (f"其中{proposed}条惟程序所拟，未经编者读定。", f"其中{proposed}條惟程序所擬，未經編者讀定。",
            f" {proposed} of them have proposals of the program that no editor has read.") if proposed else ("", "", "")
    return list(statement(
        "punctuation",
        f"已加标点者：经文{units}条（凡{of_units}条），注文{notes}条（凡{of_notes}条）。{more[0]}",
        f"已加標點者：經文{units}條（凡{of_units}條），注文{notes}條（凡{of_notes}條）。{more[1]}",
        f"Punctuated are {units} of {of_units} units of base text and {notes} of {of_notes} notes.{more[2]}", language,
    ))


def is_chinese(language: str) -> bool:
    """Whether a text's language is Chinese; an empty one is taken for it."""
    return not language or language.split("-")[0] in CHINESE


def statement(name: str, simplified: str, traditional: str, english: str, language: str) -> Element:
    """Return a statement of the header as paragraphs: Chinese in the script of the text, then English; English alone
    where the text's `language` is not Chinese."""
    chinese = traditional if language.endswith("Hant") else simplified
    first = [element("p", {LANG: "zh"}, chinese)] if is_chinese(language) else []
    return add_block(element(name), *first, element("p", {LANG: "en"}, english))
