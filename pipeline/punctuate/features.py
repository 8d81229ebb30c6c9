"""What the statistical model sees of each place between two graphs of a passage.

Graphs and words round the place, as in the models by which Chinese text is segmented (Peng, Feng and McCallum, "Chinese
segmentation and new word detection using conditional random fields", 2004); how the folder uses them; and of a note,
which words it takes from what it comments on.
"""

from __future__ import annotations

import math

from pipeline.punctuate.passages import BarePassage
from pipeline.punctuate.usage import FolderUsage

EDGES = "^$"
"""What stands before the first and after the last graph."""


def features(passage: BarePassage, usage: FolderUsage) -> list[list[str]]:
    """Give the features of each place between two graphs; one list less than there are graphs."""
    keys = passage.keys
    padded = EDGES[0] * 3 + keys + EDGES[1] * 3
    taken = _taken(passage)
    kind = "n" if passage.note else "b"
    return [
        [*_graphs(padded, at + 2, kind), *_usage(keys, at, usage), *taken[at]] for at in range(1, len(keys))
    ]


def _graphs(text: str, at: int, kind: str) -> list[str]:
    """Graphs and words round a place; `at` is that of the graph before it."""
    a, b, c, d, e, f = list(text[at - 2 : at + 4])
    return [
        "1", f"a{a}", f"b{b}", f"c{c}", f"d{d}", f"e{e}", f"f{f}", f"bc{b}{c}", f"cd{c}{d}", f"de{d}{e}",
        f"abc{a}{b}{c}", f"bcd{b}{c}{d}", f"cde{c}{d}{e}", f"def{d}{e}{f}", f"abcd{a}{b}{c}{d}", f"b_d{b}{d}",
        f"c_e{c}{e}", kind, f"{kind}c{c}", f"{kind}d{d}",
    ]


def _usage(keys: str, at: int, usage: FolderUsage) -> list[str]:
    """How the folder uses the graphs round a place."""
    before, after = keys[at - 1], keys[at]
    bond = usage.bond(before, after)
    left = usage.bond(keys[at - 2], before) if at > 1 else math.inf
    right = usage.bond(after, keys[at + 1]) if at + 1 < len(keys) else math.inf
    ends, begins = usage.ending(keys[max(0, at - 3) : at]), usage.beginning(keys[at : at + 3])
    word, four = usage.words[keys[at - 1 : at + 1]], usage.words[keys[max(0, at - 2) : at + 2]]
    wide = [usage.words[keys[max(0, at - 2) : at + 1]], usage.words[keys[at - 1 : at + 2]]]
    return [
        f"bond{_step(bond)}", f"left{_step(left)}", f"right{_step(right)}", f"dip{bond < left:d}{bond < right:d}",
        f"two{_log(word)}", f"three{_log(wide[0])},{_log(wide[1])}", f"four{_log(four)}",
        f"end{_log(ends, 2)}", f"begin{_log(begins, 2)}", f"both{_log(ends * begins)}",
    ]


def _step(value: float) -> int:
    """Cut a logarithm into steps of one, within what occurs."""
    return int(max(-6.0, min(8.0, value)))


def _log(value: float, steps: int = 1) -> int:
    return round(steps * math.log(value + 0.1 if steps == 1 and value >= 1 else max(value, 1e-9)))


def _taken(passage: BarePassage) -> list[list[str]]:
    """Where words that a note takes from the text under it, or from notes before it, begin and end."""
    keys, about = passage.keys, passage.about
    found: list[list[str]] = [[] for _ in range(len(keys) + 1)]
    if not passage.note:
        return found
    for name, text, least in (("t", about, 2), ("n", passage.before, 3)):
        reached = 0
        for start in range(len(keys)):
            end = start
            while end < len(keys) and keys[start : end + 1] in text:
                end += 1
            if end - start >= least and end > reached:
                found[start] += [f"{name}from", f"{name}from{min(end - start, 6)}"]
                found[end] += [f"{name}to", f"{name}to{min(end - start, 6)}"]
                if end < len(keys):
                    found[end].append(f"{name}to{keys[end]}")
                reached = end
    if about:
        for at in range(1, len(keys)):
            found[at].append(f"in{keys[at - 1] in about:d}{keys[at] in about:d}")
    return found
