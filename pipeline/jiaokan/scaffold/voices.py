"""The words that introduce the speakers of notes, as rows of a convention."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w
from pypinyin import lazy_pinyin

from jiaokan.annotate.speakers import is_surname
from jiaokan.characters.equality import norm
from jiaokan.errors import CatalogError, Message, Place
from jiaokan.scaffold.survey import Survey
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.names import windows
from jiaokan.structure.bylines import is_above, is_given_name, makers, name_in, plain_name, speaks_for
from jiaokan.structure.heads import title_of
from jiaokan.structure.rows import LABELS, SHORT, Row, bare, is_short_name
from jiaokan.system.atomic import write_file

_WORDS = frozenset("註注義义論论解鈔钞纂贊赞評评")
"""Words that say that it is a comment, not whose."""
_UNDER = 8
"""Rows, from the heading on, that can name the commentator of a chapter."""


def by_chapter(survey: Survey, numbers: Mapping[int, int]) -> dict[str, list[int]]:
    """Return the commentators whom lines under the headings of chapters name, each with his chapters, if there are
    several; a chapter without such a line has that of the one before. `numbers` are the chapters by the row of their
    heading."""
    chapters_of: dict[str, list[int]] = {}
    now = ""
    for head in survey.heads.heads:
        under = _page_of_head(survey, head.row) if head.name else ()
        named = {maker.name for row in under for maker in makers(row, survey.title)
                 if maker.comments and is_surname(maker.name) and maker.name not in title_of(head.name)}
        named = named - {survey.author} if len(named) > 1 else named  # one who comments here, beside the main one
        now = next(iter(named)) if len(named) == 1 else now
        if now and head.row in numbers:
            chapters_of.setdefault(now, []).append(numbers[head.row])
    return chapters_of if len(chapters_of) > 1 else {}


def _page_of_head(survey: Survey, row: int) -> Sequence[Row]:
    """Return the rows from a heading to the first text below it."""
    end = next((n for n in range(row + 1, min(len(survey.rows), row + _UNDER))
                if len(bare(survey.rows[n].text)) > SHORT), row + _UNDER)
    return survey.rows[row:end]


_LONGEST_ID = 30
"""Letters of an id: it is a name of files and part of each reference."""


def slug(words: str, otherwise: str, used: set[str]) -> str:
    """Return an id of letters and digits, with a number if it is taken, and add it to the taken ones."""
    latin = unicodedata.normalize("NFKD", "-".join("".join(lazy_pinyin(part)) for part in words.split("-")))
    whole = re.sub(r"[^a-z0-9]+", "-", latin.encode("ascii", "ignore").decode().lower()).strip("-")
    plain = whole[:_LONGEST_ID].strip("-")
    if len(whole) > _LONGEST_ID and " " in words:  # of words no part of one
        plain = whole[: _LONGEST_ID + 1].rpartition("-")[0] or plain
    plain = plain if re.match("[a-z]", plain) and not windows(plain) else otherwise
    name = next(n for n in (plain, *(f"{plain}-{k}" for k in range(2, 10_000))) if n not in used)
    used.add(name)
    return name


def voice(words: str, person: str) -> dict[str, Any]:
    """Return the row ``[[speaker]]`` for words that introduce a person."""
    row = {"prefix": words, "person": person, "subtype": LABELS.get(name_in(words), "shuo")}
    return row | ({"place": "top"} if is_above(words) else {})


def speaker_of(words: str, survey: Survey) -> str:
    """Return who speaks after some words: whom the title page names for such a work (疏, 音義, 校正), the author if the
    words only say that it is a comment (註曰), else their name, in its full form if the page has it."""
    name, named = name_in(words), dict(survey.persons)
    if words in named or name in named:
        return named.get(words, named.get(name, ""))
    deeds = {maker.name for maker in survey.makers if (name in LABELS and LABELS.get(maker.act) == LABELS[name])
             or (len(maker.act) > 1 and maker.act in name)}
    if len(deeds) == 1:
        return next(iter(deeds))
    name = plain_name(name)
    full = {maker.name for maker in survey.makers if speaks_for(words, maker)}
    full = full or {longer for longer in map(name_in, dict(survey.notes.speakers)) if is_given_name(name, longer)}
    full = full or {maker.name for maker in survey.makers if maker.name[:1] == name and is_surname(name)}
    if len(full) == 1:
        return next(iter(full))
    is_word = len(name) == 1 and LABELS.get(name, "zhu") == "zhu" and (name in LABELS or not is_short_name(name))
    return survey.author if is_word or name in _WORDS else name


def additions(survey: Survey) -> list[str]:
    """Return the words by which the author of a 補注 begins what he adds to the notes of another (補曰)."""
    return [words for words, _ in survey.notes.speakers
            if name_in(words) in "補补" and name_in(words) in survey.title]


def declare_speakers(catalog: Catalog, source: str, names: Sequence[str], verb: str) -> list[Path]:
    """Add rows for speakers to the convention of a source, and for those that are new to the persons of its folder;
    return the changed files. Raises CatalogError if the convention has its speakers in a list, not in rows."""
    paths = catalog.conventions(source)
    path = next((file for file in reversed(paths) if file.exists()), paths[-1])
    home = catalog.root / "tei" / "persons.toml"
    for file, table in ((path, "speaker"), (home, "person")):
        if file.exists() and re.search(rf"^{table}\s*=", file.read_text(encoding="utf-8"), re.M):
            raise CatalogError(Message("the-list-no-rows-added", table=table), place=Place(str(file)),
                               mend=Message("write-keys-below", table=table))
    known = {norm(name): person.id for person in catalog.persons.values() for name in (person.name, *person.names)}
    rows: list[dict[str, object]] = []
    persons: list[dict[str, object]] = []
    used = {*catalog.persons, *catalog.sources, *catalog.editions}
    for name in names:
        if norm(name) not in known:
            known[norm(name)] = slug(name, "person", used)
            persons.append({"id": known[norm(name)], "name": name, "label": name, "dynasty": ""})
        rows.append(voice(f"{name}{verb}", known[norm(name)]))
    added = [(path, "speaker", rows), (home, "person", persons)]
    for file, table, new in added:
        before = file.read_text(encoding="utf-8").rstrip("\n") + "\n" if file.exists() else ""
        more = "".join(f"\n[[{table}]]\n{tomli_w.dumps(row)}" for row in new)
        if more:
            write_file(file, f"{before}{more}".encode())
    return [file for file, _, new in added if new]
