"""Where a quotation may begin, what the comment says of its source, and which of the possible places is quoted.

A quotation is introduced by a word of speech (云, 曰, 所谓), by quotation marks, or by the title of the quoted chapter.
Before a word of speech may stand the title of a work or chapter (公食大夫记云), 注 or 疏 of it, or that the words are
above or below (上云, 下文云, 经云). A chapter is called by its whole title, by its first words if no other chapter
begins so (公食, 特牲, 少牢), or by all but the first graph if no other ends so (昏礼 for 士昏礼).

The less a comment says of the source, the more words must agree, and the more distinctive they must be: nobody quotes a
formula of every chapter (主人坐奠爵) without naming the chapter. If no place is certain, none is chosen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add

from jiaokan.annotate.index import to_simplified
from jiaokan.model.pointers import id_of, parent_of
from jiaokan.proposals.library import NoteFacts, TextStream, normal_form
from jiaokan.proposals.sources import SEED, WORDS, Likeness, Sources, Standing
from jiaokan.settings.patterns import alternatives

_CUE = re.compile("(?:所谓|所言|[云曰])[:：,，]?[《]?[“「『‘]?|(?<![至自])[“「『]")
_CLOSING = {"“": "”", "「": "」", "『": "』", "‘": "’"}
_BETWEEN = re.compile("[》」]?[礼仪]?(?:[之记经传篇章文下上注疏序职又亦则直只乃唯惟皆并首末所]|{speaker})*[《“「]?")
"""What may stand between a title and the words of speech: 礼, 记, 注, 之文, who says it."""
_NEAR = re.compile("(?:[上下前后本]文?|[上下前后本]?经文?|[上下前后本]?记文?)[既已又亦直但唯只特]?$")
_HERE = re.compile("此[文经记注]?[既已又亦直但唯只特]?$")
"""Said of the words on which a comment is."""
_AGAIN = re.compile("又$")
_AFTER = re.compile("[》]?[礼仪]?(?:之?[记经])?[之言]?")
"""What may follow a title that stands directly before the words quoted."""
_HEAD = 2
"""Graphs that the short form of a title has at least."""
_LOOK = 16
"""Characters before a word of speech in which who speaks is sought, and in half as many a title
(docs/development/measured.md)."""


@dataclass(frozen=True, slots=True)
class QuoteOpening:
    """A place in a comment after which a quotation may begin."""

    at: int
    end: int
    """Where it ends at the latest: a closing mark, or the end of the comment."""
    cue: str
    chapters: frozenset[str] = frozenset()
    foreign: bool = False
    near: bool = False
    here: bool = False
    """Whether they are said to be those on which the comment is."""
    comment: bool = False
    speakers: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()
    """Ids of chapters named shortly before, but in other words than those that introduce a quotation."""
    layer: str = ""
    """Of which kind it is: ``zhu`` 注, ``shu`` 疏; empty where a person is named."""
    marked: bool = False
    """Whether quotation marks say where it ends."""


def _parts(title: str) -> list[str]:
    return [title[:size] for size in range(_HEAD, len(title))] + [title[1:]] * (len(title) > _HEAD)


class Names:
    """The words by which chapters and speakers of some texts are called. `chapters` are given by id and title,
    `speakers` by id with their names."""

    def __init__(self, chapters: Iterable[tuple[str, str]], speakers: Mapping[str, Iterable[str]]) -> None:
        whole: dict[str, set[str]] = {}
        for identifier, printed in chapters:
            title = normal_form(printed)
            if len(title) > 1:
                whole.setdefault(title, set()).add(identifier)
        parts = Counter(part for title in whole for part in _parts(title))
        called: dict[str, set[str]] = {}
        for title, ids in whole.items():
            for part in (title, *(part for part in _parts(title) if parts[part] == 1 and part not in whole)):
                called.setdefault(part, set()).update(ids)
        self.chapters: Mapping[str, frozenset[str]] = {name: frozenset(ids) for name, ids in called.items()}
        self._heads: dict[str, list[str]] = {}
        for name in sorted(called, key=len, reverse=True):
            self._heads.setdefault(name[:_HEAD], []).append(name)
        speakers_of: dict[str, set[str]] = {}
        for person, names in speakers.items():
            for name in map(to_simplified, names):
                for form in (name, name[0], f"{name[0]}氏") if len(name) > 1 else ():
                    speakers_of.setdefault(form, set()).add(person)
        self.speakers: Mapping[str, frozenset[str]] = {form: frozenset(ids) for form, ids in speakers_of.items()}
        speaker = alternatives(self.speakers)
        self.between = re.compile(_BETWEEN.pattern.replace("{speaker}", speaker))
        self.comment = re.compile(f"(?:(?P<who>{speaker})(?P<by>[注疏])?|(?P<of>[注疏]))[又亦则彼此]?$")

    def titles(self, text: str) -> Iterator[tuple[int, int, frozenset[str]]]:
        """Yield the places where a text in normal form names chapters, with their ids. Titles are found by their
        first two graphs, since a library has thousands."""
        end = 0
        for at, head in enumerate(map(add, text, text[1:])):
            if at < end or head not in self._heads:
                continue
            name = next((title for title in self._heads[head] if text.startswith(title, at)), "")
            if name:
                end = at + len(name)
                yield at, end, self.chapters[name]

    def quoted_comment(self, words: str) -> tuple[str, frozenset[str]] | None:
        """Return the kind of comment and the persons that words before 云 quote; None if nobody is quoted."""
        match = self.comment.search(words)
        if not match:
            return None
        kind = match["by"] or match["of"] or ""
        return {"注": "zhu", "疏": "shu"}.get(kind, ""), self.speakers.get(match["who"] or "", frozenset())


def openings(note: NoteFacts, text: str, names: Names) -> Iterator[QuoteOpening]:
    """Yield the places of a comment with the words `text` after which a quotation may begin, in order."""
    plain = to_simplified(text)
    closed, named = note.closed, list(names.titles(normal_form(text)))
    foreign = [(a, b) for a, b in note.foreign if not any(
        a <= start and end <= b and _AFTER.fullmatch(plain, end, b) for start, end, _ in named)]
    before: QuoteOpening | None = None
    results: list[QuoteOpening] = []
    for match in _CUE.finditer(plain):
        if match.end() >= len(plain) or any(start <= match.start() < end for start, end in closed):
            continue
        mark = match[0][-1]
        stop = plain.find(_CLOSING[mark], match.end()) if mark in _CLOSING else -1
        opening = QuoteOpening(match.end(), stop if stop >= 0 else len(plain), match[0], marked=stop >= 0)
        before = _with_source(opening, plain, match.start(), named, foreign, names, before)
        results.append(before)
    for start, end, chapters in named:
        extra = _AFTER.match(plain, end)
        last = extra.end() if extra else end
        if plain[last : last + 1] and not _CUE.match(plain, last) and not any(a <= start < b for a, b in closed):
            results.append(QuoteOpening(last, len(plain), "", chapters))
    yield from sorted(results, key=lambda opening: (opening.at, not opening.cue))


def _with_source(
    opening: QuoteOpening, plain: str, cue: int, named: Sequence[tuple[int, int, frozenset[str]]],
    foreign: Sequence[tuple[int, int]], names: Names, before: QuoteOpening | None,
) -> QuoteOpening:
    lead = plain[max(0, cue - _LOOK) : cue]
    title = next((place for place in reversed(named) if 0 <= cue - place[1] <= _LOOK // 2), None)
    other = next((place for place in reversed(foreign) if _leads(plain, place[1], cue, names)), None)
    reported = names.quoted_comment(lead)
    if title and _leads(plain, title[1], cue, names) and not (other and other[1] > title[1]):
        spoken = names.quoted_comment(plain[title[1] : cue]) or names.quoted_comment(plain[:title[0]].rstrip("《"))
        layer, who = spoken or ("", frozenset[str]())
        return replace(opening, chapters=title[2], comment=bool(layer or who), layer=layer, speakers=who)
    if other:
        return replace(opening, foreign=True)
    if _HERE.search(lead):
        return replace(opening, here=True)
    if _NEAR.search(lead):
        return replace(opening, near=True)
    if reported:
        chapters = before.chapters if before and not reported[1] else frozenset[str]()
        return replace(opening, comment=True, layer=reported[0], speakers=reported[1], chapters=chapters,
                       near=not chapters, foreign=bool(before and before.foreign))
    if before and _AGAIN.search(lead):
        return replace(before, at=opening.at, end=opening.end, cue=opening.cue, marked=opening.marked)
    if title and not re.search("[。；;○]", plain[title[1] : cue]):
        return replace(opening, maybe=title[2])
    return opening


def _leads(plain: str, end: int, cue: int, names: Names) -> bool:
    return 0 <= cue - end <= _LOOK // 2 and bool(names.between.fullmatch(plain, end, cue))


FEW, SOME, MANY = 20.0, 28.0, 40.0
"""Bits that words must say: where their chapter is named; where they are said to be near or somebody's; else
(docs/development/measured.md)."""
SURE, FOREIGN = 5, 14
"""Graphs that must be the same besides: where 云 introduces words of the same chapter, and where another work is named,
or a chapter that has not these words (`WORDS`: where nothing is said; docs/development/measured.md)."""
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
    """The conditions on the places found for an opening."""

    stream: TextStream
    opening: QuoteOpening
    at: int
    end: int


def choose_sources(
    question: Question, lemma_size: int, possible: Sequence[Standing], sources: Sources
) -> list[Standing]:
    """Return the quoted one of the possible places, then others with the same words; empty if none is certain.
    `lemma_size` is how many graphs are the same in the words on which the comment is."""
    opening, chapter = question.opening, question.stream.chapter
    named = [standing for standing in possible if standing.stream.chapter in opening.chapters]
    if not named and opening.cue:
        named = [
            standing for standing in possible if standing.stream.chapter in opening.maybe and standing.size >= SURE
        ]
    if named:
        least, bits = (SEED, FEW) if opening.cue else (SURE, MANY)
        return _likeliest(question, named, sources, least, bits, is_named=True)
    possible = [standing for standing in possible if standing.size > lemma_size]
    near = [standing for standing in possible if standing.stream.chapter == chapter]
    if opening.chapters or opening.foreign:
        return _likeliest(question, possible, sources, FOREIGN, MANY)
    if opening.speakers:
        return _likeliest(question, possible, sources, SURE, SOME)
    if opening.near and near:
        return _likeliest(question, near, sources, SEED, SOME, is_named=True)
    if opening.cue.startswith("云") and near:
        least, bits = (SEED, SOME) if opening.marked else (SURE, MANY)
        return _likeliest(question, near, sources, least, bits)
    return _likeliest(question, possible, sources, WORDS, MANY)


def possible_sources(question: Question, candidates: Sequence[Standing], sources: Sources) -> list[Standing]:
    """Return the places that may be meant: in the same text; else in the base text of a chapter that this text lacks.
    A chapter that is named comes before the comment's own words."""
    spoken = [standing for standing in candidates if _is_of_kind(question.opening, standing)]
    text, named = question.stream.document, question.opening.chapters
    known = sources.chapters[text]
    in_text = [standing for standing in spoken if standing.stream.document == text]
    others = [
        standing for standing in spoken if not standing.stream.note and standing.stream.document != text
        and standing.stream.document in sources.shown and sources.titles[standing.stream.chapter] not in known
    ]
    if named.isdisjoint(standing.stream.chapter for standing in in_text):
        others = [standing for standing in others if standing.stream.chapter in named] or others
        return others if not named.isdisjoint(standing.stream.chapter for standing in others) else in_text or others
    return in_text


