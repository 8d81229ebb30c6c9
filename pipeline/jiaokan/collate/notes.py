"""Commentary of several works: the same speaker's words on the same place are one note, with its own apparatus.

All notes of one speaker in a chapter are aligned as one text, so that a note finds its counterpart even if another work
divides, abridges or places it differently. The base, or the first work by name that has a note, gives its extent. The
words that introduce a note (注曰, 郑康成曰, [疏]) are compared apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby

from msgspec.structs import replace

from jiaokan.align import Column, Links, Pair, Table, equal_runs, firm_blocks, pairs_of
from jiaokan.collate.alignment import KINSHIP, align_streams
from jiaokan.collate.apparatus import Passage
from jiaokan.collate.apparatus.agreement import assign_notes
from jiaokan.collate.base_text import WitnessNote
from jiaokan.collate.content import entry_graphs, entry_of
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.tokens import Stream, mark
from jiaokan.decisions.characters import Choices
from jiaokan.model import Content, Line, Mark, Note, Reading, Space, Span
from jiaokan.model.text import counted
from jiaokan.model.vocabulary import TRANSMITTED
from jiaokan.model.words import PUNCTUATION

SIGNS = PUNCTUATION | {"○"}  # what may be between the parts of an introduction

Works = Sequence[tuple[int, list[WitnessNote]]]  # witnesses, by number, with their notes
Shared = Mapping[tuple[int, int], Sequence[Pair]]  # the equal words of a note of one work and a note of the base


def linked_notes(base: Stream, other: Stream, leads: Sequence[int], others: Sequence[int]) -> Links:
    """Return the notes of the other work that are one with notes of the base, by the alignment of all the speaker's
    words, or if in one place, by their own. `leads` and `others` are the notes' positions in the edition."""
    a, b = base.forms, other.forms
    shared: dict[tuple[int, int], list[Pair]] = {}
    for pair in pairs_of(equal_runs(a, b, firm_blocks(a, b, KINSHIP))):
        shared.setdefault((other.numbers[pair[1]], base.numbers[pair[0]]), []).append(pair)
    links: Links = {}
    for (number, lead), pairs in shared.items():
        apart = abs(leads[lead] - others[number])
        if _is_one_note(len(pairs), base.texts[lead].size, other.texts[number].size, apart):
            links.setdefault(number, set()).add(lead)
    for number, lead in _parts(links, shared, (base, other), (leads, others)):
        links.setdefault(number, set()).add(lead)
    for number, text in enumerate(other.texts):
        if number in links or not text.size:
            continue
        for lead, here in enumerate(base.texts):
            if here.size and leads[lead] == others[number]:
                both = a[here.start:here.end], b[text.start:text.end]
                like = sum(size for _, _, size in equal_runs(*both, firm_blocks(*both, KINSHIP)))
                if _is_one_note(like, here.size, text.size, 0):
                    links.setdefault(number, set()).add(lead)
    return links


def _parts(
    links: Links, shared: Shared, streams: tuple[Stream, Stream], positions: tuple[Sequence[int], Sequence[int]]
) -> list[tuple[int, int]]:
    """Return the notes near each other where one has a part of the other: most of what is between linked ones."""
    known = [(number, lead) for number, leads in links.items() for lead in leads]
    out = []
    for (number, lead), pairs in shared.items():
        near = abs(positions[0][lead] - positions[1][number]) <= SETTINGS.near
        if not near or len(pairs) < SETTINGS.phrase or (number, lead) in known:
            continue
        for side, text in ((0, streams[0].texts[lead]), (1, streams[1].texts[number])):
            linked = [pair for link in known if link[1 - side] == (number, lead)[1 - side]
                      for pair in shared.get(link, ())]
            start = max((pair[side] + 1 for pair in linked if pair < pairs[0]), default=text.start)
            end = min((pair[side] for pair in linked if pair > pairs[-1]), default=text.end)
            if linked and 0 < SETTINGS.shared * (end - start) <= len(pairs):
                out.append((number, lead))
                break
    return out


