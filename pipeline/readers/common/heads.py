"""Heads of chapters: the lines of a source that consist of a name declared in the catalog."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from pipeline.readers.common.nesting import nest, outside
from pipeline.readers.common.source import BLANK, Source
from pipeline.readers.common.wikitext import PAGE
from pipeline.settings.catalog import Chapter

_PAGE_NOTE = re.compile(f"{PAGE[0]}[^{PAGE}]*{PAGE[1]}")
_LIST = 4
"""Least number of consecutive names, with hardly a word between them, in a table of contents; two or three can be
chapters of which only the heads are left."""
MUCH_LONGER = 2
"""The text of a chapter is more than this many times longer than the entry of a list of variants under its name. In
世說新語 (四部叢刊), whose 校語 repeats 33 of 36 heads, it is 2.6 (where the list has a slip in the next name) to 64
times; a running title always has less under it than the head, since the text after it counts for both."""
_LINE = 40
"""Most characters in a line of a table of contents; one of 四庫全書 has 21 graphs and blanks between them."""
_BETWEEN = 10
"""Most characters between two names of a table of contents: 卷二, a page number."""


def heads(source: Source, brackets: str) -> Mapping[int, Chapter]:
    """Return the chapters of the work by line number, from 1, of their heads.

    A head is a declared name, apart from notes in `brackets` and white space. If several lines have the name, the
    others belong to a table of contents, a list of variants 校語 or a running title: the head is the first outside
    such a table that is not directly followed by another chapter's name, unless a later one has a much longer text.
    """
    chapters = {number: chapter for number, line in enumerate(source.lines, 1)
                if (chapter := _named_chapter(line.strip(BLANK), source, brackets))}
    sizes = [0, *(len(line.strip(BLANK)) for line in source.lines)]
    listed = contents_lines([(number, chapter.n) for number, chapter in chapters.items()], sizes)
    lines = [number for number, line in enumerate(source.lines, 1) if line.strip(BLANK)]
    following = dict(pairwise(lines))
    found: dict[int, int] = {}
    rank: dict[int, int] = {}
    long = _text_lengths(chapters, sizes)
    for number, chapter in chapters.items():
        after = chapters.get(following.get(number, 0))
        here = 2 if number in listed else int(after is not None and after.n != chapter.n)
        before = found.get(chapter.n)
        if before is None or here < rank[chapter.n] or (
            here == rank[chapter.n] and long[number] > MUCH_LONGER * long[before]
        ):
            found[chapter.n], rank[chapter.n] = number, here
    heads = {number: chapters[number] for number in found.values() if number not in listed}
    return heads or {number: chapters[number] for number in found.values()}


def repeated_names(source: Source, heads: Mapping[int, Chapter], page: Callable[[str], bool]) -> frozenset[int]:
    """Return the lines that only repeat names of chapters.

    They list the contents of a juan before its text (初見秦第一　存韓第二), or close a chapter, before the next head, a
    line of the `page` or the end of the source.
    """
    begins = {chapter.n: number for number, chapter in heads.items()}
    lines = [number for number, line in enumerate(source.lines, 1) if line.strip(BLANK)]
    found: set[int] = set()
    for number, after in pairwise([*lines, 0]):
        line = source.lines[number - 1].strip(BLANK)
        if number in heads or len(line) > _LINE:
            continue
        named = [source.work.headed(piece) for piece in re.split(f"[{BLANK}]+", line)]
        chapters = [source.work.headed(line)] if source.work.headed(line) else named
        if not all(chapter and len(chapter.title) > 1 for chapter in chapters):
            continue
        ahead = all(chapter and number < begins.get(chapter.n, 0) for chapter in chapters)
        closes = not after or after in heads or page(source.lines[after - 1].strip(BLANK))
        found |= {number} if ahead or (closes and len(chapters) == 1) else set()
    return frozenset(found)


def _text_lengths(chapters: Mapping[int, Chapter], sizes: Sequence[int]) -> dict[int, int]:
    """Return the number of characters under each line with a chapter's name, up to the next name of another."""
    made: dict[int, int] = {}
    after, named = len(sizes), 0
    end = after
    for number, chapter in sorted(chapters.items(), reverse=True):
        if chapter.n != named:
            end, named = after, chapter.n
        made[number] = sum(sizes[number + 1 : end])
        after = number
    return made


def contents_lines(names: Sequence[tuple[int, int]], sizes: Sequence[int]) -> frozenset[int]:
    """Return the lines of tables of contents: names of chapters that follow each other closely.

    `names` are pairs of line index and chapter number, in the order of the text; `sizes` are the lengths of all lines.
    """
    found: set[int] = set()
    run: list[int] = []
    for (line, n), (after, following) in pairwise([*names, (len(sizes), -1)]):
        run.append(line)
        close = sum(sizes[line + 1 : after]) < _BETWEEN and after < len(sizes) and following != n
        if not close:
            found |= set(run) if len(run) >= _LIST else set()
            if len(run) >= _LIST and sum(sizes[line + 1 : after]) >= _BETWEEN:
                found.discard(line)  # the last name may head the first text
                found |= {line} if n in {other for at, other in names if at > line} else set()
            run = []
    return frozenset(found)


def _named_chapter(line: str, source: Source, brackets: str) -> Chapter | None:
    """Return the chapter whose name a line is; None if it begins with a note."""
    line = _PAGE_NOTE.sub("", line)
    pieces = nest(line, brackets) if line else ()
    if not pieces or not isinstance(pieces[0], str):
        return None
    named = source.work.headed(line)  # 賞譽第八(上), where the catalog tells parts apart
    return named or source.work.headed(outside(pieces))
