"""The reader of bracketed sources: cases as data, what is dropped, decisions (damage: `test_readers_damage.py`)."""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jiaokan.decisions.tables import Boundary
from jiaokan.errors import CatalogError, DecisionError
from jiaokan.model import Division, Document, Head, Note, NoteGroup, Span, Trailer, Unit
from jiaokan.model.numerals import numeral
from jiaokan.model.walk import walk as everything
from jiaokan.readers import brackets
from jiaokan.readers.common.source import Source, load
from jiaokan.settings import catalog
from jiaokan.tei.views import source_text
from tests.outline import outline

ROOT = Path(__file__).parents[1]
CASES = sorted((ROOT / "tests/cases/readers").glob("brackets-*"))
SETTINGS = catalog.load(ROOT)
SOURCES = {name: load(SETTINGS.sources[name], SETTINGS) for name in ("benyi", "tongjie")}


def source(text: str, name: str = "benyi", *boundaries: Boundary, **convention: Any) -> Source:
    """A text in the convention of one of the two sources, some of it changed."""
    model = SOURCES[name]
    table = {**model.convention, **convention}
    return replace(model, lines=tuple(text.split("\n")), convention=table, boundaries=boundaries)


def case_source(case: Path) -> Source:
    text = (case / "in.txt").read_text(encoding="utf-8")
    own = case / "convention.toml"
    if own.exists():
        return replace(source(text), id="own", convention=tomllib.loads(own.read_text(encoding="utf-8")))
    return source(text, case.name.split("-")[1])


def bare(lines: Any) -> str:
    """Lines joined, without the white space round them."""
    return "".join(line.strip(" \u3000\t") for line in lines)


def nothing_lost(read: Document, given: Source) -> bool:
    """Whether what a document prints is the source without the lines that named rules dropped."""
    left = list(given.lines)
    for _, line in read.dropped:
        left.remove(line)
    squeezed = "".join(bare(left).split())
    return "".join(bare(source_text(read).split("\n")).split()) == squeezed


def walk(item: Any) -> list[Any]:
    inside = getattr(item, "items", ()) or getattr(item, "notes", ()) or getattr(item, "content", ())
    return [item, *(found for part in inside if not isinstance(part, str) for found in walk(part))]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path) -> None:
    given = case_source(case)
    document, findings = brackets.read(given)
    told = "".join(f"! {f.place.line}:{f.place.column} {f.rule}: {f.message}\n" for f in findings)
    assert outline(document) + told == (case / "golden.txt").read_text(encoding="utf-8")
    assert nothing_lost(document, given)


def test_what_was_dropped_is_the_web_site() -> None:
    assert {name: [rule for rule, _ in brackets.read(s)[0].dropped] for name, s in SOURCES.items()} == {
        "benyi": ["site-title", "site-navigation"], "tongjie": ["sidebar-comment"],
    }


def counts(name: str) -> Counter[str]:
    document, _ = brackets.read(SOURCES[name])
    found: Counter[str] = Counter()
    for each in (e for division in document.divisions for e in walk(division)):
        match each:
            case Note():
                found[each.resp] += 1
                found["brackets"] += each.rend != ""
                found[each.kind] += 1
            case NoteGroup() | Span(role="punct"):
                found["brackets"] += 1
                found[f"label {type(each).__name__}"] += 1
            case Span():
                found["attribution"] += 1
            case Trailer():
                found["trailer"] += 1
            case Division():
                found[each.kind] += 1
    return found


def test_the_counts_of_benyi() -> None:
    found = counts("benyi")
    # 2 489 pairs of brackets, two of them in the heads of lost texts (飨礼〈阙〉, 军礼〈阙〉)
    assert found["brackets"] == 2489 - 2 and found["label Span"] == 173
    assert (found["aojigong"], found["haojing"], found["gaoyu"]) == (372 + 2, 209 + 11 + 1 + 2, 184)
    assert (found["xuqianxue"], found["jiagongyan"], found["kongyingda"]) == (123 + 2, 48 + 47 + 2 + 1, 17)
    # 464 lines begin with 右, one of them base text; 20 trailers follow a note, 5 base text in the line
    assert (found["trailer"], found["section"], found["pian"]) == (464 - 1 + 20 + 5, 488, 25)


