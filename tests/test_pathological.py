"""Work is bounded: four times as much of what a text should not have takes about four times the steps, at every stage.

Steps are calls of functions, counted in one run, so that the test holds on any machine however busy it is.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from jiaokan.errors import JiaokanError
from jiaokan.model import Document
from jiaokan.readers import mandoku, plain
from jiaokan.readers.common.source import Source
from jiaokan.scaffold.survey import survey
from jiaokan.settings.catalog import Work
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.views import source_text
from jiaokan.tei.write import to_tei
from tests import test_readers_damage as damage
from tests.collations import edition, witness
from tests.pathological import SHAPES, steps, words

pytestmark = pytest.mark.thorough

SMALL, TIMES, MOST = 60, 4, 7.0
"""A shape is taken `SMALL` and `TIMES` as often; with linear work the steps are at most as many times more, and what is
quadratic would be 16 times. MOST leaves room for what begins only with more: chapters to be sought, a longer anchor."""


BLANK = Source(id="x", file="x", lines=(), work=Work(id="x", title="甲", chapters=()), convention={}, speakers=())
"""A source of which nothing is known."""


def read(source: str, shape: str, size: int) -> Document | None:
    return damage.read(damage.SOURCES[source], SHAPES[shape](size).split("\n"))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("source", damage.SOURCES)
def test_reading_takes_steps_in_proportion(source: str, shape: str) -> None:
    read(source, shape, SMALL)  # fills tables that are read once
    few, many = (steps(lambda size=size: read(source, shape, size)) for size in (SMALL, TIMES * SMALL))
    assert many < MOST * few


@pytest.mark.parametrize("shape", SHAPES)
def test_tei_takes_steps_in_proportion(shape: str) -> None:
    def there_and_back(size: int) -> None:
        for source in damage.SOURCES:
            document = read(source, shape, size)
            if document:
                made = from_tei(to_tei(document, element("teiHeader")), name="x")
                assert source_text(made) == source_text(document)

    there_and_back(SMALL)
    few, many = (steps(lambda size=size: there_and_back(size)) for size in (SMALL, TIMES * SMALL))
    assert many < MOST * few


@pytest.mark.parametrize("shape", SHAPES)
def test_a_survey_takes_steps_in_proportion(shape: str, tmp_path: Path) -> None:
    """And so the readers that take any text."""
    def seen(size: int) -> None:
        path = tmp_path / "x.txt"
        path.write_text(f"甲乙\n{SHAPES[shape](size)}\n", encoding="utf-8")
        survey(path)
        for reader in (mandoku, plain):
            source = replace(BLANK, lines=tuple(path.read_text(encoding="utf-8").split("\n")))
            with suppress(JiaokanError):
                reader.read(source)

    seen(SMALL)
    few, many = (steps(lambda size=size: seen(size)) for size in (4 * SMALL, 4 * TIMES * SMALL))
    assert many < MOST * few


UNLIKE = {
    "one graph": lambda n: ("甲" * n, "甲" * (n // 2)),
    "two phrases": lambda n: ("再拜稽首公答再拜" * (n // 8), "公答再拜再拜稽首" * (n // 8)),
    "backwards": lambda n: (words(n), words(n)[::-1]),
    "nothing alike": lambda n: (words(n), words(n, 10_007)),
    "every other": lambda n: (words(n), words(n)[::2]),
    "turned round": lambda n: (words(n), words(n)[n // 2:] + words(n)[:n // 2]),
    "exchanged": lambda n: (text := words(n), "".join(text[at:at + 8][::-1] for at in range(0, n, 8))),
    "one against all": lambda n: (words(n), "甲"),
}


@pytest.mark.parametrize("kind", UNLIKE)
def test_collation_takes_steps_in_proportion(kind: str) -> None:
    def collated(size: int) -> None:
        texts = UNLIKE[kind](size)
        units = ("|".join(text[at:at + 40] for at in range(0, len(text), 40)) for text in texts)
        edition([witness(name, line) for name, line in zip("ab", units, strict=True)], Path("nowhere"))

    collated(400)
    few, many = (steps(lambda size=size: collated(size)) for size in (800, 3200))
    assert many < MOST * few
