"""Authority tables that the user has: rows in which a name stands, with their identifiers.

A table is CSV, or has tabs, and its first row names the columns: an export of CBDB, of CHGIS, of a query of Wikidata,
or one's own list. Names are compared in simplified form, as most of these tables are in traditional characters.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from jiaokan.errors import Message, Place, SourceError
from jiaokan.model.words import simplified
from jiaokan.readers.common.source import decode_lines

_NAMES = re.compile(r"name|label|名|號|号", re.I)
"""Columns with names: c_name_chn and c_alt_name_chn of CBDB, name_ft of CHGIS, itemLabel of Wikidata, 姓名."""
_BETWEEN = re.compile(r"[,;|/、，；]\s*")  # between several names in a cell


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """A row that may be about whom or what a name means."""

    place: Place
    cells: Mapping[str, str]  # what stands in it, by column, without the name itself


def authority_rows(path: Path, forms: Collection[str]) -> dict[str, list[AuthorityRow]]:
    """Return for each of `forms` the rows of a table that have it as a name. Raises SourceError for a file that is not
    UTF-8, or has no column of names."""
    wanted = defaultdict[str, list[str]](list)
    for form in forms:
        wanted[_compared(form)].append(form)
    found = defaultdict[str, list[AuthorityRow]](list)
    for place, cells, names in _rows(path):
        for name in dict.fromkeys(map(_compared, names)):
            for form in wanted.get(name, ()):
                rest = {column: cell for column, cell in cells.items() if cell and _compared(cell) != name}
                found[form].append(AuthorityRow(place, rest))
    return dict(found)


def _rows(path: Path) -> Iterator[tuple[Place, dict[str, str], list[str]]]:
    """Yield the place of each row, its cells by column, and the names in it."""
    lines = decode_lines(path.read_bytes(), str(path))
    rows = csv.reader(lines, delimiter="\t" if "\t" in lines[0] else ",")
    columns = next(rows)
    named = [column for column in columns if _NAMES.search(column)]
    if not named:
        raise SourceError(Message("no-column-names-among", columns=", ".join(columns)), place=Place(str(path), 1),
                          mend=Message("first-row-names-columns-call"))
    for row in rows:
        cells = dict(zip(columns, row, strict=False))
        names = [name for column in named for name in _BETWEEN.split(cells.get(column, "")) if name]
        yield Place(str(path), rows.line_num), cells, names


def _compared(name: str) -> str:
    return "".join(map(simplified, name))
