"""Pages of texts in letters and of Japanese: verse, plays, running sections, bands, groups of sigla, front words, ruby,
facing translations; each in shapes that no edition of ours has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise, takewhile
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from jiaokan.editions.other import as_ours
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.outputs.pdf import typst_source
from jiaokan.outputs.text.prepare import interface_of_book
from jiaokan.settings.plans import PrintPlan
from tests.amount import some_of
from tests.plans import print_plan

WITNESSES = '<witness xml:id="A">A</witness><witness xml:id="B">B</witness><witness xml:id="C">C</witness>'


def with_header(author: str, source: str, body: str, lang: str, back: str = "") -> bytes:
    """Return somebody's TEI as ours, with an author and a description of its source."""
    tei = (f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="{lang}"><teiHeader><fileDesc><titleStmt>'
           f"<title>T</title>{author}</titleStmt><publicationStmt><p/></publicationStmt><sourceDesc>{source}</sourceDesc>"
           f"</fileDesc></teiHeader><text><body>{body}</body>{back}</text></TEI>")
    edition = as_ours(tei.encode(), name="x.xml")
    assert edition is not None
    return edition.tei


def ours(body: str, lang: str = "la", witnesses: str = WITNESSES, back: str = "") -> bytes:
    """Return somebody's TEI with witnesses as ours."""
    return with_header("<author>Auctor</author>", f"<listWit>{witnesses}</listWit>", body, lang, back)


def code(tei: bytes, **plan: object) -> str:
    """Return the Typst code of a book without its templates."""
    interface = interface_of_book(tei, print_plan(**plan))
    return typst_source(tei, replace(OutputSettings(), print=print_plan(**plan), interface=interface))


def pages(tei: bytes, tmp_path: Path, **plan: object) -> list[str]:
    """Return the words of each page of the PDF, which loses none."""
    settings = OutputSettings(print=print_plan(**plan) if plan else PrintPlan())
    report = pdf.make(tei, tmp_path / "x.pdf", settings)
    assert not [finding for finding in report.findings if finding.rule in ("print-lost", "typst")]
    document = pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())
    return [page.get_textpage().get_text_range().replace("\r", "") for page in document]


def app(lemma: str, reading: str, agree: str = "#A", differ: str = "#B #C") -> str:
    rdg = f"<rdg wit='{differ}'>{reading}</rdg>" if reading else f"<rdg wit='{differ}'/>"
    return f"<app><lem wit='{agree}'>{lemma}</lem>{rdg}</app>"


LINES = ["Cynthia prima suis", f"contactum {app('nullis', 'nulli')} ante", "tum mihi constantis", "et caput impositis",
         f"donec me {app('docuit', '')} castas", "improbus et nullo"]


@pytest.mark.parametrize("wrap", ["<div type='textpart' n='{n}'><p>{line}</p></div>", "<p>{line}</p>"])
def test_short_lines_of_a_plain_text_are_verse_with_numbers(wrap: str, tmp_path: Path) -> None:
    body = "".join(wrap.format(n=n, line=line) for n, line in enumerate(LINES, 1))
    words = "\n".join(pages(ours(f"<div n='1'><head>I</head>{body}</div>"), tmp_path))
    assert re.search(r"2\s+nullis\] nulli B C", words) and re.search(r"5\s+docuit\] om\. B C", words)
    assert "donec me docuit castas" in words and "1.1" not in words


def test_paragraphs_of_prose_are_no_verse() -> None:
    body = "".join(f"<p>{line} {'verba longiora sequuntur ' * 4}</p>" for line in LINES)
    assert "verse-lines" not in code(ours(f"<div n='1'><head>I</head>{body}</div>"))


def test_an_ordinal_counts_within_the_verse(tmp_path: Path) -> None:
    body = f"<lg><l n='1'>et tu et ego</l><l n='2'>et nos et {app('et', 'sed')} vos</l></lg>"
    assert re.search(r"2\s+et\s*³\] sed", "\n".join(pages(ours(f"<div><head>I</head>{body}</div>"), tmp_path)))


