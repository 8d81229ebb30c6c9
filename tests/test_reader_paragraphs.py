"""The reader of paragraph sources: cases as data, counts, decisions (damage: `test_readers_damage.py`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jiaokan.decisions.tables import Boundary
from jiaokan.errors import DecisionError, SourceError
from jiaokan.model import Division, Document, Note, Paragraph, Trailer, Unit
from jiaokan.readers import paragraphs
from jiaokan.readers.common.source import Source, Speaker, load
from jiaokan.settings import catalog
from jiaokan.tei.views import source_text
from tests.outline import outline

ROOT = Path(__file__).parents[1]
CASES = sorted((ROOT / "tests/cases/readers").glob("paragraphs-*"))
SETTINGS = catalog.load(ROOT)
JIBIAN = load(SETTINGS.sources["jibian"], SETTINGS)


def source(text: str, *boundaries: Boundary) -> Source:
    """A text in the convention of 仪礼集编, complete with its beginning."""
    convention = dict(JIBIAN.convention) if "国学宝典" in text else {**JIBIAN.convention, "opening": {}}
    return Source("jibian", "in.txt", tuple(text.split("\n")), JIBIAN.work, convention, JIBIAN.speakers, boundaries)


def case_source(case: Path) -> Source:
    """The text of a case, in the convention that lies beside it or else in that of 仪礼集编."""
    made = source((case / "in.txt").read_text(encoding="utf-8"))
    if not (case / "convention.toml").exists():
        return made
    convention = catalog.read_toml(case / "convention.toml")
    return replace(made, convention=convention, speakers=tuple(Speaker(**row) for row in convention["speaker"]))


def bare(text: str) -> str:
    """A text without line ends and the white space round its lines."""
    return "".join(line.strip(" \u3000\t") for line in text.split("\n"))


def whole(document: Document) -> str:
    """What a document prints and what was dropped from it, in the order of the source."""
    before = "".join(text for rule, text in document.dropped if rule == "site-head")
    after = "".join(text for rule, text in document.dropped if rule == "site-foot")
    return bare(f"{before}\n{source_text(document)}\n{after}")


def walk(item: Any) -> list[Any]:
    inside = getattr(item, "items", None) or getattr(item, "content", ())
    return [item, *(found for part in inside if not isinstance(part, str) for found in walk(part))]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path) -> None:
    text = (case / "in.txt").read_text(encoding="utf-8")
    document, findings = paragraphs.read(case_source(case))
    rules = [f.rule for f in findings if f.rule != "chrome-absent"]
    assert outline(document) + "".join(f"! {rule}\n" for rule in rules) == (case / "golden.txt").read_text("utf-8")
    assert whole(document) == bare(text)


def test_the_counts_of_the_survey() -> None:
    document, findings = paragraphs.read(JIBIAN)
    every = [found for division in document.divisions for found in walk(division)]
    notes = Counter(n.content[0].content[0] for n in every if isinstance(n, Note) and hasattr(n.content[0], "role")
                    and n.content[0].role == "attribution" and n.rend == "")
    assert not findings
    assert [(d.n, d.title) for d in document.divisions] == [
        ("4", "乡饮酒礼"), ("5", "乡射礼"), ("6", "燕礼"), ("7", "大射仪"),
    ]
    assert sum(isinstance(x, Trailer) for x in every) == 116
    assert sum(isinstance(x, Division) and x.kind == "ji" for x in every) == 3
    assert sum(isinstance(x, Paragraph) for x in every) == sum(isinstance(x, Unit) for x in every) == 742
    assert (notes["注曰"], notes["敖氏曰"], notes["世佐案"], notes["疏曰"]) == (470 + 58, 462 + 54, 282 + 57, 139 + 18)


def test_a_decision_stands_above_the_signs() -> None:
    text = "  乡射礼第五之一\n  注曰乃请\n  乃请郑氏\n  敖氏曰请"
    judged = Boundary(
        source="jibian", after="乃请郑氏", verdict="note", person="zhuxi", resp="x", why="the same words", cert="low",
    )
    document, _ = paragraphs.read(source(text, judged))
    assert "note zhuxi shuo block ?low: 乃请郑氏" in outline(document)
    assert any((j.decision and j.decision.why) == "the same words" for j in paragraphs.explain(source(text, judged)))


def test_a_decision_that_no_longer_fits_is_refused() -> None:
    judged = Boundary(source="jibian", after="乃请", verdict="base", resp="x", why="y")
    with pytest.raises(DecisionError, match="fits 2 places"):
        paragraphs.read(source("  乃请\n  乃请", judged))


def test_a_source_of_chrome_alone_is_refused() -> None:
    with pytest.raises(SourceError, match="no text is left"):
        paragraphs.read(source("国学宝典\n仪礼集编 佚名 著"))


def test_the_editor_may_cut_where_no_speaker_is_named() -> None:
    text = "  乡射礼第五之一\n  主人答再拜此谓主人也乃请右戒賔\n  注曰疏曰"
    kinds: list[dict[str, Any]] = [
        {"after": "此谓", "verdict": "note", "person": "zhuxi"}, {"after": "乃请", "verdict": "base"},
        {"after": "右戒", "verdict": "trailer"}, {"after": "疏曰", "verdict": "inside"},
    ]
    document, _ = paragraphs.read(source(text, *(Boundary(source="jibian", resp="x", why="y", **k) for k in kinds)))
    lines = [line.strip() for line in outline(document).splitlines()[2:]]
    assert lines == [
        "section  戒賔", "paragraph: ‹主人答再拜›{note zhuxi shuo inline ?medium: 此谓主人也}", "paragraph: ‹乃请›",
        "trailer: 右戒賔", "note zhengxuan zhu block: [attribution: 注曰]疏曰",
    ]
