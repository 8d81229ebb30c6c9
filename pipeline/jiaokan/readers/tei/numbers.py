"""How a text is cited: the form of its references by the numbers that its file states, and the title of its chapter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from jiaokan.model import Division, Line, Paragraph, Unit

_UNIQUE = 0.9
"""Least share of different numbers among unique ones: two halves of a verse that two speakers share have one number.
A choice."""


def reference_form(divisions: Sequence[Division]) -> str:
    """Return the form of references of a text: by its own numbers of lines or paragraphs, if at least half of its
    running text has them, with as many steps as make them unique; by sections or chapters, if each is one paragraph;
    else empty, the usual form."""
    chapters = [[*_paragraphs(division)] for division in divisions if division.kind == "pian"]
    counted = [number for chapter in chapters for number in _numbers(chapter)]
    numbers = [number for number in counted if number]
    if numbers and 2 * len(numbers) >= len(counted):
        if are_unique(numbers):
            return "{unit}"
        within = ([number for number in _numbers(chapter) if number] for chapter in chapters)
        return "{chapter}.{unit}" if all(map(are_unique, within)) else ""
    sections = [*_sections(divisions)]
    whole = [*sections] or [division for division in divisions if division.kind == "pian"]
    if len(whole) > 1 and all(division.label or (division.n and not sections) for division in whole) and all(
            sum(isinstance(item, Paragraph) and not item.form for item in division.items) <= 1 for division in whole):
        return "{chapter}.{section}" if sections else "{chapter}"
    return ""


def are_unique(numbers: Sequence[str]) -> bool:
    """Whether numbers name the passages that have them, apart from a few that occur twice."""
    return len({*numbers}) >= _UNIQUE * len(numbers)


def _paragraphs(division: Division) -> Iterator[Paragraph]:
    for item in division.items:
        if isinstance(item, Division):
            yield from _paragraphs(item)
        elif isinstance(item, Paragraph):
            yield item


def _numbers(paragraphs: Sequence[Paragraph]) -> list[str]:
    """Return the number of each paragraph, of each passage or first line in it; empty for one without. What is no
    running text, as a stage direction, counts only with a number; a passage that goes on counts once."""
    numbers: list[str] = []
    for paragraph in paragraphs:
        if paragraph.n or paragraph.form:
            numbers += [paragraph.n] if paragraph.n else []
            continue
        units = [item for item in paragraph.content if isinstance(item, Unit)]
        for number in [_number(unit) for unit in units] or [""]:
            numbers += [] if number and numbers[-1:] == [number] else [number]
    return numbers


def _number(unit: Unit) -> str:
    return unit.n or next((item.n for item in unit.content if isinstance(item, Line)), "")


def _sections(divisions: Sequence[Division]) -> Iterator[Division]:
    """Yield the innermost divisions inside chapters."""
    for division in divisions:
        for inner in division.items:
            if isinstance(inner, Division):
                deeper = [*_sections((inner,))]
                yield from deeper or (inner,)


def with_title(divisions: tuple[Division, ...], title: str) -> tuple[Division, ...]:
    """Return divisions with the title of the text as that of its only chapter, if that has no head."""
    chapters = [division for division in divisions if division.kind == "pian"]
    if len(chapters) != 1 or chapters[0].title:
        return divisions
    return tuple(replace(division, title=title) if division is chapters[0] else division for division in divisions)
