"""Where in a chapter the words are that collation notes speak of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from jiaokan.annotate.citations import works
from jiaokan.annotate.index import to_simplified
from jiaokan.characters.equality import akin
from jiaokan.characters.shapes import look_alike
from jiaokan.collate.settings import SETTINGS
from jiaokan.collate.testimony.order import fix_in_order
from jiaokan.collate.testimony.types import Claim, Report, forms
from jiaokan.model import Division, Note, Unit
from jiaokan.model.pointers import Range
from jiaokan.model.text import counted
from jiaokan.model.walk import items

_BELOW = re.compile("下.{0,4}同|[後后][放做倣]此|[後后]同")
"""A gloss that says so is on the first of several places."""
_PLACE_NAME = re.compile("[年篇章節节卦禮礼注註疏傳传箋笺]$")
"""The end of words before a quotation that say where it is: 隱元年, 覲禮, 章句."""
Places = list[tuple[Range, str]]
_At = tuple[int, int]
"""The number of a unit, and an offset in it."""


class Located(NamedTuple):
    """A claim with the places of its words, and what the edition has there."""

    claim: Claim
    places: Places
    against_order: bool = False  # whether its one place is not between those of the notes before and after


def locate(chapter: Division, claims: Sequence[Claim]) -> list[Located]:
    """Return the claims with their places. Of several places the one counts that is between those of the notes before
    and after: books of notes follow the text."""
    every = [item for item in items(chapter.items) if isinstance(item, (Unit, Note)) and item.id]
    runs = _Runs(every)
    located = [Located(claim, [] if claim.short else runs.find(claim)) for claim in claims]
    order = {item.id: number for number, item in enumerate(every)}
    fixed = _fix_notes(located, order)
    located = [Located(claim, _restrict_to_order(n, located, order, fixed) if len(places) > 1 else places)
               for n, (claim, places, _) in enumerate(located)]
    located = [Located(claim, places or ([] if claim.short else _find_between(n, located, runs, order, fixed)))
               for n, (claim, places, _) in enumerate(located)]
    shorts = [claim for claim in claims if claim.short]
    in_order = dict(zip(map(id, shorts), runs.find_in_order(shorts), strict=True))
    return [Located(claim, in_order[id(claim)]) if id(claim) in in_order else
            Located(claim, places, _is_against_order(n, located, runs, order, fixed))
            for n, (claim, places, _) in enumerate(located)]


def _fix_notes(located: Sequence[Located], order: Mapping[str, int]) -> dict[int, tuple[int, int]]:
    """Return the unit and offset of the claims with one place that are in the order of the notes, by their number."""
    places = [claim.places[0] if len(claim.places) == 1 else None for claim in located]
    starts = [[(order[place[0].id], place[0].offset)] if place else [] for place in places]
    return fix_in_order(starts, [1] * len(starts))


def _is_against_order(
    number: int, located: Sequence[Located], runs: _Runs, order: Mapping[str, int], fixed: Mapping[int, _At]
) -> bool:
    """Whether the one place of a claim is units away from between those of the notes before and after, and only few
    words say that it is the place: the note may be on words that this text does not have."""
    claim, places, _ = located[number]
    before, after = _neighbours(number, located, fixed)
    if len(places) != 1 or number in fixed or (before and after and before > after):
        return False
    unit = order[places[0][0].id]
    inside = (before[0] - 1 if before else 0) <= unit <= (after[0] + 1 if after else len(order))
    long = len(_graphs(claim.quote)) >= SETTINGS.phrase + SETTINGS.chance
    return not inside and not (long and runs.has_whole(claim, places[0]))


def _restrict_to_order(
    number: int, located: Sequence[Located], order: Mapping[str, int], fixed: Mapping[int, tuple[int, int]]
) -> Places:
    """Return those of a claim's places that are in the order of the notes, if it is one; else all."""
    places = located[number].places
    before, after = _neighbours(number, located, fixed)
    fitting = [place for place in places
               if (before or (-1, 0)) <= (order[place[0].id], place[0].offset) <= (after or (len(order), 0))]
    return fitting if len(fitting) == 1 else places


def _neighbours(number: int, located: Sequence[Located], fixed: Mapping[int, _At]) -> tuple[_At | None, _At | None]:
    """Return the unit and offset of the last fixed claim of a note before a claim's, and of the first after it."""
    note = located[number].claim.note
    before = max((at for n, at in fixed.items() if n < number and located[n].claim.note != note), default=None)
    after = min((at for n, at in fixed.items() if n > number and located[n].claim.note != note), default=None)
    return before, after


