"""How texts in letters are set: the table of scripts, fonts, verse, note numbers, direction."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pikepdf
import pypdfium2 as pdfium
import pytest

from jiaokan.characters.scripts import interface_of, language_of
from jiaokan.characters.writing import most_frequent, script_of_language, script_of_letter, scripts
from jiaokan.editions.other import as_ours
from jiaokan.model import Line
from jiaokan.model.walk import walk
from jiaokan.outputs import OutputSettings, epub, pdf
from jiaokan.outputs.text.prepare import interface_of_text, script_of_text
from jiaokan.tei.parse import from_tei
from tests.amount import some_of
from tests.letters_tei import VERSE, file
from tests.plans import print_plan


def test_each_letter_of_the_table_has_its_script_and_each_language_one() -> None:
    languages = [language for script in scripts().values() for language in script.languages]
    assert len(languages) == len(set(languages))
    for code, script in scripts().items():
        assert script_of_language(script.language) in (code, "") and script.direction in ("ltr", "rtl")
        re.compile(script.letters.replace("\\p", "p"))


@pytest.mark.parametrize(("language", "text", "code"), [
    ("la", "", "Latn"), ("grc", "", "Grek"), ("sa-Latn", "", "Latn"), ("sa", "", "Deva"), ("lzh-Hant", "", "Hani"),
    ("", "λόγος ἦν ὁ λόγος", "Grek"), ("", "בראשית ברא", "Hebr"), ("", "ܒܪܫܝܬ", "Syrc"), ("", "春はあけぼの", "Jpan"),
    ("", "子曰學而", "Hani"), ("xx-Copt", "", "Copt"), ("", "123 …", ""),
])
def test_the_script_is_that_of_the_language_else_of_most_letters(language: str, text: str, code: str) -> None:
    assert (script_of_language(language) or most_frequent(text)) == code


def test_marks_and_digits_are_letters_of_no_script() -> None:
    assert [script_of_letter(char) for char in "a1,。ö字"] == ["Latn", "", "", "", "Latn", "Hani"]


def test_a_text_without_a_language_speaks_by_its_letters() -> None:
    hebrew, chinese = file("<div><p>בראשית ברא אלהים</p></div>"), file("<div><p>子曰學而時習之</p></div>")
    assert (script_of_text(hebrew), interface_of_text(hebrew)) == ("Hebr", "en")
    assert (script_of_text(chinese), interface_of_text(chinese)) == ("Hani", "hans")
    assert interface_of(language_of("धर्मक्षेत्रे कुरुक्षेत्रे")) == "en"


@pytest.mark.parametrize(("language", "text"), [
    ("la",
     "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae. Hi omnes lingua, "
     "institutis, legibus inter se differunt. Horum omnium fortissimi sunt Belgae, propterea quod a "
     "cultu atque humanitate absunt minimeque ad eos mercatores saepe commeant atque ea quae ad "
     "effeminandos animos pertinent important, quod fere contendunt, cum aut suis finibus eos "
     "prohibent aut ipsi in eorum finibus bellum gerunt"),
    ("en",
     "O that this too too solid flesh would melt, thaw, and resolve itself into a dew! Or that the "
     "Everlasting had not fix'd his canon 'gainst self-slaughter! How weary, stale, flat, and "
     "unprofitable seem to me all the uses of this world! Nay, not so much, not two! So excellent a "
     "king, that was to this Hyperion to a satyr; so loving to my mother"),
    ("fro",
     "Carles li reis nostre emperere magnes set anz tuz pleins ad estet en Espaigne. N'i ad castel ki "
     "devant lui remaigne fors Sarraguce ki est en une muntaigne; li reis Marsilie la tient ki Deu nen"
     " aimet ne s poet guarder que mals ne l'i ateignet en la tere li reis"),
    ("und-Latn",
     "Whan that Aprill with his shoures soote the droghte of March hath perced to the roote and bathed"
     " every veyne in swich licour of which vertu engendred is the flour, whan Zephirus eek with his "
     "sweete breeth"),
    ("und-Latn",
     "arma virumque cano"),
])
def test_the_language_of_a_page_is_that_of_its_frequent_words_if_one_is_ahead(language: str, text: str) -> None:
    assert language_of(text) == language


def set_pages(tei: bytes, tmp_path: Path, **plan: object) -> tuple[str, list[set[str]]]:
    """Return the words of the PDF of somebody's TEI, line by line, and the fonts of each page."""
    ours = as_ours(tei, name="x.xml")
    assert ours is not None
    pdf.make(ours.tei, tmp_path / "x.pdf", OutputSettings(print=print_plan(**plan)))
    data = (tmp_path / "x.pdf").read_bytes()
    words = "\n".join(page.get_textpage().get_text_range() for page in pdfium.PdfDocument(data))
    with pikepdf.open(BytesIO(data)) as document:
        fonts = [{str(font.BaseFont) for font in page.Resources.get("/Font", {}).values()} for page in document.pages]
    return words, fonts


