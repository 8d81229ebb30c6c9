"""What entries are, apart from TEI and from the model."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from operator import is_

from pipeline.model import Certainty, VariantClass
from pipeline.model.words import words

_WORD = 40
"""The last word before an entry is sought in so many characters; longer ones are quoted from their 40th on."""


@dataclass(frozen=True, slots=True)
class Said:
    """What some witnesses have at a place."""

    witnesses: tuple[str, ...]
    words: str
    """Their words as `pipeline.model.text.shown` quotes them; a lost place is 〓 or the source's own sign."""
    variant: VariantClass | str = ""
    source: str = ""
    cert: Certainty | str = ""
    resp: str = ""
    edited: str = ""
    """The same as the editor has them (`pipeline.model.text.edited`)."""
    note: str = ""
    """First words of the whole note that is the reading, where it is one."""

    legible: bool = True
    """Whether any of their words survive (`pipeline.model.text.surviving`)."""

    @property
    def lost(self) -> bool:
        """Whether the witnesses are no evidence here: their words are lost."""
        return self.variant == "lacuna" and not self.legible


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the apparatus."""

    id: str
    unit: str
    """Id of the unit or note in which it stands; of an entry about a whole note, of what that note is on."""
    section: str
    """Id of the innermost division."""
    part: str
    """``text`` or ``notes``."""
    before: str
    """The edited words right before it in its unit or note."""
    lemma: Said
    readings: tuple[Said, ...]
    same_as: str = ""
    """下同: id of the entry that this one repeats."""
    repeated: bool = False
    """Whether a later entry repeats it."""
    offset: int = 0
    """How many characters of its unit's or note's edited words stand before it."""
    speaker: str = ""
    """Who speaks the note in which it stands; empty in the base text."""
    notes: tuple[str, ...] = ()
    """What the editor says of it."""
    within: str = ""
    """The edited words of the whole unit or note in which it stands."""
    clauses: tuple[int, ...] = ()
    """Where clauses end in these, as far as any witness or the editor punctuates them."""

    @property
    def last_word(self) -> str:
        """The graph or word right before it; empty if it stands at the beginning."""
        before = self.within[: self.offset] or self.before
        return (words(before[-_WORD:]) or [before.strip()[-1:]])[-1]

    def groups(self) -> tuple[Said, ...]:
        """Give the lemma and the readings."""
        return (self.lemma, *self.readings)

    def having(self, readings: Iterable[Said]) -> Entry:
        """Give it with these readings; the same object if it has them."""
        kept = tuple(readings)
        same = len(kept) == len(self.readings) and all(map(is_, kept, self.readings))
        return self if same else replace(self, readings=kept)

    def among(self, known: Set[str], again: Set[str]) -> Entry:
        """Give it as one of the entries with the ids `known`, of which others repeat those with the ids `again`."""
        repeated, same_as = self.id in again, self.same_as if self.same_as in known else ""
        same = repeated == self.repeated and same_as == self.same_as
        return self if same else replace(self, repeated=repeated, same_as=same_as)


@dataclass(frozen=True, slots=True)
class Abridgement:
    """That works give only part of a note 节引."""

    note: str
    """Id of the note."""
    section: str
    """Id of the innermost division."""
    subtype: str
    """The kind of note, as `pipeline.model.Note.subtype` has it."""
    speaker: str
    """Who speaks it."""
    by: tuple[tuple[tuple[str, ...], int, str], ...]
    """Witnesses with how many characters they leave out; and the words, if they are in one passage."""
    instead: tuple[str, ...] = ()
    """Ids of the entries that it tells."""

    @property
    def id(self) -> str:
        """Its id: that of the note, with ``.j``."""
        return f"{self.note}.j"


@dataclass(slots=True)
class Move:
    """A passage that some witnesses have elsewhere."""

    id: str
    """Of its entry in the TEI; of a second reading in that, with ``.2``."""
    unit: str
    """Id of the unit in which the edition prints it."""
    section: str
    witnesses: tuple[str, ...]
    targets: tuple[str, ...]
    """Ids of the edition's units beside which they have it."""
    words: str = ""
    """Its first clause, or all of a short passage."""
    end: str = ""
    """Its last clause; empty if `words` are all."""

    @property
    def target(self) -> str:
        """The first of the targets; empty if there is none."""
        return self.targets[0] if self.targets else ""
