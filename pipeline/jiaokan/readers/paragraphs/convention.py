"""The convention of a source of separate paragraphs (``tei/conventions/ID.toml``), and the signs weighed by it: for the
beginning of a comment inside a line (注曰, 张氏曰), and for base text in an unsigned paragraph.

The copies of the Siku set base text in columns of 21 characters and notes in columns of 20. The machine transcription
missed a new paragraph where the last column before it had two free cells or fewer, and glued it to the text before.
How the weights were found: docs/development/measured.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from jiaokan.errors import Message, raise_all
from jiaokan.model import NoteKind
from jiaokan.readers.common.evidence import Sign
from jiaokan.readers.common.source import NamedRow, Speaker, Words, nest
from jiaokan.settings.patterns import Pair, Pattern, alternatives, matcher
from jiaokan.settings.toml import as_table, to_type
from jiaokan.settings.values import PersonId, Strict

FurnitureKind = Literal["juan-line", "collection", "byline", "category", "placeholder", "figure"]


class SiteMatter(Strict, frozen=True, kw_only=True):
    """Matter of a web site: from the start to the line of `through`, or from the line of `start` to the end."""

    rule: Words
    through: Pattern = Pattern("")
    start: Pattern = Pattern("")


class FurniturePattern(Strict, frozen=True, kw_only=True):
    """Lines of the page. A juan line is a head if a byline follows, else a tail; a figure belongs to the text."""

    kind: FurnitureKind
    pattern: Pattern


class Inset(Strict, frozen=True, kw_only=True):
    """Bracketed words, by pattern; the first that matches counts."""

    pattern: Pattern
    kind: NoteKind | Literal["punct"]
    subtype: str = ""
    person: PersonId = ""
    cert: Literal["", "high", "medium", "low"] = ""
    label: Pattern = Pattern("")


class Opening(Strict, frozen=True, kw_only=True):
    """The place where an incomplete transcription begins."""

    chapter: str = ""
    juan: int = 0


class Page(Strict, frozen=True, kw_only=True):
    """The columns of the printed page."""

    base: Annotated[int, msgspec.Meta(ge=1, le=200)]
    note: Annotated[int, msgspec.Meta(ge=1, le=200)]
    slack: Annotated[int, msgspec.Meta(ge=-200, le=200)] = 2


class Signs(Strict, frozen=True, kw_only=True):
    """Words by which unmarked layers are distinguished."""

    final: Words
    fragments: tuple[str, ...] = ()
    openings: tuple[str, ...] = ()
    discourse: tuple[str, ...] = ()
    announcements: tuple[Pattern, ...] = ()
    dossiers: tuple[Pattern, ...] = ()
    unlisted: Pattern = Pattern("")
    quoting: Pattern = Pattern("")


class Layout(Strict, frozen=True, kw_only=True):
    """How a source of separate paragraphs marks its layers."""

    speaker: tuple[NamedRow, ...]
    order: tuple[PersonId, ...]
    compiler: PersonId = ""
    signs: Signs
    title: Pattern
    ji: Pattern
    trailer: Pattern
    page: Page | None = None
    opening: Opening = Opening()
    brackets: Pair = Pair("【】")
    chrome: tuple[SiteMatter, ...] = ()
    furniture: tuple[FurniturePattern, ...] = ()
    inset: tuple[Inset, ...] = ()


def convention(source: str, table: Mapping[str, object]) -> Layout:
    """Return the checked convention; raises CatalogError for a key that does not fit."""
    toml = as_table(table, f"tei/conventions/{source}.toml")
    layout = to_type(toml, Layout, topic="reader paragraphs")
    raise_all(
        toml.error((key,), Message("no-group-p", key=key, group=group),
                   Message("put-words-name-p", what=what, group=group, sample=sample))
        for key, group, what, sample in (("title", "chapter", "chapter", "'(?P<chapter>.+)第[一二三]+'"),
                                         ("trailer", "title", "section", "'右(?P<title>.+)'"))
        if group not in matcher(getattr(layout, key)).groupindex
    )
    return layout


_MASK = "\ufffc"
_DISCOURSE_LIMIT = 3
"""Most commentators' words that count: a long paragraph of base text may have some too."""


class Introductions:
    """The words that introduce comments."""

    def __init__(self, speakers: tuple[Speaker, ...]) -> None:
        self.by_prefix = {speaker.prefix: speaker for speaker in speakers}
        self.pattern = re.compile(alternatives(self.by_prefix))

    def at_start(self, text: str) -> Speaker | None:
        """Return the speaker named at the start of a text."""
        match = self.pattern.match(text)
        return self.by_prefix[match[0]] if match else None

    def inside(self, text: str, brackets: str) -> Iterator[tuple[int, Speaker]]:
        """Yield offset and speaker for each one named later in a text, outside brackets."""
        for match in self.pattern.finditer(mask(text, brackets), 1):
            yield match.start(), self.by_prefix[match[0]]


