"""A statistical model of stops, trained on the punctuated passages of the folder.

Two conditional random fields (Lafferty, McCallum and Pereira 2001; Okazaki's CRFsuite by the library python-crfsuite):
one returns for each place between two graphs how likely a stop is, the other which stop it is. Nothing is shipped: both
are trained each time. Training takes the passages in order with a deterministic method (L-BFGS), so the same folder
gives the same model. Features are the graphs and words around the place, as in models that segment Chinese text (Peng,
Feng and McCallum, "Chinese segmentation and new word detection using conditional random fields", 2004), how the folder
uses them (docs/development/measured.md: what else was tried).
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pycrfsuite

from jiaokan.proposals.passages import BarePassage, FolderUsage, PunctuatedPassage

_SQUARES = 1.0
"""Weight of the squares of the parameters (CRFsuite's c2; docs/development/measured.md)."""
_ROUNDS = 100
"""Most rounds of training (docs/development/measured.md)."""
_STOP, _NONE = "B", "O"
LEAST = 20
"""Punctuated passages without which there is nothing to learn from."""


@dataclass(frozen=True, slots=True)
class StopModel:
    """A trained model; taggers of CRFsuite, in memory."""

    places: Any
    signs: Any
    usage: FolderUsage

    @classmethod
    def train(cls, taught: Sequence[PunctuatedPassage], usage: FolderUsage) -> Self:
        """Train on punctuated passages."""
        places, signs = [], []
        for punctuated in taught:
            passage, stops = punctuated.passage, punctuated.stops
            length = len(passage.graphs)
            if length < 2:
                continue
            places.append((features(passage, usage), [_STOP if at in stops else _NONE for at in range(1, length)]))
            stop_places = sorted(place for place in stops if 0 < place <= length)
            if stop_places:
                signs.append((_sign_features(passage, stop_places), [stops[place] for place in stop_places]))
        return cls(_train(places), _train(signs), usage)

    def chances(self, passage: BarePassage) -> list[float]:
        """Return the probability of a stop at each place between two graphs; the first is after one graph."""
        if len(passage.graphs) < 2:
            return []
        self.places.set(features(passage, self.usage))
        if _STOP not in self.places.labels():
            return [0.0] * (len(passage.graphs) - 1)
        return [self.places.marginal(_STOP, at) for at in range(len(passage.graphs) - 1)]

    def signs_at(self, passage: BarePassage, places: Sequence[int]) -> list[str]:
        """Return the stop for each of the places, which are in order."""
        return list(self.signs.tag(_sign_features(passage, places))) if places else []


def _train(rows: Iterable[tuple[list[list[str]], list[str]]]) -> Any:
    """Train a conditional random field on rows of features with their labels; return its tagger."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": _SQUARES, "max_iterations": _ROUNDS, "feature.possible_transitions": True})
    for row_features, labels in rows:
        trainer.append(row_features, labels)
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory(prefix="jiaokan-") as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        tagger.open(str(path))  # reads the whole file; from bytes it would keep a pointer to what Python frees
    return tagger


def _sign_features(passage: BarePassage, places: Sequence[int]) -> list[list[str]]:
    kind = "n" if passage.note else "b"
    padded = EDGES[0] * 3 + passage.keys + EDGES[1] * 3
    lasts = [f"last{at == len(passage.keys):d}{kind}{padded[at + 2]}" for at in places]
    return [[*_window(padded[at : at + 6], kind, _SIGN_SHAPES), last] for at, last in zip(places, lasts, strict=True)]


EDGES = "^$"
"""What stands before the first and after the last graph."""


def features(passage: BarePassage, usage: FolderUsage) -> list[list[str]]:
    """Return the features of each place between two graphs; one list less than there are graphs."""
    keys = passage.keys
    padded = EDGES[0] * 3 + keys + EDGES[1] * 3
    kind = "n" if passage.note else "b"
    return [[*_window(padded[at : at + 6], kind, _SHAPES), *_usage(keys, at, usage)] for at in range(1, len(keys))]


_SHAPES = ("a", "b", "c", "d", "e", "f", "bc", "cd", "de", "abc", "bcd", "cde", "def", "abcd", "bd", "ce")
"""The graphs around a place that make one feature: a, b, c are the three before it, d, e, f those after it."""
_SIGN_SHAPES = ("b", "c", "d", "e", "bc", "cd", "de", "abc", "def")
"""The same for the choice of a stop."""


def _window(around: str, kind: str, shapes: Sequence[str]) -> list[str]:
    graph = dict(zip("abcdef", around, strict=True))
    window = [f"{shape}{''.join(map(graph.__getitem__, shape))}" for shape in shapes]
    return ["1", kind, *window, f"{kind}c{graph['c']}", f"{kind}d{graph['d']}"]


def _usage(keys: str, at: int, usage: FolderUsage) -> list[str]:
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
    return int(max(-6.0, min(8.0, value)))


def _log(value: float, steps: int = 1) -> int:
    return round(steps * math.log(value + 0.1 if steps == 1 and value >= 1 else max(value, 1e-9)))
