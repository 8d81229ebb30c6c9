"""The convention of a source with notes in brackets: the typed form of ``tei/conventions/ID.toml``.

Patterns are regular expressions; those of lines match the whole line without its outer white space.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pipeline.errors import CatalogError, raise_all
from pipeline.model import Certainty
from pipeline.readers.common.source import PlacedRow, Words
from pipeline.settings.patterns import Pair, Pattern, matcher
from pipeline.settings.toml import as_table, to_type
from pipeline.settings.values import NoteSubtype, PersonId, Strict


class SiteLines(Strict, frozen=True, kw_only=True):
    """Lines of the web site, not of the book; they are dropped."""

    rule: Words
    """Name of the rule, for the list of dropped lines in the TEI header."""
    pattern: Pattern
    """Pattern of the whole line."""


class FurnitureRow(Strict, frozen=True, kw_only=True):
    """Lines of the printed page. In ``juan``, group 1 is the number; the first line is the head, the next the tail."""

    kind: Literal["juan", "collection", "byline", "category", "placeholder"]
    """Kind of line: head or tail of a juan, title of the collection, authors, a category, an empty place."""
    pattern: Pattern
    """Pattern of the whole line."""


class Front(Strict, frozen=True, kw_only=True):
    """A heading that opens front matter."""

    head: Pattern
    """Pattern of the heading."""
    prose: bool = False
    """Whether brackets in this front matter are small script, not commentary."""


class Voice(Strict, frozen=True, kw_only=True):
    """The speaker of unsigned notes."""

    person: PersonId
    """Id of the person; empty if unknown."""
    subtype: NoteSubtype = "shuo"
    """The kind of note."""
    cert: Certainty | Literal[""] = "high"
    """Certainty that the person is the speaker."""
    doubted: bool = False
    """Whether unsigned words after a separator may still be those of the speaker before."""


class PhoneticForm(Strict, frozen=True, kw_only=True):
    """Phonetic glosses that are recognised by their form."""

    person: PersonId
    """Id of the person whose glosses they are."""
    pattern: Pattern
    """Pattern of one gloss; several may follow each other."""
    after: str = "也者"
    """Characters after which a gloss may directly follow a comment."""
    subtype: NoteSubtype = "yinyi"
    """The kind of note."""
    cert: Certainty = "medium"
    """Certainty that the glosses are the person's."""


class Return(Strict, frozen=True, kw_only=True):
    """Words with which the unsigned speaker speaks again after another (按, 愚按)."""

    words: Words
    """The words."""
    sure: bool = False
    """Whether no other speaker begins with these words."""
    subtype: NoteSubtype = "an"
    """The kind of note that they open."""


