"""Make-up of pages: what stands together, where pages end, counted from where words stand (benchmarks/makeup.py)."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.makeup import ROWS, Faults, Sizes, faults
from jiaokan.outputs import OutputSettings, pdf
from tests.pdf_text import printed_lines

WORDS = "小臣戒与者膳宰具官馔于寝东乐人县设洗篚于阼阶东南当东霤罍水在东篚在洗西南肆设膳篚在其北西面"
STANDS = ("base text parted from its note", "… from its second line", "trailer heads a page",
          "head at the foot of a page", "facing pages not level", "apparatus in the text", "lines over the measure",
          "line begins with a closing mark", "number twice on a page")


def _words(length: int, start: int) -> str:
    return "".join(WORDS[(start + n) % len(WORDS)] for n in range(length))


def _book(entries: bool) -> str:
    """Two chapters in prepared form: passages of one to four lines, notes of one to nine, a 右… after every third."""
    chapters = []
    for chapter in (1, 2):
        blocks, told = [], []
        for n in range(90):
            words, note = _words(7 + n * 37 % 90, n), _words(5 + n * 53 % 330, n + 3)
            if entries and n % 2:
                name = f"a{chapter}.{n}"
                note = f'{note[:40]}<app id="{name}" rank="3">象觯</app>{note[40:]}'
                sentence = f"「象觯」，集编作「{_words(1 + n % 23, n)}」。"
                told.append(f'<entry id="{name}" rank="3"><sentence>{sentence}</sentence></entry>')
            second = f'<note label="敖">{_words(3 + n * 29 % 80, n)}</note>' if n % 2 else ""
            notes = f'<note label="郑注">{note}</note>{second}'
            unit = f'<unit id="t.{chapter}.{n}" ref="t:{chapter}.1.{n}">{words}</unit>'
            blocks.append(f'<passage kind="jing">{unit}<commentary>{notes}</commentary></passage>')
            if n % 3 == 2:
                blocks.append(f'<passage kind="trailer"><trailer>右{_words(4, n)}</trailer></passage>')
        inside = f'{"".join(blocks)}<apparatus>{"".join(told)}</apparatus>'
        chapters.append(f'<chapter id="t.{chapter}" title="燕礼">{inside}</chapter>')
    return "".join(chapters)


@cache
def _document(entries: bool) -> bytes:
    prepared = ('<text xmlns="urn:jiaokan:prepared" id="t" kind="critical">'
                f"<meta><title>礼记</title><date>2026</date></meta>{_book(entries)}</text>")
    document, findings = pdf.typeset(pdf.typst_source(prepared.encode(), OutputSettings()), OutputSettings())
    assert not findings
    return document


def _counted(entries: bool, folder: Path) -> Faults:
    (folder / "book.pdf").write_bytes(_document(entries))
    return faults(folder / "book.pdf", Sizes())


@pytest.mark.parametrize("entries", [False, True])
def test_pages_are_made_up_as_a_press_does(entries: bool, tmp_path: Path) -> None:
    made = _counted(entries, tmp_path)
    assert made.body > 25
    assert {row: made.found[row] for row in STANDS if made.found[row]} == {}
    assert set(STANDS) <= set(ROWS)
    assert len(made.found["hole above the apparatus"]) <= 0.05 * made.with_foot


def test_no_paragraph_ends_with_a_line_of_one_character() -> None:
    lines = [text for *_, text in printed_lines(_document(False)) if set(text) <= set(WORDS)]
    short = [note for n in range(90) if len(note := _words(5 + n * 53 % 330, n + 3)) == 1]
    assert not short and len(lines) > 500
    assert [text for text in lines if len(text) == 1] == []


def test_no_line_of_a_paragraph_stands_alone(tmp_path: Path) -> None:
    made = _counted(False, tmp_path)
    assert (made.found["widow"], made.found["orphan"]) == ([], [])


def test_a_chapters_last_page_is_not_spread() -> None:
    """What is over there stays below: gaps between passages are what they are at the least."""
    lines = [line for line in printed_lines(_document(False)) if len(line[4]) > 3 and set(line[4]) <= set(WORDS)]
    last = max(page for page, *_ in lines)
    baselines = sorted({baseline for page, baseline, *_ in lines if page == last}, reverse=True)
    assert max(a - b for a, b in pairwise(baselines)) < 45


PAGE = """<chapter id="t.1" ref="t:1" title="燕礼">
<furniture>礼经本义卷二</furniture><furniture>&lt;经部,礼类,仪礼之属&gt;</furniture>
<passage kind="jing"><unit id="a" ref="t:1.1.1">小臣戒与者,膳宰(具官)馔于寝东;</unit></passage></chapter>"""


def test_marks_in_ascii_are_full_width_and_no_page_says_where_a_library_files_it() -> None:
    words = "".join(text for *_, text in printed_lines(_set(PAGE)))
    assert "小臣戒与者，膳宰（具官）馔于寝东；" in words
    assert "礼经本义卷二" in words
    assert "经部" not in words


def test_the_end_of_a_juan_stands_clear_of_base_text_without_a_note() -> None:
    lines = {text: y for _, y, *_, text in printed_lines(_set(
        '<chapter id="t.1" ref="t:1" title="丧服">'
        '<passage kind="jing"><unit id="a" ref="t:1.1.1">大夫吊于命妇</unit></passage>'
        '<furniture>礼经本义卷十一</furniture></chapter>'))}
    assert lines["大夫吊于命妇"] - lines["礼经本义卷十一"] > 16


@pytest.mark.parametrize(("words", "rows"), [
    (("吉礼居先，", "凶礼宾军，", "嘉礼终焉。"), [("吉礼居先，", "凶礼宾军，"), ("嘉礼终焉。",)]),
    (("吉礼居先<note>说</note>，", "凶礼宾军，"), [("吉礼居先", "，", "说"), ("凶礼宾军，",)]),
    (("吉礼居先而凶礼次之，", "凶礼宾军，"), [("吉礼居先而凶礼次之，",), ("凶礼宾军，",)])])
def test_short_lines_of_verse_stand_two_to_a_row(words: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    lines = "".join(f"<line>{line}</line>" for line in words)
    made = printed_lines(_set('<chapter id="t.1" title="六艺"><passage kind="verse">'
                              f'<unit id="a" ref="" verse="yes">{lines}</unit></passage></chapter>'))
    found = {y: "".join(text for _, other, *_, text in made if other == y)
             for _, y, *_, text in made if set(text) & set("吉凶嘉")}
    assert list(found.values()) == ["".join(row) for row in rows]


def test_sigla_are_whole_and_on_the_line_of_their_lemma() -> None:
    siglum = '<siglum id="w">儀禮經傳通解本</siglum>'
    sentences = [f"「<q>{WORDS[:n % 30]}</q>」，{siglum}作「<q>人</q>」。" for n in range(90)]
    units = "".join(f'<app id="a{n}" rank="3">君子</app>' for n in range(90))
    told = "".join(f'<entry id="a{n}" rank="3"><sentence>{said}</sentence></entry>' for n, said in enumerate(sentences))
    lines = [text for *_, text in printed_lines(_set(
        f'<chapter id="t.1" title="燕礼"><passage kind="jing"><unit id="a" ref="t:1.1.1">{units}</unit></passage>'
        f'<apparatus>{told}</apparatus></chapter>'))]
    foot = [text for text in lines if "儀" in text or "解" in text]
    assert "".join(foot).count("儀禮經傳通解本") == "".join(lines).count("儀") == 90
    assert all(text.count("儀") == text.count("儀禮經傳通解本") for text in foot)
    assert not any(text.startswith("儀禮經傳通解本") for text in foot)


def test_a_works_siglum_stands_by_a_note_where_it_is_not_the_rule() -> None:
    works = "".join(f'<coverage siglum="{w}"><run from="0" to="1"/></coverage>' for w in ("甲", "乙", "丙"))
    long = "文淵閣本儀禮集編、通志堂經解本儀禮集說"
    notes = "".join(
        f'<note label="{label}" wits="{wits}" sigla="{sigla}">{words}</note>' for label, wits, sigla, words in (
            ("郑注", "甲 乙 丙", "甲、乙、丙", "皆有"), ("丙", "丙", "丙", "自注"), ("敖", "甲 乙", "甲、乙", "二本"),
            ("敖", "甲 乙", long, "長名")))
    lines = [(left, text) for _, _, left, _, text in printed_lines(_set(
        f'<chapter id="t.1" title="燕礼">{works}<passage kind="jing"><unit id="a" ref="t:1.1.1">君子</unit>'
        f"<commentary>{notes}</commentary></passage></chapter>"))]
    assert [text for _, text in lines if set(text) <= set("甲乙丙、")] == ["丙", "甲、乙"]  # a label, and a margin
    assert sum("通志堂經解本儀禮集說" in text for _, text in lines) == 1
    assert min(left for left, text in lines if "文淵閣" in text) > min(left for left, text in lines if text == "君子")


def test_notes_above_the_text_are_in_the_margin_beside_their_words_and_long_ones_below() -> None:
    notes = "".join(f'<note place="top" label="{label}">{words}</note>' for label, words in (
        ("金眉批", "短峭"), ("眉批", "立骨"), ("眉批", "通篇" * 31)))
    lines = printed_lines(_set(
        f'<chapter id="t.1" title="燕礼"><passage kind="jing"><unit id="a" ref="t:1.1.1">君子</unit>'
        f"<commentary>{notes}</commentary></passage></chapter>"))
    (text, beside, next_, long) = (next(line for line in lines if words in line[4])
                                   for words in ("君子", "短峭", "立骨", "通篇"))
    assert beside[2] > text[2] + 300 and next_[2] == pytest.approx(beside[2] - 0, abs=40), "in the outer margin"
    assert text[1] - 12 < beside[1] < text[1] + 12 and next_[1] < beside[1] - 10, "one below the other"
    assert long[2] < text[2] + 60 and long[1] < text[1] - 10
    assert not any("眉批短峭" in line[4] for line in lines)


def test_a_number_takes_no_more_room_with_three_digits_and_leaves_lines_where_they_are() -> None:
    """Notes of the same length, in which only the numbers differ: 〔二二〕, 〔二二二〕."""
    words = "小臣戒与者膳宰具官馔于寝东" * 4
    apps = [f'<app id="a{n}" rank="3">者</app>' for n in range(240)]
    units = "".join(
        f'<passage kind="jing"><unit id="u{n}" ref="t:1.1.{n}">具</unit><commentary>'
        f'<note label="郑注">{words[:9]}{app}{words}</note></commentary></passage>' for n, app in enumerate(apps))
    told = "".join(f'<entry id="a{n}" rank="3"><sentence>「者」，集编无。</sentence></entry>' for n in range(240))
    document = _set(f'<chapter id="t.1" title="燕礼">{units}<apparatus>{told}</apparatus></chapter>')
    notes = [line for line in printed_lines(document) if line[4].startswith(words[:9])]
    assert len(notes) == 240
    assert len({round(right - left) for _, _, left, right, _ in notes[20:]}) == 1
    lower = {(page, baseline) for page, baseline, *_, text in printed_lines(document) if set(text) <= set(words)}
    assert {round(baseline - 15, 1) for page, baseline, *_ in notes} <= {round(y, 1) for _, y in lower}


def test_all_pages_have_folios_and_opening_pages_theirs_at_the_foot(tmp_path: Path) -> None:
    made = _counted(False, tmp_path)
    assert made.found["front or back page without folio"] == []
    first = [line for line in printed_lines(_document(False)) if line[4].startswith("目")]
    contents = first[0][0]
    assert [text for page, baseline, *_, text in printed_lines(_document(False))
            if page == contents and baseline < 50] == [str(contents + 1)]


META = """<meta><title>仪礼</title><licence>{}</licence>
<witness siglum="一" dynasty="清"><author>蔡德晋</author></witness>
<witness siglum="二" dynasty="汉、唐"><author>郑玄</author><author>贾公彦</author></witness>
<witness siglum="三" dynasty="汉"><author>郑玄</author></witness>
<speaker label="郑注" name="郑玄" dynasty="汉"/><speaker label="贾疏" name="贾公彦" dynasty="唐"/>
<speaker label="蔡" name="蔡德晋" dynasty="清"/></meta>"""


@pytest.mark.parametrize(("licence", "printed"), [
    ("CC BY-SA 4.0", "知识共享 署名—相同方式共享 4.0（CC BY-SA 4.0）"), ("not stated", "未说明"), ("公版", "公版")])
def test_the_title_page_names_each_once_and_the_licence_speaks_chinese(licence: str, printed: str) -> None:
    prepared = f'<text xmlns="urn:jiaokan:prepared" id="t" kind="critical">{META.format(licence)}</text>'
    source = pdf.typst_source(prepared.encode(), OutputSettings())
    assert '"汉　郑玄　注","唐　贾公彦　疏","清　蔡德晋"' in source
    assert f'licence: "{printed}"' in source


def test_contents_list_no_bare_numbers_beside_named_sections() -> None:
    sections = "".join(f'<section id="t.1.{n}" ref="t:1.{n}" title="{title}"/>' for n, title in enumerate(
        ("筮日", "", "戒宾", ""), 1))
    bare = "".join(f'<section id="t.2.{n}" ref="t:2.{n}" title=""/>' for n in range(1, 4))
    lines = [text for page, *_, text in printed_lines(_set(
        f'<chapter id="t.1" title="士冠礼">{sections}</chapter><chapter id="t.2" title="士昏礼">{bare}</chapter>'))]
    contents = "".join(lines[lines.index("目录"):])
    assert "筮日" in contents and "戒宾" in contents
    assert not {"1.2", "1.4"} & set(re.findall(r"\d\.\d", contents)) and "2.1" in contents


def _set(chapter: str) -> bytes:
    prepared = ('<text xmlns="urn:jiaokan:prepared" id="t" kind="critical">'
                f"<meta><title>礼记</title><date>2026</date></meta>{chapter}</text>")
    document, _ = pdf.typeset(pdf.typst_source(prepared.encode(), OutputSettings()), OutputSettings())
    return document
