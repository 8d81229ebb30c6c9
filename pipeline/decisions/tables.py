"""What an editor can decide: the tables of ``tei/decisions/*.toml``, one type each. `kinds` says where each lies."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Literal

import msgspec

from pipeline.model import Certainty, VariantClass
from pipeline.settings.values import Name, Strict

_WORDS = r"((?:[^\[\]\\]|\\.)*)"
_CONTEXT = re.compile(rf"{_WORDS}\[{_WORDS}\]{_WORDS}")

Verdict = Literal["base", "note", "continues", "joins", "quoted", "inside", "trailer", "chapter"]

class Judged(Strict, frozen=True, kw_only=True):
    """Who decided, when, why and how surely."""

    resp: str
    """Who decided: id of a person of ``persons.toml``, or ``editors``."""
    why: str
    """Why."""
    when: date | None = None
    """The day of the decision."""
    cert: Certainty = "medium"
    """How sure it is."""


Code = Annotated[str, msgspec.Meta(pattern=r"^U\+(?!0*D[89A-F])(?:0{0,2}[0-9A-F]{4,5}|10[0-9A-F]{4})$")]
"""A code point as ``U+EB8E``."""


Named = Annotated[str, msgspec.Meta(
    pattern=r"^(U\+(?!0*D[89A-F])(?:0{0,2}[0-9A-F]{4,5}|10[0-9A-F]{4})|&[A-Za-z][A-Za-z0-9_.-]*;|[\[⿰-⿿].+)$"
)]
"""A code point, or what a source writes for a character without one: ``&KR0014;``, ``⿰木薄``, ``[金*薄]``."""


class GlyphDecision(Judged, frozen=True, kw_only=True):
    """A private-use character, written ``U+EB8E``, or what a source writes for a character without a code
    (``&KR0014;``), and the standard character it stands for."""

    code: Named
    """The character, by its code point, or what the source writes for it."""
    standard: str = ""
    """The standard character that it stands for; empty where nobody knows."""

    @property
    def written(self) -> str:
        """What stands for it in a source."""
        return chr(int(self.code.removeprefix("U+"), 16)) if self.code.startswith("U+") else self.code


class CorrectionDecision(Judged, frozen=True, kw_only=True):
    """A wrong graph `sic` inside `context`, and what is meant.

    `evidence` names a parallel; without it the TEI carries `why`.
    """

    source: str
    """Id of the source that it is about."""
    context: str
    """Words that stand in the source just once."""
    sic: str
    """The wrong graph, in `context`."""
    corr: str
    """What is meant."""
    evidence: str = ""
    """What it rests on, such as a parallel; without it the TEI carries `why`."""


class SuppliedDecision(Judged, frozen=True, kw_only=True):
    """Text that the transcription lost between `before` and `after`."""

    source: str
    """Id of the source that it is about."""
    before: str
    """The words before what is lost."""
    text: str
    """The words that were lost."""
    after: str
    """The words after what is lost."""
    evidence: str = ""
    """What it rests on, such as a parallel; without it the TEI carries `why`."""


class LiteralDecision(Judged, frozen=True, kw_only=True):
    """Words in which □ is a sign of the text itself."""

    source: str
    """Words that stand in the source just once, with the □."""
    context: str
    """Words that stand in the source just once, with the □."""


class TargetDecision(Judged, frozen=True, kw_only=True):
    """The words of the base text that a note is on, where the program takes others."""

    source: str
    """Id of the source that it is about."""
    context: str
    """Words of the note, in which alone they stand."""
    words: str
    """The words that it is on: of several places in its chapter the last before the note."""


class LostGlyphs(Strict, frozen=True, kw_only=True):
    """Graphs that a transcription loses without trace."""

    source: str
    """Id of the source that it is about."""
    characters: str
    """The graphs that it loses."""
    resp: str
    """Who decided: id of a person of ``persons.toml``, or ``editors``."""
    why: str
    """Why."""
    when: date | None = None
    """The day of the decision."""
    cert: Certainty = "high"
    """How sure it is."""


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
    """The text that has one of the two; left out, it holds for all."""


class Passim(Judged, frozen=True, kw_only=True):
    """What is printed wherever one witness writes a word in its own way and another has the word itself.

    It holds for entries whose words are just these two, but for forms of one graph; a [[lemma]] on a place goes first.
    Where no other witness has the word, nothing changes: no text is made uniform beyond what its witnesses have.
    """

    edition: str
    """Id of the edition."""
    source: str
    """Id of the witness whose way it is."""
    words: str
    """What that witness writes."""
    reading: str
    """What is printed, wherever another witness has it there."""
    notes: bool = False
    """Whether it holds for notes too, not for the base text alone."""


class PrintedCharacter(Strict, frozen=True, kw_only=True):
    """A character, written ``U+248E5``, that is printed as `standard` if no font has it."""

    code: Code
    """The character, by its code point."""
    standard: Name
    """The character that is printed for it."""
    resp: str
    """Who decided: id of a person of ``persons.toml``, or ``editors``."""
    why: str
    """Why."""
    cert: Certainty = "medium"
    """How sure it is."""



class Boundary(Strict, frozen=True, kw_only=True):
    """A decision on one place of a source."""

    source: str
    """Id of the source that it is about."""
    after: str
    """The words that begin at the place."""
    verdict: Verdict
    """What begins there: ``base``, a ``note`` of `person`, a ``trailer``; a paragraph that ``continues`` the note
    before it, ``joins`` it in mid-sentence or is ``quoted`` in it; ``inside``: nothing begins, the words that look
    like a speaker are a quotation; ``chapter``: the work's chapter `chapter`, for which the source has no head."""
    before: str = ""
    """The words that end there, where `after` alone stands more than once."""
    person: str = ""
    """Id of the speaker of a ``note``; empty where nobody knows."""
    chapter: int = 0
    """Number of the ``chapter`` in the work's list."""
    resp: str
    """Who decided: id of a person of ``persons.toml``, or ``editors``."""
    why: str
    """Why."""
    when: date | None = None
    """The day of the decision."""
    cert: Certainty = "medium"
    """How sure it is."""

    def told(self) -> dict[str, Any]:
        """Give what a judgement says of a decision: why, by whom, how sure."""
        return {"decided": self.why, "by": self.resp, "sure": self.cert}



