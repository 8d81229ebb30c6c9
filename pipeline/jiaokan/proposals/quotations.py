"""The quotations in comments from other passages of the folder's texts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from jiaokan.model import Document
from jiaokan.model.pointers import Range
from jiaokan.proposals.library import Library, TextStream
from jiaokan.proposals.openings import Names, Question, beside, chosen, in_own_words, openings, possible
from jiaokan.proposals.sources import SEED, Place, Sources, Standing, Wanted, extended, joined, led_up
from jiaokan.system.process import without_collection

SKIPPED, FAR = 2, 8
"""Graphs at the beginning of a quotation that the source may have otherwise; the second, where its chapter is named."""
ASKED = 500_000
"""Different rows of four graphs that are sought at a time, each time through all texts: about 300 MB."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """Words of a comment that another passage has."""

    here: Range
    source: tuple[Range, ...]
    """Where the words stand, by units or notes in reading order."""
    document: str = ""
    """Id of the text that has them, if it is another; else empty."""
    also: tuple[Range, ...] = ()
    """Where in the same text they stand as well."""
    speaker: str = ""
    words: str = ""
    said: str = ""
    """The same as the source has them, if they differ; else empty."""


def quotations(
    documents: Iterable[Document], speakers: Mapping[str, Iterable[str]] = MappingProxyType({}),
    shown: Collection[str] | None = None,
) -> dict[str, tuple[Quotation, ...]]:
    """Return for each numbered text, by id, what its comments quote, in reading order; as `quotations_in`."""
    with Library() as library:
        return quotations_in(library, [library.lay(document) for document in documents], speakers, shown)


@without_collection()
def quotations_in(
    library: Library, texts: Sequence[str], speakers: Mapping[str, Iterable[str]] = MappingProxyType({}),
    shown: Collection[str] | None = None,
) -> dict[str, tuple[Quotation, ...]]:
    """Return the quotations in the comments of each named text of a library, in reading order. `speakers` are the
    names of persons by id; `shown` the ids of the texts to which others may point (None: all). If a text has a
    chapter itself, its own words are the source."""
    sources = Sources(library, [*dict.fromkeys(texts)], shown)
    names = Names(sources.named, speakers)
    made: dict[str, dict[int, list[Quotation]]] = {name: {} for name in sources.texts}
    for comment, found in _answered(sources, names):
        made[comment.stream.document][comment.stream.key] = found
    return {name: tuple(each for key in sorted(found) for each in found[key]) for name, found in made.items()}


Answer = tuple[Quotation, int] | None
"""What is quoted, and the graph before which that ends; None: nothing."""
Seek = Callable[[TextStream, int, frozenset[str]], Iterator[Place]]
"""Gives where the graphs of a comment stand that begin with one, for the chapters that it names."""


@dataclass(slots=True)
class _Comment:
    """A comment that may quote."""

    stream: TextStream
    asked: list[Question]
    answers: list[Answer | int]
    """The quotation after each opening; a number, if other texts are to be searched: graphs shared with its lemma."""


def _answered(sources: Sources, names: Names) -> Iterator[tuple[_Comment, list[Quotation]]]:
    """Yield each comment with its quotations. Other texts are searched only if the comment's own text and the
    chapters that it names have no possible source: in a library most places are in other texts."""
    waiting: list[_Comment] = []
    wanted = Wanted()
    for name in sources.texts:
        asking = [(stream, asked) for stream in sources.library.comments(name)
                  if (asked := [*_openings(stream, names)])]
        grams = {stream.keys[start : start + SEED] for stream, asked in asking for each in asked
                 for start in _beginnings(each)}
        near = partial(sources.near, sources.own(name, grams) if asking else {})
        for stream, asked in asking:
            comment = _Comment(stream, asked, [*_answers(asked, sources, near)])
            unsettled = [each for each, answer in zip(asked, comment.answers, strict=True) if isinstance(answer, int)]
            if not unsettled:
                yield comment, _quoted(comment, sources, wanted)
                continue
            waiting.append(comment)
            for each in unsettled:
                for start in _beginnings(each):
                    wanted.add(stream, start)
        if len(wanted.counts) >= ASKED or name == sources.texts[-1]:
            sources.seek(wanted)
            yield from ((comment, _quoted(comment, sources, wanted)) for comment in waiting)
            waiting, wanted = [], Wanted()


def _answers(asked: Iterable[Question], sources: Sources, near: Seek) -> Iterator[Answer | int]:
    done, sure = 0, True
    for each in asked:
        if sure and each.at < done:
            yield None
            continue
        meant, size = _possible(each, sources, near)
        sure = sure and bool(meant)
        answer = _chosen(each, size, sources, meant) if meant else size
        if isinstance(answer, tuple):
            done = answer[1]
        yield answer


def _quoted(comment: _Comment, sources: Sources, wanted: Wanted) -> list[Quotation]:
    made: list[Quotation] = []
    done, far = 0, partial(sources.far, wanted)
    for each, answer in zip(comment.asked, comment.answers, strict=True):
        if each.at < done:
            continue
        if isinstance(answer, int):
            meant, _ = _possible(each, sources, far, answer)
            answer = _chosen(each, answer, sources, meant) if meant else None
        if answer:
            made.append(answer[0])
            done = answer[1]
    return made


def _openings(stream: TextStream, names: Names) -> Iterator[Question]:
    (part,) = stream.parts
    assert stream.note is not None
    for each in openings(stream.note, part.text, names):
        at, end = bisect_left(part.places, each.at), bisect_left(part.places, each.end)
        if end - at >= SEED and not each.here:
            yield Question(stream, each, at, end)


def _beginnings(asked: Question) -> range:
    reach = FAR if asked.opening.cue and (asked.opening.chapters or asked.opening.near) else SKIPPED
    return range(asked.at, min(asked.at + reach, asked.end - SEED) + 1)


def _possible(asked: Question, sources: Sources, seek: Seek, own: int = 0) -> tuple[list[Standing], int]:
    candidates: dict[tuple[int, int], Standing] = {}
    stream, at, end = asked.stream, asked.at, asked.end
    places = ((start, *place) for start in _beginnings(asked) for place in seek(stream, start, asked.opening.chapters))
    seen: set[tuple[int, int, int]] = set()
    for start, other, place in places:
        if other.key == stream.key or (other.key, place - start, start) in seen:  # found from an earlier graph
            continue
        lead = led_up(stream.keys, start, other.keys, place, at)
        found = Standing(other, joined(lead, extended(stream.keys, start, other.keys, place, end)))
        if found.fit.here[0] == at:  # else a longer lead may be found from a later graph
            seen.update((other.key, y - x, x + n) for x, y, size in found.fit.blocks for n in range(min(size, FAR)))
        if beside(stream, found.stream, found.fit):
            own = max(own, found.size if in_own_words(found.stream, found.fit) else 0)
            continue
        key = found.stream.key, found.fit.there[1]  # the same place, found from several of its graphs
        if key not in candidates or candidates[key].size < found.size:
            candidates[key] = found
    return possible(asked, list(candidates.values()), sources), own


def _chosen(asked: Question, own: int, sources: Sources, meant: Sequence[Standing]) -> Answer:
    found = chosen(asked, own, meant, sources)
    if not found:
        return None
    first, *others = found
    stream, text = asked.stream, first.stream.document
    ((part, start, end),) = stream.ranges(*first.fit.here)
    words, there = stream.graphs(*first.fit.here), first.stream.graphs(*first.fit.there)
    quotation = Quotation(
        Range(part.id, start, end - start), tuple(first.ranges()), text if text != stream.document else "",
        tuple(each for other in others for each in other.ranges()), stream.note.resp if stream.note else "",
        words, there if there != words else "",
    )
    return quotation, first.fit.here[1]
