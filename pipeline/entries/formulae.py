"""Entries as editions of the Latin and Greek classics write them: ``賔 ] 宾 本义; om. 通解``."""

from __future__ import annotations

from pipeline.entries.sentences import swapped
from pipeline.entries.values import Entry, Move, Said
from pipeline.entries.wording import Sigla, shorten


def transposed(move: Move, sigla: Sigla) -> str:
    """Give a moved passage as ``燕朝服于寝 ] tr. ad 6.1.1 本义``, a long one by its first and last clause."""
    names = " ".join(sigla.get(name, name) for name in move.witnesses)
    passage = f"{move.words}…{move.end}" if move.end else move.words
    return f"{passage} ] tr. ad {move.target.partition('.')[2] or 'alium locum'} {names}"


def formula(entry: Entry, sigla: Sigla) -> str:
    """Give an entry as ``賔 ] 宾 本义; om. 通解``; om., add., lac., tr. as editions of the classics have them."""
    lemma = entry.lemma.edited or (entry.lemma.note and f"[{entry.lemma.note}]")
    head = shorten(lemma) if lemma else entry.last_word or "⌜"
    return f"{head} ] {'; '.join(_term(entry, each, bool(lemma), sigla) for each in entry.readings)}"


def _term(entry: Entry, each: Said, present: bool, sigla: Sigla) -> str:
    names = " ".join(sigla.get(name, name) for name in each.witnesses)
    if not names:
        names = f"{'fort. ' if each.cert == 'low' else ''}coni. {sigla.get(each.resp, each.resp)}"
    text = shorten(each.words) if each.words else (each.note and f"[{each.note}]")
    if each.lost:
        return f"lac. {names}"
    if not text:
        return f"{'tr.' if each.variant == 'transposition' else 'om.'} {names}"
    if not present:
        return f"add. {text} {names}"
    return f"{'tr. ' if swapped(entry.lemma, each) else ''}{text} {names}"
