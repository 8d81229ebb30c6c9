"""Readers and collation against passages that were annotated by reading. ``make accuracy`` prints the figures."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.collate import collate_chapter, join
from jiaokan.model import Document
from jiaokan.settings import catalog
from jiaokan.settings.plans import ChapterPlan
from tests import readings
from tests.accuracy import (
    Score,
    annotated,
    changes,
    collation,
    commentary,
    marked,
    moves,
    passages,
    remarks,
    score,
    sources,
)
from tests.accuracy.alignment import alignments

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
    found = marked(readings.read(source)[0])
    total = sum((score(annotated(path), found) for path in passages(source)), Score(0, 0, 0, 0))
    layers, speakers = AT_LEAST[source]
    assert (total.layer_share >= layers, total.speaker_share >= speakers) == (True, True), "\n".join(total.wrong)


SETTINGS = catalog.load(ROOT)
PLAN = SETTINGS.editions["yili"]
SHARED = tuple(chapter for chapter in PLAN.chapters if len(chapter.witnesses) > 1)


@pytest.fixture(scope="module")
def witnesses() -> dict[str, Document]:
    return readings.witnesses()


@pytest.mark.parametrize("passage", tuple(collation.passages()), ids=lambda each: each.name)
def test_passages_are_in_their_sources(passage: collation.Passage, witnesses: dict[str, Document]) -> None:
    for name, pieces in passage.pieces.items():
        text = collation.base_text(witnesses[name], passage.chapter)
        assert [piece for piece in pieces if piece not in text] == []


@pytest.fixture(scope="module")
def edition(witnesses: dict[str, Document]) -> Document:
    return join(PLAN, [collate_chapter(PLAN, chapter, witnesses, SETTINGS) for chapter in SHARED])[0]


def test_comments(edition: Document) -> None:
    """Of the comments collated by hand 95 % are one note that gives back what each work prints."""
    wanted = commentary.comments(SETTINGS)
    assert len(wanted) > 200
    missing = commentary.misses(edition, wanted)
    assert len(missing) <= 0.05 * len(wanted), "\n".join(f"{miss.comment.place}: {miss.reason}" for miss in missing)


def test_remarks(edition: Document) -> None:
    """Every reading that a remark reports and whose words are found stands in an entry, or is the text's own."""
    found = remarks.figures(edition)
    assert found.reports > 120
    assert found.collated + found.alone > 0.85 * found.reports
    assert found.lost == []


def test_entries(edition: Document) -> None:
    """Of the entries of passages collated by hand 98 % are found, none is invented, 95 % have the right class."""
    total = collation.scored(edition)
    assert total.entries > 150
    good = total.found >= 0.98 * total.entries, total.invented == 0, total.classes >= 0.95 * total.entries
    assert good == (True, True, True), "\n".join(total.wrong)


def test_entries_of_changed_witnesses(witnesses: dict[str, Document]) -> None:
    """Of known changes of a ritual text, close together, in one to three of three witnesses, 98 % are entries."""
    total = changes.measured(collation.base_text(witnesses["jibian"], "5"))
    assert total.entries > 500
    good = total.found >= 0.98 * total.entries, total.invented <= 0.02 * total.entries
    assert good == (True, True), "\n".join(total.wrong)


@pytest.mark.parametrize(("name", "n"), [("jibian", "5"), ("benyi", "12")])
def test_moves_leave_no_crumbs(name: str, n: str, witnesses: dict[str, Document]) -> None:
    """Of passages that stand elsewhere, a word at their edge changed, 95 % are one move and that word, no more."""
    made = moves.moves(moves.units_of(witnesses[name], n), rounds=80)
    assert len(made) > 70
    wrong = [f"{'|'.join(each.units)}\n{'|'.join(each.copy)}" for each in made if not each.is_told()]
    assert len(wrong) <= 0.05 * len(made), "\n".join(wrong)


@pytest.mark.parametrize("chapter", SHARED, ids=lambda each: each.title)
def test_alignments_are_near_least_cost(chapter: ChapterPlan, witnesses: dict[str, Document]) -> None:
    """Each pair costs at most 2 % more than the least; what is in order also by itself, for the edition's pairs."""
    for each in alignments(chapter, witnesses):
        assert each.cost <= 1.02 * each.least, each
        if each.base == chapter.base:
            assert each.rest_cost <= 1.02 * each.rest, each