def _is_one_note(like: int, size: int, other: int, apart: int) -> bool:
    """Whether two notes that share `like` words of `size` and `other` are one. Containment counts: a work that abridges
    shares all of its own few words. Short ones of one length on one place are one if they share half (云云, 云々)."""
    small, large = sorted((size, other))
    enough = like >= SETTINGS.shared * small
    if small <= SETTINGS.few:
        alike = like == small or (small == large and apart == 0 and enough)
        return alike and apart <= (small == large)
    if like < SETTINGS.few or (like < SETTINGS.long and apart > SETTINGS.near):
        return False
    return enough or like >= 2 * SETTINGS.long


@dataclass(frozen=True, slots=True)
class CollatedNote:
    """A note of the edition and the witness's note that gave it its place."""

    note: Note
    lead: WitnessNote


@dataclass(frozen=True, slots=True)
class CollatedVoice:
    """The notes of one speaker, collated."""

    basis: tuple[object, ...]  # the notes and their places, its input
    graphs: frozenset[str]  # the graphs of its entries
    choices: Choices  # the editor's choices on these graphs: no others matter
    notes: tuple[CollatedNote, ...]
    elsewhere: tuple[tuple[WitnessNote, WitnessNote], ...]


@dataclass
class Commentary:
    """Collates the notes of one chapter."""

    names: tuple[str, ...]
    positions: Mapping[str, int]
    choices: Choices
    persons: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The names of persons, by id: who introduces 郑玄 by his name quotes him, freely; who prints 注曰 has the 注."""
    sizes: Mapping[str, int] = field(default_factory=dict)  # how many words each unit of the witnesses has, by its id
    spans: list[Span | Line] = field(default_factory=list)
    elsewhere: list[tuple[WitnessNote, WitnessNote]] = field(default_factory=list)
    """Notes that are one though the works have them on different places: the lead's, the other's."""
    earlier: Mapping[str, CollatedVoice] = field(default_factory=dict)
    """The results of an earlier collation of the chapter, by speaker."""
    voices: dict[str, CollatedVoice] = field(default_factory=dict)

    def collate(self, remarks: Sequence[Sequence[WitnessNote]]) -> list[CollatedNote]:
        """Return the edition's notes, in no fixed order; those of `remarks` (by witness) that are one are joined."""
        voices: dict[str, list[list[WitnessNote]]] = {}
        for n, witness in enumerate(remarks):
            for remark in witness:
                voice = remark.note.resp or f"?{remark.note.kind}.{remark.note.subtype}"
                voices.setdefault(voice, [[] for _ in self.names])[n].append(remark)
        for name, by_witness in voices.items():
            self.voices[name] = self._collate_voice(name, by_witness)
        return [note for voice in self.voices.values() for note in voice.notes]

    def _collate_voice(self, name: str, voice: list[list[WitnessNote]]) -> CollatedVoice:
        every = [remark for work in voice for remark in work]
        basis = (tuple(map(tuple, voice)), [self.positions[remark.place] for remark in every],
                 [self.sizes.get(remark.note.target) for remark in every])
        known = self.earlier.get(name)
        if known and known.basis == basis and known.choices == self.choices.within(known.graphs):
            self.elsewhere += known.elsewhere
            return known
        before = len(self.elsewhere)
        for remarks in voice:
            remarks.sort(key=lambda remark: (self.positions[remark.place], remark.order))
        notes: list[CollatedNote] = []
        while any(voice):
            lead, *others = (n for n, remarks in enumerate(voice) if remarks)
            notes += self._round(voice, lead, others)
            voice[lead] = []
        graphs = entry_graphs(note.note for note in notes)
        return CollatedVoice(basis, graphs, self.choices.within(graphs), tuple(notes), tuple(self.elsewhere[before:]))

    def _round(self, remaining: list[list[WitnessNote]], lead: int, others: list[int]) -> list[CollatedNote]:
        """Return the notes of one work as the edition's, with what the others have of them, which is removed from
        theirs."""
        if not others:
            return [self._single(remark) for remark in remaining[lead]]
        base = self._stream(lead, remaining[lead])
        places = {n: [self.positions[remark.place] for remark in remaining[n]] for n in (lead, *others)}
        links = {n: linked_notes(base, self._stream(n, remaining[n]), places[lead], places[n])
                 for n in (others if base.items else ())}
        while links := {n: linked for n, linked in links.items() if linked}:
            works = [(lead, remaining[lead]), *((n, [remaining[n][k] for k in sorted(links[n])]) for n in links)]
            streams = [base, *(self._stream(n, remarks) for n, remarks in works[1:])]
            numbered = [dict(enumerate(linked[k] for k in sorted(linked))) for linked in links.values()]
            table = align_streams(streams, numbered)
            rows = [row for columns in table.columns for row in columns if row[0] >= 0]
            idle = [{*range(len(stream.texts))} - {stream.numbers[row[k]] for row in rows if row[k] >= 0}
                    for k, stream in enumerate(streams) if k]  # notes without a word beside the lead's
            if not any(idle):
                break
            links = {n: {number: linked[number] for k, number in enumerate(sorted(linked)) if k not in alone}
                     for (n, linked), alone in zip(links.items(), idle, strict=True)}
        else:
            return [self._single(remark) for remark in remaining[lead]]
        for n, linked in links.items():
            for number, leads in linked.items():
                here = places[n][number]
                apart, nearest = min((abs(places[lead][candidate] - here), candidate) for candidate in leads)
                if apart > SETTINGS.far:  # more than another division into units explains
                    self.elsewhere.append((remaining[lead][nearest], remaining[n][number]))
            remaining[n] = [remark for number, remark in enumerate(remaining[n]) if number not in linked]
        return self._notes(works, streams, table)

    def _stream(self, n: int, remarks: Sequence[WitnessNote]) -> Stream:
        stream = Stream(self.names[n], self.spans)
        for remark in remarks:
            introduction, words = split_introduction(remark.note.content)
            identifier = remark.note.id.removeprefix(f"{self.names[n]}.")
            stream.add(identifier, words, len(counted(introduction)))
            stream.waiting = []  # of one without words of its own, which answers to none: it is written as it is
        return stream

    def _single(self, remark: WitnessNote) -> CollatedNote:
        witness = self.names[remark.witness]
        unit_mark = Mark(witness=witness, unit=remark.note.id.removeprefix(f"{witness}."))
        content = (unit_mark, *assign_notes(remark.note.content, witness))
        return CollatedNote(replace(remark.note, content=content, sources=(witness,), rend=""), remark)

    def _notes(self, works: Works, streams: Sequence[Stream], table: Table) -> list[CollatedNote]:
        introductions = {(k, text.start): split_introduction(works[k][1][number].note.content)[0]
                         for k, stream in enumerate(streams)
                         for number, text in enumerate(stream.texts) if text.size}
        return [self._note(works, streams, table, number, introductions) if len(members) > 1
                else self._single(works[0][1][number]) for number, members in enumerate(table.sources)]

    def _note(
        self, works: Works, streams: Sequence[Stream], table: Table, number: int,
        introductions: Mapping[tuple[int, int], Content],
    ) -> CollatedNote:
        """Write one note: marks of the notes that begin with it, the words that introduce it, its text."""
        lead, columns, members = works[0][1][number], table.columns[number], table.sources[number]
        remarks = {works[k][1][streams[k].numbers[column[k]]]
                   for column in columns for k in members if column[k] >= 0}
        note = self._merge_notes(lead, remarks)
        firsts = {k: next(column[k] for column in columns if column[k] >= 0) for k in members}
        notes = {k: works[k][1][streams[k].numbers[cell]] for k, cell in firsts.items()}
        heads = {k: cell for k, cell in firsts.items() if (k, cell) in introductions}
        # who introduces a note by its author's name quotes it, and does not print the 注 or 疏 itself
        transmitting = [k for k in members if note.subtype in TRANSMITTED and not any(
            name in counted(split_introduction(notes[k].note.content)[0])
            for name in self.persons.get(notes[k].note.resp, ()))]
        far = [k for k in members if abs(self.positions[notes[k].place] - self.positions[lead.place]) > SETTINGS.far]
        passage = Passage(streams=streams, choices=self.choices, labels=introductions,
                          introduced=set(heads.items()), moves={(k, firsts[k]): notes[k].place for k in far})
        names = {k: streams[k].witness for k in members}
        content = (*(mark(streams[k], cell) for k, cell in heads.items()),
                   *introduction({names[k]: introductions[k, heads[k]] if k in heads else () for k in members}),
                   *passage.content(columns, _base_first(columns, members, transmitting)))
        return CollatedNote(replace(note, content=content, sources=tuple(names.values()), rend=""), lead)

    def _merge_notes(self, lead: WitnessNote, works: set[WitnessNote]) -> Note:
        """Return the lead's note with the most specific kind and certainty of its speaker among all, on the fewest
        words on which one of its works has it in the same place."""
        note, sizes = lead.note, self.sizes
        if note.subtype in ("", "shuo"):
            known = {work.note.subtype for work in works} - {"", "shuo"}
            note = replace(note, subtype=min(known, default=note.subtype))
        if any(work.note.cert == "" for work in works):
            note = replace(note, cert="")
        if note.target_end or note.target not in sizes:
            return note
        near = [work.note.target for work in works if work.place == lead.place and not work.note.target_end]
        size, target = min(((sizes[unit], unit) for unit in near if unit in sizes), default=(sizes[note.target], ""))
        return replace(note, target=target) if size < sizes[note.target] else note


