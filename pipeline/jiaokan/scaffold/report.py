"""Report what `init` detected: what each text is taken to be, its notes, its letters, its chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from jiaokan.errors import Message, join_messages, one_line
from jiaokan.scaffold import gaiji
from jiaokan.scaffold.conventions import convention_of
from jiaokan.scaffold.letters import LeftOut, amount, letters
from jiaokan.scaffold.survey import Survey
from jiaokan.scaffold.voices import additions
from jiaokan.scaffold.works import SurveyedWork, chapter_texts
from jiaokan.structure.weigh import rival_of

_SHOWN = 8
"""Examples in a line of the report."""
_ROWS = 30
"""Chapters that the table always shows."""
_UNUSUAL = 8
"""A chapter so many times shorter or longer than the usual one is shown."""
HEADS = {
    "marked": Message("headings-markup"), "enclosed": Message("headings-brackets"),
    "numbered": Message("numbered-headings"), "closed": Message("chapters-closed"),
    "alone": Message("short-lines-headings"),
    "titled": Message("titles-below-juan-line"), "contents": Message("titles-of-contents"),
    "listed": Message("numbered-headings"), "lowered": Message("lowered-lines-as-headings"),
    "juan": Message("juan-chapters"), "named": Message("headings-titles-another-text"),
    "title": Message("chapter-headed-title"), "none": Message("no-headings-chapter"),
    "example": Message("headings-like-example"),
}
def summary(work: SurveyedWork, title: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield the first lines on a work: its chapters and its base, and what each text is taken to be."""
    several = Message("witnesses-and-base", count=len(ids), base=ids[0]) if len(ids) > 1 else Message("one-text")
    yield Message("work-summary", title=title, chapters=Message("chapters-count", count=len(work.chapters)),
                  several=several)
    yield from (_taken_for(survey, name) for survey, name in zip(work.surveys, ids, strict=True))
    if work.reason:
        yield Message("base-reason", base=ids[0], reason=work.reason)


def details(work: SurveyedWork, ids: Sequence[str]) -> Iterator[str]:
    """Yield the other lines on a work: its characters, then each text, then a table of the chapters."""
    if work.known:
        yield Message("codes-explained", count=len(work.known))
    for survey, name in zip(work.surveys, ids, strict=True):
        heads = survey.heads
        first = f" ({heads.heads[0].name} …)" if heads.heads and heads.heads[0].name else ""
        makers = ", ".join(f"{maker.dynasty}{maker.name}" for maker in survey.makers)
        yield (
            f"  {name}: {one_line(survey.path.name)}, {survey.format}, {survey.encoding}, {survey.language}"
            + (Message("by-makers", makers=makers) if makers else "") + "; " + HEADS[heads.kind] + first
        )
        yield "    " + join_messages("list-semicolon", _report_notes(survey))
        yield "    " + _report_letters(survey)
    if len(work.chapters) > 1:
        yield from _table(work, ids)


def _taken_for(survey: Survey, name: str) -> Message:
    """Return what a text is taken to be, and what else it could be by its chapters."""
    notes = survey.notes
    marks = join_messages("list-and", filter(None, (
        notes.brackets, notes.lines and Message("lines-apart" if notes.lines.isspace() or notes.lines in ">:"
                                                else "lines-own"),
        notes.calls and Message("lines-called-number"))))
    layers = Message("taken-notes", count=notes.count, marks=marks) if notes.count else Message("taken-base-only")
    if notes.count and survey.author and author_speaks(survey):
        layers = Message("taken-notes-by", count=notes.count, marks=marks, author=survey.author)
    layers = Message("notes-markup") if survey.format == "tei" else layers
    chapters = Message("chapters-count", count=len(survey.heads.heads)) + " (" + HEADS[survey.heads.kind] + ")"
    rival = rival_of(survey.explanations)
    other = Message("taken-or", count=len(rival.heads.heads), kind=HEADS[rival.heads.kind]) if rival else ""
    return Message("taken-for", name=name, layers=layers, chapters=chapters, other=other)


