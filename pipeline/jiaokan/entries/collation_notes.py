"""The 校勘记 of an edition as XML, for the stylesheets: they print sentences and compose none.

The document is ``told`` in the namespace ``urn:jiaokan:prepared``. It has these, each with an ``id`` and a ``sentence``
(text with ``q``, quoted words; ``siglum``, a witness with its id; ``class``, a class of variants):

* ``chapter``: its base and what is collated with it;
* ``entry``, with the heaviest ``class`` of its readings and a ``comment`` for each remark of the editor; a ``rank`` if
  its sentence tells of more than these, ``stated`` if its class is one of `stated_once`. One that the sentence of
  another entry reports has its id as ``in``: its own sentence is only for lists. One without a sentence is not printed:
  a note's reports it, or it is a slip of a transcription;
* ``abridged``, of a ``note`` of which works give only a part;
* ``move``, a passage that a witness has elsewhere.

If the program speaks English, entries are ``lemma] reading``. Stylesheets take the document as their parameter
``told``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from jiaokan.characters.scripts import Interface, interface_of, is_chinese, language_of, term
from jiaokan.entries import Entry, carriers, heaviest, moving
from jiaokan.entries.extract import all_entries
from jiaokan.entries.selected import WHOLE, Selection, collations, select
from jiaokan.entries.sentences import (
    abridgement_sentence,
    classes_at_end,
    comments,
    formula_parts,
    head_sentence,
    informing_classes,
    marks,
    move_formula,
    plain_head,
    sentence_parts,
)
from jiaokan.entries.values import Quote, without_slips
from jiaokan.entries.wording import ClassName, Part, Sigla, Siglum, in_script
from jiaokan.errors import RenderError, TeiError
from jiaokan.model import Document
from jiaokan.model.text import edited
from jiaokan.model.variants import RANKS, TABLE, VARIANT_CLASSES
from jiaokan.model.walk import units
from jiaokan.model.words import simplified
from jiaokan.settings.plans import ApparatusPlan
from jiaokan.tei.parse import from_tei
from jiaokan.tei.persons import read_declared

ENTRY = b"<rdg"  # occurs in every text with entries, and in no other
_ABBREVIATION = re.compile(r"\b(om|add|tr|lac|coni|fort)\.")  # of `sentences.formula`
_APART, _BRACKET = " ] ", "] "  # of `sentences.formula`, and as books print it


@dataclass(frozen=True, slots=True)
class NoteRow:
    """What the 校勘记 says in one place."""

    kind: str  # ``chapter``, ``entry``, ``abridged`` or ``move``
    id: str  # id of the chapter, of the entry, of the abridged note, or of the moved passage
    xml: str  # an element on a line
    same_as: str = ""  # id of the entry that this one repeats
    within: str = ""  # id of the entry, or abridged note, whose sentence reports this entry


def collation_notes(
    tei: bytes, *, name: str, interface: Interface = "hans", plan: ApparatusPlan | None = None
) -> str:
    """Return the 校勘记 of a TEI file; "" if it has no entry. `name` is the file's name in messages, `interface` the
    program's language. The editor's punctuation says where clauses end. Raises RenderError with file and line for a
    text with entries that is not in the encoding: only what the model knows can be reported."""
    if ENTRY not in tei:
        return ""
    try:
        known = read_declared(tei, name=name)
        document = from_tei(tei, name=name, layer=True)
    except TeiError as error:
        raise RenderError(error.message, place=error.place, mend=error.mend) from None
    rows = note_rows(document, {**known.sigla, **known.names()}, interface, plan)
    return joined(row for row in rows if not (known.shown and row.kind == "chapter"))  # its base is not ours to name


def as_xml(
    document: Document, names: Sigla, interface: Interface = "hans", plan: ApparatusPlan | None = None
) -> str:
    """Return the 校勘记 of an edition; `names` are those of witnesses and of persons by id. Raises KeyError for a class
    that is not in the table, which `from_tei` excludes."""
    return joined(note_rows(document, names, interface, plan))


def note_rows(
    document: Document, names: Sigla, interface: Interface = "hans", plan: ApparatusPlan | None = None
) -> Iterator[NoteRow]:
    """Yield the 校勘记 of an edition row by row; parameters and errors are those of `as_xml`, which raises as this."""
    if is_chinese(interface):
        return _chinese(document, names, plan or ApparatusPlan(), interface)
    return _latin(document, names, plan or ApparatusPlan(), interface)


def joined(rows: Iterable[NoteRow]) -> str:
    """Return rows as one XML document."""
    return f'<told xmlns="urn:jiaokan:prepared">\n{"".join(row.xml for row in rows)}</told>\n'


def spoken_of(document: Document) -> Interface:
    """Return the script of the interface for an edition, by its base text; simplified if nothing shows which."""
    text = "".join(edited(unit.content) for unit in units(document.divisions))
    interface = interface_of(language_of(text))
    return "hans" if interface == "hant" and simplified(text) == text else interface


def stated_once(document: Document) -> frozenset[str]:
    """Return the classes of variants that the header of an edition states once, and lists and counts omit: how a
    transcription in simplified script writes a graph is no evidence for its original."""
    return frozenset({"script", "graphic"} if spoken_of(document) == "hans" else ())


def _chinese(document: Document, names: Sigla, plan: ApparatusPlan, interface: Interface) -> Iterator[NoteRow]:
    def tell(parts: Iterable[Part]) -> str:
        return "".join(map(_part, in_script(parts, interface)))

    chosen = select(document, plan)
    for each in collations(document):
        yield _row("chapter", each.chapter, tell(head_sentence(each, names)))
    yield from _entries(
        document, chosen,
        lambda entry: f"{tell(sentence_parts(entry, names, positive=plan.positive))}{_suffix(entry, tell)}",
        lambda entry: "".join(_comments(entry, tell)))
    for note in chosen.abridgements:
        text = tell(abridgement_sentence(note, names))
        yield _row("abridged", note.id, text, note=note.note, **{"class": "omission"})
    for move in chosen.moves:
        yield _row("move", move.id, tell(moving.move_sentence(move, document, names)))


def _latin(document: Document, names: Sigla, plan: ApparatusPlan, interface: Interface) -> Iterator[NoteRow]:
    def formula(entry: Entry) -> str:
        parts = (f"<q>{escape(part.words)}</q>" if isinstance(part, Quote)
                 else _translate(_part(part), interface).replace(_APART, _BRACKET) if isinstance(part, str)
                 else _part(part) for part in formula_parts(entry, names, positive=plan.positive))
        classes = (f' (<class id="{each}">{escape(term("variant-" + each, interface).lower())}</class>)'
                   for each in informing_classes(entry))
        return "".join([*parts, *classes])

    chosen = select(document, WHOLE)
    for each in collations(document):
        yield _row("chapter", each.chapter, escape(plain_head(each, names, interface)))
    yield from _entries(document, chosen, formula,
                        lambda entry: "".join(f"<comment>. {escape(note)}</comment>" for note in entry.notes))
    for move in chosen.moves:
        yield _row("move", move.id, escape(move_formula(move, names).replace(f"{_APART}tr.", f"{_BRACKET}tr.", 1)))


def _translate(words: str, interface: Interface) -> str:
    """Return words of a formula with its abbreviations in the language of a book: ``om.``, ナシ."""
    return _ABBREVIATION.sub(lambda match: term(f"entry-{match[1]}", interface), words)


def _entries(
    document: Document, chosen: Selection, sentence_of: Callable[[Entry], str], comments_of: Callable[[Entry], str]
) -> Iterator[NoteRow]:
    reported = {entry.id: entry for entry in chosen.entries}
    inside = {entry.id: (outer, entry) for outer, entry in chosen.inside}
    collated, once = frozenset(carriers(document)), stated_once(document)
    for each in all_entries(document):
        entry = reported.get(each.id)
        if each.id in inside:
            outer, entry = inside[each.id]
            more = {"class": heaviest(entry), "in": outer} | ({"stated": "yes"} if heaviest(entry) in once else {})
            yield _row("entry", each.id, sentence_of(entry), comments_of(entry), **more)
        elif entry is None:
            yield _row("entry", each.id, "", comments_of(each))
        else:
            more = {"class": heaviest(entry)}
            if entry.covers and (one := without_slips(each)):
                more = {"class": heaviest(one), "rank": str(TABLE[heaviest(entry)].rank)}
            if heaviest(entry) in once:
                more["stated"] = "yes"
            if entry.same_as:
                more["same-as"] = entry.same_as
                writing = TABLE[heaviest(entry)].rank < RANKS["reading"]
                if writing or not any(collated & {*r.witnesses} for r in entry.readings):  # it is not reported again
                    more["again"] = "yes"
            yield _row("entry", each.id, sentence_of(entry), comments_of(entry), **more)


def _row(kind: str, name: str, sentence: str, comments: str = "", **more: str) -> NoteRow:
    attributes = "".join(f" {key}={quoteattr(value)}" for key, value in more.items())
    body = f"<sentence>{sentence}</sentence>" if sentence else ""
    xml = f"<{kind} id={quoteattr(name)}{attributes}>{body}{comments}</{kind}>\n"
    return NoteRow(kind, name, xml, more.get("same-as", ""), more.get("in", ""))


def _suffix(entry: Entry, tell: Callable[[Iterable[Part]], str]) -> str:
    classes = classes_at_end(entry)
    named = "、".join(f'<class id="{each}">{tell([VARIANT_CLASSES[each]])}</class>' for each in classes)
    return named + tell(["，".join([*([""] if classes else []), *marks(entry)])])


def _part(part: Part) -> str:
    match part:
        case ClassName():
            return f'<class id="{part.id}">{escape(str(part))}</class>'
        case Quote():
            return f"「<q>{escape(part.words)}</q>」"
        case Siglum(id=name) if name:
            return f"<siglum id={quoteattr(part.id)}>{escape(part.name)}</siglum>"
    return escape(str(part))


def _comments(entry: Entry, tell: Callable[[Iterable[Part]], str]) -> Iterator[str]:
    before = "" if classes_at_end(entry) or marks(entry) else "。"
    for each in comments(entry):
        lead = "按：" if each.startswith("按：") else ""
        own = each.removeprefix(lead)
        yield f"<comment>{'' if before.endswith('。') else '。'}{lead and tell([lead])}{escape(own)}</comment>"
        before = each
