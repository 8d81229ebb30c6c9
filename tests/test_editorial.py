"""Decisions of the editor find their places: by words, by unit, however many they are; nothing changes its order."""

from __future__ import annotations

from datetime import date
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.collate.content import cut
from jiaokan.collate.editorial import ChapterDecisions
from jiaokan.collate.editorial.locate import DecidedText, DecidedTexts
from jiaokan.decisions.kinds import Filed
from jiaokan.decisions.tables import Lemma, ReadingDecision
from jiaokan.errors import DecisionError
from jiaokan.model import App, Content, Division, Head, Mark, Note, Paragraph, Reading, Unit
from jiaokan.model.words import starts
from tests.pathological import steps, words


def lemma(unit: str, context: str, reading: str, speaker: str = "") -> Filed[ReadingDecision]:
    chosen = Lemma(unit=unit, context=context, reading=reading, resp="editors", why="x", when=date(2026, 11, 23),
                   speaker=speaker)
    return Filed(Path("lemmas.toml"), chosen)


@given(st.lists(st.tuples(st.text("甲乙", max_size=6), st.sampled_from(["", "zhu", "head"])), max_size=8),
       st.text("甲乙", max_size=4), st.sampled_from(["", "zhu"]), st.integers(0, 8))
def test_words_are_found_as_by_looking_at_each_text(
    given_: list[tuple[str, str]], wanted: str, speaker: str, unit: int
) -> None:
    made = [
        Head(content=(text,), id=f"e.{n}") if kind == "head" else
        Note(content=(text,), resp=kind, id=f"e.{n}") if kind else Unit(content=(text,), id=f"e.{n}")
        for n, (text, kind) in enumerate(given_)
    ]
    texts = [DecidedText(item, item.content, item.id) for item in made]
    asked = lemma(f"e.{unit}", "[]", "x", speaker).decision
    spoken = [t for t in texts if t.speaker == speaker and (not isinstance(t.item, Head) or t.place == asked.id)]
    expected = {(t.place, at) for t in spoken for at in range(len(t.words) + 1) if t.words.startswith(wanted, at)}
    found = [(t.place, at) for t, at in DecidedTexts(texts).occurrences(asked, wanted)]
    assert len(found) == len(expected)
    assert {*found} == {each for each in expected if each[1] + len(wanted) <= len(given_[int(each[0][2:])][0])}


@given(st.text("甲乙", max_size=9), st.text("甲乙", max_size=3))
def test_all_places_are_found_overlapping_too(text: str, wanted: str) -> None:
    assert starts(text, wanted) == [at for at in range(len(text) - len(wanted) + 1) if text.startswith(wanted, at)]


def app(lemma_: str, reading: str, kind: str = "variant") -> App:
    both = (Reading(witnesses=(name,), content=(text,) if text else ()) for name, text in zip("ab", (lemma_, reading),
                                                                                              strict=True))
    first, second = both
    return App(lemma=first, readings=(second,), kind=kind)  # type: ignore[arg-type]


PIECES: tuple[Content, ...] = (
    ("甲",), (app("乙", "丙"),), (app("", "丁"),), (app("", "，", "accidental"),), (Mark(witness="a", unit="1"),),
    (Note(content=("注",)),),
)


def test_what_is_cut_is_in_the_order_in_which_it_stood() -> None:
    for pieces in product(PIECES, repeat=4):
        content = tuple(item for piece in pieces for item in piece)
        size = sum(isinstance(item, str) or (isinstance(item, App) and bool(item.lemma.content)) for item in content)
        for start, end in combinations(range(size + 1), 2):
            before, between, after = cut(content, start, end)
            assert (*before, *between, *after) == content
            beside = (*before[-1:], *after[:1])
            entries = [item for item in beside if isinstance(item, App) and item.kind == "variant"]
            assert all(entry.lemma.content for entry in entries)


def chapter(size: int) -> Division:
    """A chapter of so many units, each with an entry."""
    units = (
        Unit(id=f"e.1.1.{n}", sources=("a", "b"), content=(words(5, 9 * n), app("甲", "乙"), words(4, 9 * n + 5)))
        for n in range(1, size + 1)
    )
    return Division(kind="pian", n="1", id="e.1", items=tuple(Paragraph(content=(unit,)) for unit in units))


def apply(size: int, moved: int = 0, around: str = "") -> Division:
    """Its decisions, one for each entry, on units `moved` further on, in words that stand there or `around` others."""
    made = chapter(size)
    filed = [
        lemma(f"e.1.1.{n + moved}", f"{around or words(5, 9 * n)}[甲]{around or words(4, 9 * n + 5)}", "乙")
        for n in range(1, size + 1)
    ]
    applying = ChapterDecisions("e.1", filed)
    return applying.apply_to_reports(applying.apply(made))


@pytest.mark.parametrize("moved", [0, 1])
def test_many_decisions_take_steps_in_proportion(moved: int) -> None:
    apply(10, moved)
    few, many = (steps(lambda size=size: apply(size, moved)) for size in (40, 160))  # type: ignore[misc]
    assert many < 5 * few


def test_many_decisions_that_fit_nowhere_are_all_named_in_steps_in_proportion() -> None:
    def refused(size: int) -> str:
        with pytest.raises(DecisionError) as told:
            apply(size, size, "龍龍龍")
        return str(told.value)

    assert refused(160).count("does not fit: there is no such unit") == 160
    few, many = (steps(lambda size=size: refused(size)) for size in (40, 160))  # type: ignore[misc]
    assert many < 7 * few
