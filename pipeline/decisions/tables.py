"""The types of the editor's decisions: one for each kind of table in ``tei/decisions/*.toml``.

Keys are written in the order in which a type declares them, those of `Decision` last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal

import msgspec

from pipeline.model import Certainty, VariantClass
from pipeline.settings.values import Name, Strict

_WORDS = r"((?:[^\[\]\\]|\\.)*)"
_CONTEXT = re.compile(rf"{_WORDS}\[{_WORDS}\]{_WORDS}")

Verdict = Literal["base", "note", "continues", "joins", "quoted", "inside", "trailer", "chapter"]
Code = Annotated[str, msgspec.Meta(pattern=r"^U\+(?!0*D[89A-F])(?:0{0,2}[0-9A-F]{4,5}|10[0-9A-F]{4})$")]
"""A code point as ``U+EB8E``."""
Named = Annotated[str, msgspec.Meta(
    pattern=r"^(U\+(?!0*D[89A-F])(?:0{0,2}[0-9A-F]{4,5}|10[0-9A-F]{4})|&[A-Za-z][A-Za-z0-9_.-]*;|[\[⿰-⿿].+)$"
)]
"""A code point, or what a source writes for a character without one: ``&KR0014;``, ``⿰木薄``, ``[金*薄]``."""
Fault = tuple[str, str, str]
"""The faulty key of a decision, the message, the remedy."""
UNSIGNED = "-"
"""The `speaker` of notes that nobody signs."""


class Decision(Strict, frozen=True, kw_only=True):
    """What every decision says: who decided, why, how surely."""

    resp: str
    """Who decided: id of a person of ``persons.toml``, or ``editors``."""
    why: str
    """Why."""
    cert: Certainty = "medium"
    """How sure it is."""

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the decision by itself, whatever the folder declares."""
        return iter(())


class Judged(Decision, frozen=True, kw_only=True):
    """A decision, with its day, that is checked whenever a source is read."""

    when: date | None = None
    """The day of the decision."""


class GlyphDecision(Judged, frozen=True, kw_only=True):
    """A private-use character, written ``U+EB8E``, or what a source writes for a character without a code
    (``&KR0014;``), and the standard character it stands for."""

    code: Named
    """The character, by its code point, or what the source writes for it."""
    standard: str = ""
    """The standard character that it stands for; empty where nobody knows."""

    @property
    def written(self) -> str:
        """What stands for the character in a source."""
        return chr(int(self.code.removeprefix("U+"), 16)) if self.code.startswith("U+") else self.code


class CorrectionDecision(Judged, frozen=True, kw_only=True):
    """A wrong character `sic` inside `context`, and the right one."""

    source: str
    """Id of the source."""
    context: str
    """Words that stand in the source just once."""
    sic: str
    """The wrong character, in `context`."""
    corr: str
    """The right one."""
    evidence: str = ""
    """What it rests on, such as a parallel; without it the TEI carries `why`."""

    def faults(self) -> Iterator[Fault]:
        """Yield a `sic` that is not in the context."""
        if self.sic not in self.context:
            yield ("sic", f"sic = {self.sic!r} is not in context = {self.context!r}",
                   "write in `context` what the source has, with the wrong character")


class SuppliedDecision(Judged, frozen=True, kw_only=True):
    """Text that the transcription lost between `before` and `after`."""

    source: str
    """Id of the source."""
    before: str
    """The words before what is lost."""
    text: str
    """The words that were lost."""
    after: str
    """The words after what is lost."""
    evidence: str = ""
    """What it rests on, such as a parallel; without it the TEI carries `why`."""


class LiteralDecision(Judged, frozen=True, kw_only=True):
    """Words in which □ is a character of the text itself."""

    source: str
    """Id of the source."""
    context: str
    """Words that stand in the source just once, with the □."""


class TargetDecision(Judged, frozen=True, kw_only=True):
    """The words of the base text that a note is on, where the program takes others."""

    source: str
    """Id of the source."""
    context: str
    """Words that stand in this note alone."""
    words: str
    """The words that it is on: of several places in its chapter the last before the note."""


class LostGlyphs(Decision, frozen=True, kw_only=True):
    """Characters that a transcription loses without trace."""

    source: str
    """Id of the source."""
    characters: str
    """The characters that it loses."""
    cert: Certainty = "high"
    """How sure it is."""
    when: date | None = None
    """The day of the decision."""


class CharacterPair(Judged, frozen=True, kw_only=True):
    """Two characters (or words), and how they differ wherever one witness has one and another the other.

    With `source` only where that text has one of the two; else in all texts.
    """

    left: str
    """The one character (or word)."""
    right: str
    """The other."""
    variant: VariantClass
    """How they differ: a class of variants."""
    source: str | None = None
    """The text that has one of the two; without it, the decision holds for all."""


