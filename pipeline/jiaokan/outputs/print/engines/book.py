"""A whole book in columns: the text laid out first, then contents and indexes, which name its pages or leaves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from jiaokan.columns import LEAVES, Block, Heading, ListedText, SetPage, Sort
from jiaokan.model.numerals import by_places
from jiaokan.outputs.print.check import layout_findings
from jiaokan.outputs.print.volumes import BookPart, TypesetBook
from jiaokan.settings.plans import PrintPlan

FRONT, BACK = "卷首", "卷末"  # names of the parts before and after the text if leaves are numbered by scrolls
SCATTERED = "散见"  # what follows a folded list: the matter is found here and there in these pages
_LISTED = 3
"""More short scrolls in a row than these are a list. Two occur in fragments, where each is what is left of one."""

Folio = tuple[str, int]  # the name of a page or leaf: its scroll, empty where a book has none, and its number in it
Run = tuple[int, int]  # the first and the last of some pages, or leaves, each by its number in the book
Begun = tuple[Heading, Folio, str]  # a division that begins, its page or leaf, and the id to which the number leads


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLayout(ABC):
    """How the pages of a book in columns are made."""

    plan: PrintPlan
    halves: int  # pages that share a number: 2 of a leaf
    by_scroll: bool  # whether pages are numbered anew in each scroll
    front: str  # prefix of the labels of pages before the text
    body: float  # length of a numeral in a column
    room: float  # length that an entry of an index may fill with numbers
    extent: float  # size of a page, in the unit of `size`
    opening: int  # number of pages of which a chapter begins the first: 2 of a leaf, or facing each other
    width: float  # of a page, as its lines count it
    height: float  # of a column in which one character alone is a fault; infinite on a grid, where it is the rule
    foot: float  # distance of the frame, or the type area, from the foot of the page, in points

    @abstractmethod
    def read(self, parts: Iterable[BookPart]) -> ListedText:
        """Read the lists of a book."""

    @abstractmethod
    def size(self, block: Block) -> float:
        """Return about how much of a page a block takes."""

    @abstractmethod
    def set_text(self, blocks: Sequence[Block]) -> list[SetPage]:
        """Lay out the text."""

    def set_matter(self, blocks: Iterable[Block]) -> list[SetPage]:
        """Lay out the parts before or after it."""
        return self.set_text(list(blocks))

    @abstractmethod
    def contents(self, begun: Sequence[Begun]) -> Iterator[Block]:
        """Yield the table of contents."""

    @abstractmethod
    def words(self, text: str, style: str, leads: str = "") -> list[Sort]:
        """Return the sorts of some words; `leads`: the id of the page to which they lead."""

    @abstractmethod
    def page_id(self, page: int) -> str:
        """Return the id of a page, counted from the first of the text, 0."""

    @abstractmethod
    def write(self, pages: Sequence[SetPage], folios: Sequence[Folio], ids: Sequence[str]) -> Iterator[BookPart]:
        """Write pages as Typst code; `ids`: those to which links lead."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """The pages of a book, by its parts, and the names of its pages or leaves."""

    front: list[SetPage]
    text: list[SetPage]
    back: list[SetPage]
    folios: tuple[list[Folio], list[Folio], list[Folio]]


def with_pages(book: TypesetBook, layout: ColumnLayout) -> TypesetBook:
    """Return a book with pages in place of the lists that the layout's stylesheet made."""
    lists = book.lists()
    first = book.parts.index(lists[0])
    laid_out = compose(layout.read(lists), layout)
    names = [folio_name(folio) for folio in laid_out.folios[1] for _ in range(layout.halves)]
    return TypesetBook(
        book.template, (*book.parts[:first], *write_book(laid_out, layout), *book.parts[first + len(lists):]),
        layout_findings(laid_out.text, names, layout.width, layout.height))


