"""Form ``apparatus``: a line for each entry as classical editions print it: ``6.1.1 賔 ] 宾 本义``.

Witnesses that an entry does not name are listed in brackets (``[silent: C]``), else a reader infers that they agree;
an entry in which no collated witness differs, but one known by report, is marked ``[reported]``. With ``positive`` the
witnesses of the lemma are named before the bracket. What is left out follows in brackets, a line for each class.
"""

from __future__ import annotations

from collections.abc import Collection

from jiaokan.entries import Entry, carriers, entries, evidence, moves
from jiaokan.entries.sentences import formula, move_formula
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_readers
from jiaokan.model import Document
from jiaokan.model.references import References


def write(document: Document, settings: ExportSettings) -> str:
    """Return a line for each entry: reference of its unit or note, ``lemma ] reading sigla``; moved passages last."""
    listed = entries(document, without=settings.without, part=settings.part)
    elsewhere = moves(document, without=settings.without, part=settings.part)
    collated = frozenset(carriers(document))
    lines = [(entry.unit, words_of(entry, settings, collated)) for entry in listed]
    lines += [(move.unit, move_formula(move, settings.sigla)) for move in elsewhere]
    where = References(document)
    left = tell_readers(left_out_by(document, settings), document, "en")
    return "".join([*(f"{where.of(unit)} {words}\n" for unit, words in lines), *(f"[{line}]\n" for line in left)])


def words_of(entry: Entry, settings: ExportSettings, collated: Collection[str]) -> str:
    """Return the formula of an entry, marked if no collated witness differs but one known by report."""
    words = formula(entry, settings.sigla, positive=settings.is_positive)
    return f"{words} [reported]" if evidence(entry, collated) == "reported" else words
