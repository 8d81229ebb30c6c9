"""Which lines of a source are heads of the work's chapters: those that say a declared name and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import is_

from msgspec.structs import replace

from pipeline.model import Block, Division, Document, Paragraph, Trailer
from pipeline.readers.common.nesting import nest
from pipeline.readers.common.source import Source
from pipeline.readers.common.wikitext import PAGE
from pipeline.settings.catalog import Chapter

_BLANK = " \t　"


_PAGE_NOTE = re.compile(f"{PAGE[0]}[^{PAGE}]*{PAGE[1]}")
_LIST = 4
"""So many names in a row, with hardly a word between them, are a table of contents; two or three can be chapters that
are lost but for their heads."""
MUCH_LONGER = 2
"""The text of a chapter is more than so many times longer than what a list of variants says under its name. In 世說新語
(四部叢刊), whose 校語 repeats 33 of 36 heads, it is 2.6 (where the list has a slip in the next name) to 64 times; a
running title has always less under it than the head, since what follows counts for both."""
_LINE = 40
"""Characters of the longest line of a table of contents; one of 四庫全書 has 21 graphs, and blanks between."""
_BETWEEN = 10
"""Characters that may stand between two names of a table of contents: 卷二, a page's number."""


def heads(source: Source, brackets: str) -> Mapping[int, Chapter]:
    """Give the chapters of the work by the number, from 1, of the line that heads each.

    A line heads a chapter if, its notes in `brackets` and its white space aside, it is a name that the catalog
    declares. Where a name stands in several lines, a table of contents, a list of variants 校語 or a running title
    repeats it: of these the head is the first that is in no such table and that no other chapter's name follows
    directly, unless the text under a later one is much longer.
    """
    chapters = {number: chapter for number, line in enumerate(source.lines, 1)
                if (chapter := _chapter(line.strip(_BLANK), source, brackets))}
    sizes = [0, *(len(line.strip(_BLANK)) for line in source.lines)]
    listed = contents([(number, chapter.n) for number, chapter in chapters.items()], sizes)
    lines = [number for number, line in enumerate(source.lines, 1) if line.strip(_BLANK)]
    following = dict(pairwise(lines))
    found: dict[int, int] = {}
    rank: dict[int, int] = {}
    long = _lengths(chapters, sizes)
    for number, chapter in chapters.items():
        here = 2 if number in listed else int(_is_followed(number, chapters, following))
        before = found.get(chapter.n)
        if before is None or here < rank[chapter.n] or (
            here == rank[chapter.n] and long[number] > MUCH_LONGER * long[before]
        ):
            found[chapter.n], rank[chapter.n] = number, here
    heads = {number: chapters[number] for number in found.values() if number not in listed}
    return heads or {number: chapters[number] for number in found.values()}


def repeated(source: Source, heads: Mapping[int, Chapter], page: Callable[[str], bool]) -> frozenset[int]:
    """Give the lines that only repeat names of chapters: the contents of a juan before its text (初見秦第一　存韓第二),
    and a name that closes its chapter, before the next head, a line of the `page` or the end, as the last line of a
    juan does.
    """
    begins = {chapter.n: number for number, chapter in heads.items()}
    lines = [number for number, line in enumerate(source.lines, 1) if line.strip(_BLANK)]
    found: set[int] = set()
    for number, after in pairwise([*lines, 0]):
        line = source.lines[number - 1].strip(_BLANK)
        if number in heads or len(line) > _LINE:
            continue
        named = [source.work.headed(piece) for piece in re.split(f"[{_BLANK}]+", line)]
        chapters = [source.work.headed(line)] if source.work.headed(line) else named
        if not all(chapter and len(chapter.title) > 1 for chapter in chapters):
            continue
        ahead = all(chapter and number < begins.get(chapter.n, 0) for chapter in chapters)
        closes = not after or after in heads or page(source.lines[after - 1].strip(_BLANK))
        found |= {number} if ahead or (closes and len(chapters) == 1) else set()
    return frozenset(found)


def _lengths(chapters: Mapping[int, Chapter], sizes: Sequence[int]) -> dict[int, int]:
    """Give how many characters stand under each line that names a chapter, up to the next that names another."""
    made: dict[int, int] = {}
    after, named = len(sizes), 0
    end = after
    for number, chapter in sorted(chapters.items(), reverse=True):
        if chapter.n != named:
            end, named = after, chapter.n
        made[number] = sum(sizes[number + 1 : end])
        after = number
    return made


def contents(names: Sequence[tuple[int, int]], sizes: Sequence[int]) -> frozenset[int]:
    """Give the lines that belong to a table of contents: of names of chapters that follow each other closely.

    `names`: index of a line and number of the chapter that it names, in the order of the text; `sizes`: how many
    characters each line has.
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


def _is_followed(number: int, chapters: Mapping[int, Chapter], following: Mapping[int, int]) -> bool:
    """Whether the name of another chapter follows directly, as in a table of contents."""
    after = chapters.get(following.get(number, 0))
    return after is not None and after.n != chapters[number].n


def _chapter(line: str, source: Source, brackets: str) -> Chapter | None:
    """Give the chapter whose name a line is; none if it begins with a note."""
    line = _PAGE_NOTE.sub("", line)
    pieces = nest(line, brackets) if line else ()
    if not pieces or not isinstance(pieces[0], str):
        return None
    named = source.work.headed(line)  # 賞譽第八(上), where the catalog tells parts apart
    return named or source.work.headed("".join(piece for piece in pieces if isinstance(piece, str)))


_TEXT = (Paragraph, Division)


def closing(document: Document) -> Document:
    """Give a document in which a trailer ends what stands before it: where nothing does, its words are prose.

    Source: TEI Guidelines, 4.2 and the content of ``div``: model.divBottom follows a component of the text.
    """
    return replace(document, divisions=tuple(map(_closed, document.divisions)))


def _closed(division: Division) -> Division:
    begun = False
    items: list[Block | Division] = []
    for item in division.items:
        made: Block | Division = item
        if isinstance(item, Division):
            made = _closed(item)
        elif isinstance(item, Trailer) and not begun:
            made = Paragraph(content=item.content, kind="prose")
        begun = begun or isinstance(made, _TEXT)
        items.append(made)
    return division if all(map(is_, items, division.items)) else replace(division, items=tuple(items))
