"""Compare the pages of a book with the words that it was set from: letters of entries and notes that nobody sees."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jiaokan.errors import Finding, Message, Place
from jiaokan.outputs.print.visible import MarkedText, Stream, visible_pieces
from jiaokan.outputs.print.volumes import BookPart
from jiaokan.outputs.print.words import PrintedRun

_NUMBER = re.compile(r"〔\s*[一二三四五六七八九十百千零〇]+\s*〕")
"""Signs of entries, in the text and at the foot."""
_LONG = 12  # letters from which on a text is searched before others: it is like a part of few
_BETWEEN = 2000
"""Letters by which a text can be behind its place: speakers, headings, sigla; the paragraphs of one page's foot."""
_SHOWN = 12  # letters of a text that a finding quotes
_SIGNS = "□〓"  # what is printed for a letter


def find_unprinted(
    parts: Iterable[BookPart], document: bytes, boxed: Iterable[str], before: int = 0
) -> tuple[Finding, ...]:
    """Return a finding for each entry, note and paragraph of a volume of which letters are not visible in its PDF.

    `boxed`: the characters that are printed as their code; `before`: the number of pages of the volumes before.
    """
    codes = {ord(char): f"{ord(char):04X}" for char in boxed}
    runs = [(words, letters) for part in parts if part.kind == "chapter" for words in part.runs
            if (letters := _letters(words.text.translate(codes)))]
    pages = _Pages(visible_pieces(document))
    lacking, numbers = pages.search([(_stream(words), words.series, letters) for words, letters in runs])
    return tuple(_finding(*runs[n], count, before + _page(numbers, n, forwards=runs[n][0].kind == "entry"))
                 for n, count in sorted(lacking.items()))


def _page(numbers: Sequence[int], n: int, *, forwards: bool) -> int:
    """Return the page of the next or the last text that was found: the words of an entry follow it."""
    after, before = numbers[n + 1:], numbers[:n][::-1]
    return next(filter(None, (*after, *before) if forwards else (*before, *after)), 1)


def _stream(words: PrintedRun) -> Stream:
    """Return where the words of a book are printed."""
    if words.kind == "margin":
        return "other"
    return "foot" if words.series else "text"


def _finding(words: PrintedRun, letters: str, count: int, page: int) -> Finding:
    where = Message("page-of-reference", page=page, reference=words.place)
    problem = Message("letters-not-printed", lacking=count, letters=len(letters), words=f"{letters[:_SHOWN]}…")
    return Finding("print-lost", Place("[print]"), Message("at-where", where=where, problem=problem),
                   Message("look-page-template-cuts"), "error")


def _letters(text: str) -> str:
    """Return the letters of a text in one form: without numbers of entries, marks, figures and ligatures."""
    return "".join(char for char in unicodedata.normalize("NFKD", _NUMBER.sub("", text))
                   if unicodedata.category(char)[0] == "L" or char in _SIGNS)


class _Pages:
    """The letters of all pages. Each is printed for one text only."""

    def __init__(self, pieces: Iterable[MarkedText]) -> None:
        by_stream = defaultdict[Stream, list[MarkedText]](list)
        for piece in pieces:
            by_stream[piece.stream].append(piece)
        names: tuple[Stream, ...] = ("text", "foot", "other")
        self.streams = {name: _Letters(by_stream[name]) for name in names}

    def search(self, texts: Sequence[tuple[Stream, str, str]]) -> tuple[dict[int, int], list[int]]:
        """Return for texts that are not printed whole the number of letters that lack, and for each text its page or 0.

        `texts`: stream, series and letters. The pages keep the order of those of a series.
        """
        series = defaultdict[tuple[Stream, str], dict[int, _Text]](dict)
        size = Counter[Stream]()
        for n, (stream, name, letters) in enumerate(texts):
            series[stream, name][n] = _Text(letters, size[stream])
            size[stream] += len(letters)
        for (stream, _), numbered in series.items():
            self.streams[stream].take_long(list(numbered.values()))
        for (stream, _), numbered in series.items():
            self.streams[stream].take_short(list(numbered.values()))
        open_ = [(n, self.streams[stream], text) for (stream, _), numbered in series.items()
                 for n, text in numbered.items() if not text.end]
        open_ = [(n, letters, text) for n, letters, text in open_  # a page without footnotes has its foot in the margin
                 if not any(other.take(text.letters) for other in self.streams.values())]
        counts = {n: letters.count_missing(text) for n, letters, text in open_}
        pages = [0] * len(texts)
        for (stream, _), numbered in series.items():
            for n, text in numbered.items():
                pages[n] = self.streams[stream].page(text.begin) if text.end else 0
        return {n: count for n, count in counts.items() if count}, pages


