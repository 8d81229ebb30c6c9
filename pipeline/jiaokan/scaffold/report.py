"""Report what `init` detected, and what it decided without being sure, each with the setting to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from jiaokan.scaffold import gaiji
from jiaokan.scaffold.conventions import convention_of
from jiaokan.scaffold.heads import FRONT, like_heads
from jiaokan.scaffold.letters import LOST, amount, letters
from jiaokan.scaffold.rows import is_commentary
from jiaokan.scaffold.survey import Survey
from jiaokan.scaffold.voices import additions
from jiaokan.scaffold.works import SurveyedWork, chapter_texts

_SHOWN = 8
"""Examples in a line of the report."""
_ROWS = 30
"""Chapters that the table always shows."""
_UNUSUAL = 8
"""A chapter so many times shorter or longer than the usual one is shown."""
_HEADS = {
    "marked": "headings in the markup", "enclosed": "headings in brackets",
    "numbered": "numbered headings", "closed": "chapters closed by 右第…章", "alone": "short lines as headings",
    "titled": "titles below the juan line",
    "juan": "juan as chapters", "named": "headings with the titles of another text",
    "title": "one chapter, headed by its title", "none": "no headings: one chapter",
}
_GRAM, _TWICE = 12, 0.25
"""A text repeats itself if such a share of its n-grams has occurred before. In classics formulae make 0.05 and less."""
_NAMES = "add its heading as printed to `names` of the chapter in tei/catalog.toml"
_MUCH = 0.1
"""Share of the letters of a file that is reported as a doubt if it is left out; menus and licences make less."""
_HARDLY = 20
"""A chapter with fewer characters has perhaps lost its text to another one."""


def report(work: SurveyedWork, title: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield the lines on a work: its chapters, base and characters, then each text, then a table of the chapters."""
    several = f", {len(ids)} witnesses, base {ids[0]}" if len(ids) > 1 else ", one text"
    yield f"{title}: {_count(len(work.chapters), 'chapter')}{several}"
    if work.reason:
        yield f"  base {ids[0]}: {work.reason}"
    if work.known:
        yield f"  {_count(len(work.known), 'code')} of characters explained in tei/decisions/glyphs.toml"
    for survey, name in zip(work.surveys, ids, strict=True):
        heads = survey.heads
        first = f" ({heads.heads[0].name} …)" if heads.heads and heads.heads[0].name else ""
        makers = ", ".join(f"{maker.dynasty}{maker.name}" for maker in survey.makers)
        yield (
            f"  {name}: {survey.path.name}, {survey.format}, {survey.encoding}, {survey.language}"
            + (f", by {makers}" if makers else "") + f"; {_HEADS[heads.kind]}{first}"
        )
        yield f"    {'; '.join(_report_notes(survey))}"
        yield f"    {_report_letters(survey)}"
    if len(work.chapters) > 1:
        yield from _table(work, ids)


def _table(work: SurveyedWork, ids: Sequence[str]) -> Iterator[str]:
    """Report the characters of base text in each chapter of each text; of many chapters the first, the last and those
    of an unusual size."""
    sizes = _chapter_sizes(work)
    usual = median(row[0] for row in sizes) or 1
    shown = [n for n, row in enumerate(sizes) if n < _ROWS or n >= len(sizes) - 2
             or row[0] * _UNUSUAL < usual or row[0] > _UNUSUAL * usual]
    yield f"  characters of base text by chapter: {', '.join(ids)}"
    for before, n in zip([-1, *shown], shown, strict=False):
        if n > before + 1:
            yield f"    … {n - before - 1} more"
        cells = " ".join(f"{size:6,}" if size else "     –" for size in sizes[n])
        yield f"    {n + 1:3} {cells}  {gaiji.read_as(work.chapters[n][0].title, work.known)}"


def _chapter_sizes(work: SurveyedWork) -> list[list[int]]:
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


def _first_of(words: Sequence[str]) -> str:
    """Return the first of several words, as examples."""
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _count(number: int, name: str) -> str:
    return f"{number} {name}{'s' if number > 1 else ''}"


def _report_notes(survey: Survey) -> Iterator[str]:
    notes, convention = survey.notes, convention_of(survey)
    if notes.brackets or notes.lines or notes.calls:
        yield f"{notes.count} notes in " + " and ".join(filter(None, (
            notes.brackets, notes.lines and "lines of their own", notes.calls and "lines called by number")))
        yield f"unsigned notes by {survey.author}" if _signed(survey) else "default commentator unknown"
        if notes.speakers:
            yield "speakers: " + "、".join(f"{words} {count}" for words, count in notes.speakers[:6]) + (
                " …" if len(notes.speakers) > 6 else "")
    elif survey.format == "tei":
        yield "notes as in its markup"
    else:
        yield "no marked notes"
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


def _report_letters(survey: Survey) -> str:
    """Return how many letters of a file are in the text, and where the others were."""
    kept = letters(survey.text).total()
    parts: Counter[str] = Counter()
    for part, words in survey.left_out:
        parts[part] += amount([words])
    parts = +parts
    if not parts:
        return f"letters and digits: all {kept:,} kept"
    listed = ", ".join(f"{part} {count:,}" for part, count in parts.most_common(_SHOWN))
    more = " …" if len(parts) > _SHOWN else ""
    return f"letters and digits: {kept:,} in the source file; left out: {listed}{more}"


