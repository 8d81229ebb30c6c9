"""Types of entries, and slips: which side of a 讹误 is the slip, what a book reads without those of its transcription.

A slip that the editor corrected, and words that a transcription lost and the editor supplied, are not readings of the
book: the list of corrections has them, and here the witness has what is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from operator import is_
from typing import Literal

from jiaokan.characters.equality import judge
from jiaokan.characters.relations import table
from jiaokan.model import Certainty, VariantClass
from jiaokan.model.attestation import State, reading_of
from jiaokan.model.encoding import words
from jiaokan.model.words import simplified

INFORMING = frozenset({"script", "graphic", "loan", "taboo"})
"""Classes that add to the sentence: that two graphs are one word. 无 already is an omission, 作 another reading."""
_WORD = 40  # the last word before an entry is searched in so many characters; a longer one is cut


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a text inside a sentence: they keep their script, and are emphasised in print."""

    words: str  # as printed: of a long lemma only both ends

    def __str__(self) -> str:
        return f"「{self.words}」"


@dataclass(frozen=True, slots=True)
class EntryReading:
    """What some witnesses have at a place."""

    witnesses: tuple[str, ...]
    words: str  # their words as quoted (`jiaokan.model.text.shown`); a lost place is 〓 or the source's own sign
    variant: VariantClass | str = ""
    source: str = ""
    cert: Certainty | str = ""
    resp: str = ""
    edited: str = ""  # the same as the editor prints them (`jiaokan.model.text.edited`)
    note: str = ""  # the words of the notes in it, which no view of its words has
    legible: bool = True  # whether any of their words survive (`jiaokan.model.text.surviving`)
    target: str = ""  # id of the unit beside which they have the lemma, if that is elsewhere
    place: tuple[str | Quote, ...] = ()  # where that is, in words
    reporter: str = ""  # id of the person whose note reports them, if only that does
    until: tuple[str, str] = ("", "")  # of what goes on in later units: the last one's id, and its last words there

    @property
    def conjectured(self) -> bool:
        """Whether somebody proposes it. A reading without witnesses and without a name is of unknown source."""
        return not self.witnesses and bool(self.resp)

    @property
    def quoted(self) -> str:
        """All that they have, a note in brackets; a note alone without; "" if they have nothing."""
        return f"{self.words} [{self.note}]" if self.words and self.note else self.words or self.note

    @property
    def lost(self) -> bool:
        """Whether the witnesses have no evidence here: their words are lost."""
        return self.variant == "lacuna" and not self.legible

    @property
    def state(self) -> State:
        """What its witnesses have, as in `jiaokan.model.attestation`."""
        return "lost" if self.lost else "attested" if self.words or self.note else "omits"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the apparatus."""

    id: str
    unit: str  # id of its unit or note; of an entry about a whole note, of what that note is on
    section: str  # id of the innermost division
    part: str  # ``text`` or ``notes``
    before: str  # the edited words directly before it in its unit or note
    lemma: EntryReading
    readings: tuple[EntryReading, ...]
    same_as: str = ""  # 下同: id of the entry that this one repeats
    repeated: bool = False  # whether a later entry repeats it
    offset: int = 0  # how many characters of its unit's or note's edited words are before it
    speaker: str = ""  # the speaker of its note; "" in the base text
    notes: tuple[str, ...] = ()  # the editor's remarks
    within: str = ""  # the edited words of its whole unit or note
    clauses: tuple[int, ...] = ()  # where clauses end in these, as far as any witness or the editor punctuates them
    begin: int = 0  # where the words of a note begin in these, after what names its speaker
    around: str = ""  # id of the entry in one of whose readings it is, words that are not printed
    inner: tuple[Entry, ...] = ()  # differences inside its readings, reported with it
    phrase: str = ""  # words in which the lemma occurs several times, each time with these readings
    times: int = 1  # how often
    covers: tuple[str, ...] = ()  # ids of other entries that its sentence reports too
    width: int = 0  # how many characters its lemma has there, with punctuation that is not quoted
    parent: str = ""  # id of the innermost entry that contains it, in its lemma or a reading; "" if none does
    silent: tuple[str, ...] = ()  # witnesses of its text that it does not name: they neither agree nor omit
    verse: tuple[int, int] = (0, 0)  # where its line of verse begins and ends in the words of its unit; (0, 0) in prose

    @property
    def end(self) -> int:
        """Where its lemma ends in the edited words of its unit or note."""
        return self.offset + (self.width or len(self.lemma.edited))

    @property
    def last_word(self) -> str:
        """The graph or word directly before it; "" at the beginning."""
        printed = "" if self.around else self.within[self.begin : self.offset]
        before = printed or (self.before if self.around or not self.begin else "")
        return (words(before[-_WORD:]) or [before.strip()[-1:]])[-1]

    def groups(self) -> tuple[EntryReading, ...]:
        """Return the lemma and the readings."""
        return (self.lemma, *self.readings)

    def of(self, witness: str) -> EntryReading | None:
        """Return what a witness reads; None if the entry does not name it."""
        return reading_of(self.groups(), witness)

    def with_readings(self, readings: Iterable[EntryReading]) -> Entry:
        """Return it with these readings; the same object if it has them."""
        kept = tuple(readings)
        same = len(kept) == len(self.readings) and all(map(is_, kept, self.readings))
        return self if same else replace(self, readings=kept)

    def with_repeats(self, known: Set[str], again: Set[str]) -> Entry:
        """Return it as one of the entries `known` (ids), of which others repeat those in `again`."""
        repeated, same_as = self.id in again, self.same_as if self.same_as in known else ""
        same = repeated == self.repeated and same_as == self.same_as
        return self if same else replace(self, repeated=repeated, same_as=same_as)


@dataclass(frozen=True, slots=True)
class Omitted:
    """A passage that a work omits from a note."""

    words: str
    printed: bool  # whether the edition prints it


@dataclass(frozen=True, slots=True)
class Abridgement:
    """A note that works give only in part 节引."""

    note: str  # id of the note
    section: str  # id of the innermost division
    subtype: str  # the kind of note (`jiaokan.model.Note.subtype`)
    speaker: str
    by: tuple[tuple[tuple[str, ...], tuple[Omitted, ...]], ...]  # witnesses, with the passages that they omit
    instead: tuple[str, ...] = ()  # ids of the entries that it replaces
    reworded: bool = False  # whether the works also differ in the words that remain

    @property
    def id(self) -> str:
        """That of the note, with ``.j``."""
        return f"{self.note}.j"


@dataclass(slots=True)
class Move:
    """A passage that some witnesses have elsewhere."""

    id: str  # that of its entry in the TEI; of a second reading in that, with ``.2``
    unit: str  # id of the unit in which the edition prints it
    section: str
    witnesses: tuple[str, ...]
    targets: tuple[str, ...]  # ids of the edition's units beside which they have it
    words: str = ""  # its first clause, or all of a short passage
    end: str = ""  # its last clause; empty if `words` are all
    printed: bool = True  # whether the edition prints any of it in this place

    @property
    def target(self) -> str:
        """The first of the targets; "" if there is none."""
        return self.targets[0] if self.targets else ""


Side = Literal["lemma", "reading", ""]  # "" if the wrong side is unknown, or each is wrong in part


def pairs(lemma: str, reading: str) -> list[tuple[str, str]]:
    """Return the pairs of graphs in which two readings differ, once each; none if they differ in length."""
    if len(lemma) != len(reading):
        return []
    return [pair for pair in dict.fromkeys(zip(lemma, reading, strict=True)) if pair[0] != pair[1]]


def slip(lemma: EntryReading, reading: EntryReading) -> Side:
    """Return which of two readings is the slip. A class given by the editor, and a corrected transcription, is about
    the reading; the list of slips (``corruption.tsv``: right, wrong) shows which side has the wrong graph."""
    if reading.variant != "corruption":
        return ""
    if reading.source.startswith("decision:class"):
        return "reading"
    if "decision:correction" in reading.source:
        return "reading" if reading.words != reading.edited else ""
    if lemma.words != lemma.edited:
        return ""  # the editor prints what is right: it is no longer the lemma's
    slips, sides = table("corruption"), set[Side]()
    whole = (lemma.words, reading.words)
    for left, right in [whole] if whole in slips else pairs(*whole):
        if row := slips.get((left, right)):
            wrong = left == row.right or (right != row.right and simplified(left) == simplified(row.right))
            sides.add("lemma" if wrong else "reading")
    return sides.pop() if len(sides) == 1 else ""


_CORRECTED = frozenset({"decision:correction", "decision:supplied"})


def without_slips(entry: Entry) -> Entry | None:
    """Return an entry as the books read; None if they do not differ. A reading that is the lemma when corrected agrees
    with it; another is judged again by `jiaokan.characters.equality`."""
    lemma = _corrected(entry.lemma)
    kept: list[EntryReading] = []
    for each in entry.readings:
        reading = _corrected(each)
        if (reading is not each or lemma is not entry.lemma) and reading.words and reading.words == lemma.words:
            lemma = replace(lemma, witnesses=(*lemma.witnesses, *reading.witnesses))
            continue
        if reading.witnesses and not reading.lost and _CORRECTED & {*reading.source.split()}:
            judged = judge(lemma.words, reading.words)
            reading = replace(reading, variant=judged.variant or "graphic", source=judged.source)
        kept.append(reading)
    if lemma is not entry.lemma:
        entry = replace(entry, lemma=lemma)
    return entry.with_readings(kept) if kept else None


def _corrected(reading: EntryReading) -> EntryReading:
    if not reading.witnesses or reading.words == reading.edited:
        return reading
    return replace(reading, words=reading.edited, legible=True)
