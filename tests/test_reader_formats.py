"""Plain text and Mandoku: cases as data; nothing of a text lost, whatever its pages, numbers and markup are."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiaokan import readers
from jiaokan.annotate.identifiers import number
from jiaokan.model import Break, Document
from jiaokan.model.numerals import numeral, write_number
from jiaokan.model.walk import walk
from jiaokan.readers import mandoku, plain
from jiaokan.readers.common.chapters import demote_trailers, unfit_settings
from jiaokan.readers.common.pages import insert_breaks
from jiaokan.readers.common.source import Source
from jiaokan.settings.catalog import Chapter, Work
from jiaokan.tei.parse import from_tei
from jiaokan.tei.tree import element
from jiaokan.tei.views import source_text
from jiaokan.tei.write import to_tei
from tests.outline import outline

APART = ("brackets-", "paragraphs-", "verse-", "zhushu-")
"""Readers whose cases are in a test file of their own; those of any other reader, also of a new one, are run here."""
CASES = sorted(path for path in (Path(__file__).parent / "cases/readers").iterdir() if not path.name.startswith(APART))


def source(text: str, convention: dict[str, Any]) -> Source:
    """A text in a convention, whose key ``chapters`` lists the work's chapters: ``TITLE=NAME TITLE=NAME``."""
    chapters = []
    for n, each in enumerate(str(convention.pop("chapters", "")).split(), 1):
        title, _, name = each.partition("=")
        chapters.append(Chapter(n=n, title=title, names=(name,) if name else ()))
    return Source(id="own", file="in.txt", lines=tuple(text.split("\n")), convention=convention, speakers=(),
                  data=text.encode(), work=Work(id="qiming", title="器銘", chapters=tuple(chapters)))


def read(case: Path) -> tuple[Document, Source]:
    convention = tomllib.loads((case / "convention.toml").read_text(encoding="utf-8"))
    given = source((case / "in.txt").read_text(encoding="utf-8").rstrip("\n"), convention)
    module: Any = readers.reader(case.name.partition("-")[0])
    document = number(demote_trailers(module.read(given)[0]))
    return (insert_breaks(document, *module.breaks(given)) if hasattr(module, "breaks") else document), given


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case(case: Path) -> None:
    document, _ = read(case)
    golden = case / "golden.txt"
    assert outline(document) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", [case for case in CASES if not case.name.startswith("pages-")],
                         ids=lambda path: path.name)
def test_every_character_is_in_the_text_or_dropped_by_name(case: Path) -> None:
    document, given = read(case)
    whole = "\n".join(given.lines)
    for _, words in document.dropped:
        assert words in whole
        whole = whole.replace(words, "", 1)
    if case.name.startswith("mandoku"):
        if given.convention.get("halves") == "left":
            whole = re.sub(r"\(([^()/]*)/([^()/]*)\)", r"(\2\1)", whole)
        whole = re.sub(r"<[pm][bd]:[^>]*>|¶", "", whole)
        whole = re.sub(r"\)\n　*\(", "", whole).replace("/", "")
    whole = re.sub(r"\{\{\*\|([^{}]*)\}\}", r"〈\1〉", whole)
    whole = re.sub(r"<ref>(.*?)</ref>", r"⟦\1⟧", whole)
    assert "".join(source_text(document).split()) == "".join(whole.split())


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_breaks_come_back_from_tei(case: Path) -> None:
    document, _ = read(case)
    back = from_tei(to_tei(document, element("teiHeader")), name="own")
    assert [i for i in walk(back) if isinstance(i, Break)] == [i for i in walk(document) if isinstance(i, Break)]
    assert source_text(back) == source_text(document)


LINES = st.lists(st.text(alphabet="天地玄黃宇宙()　 /¶<pb:A_B_1>*#第一章", max_size=24), max_size=12)