def test_parts_of_a_shared_verse_stand_one_after_the_other() -> None:
    body = ("<sp><speaker>NUTRIX</speaker><l n='5' part='I'>quid agis</l></sp>"
            "<sp><speaker>MEDEA</speaker><l n='5' part='F'>abeo</l></sp>")
    assert '"quid agis"' in code(ours(f"<div><head>I</head>{body}</div>")).rpartition("#verse-lines")[2]


def test_what_is_spoken_is_close_to_the_name() -> None:
    body = "<sp><speaker>LANE.</speaker><p>I did not think it polite to listen, sir.</p></sp>" * 3
    assert code(ours(f"<div><head>I</head>{body}</div>", "en")).count("join: true, opens: false") == 3


def test_sections_that_only_cite_run_on_in_a_paragraph(tmp_path: Path) -> None:
    sections = "".join(f"<div type='textpart' subtype='section' n='{n}'><p>{line} finis.</p></div>"
                       for n, line in enumerate(LINES * 3, 1))
    tei = ours(f"<div n='1'><head>I</head><div type='textpart' n='1'><div n='1'><head>De</head><p>x</p></div>{sections}"
               "</div></div>")
    assert "#verse-lines" not in code(tei)
    long = sections.replace("finis.", "et cetera quae in libro leguntur usque ad finem omnium rerum.")
    tei = ours(f"<div n='1'><head>I</head><div type='textpart' n='1'>{long}</div></div>")
    assert code(tei).count("#passage(") == 1 and code(tei).count("named-place(") == 18
    words = " ".join("\n".join(pages(tei, tmp_path)).split())
    assert "omnium rerum. contactum" in words and "1.1.2" in words


GROUPED = ('<listWit xml:id="alpha"><head>α</head><witness xml:id="A">A</witness><witness xml:id="B">B</witness>'
           "</listWit>"
           '<witness xml:id="C">C</witness><witness xml:id="D">D</witness>')


@pytest.mark.parametrize(("differ", "printed"), [
    ("#A #B", "viros α"), ("#A #B #D", "viros α D"), ("#A #D", "viros A D"), ("#alpha", "viros α")])
def test_the_siglum_of_a_group_stands_for_all_its_members(differ: str, printed: str, tmp_path: Path) -> None:
    others = " ".join(f"#{name}" for name in "ABCD" if name not in differ.replace("alpha", "A B"))
    body = f"<div><head>I</head><p>arma {app('virum', 'viros', others, differ)} cano</p></div>"
    words = "\n".join(pages(ours(body, witnesses=GROUPED), tmp_path))
    assert re.search(rf"virum\] {printed}(?![ ]*\w)", words), words


@pytest.mark.parametrize(("language", "words"), [
    ("la", "Conspectus siglorum"), ("de", "Siglen"), ("fr", "Sigles"), ("text", "Sigla"), ("en", "Sigla")])
def test_a_book_speaks_the_language_that_its_plan_names(language: str, words: str, tmp_path: Path) -> None:
    printed = pages(ours(f"<div><head>I</head><p>arma {app('virum', '')}</p></div>"), tmp_path, language=language)
    lists = next(page for page in printed if words in page.split("\n")[0])
    assert "Auctor" in printed[0] and printed.index(lists) < next(n for n, page in enumerate(printed) if "arma" in page)


@pytest.mark.parametrize(("between", "bar"), [("space", False), ("bars", True)])
def test_entries_are_parted_by_a_space_or_bars(between: str, bar: bool, tmp_path: Path) -> None:
    body = f"<div><head>I</head><p>{app('arma', 'armos')} {app('virum', 'viros')}</p></div>"
    assert any("‖" in page for page in pages(ours(body), tmp_path, between=between)) == bar


