"""Statements of a header about the principles of the edition (凡例): fixed sentences, and those counted in its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, toml

from jiaokan.decisions.readings import Collation, Tally
from jiaokan.model import App, Document, EditorsMark, Note, Unit
from jiaokan.model.numerals import write_number
from jiaokan.model.text import counted as counted_text
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.model.walk import items, walk
from jiaokan.tei.tree import LANG, Element, add_block, element


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
    declaration = element("editorialDecl")
    for name, sentences in principles().items():
        chosen = [sentence for sentence in sentences
                  if (not sentence.needs or any(need in features for need in sentence.needs))
                  and not any(lack in features for lack in sentence.lacks)]
        words = ("".join(sentence.simplified for sentence in chosen),
                 "".join(sentence.traditional for sentence in chosen))
        add_block(declaration, statement(name, *words, " ".join(sentence.english for sentence in chosen), language))
    for key, value in (layer or {}).items():
        declaration[list(principles()).index("punctuation")].set(key, value)
    return declaration


_PARTLY = "（不全）"
_SEVERAL = ("{titles}，以{base}为底本，校以{others}。", "{titles}，以{base}為底本，校以{others}。",
            "{titles}: base {base}, collated with {others}.")
_ALONE = ("{titles}，仅据{base}一本，无他本可校。", "{titles}，僅據{base}一本，無他本可校。",
          "{titles}: only {base}, without a second witness.")


def chapters(every: Iterable[Collation], sigla: Mapping[str, str], language: str) -> list[Element]:
    """Return the paragraphs that say which chapters have which base and witnesses; none for a text without chapters."""
    groups: dict[tuple[str, tuple[str, ...], frozenset[str]], list[str]] = {}
    for collation in every:
        key = collation.base, collation.others, collation.partly
        groups.setdefault(key, []).append(collation.title or collation.chapter)
    by_language: list[list[str]] = [[], [], []]
    for (base, others, partly), titles in groups.items():
        for n, (words, form) in enumerate(zip(by_language, _SEVERAL if others else _ALONE, strict=True)):
            sign, part = ("、", _PARTLY) if n < 2 else (", ", " (in part)")
            many = f"{write_number(len(titles))}篇" if n < 2 < len(titles) else ""
            named = sign.join(f"{sigla.get(witness, witness)}{part if witness in partly else ''}" for witness in others)
            words.append(form.format(titles=sign.join(titles) + many, base=sigla.get(base, base), others=named))
    simplified, traditional, english = by_language
    if not groups:
        return []
    return list(statement("correction", "".join(simplified), "".join(traditional), " ".join(english), language))


def decision_paragraphs(text: Tally, notes: Tally, settled: Tally, language: str) -> list[Element]:
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
    """Return the paragraphs that say once how the witnesses differ in writing; none unless the base is transcribed
    in simplified script, whose graphs are no evidence for those of its original. `simplified` are the sigla of such
    witnesses."""
    differences: Counter[tuple[str, ...]] = Counter()
    for app in (item for item in walk(document) if isinstance(item, App)):
        for reading in app.readings:
            if reading.variant in ("script", "graphic"):
                pairs = zip(counted_text(app.lemma.content), counted_text(reading.content), strict=False)
                differences.update({tuple(sorted(pair)) for pair in pairs if len({*pair}) > 1})
    if not differences or not language.endswith("Hans"):
        return []
    named = [(pair, count) for pair, count in differences.most_common() if count >= _NAMED]
    listed = "；".join(f"{'、'.join(pair)}（{count}）" for pair, count in named)
    total, kinds = differences.total(), len(differences)
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


def punctuation_paragraphs(document: Document, language: str) -> list[Element]:
    """Return the paragraphs that say how much of a text has the editor's punctuation, and how much the program's."""
    counts = []
    for kind in (Unit, Note):
        texts = [item for item in walk(document) if isinstance(item, kind) and getattr(item, "kind", "") in _TEXT]
        marks = [{item.resp for item in items(text.content) if isinstance(item, EditorsMark)} for text in texts]
        counts.append((sum(map(bool, marks)), len(texts), marks.count({PROGRAM})))
    (units, of_units, own_units), (notes, of_notes, own_notes) = counts
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
