"""Which lines of a source are heads of the work's chapters: those that say a declared name and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from pipeline.readers.common.nesting import nest
from pipeline.readers.common.source import Source
from pipeline.settings.catalog import Chapter

_BLANK = " \t　"


def heads(source: Source, brackets: str) -> Mapping[int, Chapter]:
    """Give the chapters of the work by the number, from 1, of the line that heads each.

    A line heads a chapter if, its notes in `brackets` and its white space aside, it is a name that the catalog
    declares. Where a name stands in several lines, a table of contents or a running title repeats it: of these the
    head is the first that no other chapter's name follows directly.
    """
    named = [(number, chapter) for number, line in enumerate(source.lines, 1)
             if (chapter := _chapter(line.strip(_BLANK), source, brackets))]
    lines = [number for number, line in enumerate(source.lines, 1) if line.strip(_BLANK)]
    following = dict(pairwise(lines))
    chapters = dict(named)
    found: dict[int, int] = {}
    for number, chapter in named:
        listed = _is_listed(number, chapters, following)
        if chapter.n not in found or (not listed and _is_listed(found[chapter.n], chapters, following)):
            found[chapter.n] = number
    return {number: chapters[number] for number in found.values()}


def _is_listed(number: int, chapters: Mapping[int, Chapter], following: Mapping[int, int]) -> bool:
    """Whether the name of another chapter follows directly, as in a table of contents."""
    after = chapters.get(following.get(number, 0))
    return after is not None and after.n != chapters[number].n


def _chapter(line: str, source: Source, brackets: str) -> Chapter | None:
    """Give the chapter whose name a line is; none if it begins with a note."""
    pieces = nest(line, brackets) if line else ()
    if not pieces or not isinstance(pieces[0], str):
        return None
    name = "".join(piece for piece in pieces if isinstance(piece, str))
    return source.work.chapter(name) or source.work.chapter("".join(name.split()))
