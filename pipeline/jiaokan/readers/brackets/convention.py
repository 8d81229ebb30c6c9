"""The convention of a source with notes in brackets: the typed form of ``tei/conventions/ID.toml``.

Patterns are regular expressions; those of lines match the whole line without its outer white space.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec.structs import replace

from jiaokan.errors import CatalogError, Message, raise_all
from jiaokan.model import Certainty
from jiaokan.readers.common.source import BLANK, PlacedRow, Words
from jiaokan.settings.flat import FLAT, value_of, with_values
from jiaokan.settings.patterns import Pair, Pattern, matcher
from jiaokan.settings.toml import as_table, to_type
from jiaokan.settings.values import NoteSubtype, PersonId, Strict


class SiteLines(Strict, frozen=True, kw_only=True):
    """Lines of the web site, not of the book; they are dropped."""

    rule: Words
    pattern: Pattern


class FurnitureRow(Strict, frozen=True, kw_only=True):
    """Lines of the printed page. In ``juan``, group 1 is the number; the first line is the head, the next the tail."""

    kind: Literal["juan", "collection", "byline", "category", "placeholder"]
    pattern: Pattern


class Front(Strict, frozen=True, kw_only=True):
    """A heading that opens front matter."""

    head: Pattern
    prose: bool = False


class Voice(Strict, frozen=True, kw_only=True):
    """The speaker of unsigned notes."""

    person: PersonId
    subtype: NoteSubtype = "shuo"
    cert: Certainty | Literal[""] = "high"
    doubted: bool = False


class LineRange(Strict, frozen=True, kw_only=True):
    """Lines of the source."""

    first: int
    last: int


class ChapterVoice(Strict, frozen=True, kw_only=True):
    """The speaker of unsigned notes in some chapters, or in lines of the source; without a person it is unknown."""

    chapters: tuple[int, ...] = ()
    lines: tuple[LineRange, ...] = ()
    person: PersonId = ""
    subtype: NoteSubtype = "zhu"


class PhoneticForm(Strict, frozen=True, kw_only=True):
    """Phonetic glosses that are recognised by their form."""

    person: PersonId
    pattern: Pattern
    after: str = "也者"
    subtype: NoteSubtype = "yinyi"
    cert: Certainty = "medium"


class Return(Strict, frozen=True, kw_only=True):
    """Words with which the unsigned speaker speaks again after another (按, 愚按)."""

    words: Words
    sure: bool = False
    subtype: NoteSubtype = "an"


class NoteForm(Strict, frozen=True, kw_only=True):
    """How notes are marked, and which notes are of another kind."""

    brackets: Pair = Pair("")
    separators: str = ""
    labels: Pattern = Pattern("")
    note_lines: Pattern = Pattern("")
    calls: Pattern = Pattern("")
    across: bool = False
    punctuation: tuple[str, ...] = ()
    editorial: Pattern = Pattern("")
    remark: Pattern = Pattern("")


class Voices(Strict, frozen=True, kw_only=True):
    """Who speaks in the notes."""

    unsigned: Voice = Voice(person="", cert="")
    unsigned_in: tuple[ChapterVoice, ...] = ()
    source_tags: tuple[str, ...] = ()
    source_voice: PersonId = ""
    not_speakers: tuple[str, ...] = ()
    gloss: PhoneticForm | None = None
    returns: tuple[Return, ...] = ()
    speaker: tuple[PlacedRow, ...] = ()


class SourceLines(Strict, frozen=True, kw_only=True):
    """What a line of the source is, and lines that are not of the text."""

    markup: Literal["", "markdown", "wiki", "aozora"] = ""
    lines: Literal["print", "phrase", "paragraph", "hanging"] = "print"
    halves: Literal["right", "left"] = "right"
    chrome: tuple[SiteLines, ...] = ()
    furniture: tuple[FurnitureRow, ...] = ()


class Headings(Strict, frozen=True, kw_only=True):
    """How chapters, sections and front matter begin and end."""

    chapter: int = 0
    chapter_end: Pattern = Pattern("")
    section: Pattern = Pattern("")
    number: Pattern = Pattern("")
    sections: Literal["trailers", "paragraphs"] = "trailers"
    stanzas: bool = False
    speaker_lines: Pattern = Pattern("")
    trailer: Pattern = Pattern("")
    ji: str = ""
    front: tuple[Front, ...] = ()
    back: tuple[LineRange, ...] = ()
    lost: tuple[Pattern, ...] = ()


class BracketsConvention(Strict, frozen=True, kw_only=True):
    """How a source marks its layers."""

    notes: Annotated[NoteForm, FLAT] = NoteForm()
    voices: Annotated[Voices, FLAT] = Voices()
    page: Annotated[SourceLines, FLAT] = SourceLines()
    headings: Annotated[Headings, FLAT] = Headings()


def by_paragraph(rules: BracketsConvention, numbers: Sequence[int]) -> BracketsConvention:
    """Return a convention for a text whose paragraphs, which begin in the lines `numbers`, are read as its lines."""
    def move(part: LineRange) -> LineRange:
        return LineRange(first=bisect_left(numbers, part.first) + 1, last=bisect_right(numbers, part.last))

    rows = (replace(row, lines=tuple(map(move, row.lines))) for row in rules.voices.unsigned_in)
    return with_values(rules, unsigned_in=tuple(rows), back=tuple(map(move, rules.headings.back)))


def line_for_pattern(pattern: str, text: str, whole: str) -> str:
    """Return a line for a pattern: with its indentation if the pattern begins with white space."""
    return whole.rstrip(BLANK) if pattern.startswith(tuple(BLANK)) else text


def convention(
    source: str, table: Mapping[str, object], *, bare: bool = False, reader: str = "brackets"
) -> BracketsConvention:
    """Return the convention of a source; raises CatalogError for an unknown key, a wrong type or a bad pattern. With
    `bare` the text may have no notes, and so no `brackets`; `reader` is the name of the reader."""
    toml = as_table(table, f"tei/conventions/{source}.toml")
    rules = to_type(toml, BracketsConvention, topic=f"reader {reader}")
    errors: list[CatalogError] = []
    if not rules.notes.brackets and not bare:
        errors.append(toml.error((), Message("the-key-missing-brackets-reader-brackets"),
                                 Message("write-example-brackets-text-without")))
    for key in ("calls", "note_lines", "number", "section", "chapter_end", "speaker_lines"):
        if (pattern := value_of(rules, key)) and matcher(pattern).fullmatch(""):
            errors.append(toml.error((key,),
                                     Message("pattern-matches-empty-text-everywhere", key=key, pattern=str(pattern)),
                                     Message("let-match-least-character-no")))
    introduced: dict[str, str] = {}
    for n, row in enumerate(rules.voices.speaker):
        if introduced.setdefault(row.prefix, row.person) != row.person:
            errors.append(toml.error(("speaker", n, "prefix"),
                                     Message("introduces-both", prefix=row.prefix, introduced=introduced[row.prefix],
                                             person=row.person),
                                     Message("delete-two-rows-give-own")))
    if rules.headings.trailer and "title" not in matcher(rules.headings.trailer).groupindex:
        errors.append(toml.error(("trailer",), Message("trailer-no-group-p-title"),
                                 Message("put-words-name-section-p")))
    furniture = enumerate(rules.page.furniture)
    juans = [(("furniture", n, "pattern"), row.pattern) for n, row in furniture if row.kind == "juan"]
    for path, pattern in [*juans, *((("lost", n), lost) for n, lost in enumerate(rules.headings.lost))]:
        if not matcher(pattern).groups:
            what = Message("number-juan") if path[0] == "furniture" else Message("title-lost")
            errors.append(toml.error(path, Message("pattern-no-group", pattern=pattern),
                                     Message("put-into-group", what=what)))
    raise_all(errors)
    return rules
