"""What each entry of an edition says, as XML: for the stylesheets, which print sentences and compose none.

The document is ``told`` of the namespace ``urn:jiaokan:prepared``; in it an ``entry`` with the entry's id, which holds
a ``sentence`` (text with ``q``, quoted words; ``siglum``, a witness with its id; ``class``, a class of variants with
its id) and a ``comment`` for each remark of the editor. Stylesheets take it as their parameter ``told``.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from pipeline.characters.languages import Interface, spoken
from pipeline.entries import Entry, entries
from pipeline.entries.sentences import Part, Quote, Sigla, Siglum, body, comments, marks, terms
from pipeline.errors import RenderError, TeiError
from pipeline.model import Document
from pipeline.model.variants import TABLE
from pipeline.tei.header.read import declared
from pipeline.tei.parse import from_tei

ENTRY = b"<rdg"
"""What every text with entries holds, and no other."""


def told(tei: bytes, *, name: str, interface: Interface = "hans") -> str:
    """Give what each entry of a TEI file says; empty if it has no entry. `name` is the file's name in messages,
    `interface` what the program speaks.

    Raises RenderError with file and line for a text with entries that is not in the encoding: only what the model knows
    can be told.
    """
    if ENTRY not in tei:
        return ""
    try:
        known = declared(tei, name=name)
        return as_xml(from_tei(tei, name=name), {**known.sigla, **known.names()}, interface)
    except TeiError as error:
        raise RenderError(error.message, place=error.place, mend=error.mend) from None


def as_xml(document: Document, names: Sigla, interface: Interface = "hans") -> str:
    """Give what each entry of an edition says; `names` are those of witnesses and of persons by id.

    Where the program speaks English, an entry is told as ``lemma ] reading siglum``.

    Raises KeyError for a reading of a class that is not in the table, which `from_tei` lets nobody have.
    """
    rows = "".join(
        f"<entry id={quoteattr(entry.id)}><sentence>{''.join(_sentence(entry, names, interface))}</sentence>"
        f"{''.join(_comments(entry, interface))}</entry>\n"
        for entry in entries(document)
    )
    return f'<told xmlns="urn:jiaokan:prepared">\n{rows}</told>\n'


def _sentence(entry: Entry, names: Sigla, interface: Interface = "hans") -> Iterator[str]:
    """The sentence, then the classes of its readings, then 存疑, 下同."""
    if interface == "en":
        yield from (_latin(part) for part in terms(entry, names))
        yield "".join(f" ({each})" for each in _named(entry, interface))
        return
    yield from (_part(part, interface) for part in body(entry, names))
    classes = _named(entry, interface)
    yield "、".join(classes)
    yield "，".join([*([""] if classes else []), *(spoken(mark, interface) for mark in marks(entry))])


def _named(entry: Entry, interface: Interface) -> list[str]:
    """The names of the classes of its readings, marked as such."""
    kinds = {each: TABLE[each] for each in _classes(entry)}
    names = {name: each.english.lower() if interface == "en" else spoken(each.chinese, interface)
             for name, each in kinds.items()}
    return [f'<class id="{each}">{escape(name)}</class>' for each, name in names.items()]


def _classes(entry: Entry) -> list[str]:
    """The classes of its readings, once each. What is only proposed is not classed: the sentence says it all."""
    return list(dict.fromkeys(each.variant for each in entry.readings if each.witnesses and each.variant))


def _part(part: Part, interface: Interface) -> str:
    match part:
        case Quote():
            return f"「<q>{escape(part.words)}</q>」"
        case Siglum():
            return f"<siglum id={quoteattr(part.id)}>{escape(part.name)}</siglum>"
    return escape(spoken(part, interface))


def _latin(part: Part) -> str:
    return f"<q>{escape(part.words)}</q>" if isinstance(part, Quote) else _part(part, "en")


def _comments(entry: Entry, interface: Interface = "hans") -> Iterator[str]:
    """Each remark of the editor, after the 。 that what stands before it lacks."""
    if interface == "en":
        yield from (f"<comment>. {escape(note)}</comment>" for note in entry.notes)
        return
    before = "" if _classes(entry) or marks(entry) else "。"
    for each in comments(entry):
        yield f"<comment>{'' if before.endswith('。') else '。'}{escape(each)}</comment>"
        before = each