def _find_between(
    number: int, located: Sequence[Located], runs: _Runs, order: Mapping[str, int], fixed: Mapping[int, _At]
) -> Places:
    """Return the place of words that are nowhere with enough of their quotation: that between those of the notes before
    and after where the end of the quotation is, if it is one. What the quotation begins with may only name the place
    (覲禮, 隱元年)."""
    claim = located[number].claim
    before, after = _neighbours(number, located, fixed)
    for begin in range(max(min(claim.at, len(claim.quote) - SETTINGS.few), 0) + 1 if claim.at >= 0 else 0):
        quoted = replace(claim, quote=claim.quote[begin:], at=claim.at - begin, begin=0)
        if None in (before, after) and len(quoted.quote) < SETTINGS.phrase:
            return []
        for places in runs.find_whole(quoted):
            there = [place for place in places
                     if (before or (-1, 0)) <= (order[place[0].id], place[0].offset) <= (after or (len(order), 0))]
            if len(there) == 1 and not _is_near(claim.quote[:begin], quoted.quote, runs, there[0][0]):
                continue
            if there:
                return there if len(there) == 1 else []
    return []


def _is_near(left_out: str, quoted: str, runs: _Runs, place: Range) -> bool:
    """Whether what a quotation begins with and a place has not may be left out of it: it says where in a book this is,
    its last graph is a little before the place (怪石似玉 for 怪異好石似玉), or little of the quotation is left out."""
    if not left_out or len(quoted) >= 2 * SETTINGS.phrase or _names_place(left_out):
        return True
    before = runs.texts[place.id][max(place.offset - len(quoted) - SETTINGS.phrase, 0) : place.offset]
    return _graphs(left_out)[-1:] in _graphs(before)


def _names_place(words: str) -> bool:
    """Whether words before a quotation say where in a book it is."""
    return _PLACE_NAME.search(words) is not None or to_simplified(words) in works()


def _quotes(claim: Claim) -> dict[str, int]:
    """Return the quotation of a claim with each form of the words in question, and how long this is."""
    if claim.at < 0:
        return {claim.quote: 0} if claim.quote else {}
    words = dict.fromkeys([claim.on, *(report.words for report in claim.readings)])
    quotes = {claim.quote[: claim.at] + form + claim.quote[claim.at + len(claim.on) :]: len(_graphs(form))
              for form in words}
    return {quote: size for quote, size in quotes.items() if quote}


def _share_forms(claims: Sequence[Claim]) -> list[dict[str, int]]:
    """Return for each claim the quotations with the forms that its gloss reports of the same words: all are there."""
    forms_of: dict[tuple[str, int, str], dict[str, int]] = {}
    keys = [(claim.note, claim.at, claim.on) for claim in claims]
    for key, claim in zip(keys, claims, strict=True):
        forms_of.setdefault(key, {}).update(_quotes(claim))
    return [forms_of[key] for key in keys]


def _limits(number: int, numbers: Sequence[int], fixed: Mapping[int, int]) -> slice:
    """Return the part of a text in which a quotation begins: its place if that is fixed, else from the one fixed before
    it to the one after. `numbers` are those of the fixed quotations in order."""
    if number in fixed:
        return slice(fixed[number], fixed[number] + 1)
    at = bisect_left(numbers, number)
    return slice(fixed[numbers[at - 1]] if at else 0, fixed[numbers[at]] + 1 if at < len(numbers) else None)


