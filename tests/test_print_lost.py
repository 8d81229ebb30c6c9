"""Words that are set but that nobody sees are an error: cut off, outside the trim, covered, or not drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.editions.other import stranger
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.print import typst as engine
from jiaokan.outputs.print.typst import typeset
from jiaokan.outputs.print.visible import visible_pieces
from jiaokan.outputs.print.volumes import BookPart
from jiaokan.outputs.print.whole import find_unprinted
from jiaokan.outputs.print.words import printed_words
from jiaokan.settings.plans import PrintPlan
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


@pytest.mark.parametrize("kind", ["p", "l"])
@pytest.mark.parametrize("before", [60, 140, 300])
@pytest.mark.parametrize("plan", [PrintPlan(), print_plan(numbers="page"), print_plan(foot="columns", paper="a5")])
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
    part = BookPart(kind="chapter", source='#passage({at("1", 1);"天地玄黃";})\n#passage({at("2", 2);"天地玄黃";})\n')
    once, twice = (typeset(PAGE + "\n\n".join(["天地玄黃"] * n), OutputSettings())[0] for n in (1, 2))
    assert find_unprinted([part], twice, "") == ()
    assert [finding.message for finding in find_unprinted([part], once, "")] == [
        "page 1 (2): 4 of 4 letters are not visible: 天地玄黃…"]


def test_words_are_the_strings_that_code_prints() -> None:
    code = ('#chapter("t.1", "1", "篇", shown: true)\n#head({"篇";}, level: 1)\n'
            '#passage({let shares = places(9, 3, ((1, 2, "variant", 3),));at("1.1", 1);"文";ix("works", "書", "1.1");'
            '"子\\"曰";entry("〔一〕", 1, 9, shares, {"「";quoted("正");"」，";siglum("B");"作異";}, series: "remark");'
            '"末";corrected("二", {"一";});supplied({"三";});lost("□");ended(9, "base", "1.1");}, join: false)\n'
            '#note("鄭", {crown(3, "朱", {"眉";});"注";ended(1, "note", "1.1.n1");}, carried: ("本", 3))\n'
            '#endnotes("校勘记", (("一", (("〔一〕", {"甲作乙";}),("1.2", translation("la", "verba")),)),),'
            'collation: "底")\n')
    assert [tuple(words) for words in printed_words(code, "1")] == [
        ("text", "1", "", "篇"), ("entry", "1.1 〔一〕", "remark", "「正」，B作異"),
        ("text", "1.1", "", '文子"曰末二〔一〕〔三〕□'), ("margin", "1.1", "", "眉"), ("note", "1.1.n1", "", "注"),
        ("entry", "1.1.n1 〔一〕", "", "甲作乙"), ("entry", "1.1.n1 1.2", "", "verba")]
