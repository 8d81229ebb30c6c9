"""A network that learns from any punctuated texts where stops are, and which.

Each graph has a vector, and so has each pair of neighbours; dilated convolutions over them (Yu and Koltun, "Multi-scale
context aggregation by dilated convolutions", 2016) see 17 graphs on each side. Beside that, words of up to four graphs
around a place count for each stop directly, as in a linear model (Cheng et al., "Wide and deep learning", 2016). Pairs
and words are hashed. Convolutions are trained by Adam (Kingma and Ba 2015), vectors by AdaGrad (Duchi et al. 2011), one
rate for each row. The same passages give the same model on the same machine; a stored model gives the same chances on
every machine, since they are computed in double precision and rounded.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np

from jiaokan.model.marks import STOPS
from jiaokan.proposals.models import model_data, no_model
from jiaokan.proposals.passages import BarePassage, PunctuatedPassage
from jiaokan.system.atomic import write_file

ENDING = ".npz"
LABELS = f" {STOPS}"
"""What may follow a graph: nothing, or a stop."""
_EDGE, _RARE = 1, 0
"""Numbers of what lies outside a passage, and of graphs that are not listed."""
_GRAPHS, _PAIRS, _WORDS = 9000, 1 << 17, 3 << 18
_SELDOM = 2
"""Graphs that occur no oftener are not listed, so that the model learns what an unknown graph means."""
_WIDTH, _HIDDEN = 64, 128
_DILATIONS = (1, 2, 4, 8)
_AROUND = ((0,), (1,), (-1, 0), (0, 1), (1, 2), (-1, 1), (0, 2), (-2, -1, 0), (-1, 0, 1), (0, 1, 2), (1, 2, 3),
           (-2, -1, 0, 1), (-1, 0, 1, 2), (0, 1, 2, 3), (-3, -2, -1, 0), (1, 2, 3, 4))
"""The words that speak for a stop, by their places; a stop stands between 0 and 1."""
_ROWS, _LENGTH = 8, 192
"""A batch: pieces of text and their length."""
_NEGLIGIBLE = 0.3
"""Share of words, those that say least, not stored: 14.5 MB for 16.3, the same marks (docs/measured.md)."""
_VECTORS = ("graph", "pair", "word")
_RATE, _WARM, _DROP = 1.5e-3, 200, 0.1
_PIECE, _REACH = 4096, 32
"""Graphs that are computed at once, and those on each side that matter for them (at most 20)."""
LEFT_OUT = 50
"""Each so manieth passage is not learned from; the chances are calibrated by them."""
_CALIBRATING = 2000
PROPOSED = 0.4
"""Chance from which a stop is proposed (docs/measured.md)."""

_MOST = 20_000_000
"""Of more graphs every second or third passage is learned from, in ten minutes (docs/measured.md)."""
_ENOUGH, _EPOCHS = 700, 60
"""Few texts are gone through several times, up to so many batches; of 16 million graphs a second time adds a point."""

Array = Any
Progress = Callable[[float], None]


def _pairs(graphs: Array) -> Array:
    after = np.roll(graphs, -1, axis=1)
    after[:, -1] = _EDGE
    mixed = (graphs.astype(np.uint64) * np.uint64(2654435761)) ^ (after.astype(np.uint64) * np.uint64(2654435769 + 10))
    return (mixed % np.uint64(_PAIRS)).astype(np.int64)


def _words(graphs: Array) -> Array:
    rows, length = graphs.shape
    padded = np.full((rows, length + 8), _EDGE, np.uint64)
    padded[:, 4 : 4 + length] = graphs
    found = np.empty((len(_AROUND), rows * length), np.int64)
    for n, places in enumerate(_AROUND):
        mixed = np.full((rows, length), 0x9E3779B97F4A7C15 * (n + 1) & (1 << 64) - 1, np.uint64)
        for at in places:
            mixed = (mixed ^ padded[:, 4 + at : 4 + at + length]) * np.uint64(0xD6E8FEB86659FD93)
            mixed ^= mixed >> np.uint64(32)
        found[n] = (mixed % np.uint64(_WORDS)).astype(np.int64).ravel()
    return found


def _columns(layer: Array, dilation: int) -> Array:
    """Return for each place the vectors of the place before, of itself and of the place after, `dilation` apart."""
    rows, length, width = layer.shape
    padded = np.zeros((rows, length + 2 * dilation, width), layer.dtype)
    padded[:, dilation : dilation + length] = layer
    shifted = [padded[:, n * dilation : n * dilation + length] for n in range(3)]
    return np.concatenate(shifted, axis=2).reshape(rows * length, 3 * width)


def _uncolumned(gradient: Array, shape: tuple[int, int, int], dilation: int) -> Array:
    """Return the gradient of a layer from that of its `_columns`."""
    rows, length, width = shape
    padded = np.zeros((rows, length + 2 * dilation, width), gradient.dtype)
    parted = gradient.reshape(rows, length, 3 * width)
    for n in range(3):
        padded[:, n * dilation : n * dilation + length] += parted[:, :, n * width : (n + 1) * width]
    return padded[:, dilation : dilation + length]


class _Pass:
    """The layers computed for a batch of graphs (numbers, shape rows × length)."""

    def __init__(self, weights: dict[str, Array], graphs: Array, random: Any = None) -> None:
        self.graphs, self.pairs, self.words = graphs, _pairs(graphs), _words(graphs)
        own, pair = weights["graph"][graphs], weights["pair"][self.pairs]
        self.kept = 1.0 if random is None else (random.random((*graphs.shape, 1)) >= _DROP / 3).astype(own.dtype)
        layer = np.concatenate([own, pair * self.kept], axis=2)
        self.columns, self.active = [_columns(layer, 1)], []
        self.shape = (*graphs.shape, _HIDDEN)
        hidden = np.maximum(self.columns[0] @ weights["first"] + weights["first bias"], 0)
        self.active.append(hidden)
        for dilation in _DILATIONS:
            self.columns.append(_columns(hidden.reshape(self.shape), dilation))
            self.active.append(np.maximum(self.columns[-1] @ weights[f"{dilation}"] + weights[f"{dilation} bias"], 0))
            hidden = hidden + self.active[-1]
        hidden = hidden.reshape(self.shape)
        after = np.zeros_like(hidden)
        after[:, :-1] = hidden[:, 1:]
        self.last = np.concatenate([hidden, after], axis=2).reshape(-1, 2 * _HIDDEN)
        self.mask = 1.0
        if random is not None:
            self.mask = (random.random(self.last.shape, dtype=np.float32) >= _DROP).astype(np.float32) / (1 - _DROP)
            self.last = self.last * self.mask
        self.scores = self.last @ weights["last"] + weights["last bias"]
        for each in self.words:
            self.scores = self.scores + weights["word"][each]

    def gradients(self, weights: dict[str, Array], wrong: Array) -> dict[str, Array]:
        """Return the gradients of all weights; of vectors, one for each place."""
        found = {"last": self.last.T @ wrong, "last bias": wrong.sum(0)}
        rows, length, _ = self.shape
        both = wrong @ weights["last"].T * self.mask
        hidden = both[:, :_HIDDEN].reshape(self.shape).copy()
        hidden[:, 1:] += both[:, _HIDDEN:].reshape(self.shape)[:, :-1]
        back = hidden.reshape(rows * length, _HIDDEN)
        for n, dilation in reversed([*enumerate(_DILATIONS, 1)]):
            own = back * (self.active[n] > 0)
            found |= {f"{dilation}": self.columns[n].T @ own, f"{dilation} bias": own.sum(0)}
            back = back + _uncolumned(own @ weights[f"{dilation}"].T, self.shape, dilation).reshape(back.shape)
        own = back * (self.active[0] > 0)
        found |= {"first": self.columns[0].T @ own, "first bias": own.sum(0)}
        layer = _uncolumned(own @ weights["first"].T, (rows, length, 2 * _WIDTH), 1)
        found |= {"graph": layer[:, :, :_WIDTH], "pair": layer[:, :, _WIDTH:] * self.kept}
        return found


class _Training:
    """Weights that are being learned."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(0)
        normal, kind = self.random.normal, np.float32
        shapes = {"first": (6 * _WIDTH, _HIDDEN), **{f"{n}": (3 * _HIDDEN, _HIDDEN) for n in _DILATIONS}}
        self.weights = {name: (normal(0, 1, shape) / np.sqrt(shape[0])).astype(kind) for name, shape in shapes.items()}
        self.weights |= {f"{name} bias": np.zeros(_HIDDEN, kind) for name in shapes}
        self.weights |= {
            "last": normal(0, 0.05, (2 * _HIDDEN, len(LABELS))).astype(kind), "last bias": np.zeros(len(LABELS), kind),
        }
        self.means = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.squares = {name: np.zeros_like(value) for name, value in self.weights.items()}
        self.weights |= {
            "graph": normal(0, 0.1, (_GRAPHS, _WIDTH)).astype(kind),
            "pair": normal(0, 0.1, (_PAIRS, _WIDTH)).astype(kind),
            "word": np.zeros((_WORDS, len(LABELS)), kind),
        }
        self.rows = {name: np.full(len(self.weights[name]), 1e-6, kind) for name in ("graph", "pair")}
        self.rows["word"] = np.full(_WORDS, 1e-3, kind)
        self.steps = 0

    def step(self, batch: tuple[Array, Array, Array], rate: float) -> None:
        """Learn from a batch: graphs, the label after each, and whether it counts; each rows × length."""
        graphs, labels, counted = batch
        done = _Pass(self.weights, graphs, self.random)
        wrong = _softmax(done.scores)
        wrong[np.arange(labels.size), labels.ravel()] -= 1
        wrong *= counted.ravel()[:, None] / max(1.0, float(counted.sum()))
        found = done.gradients(self.weights, wrong)
        self.steps += 1
        for name, mean in self.means.items():
            mean += 0.1 * (found[name] - mean)
            self.squares[name] += 0.002 * (found[name] ** 2 - self.squares[name])
            root = np.sqrt(self.squares[name] / (1 - 0.998**self.steps)) + 1e-8
            self.weights[name] -= rate * (mean / (1 - 0.9**self.steps)) / root
        self._vectors("graph", done.graphs.ravel(), found["graph"].reshape(-1, _WIDTH), 15 * rate)
        self._vectors("pair", done.pairs.ravel(), found["pair"].reshape(-1, _WIDTH), 15 * rate)
        self._vectors("word", done.words.ravel(), np.tile(wrong * (labels.size / 100), (len(_AROUND), 1)), 40 * rate)

    def _vectors(self, name: str, places: Array, gradient: Array, rate: float) -> None:
        order = np.argsort(places, kind="stable")
        ordered = places[order]
        starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
        sums, rows = np.add.reduceat(gradient[order], starts, axis=0), ordered[starts]
        self.rows[name][rows] += (sums * sums).mean(1)
        self.weights[name][rows] -= (rate * sums / np.sqrt(self.rows[name][rows])[:, None]).astype(np.float32)


