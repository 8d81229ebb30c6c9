"""The benchmark against published apparatuses reads witnesses off an edition, and compares entries as it says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EDITION = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><listWit><witness xml:id="A"/><witness xml:id="B">
<witness xml:id="B1"/></witness><listWit xml:id="g"><witness xml:id="C"/><witness xml:id="D"/></listWit></listWit>
</teiHeader><text><body><p>one <app><lem>two <app><lem>three</lem><rdg wit="#A">tree</rdg></app></lem>
<rdg wit="#g"/></app> four<note>no</note> <app><lem>five</lem><rdg wit="#B1">fife</rdg></app></p></body></text></TEI>"""


@pytest.fixture(autouse=True)
def _beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])


def test_witnesses_are_read_off_the_apparatus() -> None:
    from published import Edition, places, words_of

    edition = Edition(EDITION.encode(), words=True)
    texts = {name: " ".join(words_of(edition.paragraphs[0], name)) for name in edition.witnesses}
    assert texts == {"base": "one two three four five", "A": "one two tree four five", "B": "one two three four fife",
                     "C": "one four five", "D": "one four five"}
    found = places(edition.paragraphs, edition.witnesses)
    assert [(each.start, each.end, sorted(each.varying)) for each in found] == [
        (1, 3, ["C", "D"]), (2, 3, ["A"]), (4, 5, ["B"])]


def test_the_sample_is_found() -> None:
    from apparatus import measure
    from published import read

    score = measure(read(ROOT / "benchmarks" / "sample.xml", words=False), "jiaokan")
    assert (score.total, score.kinds["missed"], score.invented, score.partition) == (78, 0, 0, 78)
    assert score.kinds["exact"] >= 76
