"""Differences that an editor reports in one sentence: neighbours, a word that its clause has twice, a passage that a
note has elsewhere, what works differ in inside words that the edition does not print, reasons given before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from jiaokan.entries import wording
from jiaokan.entries.values import Abridgement, Entry, EntryReading
from jiaokan.entries.wording import LINE, clause, graphs, quoted
from jiaokan.model.references import References
from jiaokan.model.variants import RANKS, TABLE
from jiaokan.model.words import alphabetic, simplified

_PARTS = 5  # the shortest passage, in graphs, of which the exchanged parts are quoted; four are clear at a glance
_NAMED = 4  # graphs that name the other part: a clause of the classics
_PARTICLES = 2  # at most so many particles end a clause: 也哉. A choice; with 1 or 3 the 仪礼 has the same entries
_NEAR = 3  # differences of the same witnesses with at most three graphs between them are quoted as one phrase


def with_inner(found: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries without those inside words that are not printed, which are reported with the entry of these words.
    All of them: a reader finds these words nowhere else."""
    every = tuple(found)
    kept = {each.id for each in every}
    inner: dict[str, list[Entry]] = {}
    for each in every:
        if each.around in kept:
            inner.setdefault(each.around, []).append(each)
    for each in every:
        if each.around not in kept:
            yield replace(each, inner=tuple(inner[each.id])) if each.id in inner else each


def _words_differ(reading: EntryReading) -> bool:
    return bool(reading.variant) and TABLE[reading.variant].rank >= RANKS["reading"]


def with_shifts(found: Sequence[Entry]) -> Iterator[Entry]:
    """Yield entries in which words that a work omits in a note, and has elsewhere in it, are a transposition."""
    added: dict[tuple[str, tuple[str, ...], str], Entry] = {}
    for each in found:
        if each.part == "notes" and not each.lemma.edited and _plain(each):
            added.setdefault(_identity(each, each.readings[0].edited), each)
    moved: dict[str, Entry] = {}
    hidden: set[str] = set()
    for each in found:
        if not _plain(each) or each.readings[0].edited or graphs(each.lemma.edited) < 2:
            continue
        if other := added.pop(_identity(each, each.lemma.edited), None):
            away = replace(each.readings[0], variant="transposition", place=wording.place_of(other))
            moved[each.id] = replace(each, readings=(away,), covers=(other.id,))
            hidden.add(other.id)
    yield from (moved.get(each.id) or _turned(each) for each in found if each.id not in hidden)


def _turned(entry: Entry) -> Entry:
    """Return an entry of a passage of which a work has the second part first as one of that part."""
    first = entry.readings[0]
    lemma, other = ("".join(filter(str.isalnum, each.edited)) for each in (entry.lemma, first))
    if len(entry.readings) > 1 or first.variant != "transposition" or len(lemma) < _PARTS or len(lemma) != len(other):
        return entry
    at = next((n for n in range(2, len(lemma) - 1) if simplified(lemma[n:] + lemma[:n]) == simplified(other)), 0)
    if not at:
        return entry
    head, tail = lemma[:at], lemma[at:]
    away, place = (tail, (quoted(head[:_NAMED]), "上")) if len(tail) <= len(head) else (
        head, (quoted(tail[-_NAMED:]), "下"))
    return replace(entry, lemma=replace(entry.lemma, words=away, edited=away),
                   readings=(replace(first, words="", edited="", place=place),))


def _identity(entry: Entry, text: str) -> tuple[str, tuple[str, ...], str]:
    return entry.unit, entry.readings[0].witnesses, simplified("".join(filter(str.isalnum, text)))


def _plain(entry: Entry) -> bool:
    """Whether an entry is one difference of two groups of witnesses, of which the editor has said nothing."""
    first = entry.readings[0]
    both = entry.lemma, first
    return (
        len(entry.readings) == 1 and not entry.notes and not entry.inner and _words_differ(first)
        and all(reading.witnesses and reading.source in ("", "rule:order") and not (reading.note or reading.lost)
                for reading in both))


def join_neighbours(found: Iterable[Entry]) -> list[Entry]:
    """Return entries in which neighbours inside a note, of the same works, are one that quotes the whole phrase."""
    made: list[Entry] = []
    for each in found:
        if not made or not _neighbours(made[-1], each):
            made.append(each)
            continue
        first = made[-1]
        lemma, between = first.within[first.offset : each.end], first.within[first.end : each.offset]
        words = f"{first.readings[0].edited}{between}{each.readings[0].edited}"
        made[-1] = replace(
            first, lemma=replace(first.lemma, words=lemma, edited=lemma), width=len(lemma),
            readings=(replace(first.readings[0], words=words, edited=words, variant="substantive"),),
            covers=(*first.covers, each.id, *each.covers))
    return made


