"""Reads every kind of ``app`` as an entry whose ends are points of the text (TEI Guidelines, 12.1 and 12.2)."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Literal

from jiaokan.model import App, Content, Gap, Note
from jiaokan.model.vocabulary import AFTER, BEFORE
from jiaokan.readers.tei import hands
from jiaokan.readers.tei.arrange import (
    Part,
    Point,
    RawEntry,
    ReaderRecord,
    as_content,
    resolve_entry,
    tidy,
    without_points,
)
from jiaokan.readers.tei.elements import CERTAINTIES, holds_blocks, name_of, note_role, whole_text
from jiaokan.readers.tei.facts import Facts
from jiaokan.readers.tei.polarity import Polarity, polarise
from jiaokan.readers.tei.spacing import is_point, separate_additions
from jiaokan.readers.tei.weave import Weaver, as_words, attested_reading
from jiaokan.tei.apparatus import Attested, Variation
from jiaokan.tei.linking.read import ENTRY
from jiaokan.tei.lossless import all_words
from jiaokan.tei.tree import ID, Element, bare, loose_words, place

_TURNS = {"lacunaStart": ("from", "after"), "witEnd": ("from", "after"),
          "lacunaEnd": ("to", "before"), "witStart": ("to", "before")}
_ANY_TURN = [f"{{*}}{name}" for name in _TURNS]
_CONJECTURE = re.compile(r"em(?:n|end|\.?$)|con(?:j|i|\.?$)|corr(?!upt)", re.I)
"""Types of a lemma that an editor made: ``emn``, ``emendation``, ``conj``, ``conjecture``, ``corr``."""


@dataclass(slots=True)
class _Said:
    """What an entry says, while its parts are read."""

    words: str | None
    """Those of the text; None if no part is the text."""
    lemma: tuple[str, ...] | None = None
    readings: list[Attested] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    """Witnesses that have the text, besides those that the lemma names."""
    turns: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[Content] = field(default_factory=list)
    who: str = ""
    sure: str = ""
    conjectured: bool = False


@dataclass(slots=True)
class EntryReader(ABC):
    """Reads entries; what their readings hold is read by the class that derives from it."""

    facts: Facts
    file: str
    record: ReaderRecord
    entries: list[RawEntry] = field(default_factory=list)
    count: int = 0
    """Number of entries that stand round their words."""
    emended: list[tuple[str, list[Part], str, int]] = field(default_factory=list)
    """Corrections of words in which entries begin or end: key of the entry, words with points, person, line."""
    starts: Mapping[str, Element] = field(default_factory=dict)
    """By key where the entries that stand apart from their words begin."""
    polarity: Polarity = "by entry"
    """Whether silence is agreement in entries inside readings."""
    deletions: Literal["shown", "kept", "left out"] = "shown"
    """Whether words marked as deleted or superfluous are shown in brackets (in the text), are words like others (a
    witness has them), or are left out (who proposes a reading wants them deleted)."""

    @abstractmethod
    def inside(self, node: Element) -> list[Part]:
        """Return an element's content with its points."""

    def apart(self, node: Element) -> None:
        """Record an entry that stands apart from its words, or in a list of entries."""
        self.entry(node, node.get(ENTRY, ""))

    def surrounding_entry(self, node: Element) -> tuple[str, Element | None] | None:
        """Return the key of an entry that stands round its words, and the reading that is the text, if there is one;
        None if it stands apart from its words."""
        if node.get(ENTRY):
            return None
        self.count += 1
        chosen = None
        for part in _parts(node, []):
            if name_of(part) == "lem":
                chosen = part
                break
            chosen = part if chosen is None and name_of(part) == "rdg" else chosen
        return f"app {self.count}", chosen

    def entry(self, node: Element, key: str, chosen: Element | None = None) -> None:
        """Record an entry; `chosen` is the reading that is the text, None if the entry stands apart from it."""
        loose = list(loose_words(node))
        parts = list(_parts(node, loose))
        named = self._witnesses_of_readings([part for part in parts if name_of(part) in ("lem", "rdg")])
        words = next((hands.words_of(part) for part in parts if part is chosen or name_of(part) == "lem"), None)
        said = _Said(words)
        for child in parts:
            if child not in named:
                self._beside(name_of(child), child, said.notes, loose)
                continue
            turning = list(child.iterdescendants(*_ANY_TURN)) if len(child) else []
            for turn in turning:
                said.turns += self.turns(turn, named[child])
            if child is chosen or (chosen is None and name_of(child) == "lem"):
                self._read_text(child, named[child], said)
                if chosen is None:
                    self.record.leave_out("lem", whole_text(child))
            else:
                self._read_reading(child, named[child], said, turns=bool(turning))
        where = node if chosen is not None else self.starts.get(key)
        if where is not None and (words == "" if chosen is not None else is_point(where)):
            others = [part for part in parts if name_of(part) == "rdg" and part is not chosen]
            said.readings = separate_additions(node, where, others, said.readings)
        said.notes += [(" ".join(run.split()),) for run in loose]
        self.entries.append(RawEntry(key, self._variation(node, said), tuple(said.turns)))
        self.record.apps += 1

    def _read_text(self, child: Element, witnesses: tuple[str, ...], said: _Said) -> None:
        """Read the part of an entry that is the text; what its first hands had are readings."""
        *earlier, (witnesses, text) = self._states(child, witnesses)  # the text is what the last hand left
        for names, state in earlier:
            if hands.words_of(state) == hands.words_of(text):
                said.also += names
            else:
                said.readings.append(attested_reading(names, self.reading(state, names), ""))
        names_witnesses = self._witnesses(child) or name_of(child) == "rdg"
        said.lemma = witnesses if names_witnesses else None
        said.also += () if names_witnesses else witnesses
        said.who, said.sure = self._judgement(child)
        said.conjectured = name_of(child) == "lem" and bool(_CONJECTURE.match(child.get("type", "")))

    def _read_reading(self, child: Element, witnesses: tuple[str, ...], said: _Said, *, turns: bool) -> None:
        """Read a part of an entry that is not the text; `turns`: witnesses begin or stop in it."""
        words = said.words
        for names, state in self._states(child, witnesses):
            same = names and words is not None and hands.words_of(state) == words
            if same and (state is not child or not (words or len(child)) or (words and turns)):
                said.also += names
                self.record.leave_out("rdg", whole_text(state))
            elif not (turns and words == "" and whole_text(state).strip() == ""):  # no omission of nothing
                said.readings.append(attested_reading(names, self.reading(state, names), self._proposer(child)))

    def _variation(self, node: Element, said: _Said) -> Variation:
        return Variation(
            start=0, end=0, lemma=said.lemma, readings=tuple(self._merge_readings(said.readings)),
            notes=tuple(filter(None, said.notes)), resp=said.who, name=node.get(ID, ""),
            cert=CERTAINTIES.get(said.sure, ""), also=tuple(said.also), conjectured=said.conjectured,
            same_as=node.get("corresp", "").partition(" ")[0].removeprefix("#"), line=place(node, "").line,
            loc=node.get("loc", ""), apps=(self.record.apps,), turning=bool(said.turns), role=note_role(node),
            nested=next(node.iterancestors("{*}app"), None) is not None,
        )

    def turns(self, node: Element, witnesses: Sequence[str]) -> list[tuple[str, str, str]]:
        """Return what an element says of where witnesses begin or stop: those of its own ``@wit``, else these."""
        side, where = _TURNS[bare(node)]
        named = self.facts.witnesses.ids_of(node.get("wit", "")) or witnesses
        return [(side, witness, where) for witness in named]

    def _merge_readings(self, readings: Sequence[Attested]) -> list[Attested]:
        """Return readings with those of the same content as one; the words of the others go into the ledger."""
        merged: list[Attested] = []
        for reading in readings:
            same = next((n for n, other in enumerate(merged) if reading.witnesses and other.witnesses
                         and other.content == reading.content
                         and not any(isinstance(item, App) for item in reading.content)), -1)
            if same < 0:
                merged.append(reading)
                continue
            merged[same] = attested_reading((*merged[same].witnesses, *reading.witnesses), reading.content)
            self.record.leave_out("rdg", all_words(reading.content))
        return merged

    def _judgement(self, node: Element) -> tuple[str, str]:
        """Return who chose a lemma, and how sure; nothing of a reading."""
        return (self.person(node.get("resp", "")), node.get("cert", "")) if name_of(node) == "lem" else ("", "")

    def _proposer(self, node: Element) -> str:
        pointer = "" if node.get("wit") or name_of(node) == "lem" else node.get("resp", "") or node.get("source", "")
        return self.facts.proposer(pointer) if pointer else ""

    def _states(self, node: Element, witnesses: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Element]]:
        """Yield a reading with its witnesses; one that hands corrected as before, and as each hand left it."""
        correction = hands.split_correction(node) if witnesses else None
        if correction is None:
            yield witnesses, node
            return
        for words in correction.between:
            self.record.leave_out("del", words)
        hand = self.facts.witnesses.hand
        named = any(name for name, _ in correction.after)
        yield witnesses if named else tuple(hand(witness, BEFORE) for witness in witnesses), correction.before
        for name, state in correction.after:
            yield tuple(hand(witness, name or AFTER) for witness in witnesses), state

    def _witnesses_of_readings(self, readings: Sequence[Element]) -> dict[Element, tuple[str, ...]]:
        """Return the witnesses of each reading; of one that only copies another (``@copyOf``) with those of the other.

        A witness named itself in one reading is not meant by a group in another. One that is named itself in two has
        two readings, A and A(2); it is recorded.
        """
        ids = {reading.get(ID): reading for reading in readings}
        naming = {reading: self._witnesses(reading) for reading in readings}
        direct: dict[str, Element] = {}
        for itself in (True, False):
            for node, names in naming.items():
                direct = {name: node for name, is_direct in names.items() if is_direct is itself} | direct
        details = dict(self._details(readings))
        witnesses_of: dict[Element, tuple[str, ...]] = {}
        for node, names in naming.items():
            witnesses = [self._state(name, node, details.get(node, ""), direct, naming)
                         for name, itself in names.items() if itself or not naming[direct[name]][name]]
            copies = witnesses and name_of(node) == "rdg" and not len(node) and not node.text
            pointer = (node.get("copyOf") or node.get("sameAs") or "").removeprefix("#")
            original = ids.get(pointer, node) if copies else node
            witnesses_of[original] = (*witnesses_of.get(original, ()), *witnesses)
        return witnesses_of

    def _state(
        self, name: str, node: Element, state: str, direct: Mapping[str, Element],
        naming: Mapping[Element, Mapping[str, bool]],
    ) -> str:
        known = self.facts.witnesses
        if state and name not in known.hands:
            return known.hand(name, state)
        if direct.get(name, node) is node:
            return name
        self.record.twice.append((place(node, "").line, known.sigla[name]))
        before = takewhile(lambda reading: reading is not node, naming)
        return known.hand(name, str(1 + sum(name in naming[reading] for reading in before)))

    def _details(self, readings: Sequence[Element]) -> Iterator[tuple[Element, str]]:
        """Yield readings of which a ``witDetail`` says that they are before or after a correction, with the state."""
        ways = self.facts.tradition.entries
        kinds = dict.fromkeys(ways.before, BEFORE) | dict.fromkeys(ways.after, AFTER)
        for node in readings if kinds else ():
            around = node.getparent()
            for detail in () if around is None else around.iterchildren("{*}witDetail"):
                names = (detail.get("type"), whole_text(detail).strip())
                state = next((kinds[name] for name in names if name in kinds), "")
                if state and node.get(ID) and detail.get("target", "").removeprefix("#") == node.get(ID):
                    yield node, state

    def _witnesses(self, node: Element) -> dict[str, bool]:
        """Return the witnesses of a reading: those of ``@wit`` or of the ``wit`` after it; of a hand, this hand. True:
        it is named itself, not its group."""
        written = node.get("wit", "")
        if not written and (after := node.getnext()) is not None and name_of(after) == "wit":
            written = " ".join(whole_text(after).split())
        named = self.facts.witnesses.naming(written)
        hand = node.get("hand", "").rpartition("#")[2]
        return {self.facts.witnesses.hand(witness, hand): True for witness in named} if hand else named

    def reading(self, node: Element, witnesses: Sequence[str]) -> Content:
        """Return the words of a reading of these witnesses, with the entries in it."""
        if not len(node):
            return as_content(tidy([node.text])) if node.text else ()
        outer, around = (self.entries, self.emended), self.deletions
        self.entries, self.emended = [], []
        self.deletions = "kept" if witnesses else "left out"
        if holds_blocks(node):
            self.record.show_as("paragraphs of a reading", "its words")
        content = self.inside(node)
        self.emend()
        words = self._weave_content(content, witnesses)
        self.entries, self.emended, self.deletions = [*outer[0], *self.entries], outer[1], around
        if words or next(node.iterdescendants(*_ANY_TURN, "{*}lacuna"), None) is None:
            return words
        return (Gap(reason="lacuna"),)  # nothing but the place where it stops or begins is no omission

    def emend(self) -> None:
        """Record the entries of corrections; all entries about the words that they correct must have been read."""
        due, self.emended = self.emended, []
        witnesses = self.facts.witnesses.whole()
        for key, content, resp, line in due:
            readings = (attested_reading(witnesses, self._weave_content(content, witnesses)),)
            entry = Variation(start=0, end=0, lemma=(), readings=readings, resp=resp, line=line)
            self.entries.append(RawEntry(key, entry, ()))

    def _weave_content(self, content: Sequence[Part], witnesses: Sequence[str]) -> Content:
        """Return the content of a reading without its points, with the entries that they belong to."""
        points: dict[Point, int] = {}
        bare_, _ = without_points(tidy(content), points)
        weaver = Weaver(tuple(witnesses))
        placed = [(raw.entry, span) for raw in self.entries if (span := raw.place(points))]
        self.record.nested.update(number for entry, _ in placed for number in entry.apps)
        inner = [resolve_entry(entry, span, self.record, "") for entry, span in placed]
        text = weaver.content(as_content(bare_), 0, polarise(inner, self.polarity, self.facts.witnesses.whole()))
        self.entries = [raw for raw in self.entries if raw.place(points) is None]
        return text + tuple(Note(content=as_words(misfit.entry), kind="variant") for misfit in weaver.unplaced)

    def _beside(self, name: str, node: Element, notes: list[Content], loose: list[str]) -> None:
        """Read what an entry has beside its readings: a note, or words that are shown as one."""
        if name in ("rdgGrp", "witDetail"):
            self.record.show_as(name, "its readings")
        if name in ("note", "witDetail"):
            notes.append(self.plain(node))
        elif name == "wit":  # says who has the reading before it
            self.record.leave_out(name, whole_text(node))
        elif name != "rdgGrp" and (words := whole_text(node)).strip():
            self.record.show_as(name, "a note of its entry")
            loose.append(words)

    def person(self, pointer: str) -> str:
        """Return the id of a person whom the header declares; empty for any other."""
        names = (reference.rpartition("#")[2] for reference in pointer.split())
        return next((name for name in names if name in self.facts.persons), "") if pointer else ""

    def plain(self, node: Element) -> Content:
        """Return an element's content without points, at any depth."""
        return as_content(without_points(tidy(self.inside(node)), {})[0])


def _parts(node: Element, loose: list[str]) -> Iterator[Element]:
    """Yield the children of an entry, those of groups after them; words directly in groups go into `loose`."""
    for child in node:
        yield child
        if name_of(child) == "rdgGrp":
            loose += loose_words(child)
            yield from _parts(child, loose)