def test_the_counts_of_tongjie() -> None:
    found = counts("tongjie")
    assert (found["brackets"], found["trailer"], found["ji"]) == (43, 6, 1)
    assert (found["jiagongyan"], found["zhuxi"], found["ludeming"], found["source"]) == (21, 5 + 1, 16, 1)


def test_chapters_carry_their_canonical_numbers() -> None:
    document, _ = brackets.read(SOURCES["benyi"])
    assert " ".join(division.n for division in document.chapters()) == (
        "1 2 4 5 6 7 9 3 8 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
    )


def test_a_decision_stands_above_the_signs() -> None:
    text = "燕礼\n宾〈敖君善曰賔也按諸侯也〉"
    said = Boundary(source="benyi", after="按諸侯也", verdict="inside", resp="x", why="his own words", cert="high")
    assert "{note caidejin an" in outline(brackets.read(source(text))[0])
    assert "caidejin" not in outline(brackets.read(source(text, "benyi", said))[0])
    judgements = brackets.explain(source(text, "benyi", said))
    assert any((j.decision and j.decision.why) == "his own words" for j in judgements)


def test_a_note_inside_a_word_does_not_end_the_unit_by_decision() -> None:
    text = "燕礼\n再拜稽〈當作頓〉首主人送幣〈郑康成曰送之〉"
    said = Boundary(source="benyi", before="〈當作頓〉", after="首主人送幣", verdict="joins", resp="x", why="one word")
    parted, whole = (brackets.read(source(text, "benyi", *each))[0] for each in ((), (said,)))
    units = [[unit for unit in everything(each) if isinstance(unit, Unit)] for each in (parted, whole)]
    assert [len(each) for each in units] == [2, 1]
    assert sum(isinstance(item, (Note, NoteGroup)) for item in units[1][0].content) == 1
    assert source_text(parted) == source_text(whole)


def test_a_decision_that_no_longer_fits_is_refused() -> None:
    said = Boundary(source="benyi", after="按", verdict="inside", resp="x", why="y")
    with pytest.raises(DecisionError, match="fits 2 places"):
        brackets.read(source("按〈按〉", "benyi", said))


def test_every_judgement_tells_its_signs() -> None:
    judgements = brackets.explain(source("燕礼\n宾〈賔也敖君善曰賔入也按諸侯也〉"))
    assert [(j.words, j.verdict, [s.name for s in j.signs]) for j in judgements] == [
        ("賔也敖君善曰賔入", "yes", ["opens the bracket"]),
        ("敖君善曰賔入也按", "yes", ["after a closed sentence", "a listed name"]),
        ("按諸侯也", "yes", ["after a closed sentence"]),
    ]


@pytest.mark.parametrize(("change", "message"), [
    ({"bracket": "〈〉"}, "unknown key `bracket`"),
    ({"brackets": "〈"}, "not an opening and a closing bracket"),
    ({"trailer": "右("}, "invalid pattern"),
])
def test_a_faulty_convention_is_refused_by_name(change: dict[str, str], message: str) -> None:
    with pytest.raises(CatalogError, match=rf"tei/conventions/benyi.toml: .*{message}"):
        brackets.read(source("燕礼", **change))


@pytest.mark.parametrize(("words", "number"), [("一", 1), ("十", 10), ("十七", 17), ("二十", 20), ("九十九", 99)])
def test_numerals(words: str, number: int) -> None:
    assert numeral(words) == number


@pytest.mark.parametrize("words", ["", "十十", "三二", "廿廿"])
def test_what_is_no_numeral_is_zero(words: str) -> None:
    assert numeral(words) == 0


def test_a_chapter_without_a_head_begins_by_decision() -> None:
    document, _ = brackets.read(SOURCES["benyi"])
    chapter = next(division for division in document.chapters() if division.n == "17")
    assert chapter.title == "有司彻" and not any(isinstance(item, Head) for item in chapter.items)


@pytest.mark.parametrize(("number", "says"), [(99, "the work does not have"), (16, "has a head of its own")])
def test_a_chapter_that_cannot_begin_there_is_refused(number: int, says: str) -> None:
    text = SOURCES["benyi"]
    decided = tuple(
        msgspec.structs.replace(each, chapter=number) if each.verdict == "chapter" else each for each in text.boundaries
    )
    with pytest.raises(DecisionError, match=says):
        brackets.read(replace(text, boundaries=decided))
