"""What the 校勘记 of an edition says, as XML: for the stylesheets, which print sentences and compose none.

The document is ``told`` of the namespace ``urn:jiaokan:prepared``. In it stand, each with an ``id`` and a ``sentence``
(text with ``q``, quoted words; ``siglum``, a witness with its id; ``class``, a class of variants):

* ``chapter``: its base and what is collated with it;
* ``entry``, of the heaviest ``class`` that its readings have, with a ``comment`` for each remark of the editor. One
  without a sentence is left out: it is told by another, or is a slip of a transcription;
* ``abridged``, of a ``note`` of which works give only a part;
* ``move``, a passage that a witness has elsewhere.

Where the program speaks English, entries are told as ``lemma ] reading``. Stylesheets take it as their parameter
``told``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from xml.sax.saxutils import escape, quoteattr

from pipeline.characters.scripts import Interface, interface_of, language_of
from pipeline.entries import Entry, carriers, heaviest, moving
from pipeline.entries.extract import survey
from pipeline.entries.selected import WHOLE, collations, selected
from pipeline.entries.sentences import abridgement, body, comments, head, head_in_english, marks, terms, transposed
from pipeline.entries.wording import Part, Quote, Sigla, Siglum, in_script
from pipeline.errors import RenderError, TeiError
from pipeline.model import Document, Unit
from pipeline.model.conversion import simplified
from pipeline.model.text import edited
from pipeline.model.variants import RANKS, TABLE, VARIANT_CLASSES
from pipeline.model.walk import items
from pipeline.settings.plans import ApparatusPlan
from pipeline.tei.parse import from_tei
from pipeline.tei.persons import declared

ENTRY = b"<rdg"
"""What every text with entries holds, and no other."""
INFORMING = frozenset({"script", "graphic", "loan", "taboo"})
"""Classes that say more than the sentence: that two graphs are one word. 无 is an omission, 作 another reading."""


def told(tei: bytes, *, name: str, interface: Interface = "hans", plan: ApparatusPlan | None = None) -> str:
    """Give what the 校勘记 of a TEI file says; empty if it has no entry. `name` is the file's name in messages,
    `interface` what the program speaks.

    Raises RenderError with file and line for a text with entries that is not in the encoding: only what the model knows
    can be told.
    """
    if ENTRY not in tei:
        return ""
    try:
        known = declared(tei, name=name)
        document = from_tei(tei, name=name)
    except TeiError as error:
        raise RenderError(error.message, place=error.place, mend=error.mend) from None
    return as_xml(document, {**known.sigla, **known.names()}, interface, plan)


def as_xml(
    document: Document, names: Sigla, interface: Interface = "hans", plan: ApparatusPlan | None = None
) -> str:
    """Give what the 校勘记 of an edition says; `names` are those of witnesses and of persons by id.

    Raises KeyError for a reading of a class that is not in the table, which `from_tei` lets nobody have.
    """
    chinese = interface != "en"
    rows = _chinese(document, names, plan or ApparatusPlan(), interface) if chinese else _latin(document, names)
    return f'<told xmlns="urn:jiaokan:prepared">\n{"".join(rows)}</told>\n'


def spoken_of(document: Document) -> Interface:
    """Tell from its base text what the program speaks of an edition; simplified if nothing in it says which."""
    text = "".join(edited(item.content) for item in items(document.divisions) if isinstance(item, Unit))
    interface = interface_of(language_of(text))
    return "hans" if interface == "hant" and simplified(text) == text else interface


def _chinese(document: Document, names: Sigla, plan: ApparatusPlan, interface: Interface) -> Iterator[str]:
    def tell(parts: Iterable[Part]) -> str:
        return "".join(map(_part, in_script(parts, interface)))

    chosen = selected(document, plan)
    for each in collations(document):
        yield _row("chapter", each.chapter, tell(head(each, names)))
    yield from _entries(document, chosen.entries, lambda entry: f"{tell(body(entry, names))}{_after(entry, tell)}",
                        lambda entry: "".join(_comments(entry, tell)))
    for note in chosen.abridgements:
        yield _row("abridged", note.id, tell(abridgement(note, names)), note=note.note, **{"class": "omission"})
    for move in chosen.moves:
        yield _row("move", move.id, tell(moving.tell(move, document, names)))


def _latin(document: Document, names: Sigla) -> Iterator[str]:
    chosen = selected(document, WHOLE)
    for each in collations(document):
        yield _row("chapter", each.chapter, escape(head_in_english(each, names)))
    yield from _entries(document, chosen.entries, lambda entry: _formula(entry, names),
                        lambda entry: "".join(f"<comment>. {escape(note)}</comment>" for note in entry.notes))
    for move in chosen.moves:
        yield _row("move", move.id, escape(transposed(move, names)))


def _formula(entry: Entry, names: Sigla) -> str:
    parts = (f"<q>{escape(each.words)}</q>" if isinstance(each, Quote) else _part(each) for each in terms(entry, names))
    classes = (f' (<class id="{each}">{escape(TABLE[each].english.lower())}</class>)' for each in _classes(entry))
    return "".join([*parts, *classes])


def _entries(
    document: Document, kept: Iterable[Entry], said: Callable[[Entry], str], remarked: Callable[[Entry], str]
) -> Iterator[str]:
    told = {entry.id: entry for entry in kept}
    collated = frozenset(carriers(document))
    for each in survey(document):
        entry = told.get(each.id)
        if entry is None:
            yield _row("entry", each.id, "", remarked(each))
        else:
            given = {"same-as": entry.same_as} if entry.same_as else {}
            given |= {"again": "yes"} if entry.same_as and _once(entry, collated) else {}
            yield _row("entry", each.id, said(entry), remarked(entry), **{"class": heaviest(entry)}, **given)


def _once(entry: Entry, collated: frozenset[str]) -> bool:
    return TABLE[heaviest(entry)].rank < RANKS["reading"] or not any(collated & {*r.witnesses} for r in entry.readings)


def _row(kind: str, name: str, sentence: str, comments: str = "", **given: str) -> str:
    attributes = "".join(f" {key}={quoteattr(value)}" for key, value in given.items())
    body = f"<sentence>{sentence}</sentence>" if sentence else ""
    return f"<{kind} id={quoteattr(name)}{attributes}>{body}{comments}</{kind}>\n"


def _after(entry: Entry, tell: Callable[[Iterable[Part]], str]) -> str:
    classes = _classes(entry)
    named = "、".join(f'<class id="{each}">{tell([VARIANT_CLASSES[each]])}</class>' for each in classes)
    return named + tell(["，".join([*([""] if classes else []), *marks(entry)])])


def _classes(entry: Entry) -> list[str]:
    return [each for each in dict.fromkeys(r.variant for r in entry.readings if r.witnesses) if each in INFORMING]


def _part(part: Part) -> str:
    match part:
        case Quote():
            return f"「<q>{escape(part.words)}</q>」"
        case Siglum():
            return f"<siglum id={quoteattr(part.id)}>{escape(part.name)}</siglum>"
    return escape(str(part))


def _comments(entry: Entry, tell: Callable[[Iterable[Part]], str]) -> Iterator[str]:
    before = "" if _classes(entry) or marks(entry) else "。"
    for each in comments(entry):
        lead = "按：" if each.startswith("按：") else ""
        own = each.removeprefix(lead)
        yield f"<comment>{'' if before.endswith('。') else '。'}{lead and tell([lead])}{escape(own)}</comment>"
        before = each