def _neighbours(first: Entry, second: Entry) -> bool:
    if first.part != "notes" or first.unit != second.unit or not (_plain(first) and _plain(second)):
        return False
    between = first.within[first.end : second.offset]
    sizes = (graphs(each.edited) for entry in (first, second) for each in entry.groups())
    return (
        [each.witnesses for each in first.groups()] == [each.witnesses for each in second.groups()]
        and "transposition" not in (first.readings[0].variant, second.readings[0].variant)
        and graphs(between) <= _NEAR and max(sizes) <= LINE and not alphabetic(between))


def begin_with_clause(entry: Entry) -> Entry:
    """Return an entry of a phrase that begins with the particle of the clause before it, from the beginning of that
    clause: 「宾已就筵矣或疑降筵为误」, not 「矣或疑降筵为误」."""
    begin = clause(entry)[0]
    ahead = entry.within[begin : entry.offset]
    phrases = all(graphs(group.edited) > _PARTICLES and group.edited[0] in wording.FINAL for group in entry.groups())
    if not phrases or not 0 < len(ahead) <= LINE or not ahead.isalnum() or entry.inner:
        return entry
    lemma, *readings = (
        replace(group, words=ahead + group.words, edited=ahead + group.edited) for group in entry.groups())
    return replace(entry, lemma=lemma, readings=tuple(readings), offset=begin, width=entry.end - begin)


def fold_reworded(
    found: Iterable[Entry], abridgements: Sequence[Abridgement], folded: Mapping[str, Entry]
) -> tuple[list[Entry], tuple[Abridgement, ...]]:
    """Return entries without the phrases in which a work that abridges a note words it otherwise, and the abridged
    notes, which say so. `folded` are the entries that these replace already. The words of a paraphrase correspond to no
    words of the note: only single graphs are readings."""
    notes = {each.note: each for each in abridgements}
    edges = {(each.unit, at) for each in folded.values() for at in (each.offset, each.end)}
    kept: list[Entry] = []
    for each in found:
        note = notes.get(each.unit)
        if note and each.part == "notes" and _plain(each) and _reworded(each, note, edges):
            notes[each.unit] = replace(note, reworded=True, instead=(*note.instead, each.id, *each.covers))
        else:
            kept.append(each)
    return kept, tuple(notes[each.note] for each in abridgements)


def _reworded(entry: Entry, note: Abridgement, edges: Collection[tuple[str, int]]) -> bool:
    first = entry.readings[0]
    abridging = {name for names, _ in note.by for name in names}
    if not any({*each.witnesses} <= abridging for each in entry.groups()):
        return False
    if first.variant == "addition":
        return (entry.unit, entry.offset) in edges
    return first.variant == "substantive" and max(len(entry.lemma.edited), len(first.edited)) > 1


def join_same_words(found: Sequence[Entry]) -> Iterator[Entry]:
    """Yield entries in which a word that a short phrase has several times, each time with the same readings, is one."""
    groups: dict[object, list[list[Entry]]] = {}
    for each in found:
        if each.clauses and each.lemma.edited and all(r.witnesses and r.words and not r.note for r in each.readings):
            own = groups.setdefault((each.unit, tuple((r.witnesses, r.words) for r in each.groups())), [])
            if own and clause(each)[1] - clause(own[-1][0])[0] <= LINE and each.notes in ((), own[-1][0].notes):
                own[-1].append(each)
            else:
                own.append([each])
    joined: dict[str, Entry] = {}
    hidden: set[str] = set()
    for first, *others in (own for group in groups.values() for own in group if len(own) > 1):
        phrase = first.within[clause(first)[0] : clause(others[-1])[1]]
        if phrase.count(first.lemma.edited) == 1 + len(others):
            covers = (*first.covers, *(name for each in others for name in (each.id, *each.covers)))
            joined[first.id] = replace(first, phrase=phrase, times=1 + len(others), covers=covers)
            hidden.update(each.id for each in others)
    yield from (joined.get(each.id, each) for each in found if each.id not in hidden)


def with_reasons_once(found: Iterable[Entry], references: References) -> Iterator[Entry]:
    """Yield entries in which a reason that an earlier entry of the chapter gives in the same words is a reference to
    that one: 说见5.47.3; to one in the same unit 说见上. Reasons in letters stay: editors of such texts repeat them."""
    given: dict[tuple[str, str], tuple[str, str]] = {}
    for each in found:
        unit = each.unit.partition(".n")[0]
        where, chapter = references.of(unit).partition(":")[2], ".".join(unit.split(".")[:2])
        first = [given.setdefault((chapter, text), (where, each.id)) for text in each.notes]
        if any(name != each.id for _, name in first):
            each = replace(each, notes=tuple(
                text if name == each.id or alphabetic(text) else "说见上。" if place == where else f"说见{place}。"
                for text, (place, name) in zip(each.notes, first, strict=True)))
        yield each