def _likeliest(
    question: Question, standings: Sequence[Standing], sources: Sources, least: int, bits: float, *,
    is_named: bool = False,
) -> list[Standing]:
    standings = [
        standing for standing in standings
        if standing.size >= least + (standing.fit.here[0] - question.at) // EACH
    ]
    most = max((standing.size for standing in standings), default=0)
    if not most or (question.opening.marked and most < PART * (question.end - question.at)):
        return []
    standings = [standing for standing in standings if standing.size == most]
    start, end = standings[0].fit.here
    if sources.information(question.stream.keys[start:end]) < bits or (len(standings) > TIES and not is_named):
        return []
    chapter, place = question.stream.chapter, sources.place(question.stream.document, unit_of(question.stream))
    return sorted(standings, key=lambda standing: (
        standing.stream.chapter != chapter, abs(standing.fit.there[0] - place)))


def _is_of_kind(opening: QuoteOpening, standing: Standing) -> bool:
    """Whether base text is quoted and this is some, or a comment and this is of that kind or speaker, in own words."""
    note = standing.stream.note
    if note is None:
        return not opening.speakers or bool(opening.layer) or standing.size >= FOREIGN
    if not opening.comment or opening.foreign:
        return False
    if (opening.layer and note.subtype != opening.layer) or (opening.speakers and note.resp not in opening.speakers):
        return False
    return is_in_own_words(standing.stream, standing.fit)


def is_in_own_words(stream: TextStream, fit: Likeness) -> bool:
    """Whether words belong to the text that contains them and are not quoted there."""
    part, start, _ = next(stream.ranges(*fit.there))
    before = part.text[:start].rstrip("“「『‘:：,，《")
    return not before or before[-1] not in "云曰" or start <= LABEL


def is_beside(stream: TextStream, other: TextStream, fit: Likeness) -> bool:
    """Whether most words that a comment shares with a stream are those it comments on or of a neighbouring comment."""
    note = stream.note
    if other.chapter != stream.chapter:
        return False
    assert note is not None, "a comment is a note"
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
    """Return the unit, head or trailer that a comment is on, through the notes on which it may be."""
    note = stream.note
    assert note is not None, "a comment is a note"
    return (id_of(note.target) or str(note.id)).partition(".n")[0]
