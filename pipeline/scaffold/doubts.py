"""List what `init` decided without being sure, by weight, each with the setting to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pipeline.scaffold.heads import like_heads
from pipeline.scaffold.report import chapter_sizes, first_of
from pipeline.scaffold.rows import is_commentary
from pipeline.scaffold.survey import Survey
from pipeline.scaffold.voices import additions
from pipeline.scaffold.works import SurveyedWork

_FRONT = 0.1
"""Largest usual share of the text before the first chapter: prefaces, 提要, contents."""
_GRAM, _TWICE = 12, 0.25
"""A text repeats itself if such a share of its n-grams has occurred before. In classics formulae make 0.05 and less."""
_NAMES = "add its heading as printed to `names` of the chapter in tei/catalog.toml"
_SHORT = 20
"""A chapter with fewer characters has perhaps lost its text to another one."""


def doubts(work: SurveyedWork, ids: Sequence[str]) -> list[str]:
    """Return a line for each doubt on a work whose texts have these ids, the most important first."""
    found = [each for survey, name in zip(work.surveys, ids, strict=True) for each in _of_text(survey, name)]
    found += _of_chapters(work, ids)
    if work.unknown:
        found.append((2, f"{len(work.unknown)} codes of characters are unknown and print as 〓: "
                         f"{first_of(work.unknown)} → use init --gaiji, or add them to tei/decisions/glyphs.toml"))
    if doubtful := [f"{code} {each.standard}" for code, each in work.known.items() if each.cert == "low"]:
        found.append((1, f"{len(doubtful)} codes of characters are doubtful: {first_of(doubtful)} → check them in "
                         "tei/decisions/glyphs.toml"))
    return [words for _, words in sorted(found, key=lambda each: -each[0])]


def _of_text(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    notes, convention = survey.notes, f"tei/conventions/{name}.toml"
    comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
    if comments and not notes.count and survey.format != "tei":
        yield 5, f"{name}: no marked notes, though it is a commentary → set `brackets` or `note_lines` in {convention}"
    if notes.count and (not survey.unsigned or additions(survey)) and not notes.speakers:
        yield 4, f"{name}: nobody is named for its {notes.count} notes → set `person` under [unsigned] in {convention}"
    heads = survey.heads.heads
    before, whole = len(survey.base_text(0, heads[0].row)), len(survey.base_text())
    if before > _FRONT * whole and survey.heads.kind != "closed":
        yield 4, f"{name}: {before / whole:.0%} of the text is before the first chapter → {_NAMES}"
    if (twice := _repeated(survey)) > _TWICE:
        yield 3, f"{name}: {twice:.0%} of the text stands twice → delete the second copy in tei/sources"
    if survey.heads.kind in ("numbered", "juan"):
        numbers = {head.n for head in heads}
        if lacking := [str(n) for n in range(1, max(numbers)) if n not in numbers]:
            yield 3, f"{name}: {len(lacking)} numbers without a heading: {first_of(lacking)} → {_NAMES}"
    if len(more := like_heads(survey.rows, survey.heads)) > len(heads):
        yield 2, f"{name}: {len(more)} more lines look like headings: {first_of(more)} → set `section` in {convention}"


def _of_chapters(work: SurveyedWork, ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    titles = Counter(heads[0].title for heads in work.chapters)
    if again := [title for title, count in titles.items() if count > 1]:
        yield 2, f"several chapters have the same title: {first_of(again)} → change `title` in tei/catalog.toml"
    for index, name in enumerate(ids):
        if lacking := [str(n) for n, has in enumerate(work.has, 1) if index not in has]:
            numbers = f"{len(lacking)} chapters without a heading, of {len(work.has)}: {first_of(lacking)}"
            yield 3, f"{name}: {numbers} → {_NAMES}"
    sizes = chapter_sizes(work)
    short = [str(n) for n, row in enumerate(sizes, 1) if row[0] < _SHORT]
    if short and max(row[0] for row in sizes) > _SHORT * _SHORT:
        yield 3, f"{ids[0]}: {len(short)} chapters with hardly any text: {first_of(short)} → {_NAMES}"


def _repeated(survey: Survey) -> float:
    """Return the share of a text's n-grams that occurred before."""
    text = survey.base_text()
    places = range(len(text) - _GRAM + 1)
    return 1 - len({text[at : at + _GRAM] for at in places}) / len(places) if places else 0.0
