"""Entries as editions of the Latin and Greek classics write them: ``賔 ] 宾 本义; om. 通解``."""

from __future__ import annotations

from pipeline.entries import context
from pipeline.entries.sentences import swapped
from pipeline.entries.values import Entry, Move, Said
from pipeline.entries.wording import Name, Part, Quote, Sigla, Siglum, listed, shorten


def transposed(move: Move, sigla: Sigla) -> str:
    """Give a moved passage as ``燕朝服于寝 ] tr. ad 6.1.1 本义``, a long one by its first and last clause."""
    names = " ".join(sigla.get(name, name) for name in move.witnesses)
    passage = f"{move.words}…{move.end}" if move.end else move.words
    return f"{passage} ] tr. ad {move.target.partition('.')[2] or 'alium locum'} {names}"


def formula(entry: Entry, sigla: Sigla) -> str:
    """Give an entry as ``賔 ] 宾 本义; om. 通解``; om., add., lac., tr. as editions of the classics have them."""
    return "".join(part.words if isinstance(part, Quote) else str(part) for part in terms(entry, sigla))


def terms(entry: Entry, sigla: Sigla) -> tuple[Part, ...]:
    """Give the `formula` of an entry in its parts: words of the texts, sigla, and what is between them."""
    lemma = entry.lemma.edited or (entry.lemma.note and f"[{entry.lemma.note}]")
    head = Quote(context.raised(entry, shorten(lemma) if lemma else entry.last_word) or "⌜")
    return (head, " ] ", *listed("; ", [_term(entry, each, bool(lemma), sigla) for each in entry.readings]))


def _term(entry: Entry, each: Said, present: bool, sigla: Sigla) -> list[Part]:
    names = _sigla(each, sigla)
    text = shorten(each.words) if each.words else (each.note and f"[{each.note}]")
    if each.lost:
        return ["lac. ", *names]
    if not text:
        return ["tr. " if each.variant == "transposition" else "om. ", *names]
    if not present:
        return ["add. ", Quote(text), " ", *names]
    return [*(["tr. "] if swapped(entry.lemma, each) else []), Quote(text), " ", *names]


def _sigla(each: Said, sigla: Sigla) -> list[Part]:
    """Name the witnesses of a reading, or who conjectures it: coni. 敖继公, fort. coni. where he is not sure."""
    if not each.witnesses:
        return ["fort. coni. " if each.cert == "low" else "coni. ", Name(sigla.get(each.resp, each.resp))]
    return listed(" ", [[Siglum(name, sigla.get(name, name))] for name in each.witnesses])
