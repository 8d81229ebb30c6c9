"""Which of the places where words stand is quoted; none, if none is sure.

The less is said of whence words come, the more of them must be the same, and the more they must say: a formula that
stands in every chapter (主人坐奠爵) is quoted by nobody who does not name the chapter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.model.pointers import id_of, parent_of
from pipeline.quotations.extend import Likeness
from pipeline.quotations.openings import QuoteOpening
from pipeline.quotations.passages import TextStream
from pipeline.quotations.sources import SEED, WORDS, Sources, Standing

FEW, SOME, MANY = 20.0, 28.0, 40.0
"""Bits that words must say: where their chapter is named; where they are said to be near or somebody's; else. Of 131
quotations of tests/cases/quotations 118 are found with them and nothing that is none. The first may be 0 to 28 there;
34 for the second loses three, 50 for the last five, 30 finds one more in the sample and seven in all."""
SURE, FOREIGN = 5, 14
"""Graphs that must be the same besides: where 云 introduces words of the same chapter, and where another work is named,
or a chapter that has not these words (`WORDS`: where nothing is said). With 4 for the first one of ten that come in is
none, with 7 thirteen are lost; the second may be 8 to 20 in the texts of this repository."""
TIES = 3
"""So many places may say the same where it is not said which is meant. 1 loses three in all, 9 brings none."""
LABEL = 8
"""So many characters a comment may begin with that name who speaks: the longest label of this repository has six."""
PART = 0.6
"""So much of what stands in quotation marks must stand in the source: 0.3 brings one in all, 0.9 loses two."""
EACH = 3
"""So many graphs that differ at the beginning must be made up for by one more that is the same."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the places found for an opening."""

    stream: TextStream
    """The comment that may quote."""
    opening: QuoteOpening
    at: int
    """The first graph after the opening."""
    end: int
    """The first that the quotation cannot have."""
    own: int
    """How many of its graphs are the same in the words on which the comment is."""


def chosen(asked: Question, possible: Sequence[Standing], sources: Sources) -> list[Standing]:
    """Give of the places that may be meant the one that is quoted, and after it others that say the same; nothing if
    none is sure."""
    opening, chapter = asked.opening, asked.stream.chapter
    near = [each for each in possible if each.stream.chapter == chapter]
    if named := _named(opening, possible):
        quick = bool(opening.cue)
        return _likeliest(asked, named, sources, SEED if quick else SURE, FEW if quick else MANY, said=True)
    possible = [each for each in possible if each.size > asked.own]
    near = [each for each in near if each.size > asked.own]
    if opening.chapters or opening.foreign:
        return _likeliest(asked, possible, sources, FOREIGN, MANY)
    if opening.speakers:
        return _likeliest(asked, possible, sources, SURE, SOME)
    if opening.near and near:
        return _likeliest(asked, near, sources, SEED, SOME, said=True)
    if opening.cue.startswith("云") and near:
        least, bits = (SEED, SOME) if opening.marked else (SURE, MANY)
        return _likeliest(asked, near, sources, least, bits)
    return _likeliest(asked, possible, sources, WORDS, MANY)


def possible(asked: Question, candidates: Sequence[Standing], sources: Sources) -> list[Standing]:
    """Give of all places those that may be meant: of the same text; else base text of a chapter that this text has
    not, and before its own words where such a chapter is named."""
    spoken = [each for each in candidates if _speaks(asked.opening, each)]
    text, named = asked.stream.document, asked.opening.chapters
    known = sources.chapters[text]
    own = [each for each in spoken if each.stream.document == text]
    others = [
        each for each in spoken if not each.stream.note and each.stream.document != text
        and each.stream.document in sources.shown and sources.titles[each.stream.chapter] not in known
    ]
    if named.isdisjoint(each.stream.chapter for each in own):
        others = [each for each in others if each.stream.chapter in named] or others
        return others if not named.isdisjoint(each.stream.chapter for each in others) else own or others
    return own


def _named(opening: QuoteOpening, possible: Sequence[Standing]) -> list[Standing]:
    """Give the places in the chapter that is named, or, where it is named in other words, that are sure besides."""
    if named := [each for each in possible if each.stream.chapter in opening.chapters]:
        return named
    maybe = opening.maybe if opening.cue else ()
    return [each for each in possible if each.stream.chapter in maybe and each.size >= SURE]


def _likeliest(
    asked: Question, found: Sequence[Standing], sources: Sources, least: int, bits: float, *, said: bool = False
) -> list[Standing]:
    """Give the places with most of the words, the nearest first, if they are enough; `said`: it is said which."""
    found = [each for each in found if each.size >= least + (each.fit.here[0] - asked.at) // EACH]
    most = max((each.size for each in found), default=0)
    if not most or (asked.opening.marked and most < PART * (asked.end - asked.at)):
        return []
    found = [each for each in found if each.size == most]
    start, end = found[0].fit.here
    if sources.said(asked.stream.keys[start:end]) < bits or (len(found) > TIES and not said):
        return []
    chapter, place = asked.stream.chapter, sources.place(asked.stream.document, unit_of(asked.stream))
    return sorted(found, key=lambda each: (each.stream.chapter != chapter, abs(each.fit.there[0] - place)))


def _speaks(opening: QuoteOpening, found: Standing) -> bool:
    """Tell whether base text is quoted and this is some, or a comment and this is one of that kind or speaker, in his
    own words."""
    note = found.stream.note
    if note is None:
        return not opening.speakers or bool(opening.layer) or found.size >= FOREIGN
    if not opening.comment or opening.foreign:
        return False
    if (opening.layer and note.subtype != opening.layer) or (opening.speakers and note.resp not in opening.speakers):
        return False
    return in_own_words(found.stream, found.fit)


def in_own_words(stream: TextStream, fit: Likeness) -> bool:
    """Tell whether words are those of the text in which they stand, and not quoted there."""
    part, start, _ = next(stream.ranges(*fit.there))
    before = part.text[:start].rstrip("“「『‘:：,，《")
    return not before or before[-1] not in "云曰" or start <= LABEL


def beside(stream: TextStream, other: TextStream, fit: Likeness) -> bool:
    """Tell whether words that a comment shares with another stream are, for the greater part, those on which it is, or
    those of a comment beside it."""
    note: Any = stream.note
    if other.chapter != stream.chapter:
        return False
    if other.note:
        return unit_of(other) == unit_of(stream) or parent_of(note.id) == other.note.id
    units = (unit_of(stream), id_of(note.target_end), note.id.partition(".n")[0])
    places = [*filter(None, map(other.extent, units))]
    if not places:
        return False
    first, last = min(first for first, _ in places), max(last for _, last in places)
    start, end = fit.there
    return 2 * (min(end, last) - max(start, first)) > end - start


def unit_of(stream: TextStream) -> str:
    """Give the unit, head or trailer that a comment is on, through the notes on which it may be."""
    note: Any = stream.note
    return (id_of(note.target) or str(note.id)).partition(".n")[0]
