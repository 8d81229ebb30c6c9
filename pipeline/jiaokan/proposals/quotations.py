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
from jiaokan.proposals.openings import (
    Names,
    Question,
    choose_sources,
    is_beside,
    is_in_own_words,
    openings,
    possible_sources,
)
from jiaokan.proposals.sources import SEED, Place, Sources, Standing, Wanted, extend, extend_back, join
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
    source_words: str = ""
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
    by_text: dict[str, dict[int, list[Quotation]]] = {name: {} for name in sources.texts}
    for comment, in_comment in _answer_comments(sources, names):
        by_text[comment.stream.document][comment.stream.key] = in_comment
    return {
        name: tuple(quotation for key in sorted(by_comment) for quotation in by_comment[key])
        for name, by_comment in by_text.items()
    }


Answer = tuple[Quotation, int] | None
"""What is quoted, and the graph before which that ends; None: nothing."""
Seek = Callable[[TextStream, int, frozenset[str]], Iterator[Place]]
"""Yields where the graphs of a comment stand that begin with one, for the chapters that it names."""


@dataclass(slots=True)
class _Comment:
    """A comment that may quote."""

    stream: TextStream
    questions: list[Question]
    answers: list[Answer | int]
    """The quotation after each opening; a number, if other texts are to be searched: graphs shared with its lemma."""


def _answer_comments(sources: Sources, names: Names) -> Iterator[tuple[_Comment, list[Quotation]]]:
    """Yield each comment with its quotations. Other texts are searched only if the comment's own text and the
    chapters that it names have no possible source: in a library most places are in other texts."""
    waiting: list[_Comment] = []
    wanted = Wanted()
    for name in sources.texts:
        asking = [(stream, questions) for stream in sources.library.comments(name)
                  if (questions := [*_openings(stream, names)])]
        grams = {stream.keys[start : start + SEED] for stream, questions in asking for question in questions
                 for start in _beginnings(question)}
        near = partial(sources.near, sources.places_in(name, grams) if asking else {})
        for stream, questions in asking:
            comment = _Comment(stream, questions, [*_answers(questions, sources, near)])
            unsettled = [
                question for question, answer in zip(questions, comment.answers, strict=True) if isinstance(answer, int)
            ]
            if not unsettled:
                yield comment, _quotations_of(comment, sources, wanted)
                continue
            waiting.append(comment)
            for question in unsettled:
                for start in _beginnings(question):
                    wanted.add(stream, start)
        if len(wanted.counts) >= ASKED or name == sources.texts[-1]:
            sources.seek(wanted)
            yield from ((comment, _quotations_of(comment, sources, wanted)) for comment in waiting)
            waiting, wanted = [], Wanted()


def _answers(questions: Iterable[Question], sources: Sources, near: Seek) -> Iterator[Answer | int]:
    done, sure = 0, True
    for question in questions:
        if sure and question.at < done:
            yield None
            continue
        meant, size = _possible(question, sources, near)
        sure = sure and bool(meant)
        answer = _choose(question, size, sources, meant) if meant else size
        if isinstance(answer, tuple):
            done = answer[1]
        yield answer


def _quotations_of(comment: _Comment, sources: Sources, wanted: Wanted) -> list[Quotation]:
    results: list[Quotation] = []
    done, far = 0, partial(sources.far, wanted)
    for question, answer in zip(comment.questions, comment.answers, strict=True):
        if question.at < done:
            continue
        if isinstance(answer, int):
            meant, _ = _possible(question, sources, far, answer)
            answer = _choose(question, answer, sources, meant) if meant else None
        if answer:
            results.append(answer[0])
            done = answer[1]
    return results


def _openings(stream: TextStream, names: Names) -> Iterator[Question]:
    (part,) = stream.parts
    assert stream.note is not None
    for opening in openings(stream.note, part.text, names):
        at, end = bisect_left(part.places, opening.at), bisect_left(part.places, opening.end)
        if end - at >= SEED and not opening.here:
            yield Question(stream, opening, at, end)


def _beginnings(question: Question) -> range:
    reach = FAR if question.opening.cue and (question.opening.chapters or question.opening.near) else SKIPPED
    return range(question.at, min(question.at + reach, question.end - SEED) + 1)


def _possible(question: Question, sources: Sources, seek: Seek, lemma_size: int = 0) -> tuple[list[Standing], int]:
    candidates: dict[tuple[int, int], Standing] = {}
    stream, at, end = question.stream, question.at, question.end
    chapters = question.opening.chapters
    places = ((start, *place) for start in _beginnings(question) for place in seek(stream, start, chapters))
    seen: set[tuple[int, int, int]] = set()
    for start, other, place in places:
        if other.key == stream.key or (other.key, place - start, start) in seen:  # found from an earlier graph
            continue
        lead = extend_back(stream.keys, start, other.keys, place, at)
        standing = Standing(other, join(lead, extend(stream.keys, start, other.keys, place, end)))
        if standing.fit.here[0] == at:  # else a longer lead may be found from a later graph
            seen.update((other.key, y - x, x + n) for x, y, size in standing.fit.blocks for n in range(min(size, FAR)))
        if is_beside(stream, standing.stream, standing.fit):
            lemma_size = max(lemma_size, standing.size if is_in_own_words(standing.stream, standing.fit) else 0)
            continue
        key = standing.stream.key, standing.fit.there[1]  # the same place, found from several of its graphs
        if key not in candidates or candidates[key].size < standing.size:
            candidates[key] = standing
    return possible_sources(question, list(candidates.values()), sources), lemma_size


def _choose(question: Question, lemma_size: int, sources: Sources, meant: Sequence[Standing]) -> Answer:
    standings = choose_sources(question, lemma_size, meant, sources)
    if not standings:
        return None
    first, *others = standings
    stream, text = question.stream, first.stream.document
    ((part, start, end),) = stream.ranges(*first.fit.here)
    words, there = stream.graphs(*first.fit.here), first.stream.graphs(*first.fit.there)
    quotation = Quotation(
        Range(part.id, start, end - start), tuple(first.ranges()), text if text != stream.document else "",
        tuple(place for other in others for place in other.ranges()), stream.note.resp if stream.note else "",
        words, there if there != words else "",
    )
    return quotation, first.fit.here[1]
