"""What a source in brackets declares of itself: the typed form of its ``tei/conventions/ID.toml``.

Patterns are regular expressions matched against a whole line, its outer white space left out.
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
    """Lines of the web site, not of the book: dropped under the name of the rule."""

    rule: Words
    """Name of the rule, for the ledger of what was left out."""
    pattern: Pattern
    """Pattern of the whole line."""


class FurnitureRow(Strict, frozen=True, kw_only=True):
    """Lines of the page. ``juan``: group 1 is the number; its first occurrence is the head, the next the tail."""

    kind: Literal["juan", "collection", "byline", "category", "placeholder"]
    """What the line is: a juan's head or tail, the collection's title, authors, a category, an empty place."""
    pattern: Pattern
    """Pattern of the whole line."""


class Front(Strict, frozen=True, kw_only=True):
    """A heading that opens front matter; in ``prose`` brackets are small script, not commentary."""

    head: Pattern
    """Pattern of the heading."""
    prose: bool = False
    """Whether brackets are small script there, not commentary."""


class Voice(Strict, frozen=True, kw_only=True):
    """A speaker whom no words introduce."""

    person: PersonId
    """Id of the person; empty where nobody knows."""
    subtype: NoteSubtype = "shuo"
    """The kind of note."""
    cert: Certainty | Literal[""] = "high"
    """How sure it is."""
    doubted: bool = False
    """After a separator, the speaker before may be going on."""


class PhoneticForm(Strict, frozen=True, kw_only=True):
    """Phonetic glosses known by their form: `pattern` is one gloss, several may follow each other."""

    person: PersonId
    """Id of the person whose glosses they are."""
    pattern: Pattern
    """Pattern of one gloss."""
    after: str = "也者"
    """Characters after which a gloss may be glued to a comment."""
    subtype: NoteSubtype = "yinyi"
    """The kind of note."""
    cert: Certainty = "medium"
    """How sure it is that these are the person's."""


class Return(Strict, frozen=True, kw_only=True):
    """Words with which the unsigned speaker takes the word again after another (按, 愚按)."""

    words: Words
    """The words."""
    sure: bool = False
    """Whether nobody else uses these words of himself."""
    subtype: NoteSubtype = "an"
    """The kind of note that they open."""


class BracketsConvention(Strict, frozen=True, kw_only=True):
    """How a source marks its layers by brackets."""

    brackets: Pair = Pair("")
    """The opening and the closing bracket of a note; empty where a text has no notes."""
    separators: str = ""
    """Characters that stand between two speakers in a bracket."""
    note_lines: Pattern = Pattern("")
    """Pattern of what begins a line that is a note as a whole (注：), where notes stand in lines of their own."""
    calls: Pattern = Pattern("")
    """Pattern of the number that calls a note in the base text (〔三〕) and opens the line that is the note; a line
    between two of them that has none goes on with the note before."""
    across: bool = False
    """Whether a note in brackets may go on over the ends of lines, as those of several paragraphs do."""
    unsigned: Voice = Voice(person="", cert="")
    """Who speaks where nobody is named."""
    markup: Literal["", "markdown", "wiki"] = ""
    """How a plain text writes its heads and emphasis, where it is not bare (reader ``plain``)."""
    lines: Literal["print", "phrase", "paragraph"] = "print"
    """What a line of a Mandoku text is: a line of the printed page, a phrase, or a paragraph (reader ``mandoku``)."""
    halves: Literal["right", "left"] = "right"
    """Which half-line of a note in small type a Mandoku text has first, ``(right/left)`` or ``(left/right)``; the right
    one is read first (reader ``mandoku``)."""
    chapter: int = 0
    """Number of the chapter with which the source begins without a head."""
    chapter_end: Pattern = Pattern("")
    """Pattern of a line that closes a chapter (右第一章); the text after it begins the next one."""
    section: Pattern = Pattern("")
    """Pattern of a line that heads a section; its group ``title``, if it has one, names the section."""
    number: Pattern = Pattern("")
    """Pattern of a number at the beginning of a paragraph that begins a section (2.1); it is no word of the text."""
    sections: Literal["trailers", "paragraphs"] = "trailers"
    """What makes sections: the words that close them and the lines that head them, or each paragraph is one."""
    list: tuple[Words, ...] = ()
    """First words of the sections, in their order, where nothing in the text marks them (學而時習之, 其爲人也孝弟)."""
    trailer: Pattern = Pattern("")
    """Pattern of the words that close a section; its group ``title`` names the section."""
    ji: str = ""
    """Words that, after a trailer, are the head of a 记."""
    punctuation: tuple[str, ...] = ()
    """What in brackets is a mark of punctuation (句)."""
    editorial: Pattern = Pattern("")
    """Pattern of notes by which the author organises his book (附记三章)."""
    remark: Pattern = Pattern("")
    """Pattern of what is found in a short note on the text alone (郑本作某), after which the comment still follows."""
    source_tags: tuple[str, ...] = ()
    """Notes that only name where the words come from."""
    source_voice: PersonId = ""
    """Who names the source."""
    not_speakers: tuple[str, ...] = ()
    """Words before 曰 that look like a speaker and are none."""
    chrome: tuple[SiteLines, ...] = ()
    """Lines of the web site from which the file comes, which are left out."""
    furniture: tuple[FurnitureRow, ...] = ()
    """Lines of the printed page that are no text."""
    front: tuple[Front, ...] = ()
    """Headings that open front matter."""
    lost: tuple[Pattern, ...] = ()
    """Headings of what the book does not have: group 1 is the title, the rest says so (飨礼〈阙〉)."""
    gloss: PhoneticForm | None = None
    """Phonetic glosses that are known by their form."""
    returns: tuple[Return, ...] = ()
    """Words with which the unsigned speaker takes the word again."""
    speaker: tuple[PlacedRow, ...] = ()
    """Words that introduce a speaker."""


def convention(
    source: str, table: Mapping[str, Any], *, bare: bool = False, reader: str = "brackets"
) -> BracketsConvention:
    """Give the convention of a source; raises CatalogError for an unknown key, a wrong type or a bad pattern.

    `bare`: the text may be without notes, and so without `brackets`; `reader` is the one that asks.
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
