"""How the readers of a text cite it, as far as the text shows: what makes its sections, the form of its references."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from pipeline.model.numerals import NUMERAL
from pipeline.scaffold.heads import ChapterHead, Heads
from pipeline.scaffold.rows import Row

_COUNTED = re.compile(f"第?(?:{NUMERAL}|\\d+)[章篇]?")
_HALVES = {"上": "A", "下": "B"}
"""孟子 is cited 1A1: book, half, chapter (Legge; Lau; Harvard-Yenching Index Series, Supplement 17)."""
_SEVERAL = 3
"""Paragraphs that a chapter has, at the median, where paragraphs are what is counted: 論語 has 17 to 50 章 in a 篇; a
chapter of 老子 is one paragraph or, where lines of verse are set apart, two."""


def sections_by_paragraph(heads: Heads, rows: Sequence[Row], opening: str, convention: Mapping[str, Any]) -> bool:
    """Whether each paragraph of a text is a section: several in a chapter, that nothing else parts or closes.

    `opening` is the bracket with which its notes begin; `convention` what is known of it so far.
    """
    if {"number", "section", "trailer", "chapter_end"} & convention.keys() or len(heads.heads) < 2:
        return False
    lines = convention.get("note_lines")
    starts = [head.row for head in heads.heads]
    sizes = [
        sum(1 for row in rows[start + 1 : end] if not (
            (opening and row.text.startswith(opening)) or (lines and re.match(lines, row.text))))
        for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]
    return median(sizes) >= _SEVERAL


def reference_of(heads: Heads, convention: Mapping[str, Any]) -> str:
    """Give the form of a text's references, as a catalog declares it; empty where its units have to be counted."""
    several = len(heads.heads) > 1
    if "number" in convention or convention.get("sections") == "paragraphs":
        return "{chapter}.{section}" if several else "{section}"
    if several and "trailer" not in convention and all(_COUNTED.fullmatch(head.title) for head in heads.heads):
        return "{chapter}"
    return ""


def labels_of_parts(heads: Sequence[ChapterHead]) -> list[str]:
    """Give what references call chapters of which some are parts of one: 8A, 8B, and after them 9, which is the tenth.

    Empty for those that are called by their place.
    """
    if not any(head.part for head in heads):
        return [""] * len(heads)
    before = [sum(other.n == head.n for other in heads[:n]) for n, head in enumerate(heads)]
    names = (f"{head.n}{'ABC'[nth]}" if head.part else str(head.n) for nth, head in zip(before, heads, strict=True))
    return ["" if name == str(n) else name for n, name in enumerate(names, 1)]


def labels_of(titles: Sequence[str]) -> list[str]:
    """Give what references call chapters that are halves of a book (梁惠王上, 梁惠王下: 1A, 1B); empty for the others.

    Only a text all of whose chapters come in halves is so cited.
    """
    parted = [re.fullmatch("(.+?)(?:章句)?([上下])", title.strip()) for title in titles]
    books = dict.fromkeys(match[1] for match in parted if match)
    if not titles or len(titles) != 2 * len(books) or not all(parted):
        return [""] * len(titles)
    number = {book: n for n, book in enumerate(books, 1)}
    return [f"{number[match[1]]}{_HALVES[match[2]]}" for match in parted if match]
