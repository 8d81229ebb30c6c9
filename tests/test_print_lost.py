"""Words that are set but that nobody sees are an error: cut off, outside the trim, covered, or not drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from jiaokan.editions.other import stranger
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print import typst as engine
from jiaokan.outputs.print.typst import typeset
from jiaokan.outputs.print.visible import visible_pieces
from jiaokan.outputs.print.volumes import BookPart
from jiaokan.outputs.print.whole import find_unprinted
from jiaokan.outputs.print.words import MarkedCode, PrintedRun
from jiaokan.settings.plans import PrintPlan
from tests.amount import some_of
from tests.plans import print_plan

HEAD = ('<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{lang}"><teiHeader><fileDesc><titleStmt><title>t</title>'
        '</titleStmt><publicationStmt><p>x</p></publicationStmt><sourceDesc><listWit><witness xml:id="A">A</witness>'
        '<witness xml:id="B">B</witness></listWit></sourceDesc></fileDesc></teiHeader><text><body><div>')
ENTRY = "<app><lem wit='#A'>{lem}</lem><rdg wit='#B'>{rdg}</rdg></app>"
PAGE = '#set document(title: "t")\n#set page(width: 200pt, height: 100pt, margin: 10pt)\n'
PAGE += '#set text(font: "Noto Serif SC", size: 10pt)\n'
WORDS = "天地玄黃宇宙洪荒"


def _lost(body: str, folder: Path, press: str = "", plan: PrintPlan | None = None, lang: str = "zh") -> list[str]:
    """Return the errors of a PDF whose press has templates of its own."""
    file = folder / "press.typ"
    file.write_text(f'#import "edition.typ": *\n{press}\n', encoding="utf-8")
    tei = stranger(f"{HEAD.format(lang=lang)}{body}</div></body></text></TEI>".encode(), name="t").tei
    settings = OutputSettings(print=plan or PrintPlan(), press=file if press else None)
    report = pdf.make(tei, folder / "made.pdf", settings)
    return [finding.message for finding in report.findings if finding.rule == "print-lost"]


def _entries(letter: str, count: int) -> str:
    return "天".join(ENTRY.format(lem="正", rdg=f"{letter}{n}") for n in range(count))


SOUND = f"<p>天地{_entries('甲', 3)}玄黃</p><p>宇宙洪荒{_entries('乙', 2)}</p>"


def test_a_sound_book_has_no_such_error(tmp_path: Path) -> None:
    assert _lost(SOUND, tmp_path) == []
    assert _lost(SOUND, tmp_path, plan=print_plan(apparatus="chapter")) == []
    assert _lost(f"<p>arma {_entries('cano ', 3)} virumque <hi>fffi</hi></p>", tmp_path, lang="la") == []


FOOT = "let foot = ours(entries); if foot == none { return }"
PRESSES = {
    "clipped": f"#let foot-paragraphs(entries) = {{ {FOOT}; block(clip: true, height: 2pt, foot) }}",
    "below": f"#let foot-paragraphs(entries) = {{ {FOOT}; move(dy: 500pt, foot) }}",
    "beside": f"#let foot-paragraphs(entries) = {{ {FOOT}; move(dx: -20cm, foot) }}",
    "covered": f"#let foot-paragraphs(entries) = {{ {FOOT}; foot; place(top, dy: -5pt, rect(width: 100%, height: 40pt, "
               "fill: white)) }",
    "dropped": "#let foot-paragraphs(entries) = none",
}


@pytest.mark.parametrize("kind", PRESSES)
def test_a_template_that_loses_entries_is_an_error_for_each(kind: str, tmp_path: Path) -> None:
    errors = _lost(SOUND, tmp_path, f'#import "apparatus.typ": foot-paragraphs as ours\n{PRESSES[kind]}')
    assert len(errors) == 5
    assert errors[0] == "page 5 (1.0.1 〔一〕): 7 of 7 letters are not visible: 第一正字B作甲…"


def test_a_template_that_cuts_off_text_is_an_error(tmp_path: Path) -> None:
    errors = _lost(SOUND, tmp_path, "#let passage(body, ..rest) = block(clip: true, width: 20pt, height: 20pt, body)")
    assert [error.partition(")")[0] for error in errors] == ["page 5 (1.0.1", "page 5 (1.0.2"]


@pytest.mark.parametrize(("kind", "before", "plan"), some_of((
    (kind, before, plan) for kind in ("p", "l") for before in (60, 140, 300) for plan in (
        PrintPlan(), print_plan(numbers="page"), print_plan(foot="columns", paper="a5"))), 4))
def test_entries_around_one_that_is_a_footnote_of_its_own_are_printed(
    kind: str, before: int, plan: PrintPlan, tmp_path: Path
) -> None:
    """Their words and the room reserved for them can be on two pages, between which the long entry is divided."""
    long = ENTRY.format(lem="本", rdg="".join(f"句{n}文字。" for n in range(300)))
    line = f"地{_entries('甲', 3)}天{long}天{_entries('乙', 3)}地黃"
    text = f"<p>{'天地' * before}{line}</p>" if kind == "p" else f"<p>{'天地' * before}</p><lg><l>{line}</l></lg>"
    assert _lost(f"{text}<p>{'玄黃' * 300}</p>", tmp_path, plan=plan) == []


def _dense(count: int, size: int) -> str:
    entries = "天".join(ENTRY.format(lem="正", rdg=f"{'異文' * size}第{n}") for n in range(count))
    return f"<p>{'天地' * 100}</p><p>{entries}</p><p>{'玄黃' * 300}</p>"


@pytest.mark.parametrize(("count", "size"), [(60, 15), (60, 30), (20, 90)])
def test_more_entries_on_two_lines_than_a_page_has_room_for_are_printed(count: int, size: int, tmp_path: Path) -> None:
    assert _lost(_dense(count, size), tmp_path) == []


def test_a_foot_that_never_has_room_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_ROUNDS", 1)
    errors = _lost(_dense(120, 30), tmp_path)
    assert any(error.startswith("after 1 rounds the apparatus of some pages is still longer") for error in errors)


def _pieces(code: str) -> list[tuple[str, str]]:
    document, _ = typeset(PAGE + code, OutputSettings())
    return [(piece.stream, piece.words) for piece in visible_pieces(document) if piece.words]


@pytest.mark.parametrize(("code", "seen"), [
    (WORDS, WORDS),
    (f"#block(clip: true, width: 45pt)[{WORDS}]", WORDS),
    (f"#block(clip: true, height: 12pt, width: 45pt)[{WORDS}]", "天地玄黃"),
    (f"#block(clip: true, height: 2pt)[{WORDS}]", ""),
    (f"#place(top, dx: 167pt, box(width: 90pt)[{WORDS}])", "天地"),
    (f"#place(top, dx: -27pt, box(width: 90pt)[{WORDS}])", "玄黃宇宙洪荒"),
    (f"#place(top, dy: 92pt)[{WORDS}]", ""),
    (f"{WORDS}#place(top, rect(width: 30pt, height: 10pt, fill: white))", "黃宇宙洪荒"),
    (f"#place(top, rect(width: 30pt, height: 10pt, fill: aqua)){WORDS}", WORDS),
    (f"{WORDS}#place(top, rect(width: 100%, height: 10pt, stroke: 1pt))", WORDS),
    (f"#place(top, dy: -32pt, rotate(90deg, reflow: true)[{WORDS}])", "玄黃宇宙洪荒"),
    (f"#scale(50%)[{WORDS}]", WORDS),
    (f"#text(fill: gradient.linear(red, blue))[{WORDS}]", WORDS),
    (f"#text(fill: rgb(0, 0, 0, 50%))[{WORDS}]", WORDS),
    ("a(b)c\\\\d office", "a(b)c\\d office"),
    ("𬯀祔", "𬯀祔"),
    ('#text(font: "Libertinus Serif")[אבג דה]', "הד גבא"),
])
def test_only_letters_that_are_to_be_seen_are_read(code: str, seen: str) -> None:
    assert "".join(words for _, words in _pieces(code)) == seen


def test_text_and_footnotes_are_read_apart_and_across_pages() -> None:
    pieces = _pieces(f"{WORDS}#footnote[{'注' * 200}]{WORDS * 9}")
    text, foot = ("".join(words for stream, words in pieces if stream == kind) for kind in ("text", "foot"))
    assert text.replace("1", "") == WORDS * 10
    assert foot.count("注") == 200


def test_each_text_is_counted_for_itself() -> None:
    """Two entries have the same words; one of them is printed."""
    runs = tuple(PrintedRun("text", place, "", "天地玄黃") for place in "12")
    part = BookPart(kind="chapter", source="", runs=runs)
    once, twice = (typeset(PAGE + "\n\n".join(["天地玄黃"] * n), OutputSettings())[0] for n in (1, 2))
    assert find_unprinted([part], twice, "") == ()
    assert [finding.message for finding in find_unprinted([part], once, "")] == [
        "page 1 (2): 4 of 4 letters are not visible: 天地玄黃…"]


def _read(xml: str) -> MarkedCode:
    return MarkedCode(etree.fromstring(f'<part xmlns="urn:jiaokan:book" reference="1">{xml}</part>'))


def test_the_code_has_the_words_that_are_marked_in_it() -> None:
    code = _read('#chapter("t.1", "篇")\n<run kind="text">#head({<w>篇</w>;}, level: 1)\n</run>'
                 '<run kind="text" place="1.1">#passage({at("1.1", 1);<w>文</w>;ix("works", "書");<w>子"曰</w>;'
                 '<run kind="entry" place="1.1" sign="〔一〕" series="remark">entry("〔一〕", {<w>「</w>;quoted('
                 '<w>正</w>);<w>」，</w>;}, series: "remark");</run><w>末</w>;supplied({<printed>〔</printed>'
                 '<w>三</w>;<printed>〕</printed>});})\n</run>'
                 '<run kind="note" place="1.1.n1">#note("鄭", {<run kind="margin" place="1.1">crown({<w>眉</w>;});'
                 '</run>})\n</run>')
    assert code.source == (
        '#chapter("t.1", "篇")\n#head({"篇";}, level: 1)\n#passage({at("1.1", 1);"文";ix("works", "書");"子\\"曰";'
        'entry("〔一〕", {"「";quoted("正");"」，";}, series: "remark");"末";supplied({"三";});})\n'
        '#note("鄭", {crown({"眉";});})\n')
    assert [tuple(run) for run in code.runs] == [
        ("text", "1", "", "篇"), ("entry", "1.1 〔一〕", "remark", "「正」，"), ("text", "1.1", "", '文子"曰末〔三〕'),
        ("margin", "1.1", "", "眉")]


@pytest.mark.parametrize(("body", "place", "runs"), [
    (f"<p>天地{ENTRY.format(lem='正', rdg='作')}</p>", "foot", [
        ("entry", "1.0.1 〔一〕", "variant", "「正」，B作「作」。"), ("text", "1.0.1", "", "天地正")]),
    (f"<p>天{ENTRY.format(lem='正', rdg='作')}</p><p>地{ENTRY.format(lem='乙', rdg='甲')}</p>", "chapter", [
        ("text", "1.0.1", "", "天正"), ("text", "1.0.2", "", "地乙"),
        ("entry", "1.0.1 〔一〕", "", "「正」，B作「作」。"), ("entry", "1.0.2 〔二〕", "", "「乙」，B作「甲」。")]),
    ("<lg><l>天地</l><l>玄黃</l></lg><lg><l>宇宙</l></lg>", "foot", [
        ("text", "1.0.1", "", "天地玄黃"), ("text", "1.0.2", "", "宇宙")]),
    ("<p>天<note>注文</note>地</p>", "foot", [("text", "1.0.1", "", "天注文地")]),
])
def test_a_book_has_its_words_with_their_units(body: str, place: str, runs: list[object]) -> None:
    tei = stranger(f"{HEAD.format(lang='zh')}{body}</div></body></text></TEI>".encode(), name="t").tei
    book = pdf.read_book(tei, OutputSettings(print=print_plan(apparatus=place)))[1]
    assert [tuple(run) for part in book.parts if part.kind == "chapter" for run in part.runs] == runs


def test_a_substituted_character_is_substituted_in_code_and_words() -> None:
    part = BookPart(kind="chapter", source='f("甲乙")', runs=(PrintedRun("text", "1", "", "甲乙"),))
    changed = part.replace_character("甲", "丙")
    assert (changed.source, changed.runs[0].text) == ('f("丙乙")', "丙乙")
