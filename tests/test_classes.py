"""Classes of differences: the edition against what was judged by reading, and what the lists cite."""

from __future__ import annotations

import re
from pathlib import Path

import opencc
import pytest

from jiaokan.characters.dictionaries import field
from jiaokan.characters.relations import LISTS, VARIANT_FIELDS, GraphPair, rows
from jiaokan.decisions.characters import Choices
from jiaokan.entries.extract import all_entries
from jiaokan.settings import catalog
from tests import readings
from tests.accuracy.classes import judged, wrong

ROOT = Path(__file__).parents[1]
SETTINGS = catalog.load(ROOT)
SOURCES = {
    entry.siglum: re.sub(r"\s", "", (ROOT / "tei" / entry.file).read_text(encoding="utf-8"))
    for entry in SETTINGS.sources.values()
}
OWN = re.compile(f"({'|'.join(SOURCES)})「([^」]+)」")
BOOK = re.compile(r"《[^》]+》[^「《]*「[^」]+」(「[^」]+」)*|《汉语大字典》通假字表 \d{4}：\w〔\w〕")
FIELD = re.compile(r"Unihan (k\w+) (\w) (\w)")
JAPANESE = re.compile(r"OpenCC t2jp (\w) (\w)")
LISTED = [row for name in (*LISTS, "distinct") for row in rows(name)]


@pytest.mark.thorough
def test_classes_judged_by_reading() -> None:
    """At least 95 % of the differences of all chapters have the class that was judged."""
    found = wrong(all_entries(readings.collated()))
    assert len(found) <= 0.05 * len(list(judged())), "\n".join(found)


def test_the_judged_rows_are_distinct() -> None:
    keys = [(row.reference, row.before, row.lemma, row.reading) for row in judged()]
    assert len(set(keys)) == len(keys) >= 150
    assert all(row.why for row in judged())


@pytest.mark.parametrize("row", LISTED, ids=lambda row: f"{row.left}/{row.right}")
def test_each_row_cites_what_can_be_checked(row: GraphPair) -> None:
    """Each part of a citation has a known form; what is quoted of our own sources stands in them."""
    for part in row.citation.split("；"):
        assert OWN.match(part) or BOOK.match(part) or FIELD.match(part) or JAPANESE.match(part), part
        for siglum, words in OWN.findall(part):
            assert words in SOURCES[siglum], part
        for name, left, right in FIELD.findall(part):
            if name in VARIANT_FIELDS:
                assert right in field(name).get(left, "") or left in field(name).get(right, ""), part
        for old, new in JAPANESE.findall(part):
            assert opencc.OpenCC("t2jp").convert(old) == new, part


def test_what_is_lost_throughout_is_nowhere() -> None:
    """A graph that the editor says a transcription lost throughout does not occur in it."""
    lost = Choices.load(ROOT).lost
    assert lost
    for rule in lost:
        assert not set(rule.characters) & set(SOURCES[SETTINGS.sources[rule.source].siglum]), rule
