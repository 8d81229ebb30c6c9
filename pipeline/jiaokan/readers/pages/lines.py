"""The running text of recognised pages: lines of the print joined to paragraphs, with the breaks between them.

Commentary is in brackets that the text does not have. Columns of a vertical page go on in the next one; a paragraph
ends where a column ends early, where the indentation changes, and at heads. A region of a horizontal page is a
paragraph, which goes on in the next region if its last line ends within a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from jiaokan.model import Break
from jiaokan.readers.brackets.joined import JoinedParagraph
from jiaokan.readers.common.pages import Placed, count_ink
from jiaokan.readers.pages.layers import is_furniture, pitch_of, set_layers
from jiaokan.readers.pages.layout import PageLine, PageRegion, RecognisedPage
from jiaokan.readers.pages.order import put_in_order
from jiaokan.readers.pages.zones import surfaces_of

PAIRS = ("〈〉", "⦅⦆", "⟪⟫", "⧼⧽", "⸨⸩", "\x0e\x0f")
"""Brackets for commentary: the first that the text does not have. No XML has the last ones."""
_ALWAYS, _PERHAPS = "¬⸗\u00ad", "-‐="
"""Signs at the end of a line that divide a word; the others do if the next line begins with a small letter."""
_EARLY = 1.5
"""Cells above the foot at which a column ends its paragraph: a compositor leaves one before a raised name."""
_LOWERED = 0.6
"""Cells below the head from which a column is indented."""


class PageText:
    """The paragraphs of pages."""

    def __init__(self, pages: Sequence[RecognisedPage]) -> None:
        self.unlabelled = set_layers(pages)
        pitch = pitch_of(pages)
        for page in pages:
            put_in_order(page, pitch)
        whole = "".join(line.text for page in pages for line in page.lines)
        self.pair = next(pair for pair in PAIRS if pair == PAIRS[-1] or not {*pair} & {*whole})
        self.surfaces, self.zones = surfaces_of(pages)
        self.paragraphs: list[JoinedParagraph] = []
        self.dropped: list[tuple[str, str]] = []
        self.has_notes = False
        self.waiting: list[Break] = []
        self.initial = ""
        self.open = False
        """Whether the last paragraph goes on."""
        self.divided = ""
        """The sign with which the last line divides a word."""
        for n, page in enumerate(pages):
            image = page.image if page.image.startswith(("https://", "http://")) else ""
            self.waiting.append(Break(unit="page", n=page.name or str(n + 1), image=image, zone=self.surfaces[n].id))
            grid = _Grid(page, pitch) if page.vertical and page.height else None
            for region in page.regions:
                self.region(region, grid)
        if self.initial:
            self.dropped.append(("page-furniture", self.initial))

    def region(self, region: PageRegion, grid: _Grid | None) -> None:
        """Add the lines of a region; furniture of the page is dropped by name."""
        lines = [line for line in region.lines if line.text.strip()]
        if is_furniture(region) or all(line.layer == "page" for line in lines):
            self.dropped += [("page-furniture", line.text.strip()) for line in lines]
            return
        if grid is None and not self.divided:
            self.open = False
        before: PageLine | None = None
        for line in lines:
            if line.layer == "page":
                self.dropped.append(("page-furniture", line.text.strip()))
            elif line.layer == "initial" and grid is None:
                self.initial += line.text.strip()
            else:
                self.line(line, before, grid)
                before = line
        if grid is None and not self.divided:
            self.open = False

    def line(self, line: PageLine, before: PageLine | None, grid: _Grid | None) -> None:
        """Add a line to the open paragraph or begin one; `before` is the line before it in its region."""
        words = self.initial + " ".join(line.text.split())
        self.initial = ""
        goes_on = bool(grid and before and grid.same_column(before, line))
        indent = grid.indent(line) if grid and not goes_on and line.layer == "base" else ""
        starts = line.layer == "head" and (not before or before.layer != "head" or grid is not None)
        if grid and not goes_on and self.open and line.layer == "base" and self.paragraphs:
            starts |= indent != self.paragraphs[-1].indent and not self.paragraphs[-1].text.endswith(self.pair[1])
        if starts or not self.open or not self.paragraphs:
            self.paragraphs.append(JoinedParagraph(line.row, indent))
        self.add(words, line, goes_on, spaced=grid is None)
        ended = grid is not None and line.layer != "note" and grid.ends_early(line) and not grid.goes_on_below(line)
        self.open = not (line.layer == "head" and grid is not None) and not ended

    def add(self, words: str, line: PageLine, goes_on: bool, *, spaced: bool) -> None:
        """Add the words of a line to the last paragraph, with its break. `goes_on`: it is no new line of the page;
        `spaced`: there is white space between lines."""
        paragraph, opening, closing = self.paragraphs[-1], self.pair[0], self.pair[1]
        inside_word = bool(self.divided) and bool(paragraph.text)
        if inside_word and self.divided in _PERHAPS and not words[:1].islower():
            inside_word = False
        if inside_word:
            end = closing if paragraph.text.endswith(closing) else ""
            paragraph.text = paragraph.text.removesuffix(end).removesuffix(self.divided) + end
            paragraph.ink -= count_ink(self.divided, self.pair)
            self.dropped.append(("line-hyphen", self.divided))
        joint = " " if spaced and paragraph.text and not inside_word else ""
        if line.layer == "note":
            self.has_notes = True
            if paragraph.text.endswith(closing):
                paragraph.text = paragraph.text[:-1] + joint
            else:
                paragraph.text += joint + opening
            text = words + closing
        else:
            text = joint + words
        rend = "/" if goes_on else "no" if inside_word else ""
        here = [*self.waiting, Break(unit="line", zone=self.zones.get(id(line), ""), rend=rend)]
        paragraph.breaks += [Placed(paragraph.ink, item) for item in here]
        self.waiting = []
        paragraph.text += text
        paragraph.ink += count_ink(words, self.pair)
        self.divided = words[-1] if spaced and len(words) > 1 and words[-1] in _ALWAYS + _PERHAPS else ""
        self.divided = "" if len(words) > 1 and not words[-2].isalpha() else self.divided


class _Grid:
    """The columns of a vertical page: head, foot, cell and pitch of its base text."""

    def __init__(self, page: RecognisedPage, pitch: float) -> None:
        self.lines = [line for region in page.regions if not is_furniture(region) for line in region.lines
                      if any(line.box) and line.text.strip() and line.layer != "page"]
        long = [line for line in self.lines if len(line.text) > 2] or self.lines
        base = [line for line in long if line.layer != "note"] or long
        self.cell = median((line.box[3] - line.box[1]) / max(1, len(line.text.strip())) for line in base) if base else 1
        tops, feet = sorted(line.box[1] for line in long), sorted(line.box[3] for line in long)
        self.head = tops[len(tops) // 10] if tops else 0
        self.foot = feet[len(feet) * 9 // 10] if feet else 0
        self.step = pitch * page.height or 2 * self.cell
        self.seconds: set[int] = set()
        """The ids of lines that are the second half of a column."""

    def same_column(self, before: PageLine, line: PageLine) -> bool:
        """Whether a line goes on in the column of the one before it, below it or as its second half."""
        if not (any(before.box) and any(line.box)) or abs(before.centre - line.centre) > 0.65 * self.step:
            return False
        below = line.box[1] > before.box[3] - 0.6 * self.cell
        half = (line.layer == before.layer == "note" and id(before) not in self.seconds and not below
                and before.centre > line.centre and abs(line.box[1] - before.box[1]) < 1.5 * self.cell)
        if half:
            self.seconds.add(id(line))
        return below or half

    def indent(self, line: PageLine) -> str:
        if not any(line.box):
            return ""
        cells = (line.box[1] - self.head) / self.cell
        return "　" * (int(cells + 1 - _LOWERED) if cells > _LOWERED else 0)

    def ends_early(self, line: PageLine) -> bool:
        return any(line.box) and self.foot - line.box[3] > _EARLY * self.cell

    def goes_on_below(self, line: PageLine) -> bool:
        """Whether another line begins below a line in its column."""
        return any(other is not line and abs(other.centre - line.centre) < 0.5 * self.step
                   and other.box[1] > line.box[3] - 0.6 * self.cell for other in self.lines)
