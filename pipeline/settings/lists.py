"""The edition folder's own lists, ``tei/lists/NAME.tsv``: what its texts cite, report and say in their own way.

What holds for every text of the tradition stands in the program's tables (beside ``pipeline/annotate``); a folder adds
to them. A list is optional, and so is the folder of lists. Rows are tab-separated; a line that begins with ``#`` is a
remark. The rows of a folder come before those of the program where the first that fits counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from pipeline.errors import CatalogError, Place, suggestion, together
from pipeline.model.tsv import table_rows
from pipeline.model.vocabulary import CHANGES, REMARKS, REPORTED
from pipeline.system.listing import matching

Row = tuple[str, ...]

"""The cells of a row."""


@dataclass(frozen=True, slots=True)
class ListKind:
    """One kind of list: its columns, and what a row must hold."""

    columns: tuple[str, ...]
    fault: Callable[[Row], str]
    """Gives what is wrong with a row, and what was expected; empty for a good one."""
    optional: int = 0
    """How many of the last columns may be empty or left out."""
    example: str = ""
    """A row, for the manual."""


@dataclass(frozen=True, eq=False, slots=True)
class Lists:
    """The rows of an edition folder's lists by the list's name; two are equal only if they are the same object."""

    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)

    def of(self, name: str) -> tuple[Row, ...]:
        """Give the rows of a list, each with all its columns; none if the folder does not have it."""
        return self.rows.get(name, ())

    def reported(self) -> dict[str, str]:
        """Give by id the printed name of each tradition known only by report: the program's, then the folder's."""
        named = {row[1]: row[2] for row in reversed(self.of("traditions")) if row[2]}
        own = dict.fromkeys(row[1] for row in self.of("traditions"))
        return REPORTED | {known: named.get(known) or REPORTED.get(known, known) for known in own}

    def works(self) -> dict[str, str]:
        """Give the usual name of each work that the folder names, by id."""
        return {row[0]: row[1] for row in self.of("works")}

    def latin(self) -> dict[str, str]:
        """Give the names of works in Latin letters, where the folder says how they are read, by name."""
        return {row[1]: row[2] for row in self.of("works") if row[2]}


NONE = Lists()
"""The lists of a folder that has none."""


def _pattern(pattern: str) -> str:
    """Give what is wrong with a regular expression; its marks in braces stand for one character each."""
    try:
        re.compile(re.sub(r"\{[A-Z0]\}", ".", pattern))
    except re.error as error:
        return f"{pattern!r} is no regular expression: {error}"
    return ""


def _one_of(word: str, known: frozenset[str], what: str) -> str:
    hint = suggestion(word, known, f"known: {', '.join(sorted(known))}")
    return "" if word in known else f"{word!r} is no {what}; {hint}"


def _id(identifier: str, form: str, example: str) -> str:
    return "" if re.fullmatch(form, identifier) else f"the id {identifier!r} is not of the form {example}"


def _work(identifier: str) -> str:
    return _id(identifier, r"work-[a-z0-9-]+", "work-NAME, in a-z0-9-")


def _subtypes(kinds: str) -> str:
    return next(filter(None, (_one_of(kind, REMARKS | {"*"}, "kind of remark") for kind in kinds.split())), "")


def _uses(row: Row) -> str:
    hole = "" if "{0}" in row[1] else f"{row[1]!r} does not say with {{0}} where the titles stand"
    return hole or next(filter(None, map(_pattern, row[1:])), "")


KINDS: Mapping[str, ListKind] = MappingProxyType({
    "titles": ListKind(("title", "use", "work"), lambda row: _work(row[2]), example="尔雅\talways\twork-erya"),
    "uses": ListKind(("use", "pattern", "turn", "strange"), _uses, optional=2,
                     example="classic\t(?:{0})(?=[云曰])"),
    "works": ListKind(("work", "name", "pinyin"), lambda row: _work(row[0]), optional=1,
                      example="work-yueji\t乐记\tYue ji"),
    "traditions": ListKind(
        ("words", "tradition", "name"), lambda row: _id(row[1], "[a-z][a-z0-9-]*", "a-z0-9-"), optional=1,
        example="毛本\tjiguge\t汲古阁本",
    ),
    "remarks": ListKind(
        ("kind", "pattern", "example"), lambda row: _one_of(row[0], REMARKS, "kind of remark") or _pattern(row[1]),
        example="su\t俗作{W}\t俗作某",
    ),
    "readings": ListKind(
        ("kinds", "change", "pattern"),
        lambda row: _subtypes(row[0]) or _one_of(row[1], CHANGES, "change") or _pattern(row[2]),
        example="tuo\taddition\t脱(?:[{N}]字|一句)",
    ),
    "clauses": ListKind(("pattern", "parts"), lambda row: _pattern(row[0]), example="^({B})(\\w)作(\\w)$\t\\1\\2作\\3"),
    "speech": ListKind(("pattern", "kind"), lambda row: _pattern(row[0]), example="孔子|夫子\tclassic"),
})
"""All lists that a folder can have. How the cells are read, the table of the same name beside ``pipeline/annotate``
says in its first lines."""


def lists_paths(root: Path) -> tuple[Path, ...]:
    """Give the files of the lists of the edition folder at `root`, in the order of their names."""
    return matching(root / "tei" / "lists", "*.tsv")


def load(root: Path) -> Lists:
    """Read the lists of the edition folder at `root`.

    Raises CatalogError with file and line for a list that nobody reads, for a row with too few or too many cells, a
    pattern that is no regular expression, an unknown kind of remark or change, and an id of the wrong form.
    """
    errors: list[CatalogError] = []
    rows: dict[str, tuple[Row, ...]] = {}
    for path in lists_paths(root):
        try:
            rows[path.stem] = _rows(path)
        except CatalogError as error:
            errors += [each for each in error.several if isinstance(each, CatalogError)] or [error]
    if errors:
        raise together(errors, "faults in the settings")
    return Lists(rows)


def _rows(path: Path) -> tuple[Row, ...]:
    """Read one list; raises as `load`."""
    if path.stem not in KINDS:
        raise CatalogError(f"there is no list {path.stem!r}", place=Place(str(path)),
                           mend=f"{_one_of(path.stem, frozenset(KINDS), 'list').partition('; ')[2]} "
                                "`jiaokan explain lists` shows them all")
    kind, found = KINDS[path.stem], []
    errors: list[CatalogError] = []
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise CatalogError(f"not UTF-8 at byte {error.start}", place=Place(str(path)),
                           mend="save it as UTF-8; if it is GB18030: iconv -f GB18030 -t UTF-8") from None
    for number, cells in table_rows(text):
        try:
            found.append(_row(cells, kind, Place(str(path), number), f"lists {path.stem}"))
        except CatalogError as error:
            errors.append(error)
    if errors:
        raise together(errors, "faults in the settings")
    return tuple(found)


def _row(cells: Row, kind: ListKind, place: Place, topic: str) -> Row:
    """Read a row; raises CatalogError."""
    line = "\t".join(cells)
    least, most = len(kind.columns) - kind.optional, len(kind.columns)
    wanted = " ⇥ ".join(kind.columns)
    if not least <= len(cells) <= most or not all(cells[:least]):
        many = f"{len(cells)} cells" if len(cells) > 1 else "one cell"
        raise CatalogError(f"a row of {many}, some of them empty: {line!r}"
                           if least <= len(cells) <= most else f"a row of {many}: {line!r}",
                           place=place,
                           mend=f"write {wanted}, with tabs between; `jiaokan explain {topic}` has an example")
    row = (*cells, *[""] * (most - len(cells)))
    if fault := kind.fault(row):
        found, _, mend = fault.partition("; ")
        raise CatalogError(found, place=place, mend=mend or f"a row is {wanted}")
    return row