@pytest.mark.parametrize(("opening", "parity"), [("recto", {1}), ("page", {0, 1})])
def test_chapters_open_where_the_plan_says(opening: str, parity: set[int], tmp_path: Path) -> None:
    body = "".join(f"<div n='{n}'><head>Caput {n}</head><p>verba {n}</p></div>" for n in range(1, 5))
    printed = pages(ours(body), tmp_path, opening=opening)
    begun = [n for n, page in enumerate(printed, 1) for k in range(1, 5) if f"verba {k}" in page]
    assert len(set(begun)) == 4 and {n % 2 for n in begun} == parity
    assert len({n for n, page in enumerate(pages(ours(body), tmp_path, opening="run")) if "verba" in page}) == 1


@pytest.mark.parametrize(("type_", "mark"), [("fontes", "a"), ("testimonia", "a"), ("similia", "a"), ("source", "a")])
def test_sources_and_testimonies_are_bands_at_the_foot(type_: str, mark: str, tmp_path: Path) -> None:
    body = f"<div><head>I</head><p>arma<note type='{type_}'>Hom. Il. 1.1</note> {app('virum', 'viros')} cano</p></div>"
    words = " ".join("\n".join(pages(ours(body), tmp_path)).split())
    assert "Hom. Il. 1.1 cano" not in words and re.search(rf"{mark}\s*Hom\. Il\. 1\.1 1\s*virum\] viros B C", words)


@pytest.mark.parametrize("type_", ["fontes", "testimonia"])
def test_an_entry_of_sources_is_in_their_band(type_: str, tmp_path: Path) -> None:
    note = f"<app type='{type_}'><lem>arma</lem><note>Hom. Il. 1.1</note></app>"
    words = " ".join("\n".join(pages(ours(f"<div><head>I</head><p>{note} {app('virum', 'viros')}</p></div>"),
                                     tmp_path)).split())
    assert re.search(r"a\s*Hom\. Il\. 1\.1 1\s*virum\] viros B C", words)


def test_a_band_of_verse_is_keyed_by_the_verse(tmp_path: Path) -> None:
    body = f"<lg><l n='7'>arma<note type='testimonia'>Sen. Ep. 113</note></l><l n='8'>{app('cano', 'cana')}</l></lg>"
    words = " ".join("\n".join(pages(ours(f"<div><head>I</head>{body}</div>"), tmp_path)).split())
    assert re.search(r"7 Sen\. Ep\. 113 8 cano\] cana", words)


KANBUN = ('<p><ruby><rb>學</rb><rt>まな</rt></ruby><note type="okurigana">ビテ</note>而時'
          '<note type="okurigana">ニ</note>習<metamark function="kaeriten">レ</metamark>之「直・骨」と</p>')


def test_ruby_and_reading_marks_are_set_as_such_and_marks_stay(tmp_path: Path) -> None:
    tei = ours(f"<div><head>一</head>{KANBUN}<p>ゆく河の流れは絶えずして</p></div>", "ja")
    source = code(tei)
    assert re.search(r'ruby\(\{"學";\}, \{"まな";\}\)', source) and 'okurigana({"ビテ"' in source
    assert 'kaeriten({"レ"' in source and "「直・骨」" in source
    words = "".join(pages(tei, tmp_path))
    assert "目次" in words and "本書について" in words and "之「直・骨」" in "".join(words.split())


