"""Findings on a whole source: gaps in the numbers of its juan, and settings that do not fit it."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterator

from pipeline.errors import Finding
from pipeline.model import Document, Furniture, Juan
from pipeline.model.numerals import NUMERAL, numeral
from pipeline.model.walk import blocks
from pipeline.readers.common.source import Source
from pipeline.settings.catalog import Chapter
from pipeline.settings.patterns import matcher

_HEAD = re.compile(f"[卷巻]({NUMERAL})$")


def juan_gaps(document: Document, source: Source) -> tuple[Finding, ...]:
    """Return a finding for each juan whose number is not the next one, or whose head has no text after it."""
    found: list[Finding] = []
    before, texts = 0, 0
    for item in blocks(document):
        if isinstance(item, Juan):
            if before and not texts:
                found.append(_finding(source, before, f"juan {before} has no text: a head may be lost"))
            if before and item.n != before + 1:
                lost = f"the head of juan {before + 1} is lost, or a number is misread"
                found.append(_finding(source, item.n, f"juan {item.n} follows juan {before}: {lost}"))
            before, texts = item.n, 0
        elif not isinstance(item, Furniture):
            texts += 1
    return tuple(found)


def _finding(source: Source, n: int, message: str) -> Finding:
    """Return a warning at the first line that ends like a head of this juan."""
    numbers = ((i, _HEAD.search(text.rstrip())) for i, text in enumerate(source.lines, 1))
    line = next((i for i, match in numbers if match and numeral(match[1]) == n), 1)
    return source.finding("juan-sequence", line, message, "compare the printed book, and correct the transcription")


_SHORT = 24
"""Most characters of a line that is suggested as a head."""
_NEAR = 0.5
"""Least similarity of a line to a name (`difflib`): 學而篇 for 學而 is 0.8, 為政第二 for 学而 0."""
_MANY = 3
"""Least number of other brackets for the declared ones to be wrong; a text may have no notes, and one or two signs of a
pair occur in any text (注疏 has two <>). With a larger number, wrong brackets of a short text are not reported."""
_SHOWN = 5
_OPENING = "【〈（([［〔{｛<〖"
_CLOSING = "】〉）)]］〕}｝>〗"


def unfit_settings(document: Document, source: Source, expected: Collection[int]) -> Iterator[Finding]:
    """Yield findings for settings that do not fit their source: missing chapters, unused brackets and calls.

    `expected` are the numbers of the chapters that it should have; none is missing if the work declares none.
    """
    begun = {division.n for division in document.divisions if division.kind == "pian"}
    wanted = [chapter for chapter in source.work.chapters if chapter.n in expected]
    if wanted and not begun:
        yield source.finding(
            "chapter-none", 1, "no chapter begins: the whole text is front matter"
            + _nearest(wanted[:1], source), _MEND,
        )
    elif lacking := [chapter for chapter in wanted if str(chapter.n) not in begun]:
        listed = "、".join(f"{chapter.n} {chapter.title}" for chapter in lacking[:_SHOWN])
        more = f" and {len(lacking) - _SHOWN} more" if len(lacking) > _SHOWN else ""
        yield source.finding(
            "chapter-unopened", 1, f"no line begins chapter {listed}{more}{_nearest(lacking[:_SHOWN], source)}", _MEND,
        )
    found = Counter(char for line in source.lines for char in line if char in _OPENING)
    if (pair := _unused(source)) and found.total() >= _MANY:
        there = ", ".join(f"{char}{_CLOSING[_OPENING.index(char)]} {n}" for char, n in found.most_common(4))
        yield source.finding(
            "brackets-unused", 1, f"the brackets {pair} of its convention never occur; there are: {there}",
            f'set the brackets of the notes: brackets = "…" in tei/conventions/{source.id}.toml',
        )
    if (calls := source.convention.get("calls")) and not any(matcher(calls).search(line) for line in source.lines):
        yield source.finding(
            "calls-unused", 1, f"the calls {calls} of its convention never occur",
            f"correct or delete `calls` in tei/conventions/{source.id}.toml",
        )


_MEND = "add the words of its line in the source to `names` of the chapter in catalog.toml"


def _unused(source: Source) -> str:
    pair = source.convention.get("brackets", "")
    template = "{{*|" if source.convention.get("markup") == "wiki" else pair
    used = not isinstance(pair, str) or not pair or any(pair[0] in line or template in line for line in source.lines)
    return "" if used else str(pair)


def _nearest(chapters: Collection[Chapter], source: Source) -> str:
    """Return the lines most like the names of chapters, with their numbers, as the end of a message."""
    short = {line.strip(): number for number, line in reversed([*enumerate(source.lines, 1)])
             if 0 < len(line.strip()) <= _SHORT}
    names = [name for chapter in chapters for name in (chapter.title, *chapter.names)]
    near = [line for name in names for line in difflib.get_close_matches(name, short, 2, _NEAR)]
    near += [line for name in names for line in short if name in line]
    shown = ", ".join(f"“{line}” (line {short[line]})" for line in list(dict.fromkeys(near))[:3])
    return f"; nearest: {shown}" if shown else ""