def _softmax(scores: Array) -> Array:
    raised = np.exp(scores - scores.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


@dataclass(frozen=True)
class StopNetwork:
    """A trained network."""

    name: str
    """How reasons name it: ``model classical``."""
    graphs: str
    """The graphs that are listed, the most frequent first."""
    weights: dict[str, Array]
    scale: float = 1.0
    """What scores are multiplied with, so that of places with a chance of 0.9 nine in ten have a stop."""
    _last: dict[str, Array] = field(default_factory=dict)
    """The chances in the passage that was last asked for."""

    @classmethod
    def trained(cls, name: str, taught: Sequence[PunctuatedPassage], progress: Progress = lambda _: None) -> Self:
        """Train on punctuated passages; `progress` is called with the share done."""
        counts = Counter("".join(each.passage.keys for each in taught))
        graphs = "".join(graph for graph, count in counts.most_common(_GRAPHS - 2) if count > _SELDOM)
        every = 1 + sum(len(each.passage.keys) for each in taught) // _MOST
        learned = [each for n, each in enumerate(taught) if n % LEFT_OUT][::every]
        training, numbers = _Training(), _numbers(graphs)
        size = sum(len(each.passage.keys) + 1 for each in learned) // (_ROWS * _LENGTH) or 1
        epochs = max(1, min(_EPOCHS, _ENOUGH // max(1, size)))
        warm = min(_WARM, 1 + size * epochs // 10)
        for n, batch in enumerate(_batches(learned, numbers, epochs, training.random)):
            share = n / (size * epochs)
            training.step(batch, _RATE * min(1.0, (n + 1) / warm) * max(0.02, 1 - share))
            progress(min(1.0, share))
        return cls(name, graphs, training.weights).calibrated(taught[::LEFT_OUT][:_CALIBRATING])

    def chances(self, passage: BarePassage) -> list[float]:
        """Return the chance of a stop at each place between two graphs; the first is after one graph."""
        return [round(1 - float(none), 6) for none in self._labels(passage)[:-1, 0]]

    def named(self, passage: BarePassage, places: Sequence[int]) -> list[str]:
        """Return the likeliest stop after so many graphs, for each of the places."""
        found = self._labels(passage)[:, 1:].argmax(1)
        return [STOPS[found[at - 1]] for at in places]

    def _labels(self, passage: BarePassage) -> Array:
        """Return the chance of each label after each graph; in double precision, so that it is the same everywhere."""
        if passage.keys not in self._last:
            self._last.clear()
            inner = [_EDGE, *(self._numbers.get(graph, _RARE) for graph in passage.keys), _EDGE]
            pieces = ((at, inner[max(0, at - _REACH) : at + _PIECE + _REACH]) for at in range(0, len(inner), _PIECE))
            scores = [_Pass(self.weights, np.array([piece])).scores[min(at, _REACH) :][:_PIECE] for at, piece in pieces]
            self._last[passage.keys] = _softmax(self.scale * np.concatenate(scores)[1:-1]).round(6)
        return self._last[passage.keys]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return _numbers(self.graphs)

    def calibrated(self, seen: Sequence[PunctuatedPassage]) -> Self:
        """Return it with the scale of scores at which the stops of other passages are likeliest."""
        scores = [np.log(self._labels(each.passage)[:-1] + 1e-6) for each in seen]
        wanted = [[LABELS.index(each.stops.get(at, " ")) for at in range(1, len(each.passage.keys))] for each in seen]
        rows, right = np.concatenate([np.zeros((0, len(LABELS))), *scores]), np.array([*chain(*wanted)], np.int64)

        def surprise(scale: float) -> float:
            return -float(np.log(_softmax(scale * rows)[np.arange(len(right)), right] + 1e-6).sum())

        return replace(self, scale=min((0.5 + n / 20 for n in range(16)), key=surprise), _last={})

    def reliability(self, seen: Sequence[PunctuatedPassage]) -> list[tuple[float, int, float]]:
        """Return how many stops are proposed with a chance from 0.4, 0.5 … on, and the share of these that is right."""
        found: dict[int, list[bool]] = {}
        for each in seen:
            for at, chance in enumerate(self.chances(each.passage), 1):
                if chance >= PROPOSED:
                    found.setdefault(int(10 * chance), []).append(at in each.stops)
        return [(band / 10, len(right), sum(right) / len(right)) for band, right in sorted(found.items())]

    def saved(self, path: Path) -> None:
        """Write it to a file: weights of vectors as whole numbers of eight bits, each row with its size."""
        arrays: dict[str, Array] = {"graphs": np.array(self.graphs), "scale": np.array(self.scale)}
        for name, value in self.weights.items():
            if name in _VECTORS:
                size = np.abs(value).max(1) / 127
                size[size < np.quantile(size, _NEGLIGIBLE if name == "word" else 0)] = 0
                arrays[f"{name} size"] = size.astype(np.float16)
                arrays[name] = np.round(value * (size > 0)[:, None] / np.maximum(size, 1e-9)[:, None]).astype(np.int8)
            else:
                arrays[name] = value.astype(np.float16)
        made = io.BytesIO()
        np.savez_compressed(made, allow_pickle=False, **arrays)
        write_file(path, made.getvalue())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read it from a file; raises JiaokanError if there is none, or if it is not a model."""
        data = model_data(path, "punctuate")
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                found = {name: arrays[name] for name in arrays.files}
            graphs, scale = str(found.pop("graphs")), float(found.pop("scale"))
            weights = {name: value.astype(np.float64) for name, value in found.items()}
            for name in _VECTORS:
                weights[name] *= weights.pop(f"{name} size")[:, None]
            return cls(f"model {path.stem}", graphs, weights, scale)
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise no_model(path) from error


def _numbers(graphs: str) -> dict[str, int]:
    return {graph: n for n, graph in enumerate(graphs, 2)}


def _batches(
    taught: Sequence[PunctuatedPassage], numbers: Mapping[str, int], epochs: int, random: Any
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield graphs, the label after each, and whether it counts: what parts passages does not."""
    label = {sign: n for n, sign in enumerate(LABELS)}
    for _ in range(epochs):
        rows: list[tuple[int, int, int]] = []
        for at in random.permutation(len(taught)):
            keys, stops = taught[at].passage.keys, taught[at].stops
            rows += [(numbers.get(graph, _RARE), label[stops.get(n, " ")], 1)
                     for n, graph in enumerate(keys, 1)]
            rows.append((_EDGE, 0, 0))
            if len(rows) >= 200 * _ROWS * _LENGTH:
                yield from _cut(rows)
                rows = []
        yield from _cut(rows)


def _cut(rows: list[tuple[int, int, int]]) -> Iterator[tuple[Array, Array, Array]]:
    rows += [(_EDGE, 0, 0)] * (-len(rows) % (_ROWS * _LENGTH))
    whole = np.array(rows, np.int64).reshape(_ROWS, -1, _LENGTH, 3)
    for n in range(whole.shape[1]):
        graphs, labels, counted = whole[:, n].transpose(2, 0, 1)
        yield graphs, labels, counted
