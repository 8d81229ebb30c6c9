"""Report what `init` detected: texts, chapters with their sizes, notes, speakers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from pipeline.scaffold import gaiji
from pipeline.scaffold.align import chapter_texts
from pipeline.scaffold.conventions import convention_of
from pipeline.scaffold.rows import is_commentary
from pipeline.scaffold.survey import Survey
from pipeline.scaffold.voices import additions
from pipeline.scaffold.works import SurveyedWork

_SHOWN = 8
"""Examples in a line of the report."""
_ROWS = 30
"""Chapters that the table always shows."""
_UNUSUAL = 8
"""A chapter so many times shorter or longer than the usual one is shown."""
_HEADS = {
    "marked": "headings in the markup", "signed": "headings with a sign", "enclosed": "headings in brackets",
    "numbered": "numbered headings", "closed": "chapters closed by 右第…章", "alone": "short lines as headings",
    "titled": "titles below the juan line",
    "juan": "juan as chapters", "named": "headings with the titles of another text",
    "title": "one chapter, headed by its title", "none": "no headings: one chapter",
}


def report(work: SurveyedWork, title: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield the lines on a work: its chapters, base and characters, then each text, then a table of the chapters."""
    several = f", {len(ids)} witnesses, base {ids[0]}" if len(ids) > 1 else ", one text"
    yield f"{title}: {_count(len(work.chapters), 'chapter')}{several}"
    if work.reason:
        yield f"  base {ids[0]}: {work.reason}"
    yield from _report_codes(work)
    for index, (survey, name) in enumerate(zip(work.surveys, ids, strict=True)):
        heads = survey.heads
        first = f" ({heads.heads[0].name} …)" if heads.heads and heads.heads[0].name else ""
        makers = ", ".join(f"{maker.dynasty}{maker.name}" for maker in survey.makers)
        yield (
            f"  {name}: {survey.path.name}, {survey.format}, {survey.encoding}, {survey.language}"
            + (f", by {makers}" if makers else "") + f"; {_HEADS[heads.kind]}{first}"
        )
        yield f"    {'; '.join(_report_notes(survey, name))}"
        if len(ids) > 1 and (lacking := [n for n, has in enumerate(work.has, 1) if index not in has]):
            numbers = ", ".join(map(str, lacking[:8])) + (" …" if len(lacking) > 8 else "")
            yield f"    no heading found for {len(lacking)} of {len(work.has)} chapters: {numbers}"
    if len(work.chapters) > 1:
        yield from _table(work, ids)


def _table(work: SurveyedWork, ids: Sequence[str]) -> Iterator[str]:
    """Report the characters of base text in each chapter of each text; of many chapters the first, the last and those
    of an unusual size."""
    sizes = chapter_sizes(work)
    usual = median(row[0] for row in sizes) or 1
    shown = [n for n, row in enumerate(sizes) if n < _ROWS or n >= len(sizes) - 2
             or row[0] * _UNUSUAL < usual or row[0] > _UNUSUAL * usual]
    yield f"  characters of base text by chapter: {', '.join(ids)}"
    for before, n in zip([-1, *shown], shown, strict=False):
        if n > before + 1:
            yield f"    … {n - before - 1} more"
        cells = " ".join(f"{size:6,}" if size else "     –" for size in sizes[n])
        yield f"    {n + 1:3} {cells}  {gaiji.read_as(work.chapters[n][0].title, work.known)}"


def chapter_sizes(work: SurveyedWork) -> list[list[int]]:
    """Return the characters of base text in each chapter of the work, for each of its texts."""
    texts = [dict(zip((head.row for head in survey.heads.heads), map(len, chapter_texts(survey)), strict=True))
             for survey in work.surveys]
    made = []
    for heads, has in zip(work.chapters, work.has, strict=True):
        row = [0] * len(texts)
        for head, index in zip(heads, has, strict=True):
            row[index] = texts[index][head.row]
        made.append(row)
    return made


def _report_codes(work: SurveyedWork) -> Iterator[str]:
    """Report the characters without code point: explained, doubtful, unknown."""
    if work.known:
        doubtful = [f"{code} {each.standard}" for code, each in work.known.items() if each.cert == "low"]
        yield (f"  {_count(len(work.known), 'code')} of characters explained in tei/decisions/glyphs.toml"
               + (f", {len(doubtful)} doubtful: {first_of(doubtful)}" if doubtful else ""))
    if work.unknown:
        yield f"  {_count(len(work.unknown), 'unknown code')}, printed 〓: {first_of(work.unknown)}"


def first_of(words: Sequence[str]) -> str:
    """Return the first of several words, as examples."""
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}"


def _report_notes(survey: Survey, name: str) -> Iterator[str]:
    notes, convention = survey.notes, convention_of(survey)
    if notes.brackets or notes.lines or notes.calls:
        yield f"{notes.count} notes in " + " and ".join(filter(None, (
            notes.brackets, notes.lines and "lines of their own", notes.calls and "lines called by number")))
        yield f"unsigned notes by {survey.author}" if survey.unsigned and not additions(survey) else (
            f"default commentator unknown: set `person` under [unsigned] in tei/conventions/{name}.toml")
        if notes.speakers:
            yield "speakers: " + "、".join(f"{words} {count}" for words, count in notes.speakers[:6]) + (
                " …" if len(notes.speakers) > 6 else "")
    elif survey.format == "tei":
        yield "notes as in its markup"
    else:
        comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
        yield "no marked notes" + (": base text and commentary cannot be distinguished" if comments else "")
    if notes.corrections:
        wrong, right = notes.mended
        yield _count(notes.corrections, "correction") + " printed by the source" + (
            f", {wrong[:1]}x{wrong[1:]}{right[:1]}y{right[1:]}" if wrong else ": too few to be sure, left in the text")
    if others := [f"{pair} {count}" for pair, count in notes.others if count > 1]:
        yield f"other brackets left in the text: {', '.join(others)}"
    if "section" in convention:
        yield "sections have headings"
    if "number" in convention:
        yield "sections are numbered"
    if "front" in convention:
        yield f"front matter: {_count(len(convention['front']), 'heading')}"
    if "chrome" in convention:
        yield f"notices of a website dropped: {_count(len(convention['chrome']), 'line')}"
