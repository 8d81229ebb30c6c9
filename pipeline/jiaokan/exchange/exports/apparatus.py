"""Form ``apparatus``: a line for each entry as classical editions print it: ``6.1.1 賔 ] 宾 本义``.

Witnesses that an entry does not name are listed in brackets (``[silent: C]``), else a reader infers that they agree.
"""

from __future__ import annotations

from jiaokan.entries import entries, moves
from jiaokan.entries.sentences import formula, move_formula
from jiaokan.exchange.exports import ExportSettings
from jiaokan.model import Document
from jiaokan.model.references import References


def write(document: Document, settings: ExportSettings) -> str:
    """Return a line for each entry: reference of its unit or note, ``lemma ] reading sigla``; moved passages last."""
    listed = entries(document, without=settings.without, part=settings.part)
    elsewhere = moves(document, without=settings.without, part=settings.part)
    lines = [(entry.unit, formula(entry, settings.sigla)) for entry in listed]
    lines += [(move.unit, move_formula(move, settings.sigla)) for move in elsewhere]
    where = References(document)
    return "".join(f"{where.of(unit)} {words}\n" for unit, words in lines)
