"""Statements of a header about the principles of the edition (凡例): fixed sentences, and those counted in its text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct, toml

from jiaokan import messages
from jiaokan.decisions.readings import Collation, Tally
from jiaokan.model import App, Document, EditorsMark, Note, Unit
from jiaokan.model.numerals import write_number
from jiaokan.model.text import counted as counted_text
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.model.walk import items, walk
from jiaokan.model.words import traditional
from jiaokan.settings.plans import ConsultedPlan
from jiaokan.tei.tree import LANG, Element, add_block, element


class Sentence(Struct, frozen=True, forbid_unknown_fields=True):
    """One statement of ``principles.toml``, whose head explains the fields."""

    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


FIGURES = "figures"
"""Kind of the statements that count something; they come after the principles."""
_FORMS = {"系": "繫", "为": "為", "注": "注"}
"""Graphs of these statements whose traditional form is not that of modern words."""
Forms = tuple[str, str, str]
"""A statement in simplified and traditional Chinese and in English."""
_SIGNS = "、", "、", ", "
"""What stands between the members of a list in each of them."""
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
        chosen = [principle(f"{name}-{number}") for number, sentence in enumerate(sentences, 1)
                  if (not sentence.needs or any(need in features for need in sentence.needs))
                  and not any(lack in features for lack in sentence.lacks)]
        add_block(declaration, statement(name, _join(chosen), language))
    for key, value in (layer or {}).items():
        declaration[list(principles()).index("punctuation")].set(key, value)
    return declaration


def principle(key: str, **values: object) -> Forms:
    """Return a statement in simplified and traditional Chinese and in English; of a value that has such forms, each
    takes its own."""
    chinese, english = (messages.wording(f"principle-{key}", each) for each in (messages.CHINESE, messages.ENGLISH))
    full = "".join(_FORMS.get(graph) or traditional(graph) for graph in chinese)

    def fill(form: str, n: int) -> str:
        return form.format_map({name: value[n] if isinstance(value, tuple) else value
                                for name, value in values.items()})

    return fill(chinese, 0), fill(full, 1), fill(english, 2)


def _join(statements: Iterable[Forms]) -> Forms:
    """Return statements one after the other; English ones with a space between them."""
    rows = list(statements)
    return "".join(row[0] for row in rows), "".join(row[1] for row in rows), " ".join(row[2] for row in rows)


def chapters(
    every: Iterable[Collation], sigla: Mapping[str, str], language: str, reasons: Mapping[str, str] | None = None
) -> list[Element]:
    """Return the paragraphs that say which chapters have which base and witnesses, and why (`reasons` by id of the
    chapter); none for a text without chapters."""
    groups: dict[tuple[str, tuple[str, ...], frozenset[str], str], list[str]] = {}
    for collation in every:
        key = collation.base, collation.others, collation.partly, (reasons or {}).get(collation.chapter, "")
        groups.setdefault(key, []).append(collation.title or collation.chapter)
    sentences = []
    for (base, others, partly, why), titles in groups.items():
        part = principle("partly")
        many = f"{write_number(len(titles))}篇" if len(titles) > 2 else ""
        listed, named = list[str](), list[str]()
        for n, sign in enumerate(_SIGNS):
            listed.append(sign.join(titles) + (many if n < 2 else ""))
            named.append(sign.join(f"{sigla.get(witness, witness)}{part[n] if witness in partly else ''}"
                                   for witness in others))
        sentences.append(principle("several" if others else "alone", titles=tuple(listed),
                                   base=sigla.get(base, base), others=tuple(named)))
        sentences += [(why, why, why)] if why else []
    return list(statement("correction", _join(sentences), language, "chapter-bases")) if groups else []


def consulted_paragraphs(works: Iterable[ConsultedPlan], language: str) -> list[Element]:
    """Return the paragraphs that list the works that are compared at single places; none without such works."""
    names = [f"{work.edition}{work.title}" + (f"（{work.origin}）" if work.origin else "") for work in works]
    if not names:
        return []
    listed = tuple(sign.join(names) for sign in _SIGNS)
    return list(statement("correction", principle("consulted", listed=listed), language, "consulted"))


def decision_paragraphs(text: Tally, notes: Tally, settled: Tally, language: str) -> list[Element]:
    """Return the paragraphs that say what is printed where the editor decided nothing, and figures: how many variants
    of base text and notes he decided; none if none. `settled` counts those of the base text in whose classes the base
    is followed unless the editor decides."""
    if not text.decided + notes.decided:
        return []
    n = text.doubted + notes.doubted
    return [*statement("correction", principle("undecided"), language), *statement("correction", principle(
        "decisions", entries=text.entries, decided=text.decided, doubtful=text.doubtful, note_entries=notes.entries,
        notes_decided=notes.decided, notes_doubtful=notes.doubtful, settled=settled.entries,
        otherwise=settled.decided, doubted=principle("doubted", count=n) if n else "",
    ), language, FIGURES)]


_NAMED = 3
"""Pairs of graphs that differ so often are named in the header."""


def graphs(document: Document, simplified: str, language: str) -> list[Element]:
    """Return the paragraphs that say once how the witnesses differ in writing, and how often; none unless the base is
    transcribed in simplified script, whose graphs are no evidence for those of its original. `simplified` are the
    sigla of such witnesses."""
    differences: Counter[tuple[str, ...]] = Counter()
    for app in (item for item in walk(document) if isinstance(item, App)):
        for reading in app.readings:
            if reading.variant in ("script", "graphic"):
                pairs = zip(counted_text(app.lemma.content), counted_text(reading.content), strict=False)
                differences.update(tuple(sorted(pair)) for pair in pairs if len({*pair}) > 1)
    if not differences or not language.endswith("Hans"):
        return []
    named = [(pair, count) for pair, count in differences.most_common() if count >= _NAMED]
    listed = "；".join(f"{'、'.join(pair)}（{count}）" for pair, count in named)
    return [*statement("normalization", principle("graphs", sigla=simplified), language),
            *statement("normalization", principle(
                "graph-figures", total=differences.total(), kinds=len(differences), least=_NAMED, listed=listed,
            ), language, FIGURES)]


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
    return list(statement("punctuation", principle(
        "punctuated", units=units, of_units=of_units, notes=notes, of_notes=of_notes,
        proposed=principle("proposed", count=proposed) if proposed else "",
    ), language, FIGURES))


def is_chinese(language: str) -> bool:
    """Whether a text's language is Chinese; an empty one is taken for it."""
    return not language or language.split("-")[0] in CHINESE


def statement(name: str, forms: Forms, language: str, kind: str = "") -> Element:
    """Return a statement of the header as paragraphs: Chinese in the script of the text, then English; English alone
    where the text's `language` is not Chinese. `kind` says of what they are if not of a principle, as `FIGURES`."""
    simplified, full, english = forms
    chinese = full if language.endswith("Hant") else simplified
    first = [element("p", {"n": kind, LANG: "zh"}, chinese)] if is_chinese(language) else []
    return add_block(element(name), *first, element("p", {"n": kind, LANG: "en"}, english))
