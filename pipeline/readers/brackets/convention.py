"""What a source in brackets declares of itself: the typed form of its ``tei/conventions/ID.toml``.

Patterns are regular expressions matched against a whole line, its outer white space left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pipeline.errors import CatalogError, Place
from pipeline.model import Certainty
from pipeline.readers.common.source import NamedRow, Words
from pipeline.settings.patterns import Pair, Pattern
from pipeline.settings.plans import Strict
from pipeline.settings.toml import fitting


class SiteLines(Strict, frozen=True, kw_only=True):
    """Lines of the web site, not of the book: dropped under the name of the rule."""

    rule: str
    pattern: Pattern


class FurnitureRow(Strict, frozen=True, kw_only=True):
    """Lines of the page. ``juan``: group 1 is the number; its first occurrence is the head, the next the tail."""

    kind: Literal["juan", "collection", "byline", "category", "placeholder"]
    pattern: Pattern


class Front(Strict, frozen=True, kw_only=True):
    """A heading that opens front matter; in ``prose`` brackets are small script, not commentary."""

    head: Pattern
    prose: bool = False


class Voice(Strict, frozen=True, kw_only=True):
    """A speaker whom no words introduce."""

    person: str
    subtype: str = "shuo"
    cert: Certainty | Literal[""] = "high"
    doubted: bool = False
    """After a separator, the speaker before may be going on."""


class PhoneticForm(Strict, frozen=True, kw_only=True):
    """Phonetic glosses known by their form: `pattern` is one gloss, several may follow each other."""

    person: str
    pattern: Pattern
    after: str = "也者"
    """Characters after which a gloss may be glued to a comment."""
    subtype: str = "yinyi"
    cert: Certainty = "medium"


class Return(Strict, frozen=True, kw_only=True):
    """Words with which the unsigned speaker takes the word again after another (按, 愚按)."""

    words: Words
    sure: bool = False
    """Whether nobody else uses these words of himself."""
    subtype: str = "an"


class BracketsConvention(Strict, frozen=True, kw_only=True):
    """How a source marks its layers by brackets."""

    brackets: Pair = Pair("")
    """The opening and the closing bracket of a note; empty where a text has no notes."""
    separators: str = ""
    """Characters that stand between two speakers in a bracket."""
    unsigned: Voice = Voice(person="", cert="")
    """Who speaks where nobody is named."""
    markup: Literal["", "markdown", "wiki"] = ""
    """How a plain text writes its heads and emphasis, where it is not bare (reader ``plain``)."""
    lines: Literal["print", "phrase", "paragraph"] = "print"
    """What a line of a Mandoku text is: a line of the printed page, a phrase, or a paragraph (reader ``mandoku``)."""
    chapter: int = 0
    """Number of the chapter with which the source begins without a head."""
    chapter_end: Pattern = Pattern("")
    """Pattern of a line that closes a chapter (右第一章); the text after it begins the next one."""
    section: Pattern = Pattern("")
    """Pattern of a line that heads a section."""
    number: Pattern = Pattern("")
    """Pattern of a number at the beginning of a paragraph that begins a section (2.1); it is no word of the text."""
    sections: Literal["trailers", "paragraphs"] = "trailers"
    """What makes sections: the words that close them and the lines that head them, or each paragraph is one."""
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
    source_voice: str = ""
    """Who names the source."""
    not_speakers: tuple[str, ...] = ()
    """Words before 曰 that look like a speaker and are none."""
    chrome: tuple[SiteLines, ...] = ()
    furniture: tuple[FurnitureRow, ...] = ()
    front: tuple[Front, ...] = ()
    lost: tuple[Pattern, ...] = ()
    """Headings of what the book does not have: group 1 is the title, the rest says so (飨礼〈阙〉)."""
    gloss: PhoneticForm | None = None
    returns: tuple[Return, ...] = ()
    speaker: tuple[NamedRow, ...] = ()


def convention(source: str, table: Mapping[str, Any], *, bare: bool = False) -> BracketsConvention:
    """Give the convention of a source; raises CatalogError for an unknown key, a wrong type or a bad pattern.

    `bare`: the text may be without notes, and so without `brackets`.
    """
    name = f"tei/conventions/{source}.toml"
    found = fitting(table, BracketsConvention, name=name, mend="its keys: pipeline/readers/brackets/convention.py")
    if not found.brackets and not bare:
        raise CatalogError("`brackets` is missing", place=Place(name), mend='say which: brackets = "〈〉"')
    if found.trailer and "title" not in re.compile(found.trailer).groupindex:
        raise CatalogError("`trailer` has no group (?P<title>…)", place=Place(name))
    for row in (*found.furniture, *(FurnitureRow(kind="juan", pattern=each) for each in found.lost)):
        if row.kind == "juan" and not re.compile(row.pattern).groups:
            raise CatalogError(f"the pattern {row.pattern!r} has no group ( )", place=Place(name))
    return found
