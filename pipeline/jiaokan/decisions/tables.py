"""The types of the editor's decisions: one for each kind of table in ``tei/decisions/*.toml``.

Keys are written in the order in which a type declares them, those of `Decision` last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal

import msgspec

from jiaokan.errors import Message
from jiaokan.model import Certainty, VariantClass
from jiaokan.settings.values import Name, Strict

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
    why: Name
    cert: Certainty = "medium"

    def faults(self) -> Iterator[Fault]:
        """Yield what is wrong with the decision by itself, whatever the folder declares."""
        return iter(())


class Judged(Decision, frozen=True, kw_only=True):
    """A decision, with its day, that is checked whenever a source is read."""

    when: date | None = None


class GlyphDecision(Judged, frozen=True, kw_only=True):
    """A private-use character, written ``U+EB8E``, or what a source writes for a character without a code
    (``&KR0014;``), and the standard character it stands for."""

    code: Named
    standard: str = ""

    @property
    def written(self) -> str:
        """What stands for the character in a source."""
        return chr(int(self.code.removeprefix("U+"), 16)) if self.code.startswith("U+") else self.code


class CorrectionDecision(Judged, frozen=True, kw_only=True):
    """A wrong character `sic` inside `context`, and the right one."""

    source: str
    context: str
    sic: str
    corr: str
    evidence: str = ""

    def faults(self) -> Iterator[Fault]:
        """Yield a `sic` that is not in the context."""
        if self.sic not in self.context:
            yield ("sic", Message("sic-not-context", sic=self.sic, context=self.context),
                   Message("write-context-source-wrong-character"))


class SuppliedDecision(Judged, frozen=True, kw_only=True):
    """Text that the transcription lost between `before` and `after`."""

    source: str
    before: str
    text: str
    after: str
    evidence: str = ""


class LiteralDecision(Judged, frozen=True, kw_only=True):
    """Words in which □ is a character of the text itself."""

    source: str
    context: str


class TargetDecision(Judged, frozen=True, kw_only=True):
    """The words of the base text that a note is on, where the program takes others."""

    source: str
    context: str
    words: str


class LostGlyphs(Decision, frozen=True, kw_only=True):
    """Characters that a transcription loses without trace."""

    source: str
    characters: str
    cert: Certainty = "high"
    when: date | None = None


class CharacterPair(Judged, frozen=True, kw_only=True):
    """Two characters (or words), and how they differ wherever one witness has one and another the other. With
    `source` only where that text has one of the two; else in all texts."""

    left: str
    right: str
    variant: VariantClass
    source: str | None = None


class Passim(Judged, frozen=True, kw_only=True):
    """What is printed wherever one witness writes a word in its own way and another has the word itself.

    It holds for entries whose words are just these two, apart from forms of one character; a [[lemma]] on a place takes
    precedence. Where no other witness has the word, nothing changes: the text is not normalised beyond its witnesses.
    """

    edition: str
    source: str
    words: str
    reading: str
    notes: bool = False


class PrintedCharacter(Decision, frozen=True, kw_only=True):
    """A character, written ``U+248E5``, that is printed as `standard` if no font has it."""

    code: Code
    standard: Name


class TraditionalForm(Decision, frozen=True, kw_only=True):
    """The form of a simplified graph in books in traditional script, in contexts of the text (``_`` is the graph:
    ``漆_也``), or in all of a layer: ``unit`` is the base text, ``note`` the commentaries."""

    graph: str
    form: str
    contexts: tuple[str, ...] = ()
    layer: Literal["", "unit", "note"] = ""
    when: date | None = None

    def faults(self) -> Iterator[Fault]:
        """Yield more or fewer characters than one, and a decision without a place."""
        for key in ("graph", "form"):
            if len(word := getattr(self, key)) != 1:
                yield key, Message("form-has-one-character", key=key, word=word), Message("write-one-character")
        for context in self.contexts:
            if context.count("_") != 1:
                yield "contexts", Message("form-context-without-graph", context=context), Message("write-graph-as-line")
        if not self.contexts and not self.layer:
            yield "graph", Message("form-without-place"), Message("add-contexts-or-layer")


class Boundary(Decision, frozen=True, kw_only=True):
    """What begins at one place of a source."""

    source: str
    before: str = ""
    after: str
    verdict: Verdict
    person: str = ""
    chapter: int = 0
    when: date | None = None

    def faults(self) -> Iterator[Fault]:
        """Yield a missing chapter number."""
        if self.verdict == "chapter" and self.chapter < 1:
            message = Message("verdict-chapter-without-number-chapter")
            yield "verdict", message, Message("add-chapter-work-counts")


class OnEntry(Decision, frozen=True, kw_only=True):
    """What somebody says about one place of an edition."""

    unit: str
    speaker: str = ""
    context: str
    when: date

    @property
    def id(self) -> str:
        """Id of the unit, or of the place of the notes; a reference (lunyu:6.1.2) means the same."""
        return self.unit.replace(":", ".", 1)

    def parts(self) -> tuple[str, str, str] | None:
        """Return the context before, in and after the brackets; None if it does not have one pair of them."""
        match = _CONTEXT.fullmatch(self.context)
        before, words, after = (re.sub(r"\\(.)", r"\1", part) for part in match.groups()) if match else ("", "", "")
        return (before, words, after) if match else None

    def faults(self) -> Iterator[Fault]:
        """Yield a context without one pair of brackets."""
        if self.parts() is None:
            yield ("context", Message("context-does-not-have-one-pair-of-square-brackets", context=self.context),
                   Message("put-words-question-brackets-context"))


class ReadingDecision(OnEntry, frozen=True, kw_only=True):
    """A decision on the readings of one place, applied to the edition."""

    proposed: bool = False
    approved: str = ""
    approved_when: date | None = None
    stemma: str = ""  # the entry's local stemma, from the oldest reading on: A > B, C (∅: nothing)

    def faults(self) -> Iterator[Fault]:
        """Yield an approval by whoever decided."""
        yield from super().faults()
        if self.approved and self.approved == self.resp:
            yield "approved", Message("nobody-approves-decision-own"), Message("let-another-editor-approve")


def escape_brackets(words: str) -> str:
    """Return words of a text as a context has them: brackets and backslashes preceded by a backslash."""
    return re.sub(r"[\[\]\\]", r"\\\g<0>", words)


class Reads(ReadingDecision, frozen=True, kw_only=True):
    """A decision on one reading, given by its words or by a witness that has it."""

    reading: str | None = None
    witness: str = ""

    def faults(self) -> Iterator[Fault]:
        """Yield a decision that names no reading."""
        yield from super().faults()
        if self.reading is None and not self.witness:
            yield "reading", Message("neither-reading-nor-witness-names"), Message("add-reading-witness-id")


class Lemma(Reads, frozen=True, kw_only=True):
    """The reading that the editor prints; with low certainty, the place is open."""


class Class(Reads, frozen=True, kw_only=True):
    """How a reading differs from the lemma."""

    variant: VariantClass


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


class Conjecture(ReadingDecision, frozen=True, kw_only=True):
    """Somebody proposes what no witness has; the editor reports it and does not print it."""

    person: str
    reading: str


class EditorsRemark(OnEntry, frozen=True, kw_only=True):
    """A remark of an editor on an entry, for the other editors: `why` has its words. It is not printed."""


class Second(OnEntry, frozen=True, kw_only=True):
    """What a second editor prints at a place without seeing the first one's decision; it changes nothing."""

    reading: str


class Assigned(Decision, frozen=True, kw_only=True):
    """A chapter on which only one editor decides."""

    unit: str
    person: str
    when: date | None = None


class SettingsQuestion(Decision, frozen=True, kw_only=True):
    """What is still to be checked in the settings of the folder: `why` asks. Who has checked it deletes it."""

    when: date | None = None