@pytest.mark.parametrize(("lang", "words"), [
    ("grc", "ἐν ἀρχῇ ἦν ὁ λόγος, δι’ αὐτοῦ τὸν περὶ"), ("sa-Latn", "mayā śrutam ekasmin saṃjaya gṛdhrakūṭe"),
    ("fro", "n’i ad castel ki devant lui remaigne, très"), ("cs", "příliš žluťoučký kůň — «úpěl»"),
    ("ru", "въ началѣ бѣ слово"), ("he", "בְּרֵאשִׁית בָּרָא אֱלֹהִים"), ("", "μῆνιν ἄειδε θεά"),
])
def test_words_in_letters_have_one_font_without_that_of_chinese(lang: str, words: str, tmp_path: Path) -> None:
    _, fonts = set_pages(file(f"<div><head>I</head><p>{words}</p></div>", lang), tmp_path)
    assert any(fonts) and not any("NotoSerifSC" in font for page in fonts for font in page)


@pytest.mark.parametrize("word", ["śrutam", "Böhtlingk", "λόγος", "s\u0301rutam", "Ἰησοῦς"])
def test_a_foreign_word_in_chinese_has_one_font(word: str, tmp_path: Path) -> None:
    _, fonts = set_pages(file(f"<div><head>一</head><p>子曰{word}學而時習之</p></div>", "lzh"), tmp_path)
    assert {font.split("+")[1].split("-")[0] for font in fonts[4]} == {"NotoSerifSC", "LibertinusSerif"}
    _, fonts = set_pages(file("<div><head>一</head><p>子曰 abc 學而時習之</p></div>", "lzh"), tmp_path)
    assert not any("Libertinus" in font for page in fonts for font in page)


def test_verses_are_numbered_by_their_file_and_entries_by_verse(tmp_path: Path) -> None:
    words, _ = set_pages(file(f"<div><head>I</head><lg>{VERSE}</lg></div>", "la"), tmp_path)
    lines = [line.strip() for line in words.replace("\r", "").split("\n")]
    assert "cano virumque arma" in lines and "ob iram" in lines
    page = words[words.index("cano"):]
    assert re.search(r"1\s+arma\] armos R2", page) and re.search(r"5\s+saevae\] om\. R2", page)
    assert "〔" not in words


def test_notes_on_prose_are_numbered_without_brackets_and_by_the_line_if_wanted(tmp_path: Path) -> None:
    prose = "<div><head>I</head><p>arma <app><lem wit='#A'>virum</lem><rdg wit='#R2'>viros</rdg></app> cano</p></div>"
    words, _ = set_pages(file(prose, "la"), tmp_path)
    assert re.search(r"arma virum\s*1\s*cano", words) and re.search(r"1\s*virum\] viros R2", words)
    words, _ = set_pages(file(prose, "la"), tmp_path, keys="line")
    assert "arma virum cano" in words and re.search(r"[12]\s*virum\] viros R2", words)


def test_the_number_of_a_verse_comes_back_from_our_tei() -> None:
    ours = as_ours(file(f"<div><head>I</head><lg>{VERSE}<l>sine numero</l></lg></div>", "la"), name="x.xml")
    assert ours is not None
    lines = [item.n for item in walk(from_tei(ours.tei, name="x.xml")) if isinstance(item, Line)]
    assert lines == ["1", "2", "3", "4", "5", "6", ""]
    assert b'<l n="5">' in ours.tei


