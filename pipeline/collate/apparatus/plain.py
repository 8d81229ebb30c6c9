"""Entries of mere words, as most are: written without asking what hangs on the words and in which spans they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.characters.equality import judge
from pipeline.collate.apparatus.classify import ADDITION, REASONS, compare
from pipeline.collate.table.table import ABSENT, Column
from pipeline.collate.tokens import Stream
from pipeline.model import App, Reading


def plain(
    streams: Sequence[Stream], run: Sequence[Column], members: Sequence[int], last: Mapping[int, int]
) -> tuple[App, Mapping[int, int]] | None:
    """Give the entry of a run of columns, and the token with which each witness ends; None if it is not so simple.

    It is if each witness goes on from its token in `last` with words only, in no span, on which nothing hangs, or has
    nothing here; and if not all have the same.
    """
    ends: dict[int, int] = {}
    groups: dict[str, list[int]] = {}
    for n in members:
        tokens, smooth = streams[n].tokens, streams[n].smooth
        words, end = "", last.get(n, -2)
        for column in run:
            cell = column[n]
            if cell == ABSENT:
                continue
            if cell != end + 1 or not smooth[cell]:
                return None
            item, path = tokens[cell].item, tokens[cell].path
            if path or not isinstance(item, str):
                return None
            words += item
            ends[n] = end = cell
        groups.setdefault(words, []).append(n)
    if len(groups) == 1:
        return None
    lemma, *others = groups
    return App(lemma=_reading(streams, lemma, groups[lemma]), readings=tuple([
        _reading(streams, words, groups[words], lemma) for words in others
    ])), ends


def _reading(streams: Sequence[Stream], words: str, members: Sequence[int], lemma: str | None = None) -> Reading:
    names = tuple([streams[n].witness for n in members])
    content = (words,) if words else ()
    if lemma is None:
        return Reading(witnesses=names, content=content)
    if not words or not lemma:
        judged = ADDITION if words else REASONS[ABSENT]
    else:
        judged = judge(lemma, words) if len(lemma) == len(words) == 1 else compare(lemma, words)
    return Reading(witnesses=names, content=content, variant=judged.variant, source=judged.source)
