"""Whether the juan of a source follow each other: a head that is missing or misread shows in the numbers."""

from __future__ import annotations

import re

from pipeline.errors import Finding
from pipeline.model import Document, Furniture, Juan
from pipeline.model.numerals import NUMERAL, numeral
from pipeline.model.walk import blocks
from pipeline.readers.common.source import Source

_HEAD = re.compile(f"[卷巻]({NUMERAL})$")


def missing(document: Document, source: Source) -> tuple[Finding, ...]:
    """Give a finding for each juan whose number does not follow, or after whose head no text stands."""
    found: list[Finding] = []
    before, texts = 0, 0
    for item in blocks(document):
        if isinstance(item, Juan):
            if before and not texts:
                found.append(_finding(source, before, f"no text stands in juan {before}: its head may be lost"))
            if before and item.n != before + 1:
                lost = f"the head of juan {before + 1} is lost, or a number is misread"
                found.append(_finding(source, item.n, f"juan {item.n} follows juan {before}: {lost}"))
            before, texts = item.n, 0
        elif not isinstance(item, Furniture):
            texts += 1
    return tuple(found)


def _finding(source: Source, n: int, message: str) -> Finding:
    """Give a warning at the first line that ends as a juan's head with this number does."""
    numbers = ((i, _HEAD.search(text.rstrip())) for i, text in enumerate(source.lines, 1))
    line = next((i for i, match in numbers if match and numeral(match[1]) == n), 1)
    return source.finding("juan-sequence", line, message, "compare the printed book, and correct the transcription")
