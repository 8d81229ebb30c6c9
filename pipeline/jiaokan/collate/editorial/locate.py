"""Find the words that a decision names in a collated chapter: exactly, beside a changed neighbour, or elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from jiaokan.collate.content import Unfit, all_variants
from jiaokan.collate.settings import SETTINGS
from jiaokan.decisions.passages import passage
from jiaokan.decisions.tables import UNSIGNED, Conjecture, Emendation, Merge, ReadingDecision, Split
from jiaokan.errors import Message, suggestion
from jiaokan.model import Content, Head, Item, Note, Trailer, Unit
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import attested, counted
from jiaokan.model.walk import items
from jiaokan.model.words import starts

_NOTES = re.compile(r"(\.n\d+)+$")  # what the id of a note has after that of its place


@dataclass
class DecidedText:
    """A unit, note, head or trailer, with the decisions applied so far."""

    item: Unit | Note | Head | Trailer
    content: Content
    place: str  # its id, of a note that of its place
    base: str = ""  # id of the witness whose heads and trailers the edition has

    @property
    def words(self) -> str:
        """The characters by which places are counted."""
        return attested(self.content)

    @property
    def speaker(self) -> str:
        """Who speaks a note, as decisions name it; "" for other texts."""
        return (self.item.resp or UNSIGNED) if isinstance(self.item, Note) else ""

    @property
    def witnesses(self) -> tuple[str, ...]:
        """Ids of the witnesses that have it."""
        return self.item.sources if isinstance(self.item, (Unit, Note)) else (self.base,)


def decided_texts(content: Iterable[Item], base: str = "") -> list[DecidedText]:
    """Return the units, notes, heads and trailers on which decisions can be, in order: during collation (notes have the
    id of their place, those in a unit none yet) or with all ids."""
    texts: list[DecidedText] = []
    place = ""
    for item in items(content):
        if isinstance(item, (Unit, Note, Head, Trailer)):
            place = _NOTES.sub("", item.id) or place
            texts += [DecidedText(item, item.content, place, base)] if place else []
    return texts


class DecidedTexts:
    """An index of texts in their present state, by place and by words; its cost does not depend on their number."""

    def __init__(self, texts: Iterable[DecidedText]) -> None:
        self.all = list(texts)
        self._at: dict[tuple[str, str], list[DecidedText]] = {}
        for text in self.all:
            self._at.setdefault((text.place, text.speaker), []).append(text)
        self._layers: dict[str, tuple[list[DecidedText], list[int], str]] = {}
        """By speaker, his texts, where each begins in all of them, and these as one string."""

    def own(self, decision: ReadingDecision) -> list[DecidedText]:
        """Return the texts of a decision's unit, of its speaker if it is about notes."""
        return self._at.get((decision.id, decision.speaker), [])

    def occurrences(self, decision: ReadingDecision, words: str) -> Iterator[tuple[DecidedText, int]]:
        """Yield where words occur in the layer of a decision, base text or notes; in a heading only if named."""
        if decision.speaker not in self._layers:
            spoken = [text for text in self.all if text.speaker == decision.speaker and not _is_heading(text)]
            strings = [text.words for text in spoken]
            self._layers[decision.speaker] = spoken, [0, *accumulate(map(len, strings))], "".join(strings)
        spoken, begins, joined = self._layers[decision.speaker]
        for position in starts(joined, words) if words else ():
            number = bisect_right(begins, position) - 1
            if position + len(words) <= begins[number + 1]:
                yield spoken[number], position - begins[number]
        if not words:  # every place
            yield from ((text, at) for text in spoken for at in range(len(text.words) + 1))
        yield from ((text, at) for text in self.own(decision) if _is_heading(text) for at in starts(text.words, words))


def _is_heading(text: DecidedText) -> bool:
    return isinstance(text.item, (Head, Trailer))


Spot = tuple[DecidedText, int, int]  # a text, and the offsets of its first character and after its last
Search = Callable[[ReadingDecision, DecidedTexts], Spot | None]


