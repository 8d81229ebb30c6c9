"""A sentence in other words is one entry: as its rule says, and in steps that grow with the text."""

from __future__ import annotations

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from pipeline.collate.apparatus.segments import KEPT, REPHRASED, Relation, Segment, join_rephrased
from tests.pathological import steps

SAME, OTHER, LACKING, THIRD = 0, 1, 2, 3
"""Columns in which all agree, one witness has another word or none, and in which it is another witness."""
RELATIONS: tuple[Relation | None, ...] = (
    None, ((0, 1, 0), ("substantive",)), ((0, 1, 0), ("omission",)), ((0, 0, 1), ("substantive",)))
KINDS = (SAME, SAME, OTHER, OTHER, LACKING, THIRD)
PIECES = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(1, 3)), max_size=24)


def segments(pieces: list[tuple[int, int]]) -> tuple[list[Relation | None], list[Segment]]:
    """Return columns and the segments into which they are cut."""
    relations: list[Relation | None] = []
    found: list[Segment] = []
    for what, size in pieces:
        kind: Literal["same", "entry"] = "same" if what == SAME else "entry"
        found.append(Segment(kind, len(relations), len(relations) + size))
        relations += [RELATIONS[what]] * size
    return relations, found


def plainly(pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """From which to which piece sentences reach: from each that differs on to the last that satisfies the rule."""
    out: list[tuple[int, int]] = []
    at = 0
    while at < len(pieces):
        reached = at
        for end in range(at + 1, len(pieces) + 1):
            run = pieces[at:end]
            groups = {what == THIRD for what, _ in run if what != SAME}
            if run[0][0] == SAME or len(groups) != 1 or any(what == SAME and size > KEPT for what, size in run):
                break
            entries = [(what, size) for what, size in run if what != SAME]
            kept = sum(size for what, size in run if what == SAME)
            if run[-1][0] != SAME and len(entries) >= REPHRASED and any(what == LACKING for what, _ in entries) and (
                    2 * kept < sum(size for _, size in entries)):
                reached = end - 1
        out.append((at, reached))
        at = reached + 1
    return out


@given(PIECES)
def test_it_is_joined_as_the_rule_says(pieces: list[tuple[int, int]]) -> None:
    relations, found = segments(pieces)
    assert join_rephrased(relations, found) == [
        found[at] if at == to else Segment("entry", found[at].start, found[to].end) for at, to in plainly(pieces)]


def test_a_long_run_that_is_no_sentence_takes_steps_in_proportion() -> None:
    """Each second word is the same: whichever difference is begun with, too much is kept."""
    few, many = (segments([(LACKING, 1), (SAME, 1)] * size) for size in (100, 400))
    assert steps(lambda: join_rephrased(*many)) < 7 * steps(lambda: join_rephrased(*few))