@pytest.mark.parametrize(("lang", "again"), [("la", "et"), ("grc", "καὶ"), ("de", "so")])
def test_the_number_of_a_lemma_counts_within_the_printed_line(lang: str, again: str, tmp_path: Path) -> None:
    words, entries = list[str](), list[int]()
    for n in range(300):
        if n % 5 == 3:
            entries.append(n)
        words += [app(again, f"Q{n}x") if n % 5 == 3 else again, chr(97 + n % 26) * (1 + n % 7)]
    texts = pages(ours(f"<div n='1'><head>I</head><p>{' '.join(words)}</p></div>", lang), tmp_path, keys="line")
    lines = [line for text in texts for line in text.split("\n") if "]" not in line]
    counts = [count for line in lines if (count := len(re.findall(rf"(?<!\w){again}(?!\w)", line)))]
    assert sum(counts) == 300
    ranks = [(rank, count) for count in counts for rank in range(1, count + 1)]
    foot = re.findall(rf"{again}([⁰¹²³⁴-⁹]*)\] Q(\d+)x", " ".join(" ".join(texts).split()))
    printed = {n: raised for raised, n in foot}
    for n in entries:
        rank, count = ranks[n]
        assert unicodedata.normalize("NFKC", printed[str(n)]) == (str(rank) if count > 1 else ""), (n, rank, count)


READINGS = [  # words, their reading at the right, their ending and reading mark in the column
    ("承", "うけたまは", "", ""), ("流", "なが", "レ", ""), ("今日", "けふ", "", ""), ("習", "なら", "フ", "レ"),
    ("不", "", "ズ", "二"), ("說", "", "バシカラ", "一"), ("有", "", "", "レ"), ("久", "ひさ", "シク", "上"),
    ("孔子家語", "こうしけごのせう", "", ""),
]


@pytest.mark.parametrize("before", [0, 3, 17])
def test_readings_stand_beside_their_words_in_columns_and_nothing_overlaps(before: int, tmp_path: Path) -> None:
    def tagged(words: str, reading: str, ending: str, mark: str) -> str:
        ruby = f"<ruby><rb>{words}</rb><rt>{reading}</rt></ruby>" if reading else words
        return (ruby + (f'<note type="okurigana">{ending}</note>' if ending else "")
                + (f'<metamark function="kaeriten">{mark}</metamark>' if mark else ""))

    body = "".join(f"{'あ' * (before + n % 5)}{tagged(*row)}。" for n, row in enumerate(READINGS * 4))
    settings = OutputSettings(print=print_plan(layout="vertical"))
    pdf.make(ours(f"<div><head>一</head><p>{body}</p><p>いろ<note>注{body}</note></p></div>", "ja"),
             tmp_path / "x.pdf", settings)
    chars = list[tuple[int, str, tuple[float, float, float, float]]]()
    for number, page in enumerate(pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())):
        text = page.get_textpage()
        chars += [(number, char, text.get_charbox(n)) for n in range(text.count_chars())
                  if (char := text.get_text_range(n, 1)).isalpha() and char not in "注一"]
    for (page, a, (left, bottom, right, top)), (other, b, box) in combinations(chars, 2):
        assert page != other or left + 0.3 > box[2] or box[0] + 0.3 > right or bottom + 0.3 > box[3] \
            or box[1] + 0.3 > top, (a, b)
    printed = Counter(char for _, char, _ in chars)
    for char in "承けまはなが今家語フズバシカひさレ":
        assert printed[char] == 2 * sum("".join(row).count(char) for row in READINGS * 4), char
    for _, char, box in chars:
        if char == "う":  # うけたまは at the right of 承, こうしけごのせう of 孔子家語
            height = (box[1] + box[3]) / 2
            words = [other for _, base, other in chars
                     if base in "承孔子家語" and other[1] - 12 < height < other[3] + 12]
            assert 0 <= min(abs(box[0] - other[2]) for other in words) < 5


def test_no_line_begins_with_the_dot_of_a_name(tmp_path: Path) -> None:
    body = "".join(f"<p>{'字' * n}周禮·地官·州長</p>" for n in range(20, 40))
    pdf.make(ours(f"<div><head>一</head>{body}</div>", "lzh"), tmp_path / "x.pdf", OutputSettings())
    for page in pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes()):
        text = page.get_textpage()
        boxes = [(text.get_text_range(n, 1), text.get_charbox(n)) for n in range(text.count_chars())]
        for (_, before), (char, box) in pairwise((char, box) for char, box in boxes if char.strip("\r\n\u2060\ufffe")):
            assert char != "·" or box[0] > before[0], page


