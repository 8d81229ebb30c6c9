"""Detect lists of sounds or glosses that a printer added after the base text of a chapter or juan (音釋).

Nothing in such a list says who made it: it is not by the commentator of the title page. It differs from a commentary by
its form, a word or two of the text and a short note, again and again, and often by its head. A text that has hardly any
other notes is a book of sounds (《經典釋文》), and its author's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from jiaokan.readers.common.source import Bracket, nest
from jiaokan.structure.rows import SHORT, Row

LIST_HEAD = re.compile(
    r"[^，。]{0,8}(?:音[釋释義义訓训切注註]|[釋释]音|附音|[釋释]文)(?:[卷巻]?[上中下\d一二三四五六七八九十]*)"
)
"""The head of a list: 爾雅音釋卷上."""
_OPENING = re.compile("[(（<〈【〔]")
_SPELLED = re.compile("[切反]|[上下]音")
"""What only a note on sounds has."""
_SPELLING = 8
"""Most characters of such a note: 上古行切下齒更同."""
_AMOUNT, _AMOUNTS = re.compile("[一二三四五六七八九十百半各等][^音切反]*$"), 0.3
"""A note on how much of something there is, and the share of such notes from which on a list is a recipe: 麻黄
(三兩去節)."""
_LEAST = 5
"""Fewer notes are no list: a glossary of one note is the commentator's."""
_WORD, _SOUND = 2, 4
"""Most characters, in the middle of all, of an explained word and of its note: 興(許譍)."""
_GLOSS = 12
"""Most characters of a note below the head of a list, which may explain the words, too."""
_MOST = 0.8
"""Share of the entries of a row that must be so short, without a head above."""
_BOOK = 0.85
"""Share of the notes of a text that are in lists, from which on it is a book of sounds; in 爾雅 of the SBCK: 0.71."""


@dataclass(frozen=True, slots=True)
class SoundList:
    """A list: its first line in the source, which is that of its head, its last line, and the number of its notes."""

    first: int
    last: int
    notes: int


def sound_lists(rows: Sequence[Row], pair: str) -> tuple[SoundList, ...]:
    """Return the lists of sounds among the rows of a text whose notes are in the brackets `pair`. Other notes precede
    them, so a list at the beginning does not count."""
    if not pair:
        return ()
    measured = [_words_and_notes(row, pair) for row in rows]
    total = sum(len(notes) for _, notes in measured)
    lists: list[SoundList] = []
    headed, commented = False, False
    for n, (row, (words, notes)) in enumerate(zip(rows, measured, strict=True)):
        if not notes:
            begins = bool(LIST_HEAD.fullmatch(row.text))
            headed = commented and (begins or (headed and len(row.text) <= SHORT))
            continue
        if commented and _is_list(words, notes, headed):
            last = rows[n + 1].number - 1 if n + 1 < len(rows) else row.number
            lists.append(SoundList(row.number, last, len(notes)))
        else:
            headed, commented = False, True
    joined = tuple(_with_heads(listing, rows) for listing in _join_rows(lists, rows, measured))
    return joined if sum(listing.notes for listing in joined) < _BOOK * total else ()


def rows_of_lists(rows: Sequence[Row], lists: Sequence[SoundList]) -> frozenset[int]:
    """Return the indexes of the rows of lists: these head no chapter."""
    return frozenset(n for n, row in enumerate(rows)
                     if any(listing.first <= row.number <= listing.last for listing in lists))


def _with_heads(listing: SoundList, rows: Sequence[Row]) -> SoundList:
    """Return a list with the heads above it: short rows without notes."""
    at = next(n for n, row in enumerate(rows) if row.number == listing.first)
    while at and len(rows[at - 1].text) <= SHORT and not _OPENING.search(rows[at - 1].text):
        at -= 1
    return SoundList(rows[at].number, listing.last, listing.notes)


def _words_and_notes(row: Row, pair: str) -> tuple[list[str], list[str]]:
    """Return the words before the notes of a row, and the notes."""
    words, notes, before = [], [], ""
    for piece in nest(row.text, pair):
        if isinstance(piece, Bracket):
            words.append(before)
            notes.append(re.sub(r"\W", "", piece.text()[1:-1]))
            before = ""
        else:
            before = re.sub(r"\W", "", piece)
    return words, notes


def _is_list(words: Sequence[str], notes: Sequence[str], headed: bool) -> bool:
    """Whether a row is part of a list: below a head by its usual entries, else by most of them."""
    if sum(bool(_AMOUNT.search(note)) for note in notes) > _AMOUNTS * len(notes):
        return False
    if headed:
        return median(map(len, words)) <= _WORD and median(map(len, notes)) <= _GLOSS
    short = sum(len(word) <= _WORD and (len(note) <= _SOUND or (bool(_SPELLED.search(note)) and len(note) <= _SPELLING))
                for word, note in zip(words, notes, strict=True))
    return len(notes) >= _LEAST and short > _MOST * len(notes)


def _join_rows(
    lists: Sequence[SoundList], rows: Sequence[Row], measured: Sequence[tuple[list[str], list[str]]]
) -> Iterator[SoundList]:
    """Join the rows of a list, over the heads inside it; drop those of too few notes."""
    noted = {row.number for row, (_, notes) in zip(rows, measured, strict=True) if notes}
    now: SoundList | None = None
    for listing in lists:
        if now and not any(now.last < number < listing.first for number in noted):
            now = SoundList(now.first, listing.last, now.notes + listing.notes)
            continue
        if now and now.notes >= _LEAST:
            yield now
        now = listing
    if now and now.notes >= _LEAST:
        yield now