class _Runs:
    """The texts of a chapter as runs of graphs: its text, each 注, each other comment; text and 注 in their order."""

    def __init__(self, every: Sequence[Unit | Note]) -> None:
        notes = [note for note in every if isinstance(note, Note) and note.kind == "commentary"]
        text = [_GraphRun((item.id, counted(item.content)) for item in every if isinstance(item, Unit))]
        zhu = [_GraphRun([(note.id, counted(note.content))]) for note in notes if note.subtype == "zhu"]
        others = [_GraphRun([(note.id, counted(note.content))]) for note in notes if note.subtype != "zhu"]
        self.texts = {item.id: counted(item.content) for item in every}
        self.layers = {"text": [text], "note": [zhu, others, text], "shu": [others, zhu, text], "": [text, zhu, others]}
        self.all_graphs = sorted(set("".join(run.graphs for run in (*text, *zhu, *others))))
        self.whole = _GraphRun((item.id, counted(item.content)) for item in every
                               if isinstance(item, Unit) or (item in notes and item.subtype == "zhu"))

    def find(self, claim: Claim) -> Places:
        """Return the places of a claim's words: in the layer that the quotation names, else in the next."""
        layers = self.layers[claim.layer]
        quoted = [claim] if claim.end < 0 else [claim, replace(claim, quote=claim.quote[: claim.end])]
        for some in quoted:
            matches = [_find(some, texts) for texts in layers]
            if not claim.layer:  # no layer is named: that counts in which most of the quotation is
                matches.sort(key=lambda match: (-match.width, len(match.places)))
            if places := next((match.places for match in matches if match.places), []):
                return places
        return []

    def find_whole(self, claim: Claim) -> Iterator[Places]:
        """Yield the places of a claim's quotation, of any length, in the layer that it names and the next; then those
        where the texts have a third graph, which is like one of the two (處己下 for 處已下, 作巳); then those where
        other graphs of the quotation are like those of the text."""
        thirds = [Report("", graph) for graph in self.find_related(claim)]
        for some in (claim, replace(claim, readings=(*claim.readings, *thirds))) if thirds else (claim,):
            yield from (_find(some, texts, whole=True).places for texts in self.layers[claim.layer])
        yield from (list(_find_loosely(claim, texts)) for texts in self.layers[claim.layer])

    def has_whole(self, claim: Claim, place: tuple[Range, str]) -> bool:
        """Whether a place has the whole quotation of a claim around it."""
        return any(place in _find(claim, texts, whole=True).places for texts in self.layers[claim.layer])

    def find_related(self, claim: Claim) -> list[str]:
        """Return the graphs of the chapter that are like that of a claim, or its reading, and neither."""
        known = {claim.on, *(report.words for report in claim.readings)}
        if any(len(words) != 1 for words in known) or len(claim.quote) < SETTINGS.phrase:
            return []
        return [graph for graph in self.all_graphs if graph not in known
                and any(akin(graph, word) or look_alike(graph, word) for word in known)]

    def third_forms(self, claim: Claim) -> dict[str, int]:
        """Return the quotation of a claim with each graph that is like those that its note has (`find_related`)."""
        return _quotes(replace(claim, readings=tuple(Report("", graph) for graph in self.find_related(claim))))

    def find_in_order(self, claims: Sequence[Claim]) -> list[Places]:
        """Return the places of words that are quoted alone, in the order of the text: where they occur once between
        those that their order fixes."""
        quotes = _share_forms(claims)
        again = [n > 0 and claims[n - 1].note == claim.note for n, claim in enumerate(claims)]
        starts = [[] if again[n] else sorted(self.find_forms(forms, SETTINGS.recurring))
                  for n, forms in enumerate(quotes)]  # a gloss has one place in the order
        fixed = fix_in_order(starts, [2 * len(claim.quote) - 1 for claim in claims])
        for number in range(1, len(claims)):
            if again[number] and number - 1 in fixed:
                fixed[number] = fixed[number - 1]
        numbers = sorted(fixed)
        return [self.find_between(claim, quotes[number], _limits(number, numbers, fixed))
                for number, claim in enumerate(claims)]

    def find_between(self, claim: Claim, quotes: Mapping[str, int], limits: slice) -> Places:
        """Return the places of a claim's words in a part of the text; of several that are alike only the first, if the
        gloss is on that."""
        if claim.at < 0:
            return []
        offset = len(_graphs(claim.quote[: claim.at]))  # hexagrams and marks are no graphs
        known = self.find_forms(quotes, 0, limits)
        starts = sorted((known or self.find_forms(self.third_forms(claim), 0, limits)).items())
        there = [place for start, size in starts if (place := self.whole.range(start + offset, size))]
        alike = len({words for _, words in there}) == 1  # with another form anywhere, the first need not be it
        first = len(claim.quote) > 1 or _BELOW.search(claim.text)  # glosses are on the first of words that recur
        return there[:1] if alike and first else there

    def find_forms(self, forms: Mapping[str, int], most: int, limits: slice = slice(None)) -> dict[int, int]:
        """Return where in a part of the text a quotation begins with one of its forms, and how long this is there;
        without the words only if it is nowhere with them."""
        low, high, _ = limits.indices(len(self.whole.graphs))
        places = {at: size for quote, size in sorted(forms.items(), key=itemgetter(1))
                  for at in self.whole.starts(_graphs(quote), most) if low <= at < high}
        return {at: size for at, size in places.items() if size} or places