@pytest.mark.parametrize(("words", "package"), [
    ("धर्मक्षेत्रे", "NotoSerifDevanagari"), ("ܒܪܫܝܬ", "NotoSansSyriac"), ("ⲁⲣⲭⲏ", "NotoSansCoptic"),
    ("በቀዳሚ", "NotoSerifEthiopic"),
])
def test_letters_without_a_font_are_a_finding_with_the_package(
    words: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jiaokan.outputs.print.fonts._SYSTEM", ())
    ours = as_ours(file(f"<div><head>I</head><p>{words}</p></div>"), name="x.xml")
    assert ours is not None
    report = pdf.make(ours.tei, tmp_path / "x.pdf", OutputSettings())
    finding = next(finding for finding in report.findings if finding.rule == "print-missing")
    assert package in str(finding.mend)


def test_a_page_of_letters_without_a_font_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jiaokan.outputs.print.fonts._SYSTEM", ())
    words, _ = set_pages(file(f"<div><head>I</head><p>{'ܒܪܫܝܬ ܐܝܬܘܗܝ ' * 150}finis</p></div>"), tmp_path)
    assert "finis" in words


def test_a_book_in_kana_speaks_japanese_whether_or_not_its_file_names_the_language(tmp_path: Path) -> None:
    for language in ("ja", ""):
        words, _ = set_pages(file("<div><head>一</head><p>ゆく河の流れは絶えずして</p></div>" * 2, language), tmp_path)
        assert "目次" in words and "目錄" not in words


def test_a_label_in_a_verse_is_a_word(tmp_path: Path) -> None:
    words, _ = set_pages(file("<div><head>I</head><lg><l n='1'><label type='speaker'>C.</label>Quo me cumque vocas</l>"
                              "<l n='2'>sequor</l></lg></div>", "la"), tmp_path)
    assert "C. Quo me" in words


def test_the_contents_begin_below_their_heading(tmp_path: Path) -> None:
    chapters = "".join(f"<div n='{n}'><p>arma virumque cano</p></div>" for n in range(1, 24))
    set_pages(file(chapters, "la"), tmp_path)
    pages = [page.get_textpage().get_text_range() for page in pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())]
    assert any(re.search(r"(Contents|Index)\s+1\s", page) for page in pages)


def test_a_font_of_the_system_is_used_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for at in ((0, 0), (500, 0), (500, 700)):
        (pen.lineTo if pen.points else pen.moveTo)(at)
    pen.closePath()
    builder = FontBuilder(1000, isTTF=True)
    names = [".notdef", *(f"u{code:04X}" for code in range(0x0905, 0x0940))]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({int(name[1:], 16): name for name in names[1:]})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Noto Serif Devanagari", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    (tmp_path / "fonts" / "deep").mkdir(parents=True)
    builder.save(tmp_path / "fonts" / "deep" / "NotoSerifDevanagari-Regular.ttf")
    monkeypatch.setattr("jiaokan.outputs.print.fonts._SYSTEM", (str(tmp_path / "fonts"),))
    ours = as_ours(file("<div><head>I</head><p>नमन</p></div>"), name="x.xml")
    assert ours is not None
    report = pdf.make(ours.tei, tmp_path / "x.pdf", OutputSettings())
    assert "print-system-font" in {finding.rule for finding in report.findings}
    assert "print-missing" not in {finding.rule for finding in report.findings}


@pytest.mark.parametrize(("siglum", "lang", "length", "follows"), some_of((
    (siglum, *row) for siglum in ("R2", "a.", "Φ", "諸本", ".*", "[x", "P66", "A|B", "(c)", "\\d", "ar") for row in (
        ("la", 2, ";"), ("la", 200, "."), ("grc", 60, " (x)"), ("he", 30, "]"), ("lzh", 90, "；"),
        ("la", 900, "“y”"))), 5))
