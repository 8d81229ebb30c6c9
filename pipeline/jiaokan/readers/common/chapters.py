"""Divisions under construction, heads of chapters, and findings on chapters and juan of a whole source."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import is_

from msgspec.structs import replace

from jiaokan.errors import Finding, Message, join_messages
from jiaokan.model import Block, Division, DivisionKind, Document, Furniture, Juan, Paragraph, Trailer
from jiaokan.model.numerals import NUMERAL, numeral
from jiaokan.model.walk import blocks, notes
from jiaokan.readers.common.source import BLANK, PAGE, Source, nest, outside
from jiaokan.settings.catalog import Chapter
from jiaokan.settings.patterns import matcher


@dataclass
class OpenDivision:
    """A division that is not closed yet."""

    kind: DivisionKind
    n: str = ""
    title: str = ""
    label: str = ""
    items: list[Block | Division] = field(default_factory=list)
    closed: bool = False
    """Whether it has its trailer, after which only notes may follow."""

    @classmethod
    def of(cls, chapter: Chapter) -> OpenDivision:
        """Begin a chapter of the work."""
        return cls("pian", str(chapter.n), chapter.title)

    def close(self) -> Division:
        """Return the division with its present items."""
        return Division(kind=self.kind, n=self.n, label=self.label, title=self.title, items=tuple(self.items))


def demote_trailers(document: Document) -> Document:
    """Return a document in which a trailer without text before it in its division is a paragraph of prose: in TEI a
    trailer follows a component of the text (Guidelines 4.2, model.divBottom)."""
    return replace(document, divisions=tuple(map(_demote, document.divisions)))


def _demote(division: Division) -> Division:
    has_text = False
    items: list[Block | Division] = []
    for item in division.items:
        if isinstance(item, Trailer) and not has_text:
            items.append(Paragraph(content=item.content, kind="prose"))
        else:
            items.append(_demote(item) if isinstance(item, Division) else item)
        has_text = has_text or isinstance(items[-1], (Paragraph, Division))
    return division if all(map(is_, items, division.items)) else replace(division, items=tuple(items))


_PAGE_NOTE = re.compile(f"{PAGE[0]}[^{PAGE}]*{PAGE[1]}")
_LIST = 4
"""Least number of consecutive names, with hardly a word between them, in a table of contents; two or three can be
chapters of which only the heads are left."""
MUCH_LONGER = 2
"""The text of a chapter is more than this many times longer than the entry of a list of variants under its name. In
世說新語 (四部叢刊), whose 校語 repeats 33 of 36 heads, it is 2.6 (where the list has a slip in the next name) to 64
times; a running title always has less under it than the head, since the text after it counts for both."""
_LINE = 40
"""Most characters in a line of a table of contents; one of 四庫全書 has 21 graphs and blanks between them."""
_BETWEEN = 10
"""Most characters between two names of a table of contents: 卷二, a page number."""


def heads(source: Source, brackets: str, apart: Collection[range] = ()) -> Mapping[int, Chapter]:
    """Return the chapters of the work by line number, from 1, of their heads. A head is a declared name, apart from
    notes in `brackets` and white space, outside the lines `apart` (lists of sounds, which repeat heads). If several
    lines have the name, the others belong to a table of contents, a list of variants 校語 or a running title: the head
    is the first outside such a table that is not directly followed by another chapter's name, unless a later one has a
    much longer text."""
    chapters = {number: namesakes[0] for number, line in enumerate(source.lines, 1)
                if not any(number in lines for lines in apart)
                and (namesakes := _chapters_of_name(line.strip(BLANK), source, brackets))}
    sizes = [0, *(len(line.strip(BLANK)) for line in source.lines)]
    listed = contents_lines([(number, chapter.n) for number, chapter in chapters.items()], sizes)
    following = dict(pairwise(number for number, size in enumerate(sizes) if size))
    best: dict[int, int] = {}
    rank: dict[int, int] = {}
    long = _text_lengths(chapters, sizes)
    for number, chapter in chapters.items():
        after = chapters.get(following.get(number, 0))
        here = 2 if number in listed else int(after is not None and after.n != chapter.n)
        before = best.get(chapter.n)
        if before is None or here < rank[chapter.n] or (
            here == rank[chapter.n] and long[number] > MUCH_LONGER * long[before]
        ):
            best[chapter.n], rank[chapter.n] = number, here
    heads = {number: chapters[number] for number in best.values() if number not in listed}
    heads = heads or {number: chapters[number] for number in best.values()}
    alike = _namesakes(chapters, heads, source, brackets)
    shared = {chapter.n for chapter in alike.values()}
    return {number: chapter for number, chapter in heads.items() if chapter.n not in shared} | alike


def _namesakes(
    lines: Mapping[int, Chapter], heads: Mapping[int, Chapter], source: Source, brackets: str
) -> dict[int, Chapter]:
    """Return the heads of chapters that share a name: the lines with it in order, if text follows each."""
    alike: dict[tuple[Chapter, ...], list[int]] = {}
    named = {chapter.n for chapter in heads.values()}
    for number, chapter in lines.items():
        namesakes = _chapters_of_name(source.lines[number - 1].strip(BLANK), source, brackets)
        if len(namesakes) > 1 and chapter.n in named and lines.get(number + 1) is None:
            alike.setdefault(namesakes, []).append(number)
    heads_in_order: dict[int, Chapter] = {}
    for chapters, numbers in alike.items():
        if len(numbers) >= len(chapters):
            heads_in_order |= dict(zip(numbers[-len(chapters) :], chapters, strict=True))
    return heads_in_order


def repeated_names(source: Source, heads: Mapping[int, Chapter], page: Callable[[str], bool]) -> frozenset[int]:
    """Return the lines that only repeat names of chapters: contents of a juan before its text (初見秦第一　存韓第二),
    and lines that close a chapter, before the next head, a line of the `page` or the end of the source."""
    begins = {chapter.n: number for number, chapter in heads.items()}
    lines = [number for number, line in enumerate(source.lines, 1) if line.strip(BLANK)]
    repeats: set[int] = set()
    for number, after in pairwise([*lines, 0]):
        line = source.lines[number - 1].strip(BLANK)
        if number in heads or len(line) > _LINE:
            continue
        named = [source.work.chapter_of_heading(piece) for piece in re.split(f"[{BLANK}]+", line)]
        chapters = [source.work.chapter_of_heading(line)] if source.work.chapter_of_heading(line) else named
        if not all(chapter and len(chapter.title) > 1 for chapter in chapters):
            continue
        ahead = all(chapter and number < begins.get(chapter.n, 0) for chapter in chapters)
        closes = not after or after in heads or page(source.lines[after - 1].strip(BLANK))
        repeats |= {number} if ahead or (closes and len(chapters) == 1) else set()
    return frozenset(repeats)


def _text_lengths(chapters: Mapping[int, Chapter], sizes: Sequence[int]) -> dict[int, int]:
    """Return the number of characters under each line with a chapter's name, up to the next name of another."""
    lengths: dict[int, int] = {}
    after, named = len(sizes), 0
    end = after
    for number, chapter in sorted(chapters.items(), reverse=True):
        if chapter.n != named:
            end, named = after, chapter.n
        lengths[number] = sum(sizes[number + 1 : end])
        after = number
    return lengths


