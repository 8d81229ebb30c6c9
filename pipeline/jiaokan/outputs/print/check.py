"""Check the pages of a book as it was set: what a press would send back, each with its page and reference.

The modern page is measured from Typst's own positions (``check.typ``), pages in columns from where Typst drew each
character, and as they were laid out. Sigla are not measured: they are boxes, which Typst cannot part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from math import ceil
from typing import Any

from jiaokan.columns import SetLine, SetPage
from jiaokan.errors import Finding, Message, Place

_LONE = 1.6  # bodies: a line that ends nearer to its beginning has one character, with a mark or a number at most
_QUARTER = 0.25
"""Share of the page's height that the end of a chapter fills at least, unless the chapter begins there, too."""
_LONE_SORTS = 3  # a character with a mark and a number at most
_DEEP, _INTO_MARGIN = 3, 0.6
"""Lines, and share of the margin, by which a run at the foot may go into the margin before its entries are set as
footnotes of their own. Such a footnote can be a page before its words, so others stay as they are."""
_ROUNDING = 0.05  # lines
_TOUCHING = 0.5  # points by which a run may reach into the space above the next footnote
_BELOW = 0.5  # bodies by which a graph may be lower than the frame before it is reported

_LOOK = Message("look-page-other-sizes-paper")

Fault = tuple[int, str, Message, Message]  # the page, the place in the text, the problem and the remedy


def page_findings(measured: Mapping[str, object], before: int = 0) -> tuple[Finding, ...]:
    """Return findings on the modern pages; `measured` is the answer of ``check.typ``, empty if it was not asked.

    `before` is the number of pages of the book before those that were set.
    """
    if not measured:
        return ()
    faults = [*_lone_lines(measured), *_pushed_notes(measured), *_short_pages(measured), *_deep_feet(measured)]
    return tuple(_finding(str(page + before), reference, problem, mend)
                 for page, reference, problem, mend in sorted(faults))


def column_findings(lowest: Sequence[tuple[float, float]], floor: float, folios: Sequence[str]) -> tuple[Finding, ...]:
    """Return findings on pages in columns that run out of their frame.

    `lowest`: baseline and body of the lowest graph of each page, in points from the foot of the page; `floor`: the
    foot of the frame; `folios`: the names of the first pages, those of the text.
    """
    return tuple(_finding(folio, "", Message("column-runs-points-below-frame", round=round(floor - y)))
                 for (y, body), folio in zip(lowest, folios, strict=False) if y < floor - _BELOW * body)


def layout_findings(pages: Sequence[SetPage], names: Sequence[str], width: float, height: float) -> tuple[Finding, ...]:
    """Return findings on laid-out pages in columns: the last of a chapter nearly empty, a last column of one character.

    `names`: what each page is called; `width` and `height`: those of a page, as lines and sorts count them.
    """
    faults: list[tuple[str, str, Message]] = []
    filled = [number for number, page in enumerate(pages) if page.lines]
    for number, following in zip_longest(filled, filled[1:]):
        page, share = pages[number], pages[number].used() / width
        ends = following is None or any(each.level == 1 for each in pages[following].divisions)
        if ends and share < _QUARTER and not any(each.level == 1 for each in page.divisions):
            faults.append((names[number], page.chapter,
                           Message("last-page-chapter-filled", round=round(100 * share))))
        if any(_is_lone(line, before, height) for before, line in pairwise(page.lines)):
            faults.append((names[number], page.chapter, Message("paragraph-ends-line-character")))
    return tuple(_finding(*each) for each in faults)


def _is_lone(line: SetLine, before: SetLine, height: float) -> bool:
    graphs = [sort for sort in line.sorts if sort.kind == "graph" and sort.style != "mark"]
    if line.side != "whole" or len(graphs) != 1 or not before.sorts or before.sorts[-1].style != graphs[0].style:
        return False
    last, at = before.sorts[-1], before.places()[-1]
    return len(line.sorts) <= _LONE_SORTS and at + last.length > height - _LONE * graphs[0].length


