"""Chapters and sections that agree with the editor's examples: explanations of the text, mended where they do not.

Each explanation is mended in two ways: by the line of the example alone, which is an exception, and by all lines of its
form. The best by its score is taken; each exception costs `_EXCEPTION`, so that several examples against one
explanation make another one better.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jiaokan.model.numerals import NUMERAL, numeral, whole
from jiaokan.structure.bylines import makers
from jiaokan.structure.examples import PlacedExamples
from jiaokan.structure.heads import CLAUSE, JUAN_LINE, LONGEST, ORDINAL, ChapterHead, Heads, is_front, title_of
from jiaokan.structure.rows import Row, bare
from jiaokan.structure.weigh import ChapterExplanation, MeasuredRows, score_heads

_EXCEPTION = 1.0
"""Score that an exception costs. At a difference of 1.5 the better explanation is right in four cases of five
(`scaffold.doubts`), so one exception alone is a doubt. A choice."""
_WITHOUT_LINES = ("closed", "title", "none")
"""Kinds of chapters that no line heads, or only the title."""


def choose_chapters(
    given: PlacedExamples, explanations: Sequence[ChapterExplanation], apart: frozenset[int]
) -> list[ChapterExplanation]:
    """Return the explanations that agree with all examples, the best first; if there are no examples, all of them."""
    heads, others = given.of_kind("head"), {*given.of_kind("no-head", "text", "note", "front", "back", "page")}
    sections = {n for section in given.of_kind("section") for n in rows_alike(given.rows, section, frozenset())}
    if not heads and not others and not sections:
        return [*explanations]
    hidden = apart - {*heads}
    page = MeasuredRows.of([Row(row.number, "", row.indent) if n in hidden else row
                            for n, row in enumerate(given.rows)])
    alike = [n for head in heads for n in rows_alike(given.rows, head, hidden)]
    best: dict[tuple[int, ...], ChapterExplanation] = {}
    for explanation in explanations:
        for rows, exceptions in _mend_heads(explanation, given, {*heads}, others, sections, {*alike}):
            if rows and {*heads} <= rows and not rows & (others | sections):
                mended = _explanation(explanation, sorted(rows), page)
                mended = replace(mended, score=mended.score - _EXCEPTION * exceptions)
                key = tuple(head.row for head in mended.heads.heads)
                if key not in best or best[key].score < mended.score:
                    best[key] = mended
    headless = [explanation for explanation in explanations
                if explanation.heads.kind in _WITHOUT_LINES and not heads and not (others & _rows(explanation))]
    return sorted([*best.values(), *headless], key=lambda choice: -choice.score) or [*explanations]


def _mend_heads(
    explanation: ChapterExplanation, given: PlacedExamples, heads: set[int], others: set[int], sections: set[int],
    alike: set[int],
) -> Iterator[tuple[set[int], int]]:
    """Yield the rows of the headings of an explanation that the examples mend, each with the number of exceptions."""
    rows = set() if explanation.heads.kind in _WITHOUT_LINES else _rows(explanation)
    wrong = {n for n in rows & others for n in (*_namesakes(given.rows, rows, n), n)}
    valid = rows - wrong - sections
    levels = {given.rows[n].level for n in heads}
    if any(levels):  # heads of other levels in markup nest in these, or have them in them
        valid = {n for n in valid if given.rows[n].level in levels}
    exceptions = len(rows & others)
    like_wrong = {n for other in rows & others for n in rows_alike(given.rows, other, frozenset())} - heads
    yield valid | heads, exceptions + len(heads - valid)
    if like_wrong and rows - like_wrong:
        yield (valid - like_wrong) | heads, len(heads - valid)
    if heads - valid:
        yield alike - others, 0
        yield (valid | alike) - others, exceptions


def _rows(explanation: ChapterExplanation) -> set[int]:
    return {head.row for head in explanation.heads.heads if head.name}


def _namesakes(rows: Sequence[Row], heads: set[int], at: int) -> Iterator[int]:
    """Yield the headings with the words of one: settings name a heading by its words."""
    words = bare(rows[at].text)
    return (n for n in heads if bare(rows[n].text) == words)


def _explanation(before: ChapterExplanation, rows: Sequence[int], page: MeasuredRows) -> ChapterExplanation:
    """Return the explanation with chapters headed by some rows; a heading that one before has stays as it was."""
    known = {head.row: head for head in before.heads.heads if head.name}
    if [*known] == [*rows]:
        return before
    heads = tuple(ChapterHead(number, known[n].title if n in known else title_of(page.rows[n].text),
                              page.rows[n].text, n) for number, n in enumerate(rows, 1))
    kind = before.heads.kind if 2 * len(known.keys() & {*rows}) > len(rows) else "example"
    return score_heads(Heads(kind, heads), page)


def section_lines(given: PlacedExamples, heads: Heads) -> tuple[str, ...]:
    """Return the headings of sections: lines like the examples of level 2 that head no chapter."""
    chapters = {head.row for head in heads.heads}
    rows = {n for section in given.of_kind("section") for n in rows_alike(given.rows, section, frozenset())} - chapters
    return tuple(dict.fromkeys(given.rows[n].text for n in sorted(rows)))


def row_form(words: str) -> tuple[bool, bool, bool]:
    """Return the form of the words of a line: whether it counts, is the line of a juan, has punctuation."""
    return bool(ORDINAL.search(words)), bool(JUAN_LINE.fullmatch(words)), bool(CLAUSE.search(words))


def rows_alike(rows: Sequence[Row], at: int, apart: frozenset[int]) -> Iterator[int]:
    """Yield the rows of the form of one: of its level in the markup, else short, lowered and counted as it is."""
    model, longest = rows[at], max(LONGEST, len(bare(rows[at].text)))

    def form(row: Row) -> tuple[object, ...]:
        if row.level:
            return row.level, row.quoted
        return row.level, row.quoted, row.indent, *row_form(bare(row.text))

    for n, row in enumerate(rows):
        fits = form(row) == form(model) and (row.level or len(bare(row.text)) <= longest)
        of_page = n in apart or makers(row) or is_front(row.text) or (
            bool(JUAN_LINE.fullmatch(bare(row.text))) and not JUAN_LINE.fullmatch(bare(model.text)))
        if n == at or (fits and not of_page):
            yield n


def lines_to_split(lines: Sequence[str], example: str) -> frozenset[str]:
    """Return the lines of a page that stand alone because one is the example of a heading: those that are counted or
    lowered as it is, else itself alone."""
    def form(line: str) -> tuple[object, ...]:
        return len(line) - len(line.lstrip()), *row_form(bare(line.strip()))

    counted = row_form(bare(example.strip()))[0]
    alike = [line for line in lines if len(bare(line.strip())) <= LONGEST and form(line) == form(example)]
    return frozenset(line.strip() for line in (alike if counted or example[:1].isspace() else [example]))


_TITLE = 8
"""Characters of the longest title before its number, in a line of the text. A choice."""


def split_at_heads(text: str, heads: Sequence[str]) -> str:
    """Return a text with line ends round headings that stand inside its lines: those of the examples, and others that
    go on counting as they do (…章第四). The title of these is what else in the text has the words before the number, as
    a table of contents does; else it is as long as that of the example."""
    places: dict[int, int] = {}
    for words in heads:
        at = text.find(words)
        number = ORDINAL.search(words)
        if at < 0:
            continue
        places[at] = at + len(words)
        if number:
            places |= _counted_heads(text, words, number)
    out, end = [], 0
    for start, stop in sorted(places.items()):
        if start >= end:
            out += [text[end:start], "\n", text[start:stop], "\n"]
            end = stop
    return re.sub(r"\n{2,}", "\n", "".join([*out, text[end:]])) if out else text


def _counted_heads(text: str, words: str, number: re.Match[str]) -> dict[int, int]:
    """Return the places of headings that count on from one: where each begins and ends."""
    unit = words[: number.start()][-1:] if words[: number.start()][-1:] in "章篇卷節节回" else ""
    pattern = re.compile(f"{unit}第(?P<n>{NUMERAL}|\\d+){re.escape(number['unit'])}")
    wanted, at = value_of_number(number["n"]) + 1, text.find(words) + len(words)
    places: dict[int, int] = {}
    while match := next((match for match in pattern.finditer(text, at) if value_of_number(match["n"]) == wanted), None):
        size = next((size for size in range(_TITLE, 1, -1) if _is_title(text, match.start(), size)),
                    number.start() - len(unit))
        places[match.start() - size] = at = match.end()
        wanted += 1
    return places


def _is_title(text: str, end: int, size: int) -> bool:
    title = text[max(0, end - size) : end]
    return title.isalpha() and text.count(title) > 1


def value_of_number(words: str) -> int:
    """Return the value of a number in digits or characters."""
    return whole(words) or numeral(words)