@pytest.mark.parametrize("verse", [True, False])
def test_a_facing_translation_is_level_with_its_words(verse: bool, tmp_path: Path) -> None:
    words = [f"verba{n} " + "alia " * (2 if verse else 20 + n) for n in range(1, 6)]
    lines = "".join(f"<lg><l n='{n}'>{line}</l></lg>" if verse else f"<p>{line}</p>" for n, line in enumerate(words, 1))
    tei = ours(f"<div><head>I</head>{lines}</div>")
    rows = "".join(f'<p corresp="#x.1.0.{n}">translated{n} {"words " * 40}</p>' for n in range(1, 6))
    translation = f'<back><div type="translation" xml:lang="en" resp="#A"><head>English</head>{rows}</div></back>'
    tei = tei.replace(b"</text>", f"{translation}</text>".encode(), 1)
    pages(tei, tmp_path, translation="facing")
    places = dict[str, tuple[int, float, float]]()
    for number, page in enumerate(pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())):
        text = page.get_textpage()
        for rect in map(text.get_rect, range(text.count_rects())):
            if match := re.match(r"(verba|translated)\d", text.get_text_bounded(*rect).strip()):
                places.setdefault(match[0], (number, round(rect[1]), rect[0]))
    for n in range(1, 6):
        page, height, left = places[f"verba{n}"]
        there, its_height, right = places[f"translated{n}"]
        assert page == there and abs(height - its_height) <= 2 and right > left + 100
    assert "#beside(" in code(tei)
    after = code(tei, translation="after")
    assert "#beside(" not in after and 'translation("en"' in after


SCRIPTS = {"la": "arma virumque cano", "grc": "λόγος ἀρχῇ θεόν", "he": "בראשית אלהים הארץ", "ru": "въ началѣ слово",
           "ja": "春は あけぼの やうやう", "lzh": "子曰 學而 時習"}


@pytest.mark.parametrize(("siglum", "lang", "length", "follows", "kind"), some_of((
    (siglum, *row) for siglum in ("R2", "a.", "Φ", "諸本", ".*", "V⁴", "A|B") for row in (
        ("la", 1, ";", "verse"), ("grc", 400, ".", "prose"), ("he", 30, "]", "prose"), ("ru", 90, "»", "verse"),
        ("ja", 60, "」", "prose"), ("lzh", 700, "；", "prose"), ("la", 700, " (x)", "sections"))), 4))
def test_nothing_on_a_page_overlaps_or_is_cut(
    siglum: str, lang: str, length: int, follows: str, kind: str, tmp_path: Path
) -> None:
    words = SCRIPTS[lang].split()
    gap = "" if lang in ("ja", "lzh") else " "
    reading = gap.join(words[n % 3] for n in range(length))
    entry = f"{words[0]}{gap}{app(words[1], reading, '#A #C', '#B')}{follows}"
    if kind == "verse":
        body = "".join(f"<l n='{n}'>{entry if n % 4 == 1 else words[2]}</l>" for n in range(1, 41))
    elif kind == "prose":
        body = f"<p>{entry}</p><p>{gap.join(words * 200)}</p><p>{entry}</p>"
    else:
        body = "".join(f"<div type='textpart' n='{n}'><p>{entry if n == 3 else gap.join(words * 20)}</p></div>"
                       for n in range(1, 9))
        body = f"<div type='textpart' n='1'>{body}</div>"
    witness = f'<witness xml:id="B"><abbr type="siglum">{siglum}</abbr> charter of parts</witness>'
    tei = ours(f"<div n='1'><head>I</head>{body}</div>", lang,
               WITNESSES.replace('<witness xml:id="B">B</witness>', witness))
    printed = pages(tei, tmp_path)
    assert any("charter" in page for page in printed)  # no siglum is a pattern that cuts words
    for page in pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes()):
        for item in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_TEXT]):
            left, low, right, high = item.get_bounds()
            assert low > 0 and left > -1 and right < page.get_width() + 1 and high < page.get_height()
        text = page.get_textpage()
        marks = [unicodedata.category(text.get_text_range(n, 1)[:1] or " ")[0] for n in range(text.count_chars())]
        boxes = sorted(text.get_charbox(n) for n, kind in enumerate(marks) if kind == "L")
        for n, (left, low, right, high) in enumerate(boxes):
            for begun, foot, end, top in takewhile(lambda box, right=right: box[0] < right, boxes[n + 1:]):
                if max(abs(begun - left), abs(foot - low), abs(end - right), abs(top - high)) <= 0.01:
                    continue  # letters of one glyph share its box
                covered = max(min(end, right) - begun, 0) * max(min(top, high) - max(foot, low), 0)
                assert covered <= 0.4 * (right - left) * (high - low), (left, low)


