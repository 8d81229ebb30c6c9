"""Corrections that a source prints itself: （誤）〔正〕, as punctuated editions of 中華書局 mark what they change.

In round brackets stands what the copy has and the editor takes out, in square ones what he puts for it or adds (凡例
of the 點校本二十四史). A number alone in square brackets calls a note (〔三〕) and stays as it is, but not after round
ones; so do brackets in lines of the page (〔晉〕陳壽 撰).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace

from pipeline.model import Content, Correction, Document, Furniture, Supplied
from pipeline.model.numerals import NUMERAL
from pipeline.model.rewrite import Replacing
from pipeline.settings.rows import PrintedCorrections

_NUMBER = re.compile(f"(?:{NUMERAL}|\\d+)")


def mended(document: Document, marks: PrintedCorrections) -> Document:
    """Give a document with the corrections that its source prints as such; it prints what it did."""
    mending = _Mending(marks)
    return replace(document, divisions=tuple(map(mending.division, document.divisions)))


class _Mending(Replacing):
    """One pass over a document."""

    def __init__(self, marks: PrintedCorrections) -> None:
        self.marks = marks

    def item(self, item: Any) -> Any:
        return item if isinstance(item, Furniture) else super().item(item)

    def string(self, text: str) -> Content:
        if self.marks.right[0] not in text and self.marks.wrong[:1] not in text:
            return (text,)
        return tuple(_corrections(text, self.marks))


def _corrections(text: str, marks: PrintedCorrections) -> Iterator[str | Correction | Supplied]:
    """Cut a text at the corrections that it prints."""
    done = 0
    for match in _pattern(marks).finditer(text):
        wrong, right = match[1] or "", match[2] or match[3] or ""
        if not wrong and _NUMBER.fullmatch(right):
            continue
        if match.start() > done:
            yield text[done : match.start()]
        if wrong:
            yield Correction(sic=wrong, corr=right, cert="", rend=marks.wrong + (marks.right if right else ""))
        else:
            yield Supplied(text=right, reason="omitted", cert="", rend=marks.right)
        done = match.end()
    if done < len(text):
        yield text[done:]


@cache
def replaced(marks: PrintedCorrections) -> re.Pattern[str]:
    """Give the pattern of one correction that puts graphs for others: its brackets are none of notes."""
    return re.compile(f"{_inside(marks.wrong, marks)}{_inside(marks.right, marks)}")


@cache
def _pattern(marks: PrintedCorrections) -> re.Pattern[str]:
    wrong, right = (_inside(pair, marks) for pair in (marks.wrong, marks.right))
    return re.compile(f"{wrong}(?:{right})?|{right}")


def _inside(pair: str, marks: PrintedCorrections) -> str:
    every = "".join(map(re.escape, marks.wrong + marks.right))
    return f"{re.escape(pair[0])}([^{every}\\s]+){re.escape(pair[1])}" if pair else "((?!))"