def _is_graph(char: str) -> bool:
    return char.isalnum() or ord(char) > 0xFFFF


def _graphs(text: str) -> str:
    """Return the graphs of a text in their normal forms."""
    return forms("".join(filter(_is_graph, text)))


class _GraphRun:
    """Texts as one run of graphs in their normal forms, without punctuation."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self.texts = list(texts)
        self.places = [(n, at) for n, (_, text) in enumerate(self.texts)
                       for at, char in enumerate(text) if _is_graph(char)]
        self.graphs = "".join(_graphs(text) for _, text in self.texts)

    def starts(self, graphs: str, most: int = 0) -> list[int]:
        """Return the positions of some graphs in normal form; none if there are more than `most`."""
        positions = [match.start() for match in re.finditer(f"(?={re.escape(graphs)})", self.graphs)] if graphs else []
        return [] if 0 < most < len(positions) else positions

    def range(self, start: int, size: int) -> tuple[Range, str] | None:
        """Return the place of some graphs and their words; None if they are in two texts. No graphs: the place after
        the graph before them."""
        if not size:
            if not start:
                return None
            n, at = self.places[start - 1]
            return Range(self.texts[n][0], at + 1, 0), ""
        (n, at), (last, end) = self.places[start], self.places[start + size - 1]
        identifier, text = self.texts[n]
        return (Range(identifier, at, end + 1 - at), text[at : end + 1]) if n == last else None


class _Match(NamedTuple):
    """Places of words, with how many graphs around them are those of the quotation."""

    places: Places
    width: int = 0


def _find(claim: Claim, texts: Sequence[_GraphRun], whole: bool = False) -> _Match:
    """Return the places of the words in question, and what the texts have there: the words that the note quotes, or one
    of the readings that it reports. None if nothing has them; several if the quotation is not clear. A quotation is
    searched whole, then with ever fewer graphs around the words in question: of fewer than a phrase and one more (or
    than three, if the note says 經曰 or 注曰) most occur in a chapter by chance. `whole`: only the whole counts."""
    if claim.at < 0 or not claim.quote:
        return _Match([])
    before = _graphs(claim.quote[claim.begin : claim.at])[-SETTINGS.long :]
    after = _graphs(claim.quote[claim.at + len(claim.on) :])[: SETTINGS.long]
    forms = dict.fromkeys(_graphs(form) for form in (claim.on, *(report.words for report in claim.readings)))
    most = len(before) + len(after)
    least = SETTINGS.few if claim.said else SETTINGS.phrase + 1
    fewest = SETTINGS.few if (claim.layer or claim.end >= 0) and not claim.said else SETTINGS.chance
    if whole:
        fewest = 1
    for width in range(most, most - 1 if whole or not most else 0, -1):
        sides = [(before[len(before) - left :], after[: width - left])
                 for left in range(max(0, width - len(after)), min(width, len(before)) + 1)]
        for some in (filter(None, forms), [""] if "" in forms else []):  # words that stand there are not lacking
            places: dict[tuple[Range, str], None] = {}
            for form, (left, right) in product(some, sides):
                if len(left + form + right) >= (fewest if width == most else least):
                    starts = ((run, at) for run in texts for at in run.starts(left + form + right))
                    places |= dict.fromkeys(filter(None, (run.range(at + len(left), len(form)) for run, at in starts)))
            if places:
                return _Match(list(places), width)
    return _Match([])


def _find_loosely(claim: Claim, texts: Sequence[_GraphRun]) -> Iterator[tuple[Range, str]]:
    """Yield the places of words whose context is that of the quotation, of more than two graphs, but for one graph that
    is like its own (播時百榖 for 播時百穀)."""
    before, after = _graphs(claim.quote[claim.begin : claim.at]), _graphs(claim.quote[claim.at + len(claim.on) :])
    for form in dict.fromkeys(_graphs(form) for form in (claim.on, *(report.words for report in claim.readings))):
        for run in texts if form else ():
            for at in run.starts(form):
                begin, end = at - len(before), at + len(form) + len(after)
                text = run.graphs[max(begin, 0) : at] + run.graphs[at + len(form) : end]
                unlike = [pair for pair in zip(text, before + after, strict=False) if pair[0] != pair[1]]
                whole = begin >= 0 and len(text) == len(before + after) >= SETTINGS.few
                if whole and len(unlike) == 1 and (akin(*unlike[0]) or look_alike(*unlike[0])):
                    yield from filter(None, [run.range(at, len(form))])