def _finding(page: str, reference: str, problem: Message, mend: Message = _LOOK) -> Finding:
    where = Message("page-of-reference", page=page, reference=reference) if reference else Message("page-number",
                                                                                                   page=page)
    return Finding("print-page", Place("[print]"), Message("at-where", where=where, problem=problem), mend, "info")


def _lone_lines(measured: Mapping[str, Any]) -> Iterator[Fault]:
    sizes = measured["sizes"]
    for kind, reference, page, x, _ in measured["ends"]:
        left = sizes["inside" if page % 2 else "outside"] + (sizes["indent"] if kind == "note" else 0)
        if x - left < _LONE * sizes[kind]:
            yield page, reference, Message("paragraph-ends-line-character"), _LOOK


def _pushed_notes(measured: Mapping[str, Any]) -> Iterator[Fault]:
    for page, (words, more) in {page: marks for *marks, page in measured["touching"]}.items():  # the lowest of a page
        yield page, "", Message("margin-note-pushed", words=words, distance=more), _LOOK


def _short_pages(measured: Mapping[str, Any]) -> Iterator[Fault]:
    sizes, opened = measured["sizes"], measured["openings"]
    for (title, begun), (part, page, _, y) in zip(opened, measured["endings"], strict=False):
        share = (y - sizes["top"]) / (sizes["bottom"] - sizes["top"])
        if share < _QUARTER and page != begun:
            yield (page, title, Message("last-page-chapter-filled", round=round(100 * share)),
                   Message("make-pages-longer-shorter-line", part=f'{{ "{part}" = -1 }}'))


def short_parts(measured: Mapping[str, Any]) -> list[str]:
    """Return the ids of chapters and parts whose last page is less than a quarter full."""
    if not measured:
        return []
    sizes, opened = measured["sizes"], measured["openings"]
    return [part for (_, begun), (part, page, _, y) in zip(opened, measured["endings"], strict=False)
            if page != begun and (y - sizes["top"]) / (sizes["bottom"] - sizes["top"]) < _QUARTER]


def _deep_feet(measured: Mapping[str, object]) -> Iterator[Fault]:
    for page in sorted({page for _, page, *_ in _high_runs(measured, _line_in_margin(measured))}):
        yield page, "", Message("apparatus-longer-room"), _LOOK


def pressed_entries(measured: Mapping[str, Any]) -> dict[int, int]:
    """Return the numbers of entries in runs at the foot that come near the trim or into another footnote.

    The first of each run has the number of lines by which its room is too low, the others 0. All have -1 if some of the
    room is on another page, where more of it does not help.
    """
    if not measured:
        return {}
    sizes = measured["sizes"]
    deepest = min(_DEEP * sizes["foot"], _INTO_MARGIN * (sizes["paper"] - sizes["bottom"]))
    lines = dict[int, int]()
    for spare, _, numbers, astray in _high_runs(measured, deepest):
        lines |= {number: -1 if astray else 0 for number in numbers if number not in lines}
        if not astray:
            lines[numbers[0]] += ceil(-spare / sizes["foot"] - _ROUNDING)
    return lines


def _line_in_margin(measured: Mapping[str, Any]) -> float:
    return 1.8 * float(measured["sizes"]["foot"])  # one line may be in the margin


def _high_runs(measured: Mapping[str, Any], deepest: float) -> Iterator[tuple[float, int, Sequence[int], bool]]:
    """Yield spare room, page, entries, and whether some of the room is elsewhere, of each run that goes too low.

    That is `deepest` points or more below its room. A run beside another footnote (``strict``) may not leave its room.
    """
    for spare, page, numbers, strict, astray in measured["feet"]:
        if spare < -(_TOUCHING if strict else deepest):
            yield spare, page, numbers, astray
