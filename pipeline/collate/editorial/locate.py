"""Where in a collated chapter the words of a decision stand now: exactly, beside a changed neighbour, or elsewhere.

A decision says where it belongs by its unit and by its words in their context. It fits where just one place answers;
where none or several do it does not, and the reason says what stands there now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pipeline.collate.content import Unfit
from pipeline.collate.editorial.texts import DecidedText, DecidedTexts, starts
from pipeline.decisions.passages import passage
from pipeline.decisions.tables import Conjecture, Emendation, Merge, ReadingDecision, Split
from pipeline.errors import suggestion
from pipeline.model import App, Content, Line, Span
from pipeline.model.identifiers import reference_of
from pipeline.model.text import counted

ALIKE = 3
"""A place beside which one neighbour has changed is known by at least so many characters. 1 changes nothing here;
with 8 one decision of the edition here is not found again."""
FAR = 6
"""A place in another unit than the decision's is known by a context of at least so many characters: `review` writes
four on each side and what stands between, which is seldom found twice in a chapter. 3 or 12 changes nothing here."""


Spot = tuple[DecidedText, int, int]
"""A text, and from which to which of its characters."""
Search = Callable[[ReadingDecision, DecidedTexts], Spot | None]


def exactly(decision: ReadingDecision, texts: DecidedTexts) -> Spot | None:
    """Find the whole context in the texts of the decision's unit."""
    return _one(decision, list(_whole(decision, texts.own(decision))))


def beside(decision: ReadingDecision, texts: DecidedTexts) -> Spot | None:
    """Find the words of an entry with only what stands before or only what stands after: the other side has changed."""
    before, words, after = _parts(decision)
    found: dict[tuple[int, int], Spot] = {}
    for text in texts.own(decision):
        for left, right in ((before, ""), ("", after)):
            if left + right and len(left + words + right) >= ALIKE:
                for at in starts(text.words, left + words + right):
                    start = at + len(left)
                    found[id(text), start] = text, start, start + len(words)
    return _one(decision, [place for place in found.values() if words or is_entry(*place)])


def elsewhere(decision: ReadingDecision, texts: DecidedTexts) -> Spot | None:
    """Find the whole context, if it is long, in another unit of the chapter: units before it came or went."""
    if len("".join(_parts(decision))) < FAR:
        return None
    return _one(decision, list(_anywhere(decision, texts)))


def reason(decision: ReadingDecision, texts: DecidedTexts, *, near: bool = True) -> str:
    """Say why a decision does not fit: what is expected, and what stands there now; with `near` the unit that may be
    meant, if there is none of that id."""
    own, context = texts.own(decision), "".join(_parts(decision))
    there = [reference_of(text.place) for text, *_ in _anywhere(decision, texts)]
    hint = f"; its words stand in {', '.join(dict.fromkeys(there))}" if there else ""
    if not own and decision.speaker:
        speakers = ", ".join(texts.speakers(decision.id))
        return f"{decision.speaker} has no note there{hint}; notes there: {speakers or 'none'}"
    if not own:
        meant = suggestion(decision.id, texts.places(decision.speaker)) if near and not hint else ""
        return f"there is no such unit{hint or (meant and f'; {meant}')}"
    count = len(list(_whole(decision, own)))
    if count:
        return f"its context stands {count} times: give more of the words around it"
    now = " and ".join(passage(text.words, context) for text in own)
    return f"its context stands 0 times{hint}; there is now {now}"


def is_entry(text: DecidedText, start: int, end: int) -> bool:
    """Tell whether the lemma of an entry stands at a place."""
    return any(start == at and end == at + len(counted(app)) for app, at in placed(text.content))


def placed(content: Content, at: int = 0) -> Iterator[tuple[App, int]]:
    """Give each entry of variants and the offset of its lemma, an outer before those in its lemma."""
    for item in content:
        width = len(counted(item))
        if isinstance(item, (Span, Line)) and width:
            yield from placed(item.content, at)
        elif isinstance(item, App):
            if item.kind == "variant":
                yield item, at
            yield from placed(item.lemma.content, at)
        at += width


def _parts(decision: ReadingDecision) -> tuple[str, str, str]:
    parts = decision.parts()
    if parts is None:
        raise Unfit("its context has not one pair of square brackets")
    words = parts[1].replace("|", "") if isinstance(decision, Split) else parts[1]
    return parts[0], words, parts[2]


def _one(decision: ReadingDecision, found: list[Spot]) -> Spot | None:
    """Give the only place; of several the only one with an entry, if the decision is on an entry."""
    if len(found) > 1 and not isinstance(decision, (Emendation, Conjecture, Merge)):
        found = [place for place in found if is_entry(*place)]
    return found[0] if len(found) == 1 else None


def _whole(decision: ReadingDecision, texts: Sequence[DecidedText]) -> Iterator[Spot]:
    before, words, after = _parts(decision)
    for text in texts:
        for at in starts(text.words, before + words + after):
            yield text, at + len(before), at + len(before) + len(words)


def _anywhere(decision: ReadingDecision, texts: DecidedTexts) -> Iterator[Spot]:
    before, words, after = _parts(decision)
    for text, at in texts.whole(decision, before + words + after):
        yield text, at + len(before), at + len(before) + len(words)