class Passim(Judged, frozen=True, kw_only=True):
    """What is printed wherever one witness writes a word in its own way and another has the word itself.

    It holds for entries whose words are just these two, apart from forms of one character; a [[lemma]] on a place takes
    precedence. Where no other witness has the word, nothing changes: the text is not normalised beyond its witnesses.
    """

    edition: str
    """Id of the edition."""
    source: str
    """Id of the witness that writes the word in its own way."""
    words: str
    """What that witness writes."""
    reading: str
    """What is printed, wherever another witness has it there."""
    notes: bool = False
    """Whether it holds for notes too, not for the base text alone."""


class PrintedCharacter(Decision, frozen=True, kw_only=True):
    """A character, written ``U+248E5``, that is printed as `standard` if no font has it."""

    code: Code
    """The character, by its code point."""
    standard: Name
    """The character that is printed for it."""


class Boundary(Decision, frozen=True, kw_only=True):
    """What begins at one place of a source."""

    source: str
    """Id of the source."""
    before: str = ""
    """The words that end at the place; needed where `after` alone stands more than once."""
    after: str
    """The words that begin at the place."""
    verdict: Verdict
    """What begins there: ``base``, a ``note`` of `person`, a ``trailer``; a paragraph that ``continues`` the note
    before it, ``joins`` it in mid-sentence or is ``quoted`` in it; ``inside``: nothing begins, the words that look
    like a speaker are a quotation; ``chapter``: the work's chapter `chapter`, for which the source has no head."""
    person: str = ""
    """Id of the speaker of a ``note``; empty if unknown."""
    chapter: int = 0
    """Number of the ``chapter`` in the work's list."""
    when: date | None = None
    """The day of the decision."""

    def faults(self) -> Iterator[Fault]:
        """Yield a missing chapter number."""
        if self.verdict == "chapter" and self.chapter < 1:
            message = "verdict = 'chapter' without the number of the chapter"
            yield "verdict", message, "add chapter = 1, as the work counts it"


class ReadingDecision(Decision, frozen=True, kw_only=True):
    """A decision on the readings of one place of an edition."""

    unit: str
    """The unit of the edition, or the place of its notes, by reference (``yili:6.1.2``)."""
    speaker: str = ""
    """If it is about notes there: id of the person whose they are; ``-`` for notes that nobody signs."""
    context: str
    """Words of the edition, those in question in square brackets, once in the unit; a backslash precedes a bracket or
    backslash of the text itself."""
    when: date
    """The day of the decision."""

    @property
    def id(self) -> str:
        """Id of the unit, or of the place of the notes; a reference (lunyu:6.1.2) means the same."""
        return self.unit.replace(":", ".", 1)

    def parts(self) -> tuple[str, str, str] | None:
        """Return the context before, in and after the brackets; None if it does not have one pair of them."""
        found = _CONTEXT.fullmatch(self.context)
        before, words, after = (re.sub(r"\\(.)", r"\1", each) for each in found.groups()) if found else ("", "", "")
        return (before, words, after) if found else None

    def faults(self) -> Iterator[Fault]:
        """Yield a context without one pair of brackets."""
        if self.parts() is None:
            yield ("context", f"context = {self.context!r} does not have one pair of square brackets",
                   'put the words in question in brackets: context = "不亦[说]乎"')


def escape_brackets(words: str) -> str:
    """Return words of a text as a context has them: brackets and backslashes preceded by a backslash."""
    return re.sub(r"[\[\]\\]", r"\\\g<0>", words)


class Reads(ReadingDecision, frozen=True, kw_only=True):
    """A decision on one reading, given by its words or by a witness that has it."""

    reading: str | None = None
    """The words of the reading; empty: no word stands there."""
    witness: str = ""
    """Id of a witness that has the reading, where its words are not given."""

    def faults(self) -> Iterator[Fault]:
        """Yield a decision that names no reading."""
        yield from super().faults()
        if self.reading is None and not self.witness:
            yield "reading", "neither reading nor witness names the reading", 'add reading = "…", or witness = "ID"'


class Lemma(Reads, frozen=True, kw_only=True):
    """The reading that the editor prints; with low certainty, the place is open."""


class Class(Reads, frozen=True, kw_only=True):
    """How a reading differs from the lemma."""

    variant: VariantClass
    """The class."""


class Merge(ReadingDecision, frozen=True, kw_only=True):
    """The words in the brackets are one entry."""


class Split(ReadingDecision, frozen=True, kw_only=True):
    """The entry in the brackets is several, separated at each ``|``."""


class Reject(ReadingDecision, frozen=True, kw_only=True):
    """The entry is not a variant of the text."""


class Comment(ReadingDecision, frozen=True, kw_only=True):
    """A remark on the entry."""


class Emendation(ReadingDecision, frozen=True, kw_only=True):
    """The editor prints what no witness has."""

    reading: str
    """What the editor prints; empty: nothing."""


class Conjecture(ReadingDecision, frozen=True, kw_only=True):
    """Somebody proposes what no witness has; the editor reports it and does not print it."""

    person: str
    """Id of the person of ``persons.toml`` who proposes it."""
    reading: str
    """What is proposed; empty: no word."""
