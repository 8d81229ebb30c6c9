"""Imports the alignment table of CollateX (JSON) as TEI in parallel segmentation.

Read are the tables of collatex-python (``collate(…, output="json")``: a row for each witness, a cell a list of tokens
or null) and of CollateX for Java (a row for each column, a cell a list of tokens for each witness). A token is a
string or an object with its text ``t``; normal forms and other keys are left out, except our ``state``: no reading
names a witness that is ``silent``, and one whose words are ``lost`` has a gap.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from jiaokan.errors import Message, Place, SourceError
from jiaokan.exchange.imports import Imported
from jiaokan.system.json_fault import json_fault
from jiaokan.tei.tree import FORBIDDEN, ID, add_text, element, serialise

SUFFIXES = (".json",)
_MEND = Message("expected-value", expected='{"witnesses": ["A", "B"], "table": [[[{"t": "…"}], null], …]}')


def convert(data: bytes, name: str) -> Imported:
    """Return a table as TEI: what all witnesses have alike is text, the rest entries without a lemma; the text is that
    of the first witness. Raises SourceError if the file is not a table of CollateX."""
    sigla, columns = _read(data, name)
    ids = {siglum: f"w{number}" for number, siglum in enumerate(sigla, 1)}
    paragraph = element("p")
    entries = 0
    for column in columns:
        groups: dict[_Cell, list[str]] = {}
        for siglum, cell in zip(sigla, column, strict=True):
            if cell.state != "silent":
                groups.setdefault(_Cell(cell.words.strip(), cell.state), []).append(f"#{ids[siglum]}")
        if len(groups) == 1 and all(cell.state == "" for cell in column):
            add_text(paragraph, column[0].words.strip())
        elif groups:
            entries += 1
            readings = [element("rdg", {"wit": " ".join(who)}, "" if cell.state else cell.words,
                                *([element("gap", {"reason": "lost"})] if cell.state == "lost" else []))
                        for cell, who in groups.items()]
            paragraph.append(element("app", {}, "", *readings))
        add_text(paragraph, " " if any(cell.words[-1:].isspace() for cell in column) else "")
    witnesses = [element("witness", {ID: key, "n": siglum}, siglum) for siglum, key in ids.items()]
    statements = [element("titleStmt", {}, "", element("title", {}, PurePath(name).stem)),
                  element("publicationStmt", {}, "", element("p", {}, "Collated by CollateX")),
                  element("sourceDesc", {}, "", element("listWit", {}, "", *witnesses))]
    method = element("variantEncoding", {"method": "parallel-segmentation", "location": "internal"})
    header = element("teiHeader", {}, "", element("fileDesc", {}, "", *statements),
                     element("encodingDesc", {}, "", method))
    body = element("body", {}, "", element("div", {}, "", paragraph))
    tei = serialise(element("TEI", {}, "", header, element("text", {}, "", body)))
    return Imported(tei, entries, ())


class _Cell(NamedTuple):
    words: str
    state: str = ""  # ``silent``, ``lost``: no words, for one of these reasons


def _read(data: bytes, name: str) -> tuple[list[str], Iterator[list[_Cell]]]:
    """Return the sigla, and for each column the cell of each witness."""
    try:
        read = json.loads(data)
        sigla, table = [str(siglum) for siglum in read["witnesses"]], [list(row) for row in read["table"]]
        rows = [[_cell(cell) for cell in row] for row in table]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        fault = json_fault(data, name)
        raise fault or SourceError(Message("not-alignment-table-collatex"), place=Place(name), mend=_MEND) from error
    by_witness = len(rows) == len(sigla) and len({*map(len, rows)}) == 1
    columns = list(map(list, zip(*rows, strict=True))) if by_witness else rows
    if not sigla or len({*sigla}) < len(sigla) or any(len(column) != len(sigla) for column in columns):
        raise SourceError(Message("table-not-cell-witness"), place=Place(name), mend=_MEND)
    written = ("".join(sigla), *("".join(cell.words for cell in column) for column in columns))
    if bad := next(filter(None, map(FORBIDDEN.search, written)), None):
        raise SourceError(Message("u-cannot-stand-xml", code=ord(bad[0])), place=Place(name), mend=Message("remove-it"))
    return sigla, iter(columns)


def _cell(cell: Sequence[object] | None) -> _Cell:
    parts, states = list[str](), set[str]()
    for token in [cell] if isinstance(cell, str | dict) else cell or ():
        text = token["t"] if isinstance(token, dict) else token
        if not isinstance(text, str):
            raise TypeError
        parts.append(text)
        states.add(str(token.get("state", "")) if isinstance(token, dict) else "")
    words = "".join(parts)
    return _Cell(words,
                 next((state for state in ("silent", "lost") if states == {state} and not words.strip("〓 ")), ""))
