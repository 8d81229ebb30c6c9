"""Load the folder's own lists, ``tei/lists/NAME.tsv``: works that its texts cite, formulae of their remarks, variant
graphs.

They add to the program's tables (beside `jiaokan.annotate`), which hold for every text of the tradition. All are
optional. Cells are separated by tabs; a line that begins with ``#`` is a comment. Where the first matching row counts,
rows of the folder come before those of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from jiaokan.errors import CatalogError, Message, Place, raise_all, suggestion
from jiaokan.model.variants import VARIANT_CLASSES
from jiaokan.model.vocabulary import CHANGES, REMARKS, REPORTED, table_rows
from jiaokan.settings.patterns import check_pattern
from jiaokan.system.listing import matching

Row = tuple[str, ...]
"""The cells of a row."""
RowFault = tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class ListKind:
    """One kind of list: its columns and the check of a row."""

    columns: tuple[str, ...]
    fault: Callable[[Row], RowFault]
    """What is wrong with a row, and the remedy; None for a valid one."""
    optional: int = 0
    """How many of the last columns may be empty or left out."""
    example: str = ""
    """A row, for the manual."""


@dataclass(frozen=True, eq=False, slots=True)
class Lists:
    """The rows of an edition folder's lists by the list's name; two are equal only if they are the same object."""

    rows: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)

    def of(self, name: str) -> tuple[Row, ...]:
        """Return the rows of a list, each with all its columns; none if the folder does not have it."""
        return self.rows.get(name, ())

    def reported_traditions(self) -> dict[str, str]:
        """Return the printed name of each tradition known only by report, by id: the program's, then the folder's."""
        named = {row[1]: row[2] for row in reversed(self.of("traditions")) if row[2]}
        traditions = dict.fromkeys(row[1] for row in self.of("traditions"))
        return REPORTED | {known: named.get(known) or REPORTED.get(known, known) for known in traditions}

    def tradition_ids(self) -> dict[str, str]:
        """Return the id of each tradition known only by report, by the words that name it."""
        by_words = {row[0]: row[1] for row in self.of("traditions")}
        return {**{name: known for known, name in self.reported_traditions().items()}, **by_words}

    def works(self) -> dict[str, str]:
        """Return the usual name of each work that the folder names, by id."""
        return {row[0]: row[1] for row in self.of("works")}

    def latin(self) -> dict[str, str]:
        """Return the declared Latin spellings of works, by name."""
        return {row[1]: row[2] for row in self.of("works") if row[2]}


_OF_WORDS = frozenset(VARIANT_CLASSES) - {"lacuna", "omission", "addition", "transposition"}
"""The classes in which two words can differ."""
NONE = Lists()
"""The lists of a folder that has none."""


def _pattern(pattern: str) -> RowFault:
    """Check a regular expression; its marks in braces stand for one character each."""
    try:
        check_pattern(re.sub(r"\{[A-Z0]\}", ".", pattern))
    except ValueError as error:
        return Message("not-regular-expression", pattern=pattern, partition=str(error).partition(": ")[2]), ""
    return None


def _one_of(word: str, known: frozenset[str], what: str) -> RowFault:
    return None if word in known else (Message("word-unknown", what=what, word=word), suggestion(word, known))


def _id(identifier: str, form: str, example: str) -> RowFault:
    return None if re.fullmatch(form, identifier) else (Message("id-not-form", identifier=identifier, example=example),
                                                        "")


def _work(identifier: str) -> RowFault:
    return _id(identifier, r"work-[a-z0-9-]+", Message("work-name-z0"))


def _uses(row: Row) -> RowFault:
    if "{0}" not in row[1]:
        return Message("not-mark-place-titles", row=row[1]), "write {0} where they stand"
    return next(filter(None, map(_pattern, row[1:])), None)


def _readings(row: Row) -> RowFault:
    kinds = (_one_of(kind, REMARKS | {"*"}, Message("kind-remark")) for kind in row[0].split())
    return next(filter(None, kinds), None) or _one_of(row[1], CHANGES, "change") or _pattern(row[2])


def _pair(row: Row) -> RowFault:
    if row[0] == row[1]:
        return Message("pair-needs-two-different-characters"), ""
    return _one_of(row[2], _OF_WORDS, Message("class-of-variants")) if row[2] else None


KINDS: Mapping[str, ListKind] = MappingProxyType({
    "titles": ListKind(("title", "use", "work"), lambda row: _work(row[2]), example="尔雅\talways\twork-erya"),
    "uses": ListKind(("use", "pattern", "turn", "strange"), _uses, optional=2,
                     example="classic\t(?:{0})(?=[云曰])"),
    "works": ListKind(("work", "name", "pinyin"), lambda row: _work(row[0]), optional=1,
                      example="work-yueji\t乐记\tYue ji"),
    "traditions": ListKind(("words", "tradition", "name"), lambda row: _id(row[1], "[a-z][a-z0-9-]*", "a-z0-9-"),
                           optional=1, example="毛本\tjiguge\t汲古阁本"),
    "remarks": ListKind(("kind", "pattern", "example"), example="su\t俗作{W}\t俗作某",
                        fault=lambda row: _one_of(row[0], REMARKS, Message("kind-remark")) or _pattern(row[1])),
    "readings": ListKind(("kinds", "change", "pattern"), _readings, example="tuo\taddition\t脱(?:[{N}]字|一句)"),
    "clauses": ListKind(("pattern", "parts"), lambda row: _pattern(row[0]), example="^({B})(\\w)作(\\w)$\t\\1\\2作\\3"),
    "variants": ListKind(("left", "right", "class"), _pair, optional=1, example="發\t𤼵\tgraphic"),
    "speech": ListKind(("pattern", "kind"), lambda row: _pattern(row[0]), example="孔子|夫子\tclassic"),
})
"""All lists that a folder can have. The first lines of the table of the same name beside `jiaokan.annotate` explain
the cells."""


def lists_paths(root: Path) -> tuple[Path, ...]:
    """Return the files of the lists of the edition folder at `root`, sorted by name."""
    return matching(root / "tei" / "lists", "*.tsv")


def load(root: Path) -> Lists:
    """Read the lists of the edition folder at `root`. Raises CatalogError with file and line of all faults."""
    errors: list[CatalogError] = []
    rows = {path.stem: tuple(_rows(path, errors)) for path in lists_paths(root)}
    raise_all(errors)
    return Lists(rows)


def _rows(path: Path, errors: list[CatalogError]) -> Iterator[Row]:
    if path.stem not in KINDS:
        errors.append(CatalogError(Message("the-list-unknown", path=path.stem), place=Place(str(path)),
                                   mend=Message("shows-all", suggestion=suggestion(path.stem, sorted(KINDS)))))
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        errors.append(CatalogError(Message("not-utf-at-byte", start=error.start), place=Place(str(path)),
                                   mend=Message("save-utf-gb18030-iconv-f")))
        return
    kind = KINDS[path.stem]
    least, most, wanted = len(kind.columns) - kind.optional, len(kind.columns), " ⇥ ".join(kind.columns)
    for number, cells in table_rows(text):
        place, row = Place(str(path), number), (*cells, *[""] * (most - len(cells)))
        if not least <= len(cells) <= most or not all(cells[:least]):
            count = Message("cells-count", count=len(cells)) if len(cells) > 1 else Message("cell-one")
            empty = Message("with-an-empty-one") if least <= len(cells) <= most else ""
            mend = Message("write-tabs-between-example", wanted=wanted, path=path.stem)
            errors.append(CatalogError(Message("row-of-cells", cells=count, empty=empty, expected=chr(9).join(cells)),
                                       place=place, mend=mend))
        elif fault := kind.fault(row):
            errors.append(CatalogError(fault[0], place=place, mend=fault[1] or Message("write-meant", meant=wanted)))
        else:
            yield row