class BracketsConvention(Strict, frozen=True, kw_only=True):
    """How a source marks its layers."""

    brackets: Pair = Pair("")
    """The opening and the closing bracket of a note; empty if the text has no notes."""
    separators: str = ""
    """Characters between two speakers in a bracket."""
    note_lines: Pattern = Pattern("")
    """Pattern of the beginning of a line that is a whole note (注：), if notes have lines of their own."""
    calls: Pattern = Pattern("")
    """Pattern of the number that calls a note in the base text (〔三〕) and opens the line of the note. Lines without
    a number between two such lines continue the note."""
    across: bool = False
    """Whether a note in brackets may continue over the ends of lines, as notes of several paragraphs do."""
    unsigned: Voice = Voice(person="", cert="")
    """The speaker of notes that name nobody."""
    markup: Literal["", "markdown", "wiki"] = ""
    """Markup of heads and emphasis, if the text is not bare (reader ``plain``)."""
    lines: Literal["print", "phrase", "paragraph"] = "print"
    """Meaning of a line of a Mandoku text: a printed line, a phrase, or a paragraph (reader ``mandoku``)."""
    halves: Literal["right", "left"] = "right"
    """The half-line of a note in small type that a Mandoku text has first, ``(right/left)`` or ``(left/right)``; the
    right one is always read first (reader ``mandoku``)."""
    chapter: int = 0
    """Number of the chapter with which the source begins, if it has no head."""
    chapter_end: Pattern = Pattern("")
    """Pattern of a line that closes a chapter (右第一章); the text after it begins the next one."""
    section: Pattern = Pattern("")
    """Pattern of a line that heads a section; its group ``title``, if it has one, names the section."""
    number: Pattern = Pattern("")
    """Pattern of a number before a paragraph that begins a section (2.1); it is not part of the text."""
    sections: Literal["trailers", "paragraphs"] = "trailers"
    """Sections: divided by their closing words and heads (``trailers``), or one for each paragraph."""
    list: tuple[Words, ...] = ()
    """First words of the sections in order, if the text does not mark them (學而時習之, 其爲人也孝弟)."""
    trailer: Pattern = Pattern("")
    """Pattern of the words that close a section; its group ``title`` names the section."""
    ji: str = ""
    """Words after a trailer that are the head of a 记."""
    punctuation: tuple[str, ...] = ()
    """Bracketed words that are marks of punctuation (句)."""
    editorial: Pattern = Pattern("")
    """Pattern of notes with which the author organises his book (附记三章)."""
    remark: Pattern = Pattern("")
    """Pattern in a short note on the text alone (郑本作某), after which the comment still follows."""
    source_tags: tuple[str, ...] = ()
    """Notes that only name the source of the words."""
    source_voice: PersonId = ""
    """Id of the person who names the source."""
    not_speakers: tuple[str, ...] = ()
    """Words before 曰 that look like a speaker but are not one."""
    chrome: tuple[SiteLines, ...] = ()
    """Lines of the web site from which the file comes; they are dropped."""
    furniture: tuple[FurnitureRow, ...] = ()
    """Lines of the printed page that are not text."""
    front: tuple[Front, ...] = ()
    """Headings that open front matter."""
    lost: tuple[Pattern, ...] = ()
    """Headings of lost texts: group 1 is the title, the rest says that it is lost (飨礼〈阙〉)."""
    gloss: PhoneticForm | None = None
    """Phonetic glosses that are recognised by their form."""
    returns: tuple[Return, ...] = ()
    """Words with which the unsigned speaker speaks again."""
    speaker: tuple[PlacedRow, ...] = ()
    """Words that introduce a speaker."""


def convention(
    source: str, table: Mapping[str, Any], *, bare: bool = False, reader: str = "brackets"
) -> BracketsConvention:
    """Return the convention of a source; raises CatalogError for an unknown key, a wrong type or a bad pattern.

    With `bare` the text may have no notes, and so no `brackets`; `reader` is the name of the reader.
    """
    toml = as_table(table, f"tei/conventions/{source}.toml")
    found = to_type(toml, BracketsConvention, topic=f"reader {reader}")
    errors: list[CatalogError] = []
    if not found.brackets and not bare:
        errors.append(toml.error((), "missing key `brackets`: the reader `brackets` recognises notes by them",
                                 'write for example brackets = "〈〉"; for a text without notes reader = "plain"'))
    for key in ("calls", "note_lines", "number", "section", "chapter_end"):
        if (pattern := getattr(found, key)) and matcher(pattern).fullmatch(""):
            errors.append(toml.error((key,), f"`{key}`: the pattern {str(pattern)!r} matches the empty text everywhere",
                                     "let it match at least one character: + for *, and no ? after all of it"))
    introduced: dict[str, str] = {}
    for n, row in enumerate(found.speaker):
        if introduced.setdefault(row.prefix, row.person) != row.person:
            errors.append(toml.error(("speaker", n, "prefix"),
                                     f"{row.prefix!r} introduces both {introduced[row.prefix]!r} and {row.person!r}",
                                     "delete one of the two rows, or give each its own words"))
    if found.trailer and "title" not in matcher(found.trailer).groupindex:
        errors.append(toml.error(("trailer",), "`trailer` has no group (?P<title>…)",
                                 "put the words that name the section into (?P<title>…): '右(?P<title>.+)'"))
    juans = [(("furniture", n, "pattern"), row.pattern) for n, row in enumerate(found.furniture) if row.kind == "juan"]
    for path, pattern in [*juans, *((("lost", n), each) for n, each in enumerate(found.lost))]:
        if not matcher(pattern).groups:
            what = "the number of the juan" if path[0] == "furniture" else "the title that is lost"
            errors.append(toml.error(path, f"the pattern {pattern!r} has no group ( )",
                                     f"put {what} into ( )"))
    raise_all(errors)
    return found