def contents_lines(names: Sequence[tuple[int, int]], sizes: Sequence[int]) -> frozenset[int]:
    """Return the lines of tables of contents: names of chapters that follow each other closely. `names` are pairs of
    line index and chapter number, in the order of the text; `sizes` are the lengths of all lines."""
    contents: set[int] = set()
    run: list[int] = []
    for (line, n), (after, following) in pairwise([*names, (len(sizes), -1)]):
        run.append(line)
        close = sum(sizes[line + 1 : after]) < _BETWEEN and after < len(sizes) and following != n
        if not close:
            contents |= set(run) if len(run) >= _LIST else set()
            if len(run) >= _LIST and sum(sizes[line + 1 : after]) >= _BETWEEN:
                contents.discard(line)  # the last name may head the first text
                contents |= {line} if n in {other for at, other in names if at > line} else set()
            run = []
    return frozenset(contents)


def _chapters_of_name(line: str, source: Source, brackets: str) -> tuple[Chapter, ...]:
    """Return the chapters whose name a line is; none if it begins with a note."""
    line = _PAGE_NOTE.sub("", line)
    pieces = nest(line, brackets) if line else ()
    named = source.work.chapters_of_heading(line)  # 賞譽第八(上), where the catalog tells parts apart
    if named or not pieces or not isinstance(pieces[0], str):
        return named
    return source.work.chapters_of_heading(outside(pieces))


_HEAD = re.compile(f"[卷巻]({NUMERAL})$")


def juan_gaps(document: Document, source: Source) -> tuple[Finding, ...]:
    """Return a finding for each juan whose number is not the next one, or whose head has no text after it."""
    gaps: list[tuple[int, str]] = []
    before, texts = 0, 0
    for item in blocks(document):
        if isinstance(item, Juan):
            if before and not texts:
                gaps.append((before, Message("juan-no-text-head-lost", before=before)))
            if before and item.n != before + 1:
                lost = Message("head-juan-lost-number-misread", before=before + 1)
                gaps.append((item.n, Message("juan-out-of-order", juan=item.n, before=before, lost=lost)))
            before, texts = item.n, 0
        elif not isinstance(item, Furniture):
            texts += 1
    numbers = ((i, _HEAD.search(text.rstrip())) for i, text in enumerate(source.lines, 1)) if gaps else ()
    lines = {numeral(match[1]): i for i, match in reversed([*numbers]) if match}  # the first of each
    mend = Message("compare-printed-book-correct-transcription")
    return tuple(source.finding("juan-sequence", lines.get(n, 1), message, mend) for n, message in gaps)


