"""The reader of base text, bracketed 注 and blocks of 疏: cases as data, counts, refusals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jiaokan.errors import CatalogError, SourceError
from jiaokan.model import Note, Paragraph, Span, Unit
from jiaokan.readers import zhushu
from jiaokan.readers.common.source import Source, Speaker, load, nest, text_of_pieces
from jiaokan.settings import catalog
from jiaokan.tei.views import source_text
from tests.outline import outline

ROOT = Path(__file__).parents[1]
CASES = sorted((ROOT / "tests/cases/readers").glob("zhushu-*"))
SETTINGS = catalog.load(ROOT)
ZHUSHU = load(SETTINGS.sources["zhushu"], SETTINGS)


def source(text: str, convention: dict[str, Any] | None = None) -> Source:
    """A text in the convention of 仪礼注疏, or in another."""
    made = replace(ZHUSHU, file="in.txt", lines=tuple(text.split("\n")), boundaries=())
    if convention is None:
        return made
    speakers = tuple(Speaker(**row) for row in convention["speaker"])
    return replace(made, convention=convention, speakers=speakers)


def bare(text: str) -> str:
    return "".join(text.split("\n"))


def walk(item: Any) -> list[Any]:
    inside = getattr(item, "items", None) or getattr(item, "content", ())
    return [item, *(found for part in inside if not isinstance(part, str) for found in walk(part))]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path) -> None:
    text = (case / "in.txt").read_text(encoding="utf-8")
    convention = case / "convention.toml"
    made = source(text, catalog.read_toml(convention) if convention.exists() else None)
    document, findings = zhushu.read(made)
    rules = "".join(f"! {finding.rule}\n" for finding in findings)
    assert outline(document) + rules == (case / "golden.txt").read_text("utf-8")
    assert bare(source_text(document)) == bare(text)


def test_the_counts_of_the_survey() -> None:
    every = [found for division in zhushu.read(ZHUSHU)[0].divisions for found in walk(division)]
    notes = Counter(item.resp for item in every if isinstance(item, Note))
    spans = Counter(item.role for item in every if isinstance(item, Span))
    assert notes == {"zhengxuan": 109, "jiagongyan": 91}  # 109 brackets, 91 ○释曰
    assert (spans["scope"], spans["attribution"]) == (84 + 83, 87 + 91)  # 84 base, 80 ○注 and 3 [疏]注; 87 [疏]
    assert sum(isinstance(item, Paragraph) for item in every) == 101
    assert sum(isinstance(item, Unit) for item in every) == 113  # several 经(注) in some of the 101 lines


@pytest.mark.parametrize(("text", "says"), [("卒爵\n拜", "choose another reader"), ("\n", "choose another reader")])
def test_another_format_is_refused(text: str, says: str) -> None:
    with pytest.raises(SourceError, match=says):
        zhushu.read(source(text))


def test_a_convention_without_speakers_is_refused() -> None:
    with pytest.raises(CatalogError, match="declare both"):
        zhushu.read(source("卒爵(贱)", {"speaker": []}))


def test_a_text_without_head_needs_its_chapter() -> None:
    convention = {key: value for key, value in ZHUSHU.convention.items() if key != "chapter"}
    with pytest.raises(SourceError, match="put chapter"):
        zhushu.read(source("卒爵(贱)", convention))


@given(st.text("【】()阙疏", max_size=12))
def test_brackets_nest_without_loss(text: str) -> None:
    assert text_of_pieces(nest(text, "【】")) == text