@dataclass(slots=True)
class _Text:
    """Letters to be searched, with their place among all of their stream, and where they are."""

    letters: str
    at: int
    begin: int = 0
    end: int = 0
    """Where they were found; 0 if they were not."""
    after: int = 0
    before: int = 0
    """Where they must be if they were not found: between those of the texts around them."""


class _Letters:
    """Letters in the order of the structure, with the pages that they are on."""

    def __init__(self, pieces: Sequence[MarkedText]) -> None:
        self.starts, self.pages = [0], [pieces[0].page if pieces else 1]
        words = "".join(piece.words for piece in pieces)
        words = _NUMBER.sub(lambda number: " " * len(number[0]), words)  # a number can be in several pieces
        letters, at, size = list[str](), 0, 0
        for piece in pieces:
            letters.append(_letters(words[at:at + len(piece.words)]))
            at += len(piece.words)
            if piece.page != self.pages[-1]:
                self.starts.append(size)
                self.pages.append(piece.page)
            size += len(letters[-1])
        self.letters = "".join(letters)
        self.used = bytearray(size)

    def page(self, at: int) -> int:
        """Return the page of a letter."""
        return self.pages[bisect(self.starts, at) - 1]

    def take_long(self, texts: Sequence[_Text]) -> None:
        """Find texts so long that they are like a part of few others, each near its place after the one before."""
        cursor, at = 0, None  # the end of the last text that was found, and its end among all texts
        for text in texts:
            if len(text.letters) >= _LONG:
                limit = len(self.letters) if at is None else cursor + text.at - at + len(text.letters) + _BETWEEN
                if self._take(text, cursor, limit):
                    cursor, at = text.end, text.at + len(text.letters)

    def take_short(self, texts: Sequence[_Text]) -> None:
        """Find the other texts between those that were found."""
        end = len(self.letters)
        for text in reversed(texts):
            text.before = end
            end = text.begin if text.end else end
        cursor = 0
        for text in texts:
            text.after = cursor
            if not text.end:
                self._take(text, cursor, text.before)
            cursor = text.end or cursor

    def take(self, letters: str) -> bool:
        """Find letters anywhere; return whether they are there."""
        return self._take(_Text(letters, 0), 0, len(self.letters))

    def count_missing(self, text: _Text) -> int:
        """Return how many letters of a text are not in its place in any order: some scripts run leftwards."""
        needed = Counter(text.letters)
        for place in range(text.after, text.before):
            if not self.used[place] and needed[self.letters[place]] > 0:
                needed[self.letters[place]] -= 1
                self.used[place] = 1
        return needed.total()

    def _take(self, text: _Text, begin: int, limit: int) -> bool:
        start = self.letters.find(text.letters, begin, limit)
        while start >= 0 and any(self.used[start:start + len(text.letters)]):
            start = self.letters.find(text.letters, start + 1, limit)
        if start >= 0:
            text.begin, text.end = start, start + len(text.letters)
            self.used[start:text.end] = b"\x01" * len(text.letters)
        return start >= 0