_SHORT = 24
"""Most characters of a line that is suggested as a head."""
_NEAR = 0.5
"""Least similarity of a line to a name (`difflib`): 學而篇 for 學而 is 0.8, 為政第二 for 学而 0."""
_MANY = 3
"""Least number of other brackets for the declared ones to be wrong; a text may have no notes, and one or two signs of a
pair occur in any text (注疏 has two <>). With a larger number, wrong brackets of a short text are not reported."""
_COMMENTED = 20
"""Fewer notes are remarks of whoever made the file."""
_COMMENTARY = re.compile("(?:[注註疏箋笺]|集[解釋释]|章句|正[義义]|索[隱隐]|音[義义])$")
_SHOWN = 5
_OPENING = "【〈（([［〔{｛<〖"
_CLOSING = "】〉）)]］〕}｝>〗"


def unfit_settings(document: Document, source: Source, expected: Collection[int]) -> Iterator[Finding]:
    """Yield findings for settings that do not fit their source: missing chapters, unused brackets and calls. `expected`
    are the numbers of the chapters that it should have; none is missing if the work declares none."""
    begun = {division.n for division in document.divisions if division.kind == "pian"}
    wanted = [chapter for chapter in source.work.chapters if chapter.n in expected]
    if wanted and not begun:
        yield source.finding(
            "chapter-none", 1, Message("no-chapter-begins-whole-text")
            + _nearest(wanted[:1], source), _MEND,
        )
    elif lacking := [chapter for chapter in wanted if str(chapter.n) not in begun]:
        listed = "、".join(f"{chapter.n} {chapter.title}" for chapter in lacking[:_SHOWN])
        more = Message("and-more", count=len(lacking) - _SHOWN) if len(lacking) > _SHOWN else ""
        yield source.finding(
            "chapter-unopened", 1,
            Message("chapter-line-missing", chapters=listed, more=more, nearest=_nearest(lacking[:_SHOWN], source)),
            _MEND,
        )
    pair = source.convention.get("brackets") or ""
    template = "{{*|" if source.convention.get("markup") == "wiki" else pair
    if pair and not any(pair[0] in line or template in line for line in source.lines):
        openings = Counter(char for line in source.lines for char in line if char in _OPENING)
        there = ", ".join(f"{char}{_CLOSING[_OPENING.index(char)]} {n}" for char, n in openings.most_common(4))
        if openings.total() >= _MANY:
            yield source.finding(
                "brackets-unused", 1, Message("brackets-convention-never-occur", pair=pair, there=there),
                Message("set-brackets-notes-brackets-tei", source=source.id),
            )
    written = [note for note in notes(document) if note.kind == "commentary"]
    if not written and not source.data and _COMMENTARY.search(source.work.title):
        yield source.finding(
            "note-none", 1, Message("no-note-found-though-title", title=source.work.title),
            Message("set-brackets-note-lines-calls", source=source.id),
        )
    if len(written) >= _COMMENTED and "unsigned" in source.convention and not any(note.resp for note in written):
        yield source.finding(
            "speaker-none", 1, Message("none-notes-speaker", count=len(written)),
            Message("set-person-under-unsigned-tei", source=source.id),
        )
    if (calls := source.convention.get("calls")) and not any(matcher(calls).search(line) for line in source.lines):
        yield source.finding(
            "calls-unused", 1, Message("calls-convention-never-occur", calls=calls),
            Message("correct-delete-calls-tei-conventions", source=source.id),
        )


_MEND = Message("add-words-line-source-names")


def _nearest(chapters: Collection[Chapter], source: Source) -> str:
    """Return the lines most like the names of chapters, with their numbers, as the end of a message."""
    short = {line.strip(): number for number, line in reversed([*enumerate(source.lines, 1)])
             if 0 < len(line.strip()) <= _SHORT}
    names = [name for chapter in chapters for name in (chapter.title, *chapter.names)]
    near = [line for name in names for line in difflib.get_close_matches(name, short, 2, _NEAR)]
    near += [line for name in names for line in short if name in line]
    shown = join_messages("list-comma", [Message("words-in-line", words=line, line=short[line])
                                  for line in list(dict.fromkeys(near))[:3]])
    return Message("nearest-words", shown=shown) if shown else ""
