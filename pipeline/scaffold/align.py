"""Bring the texts of a work to the same chapters: heads by known titles, chapters by shared words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.model.words import simplified
from pipeline.scaffold.heads import ChapterHead, Heads
from pipeline.scaffold.survey import Survey
from pipeline.scaffold.titles import FOUND, find_titles, key_of

_GRAM = 4
"""Characters of the n-grams that texts share: with 3, formulae of any classic match; with 6, 老子 in the versions of
傅奕 and 河上公 shares too few."""
NEARLY = 0.9
"""Share of the chapters that a base text must have."""
_FINER = 2
"""A text with so many times the headings of the base has smaller parts: they become sections."""
_PARTS = "上中下"
"""Parts of a chapter, in order."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """The chapters of a work, and which texts have them."""

    surveys: tuple[Survey, ...]
    chapters: tuple[tuple[ChapterHead, ...], ...]
    has: tuple[tuple[int, ...], ...]


def grams(text: str) -> frozenset[str]:
    """Return the n-grams of a text, in simplified characters."""
    plain = "".join(map(simplified, text))
    return frozenset(plain[at : at + _GRAM] for at in range(len(plain) - _GRAM + 1))


def common_size(group: Sequence[Survey]) -> int:
    """Return the number of chapters of a work: the largest that half of its texts have, or nearly."""
    sizes = sorted((len(each.heads.heads) for each in group), reverse=True)
    return next(size for size in sizes if 2 * sum(each >= NEARLY * size for each in sizes) >= len(sizes))


def with_known_titles(group: Sequence[Survey]) -> list[Survey]:
    """Return the texts; one whose own headings are fewer has those that the titles of another one show in it."""
    made = []
    for each in group:
        best, own = each, 0 if each.heads.kind == "none" else len(each.heads.heads)
        for other in group:
            titles = other.heads.heads
            if other is each or other.heads.kind in ("juan", "closed", "none") or len(titles) <= own:
                continue
            found = find_titles(each.rows, titles)
            enough = len(found) >= FOUND * len(titles) and len(found) > len(best.heads.heads)
            if enough or (found and best.heads.kind == "none"):
                best = replace(each, heads=Heads("named", found))
        made.append(best)
    return made


def align(base: Survey, others: Sequence[Survey]) -> Aligned:
    """Align the chapters of each text with the base's: by title, by shared words, by number if they share none."""
    heads: list[list[ChapterHead]] = [[head] for head in base.heads.heads]
    has: list[list[int]] = [[0] for _ in heads]
    own = [grams(text) for text in chapter_texts(base)]
    keys = [key_of(head[0].name or head[0].title) for head in heads]
    surveys = [base]
    for index, survey in enumerate(others, 1):
        other = _coarser(survey, own) if len(survey.heads.heads) >= _FINER * len(own) > _FINER else survey
        surveys.append(other)
        taken: set[int] = set()
        for head, text in zip(other.heads.heads, chapter_texts(other), strict=True):
            shared, key = grams(text), key_of(head.name or head.title)
            free = [n for n in range(len(own)) if n not in taken]
            sizes = {n: len(shared & own[n]) for n in free}
            place = max(free, key=lambda n: (bool(sizes[n]) and keys[n] == key, sizes[n], heads[n][0].n == head.n),
                        default=None)
            if place is not None and (sizes[place] or heads[place][0].n == head.n):
                taken.add(place)
                heads[place].append(head)
                has[place].append(index)
    order = sorted(range(len(heads)), key=lambda n: (heads[n][0].n, _PARTS.find(heads[n][0].part)))
    return Aligned(tuple(surveys), tuple(tuple(heads[n]) for n in order), tuple(tuple(has[n]) for n in order))


def _coarser(survey: Survey, own: Sequence[frozenset[str]]) -> Survey:
    """Return a text with the larger chapters of the base, whose n-grams `own` are: the first of its headings in each
    begins it, the others head sections."""
    kept: list[ChapterHead] = []
    begun: set[int] = set()
    now = -1
    for head, text in zip(survey.heads.heads, chapter_texts(survey), strict=True):
        shared = grams(text)
        best = max(range(len(own)), key=lambda n: (len(shared & own[n]), n == now))
        if shared & own[best] and best not in begun:
            begun.add(best)
            now = best
            kept.append(head)
    names = {head.name for head in kept}
    inner = tuple(dict.fromkeys(head.name for head in survey.heads.heads if head.name not in names))
    return replace(survey, heads=Heads("named", tuple(kept)), inner=inner) if len(kept) > 1 else survey


def chapter_texts(survey: Survey) -> list[str]:
    """Return the base text of each chapter."""
    rows = [head.row for head in survey.heads.heads]
    if survey.heads.kind == "closed":
        return [survey.base_text(start, end) for start, end in zip([0, *rows], rows, strict=False)]
    return [survey.base_text(start + bool(head.name), end)
            for head, start, end in zip(survey.heads.heads, rows, [*rows, None][1:], strict=True)]
