"""The forms in which users have texts: what `init --from` makes of each, and what it refuses by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.errors import SourceError
from jiaokan.scaffold.survey import Survey, survey

ONE, TWO, THREE = "鐘鼎列於東序而不言其數", "盤盂陳於西廂以待賓客之來", "劍戟藏於武庫非有事不出"
NOTE = "序者堂之牆也"


def surveyed(text: str, name: str, folder: Path) -> Survey:
    (folder / name).write_text(text, encoding="utf-8")
    return survey(folder / name)


@pytest.mark.parametrize(("text", "levels", "title"), [
    (f"#+TITLE: 器略\n* 上\n** 東\n{ONE}\n** 西\n{TWO}\n* 下\n** 庫\n{THREE}\n", [1, 2, 2, 1, 2], "器略"),
    (f"#+title: 器略\n#+PROPERTY: ID X1\n* 東 :draft:\n:PROPERTIES:\n:END:\n{ONE}\n# remark\n* 西\n{TWO}\n", [1, 1],
     "器略"),
    (f"* 上\n** 東\n{ONE}\n{TWO}\n{THREE}\n* 下\n** 西\n{THREE}\n{TWO}\n", [1, 2, 1, 2], "a"),
    (f"器略\n====\n\n東序\n----\n\n{ONE}\n\n西廂\n----\n\n{TWO}\n", [1, 2, 2], "器略"),
    (f"器略\n\n* {ONE}\n* {TWO}\n* {THREE}\n", [], "器略"),  # a list
    (f"# 器略\n\n{ONE}\n----------\n{TWO}\n", [1], "器略"),  # a rule between paragraphs
])
def test_an_outline_keeps_its_levels(text: str, levels: list[int], title: str, tmp_path: Path) -> None:
    found = surveyed(text, "a.txt", tmp_path)
    assert [row.level for row in found.rows if row.level] == levels
    assert found.title == title
    assert not {":", "#"} & {*"".join(row.text for row in found.rows)}


@pytest.mark.parametrize(("name", "text"), [
    ("a.txt", f"東序第一\n{ONE}<small>{NOTE}</small>\n西廂第二\n{TWO}\n"),
    ("a.html", f"<h2>東序</h2><p>{ONE}<small>{NOTE}</small></p><h2>西廂</h2><p>{TWO}</p>"),
    ("b.html", f'<h2>東序</h2><p>{ONE}<span class="jiazhu">{NOTE}</span></p><h2>西廂</h2><p>{TWO}</p>'),
    ("a.wiki", f"==東序==\n{ONE}{{{{*|{NOTE}}}}}\n==西廂==\n{TWO}\n"),
    ("b.wiki", f"==東序==\n{ONE}{{{{註|{NOTE}}}}}\n==西廂==\n{TWO}\n"),
    ("c.wiki", f"==東序==\n{ONE}<small>{NOTE}</small>\n==西廂==\n{TWO}\n"),
    ("d.wiki", f"==東序==\n{ONE}{{{{small|序者{{{{SKchar|堂}}}}之牆也}}}}\n==西廂==\n{TWO}\n"),
])
def test_a_note_by_its_markup_is_one_though_it_is_alone(name: str, text: str, tmp_path: Path) -> None:
    found = surveyed(text, name, tmp_path)
    assert found.notes.count == 1 and NOTE in "".join(row.text for row in found.rows)
    assert found.base_text() == f"{found.rows[0].text}{ONE}{found.rows[2].text}{TWO}"


@pytest.mark.parametrize(("name", "page", "kind"), [
    ("a.hocr", "<div class='ocr_page' title='bbox 0 0 9 9'><span class='ocr_line'>鐘鼎</span></div>", "hOCR"),
    ("a.html", '<!DOCTYPE html><html><body><div class="ocr_page"><span class="ocrx_word">鐘</span></div></body></html>',
     "hOCR"),
    ("a.txt", "<p class='ocr_par'>鐘鼎</p>", "hOCR"),
    ("b.txt", "<alto><Layout><Page><String CONTENT='鐘'/></Page></Layout></alto>", "ALTO"),
    ("b.xml", "<PcGts xmlns='urn:x'><Page><Unicode>鐘</Unicode></Page></PcGts>", "PAGE"),
    ("c.txt", "<leaf><part>鐘鼎</part></leaf>\n", "<leaf>"),
])
def test_another_vocabulary_is_named(name: str, page: str, kind: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=kind):
        surveyed(page, name, tmp_path)
