"""Where sentences end and part, and by which mark, as the punctuated passages of the folder teach it.

Two conditional random fields (Lafferty, McCallum and Pereira 2001; Okazaki's CRFsuite by the library python-crfsuite):
the one says of each place between two graphs how likely a stop stands there, the other which stop stands at each place
that was chosen. Nothing is shipped: both are trained each time, on what is punctuated in the folder. Training goes
through the passages in their order with a method that has no chance in it (L-BFGS), so that the same folder gives the
same model.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pipeline.errors import JiaokanError, Place
from pipeline.punctuate.features import EDGES, features
from pipeline.punctuate.passages import BarePassage, PunctuatedPassage
from pipeline.punctuate.usage import FolderUsage

_SQUARES = 1.0
"""Weight of the squares of the parameters (CRFsuite's c2). From 0.05 to 1 F1 on 注疏 differs by one point, and
1 is the best; with absolute values (c1, 0.01 to 0.5) beside it the model is smaller and no better."""
_ROUNDS = 100
"""Most rounds of training: 100 and 150 gave the same F1 within half a point; more cost time."""
_STOP, _NONE = "B", "O"
LEAST = 20
"""Punctuated passages without which there is nothing to learn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopGuess:
    """A stop that the model proposes."""

    at: int
    """How many graphs stand before it."""
    sign: str
    chance: float
    """How likely a stop stands there, as the model says."""


def available() -> bool:
    """Tell whether python-crfsuite is installed."""
    try:
        import pycrfsuite  # noqa: F401
    except ImportError:
        return False
    return True


def _library() -> Any:
    try:
        import pycrfsuite
    except ImportError:
        raise JiaokanError("python-crfsuite is not installed, which learns from punctuated text", place=Place(""),
                           mend="pip install 'jiaokan[punctuate]'") from None
    return pycrfsuite


@dataclass(frozen=True, slots=True)
class StopModel:
    """A trained model; taggers of CRFsuite, in memory."""

    places: Any
    signs: Any
    usage: FolderUsage

    @classmethod
    def trained(cls, taught: Sequence[PunctuatedPassage], usage: FolderUsage,
                seen: Mapping[int, list[list[str]]] | None = None) -> Self:
        """Learn from punctuated passages; `seen` has features made before, by the `id` of the passage.

        Raises JiaokanError where python-crfsuite is not installed.
        """
        places, signs = [], []
        for each in taught:
            length = len(each.passage.graphs)
            if length < 2:
                continue
            found = (seen or {}).get(id(each.passage)) or features(each.passage, usage)
            stops = each.stops
            places.append((found, [_STOP if at in stops else _NONE for at in range(1, length)]))
            at = sorted(place for place in stops if 0 < place <= length)
            if at:
                signs.append((_signs(each.passage, at), [stops[place] for place in at]))
        return cls(_trained(places), _trained(signs), usage)

    def chances(self, passage: BarePassage, seen: list[list[str]] | None = None) -> list[float]:
        """Give for each place between two graphs how likely a stop stands there; the first is after one graph."""
        if len(passage.graphs) < 2:
            return []
        self.places.set(seen or features(passage, self.usage))
        if _STOP not in self.places.labels():
            return [0.0] * (len(passage.graphs) - 1)
        return [self.places.marginal(_STOP, at) for at in range(len(passage.graphs) - 1)]

    def named(self, passage: BarePassage, places: Sequence[int]) -> list[str]:
        """Give the stop for each of the places, which are in order."""
        return list(self.signs.tag(_signs(passage, places))) if places else []


def _trained(rows: Iterable[tuple[list[list[str]], list[str]]]) -> Any:
    """Train a tagger; CRFsuite writes a model to a file and reads it from one."""
    library = _library()
    trainer = library.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0.0, "c2": _SQUARES, "max_iterations": _ROUNDS, "feature.possible_transitions": True})
    for found, labels in rows:
        trainer.append(found, labels)
    with tempfile.TemporaryDirectory(prefix="jiaokan-") as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        tagger = library.Tagger()
        tagger.open(str(path))  # reads the whole file; from bytes it would keep a pointer to what Python frees
    return tagger


def _signs(passage: BarePassage, places: Sequence[int]) -> list[list[str]]:
    """What the second model sees of each place where a stop stands: the graphs beside it, the clauses that it parts."""
    keys, kind = passage.keys, "n" if passage.note else "b"
    padded = EDGES[0] * 3 + keys + EDGES[1] * 3
    rows = []
    for n, at in enumerate(places):
        a, b, c, d, e, f = list(padded[at : at + 6])
        start = places[n - 1] if n else 0
        end = places[n + 1] if n + 1 < len(places) else len(keys)
        before, after = keys[start:at], keys[at:end]
        rows.append([
            "1", kind, f"b{b}", f"c{c}", f"d{d}", f"e{e}", f"bc{b}{c}", f"cd{c}{d}", f"de{d}{e}", f"abc{a}{b}{c}",
            f"def{d}{e}{f}", f"{kind}c{c}", f"{kind}d{d}", f"before{min(len(before), 9)}", f"after{min(len(after), 9)}",
            f"sizes{min(len(before), 5)},{min(len(after), 5)}", f"first{before[:1]}", f"next{after[-1:]}",
            f"ends{c},{after[-1:]}", f"same{before[-1:] == after[-1:]:d}", f"last{at == len(keys):d}{kind}{c}",
            f"n{min(n, 3)}",
        ])
    return rows