def _lost(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    """Yield doubts on what the conversion of a file left out, or decided without being sure."""
    lost = "".join(words for part, words in survey.left_out if part == LOST)
    if lost:
        yield 6, (f"{name}: {len(lost)} letters of {survey.path.name} were lost ({lost[:_SHOWN]} …) → compare "
                  "tei/sources with the file, or give it as plain text")
    left_out, kept = amount(words for _, words in survey.left_out), letters(survey.text).total()
    if left_out > _MUCH * (left_out + kept):
        yield 4, (f"{name}: {left_out / (left_out + kept):.0%} of the letters of {survey.path.name} are left out: "
                  f"{_report_letters(survey).rpartition('left out: ')[2]} → add them to tei/sources, if they are text")
    yield from ((5, f"{name}: {words}") for words in survey.uncertain)


def _signed(survey: Survey) -> bool:
    """Whether the author speaks in unsigned notes."""
    return survey.unsigned and not additions(survey)


def doubts(work: SurveyedWork, ids: Sequence[str]) -> list[str]:
    """Return a line for each doubt on a work whose texts have these ids, the most important first."""
    found = [each for survey, name in zip(work.surveys, ids, strict=True) for each in _of_text(survey, name)]
    found += _of_chapters(work, ids)
    if work.unknown:
        found.append((2, f"{len(work.unknown)} codes of characters are unknown and print as 〓: "
                         f"{_first_of(work.unknown)} → use init --gaiji, or add them to tei/decisions/glyphs.toml"))
    if doubtful := [f"{code} {each.standard}" for code, each in work.known.items() if each.cert == "low"]:
        found.append((1, f"{len(doubtful)} codes of characters are doubtful: {_first_of(doubtful)} → check them in "
                         "tei/decisions/glyphs.toml"))
    return [words for _, words in sorted(found, key=lambda each: -each[0])]


def _of_text(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    notes, convention = survey.notes, f"tei/conventions/{name}.toml"
    yield from _lost(survey, name)
    comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
    if comments and not notes.count and survey.format != "tei":
        yield 5, f"{name}: no marked notes, though it is a commentary → set `brackets` or `note_lines` in {convention}"
    if notes.count and not _signed(survey) and 2 * sum(n for _, n in notes.speakers) < notes.count:
        yield 4, (f"{name}: who speaks in unsigned notes is unknown, of {notes.count} notes → set `person` under "
                  f"[unsigned] in {convention}")
    if survey.sounds:
        lines = _first_of([f"{each.first}–{each.last}" for each in survey.sounds])
        count = sum(each.notes for each in survey.sounds)
        yield 3, (f"{name}: {count} notes in lists of sounds after the text, in lines {lines}: "
                  f"who wrote them is unknown → set `person` under [[unsigned_in]] in {convention}, "
                  "if a source names him")
    heads = survey.heads.heads
    before, whole = len(survey.base_text(0, heads[0].row)), len(survey.base_text())
    if before > FRONT * whole and survey.heads.kind != "closed":
        yield 4, f"{name}: {before / whole:.0%} of the text is before the first chapter → {_NAMES}"
    if (twice := _repeated(survey)) > _TWICE:
        yield 3, f"{name}: {twice:.0%} of the text stands twice → delete the second copy in tei/sources"
    if survey.heads.kind in ("numbered", "juan"):
        numbers = {head.n for head in heads}
        if lacking := [str(n) for n in range(1, max(numbers)) if n not in numbers]:
            yield 3, f"{name}: {len(lacking)} numbers without a heading: {_first_of(lacking)} → {_NAMES}"
    if len(more := like_heads(survey.rows, survey.heads)) > len(heads):
        yield 2, f"{name}: {len(more)} more lines look like headings: {_first_of(more)} → set `section` in {convention}"


def _of_chapters(work: SurveyedWork, ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    titles = Counter(heads[0].title for heads in work.chapters)
    if again := [title for title, count in titles.items() if count > 1]:
        yield 2, f"several chapters have the same title: {_first_of(again)} → change `title` in tei/catalog.toml"
    for index, name in enumerate(ids):
        if lacking := [str(n) for n, has in enumerate(work.has, 1) if index not in has]:
            numbers = f"{len(lacking)} chapters without a heading, of {len(work.has)}: {_first_of(lacking)}"
            yield 3, f"{name}: {numbers} → {_NAMES}"
    sizes = _chapter_sizes(work)
    short = [str(n) for n, row in enumerate(sizes, 1) if row[0] < _HARDLY]
    if short and max(row[0] for row in sizes) > _HARDLY * _HARDLY:
        yield 3, f"{ids[0]}: {len(short)} chapters with hardly any text: {_first_of(short)} → {_NAMES}"


def _repeated(survey: Survey) -> float:
    """Return the share of a text's n-grams that occurred before."""
    text = survey.base_text()
    places = range(len(text) - _GRAM + 1)
    return 1 - len({text[at : at + _GRAM] for at in places}) / len(places) if places else 0.0