def test_a_chapter_that_is_only_a_heading_has_the_next_below_it(tmp_path: Path) -> None:
    body = "<div n='1'><head>飨禮闕</head></div>" + "".join(
        f"<div n='{n}'><head>第{n}篇</head>{'<p>天地玄黃宇宙洪荒日月盈昃辰宿列張</p>' * 90}</div>" for n in (2, 3))
    printed = ["".join(page.split()) for page in pages(ours(body, "lzh"), tmp_path)]
    assert any("飨禮闕" in page and "第2篇" in page and "天地" in page for page in printed)
    assert not any("第2篇" in page and "第3篇" in page and "天地" in page for page in printed)
    fitted = ["".join(page.split()) for page in pages(ours(body, "lzh"), tmp_path, page_lines={"x.2": -1})]
    assert any("飨禮闕" in page and "第2篇" in page and "天地" in page for page in fitted)
    apart = ["".join(page.split()) for page in pages(ours(body, "lzh"), tmp_path, opening="page")]
    assert not any("飨禮闕" in page and "天地" in page for page in apart)


@pytest.mark.parametrize("rows", range(70, 84, 2))
def test_no_last_page_is_nearly_empty_where_its_chapter_can_be_fitted(rows: int, tmp_path: Path) -> None:
    body = "".join(f"<div n='{n}'><head>第{n}篇</head>{'<p>天地玄黃宇宙洪荒日月盈昃辰宿列張</p>' * (rows * n)}</div>"
                   for n in (1, 2))
    report = pdf.make(ours(body, "lzh"), tmp_path / "x.pdf", OutputSettings())
    assert "print-page" not in {finding.rule for finding in report.findings}


@pytest.mark.parametrize(("evidence", "printed"), [
    ("周禮·地官·州長", "《周禮·地官·州長》"), ("儀禮·鄉射禮注", "《儀禮·鄉射禮》注"),
    ("詩·召南「采蘋」", "《詩·召南》「采蘋」"),
    ("形近；禮記·曲禮", "形近；《禮記·曲禮》"), ("《禮記·曲禮》", "《禮記·曲禮》"), ("集編、通解", "集編、通解")])
def test_a_title_in_the_grounds_of_a_correction_has_its_marks(evidence: str, printed: str) -> None:
    body = ('<div><head>一</head><p>子<choice><sic>日</sic><corr resp="#e" evidence="x">曰</corr></choice>學</p></div>')
    tei = ours(body, "lzh").decode()
    tei = re.sub(r"<corr[^>]*>", f'<corr resp="#A" source="{evidence}" evidence="{evidence}">', tei)
    words = "".join(re.findall(r'"([^"]*)"', code(tei.encode())))
    assert f"据{printed}" in words or f"據{printed}" in words