def compose(text: ListedText, layout: ColumnLayout) -> LaidOut:
    """Lay out a book, with contents and indexes.

    Pages are counted from the first of the text and on through what follows it, or anew in each scroll.
    """
    halves, main = layout.halves, text.blocks[text.main:text.back]
    drop_listed_scrolls(main, layout.size, layout.extent)
    for blocks in (text.blocks[:text.main], main, text.blocks[text.back:]):
        _join_short(blocks, layout, every=blocks is main)
    pages = layout.set_text(main)
    folios: list[Folio] = []
    for page in pages[halves - 1::halves]:
        juan = page.juan if layout.by_scroll else ""
        folios.append((juan, folios[-1][1] + 1 if folios and folios[-1][0] == juan else 1))
    scrolls = any(juan for juan, _ in folios)
    back = layout.set_matter(_with_locators(text.blocks[text.back:], pages, folios, layout))
    begin = 0 if scrolls else len(folios)
    ending = [(BACK if scrolls else "", begin + n) for n in range(1, len(back) // halves + 1)]
    begun = [*_begun(pages, folios, 0, layout), *_begun(back, ending, len(pages), layout)]
    front = layout.set_matter(content for block in text.blocks[:text.main]
                              for content in (layout.contents(begun) if block.kind == "contents" else [block]))
    opening = [(FRONT if scrolls else "", n) for n in range(1, len(front) // halves + 1)]
    return LaidOut(front, pages, back, (opening, folios, ending))


def _join_short(blocks: Sequence[Block], layout: ColumnLayout, *, every: bool) -> None:
    """Let short chapters follow each other after an empty column; parts before and after the text begin a half-leaf.

    These are all chapters of the text, if `every` chapter may: they are on the average shorter than what they would
    begin. A press gives each 篇 a page of its own, but not each 章 of the 老子. Otherwise one that follows a chapter of
    a quarter of a page at most. A scroll begins a leaf, as its leaves have numbers of their own.
    """
    starts = [number for number, block in enumerate(blocks) if block.begins_chapter]
    sizes = [sum(map(layout.size, blocks[a:b])) for a, b in pairwise([*starts, len(blocks)])]
    short = every and bool(sizes) and sum(sizes) / len(sizes) < layout.extent * layout.opening
    for before, number in zip(sizes, starts[1:], strict=False):
        block = blocks[number]
        if block.breaks == "leaf" and not block.juan and not block.volume:
            follows = short or before <= layout.extent / 4
            if follows:
                block.breaks = "skip"
            else:
                block.breaks = "leaf" if every and layout.halves == 1 else "half"


def write_book(book: LaidOut, layout: ColumnLayout) -> Iterator[BookPart]:
    """Yield the pages of a book as parts of it."""
    parts = (book.front, book.text, book.back)
    led = {sort.id for pages in parts for page in pages for line in page.lines for sort in line.sorts}
    for pages, folios in zip(parts, book.folios, strict=True):
        before = len(book.text) if pages is book.back else 0
        ids = [layout.page_id(before + n) if pages is not book.front else "" for n in range(len(pages))]
        if pages and not before and layout.halves == 1:  # leaves begin on a right-hand page anyhow
            yield BookPart(kind="opening", source="#opening()\n")
        for part in layout.write(pages, folios, [id_ if id_ in led else "" for id_ in ids]):
            front = layout.front if pages is book.front else ""
            yield replace(part, labels=tuple(front + label for label in part.labels))


def _begun(pages: Sequence[SetPage], folios: Sequence[Folio], before: int, layout: ColumnLayout) -> Iterator[Begun]:
    for number, page in enumerate(pages):
        for division in (*([Heading(0, "", "", page.volume)] if page.volume else []), *page.divisions):
            yield division, folios[number // layout.halves], layout.page_id(before + number)


def _with_locators(
    blocks: Iterable[Block], text: Sequence[SetPage], folios: Sequence[Folio], layout: ColumnLayout
) -> Iterator[Block]:
    halves, pages_by_anchor = layout.halves, defaultdict[tuple[str, str], dict[int, None]](dict)
    for number, page in enumerate(text):
        for anchor in (anchor_here for line in (*page.lines, *page.crown) for sort in line.sorts
                       for anchor_here in sort.anchors):
            pages_by_anchor[anchor][number] = None

    def fits(runs: list[Run]) -> bool:
        return sum(len(words) + 1 for words in run_names(runs, folios)) * layout.body <= layout.room

    def locators(key: tuple[str, str]) -> Iterator[Sort]:
        leaves = {page // halves: page for page in reversed(list(pages_by_anchor.get(key, ())))}
        runs, scattered = fold_pages(sorted(leaves), lambda leaf: folios[leaf][0],
                                 lambda leaf: text[halves * leaf + halves - 1].chapter, fits)
        for n, (words, run) in enumerate(zip(run_names(runs, folios), runs, strict=True)):
            yield from layout.words("　", "number") if n else ()
            yield from layout.words(words, "number", layout.page_id(leaves[run[0]]))
        yield from layout.words(SCATTERED, "number") if scattered else ()

    for block in blocks:
        block.sorts = [new_sort for sort in block.sorts
                       for new_sort in (locators(sort.anchors[0]) if sort.style == LEAVES else (sort,))]
        yield block


def fold_pages(
    pages: Sequence[int], part: Callable[[int], str], chapter: Callable[[int], str], fits: Callable[[list[Run]], bool]
) -> tuple[list[Run], bool]:
    """Return the first list of some pages that fits, and whether it is folded.

    Lists are: neighbours as one; first and last page of each chapter; first and last of all. Each `part` numbers its
    pages by itself, so neighbours do not go over its end.
    """
    plain = _runs(pages, lambda page, last: page == last + 1 and part(page) == part(last))
    if fits(plain):
        return plain, False
    gathered = _runs(pages, lambda page, last: (part(page), chapter(page)) == (part(last), chapter(last)))
    return gathered if fits(gathered) else [(pages[0], pages[-1])], True


def _runs(pages: Sequence[int], joins: Callable[[int, int], bool]) -> list[Run]:
    runs: list[Run] = []
    for page in pages:
        if runs and joins(page, runs[-1][1]):
            runs[-1] = runs[-1][0], page
        else:
            runs.append((page, page))
    return runs


def run_names(runs: Iterable[Run], folios: Sequence[Folio]) -> Iterator[str]:
    """Yield pages or leaves as an index has them, each scroll named once: 卷一·三至五, 七, 卷二·一."""
    scroll = ""
    for first, last in runs:
        (juan, leaf), (end, end_leaf) = folios[first], folios[last]
        begun = folio_name((juan, leaf)) if juan != scroll else by_places(leaf)
        ends = by_places(end_leaf) if end == juan else folio_name((end, end_leaf))
        yield begun if first == last else f"{begun}至{ends}"
        scroll = end


def folio_name(folio: Folio) -> str:
    """Return the name of a page or leaf: 卷十一·三; without scrolls 三."""
    juan, number = folio
    return f"{juan}·{by_places(number)}" if juan else by_places(number)


def drop_listed_scrolls(blocks: Sequence[Block], size: Callable[[Block], float], least: float) -> None:
    """Remove the leaf breaks and numbers of scrolls that a text only lists, as its contents do (卷一　親士　修身).

    These are three in a row or more, each shorter than `least`, without a chapter between them. One that follows them
    is the last of the list, whatever comes after it.
    """
    row: list[int] = []
    for first in [number for number, block in enumerate(blocks) if block.juan]:
        end = next((n for n in range(first + 1, len(blocks)) if blocks[n].juan or blocks[n].begins_chapter),
                   len(blocks))
        row.append(first)
        followed = end < len(blocks) and blocks[end].juan and not blocks[end].begins_chapter
        if sum(map(size, blocks[first:end])) >= least or not followed:
            for number in row if len(row) > _LISTED else ():
                blocks[number].juan = ""
                for block in blocks[max(0, number - 1):number + 1]:  # the line above a scroll's title begins the leaf
                    if block.breaks == "leaf" and not block.begins_chapter:
                        block.breaks = "column"
            row = []
