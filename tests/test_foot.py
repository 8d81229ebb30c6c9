"""The apparatus at the foot by lines, with lemma and bracket, in two columns; the witnesses of a page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium

from jiaokan.outputs import OutputSettings, pdf
from tests.plans import print_plan

HEAD = """<text xmlns="urn:jiaokan:prepared" id="t" kind="critical"><meta><title>中庸</title><editor>某甲</editor>
<date>2026</date><witness id="jia" siglum="甲本" title="甲"/><witness id="yi" siglum="乙本" title="乙"/></meta>
<chapter id="t.1" ref="t:1" title="甲篇">{}<apparatus>{}</apparatus></chapter></text>"""
UNIT = """<passage kind="jing">
<unit id="t.1.{n}" ref="t:1.{n}" wits="{wits}">天命之谓<app id="a{n}" rank="3">性{mark}</app>率性</unit>
<commentary><note label="郑注">{note}</note></commentary></passage>"""
SENTENCES = (
    "「<q>性</q>」，<siglum id='yi'>乙本</siglum>作「<q>情</q>」。",
    "第二「<q>性</q>」字，<siglum id='yi'>乙本</siglum>作「<q>情</q>」。",
    "「<q>性</q>」，<siglum id='jia'>甲本</siglum>、<siglum id='yi'>乙本</siglum>作「<q>情</q>」，"
    "丙本作「<q>心</q>」。下同",
    "<siglum id='yi'>乙本</siglum>无「<q>性</q>」字。",
    "<siglum id='yi'>乙本</siglum>无「<q>性</q>」。",
)
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔"


def book(count: int = 24) -> bytes:
    """A chapter of units, each with one variant, whose lemma has a sign of its own; the last ten are in one witness."""
    numbers = range(count)
    units = [UNIT.format(n=n + 1, mark=CIRCLED[n], note="性者天所命也" * (n % 3 + 1),
                         wits="jia" if n >= count - 10 else "jia yi") for n in numbers]
    entries = [f"<entry id='a{n + 1}' rank='3'><sentence>{SENTENCES[n % 5]}</sentence>"
               f"<comment>按：{CIRCLED[n]}</comment></entry>" for n in numbers]
    return HEAD.format("".join(units), "".join(entries)).encode()


def lines(folder: Path, **choices: Any) -> list[list[str]]:
    """Return the lines of each page, from above; the margin is not among them."""
    plan = print_plan(**{"paper": "140x203", "level": "all", **choices})
    pdf.make(book(), folder / "t.pdf", OutputSettings(print=plan))
    made = []
    for page in pdfium.PdfDocument(folder / "t.pdf"):
        rows: dict[float, list[tuple[float, str]]] = {}
        text = page.get_textpage()
        for n in range(text.count_chars()):
            char, (left, low, _, _) = text.get_text_range(n, 1), text.get_charbox(n, loose=True)
            if char.strip():
                near = next((y for y in rows if abs(y - low) < 3), low)
                rows.setdefault(near, []).append((left, char))
        made.append(["".join(char for _, char in sorted(rows[y])) for y in sorted(rows, reverse=True)])
    return made


def test_an_entry_names_the_line_of_its_words(tmp_path: Path) -> None:
    found = 0
    for page in lines(tmp_path, keys="line"):
        text = [line for line in page if "天命" in line or "性者" in line or line == "甲篇"]
        for number, line in enumerate(text, 1):
            for sign in re.findall(f"性([{CIRCLED}])", line):
                told = "".join(page)
                before = told[:told.index(f"按：{sign}")]
                keys = re.findall("(?<![.0-9])([0-9]{1,2}|〃)(?=「|第|甲本|乙本)", before)
                assert int([key for key in keys if key != "〃"][-1]) == number
                found += 1
    assert found == len(CIRCLED)


def test_a_sentence_that_says_no_more_becomes_lemma_and_readings(tmp_path: Path) -> None:
    told = "".join(line for page in lines(tmp_path, entries="bracket") for line in page)
    assert "性］情乙本。" in told and "性］情甲本、乙本；心丙本。下同" in told and "性］无乙本。" in told
    assert "第二「性」字，乙本作「情」" in told, "it would lose which of two"
    assert "乙本无「性」字。" in told


def test_columns_take_the_same_words(tmp_path: Path) -> None:
    run, columns = (sorted(char for page in lines(tmp_path, foot=foot) for line in page if "中庸" not in line
                           for char in line if not char.isdigit()) for foot in ("run", "columns"))  # without heads
    assert run == columns


def test_a_page_names_its_witnesses(tmp_path: Path) -> None:
    seen = set()
    for page in lines(tmp_path, present=True):
        signs = [CIRCLED.index(sign) for sign in re.findall(f"性([{CIRCLED}])", "".join(page))]
        (told,) = [line for line in page if "本页诸本" in line] or [""]
        if signs:
            assert "甲本" in told and ("乙本" in told) >= any(n < len(CIRCLED) - 10 for n in signs)
            seen.add("乙本" in told)
    assert seen == {True, False}, "the last pages have one witness alone"
