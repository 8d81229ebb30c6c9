"""Report what `init` detected, and what it decided without being sure, each with the setting to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from jiaokan.errors import Message, join_messages, one_line
from jiaokan.scaffold import gaiji
from jiaokan.scaffold.conventions import convention_of
from jiaokan.scaffold.letters import LOST, LeftOut, amount, letters
from jiaokan.scaffold.survey import Survey
from jiaokan.scaffold.voices import additions
from jiaokan.scaffold.works import SurveyedWork, chapter_texts
from jiaokan.structure.heads import FRONT, like_heads
from jiaokan.structure.rows import is_commentary

_SHOWN = 8
"""Examples in a line of the report."""
_ROWS = 30
"""Chapters that the table always shows."""
_UNUSUAL = 8
"""A chapter so many times shorter or longer than the usual one is shown."""
_HEADS = {
    "marked": Message("headings-markup"), "enclosed": Message("headings-brackets"),
    "numbered": Message("numbered-headings"), "closed": Message("chapters-closed"),
    "alone": Message("short-lines-headings"),
    "titled": Message("titles-below-juan-line"), "contents": Message("titles-of-contents"),
    "listed": Message("numbered-headings"), "lowered": Message("lowered-lines-as-headings"),
    "juan": Message("juan-chapters"), "named": Message("headings-titles-another-text"),
    "title": Message("chapter-headed-title"), "none": Message("no-headings-chapter"),
}
_GRAM, _TWICE = 12, 0.25
"""A text repeats itself if such a share of its n-grams has occurred before. In classics formulae make 0.05 and less."""
_NAMES = Message("add-heading-printed-names-chapter")
_MUCH = 0.1
"""Share of the letters of a file, without markup and navigation, that is a doubt if it is left out."""
_HARDLY = 20
"""A chapter with fewer characters has perhaps lost its text to another one."""


def report(work: SurveyedWork, title: str, ids: Sequence[str]) -> Iterator[str]:
    """Yield the lines on a work: its chapters, base and characters, then each text, then a table of the chapters."""
    several = Message("witnesses-and-base", count=len(ids), base=ids[0]) if len(ids) > 1 else Message("one-text")
    yield Message("work-summary", title=title, chapters=Message("chapters-count", count=len(work.chapters)),
                  several=several)
    if work.reason:
        yield Message("base-reason", base=ids[0], reason=work.reason)
    if work.known:
        yield Message("codes-explained", count=len(work.known))
    for survey, name in zip(work.surveys, ids, strict=True):
        heads = survey.heads
        first = f" ({heads.heads[0].name} …)" if heads.heads and heads.heads[0].name else ""
        makers = ", ".join(f"{maker.dynasty}{maker.name}" for maker in survey.makers)
        yield (
            f"  {name}: {one_line(survey.path.name)}, {survey.format}, {survey.encoding}, {survey.language}"
            + (Message("by-makers", makers=makers) if makers else "") + "; " + _HEADS[heads.kind] + first
        )
        yield "    " + join_messages("list-semicolon", _report_notes(survey))
        yield "    " + _report_letters(survey)
    if len(work.chapters) > 1:
        yield from _table(work, ids)


def _table(work: SurveyedWork, ids: Sequence[str]) -> Iterator[str]:
    """Report the characters of base text in each chapter of each text; of many chapters the first, the last and those
    of an unusual size."""
    sizes = _chapter_sizes(work)
    usual = median(row[0] for row in sizes) or 1
    shown = [n for n, row in enumerate(sizes) if n < _ROWS or n >= len(sizes) - 2
             or row[0] * _UNUSUAL < usual or row[0] > _UNUSUAL * usual]
    yield Message("characters-base-text-chapter", ids=", ".join(ids))
    for before, n in zip([-1, *shown], shown, strict=False):
        if n > before + 1:
            yield Message("more-chapters", number=n - before - 1)
        cells = " ".join(f"{size:6,}" if size else "     –" for size in sizes[n])
        yield f"    {n + 1:3} {cells}  {gaiji.read_as(work.chapters[n][0].title, work.known)}"


def _chapter_sizes(work: SurveyedWork) -> list[list[int]]:
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


def _first_of(words: Sequence[str]) -> str:
    """Return the first of several words, as examples."""
    return ", ".join(words[:_SHOWN]) + (" …" if len(words) > _SHOWN else "")


def _name_code(code: str) -> str:
    """Return the code of a character, of one for private use, which no font shows, its number."""
    return f"U+{ord(code):04X}" if len(code) == 1 and not code.isprintable() else code


def _report_notes(survey: Survey) -> Iterator[str]:
    notes, convention = survey.notes, convention_of(survey)
    if notes.brackets or notes.lines or notes.calls:
        yield Message("notes-in", count=notes.count) + join_messages("list-and", filter(None, (
            notes.brackets, notes.lines and Message("lines-own"), notes.calls and Message("lines-called-number"))))
        yield Message("unsigned-notes",
                      author=survey.author) if _author_speaks(survey) else Message("default-commentator-unknown")
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
    words = _list_parts(part for part in survey.left_out if part.is_text)
    markup = _list_parts(part for part in survey.left_out if not part.is_text)
    if not words and not markup:
        return Message("letters-all-kept", letters=in_text)
    parts = [*([Message("letters-left-out", parts=words)] if words else []),
             *([Message("letters-of-markup", parts=markup)] if markup else [])]
    return Message("letters-in-source", letters=in_text, parts=join_messages("list-semicolon", parts))


def _list_parts(parts: Iterable[LeftOut]) -> Message | None:
    """Return the names of parts with their numbers of letters, the greatest first; None if they have none."""
    sizes: dict[str, int] = {}
    for part in parts:
        sizes[part.part] = sizes.get(part.part, 0) + amount([part.words])
    rows = sorted(((size, name) for name, size in sizes.items() if size), key=lambda row: -row[0])
    listed = [Message.of(name) + f" {size:,}" for size, name in rows[:_SHOWN]]
    return join_messages("list-comma", listed) + (" …" if len(rows) > _SHOWN else "") if rows else None


def _doubts_of_conversion(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    """Yield doubts on what the conversion of a file left out, or decided without being sure."""
    file = one_line(survey.path.name)
    lost = "".join(part.words for part in survey.left_out if part.part == LOST)
    if lost:
        yield 6, Message("letters-lost", name=name, file=file, count=len(lost), shown=lost[:_SHOWN])
    perhaps = [part for part in survey.left_out if part.is_text]
    left_out, in_text = amount(part.words for part in perhaps), letters(survey.text).total()
    if left_out > _MUCH * (left_out + in_text):
        yield 4, Message("much-left-out", name=name, file=file, share=f"{left_out / (left_out + in_text):.0%}",
                         parts=_list_parts(perhaps) or "")
    yield from ((5, Message("doubt-of-text", name=name, words=words)) for words in survey.uncertain)


def _author_speaks(survey: Survey) -> bool:
    """Whether the author speaks in unsigned notes."""
    return survey.unsigned and not additions(survey)


def doubts(work: SurveyedWork, ids: Sequence[str]) -> list[str]:
    """Return a line for each doubt on a work whose texts have these ids, the most important first."""
    ranked = [doubt for survey, name in zip(work.surveys, ids, strict=True) for doubt in _doubts_of_text(survey, name)]
    ranked += _doubts_of_chapters(work, ids)
    if work.unknown:
        ranked.append((2,
                      Message("codes-characters-unknown-print-use", count=len(work.unknown),
                              first_of=_first_of([*map(_name_code, work.unknown)]))))
    if doubtful := [f"{_name_code(code)} {known.standard}"
                    for code, known in work.known.items() if known.cert == "low"]:
        ranked.append((1,
                      Message("codes-characters-doubtful-check-tei", count=len(doubtful),
                              first_of=_first_of(doubtful))))
    return [words for _, words in sorted(ranked, key=lambda row: -row[0])]


def _doubts_of_text(survey: Survey, name: str) -> Iterator[tuple[int, str]]:
    notes, convention = survey.notes, f"tei/conventions/{name}.toml"
    yield from _doubts_of_conversion(survey, name)
    comments = any(maker.comments for maker in survey.makers) or is_commentary(survey.title)
    if comments and not notes.count and survey.format != "tei":
        yield 5, Message("no-marked-notes-though-commentary", name=name, convention=convention)
    if notes.count and not _author_speaks(survey) and 2 * sum(n for _, n in notes.speakers) < notes.count:
        yield 4, (Message("speaks-unsigned-notes-unknown-notes", name=name, count=notes.count, convention=convention))
    if survey.sounds:
        lines = _first_of([f"{listing.first}–{listing.last}" for listing in survey.sounds])
        count = sum(listing.notes for listing in survey.sounds)
        yield 3, (Message("notes-lists-sounds-after-text", name=name, count=count, lines=lines, convention=convention))
    heads = survey.heads.heads
    before, whole = len(survey.base_text(0, heads[0].row)), len(survey.base_text())
    if before > FRONT * whole and survey.heads.kind != "closed":
        yield 4, Message("text-before-first-chapter", name=name, share=f"{before / whole:.0%}", mend=_NAMES)
    if (twice := _repetition(survey)) > _TWICE:
        yield 3, Message("text-twice", name=name, share=f"{twice:.0%}")
    if survey.heads.kind in ("numbered", "listed", "juan"):
        numbers = {head.n for head in heads}
        if lacking := [str(n) for n in range(1, max(numbers)) if n not in numbers]:
            yield 3, Message("numbers-without-heading", name=name, count=len(lacking), first_of=_first_of(lacking),
                             names=_NAMES)
    if len(more := like_heads(survey.rows, survey.heads)) > len(heads):
        yield 2, Message("more-lines-look-like-headings", name=name, count=len(more), first_of=_first_of(more),
                         convention=convention)


def _doubts_of_chapters(work: SurveyedWork, ids: Sequence[str]) -> Iterator[tuple[int, str]]:
    titles = Counter(heads[0].title for heads in work.chapters)
    if again := [title for title, count in titles.items() if count > 1]:
        yield 2, Message("several-chapters-same-title-change", first_of=_first_of(again))
    for index, name in enumerate(ids):
        if lacking := [str(n) for n, indexes in enumerate(work.has, 1) if index not in indexes]:
            yield 3, Message("chapters-without-heading", name=name, count=len(lacking), all=len(work.has),
                             first_of=_first_of(lacking), mend=_NAMES)
    sizes = _chapter_sizes(work)
    short = [str(n) for n, row in enumerate(sizes, 1) if row[0] < _HARDLY]
    if short and max(row[0] for row in sizes) > _HARDLY * _HARDLY:
        yield 3, Message("chapters-hardly-text", id=ids[0], count=len(short), first_of=_first_of(short), names=_NAMES)


def _repetition(survey: Survey) -> float:
    """Return the share of a text's n-grams that occurred before."""
    text = survey.base_text()
    places = range(len(text) - _GRAM + 1)
    return 1 - len({text[at : at + _GRAM] for at in places}) / len(places) if places else 0.0