def test_notes_of_any_siglum_script_and_length_are_whole(
    siglum: str, lang: str, length: int, follows: str, tmp_path: Path
) -> None:
    texts = {"la": "arma virum cano", "grc": "λόγος ἀρχῇ θεόν", "he": "בראשית אלהים הארץ", "lzh": "子 曰 學"}
    words = texts[lang].split()
    gap = "" if lang == "lzh" else " "
    reading = gap.join(words[n % 3] for n in range(length))
    body = "".join(f"<p>{words[0]}{gap}<app><lem wit='#A'>{words[n]}</lem><rdg wit='#R2'>{reading}</rdg></app>{follows}"
                   "</p>" for n in (1, 2))
    tei = file(f"<div><head>I</head>{body}</div>", lang).decode()
    tei = tei.replace('xml:id="R2">R2', f'xml:id="R2"><abbr type="siglum">{siglum}</abbr> charter of parts')
    ours = as_ours(tei.encode(), name="x.xml")
    assert ours is not None
    report = pdf.make(ours.tei, tmp_path / "x.pdf", OutputSettings())
    assert not [finding for finding in report.findings if finding.rule in ("print-lost", "print-missing", "typst")]
    document = pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes())
    bare = "".join("".join(page.get_textpage().get_text_range().split()) for page in document)
    assert "charter" in bare and "parts" in bare  # PDFium gives the words of a book that reads leftward backwards
    for page in document:
        for item in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_TEXT]):
            left, low, right, high = item.get_bounds()
            assert low > 0 and left > -1 and right < page.get_width() + 1 and high < page.get_height()


def test_the_head_of_a_page_has_the_verses_of_the_page(tmp_path: Path) -> None:
    lines = "".join(f"<l n='{n}'>arma virumque {n}</l>" for n in range(1, 101))
    words, _ = set_pages(file(f"<div><head>I</head><lg>{lines}</lg></div>", "la", "Aeneis"), tmp_path)
    heads = [(int(a), int(b)) for a, b in re.findall(r"(\d+)–(\d+)", words)]
    assert len(heads) >= 2 and heads[-1][1] == 100
    assert all(before[1] + 1 == after[0] for before, after in pairwise(heads))
    assert heads[0][0] > 1  # the first page opens the book


def test_a_verse_longer_than_the_line_is_turned_over_and_indented(tmp_path: Path) -> None:
    long = " ".join(["impulerit"] * 14)
    set_pages(file(f"<div><head>I</head><lg><l n='1'>arma</l><l n='2'>{long}</l></lg></div>", "la"), tmp_path)
    pages = (page.get_textpage() for page in pdfium.PdfDocument((tmp_path / "x.pdf").read_bytes()))
    text = next(page for page in pages if "impulerit" in page.get_text_range())
    lefts = {text.get_text_bounded(*rect).strip(): rect[0] for rect in map(text.get_rect, range(text.count_rects()))}
    first = next(left for words, left in lefts.items() if words == "arma")
    rows = sorted({round(left) for words, left in lefts.items() if words.startswith("impulerit")})
    assert abs(rows[0] - first) < 2 and rows[-1] > first + 20


@pytest.mark.parametrize(("lang", "title", "leftward"), [
    ("la", "Aeneis", False), ("sa-Latn", "Bhagavadgītā", False), ("he", "בראשית", True)])
def test_an_ebook_has_the_language_direction_and_verses_of_its_text(
    lang: str, title: str, leftward: bool, tmp_path: Path
) -> None:
    ours = as_ours(file(f"<div><head>I</head><lg>{VERSE}</lg></div>", lang, title), name="x.xml")
    assert ours is not None
    epub.make(ours.tei, tmp_path / "x.epub", OutputSettings())
    with ZipFile(tmp_path / "x.epub") as book:
        package, page = (book.read(f"book/{name}").decode() for name in ("package.opf", "1.xhtml"))
        assert book.read("book/cover.png").startswith(b"\x89PNG")
    assert 'href="cover.png" media-type="image/png"' in package
    assert f"<dc:language>{lang}</dc:language>" in package
    assert ('page-progression-direction="rtl"' in package) == leftward == ('dir="rtl"' in page)
    assert 'data-n="5"' in page and "〔" not in page
