"""Find the heads of a text by titles that are known: those of another text of the work, or of a table of contents."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace

from jiaokan.characters.equality import norm
from jiaokan.model.numerals import NUMERAL
from jiaokan.structure.heads import ChapterHead, title_of
from jiaokan.structure.rows import CODE, Row

_LONGEST = 40
"""Characters of the longest row that can be a head: 【郑伯克段于鄢】（隐公元年 《左传》）."""
FOUND = 0.8
"""Share of the titles of another text that must be found; fewer stand there by chance."""
_ORDINAL = re.compile(f"第(?:{NUMERAL}|\\d+)[章篇卷]?|[卷巻][上中下]?$")
_SIGNS = re.compile(r"[\s　○◯●◎■◆▲★※《》〈〉【】\[\]〔〕「」『』、．.·*#=]+")


def key_of(line: str) -> str:
    """Return the form of a head that texts share: without notes, signs and number, its graphs normalised."""
    plain = CODE.sub("〓", re.sub(r"[(（][^()（）]*[)）]", "", line))
    return norm(_SIGNS.sub("", _ORDINAL.sub("", title_of(plain))))


def find_titles(rows: Sequence[Row], titles: Sequence[ChapterHead]) -> tuple[ChapterHead, ...]:
    """Return the rows that head the chapters of another text, in its order; those with text below them, not in a table
    of contents."""
    wanted = [key_of(head.name or head.title) for head in titles]
    keys = {n: key for n, row in enumerate(rows) if len(row.text) <= _LONGEST and (key := key_of(row.text)) in wanted}
    places: dict[str, list[int]] = {}
    for index, key in reversed(keys.items()):
        if keys.get(index + 1, key) == key:  # in a table of contents another title follows
            places.setdefault(key, []).append(index)
    pairs = [(n, index) for n, key in enumerate(wanted) if key for index in places.get(key, ())]
    matches = dict(_rising(pairs))
    if len(matches) >= FOUND * len(titles):
        matches.update(_similar(rows, wanted, matches))
    return tuple(replace(titles[n], row=index, name=rows[index].text) for n, index in sorted(matches.items()))


def _similar(rows: Sequence[Row], wanted: Sequence[str], matches: Mapping[int, int]) -> dict[int, int]:
    """Return the heads of missing titles between found ones: short rows with half of their characters (三陳, 三陣)."""
    similar: dict[int, int] = {}
    for n, key in enumerate(wanted):
        if n in matches or len(key) < 2:
            continue
        start = max((row for other, row in {**matches, **similar}.items() if other < n), default=-1)
        end = min((row for other, row in matches.items() if other > n), default=len(rows) if matches else 0)
        for index in range(start + 1, end):
            candidate = key_of(rows[index].text) if len(rows[index].text) <= _LONGEST else ""
            shared, longer = sum(char in candidate for char in key), max(len(candidate), len(key))
            if abs(len(candidate) - len(key)) <= 1 and 2 * shared >= longer:
                similar[n] = index
                break
    return similar


def _rising(pairs: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the longest chain of pairs in which both numbers rise; `pairs` are in the order of the first, and of the
    second falling. (Fredman, "On computing the length of longest increasing subsequences", 1975.)"""
    ends: list[int] = []
    chains: list[list[tuple[int, int]]] = [[]]
    for pair in pairs:
        length = bisect_left(ends, pair[1])
        ends[length : length + 1] = [pair[1]]
        chains[length + 1 : length + 2] = [[*chains[length], pair]]
    return chains[-1]
