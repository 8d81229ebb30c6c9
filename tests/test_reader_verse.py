"""The reader of verse with comments: cases as data, what the signs say and what the editor says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jiaokan.decisions.tables import Boundary
from jiaokan.errors import CatalogError, DecisionError, SourceError
from jiaokan.model import Gap, Line, Note, Paragraph, Unit
from jiaokan.model.walk import walk as everything
from jiaokan.readers import verse
from jiaokan.readers.common.source import Source, Speaker, load
from jiaokan.settings import catalog
from jiaokan.settings.catalog import Chapter, Work
from jiaokan.tei.views import source_text
from tests.accuracy import annotated, marked, passages, score
from tests.outline import outline

ROOT = Path(__file__).parents[1]
CASES = sorted((ROOT / "tests/cases/readers").glob("verse-*"))
SETTINGS = catalog.load(ROOT)
GANGMU = load(SETTINGS.sources["gangmu"], SETTINGS)


def source(text: str, *boundaries: Boundary, convention: dict[str, Any] | None = None) -> Source:
    """A text in the convention of 六艺纲目, or in another; then it is a work of one chapter."""
    made = replace(GANGMU, file="in.txt", lines=tuple(text.split("\n")), boundaries=boundaries)
    if convention is None:
        return made
    speakers = tuple(Speaker(**row) for row in convention["speaker"])
    work = Work(id="x", title="三字经", chapters=(Chapter(n=1, title="三字经"),))
    return replace(made, convention=convention, speakers=speakers, work=work)


def bare(text: str) -> str:
    return "".join(text.split("\n"))


def walk(item: Any) -> list[Any]:
    inside = getattr(item, "items", None) or getattr(item, "content", ())
    return [item, *(found for part in inside if not isinstance(part, str) for found in walk(part))]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path) -> None:
    text = (case / "in.txt").read_text(encoding="utf-8")
    convention = case / "convention.toml"
    made = source(text, convention=catalog.read_toml(convention) if convention.exists() else None)
    document, findings = verse.read(made)
    rules = "".join(f"! {finding.rule}\n" for finding in findings)
    assert outline(document) + rules == (case / "golden.txt").read_text("utf-8")
    assert bare(source_text(document)) == bare(text)


def test_the_counts_of_the_survey() -> None:
    document, _ = verse.read(GANGMU)
    every = [found for division in document.divisions for found in walk(division)]
    notes = Counter((n.kind, n.resp) for n in every if isinstance(n, Note))
    assert notes["commentary", "zhaoyizhong"] == 27
    assert sum(count for (kind, _), count in notes.items() if kind != "commentary") == 31  # 【】 but 【附注】, 【阙】
    assert sum(isinstance(item, Gap) for item in every) == 1
    assert sum(isinstance(item, Paragraph) for item in every) == 91 + 13  # whole paragraphs, with comment glued on
    assert all(isinstance(line, Line) for u in every if isinstance(u, Unit) for line in u.content)
    assert [d.title for d in walk(document.divisions[2])if getattr(d, "kind", "") == "section"] == [
        "五礼", "六乐", "五射", "五御",
    ]


def test_the_signs_alone_are_nearly_right() -> None:
    document, _ = verse.read(replace(GANGMU, boundaries=()))
    found = marked(document)
    scores = [score(annotated(path), found) for path in passages("gangmu")]
    assert sum(s.layers for s in scores) / sum(s.characters for s in scores) > 0.99


def test_every_judgement_shows_its_signs() -> None:
    judgements = verse.explain(GANGMU)
    glued = next(j for j in judgements if j.words.startswith("昦天上帝"))
    assert glued.verdict == "20 characters of verse"
    assert any("closes as a stanza" in str(sign) for sign in glued.signs)
    assert all(j.signs or j.decision for j in judgements)


def test_a_decision_stands_above_the_signs() -> None:
    text = "六艺纲领\n六艺之学五礼六乐五射五御六书九数"
    judged = Boundary(source="gangmu", after="五射五御", verdict="note", person="zhuxi", resp="x", why="read")
    document, _ = verse.read(source(text, judged))
    assert "note zhuxi" in outline(document)
    assert any((j.decision and j.decision.why) == "read" for j in verse.explain(source(text, judged)))


def test_a_comment_goes_on_in_the_next_paragraph_by_decision() -> None:
    text = "六艺纲领\n六艺之学五礼六乐五射五御六书九数\n朱子曰學者當先務此而後可以\n及於其餘也"
    joined = Boundary(source="gangmu", after="及於其餘", verdict="joins", resp="x", why="one sentence")
    before, after = (source_text(verse.read(source(text, *each))[0]) for each in ((), (joined,)))
    notes = [item for item in everything(verse.read(source(text, joined))[0]) if isinstance(item, Note)]
    assert [each.content for each in notes] == [("朱子曰學者當先務此而後可以", "及於其餘也")]
    assert bare(before) == bare(after)


def test_a_decision_that_no_longer_fits_is_refused() -> None:
    judged = Boundary(source="gangmu", after="五射", verdict="note", resp="x", why="y")
    with pytest.raises(DecisionError, match="fits 2 places"):
        verse.read(source("六艺纲领\n五射五射", judged))


def test_another_format_is_refused() -> None:
    with pytest.raises(SourceError, match="no line is a head"):
        verse.read(source("卒爵\n拜"))


def test_an_unknown_key_of_the_convention_is_refused() -> None:
    with pytest.raises(CatalogError, match="metres"):
        verse.read(source("六艺纲领", convention={**GANGMU.convention, "speaker": [], "metres": 4}))
