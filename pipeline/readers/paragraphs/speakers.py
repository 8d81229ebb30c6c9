"""Speakers in mid-line: which words that look like 注曰 or 张氏曰 begin a comment, and which are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.readers.common.evidence import Sign
from pipeline.readers.common.nesting import spans
from pipeline.readers.common.source import Speaker
from pipeline.readers.paragraphs.convention import Layout, Page

_MASK = "\ufffc"


@dataclass(frozen=True, slots=True)
class Introductions:
    """The words that introduce comments, ready to be searched."""

    pattern: re.Pattern[str]
    by_prefix: dict[str, Speaker]

    @classmethod
    def of(cls, speakers: tuple[Speaker, ...]) -> Introductions:
        """Prepare the speakers of a source, longest prefix first."""
        pattern = "|".join(re.escape(s.prefix) for s in speakers) or "(?!)"
        return cls(re.compile(pattern), {s.prefix: s for s in speakers})

    def at_start(self, text: str) -> Speaker | None:
        """Give who is named at the start of a text."""
        match = self.pattern.match(text)
        return self.by_prefix[match[0]] if match else None

    def inside(self, text: str, brackets: str) -> Iterator[tuple[int, Speaker]]:
        """Give each speaker named later in a text, outside brackets."""
        masked = mask(text, brackets)
        for match in self.pattern.finditer(masked, 1):
            yield match.start(), self.by_prefix[match[0]]


def mask(text: str, brackets: str) -> str:
    """Give a text with what is in brackets, and they, made unreadable; offsets stay."""
    for start, end in spans(text, brackets):
        text = text[:start] + _MASK * (end - start) + text[end:]
    return text


def quoted(before: str, layout: Layout) -> str:
    """Give the words of citing with which a text ends, if it does."""
    match = re.search(layout.signs.quoting, before) if layout.signs.quoting else None
    return match[0] if match else ""


def speaker_signs(before: str, current: str | None, speaker: Speaker, layout: Layout) -> tuple[Sign, ...]:
    """Weigh whether `speaker` begins to speak after `before`, the text of `current` (a person; None: base text)."""
    return (
        _order(current, speaker, layout),
        _ending(before, current, layout),
        _columns(before, current, layout),
        *_words(before, speaker, layout),
    )


def _order(current: str | None, speaker: Speaker, layout: Layout) -> Sign:
    """Persons are cited in a fixed order; who should have come earlier is quoted, or comments a second time."""
    if current is None:
        return Sign("base text before it, which quotes nobody", 4)
    if current not in layout.order or speaker.person not in layout.order:
        return Sign("order of speakers unknown", 0)
    now, then = layout.order.index(current), layout.order.index(speaker.person)
    return Sign("follows in the order of speakers", 2) if then > now else Sign("against the order of speakers", -2)


def _ending(before: str, current: str | None, layout: Layout) -> Sign:
    """A comment ends with a whole sentence, mostly with a final particle."""
    last = mask(before, layout.brackets)[-1]
    if last == _MASK:
        return Sign("after a bracket", 1)
    if current is None:
        return Sign("base text ends as it likes", 0)
    return Sign("a sentence ends", 1, last) if last in layout.signs.final else Sign("no sentence ends", -1, last)


def _columns(before: str, current: str | None, layout: Layout) -> Sign:
    """Two new paragraphs run together only where the first fills its last column."""
    if layout.page is None:
        return Sign("no page is known", 0)
    cells, exact = free(before, base=current is None, page=layout.page, brackets=layout.brackets)
    if cells <= layout.page.slack:
        return Sign("the column before is full", 3, f"{cells} free")
    return Sign("the column before is not full", -3 if exact else -1, f"{cells} free")


def _words(before: str, speaker: Speaker, layout: Layout) -> Iterator[Sign]:
    """A name in full is rarely quoted; 注曰 and 疏曰 after words of citing are."""
    if words := quoted(before, layout):
        yield Sign("words of citing before it", -3, words)
    if speaker.person and speaker.person == layout.compiler:
        yield Sign("those whom he compiles cannot quote the compiler", 3)
    if len(speaker.prefix) > 2:
        yield Sign("the speaker is named", 3, speaker.prefix)


def cells(text: str, brackets: str) -> tuple[int, bool]:
    """Give the cells that a text fills, and whether that is exact: bracketed text is set in two rows."""
    inside = [(start, end) for start, end in spans(text, brackets)]
    small = sum(end - start - 2 for start, end in inside)
    large = len(text) - sum(end - start for start, end in inside) - text.count(" ")
    return large + sum((end - start - 1) // 2 for start, end in inside), not small


def free(text: str, *, base: bool, page: Page, brackets: str) -> tuple[int, bool]:
    """Give how many cells stay free in the last column of a text, and whether that is exact."""
    width = page.base if base else page.note
    filled, exact = cells(text, brackets)
    return -filled % width, exact


_COMMENT_FOLLOWS = 2
"""What it weighs that the first comment on something follows. With 0, 136 of 118,000 characters of one text change
their layer; 4 changes nothing."""
_DISCOURSE_LIMIT = 3
"""So many words of commentators count at most: a long paragraph of base text may hold some, too. 1 takes 36 characters
into the wrong layer, 9 changes nothing."""


def continuation_signs(text: str, before: str | None, *, comment_follows: bool, layout: Layout) -> tuple[Sign, ...]:
    """Weigh whether an unsigned paragraph is base text (positive) or goes on with `before`, the note before it."""
    if before is None:
        return (Sign("no comment before it that it could continue", 5),)
    return tuple(_continuation_signs(text, before, comment_follows, layout))


def _continuation_signs(text: str, before: str, comment_follows: bool, layout: Layout) -> Iterator[Sign]:
    words = layout.signs
    yield Sign("unsigned paragraphs are base text", 3)
    if comment_follows:
        yield Sign("a first comment follows", _COMMENT_FOLLOWS)
    if text in words.fragments:
        yield Sign("too short to stand alone", -6, text)
    if opening := next((w for w in words.openings if text.startswith(w)), ""):
        yield Sign("opens as a comment does", -4, opening)
    found = [w for w in words.discourse if w in mask(text, layout.brackets)]
    if found:
        yield Sign("words of commentators", -2 * min(len(found), _DISCOURSE_LIMIT), " ".join(found))
    if announced(before, layout):
        yield Sign("announced by the note before it", -3)
    elif mask(before, layout.brackets)[-1] not in words.final:
        yield Sign("the note before it ends without a final word", -1, before[-1])


def announced(before: str, layout: Layout) -> bool:
    """Say whether a note ends by announcing what the next paragraph says."""
    return any(re.search(pattern, before) for pattern in layout.signs.announcements)


def dossier(before: str, layout: Layout) -> bool:
    """Say whether a note announces many quoted paragraphs."""
    return any(re.search(pattern, before) for pattern in layout.signs.dossiers)


def broken(text: str, before: str, layout: Layout) -> bool:
    """Say whether a paragraph that goes on with a note does so in mid-sentence."""
    unfinished = mask(before, layout.brackets)[-1] not in layout.signs.final
    return text in layout.signs.fragments or (unfinished and not announced(before, layout))
