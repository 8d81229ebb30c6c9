"""The words that introduce the speakers of notes, as rows of a convention."""

from __future__ import annotations

import re
from typing import Any

from pipeline.scaffold.survey import Survey

_INTRODUCES = {
    **dict.fromkeys(("疏", "正義", "正义", "索隱", "索隐", "義疏", "义疏"), "shu"),
    **dict.fromkeys(("音義", "音义", "释文", "釋文"), "yinyi"), **dict.fromkeys(("按", "案", "今按", "愚按"), "an"),
    **dict.fromkeys(("注", "註", "集解", "傳", "传", "箋", "笺"), "zhu"),
}
"""The kind of note that some words introduce; all others introduce comments of later commentators (shuo)."""
_ABOVE = re.compile("眉[批評评注註]")
"""Marks a note above the text; the words before it name the speaker (金聖歎眉批)."""


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
