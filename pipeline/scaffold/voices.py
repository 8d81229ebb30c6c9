"""The words that introduce the speakers of notes, as rows of a convention."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pipeline.annotate.speakers import is_surname
from pipeline.scaffold.heads import title_of
from pipeline.scaffold.rows import makers
from pipeline.scaffold.survey import Survey

_INTRODUCES = {
    **dict.fromkeys(("疏", "正義", "正义", "索隱", "索隐", "義疏", "义疏"), "shu"),
    **dict.fromkeys(("音義", "音义", "释文", "釋文"), "yinyi"), **dict.fromkeys(("按", "案", "今按", "愚按"), "an"),
    **dict.fromkeys(("注", "註", "集解", "傳", "传", "箋", "笺"), "zhu"),
}
"""The kind of note that some words introduce; all others introduce comments of later commentators (shuo)."""
_ABOVE = re.compile("眉[批評评注註]")
"""Marks a note above the text; the words before it name the speaker (金聖歎眉批)."""
_UNDER = 3
"""Rows, from the heading on, that can name the commentator of a chapter."""


def by_chapter(survey: Survey, numbers: Mapping[int, int]) -> dict[str, list[int]]:
    """Return the commentators whom lines under the headings of chapters name, each with his chapters, if there are
    several; a chapter without such a line has that of the one before. `numbers` are the chapters by the row of their
    heading."""
    found: dict[str, list[int]] = {}
    now = ""
    for head in survey.heads.heads:
        under = survey.rows[head.row : head.row + _UNDER] if head.name else ()
        named = {maker.name for row in under for maker in makers(row, survey.title)
                 if maker.comments and is_surname(maker.name) and maker.name not in title_of(head.name)}
        now = next(iter(named)) if len(named) == 1 else now
        if now and head.row in numbers:
            found.setdefault(now, []).append(numbers[head.row])
    return found if len(found) > 1 else {}


def voice(words: str, person: str) -> dict[str, Any]:
    """Return the row ``[[speaker]]`` for words that introduce a person."""
    row = {"prefix": words, "person": person, "subtype": _INTRODUCES.get(name_of(words), "shuo")}
    return row | ({"place": "top"} if _ABOVE.search(words) else {})


def additions(survey: Survey) -> list[str]:
    """Return the words by which the author of a 補注 begins what he adds to the notes of another (補曰)."""
    return [words for words, _ in survey.notes.speakers
            if name_of(words) in "補补" and name_of(words) in survey.title]


def name_of(words: str) -> str:
    """Return the name in words that introduce a speaker: 孔安國 of 孔安國曰, 集解 of 【集解】."""
    def plain(text: str) -> str:
        return re.sub("[曰云：:【】〔〕［］\\[\\]()（）]+$", "", text).strip("【】〔〕［］[]()（）")

    return plain(_ABOVE.sub("", plain(words)))
