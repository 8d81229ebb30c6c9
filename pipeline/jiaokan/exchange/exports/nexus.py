"""Form ``nexus``: each entry as a character, each reading as a state, for programs that compute stemmata and trees.

After Maddison, Swofford and Maddison, "NEXUS", Systematic Biology 46 (1997): blocks TAXA and CHARACTERS. An omission is
a state, labelled ``om.``. ``-`` (gap) is a lacuna: the words of the witness are lost. ``?`` (missing) is a
witness that the entry does not name: what it reads is unknown, it is a fragment that does not reach the place, or the
entry is inside words that it lacks (the lack is a character of its own). Programs that know no gaps take them for
missing. What is left out, and entries in which no collated witness differs, are comments before the blocks.
"""

from __future__ import annotations

from jiaokan.entries import Entry, EntryReading, carriers, collated, entries
from jiaokan.errors import JiaokanError, Message
from jiaokan.exchange.exports import ExportSettings, left_out_by, tell_programs
from jiaokan.model import Document

STATES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def write(document: Document, settings: ExportSettings) -> str:
    """Return the matrix of witnesses and entries; without entries only the witnesses. Raises JiaokanError for an entry
    of more than 36 readings."""
    names = carriers(document, settings.sigla)
    listed = collated(document, entries(document, without=settings.without, part=settings.part))
    for entry in listed:
        if len(entry.groups()) > len(STATES):
            raise JiaokanError(Message("nexus-too-many-readings", entry=entry.id, readings=len(entry.groups()),
                                       symbols=len(STATES)))
    size = max((len(entry.groups()) for entry in listed), default=2)
    labels = [f"        {n} {_token(entry.id)} / {' '.join(_token(_label(reading)) for reading in entry.groups())}"
              for n, entry in enumerate(listed, 1)]
    wide = max((len(_token(name)) for name in names), default=0)
    rows = [f"        {_token(name):{wide}} {''.join(_symbol(entry, name) for entry in listed)}" for name in names]
    sigla = [f"  [{name}: {settings.siglum(name).replace(']', ')').replace('[', '(')}]" for name in names]
    left = [f"  [{line}]" for line in tell_programs(left_out_by(document, settings, listed, moved=False))]
    lines = [
        "#NEXUS", *sigla, *left, "BEGIN TAXA;", f"    DIMENSIONS NTAX={len(names)};",
        f"    TAXLABELS {' '.join(map(_token, names))};", "END;",
    ]
    matrix = [
        "BEGIN CHARACTERS;", f"    DIMENSIONS NCHAR={len(listed)};",
        f'    FORMAT DATATYPE=STANDARD MISSING=? GAP=- SYMBOLS="{STATES[:max(2, size)]}";',
        "    CHARSTATELABELS", ",\n".join(labels), "    ;", "    MATRIX", *rows, "    ;", "END;",
    ]
    return "\n".join([*lines, *(matrix if listed else [])]) + "\n"


def _symbol(entry: Entry, witness: str) -> str:
    reading = entry.of(witness)
    if reading is None:
        return "?"
    return "-" if reading.state == "lost" else STATES[entry.groups().index(reading)]


def _label(reading: EntryReading) -> str:
    return "lac." if reading.lost else reading.quoted or "om."


def _token(text: str) -> str:
    plain = text.replace("_", "").isalnum() and text.isascii()
    return text if plain else "'" + text.replace("'", "''") + "'"
