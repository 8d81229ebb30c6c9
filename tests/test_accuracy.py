"""Readers against passages that were annotated by reading. ``make accuracy`` prints the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import catalog, readers
from tests.accuracy import Score, annotated, marked, passages, score, sources

ROOT = Path(__file__).parents[1]
AT_LEAST = {  # share of characters in the right layer, share of the notes' characters with the right speaker
    "jibian": (0.995, 0.99),
    "gangmu": (0.97, 0.99),
    "benyi": (0.995, 0.96),
    "tongjie": (1.0, 0.99),
    "zhushu": (1.0, 1.0),
}


@pytest.mark.parametrize("source", sources())
def test_layers_and_speakers(source: str) -> None:
    settings = catalog.load(ROOT)
    found = marked(readers.read(settings.sources[source], settings)[0])
    total = sum((score(annotated(path), found) for path in passages(source)), Score(0, 0, 0, 0))
    layers, speakers = AT_LEAST[source]
    assert (total.layer_share >= layers, total.speaker_share >= speakers) == (True, True), "\n".join(total.wrong)