@settings(deadline=None)
@given(LINES)
def test_nothing_of_any_mandoku_is_lost(lines: list[str]) -> None:
    given = source("\n".join(lines) or "天", {"chapters": "天=天第一章"})
    document = insert_breaks(number(mandoku.read(given)[0]), *mandoku.breaks(given))
    kept = [line for line in given.lines if not line.startswith("#")]
    ink = re.sub(r"<pb:[^<>\n]*>", "", "\n".join(kept))
    expected = sorted(re.sub(r"[\s()/*¶]", "", ink))
    assert sorted(re.sub(r"[\s()/*¶]", "", source_text(document))) == expected


WIKI = st.lists(st.sampled_from([
    "天", "地玄", "{{*|", "{{ul|", "{{", "}}", "|", "=", "[[", "]]", "[[Category:", "<ref>", "</ref>", "-{", "}-", ":",
    "zh-hant:", ";", "\'\'\'", "{{header", "\n", "\n|title=", "<br>", "<!--", "-->", "==",
]), max_size=30).map("".join)


@given(WIKI)
def test_nothing_of_any_wiki_text_is_lost(text: str) -> None:
    """Each Chinese character is in the bare lines or in what is dropped by name."""
    dropped: list[str] = []
    lines = [*plain.strip_markup(text.split("\n"), "〈〉", lambda _, words: dropped.append(words))]
    assert len(lines) == text.count("\n") + 1
    assert sorted(re.findall("[㐀-鿿]", "".join([*lines, *dropped]))) == sorted(re.findall("[㐀-鿿]", text))


@given(st.integers(1, 9999))
def test_numerals_are_read_as_written(n: int) -> None:
    assert numeral(write_number(n)) == n


@pytest.mark.parametrize(("text", "convention", "rule", "words"), [
    ("鼎銘第一\n鼎之為器也。\n", {"chapters": "鼎銘=鼎銘第一 鐘銘"}, "chapter-unopened", "2 鐘銘"),
    ("鼎之為器也。\n鐘銘篇\n", {"chapters": "鐘銘"}, "chapter-none", "“鐘銘篇” (line 2)"),
    ("鼎銘\n" + "鼎（器也）" * 6, {"chapters": "鼎銘", "brackets": "〈〉"}, "brackets-unused", "（） 6"),
])
def test_settings_that_do_not_fit_are_findings(text: str, convention: dict[str, Any], rule: str, words: str) -> None:
    given = source(text, dict(convention))
    document = number(plain.read(given)[0])
    found = list(unfit_settings(document, given, [chapter.n for chapter in given.work.chapters]))
    assert [finding.rule for finding in found] == [rule]
    assert words in found[0].message


def test_a_table_of_contents_heads_nothing() -> None:
    text = "鼎銘\n鐘銘\n盤銘\n杖銘\n鼎銘\n鼎之為器也以烹以養三足而立\n鐘銘\n鐘之為器也叩之以大則大鳴\n"
    document = plain.read(source(text, {"chapters": "鼎銘 鐘銘 盤銘 杖銘"}))[0]
    assert [(each.kind, each.n) for each in document.divisions] == [("front", ""), ("pian", "1"), ("pian", "2")]


@pytest.mark.parametrize(("numbers", "told"), [
    (("1.1", "1.2", "1.3"), []), (("1.1", "1.3", "1.4"), [4]), (("1.1", "1.2", "2.1", "2.2"), []),
    (("1.1", "1.2", "1.2"), [6]), (("3.7", "3.8"), []),
])
def test_a_number_that_does_not_follow_is_told_with_its_line(numbers: tuple[str, ...], told: list[int]) -> None:
    text = "鼎銘\n" + "\n\n".join(f"{number} 鼎之為器也。" for number in numbers)
    convention = {"number": r"\d+\.\d+", "chapters": "鼎銘="}
    findings = plain.read(source(text, convention))[1]
    assert [each.place.line for each in findings if each.rule == "section-number"] == told
