"""Books of collation notes: what they report of a chapter, and what cannot be placed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jiaokan.annotate.identifiers import number
from jiaokan.collate import testimony
from jiaokan.collate.reports import with_reports
from jiaokan.model import App, Division, Document, Note, Paragraph, Unit
from jiaokan.model.pointers import Range
from jiaokan.model.text import counted
from jiaokan.model.walk import items
from jiaokan.settings import plans
from tests.collations import LISTS, edition, witness

CASES = sorted((Path(__file__).parent / "cases" / "testimony").glob("*.txt"))


def book(lines: list[str]) -> Division:
    """Return a chapter of notes, one a line: heads before a wide space, glosses in brackets."""
    made = []
    for line in lines:
        parts = re.findall(r"\(([^()]*)\)|([^()\u3000]+)", line)
        made.append(Paragraph(content=tuple(Unit(content=(words,)) if words else Note(content=(note,), kind="gloss")
                                            for note, words in parts)))
    section = Division(kind="section", items=tuple(made))
    return number(Document(id="book", divisions=(Division(kind="pian", n="6", items=(section,)),))).divisions[0]


def case(path: Path) -> tuple[Division, testimony.Testimony, list[str]]:
    """Read a case: the chapter, the notes on it, and what is expected."""
    given, _, wanted = path.read_text(encoding="utf-8").partition("---\n")
    lines = [line for line in given.splitlines() if not line.startswith("#")]
    keys = dict(line.split(": ", 1) for line in lines if ": " in line)
    plan = plans.TestimonyPlan(source="book", **{key: keys[key] for key in ("form", "witness", "base") if key in keys})
    chapter = edition([witness("a", keys["text"]), witness("b", keys["text"])])[0].divisions[0]
    return chapter, testimony.Testimony(plan, book([line for line in lines if ": " not in line])), wanted.splitlines()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    chapter, notes, wanted = case(path)
    names = {**LISTS.tradition_ids(), "宋本": "songben"}
    found, findings = testimony.testimony_readings(chapter, [notes], names)
    told = [f"{each.place.id} {_words(chapter, each.place)} {each.tradition} {each.words or '–'}" for each in found]
    assert told + [f"{each.rule} {each.message}" for each in findings] == wanted


def _words(chapter: Division, place: Range) -> str:
    item = next(each for each in items([chapter]) if isinstance(each, (Unit, Note)) and each.id == place.id)
    return counted(item.content)[place.offset : place.offset + place.length]


def test_what_a_book_reports_is_a_reading_with_the_book_as_source() -> None:
    chapter, notes, _ = case(CASES[-1])
    found, _ = testimony.testimony_readings(chapter, [notes], LISTS.tradition_ids())
    made = with_reports(chapter, LISTS, found)
    apps = [item for item in items([made]) if isinstance(item, App)]
    made_of = [(reading.witnesses, reading.content, reading.source) for app in apps for reading in app.readings]
    assert (("jianben",), ("酢",), "w:book.6.1.1") in made_of
    assert all(reading.source.startswith("w:book.") for app in apps for reading in app.readings)