def split_introduction(content: Content) -> tuple[Content, Content]:
    """Return the words that introduce a note, and the rest of its content: its attribution and scope lemmata
    ([疏]“司宫”至“东上”。○释曰) with the spaces and signs between them."""
    end = 0
    for number, item in enumerate(content):
        if isinstance(item, Span) and item.role in ("attribution", "scope"):
            end = number + 1
        elif not isinstance(item, Space) and not (isinstance(item, str) and set(item) <= SIGNS):
            break
    return content[:end], content[end:]


def introduction(introductions: Mapping[str, Content]) -> Content:
    """Return the introduction of a note that several works have, the lead's first: once, or as an entry for
    attributions."""
    groups: dict[str, list[str]] = {}
    for witness, content in introductions.items():
        groups.setdefault(counted(content), []).append(witness)
    if len(groups) == 1:
        return next(iter(introductions.values()))
    words = ((works, (item.content if isinstance(item, Span) and item.role == "attribution" else (item,)
                      for item in introductions[works[0]])) for works in groups.values())
    readings = [Reading(witnesses=tuple(works), content=tuple(chain.from_iterable(parts))) for works, parts in words]
    return (Span(role="attribution", content=(entry_of(readings, "attribution"),)),)


def _base_first(columns: Sequence[Column], members: tuple[int, ...], transmitting: Sequence[int]) -> tuple[int, ...]:
    """Return the witnesses of a note, its base first: the lead, or the fullest if the lead abridges it. A witness
    abridges what another transmits whole if it lacks a clause of it, and has fewer words of its own than it lacks."""
    sizes = {k: sum(column[k] >= 0 for column in columns) for k in members}
    lead = members[0]
    whole = max(transmitting, key=lambda k: (sizes[k], -members.index(k)), default=lead)
    missing = [column[lead] < 0 <= column[whole] for column in columns]
    longest = max((len(list(run)) for lacks, run in groupby(missing) if lacks), default=0)
    extra = sum(column[whole] < 0 <= column[lead] for column in columns)
    if longest < SETTINGS.few or extra >= sum(missing):
        return members
    return whole, *(k for k in members if k != whole)
