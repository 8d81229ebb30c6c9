"""Paragraphs that name no speaker: base text, or the rest of the comment before them.

The weights below were found on a text of 118,000 characters. Set to 0 (characters that then change their layer):
"unsigned paragraphs are base text" 3,456, "too short to stand alone" 1, the others none; "ends without a final word" at
−3 1,970. Signs that decide nothing there are kept for texts that are laid out less regularly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.readers.common.evidence import Sign
from pipeline.readers.paragraphs.convention import Layout
from pipeline.readers.paragraphs.speakers import mask

_COMMENT_FOLLOWS = 2
"""What it weighs that the first comment on something follows. With 0, 136 of 118,000 characters of one text change
their layer; 4 changes nothing."""
_DISCOURSE_LIMIT = 3
"""So many words of commentators count at most: a long paragraph of base text may hold some, too. 1 takes 36 characters
into the wrong layer, 9 changes nothing."""


def signs(text: str, before: str | None, *, comment_follows: bool, layout: Layout) -> tuple[Sign, ...]:
    """Weigh whether an unsigned paragraph is base text (positive) or goes on with `before`, the note before it."""
    if before is None:
        return (Sign("no comment before it that it could continue", 5),)
    return tuple(_signs(text, before, comment_follows, layout))


def _signs(text: str, before: str, comment_follows: bool, layout: Layout) -> Iterator[Sign]:
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
