"""Where the entries of any TEI file stand in its text: between the points they name, or by a location and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.model import App
from pipeline.readers.tei.entry import variation
from pipeline.readers.tei.met import Met, Point, Raw
from pipeline.tei.apparatus import Absence, Variation, base_words
from pipeline.tei.kept import all_words

_RANGE = re.compile("[-–/]")


def located(
    raws: Sequence[Raw], found: dict[Point, int], bare: Sequence[Any], end: int, record: Met
) -> tuple[list[Variation], list[Raw], list[tuple[int, str, str]]]:
    """Give the entries by place, those whose place is nowhere, and where witnesses begin or stop to have text."""
    turns: list[tuple[int, str, str]] = []
    words = base_words(bare) if raws else ""
    for at, after in _elsewhere(found):
        words = words[:at] + "\0" * (after - at) + words[after:]
    made: list[Variation] = []
    nowhere: list[Raw] = []
    for raw in raws:
        if raw.start in found and raw.end in found:
            start = found[raw.start]
            span: tuple[int, int] | None = (start, max(start, found[raw.end]))
        else:
            span = _by_words(raw, found, words, end)
        if span is None:
            nowhere.append(raw)
            continue
        made.append(_as_lemma(variation(raw, *span), words, record))
        turns += [(span[where == "after"], side, witness) for side, witness, where in raw.turns]
    return made, nowhere, turns


def _elsewhere(found: dict[Point, int]) -> Iterator[tuple[int, int]]:
    """Give from where to where notes reach that stand elsewhere in the file: no location counts their words."""
    for point, at in found.items():
        if point.key.startswith("moved ") and point.side == "start":
            yield at, found[Point(point.key, "end")]


def _as_lemma(entry: Variation, words: str, record: Met) -> Variation:
    """Give an entry in which nobody is said to have the lemma as it is where a reading is the text: who has this one
    agrees with it."""
    text = words[entry.start : entry.end].replace("\0", "")
    same = [each for each in entry.readings if each.witnesses and text and _plain(each.content) == text]
    if entry.lemma is not None or not same:
        return entry
    for each in same:
        record.out("rdg", all_words(each.content))
    rest = tuple(each for each in entry.readings if each not in same)
    return replace(entry, readings=rest, lemma=tuple(name for each in same for name in each.witnesses))


def _plain(content: Sequence[Any]) -> str:
    return "" if any(isinstance(each, App) for each in content) else base_words(content).replace("\0", "")


def _by_words(raw: Raw, found: dict[Point, int], words: str, end: int) -> tuple[int, int] | None:
    """Give where the lemma of an entry stands: in its location, or right before the entry."""
    if raw.loc:
        area = _area(raw.loc, found, end)
        if area is None:
            return None
        return _among(raw, words, *area)
    if raw.end not in found:
        return None
    last = found[raw.end]
    before = words[max(0, last - len(raw.words)) : last]
    return (last - len(raw.words), last) if raw.words and before == raw.words else (last, last)


def _among(raw: Raw, words: str, start: int, end: int) -> tuple[int, int] | None:
    """Give where the words of an entry stand in a location, for the time that it says; of one without words the place
    after so many characters as it says, less one, else the end."""
    ink = [at for at in range(start, end) if words[at] != "\0"]
    if not raw.words:
        return (end, end) if not raw.which else (start, start) if raw.which == 1 or not ink else (
            (place := ink[min(raw.which - 1, len(ink)) - 1] + 1), place)
    inside, at = "".join(words[at] for at in ink), -1
    for _ in range(max(raw.which, 1)):
        at = inside.find(raw.words, at + 1)
        if at < 0:  # it has them less often: not to be sought again from the beginning
            break
    return (ink[at], ink[at + len(raw.words) - 1] + 1) if at >= 0 else None


def _area(loc: str, found: dict[Point, int], end: int) -> tuple[int, int] | None:
    """Give where a location begins and ends: an element with this number, or a line up to the next; or from one to
    another (``1-2``, ``3/4``)."""
    first, *rest = _RANGE.split(loc, maxsplit=1)
    one, other = _one_area(loc, found, end), None
    if one is None and rest:
        one, other = _one_area(first, found, end), _one_area(rest[0], found, end)
        return (one[0], other[1]) if one and other and one[0] <= other[0] else None
    return one


def _one_area(loc: str, found: dict[Point, int], end: int) -> tuple[int, int] | None:
    own = Point(loc.removeprefix("#"), "start")
    if own in found:
        return found[own], found.get(Point(own.key, "end"), end)
    wanted = ".".join(loc.replace(",", ".").replace(" ", ".").split("."))
    for point, at in found.items():
        kind, _, path = point.key.removeprefix("loc ").partition(" ")
        if point.side == "start" and point.key.startswith("loc ") and f".{path}".endswith(f".{wanted}"):
            if kind == "False":
                return at, found.get(Point(point.key, "end"), end)
            later = [p for other, p in found.items() if other.key.startswith(f"loc {kind} ") and p > at]
            return at, min(later, default=end)
    return None


def absences(turns: Sequence[tuple[int, str, str]], end: int) -> Iterator[Absence]:
    """Give from where to where witnesses have no text."""
    since: dict[str, int] = {}
    seen: set[str] = set()
    for at, side, witness in sorted(turns):
        if side == "from":
            since[witness] = at
        elif witness in since or witness not in seen:
            yield Absence(witness=witness, start=since.pop(witness, 0), end=at)
        seen.add(witness)
    for witness, at in since.items():
        yield Absence(witness=witness, start=at, end=end)