def exactly(decision: ReadingDecision, texts: DecidedTexts) -> Spot | None:
    """Return where the texts of the decision's unit have the whole context."""
    return _one(decision, list(_in_texts(decision, texts.own(decision))))


def beside(decision: ReadingDecision, texts: DecidedTexts) -> Spot | None:
    """Return where an entry's words have only the context before or only that after: the other side has changed."""
    before, words, after = _parts(decision)
    spots: dict[tuple[int, int], Spot] = {}
    for text in texts.own(decision):
        for left, right in ((before, ""), ("", after)):
            if left + right and len(left + words + right) >= SETTINGS.few:
                for at in starts(text.words, left + words + right):
                    start = at + len(left)
                    spots[id(text), start] = text, start, start + len(words)
    return _one(decision, [place for place in spots.values() if words or is_entry(*place)])


def elsewhere(decision: ReadingDecision, texts: DecidedTexts) -> Spot | None:
    """Return where another unit of the chapter has the whole context, if that is long: units before it came or went."""
    if len("".join(_parts(decision))) < SETTINGS.phrase:
        return None
    return _one(decision, list(_anywhere(decision, texts)))


SEARCHES: tuple[Search, ...] = (exactly, beside, elsewhere)
"""The ways to find a decision's words, in the order in which they are tried."""


def reason(decision: ReadingDecision, texts: DecidedTexts, *, near: bool = True) -> str:
    """Return why a decision does not fit: what is expected, what is there now, and `near` what unit may be meant."""
    unit_texts, context = texts.own(decision), "".join(_parts(decision))
    there = [reference_of(text.place) for text, *_ in _anywhere(decision, texts)]
    hint = Message("words-stand", fromkeys=", ".join(dict.fromkeys(there))) if there else ""
    if not unit_texts and decision.speaker:
        speakers = dict.fromkeys(text.speaker for text in texts.all if text.speaker and text.place == decision.id)
        return Message("no-note-notes", speaker=decision.speaker, hint=hint, speakers=", ".join(speakers) or "none")
    if not unit_texts:
        places = [text.place for text in texts.all if text.speaker == decision.speaker]
        meant = suggestion(decision.id, places, "") if near and not hint else ""
        return Message("unit-missing", hint=hint or (meant and f"; {meant}"))
    if count := len(list(_in_texts(decision, unit_texts))):
        return Message("context-stands-times-give-more", count=count)
    now = " and ".join(passage(text.words, context) for text in unit_texts)
    return Message("context-stands-times-now", hint=hint, now=now)


def is_entry(text: DecidedText, start: int, end: int) -> bool:
    """Whether a place is the lemma of an entry."""
    return any(start == at and end == at + len(counted(app)) for app, at in all_variants(text.content))


def _parts(decision: ReadingDecision) -> tuple[str, str, str]:
    parts = decision.parts()
    if parts is None:
        raise Unfit(Message("context-not-pair-square-brackets"))
    words = parts[1].replace("|", "") if isinstance(decision, Split) else parts[1]
    return parts[0], words, parts[2]


def _one(decision: ReadingDecision, spots: list[Spot]) -> Spot | None:
    if len(spots) > 1 and not isinstance(decision, (Emendation, Conjecture, Merge)):
        spots = [place for place in spots if is_entry(*place)]
    return spots[0] if len(spots) == 1 else None


def _in_texts(decision: ReadingDecision, texts: Sequence[DecidedText]) -> Iterator[Spot]:
    before, words, after = _parts(decision)
    for text in texts:
        for at in starts(text.words, before + words + after):
            yield text, at + len(before), at + len(before) + len(words)


def _anywhere(decision: ReadingDecision, texts: DecidedTexts) -> Iterator[Spot]:
    before, words, after = _parts(decision)
    for text, at in texts.occurrences(decision, before + words + after):
        yield text, at + len(before), at + len(before) + len(words)