UNSIGNED = "-"
"""What a decision says for the speaker of notes that nobody signs."""


class ReadingDecision(Strict, frozen=True, kw_only=True):
    """Where something is decided, by whom, when, why and how surely."""

    unit: str
    """The unit of the edition, or the place of its notes, by reference (``yili:6.1.2``)."""
    context: str
    """Words of the edition, those in question in square brackets, once in the unit; a bracket that is a character of
    the text has a backslash before it, and so has a backslash."""
    resp: str
    """Who decided: id of a person of ``persons.toml``, or ``editors``."""
    why: str
    """Why."""
    when: date
    """The day of the decision."""
    cert: Certainty = "medium"
    """How sure it is."""
    speaker: str = ""
    """If it is about notes there: id of the person whose they are; ``-`` for notes that nobody signs."""

    @property
    def id(self) -> str:
        """Id of the unit, or of the place of the notes; a reference (lunyu:6.1.2) means the same."""
        return self.unit.replace(":", ".", 1)

    def parts(self) -> tuple[str, str, str] | None:
        """Give the context before, in and after the brackets; None if it has not one pair of them."""
        found = _CONTEXT.fullmatch(self.context)
        before, words, after = (re.sub(r"\\(.)", r"\1", each) for each in found.groups()) if found else ("", "", "")
        return (before, words, after) if found else None


def quoted(words: str) -> str:
    """Give words of a text as a context has them, their own brackets marked."""
    return re.sub(r"[\[\]\\]", r"\\\g<0>", words)


class Reads(ReadingDecision, frozen=True, kw_only=True):
    """A decision on one reading, given by its words or by a witness that has it."""

    reading: str | None = None
    """The words of the reading; empty: no word stands there."""
    witness: str = ""
    """Id of a witness that has the reading, where its words are not given."""


class Lemma(Reads, frozen=True, kw_only=True):
    """The reading that the editor prints; of low certainty, the place is open."""


class Class(Reads, frozen=True, kw_only=True):
    """How a reading differs from the lemma."""

    variant: VariantClass
    """The class."""


class Merge(ReadingDecision, frozen=True, kw_only=True):
    """What stands in the brackets is one entry."""


class Split(ReadingDecision, frozen=True, kw_only=True):
    """The entry in the brackets is several, parted at each ``|``."""


class Reject(ReadingDecision, frozen=True, kw_only=True):
    """The entry is no variant of the text."""


class Comment(ReadingDecision, frozen=True, kw_only=True):
    """What is to be said about the entry."""


class Emendation(ReadingDecision, frozen=True, kw_only=True):
    """The editor prints what no witness has."""

    reading: str
    """What the editor prints; empty: nothing."""


class Conjecture(ReadingDecision, frozen=True, kw_only=True):
    """Somebody proposes what no witness has; the editor reports it and does not print it."""

    reading: str
    """What is proposed; empty: no word."""
    person: str
    """Id of the person of ``persons.toml`` who proposes it."""