def mask(text: str, brackets: str) -> str:
    """Return a text with all brackets and their content replaced by a placeholder; offsets do not change."""
    pieces = nest(text, brackets, closed_only=True)
    return "".join(piece if isinstance(piece, str) else _MASK * len(piece.text()) for piece in pieces)


def citing_words(before: str, layout: Layout) -> str:
    """Return the words of citing at the end of a text; empty if there are none."""
    match = matcher(layout.signs.quoting).search(before) if layout.signs.quoting else None
    return match[0] if match else ""


def speaker_signs(before: str, current: str | None, speaker: Speaker, layout: Layout) -> Iterator[Sign]:
    """Yield the signs that `speaker` begins after `before`, the text of `current` (a person; None: base text)."""
    order = layout.order
    if current is None:
        yield Sign(Message("sign-base-text-before-quotes-nobody"), 4)
    elif current not in order or speaker.person not in order:
        yield Sign(Message("sign-order-speakers-unknown"), 0)
    elif order.index(speaker.person) > order.index(current):
        yield Sign(Message("sign-follows-order-speakers"), 2)
    else:  # one who should come earlier is quoted, or comments a second time
        yield Sign(Message("sign-against-order-speakers"), -2)
    last = mask(before, layout.brackets)[-1]
    if last == _MASK:
        yield Sign(Message("sign-after-bracket"), 1)
    elif current is None:
        yield Sign(Message("sign-base-text-ends-likes"), 0)
    else:  # a comment ends with a whole sentence, mostly with a final particle
        yield Sign(Message("sign-sentence-ends"), 1,
                   last) if last in layout.signs.final else Sign(Message("sign-no-sentence-ends"), -1, last)
    yield _column_sign(before, current, layout)
    if words := citing_words(before, layout):  # 注曰 and 疏曰 are often quoted, a name in full is rarely
        yield Sign(Message("sign-words-citing-before"), -3, words)
    if speaker.person and speaker.person == layout.compiler:
        yield Sign(Message("sign-compiles-cannot-quote-compiler"), 3)
    if len(speaker.prefix) > 2:
        yield Sign(Message("sign-speaker-named"), 3, speaker.prefix)


def _column_sign(before: str, current: str | None, layout: Layout) -> Sign:
    """Two new paragraphs are glued only where the first fills its last column."""
    if layout.page is None:
        return Sign(Message("sign-no-page-known"), 0)
    width = layout.page.base if current is None else layout.page.note
    pieces = nest(before, layout.brackets, closed_only=True)
    inside = [len(piece.text()) - 2 for piece in pieces if not isinstance(piece, str)]  # set in two rows
    outside = len(before) - sum(size + 2 for size in inside) - before.count(" ")
    cells, exact = -(outside + sum((size + 1) // 2 for size in inside)) % width, not sum(inside)
    if cells <= layout.page.slack:
        return Sign(Message("sign-column-before-full"), 3, f"{cells} free")
    return Sign(Message("sign-column-before-not-full"), -3 if exact else -1, f"{cells} free")


def continuation_signs(text: str, before: str | None, *, comment_follows: bool, layout: Layout) -> Iterator[Sign]:
    """Yield the signs that an unsigned paragraph is base text (positive) or continues `before`, the last note."""
    if before is None:
        yield Sign(Message("sign-no-comment-before-continue"), 5)
        return
    words = layout.signs
    yield Sign(Message("sign-unsigned-paragraphs-base-text"), 3)
    if comment_follows:
        yield Sign(Message("sign-first-comment-follows"), 2)
    if text in words.fragments:
        yield Sign(Message("sign-too-short-stand-alone"), -6, text)
    if opening := next((w for w in words.openings if text.startswith(w)), ""):
        yield Sign(Message("sign-opens-comment"), -4, opening)
    if discourse := [w for w in words.discourse if w in mask(text, layout.brackets)]:
        yield Sign(Message("sign-words-commentators"), -2 * min(len(discourse), _DISCOURSE_LIMIT), " ".join(discourse))
    if announces(words.announcements, before):
        yield Sign(Message("sign-announced-note-before"), -3)
    elif mask(before, layout.brackets)[-1] not in words.final:
        yield Sign(Message("sign-note-before-ends-without-final"), -1, before[-1])


def announces(patterns: Iterable[Pattern], before: str) -> bool:
    """Whether a note announces, by one of these patterns, what follows."""
    return any(matcher(pattern).search(before) for pattern in patterns)


def completes_sentence(text: str, before: str, layout: Layout) -> bool:
    """Whether a paragraph that continues a note begins inside its sentence."""
    unfinished = mask(before, layout.brackets)[-1] not in layout.signs.final
    return text in layout.signs.fragments or (unfinished and not announces(layout.signs.announcements, before))
