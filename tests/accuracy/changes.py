"""Witnesses made of a real text by changes that are known, and how many of these a collation finds as entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from tests.accuracy.collation import Entry, Score, read
from tests.collations import edition, witness

FOREIGN = 0x5000, 0x5BB8
"""Code points of graphs that the changes bring in."""
KINDS = {
    "substitution": (1, 1), "two for two": (2, 2), "three for two": (2, 3), "two for six": (6, 2),
    "one left out": (1, 0), "some left out": (4, 0), "many left out": (20, 0), "one more": (0, 1), "more": (0, 7),
    "exchange": (2, 2),
}
"""Changes: how many graphs of the text are replaced by how many."""
LENGTH = 500
"""Graphs of a stretch that is changed."""
NEAR = 30
"""Where words repeat, an entry may stand so far from its change."""
NAMES = "abcd"


@dataclass(frozen=True, slots=True)
class Change:
    """A change: where, how long, what each witness that has it reads."""

    start: int
    size: int
    readings: Mapping[str, str]


def measured(text: str, rounds: int = 24) -> Score:
    """Change stretches of a text, and say how many changes are found; the same each time."""
    total = Score()
    for seed in range(rounds):
        chance = Random(seed)
        start = chance.randrange(len(text) - LENGTH)
        stretch = text[start : start + LENGTH]
        total += score(stretch, changed(stretch, chance))
    return total


def changed(text: str, chance: Random) -> list[Change]:
    """Choose changes of a text, from four to twenty-five graphs apart, each in one to three of three witnesses."""
    changes: list[Change] = []
    at = chance.randint(4, 25)
    while at < len(text) - 45:
        kind = chance.choice(list(KINDS))
        size, new = KINDS[kind]
        said = "".join(chr(chance.randrange(*FOREIGN)) for _ in range(new))
        if kind == "exchange":
            said = text[at + 1] + text[at]
        if kind != "exchange" or len({*text[at - 1 : at + 3]}) == 4:
            changes.append(Change(at, size, dict.fromkeys(chance.sample(NAMES[1:], chance.randint(1, 3)), said)))
            at += size
        at += chance.randint(4, 25)
    return changes


def score(text: str, changes: Sequence[Change]) -> Score:
    """Collate the text with the three witnesses that the changes make of it, and hold the entries against these."""
    witnesses = [witness("a", text), *(witness(name, _copy(text, changes, name)) for name in NAMES[1:])]
    _, entries = read(edition(witnesses)[0], "6", "a", NAMES)
    left = [each for each in entries if "move" not in each.classes.values()]
    wrong = []
    for change in changes:
        start, end = change.start, change.start + change.size
        found = sorted((each for each in left if _is(each, change, text)), key=lambda each: abs(each.start - start))
        if found:
            left.remove(found[0])
        else:
            wrong.append(f"{text[start - 6 : start]}[{text[start:end]}]{text[end : end + 6]} {change.readings}")
    count = len(changes)
    return Score(count, count - len(wrong), len(left), count - len(wrong), tuple(wrong))


def _copy(text: str, changes: Sequence[Change], name: str) -> str:
    out, at = "", 0
    for each in changes:
        if name in each.readings:
            out += text[at : each.start] + each.readings[name]
            at = each.start + each.size
    return out + text[at:]


def _is(entry: Entry, change: Change, text: str) -> bool:
    """Whether an entry is a change: as long for each witness, and in its place or where its words repeat."""
    sizes = {name: len(change.readings.get(name, text[: change.size])) for name in NAMES}
    return abs(entry.start - change.start) <= NEAR and {n: len(said) for n, said in entry.readings.items()} == sizes
