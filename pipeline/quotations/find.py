"""What comments quote from other passages of the same folder's texts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from pipeline.model import Document
from pipeline.model.pointers import Range
from pipeline.quotations.choose import Question, beside, chosen, in_own_words, possible
from pipeline.quotations.extend import extended, joined, led_up
from pipeline.quotations.library import Library
from pipeline.quotations.openings import Names, QuoteOpening, openings
from pipeline.quotations.passages import TextStream
from pipeline.quotations.sources import SEED, WORDS, Place, Sources, Standing, Wanted

SKIPPED, FAR = 2, 8
"""So many graphs at the beginning of a quotation may stand otherwise in the source; the second, where it is said which
chapter is quoted (司射卒诱射遂适堂西 for 遂适堂西): of 334 quotations eleven are found so."""
ASKED = 500_000
"""So many different rows of four graphs are sought at a time, each time through all texts: about 300 MB. With more
there are fewer such times, and each takes a fifth of a second for a million characters."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a comment that stand in another passage."""

    here: Range
    source: tuple[Range, ...]
    """Where the words stand, by units or notes in reading order."""
    document: str = ""
    """Id of the text that has them, if it is another; else empty."""
    also: tuple[Range, ...] = ()
    """Where in the same text they stand as well."""
    speaker: str = ""
    """Who comments: the id of a person."""
    words: str = ""
    """The graphs that are quoted, as the comment has them."""
    said: str = ""
    """The same as the source has them, if they differ; else empty."""


def quotations(
    documents: Iterable[Document], speakers: Mapping[str, Iterable[str]] = MappingProxyType({}),
    shown: Collection[str] | None = None,
) -> dict[str, tuple[Quotation, ...]]:
    """Give for each numbered text, by id, what its comments quote, in reading order; as `quotations_in`."""
    with Library() as library:
        return quotations_in(library, [library.lay(document) for document in documents], speakers, shown)


def quotations_in(
    library: Library, texts: Sequence[str], speakers: Mapping[str, Iterable[str]] = MappingProxyType({}),
    shown: Collection[str] | None = None,
) -> dict[str, tuple[Quotation, ...]]:
    """Give for each text of a library that is named what its comments quote, in reading order.

    `speakers` gives the names of those who may speak in the texts, by id; `shown` the ids of the texts into which
    others may point (None: all). Of a chapter that a text has itself, its own words are the source.
    """
    sources = Sources(library, [*dict.fromkeys(texts)], shown)
    names = Names(sources.named, speakers)
    made: dict[str, list[Quotation]] = {name: [] for name in sources.texts}
    for asked, wanted in _batches(sources, names):
        sources.seek(wanted)
        for stream, places in asked:
            made[stream.document] += _in_comment(stream, places, sources, wanted)
    return {name: tuple(each) for name, each in made.items()}


Asked = tuple[QuoteOpening, int, int]
"""An opening, the first graph of the stream after it, and the first that is beyond its end."""


def _batches(sources: Sources, names: Names) -> Iterator[tuple[list[tuple[TextStream, list[Asked]]], Wanted]]:
    """Give the comments that may quote with what they ask for, so many at a time as memory is meant for."""
    asked: list[tuple[TextStream, list[Asked]]] = []
    wanted = Wanted()
    for name in sources.texts:
        for stream in sources.library.streams(name, comments=True):
            if not (places := [*_asked(stream, names)]):
                continue
            asked.append((stream, places))
            for opening, at, end in places:
                for start in _beginnings(opening, at, end):
                    wanted.add(stream, start, opening.chapters)
        if len(wanted.counts) >= ASKED:
            yield asked, wanted
            asked, wanted = [], Wanted()
    if asked:
        yield asked, wanted


def _asked(stream: TextStream, names: Names) -> Iterator[Asked]:
    (part,) = stream.parts
    assert stream.note is not None
    for each in openings(stream.note, part.text, names):
        at, end = bisect_left(part.places, each.at), bisect_left(part.places, each.end)
        if end - at >= SEED and not each.here:
            yield each, at, end


def _beginnings(opening: QuoteOpening, at: int, end: int) -> range:
    """Give each graph with which a quotation may begin to be what the source has."""
    reach = FAR if opening.cue and (opening.chapters or opening.near) else SKIPPED
    return range(at, min(at + reach, end - SEED) + 1)


def _in_comment(stream: TextStream, asked: Iterable[Asked], sources: Sources, wanted: Wanted) -> Iterator[Quotation]:
    done = 0
    for opening, at, end in asked:
        if at >= done and (found := _quoted(stream, (opening, at, end), sources, wanted)):
            yield _quotation(stream, found)
            done = found[0].fit.here[1]


def _quoted(stream: TextStream, asked: Asked, sources: Sources, wanted: Wanted) -> list[Standing]:
    """Give the place that is quoted after an opening, and those that say the same; nothing if none is sure.

    Other texts are looked at only where the own one and the chapters that are named have nothing that may be meant: in
    a library most places are there, and the more, the larger it is.
    """
    candidates: dict[tuple[int, int], Standing] = {}
    own = 0
    for places in (sources.near, sources.far):
        for found in _standings(stream, asked, partial(places, wanted)):
            if beside(stream, found.stream, found.fit):
                own = max(own, found.size if in_own_words(found.stream, found.fit) else 0)
                continue
            key = found.stream.key, found.fit.there[1]  # the same place, found from several of its graphs
            if key not in candidates or candidates[key].size < found.size:
                candidates[key] = found
        question = Question(stream, *asked, own)
        if meant := possible(question, list(candidates.values()), sources):
            return chosen(question, meant, sources)
    return []


def _standings(
    stream: TextStream, asked: Asked, places: Callable[[str, TextStream, frozenset[str]], Iterator[Place]]
) -> Iterator[Standing]:
    """Give where the words after an opening stand, each with how far they go on alike."""
    opening, at, end = asked
    for start in _beginnings(opening, at, end):
        for other, place in places(stream.keys[start : start + SEED], stream, opening.chapters):
            if other.key != stream.key and _worth(stream, opening, start, other, place):
                fit = extended(stream.keys, start, other.keys, place, end)
                lead = led_up(stream.keys, start, other.keys, place, at)
                yield Standing(other, joined(lead, fit))


def _worth(stream: TextStream, opening: QuoteOpening, start: int, other: TextStream, place: int) -> bool:
    """Tell whether a place is followed: in another text whose chapter nobody names, so many words must be the same
    that it could be chosen."""
    if other.document == stream.document or other.chapter in opening.chapters:
        return True
    return other.keys.startswith(stream.keys[start : start + WORDS], place)


def _quotation(stream: TextStream, found: Sequence[Standing]) -> Quotation:
    """Give what is quoted from the first of some places."""
    first, *others = found
    ((part, start, end),) = stream.ranges(*first.fit.here)
    text = first.stream.document
    words, said = stream.graphs(*first.fit.here), first.stream.graphs(*first.fit.there)
    return Quotation(
        Range(part.id, start, end - start), tuple(first.ranges()), text if text != stream.document else "",
        tuple(each for other in others for each in other.ranges()), stream.note.resp if stream.note else "",
        words, said if said != words else "",
    )