def _table(work: SurveyedWork, ids: Sequence[str]) -> Iterator[str]:
    """Report the characters of base text in each chapter of each text; of many chapters the first, the last and those
    of an unusual size."""
    sizes = chapter_sizes(work)
    usual = median(row[0] for row in sizes) or 1
    shown = [n for n, row in enumerate(sizes) if n < _ROWS or n >= len(sizes) - 2
             or row[0] * _UNUSUAL < usual or row[0] > _UNUSUAL * usual]
    yield Message("characters-base-text-chapter", ids=", ".join(ids))
    for before, n in zip([-1, *shown], shown, strict=False):
        if n > before + 1:
            yield Message("more-chapters", number=n - before - 1)
        cells = " ".join(f"{size:6,}" if size else "     –" for size in sizes[n])
        yield f"    {n + 1:3} {cells}  {gaiji.read_as(work.chapters[n][0].title, work.known)}"


def chapter_sizes(work: SurveyedWork) -> list[list[int]]:
    """Return the characters of base text in each chapter of the work, for each of its texts."""
    texts = [dict(zip((head.row for head in survey.heads.heads), map(len, chapter_texts(survey)), strict=True))
             for survey in work.surveys]
    table = []
    for heads, indexes in zip(work.chapters, work.has, strict=True):
        row = [0] * len(texts)
        for head, index in zip(heads, indexes, strict=True):
            row[index] = texts[index][head.row]
        table.append(row)
    return table


def _report_notes(survey: Survey) -> Iterator[str]:
    notes, convention = survey.notes, convention_of(survey)
    if notes.brackets or notes.lines or notes.calls:
        yield Message("notes-in", count=notes.count) + join_messages("list-and", filter(None, (
            notes.brackets, notes.lines and Message("lines-own"), notes.calls and Message("lines-called-number"))))
        yield Message("unsigned-notes",
                      author=survey.author) if author_speaks(survey) else Message("default-commentator-unknown")
        if notes.speakers:
            speakers = "、".join(f"{words} {count}" for words, count in notes.speakers[:6])
            yield Message("speakers-listed", speakers=speakers + (" …" if len(notes.speakers) > 6 else ""))
    elif survey.format == "tei":
        yield Message("notes-markup")
    else:
        yield Message("no-marked-notes")
    if notes.corrections:
        wrong, right = notes.mended
        yield Message("corrections-printed", count=notes.corrections) + (
            f", {wrong[:1]}x{wrong[1:]}{right[:1]}y{right[1:]}" if wrong else Message("too-few-sure-left-text"))
    if others := [f"{pair} {count}" for pair, count in notes.others if count > 1]:
        yield Message("other-brackets-left-text", others=", ".join(others))
    if "section" in convention:
        yield Message("sections-headings")
    if "number" in convention:
        yield Message("sections-numbered")
    if "front" in convention:
        yield Message("front-matter-headings", count=len(convention["front"]))
    if "chrome" in convention:
        yield Message("notices-dropped", count=len(convention["chrome"]))


def _report_letters(survey: Survey) -> Message:
    """Return how many letters of a file are in the text, and where the others were: those that may be text apart from
    markup and navigation."""
    in_text = f"{letters(survey.text).total():,}"
    words = list_parts(part for part in survey.left_out if part.is_text)
    markup = list_parts(part for part in survey.left_out if not part.is_text)
    if not words and not markup:
        return Message("letters-all-kept", letters=in_text)
    parts = [*([Message("letters-left-out", parts=words)] if words else []),
             *([Message("letters-of-markup", parts=markup)] if markup else [])]
    return Message("letters-in-source", letters=in_text, parts=join_messages("list-semicolon", parts))


def list_parts(parts: Iterable[LeftOut]) -> Message | None:
    """Return the names of parts with their numbers of letters, the greatest first; None if they have none."""
    sizes: dict[str, int] = {}
    for part in parts:
        sizes[part.part] = sizes.get(part.part, 0) + amount([part.words])
    rows = sorted(((size, name) for name, size in sizes.items() if size), key=lambda row: -row[0])
    listed = [Message.of(name) + f" {size:,}" for size, name in rows[:_SHOWN]]
    return join_messages("list-comma", listed) + (" …" if len(rows) > _SHOWN else "") if rows else None


def author_speaks(survey: Survey) -> bool:
    """Whether the author speaks in unsigned notes."""
    return survey.unsigned and not additions(survey)
