"""Pages of somebody else's text in letters: notes, corrections, adjacent numbers, directions, names and sigla in shapes
that no edition of ours has."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from jiaokan.api.texts import collate_texts
from jiaokan.editions.other import as_ours
from jiaokan.outputs import OutputSettings, docx
from tests import letters_tei
from tests.test_letters_pages import app, code, ours, pages, with_header


def chapter(*paragraphs: str) -> str:
    return f"<div n='1'><head>I</head>{''.join(f'<p>{words}</p>' for words in paragraphs)}</div>"


def words_of(body: str, folder: Path, lang: str = "la", **plan: object) -> str:
    return "\n".join(pages(ours(body, lang), folder, **plan))


@pytest.mark.parametrize(("note", "text", "foot"), [
    ("<note>arva <hi rend='italic'>B</hi></note>", r"Arma\s*1\s*virum", r"1 arva B"),
    ("<note place='foot'>so the first print</note>", r"Arma\s*1\s*virum", r"1 so the first print"),
    ("<note type='fontes'>Hom. Od. 1.1</note><note>de metro</note>", r"Arma\s*1,2\s*virum",
     r"1 Hom\. Od\. 1\.1\s+2 de metro"),
    ("<note>(in brackets)</note>", r"Arma\s*\(in brackets\)\s*virum", r""),
])
def test_a_note_on_words_is_at_the_foot(note: str, text: str, foot: str, tmp_path: Path) -> None:
    words = words_of(chapter(f"Arma{note} virum cano"), tmp_path)
    assert re.search(text, words) and re.search(foot, words.partition("cano")[2])


def test_notes_are_lettered_beside_variants(tmp_path: Path) -> None:
    words = words_of(chapter(f"{app('Arma', 'Arva')}<note>de armis</note> virum cano"), tmp_path)
    assert re.search(r"1 Arma\] Arva B C\s+a de armis", words)


def test_a_note_and_a_variant_of_one_verse_both_have_its_number(tmp_path: Path) -> None:
    lines = f"<l n='4'>{app('Arma', 'Arva')}<note>de armis</note> virum</l><l n='5'>cano</l>"
    body = f"<div><head>I</head><lg>{lines}</lg></div>"
    assert re.search(r"4\s+Arma\] Arva B C\s+4\s+de armis", words_of(body, tmp_path))


@pytest.mark.parametrize(("words", "text", "foot"), [
    ("<choice><sic>cnao</sic><corr>cano</corr></choice>", r"virum cano\s*1", r"1 cano\] cnao sic"),
    ("<choice><corr>cano</corr><sic>cnao</sic></choice> et", r"virum cano\s*1\s+et", r"1 cano\] cnao sic"),
    ("<supplied reason='omitted'>cano</supplied>", r"virum ⟨cano⟩", ""),
    ("<supplied reason='lost'>cano</supplied>", r"virum \[cano\]", ""),
    ("<surplus>cano</surplus>", r"virum \{cano\}", ""),
])
def test_corrections_in_letters_are_those_of_their_editions(words: str, text: str, foot: str, tmp_path: Path) -> None:
    printed = words_of(chapter(f"Arma virum {words}"), tmp_path)
    assert re.search(text, printed) and re.search(foot, printed) and not re.search("[〔〕（）［］]", printed)


@pytest.mark.parametrize(("words", "printed"), [
    ("ar<lb/>ma virum <lb/>cano et <lb/>troiae", "arma virum cano et"),
    ("arma <lb/>virum ca<pb n='2'/>no <lb/>et", "arma virum cano et"),
    ("arma<lb/>virum<lb/>cano", "arma virum cano"),
    ("ar<lb break='no'/>ma<lb/>virum <lb/>cano", "arma virum cano"),
    ("arma <supplied>virum</supplied> cano", "arma ⟨virum⟩ cano"),
    ("arma<g ref='#slash'/> virum <g type='hedera'/> cano", "arma/ virum ❧ cano"),
    ("arma <g ref='#nobody-knows'/> cano", "arma […] cano"),
])
def test_line_ends_additions_and_named_signs(words: str, printed: str, tmp_path: Path) -> None:
    assert printed in " ".join(words_of(chapter(words), tmp_path).split())


def test_a_long_title_is_cut_in_the_running_head(tmp_path: Path) -> None:
    title = "de rebus gestis " * 12
    body = f"<div><head>{title}</head>{'<p>arma virum cano </p>' * 120}</div>"
    heads = [page.split("arma")[0] for page in pages(ours(body, "la"), tmp_path)]
    cut = [head for head in heads if "…" in head and "de rebus" in head]
    assert cut and all(len(head.split("…")[0]) < 100 for head in cut)


@pytest.mark.parametrize(("text", "language"), [
    ("<div xml:lang='en'><p>Letters</p></div></front><body><div xml:lang='syr'><p>ܐܒܓ ܕܗܘ ܙܚܛ</p></div>", "syr"),
    ("<p/></front><body><div><p>ܐܒܓ ܕܗܘ</p></div>", "und-Syrc"), ("<p/></front><body><p>words ܐܒܓ</p>", "en"),
])
def test_the_language_is_that_of_the_text(text: str, language: str) -> None:
    tei = letters_tei.file("", "en").replace(b"<body></body>", f"<front>{text}</body>".encode())
    edition = as_ours(tei, name="x.xml")
    assert edition is not None and f'xml:lang="{language}"'.encode() in edition.tei[:300]


def test_a_correction_and_variants_are_one_series(tmp_path: Path) -> None:
    virum = "<choice><sic>vrium</sic><corr>virum</corr></choice>"
    words = words_of(chapter(f"{app('Arma', 'Arva')} {virum} {app('cano', 'cono')}"), tmp_path)
    assert re.search(r"1 Arma\] Arva B C\s+2 virum\] vrium sic\s+3 cano\] cono B C", words)


def test_the_number_of_an_entry_needs_no_ordinal(tmp_path: Path) -> None:
    words = words_of(chapter(f"et tu et ego et {app('et', 'sed')} nos"), tmp_path)
    assert re.search(r"1 et\] sed B C", words)
    words = words_of(chapter(f"et tu et ego et {app('et', 'sed')} nos"), tmp_path, keys="line")
    assert "et⁴]" in "".join(words.split())


@pytest.mark.parametrize(("between", "numbers"), [("", "1,2"), ("x", "1x2"), ("o ", "1o2")])
def test_numbers_that_touch_have_a_comma_between(between: str, numbers: str, tmp_path: Path) -> None:
    words = words_of(chapter(f"cano{app('', 'et')}{between}{app('', 'sed')} arma"), tmp_path)
    assert f"cano{numbers}arma".replace(" ", "") in "".join(words.split())


@pytest.mark.parametrize(("direction", "line"), [
    (", aside", "TAMORA, aside\n"), ("(rising)", "TAMORA (rising)\n"), ("Exit.", "TAMORA\nExit.\n")])
def test_a_direction_that_begins_with_a_mark_is_in_the_line_of_the_name(
    direction: str, line: str, tmp_path: Path
) -> None:
    speech = f"<speaker>TAMORA</speaker><stage>{direction}</stage><l n='1'>O cruel piety</l>"
    body = f"<div><head>I</head><sp>{speech}</sp></div>"
    assert f"{line}O cruel piety" in re.sub(r" *\n+ *", "\n", words_of(body, tmp_path, "en"))


def test_a_verse_has_its_number_without_that_of_the_scene(tmp_path: Path) -> None:
    lines = "".join(f"<l n='1.2.{n}'>verba {app('arma', 'arva') if n == 7 else 'alia'}</l>" for n in range(1, 11))
    words = words_of(f"<div><head>I</head><lg>{lines}</lg></div>", tmp_path)
    assert re.search(r"verba alia\s*5\n", words) and re.search(r"\n7\s+arma\] arva", words) and "1.2.5" not in words


def test_of_verses_with_letters_the_first_has_its_number(tmp_path: Path) -> None:
    lines = "".join(f"<l n='{n}'>verba</l>" for n in ("71", "72b", "73a", "73b", "74", "75", "76"))
    words = words_of(f"<div><head>I</head><lg>{lines}</lg></div>", tmp_path)
    assert re.findall(r"verba\s*(\d+[a-z]?)?\n", words) == ["", "", "73a", "", "", "75", "3"]  # the folio last


def test_a_paragraph_in_letters_of_the_other_direction_runs_its_own_way() -> None:
    latin, hebrew = "The editors of this text.", "בראשית ברא אלהים את השמים"
    assert code(ours(chapter(latin, hebrew), "he")).count("#set text(dir: ltr)") == 1
    assert code(ours(chapter(latin, hebrew), "en")).count("#set text(dir: rtl)") == 1
    assert "text(dir:" not in code(ours(chapter(f"{latin} {latin} בראשית"), "en"))


@pytest.mark.parametrize(("author", "printed"), [
    ("<persName>Εὐριπίδης</persName><persName xml:lang='en'>Euripides</persName><idno type='wikidata'>Q48305</idno>",
     "Εὐριπίδης"),
    ("<persName xml:lang='en'>Euripides</persName><persName xml:lang='grc'>Εὐριπίδης</persName>", "Εὐριπίδης"),
    ("<persName xml:lang='la'>Plato</persName><persName xml:lang='en'>Plato</persName>", "Plato"),
    ("Homer <idno>tlg0012</idno>", "Homer"),
    ("<name><forename>Arthur</forename> <surname>Evans</surname></name>", "Arthur Evans"),
])
def test_an_author_has_one_name_and_no_identifier(author: str, printed: str) -> None:
    tei = with_header(f"<author>{author}</author>", "<p/>", chapter("λόγος"), "grc")
    assert f'authors: ("{printed}",)' in code(tei)


@pytest.mark.parametrize("source", [
    "<msDesc xml:id='M'><msIdentifier><settlement>Beijing</settlement><idno>52</idno></msIdentifier></msDesc>",
    "<listBibl><bibl xml:id='M'>Thakur 1975</bibl></listBibl>"])
def test_readings_may_name_a_described_manuscript_or_a_book(source: str, tmp_path: Path) -> None:
    tei = with_header("", source, chapter("<app><lem>arma</lem><rdg wit='#M'>arva</rdg></app> cano"), "la")
    words = "\n".join(pages(tei, tmp_path))
    assert re.search(r"arma\] arva M", words) and ("Thakur" in words or "Beijing" in words)


def test_what_is_printed_is_no_witness_of_the_list(tmp_path: Path) -> None:
    body = chapter("<app><lem>arma</lem><rdg resp='#X'>arva</rdg></app>"
                   " <app><lem>cano</lem><rdg wit='#Y'>cono</rdg></app>")
    words = "\n".join(pages(with_header("", "<p/>", body, "la"), tmp_path))
    assert "silent" not in words and not re.search(r"^text$", words, re.MULTILINE)


@pytest.mark.parametrize(("lang", "mark", "text"), [
    ("la", ",", "arma, cano"), ("grc", ";", "arma; cano"), ("fr", ";", "arma ; cano"), ("fr", ",", "arma, cano"),
    ("la", "(", "arma ( cano")])
def test_a_mark_on_a_line_of_its_own_file_is_close_to_its_word(lang: str, mark: str, text: str, tmp_path: Path) -> None:
    body = chapter(f"\n<w>arma</w>\n<pc>{mark}</pc>\n<w>cano</w>\n")
    assert text in words_of(body, tmp_path, lang)


@pytest.mark.parametrize(("words", "text"), [
    ("arma <app><lem wit='#A'/><rdg wit='#B'>et</rdg></app>virumque", r"arma\s*1\s+virumque"),
    ("arma <app><lem wit='#A'/><rdg wit='#B'>et</rdg></app> virumque", r"arma\s*1\s+virumque"),
    ("arma<app><lem wit='#A'/><rdg wit='#B'>t</rdg></app>que", r"arma\s*1\s*que")])
def test_the_number_of_an_addition_is_at_the_word_before(words: str, text: str, tmp_path: Path) -> None:
    tei = ours(chapter(words))
    assert re.search(text, "\n".join(pages(tei, tmp_path)))
    assert not re.search(r'" ";entry\(|[^"] ";entry\(', code(tei))


def test_a_note_that_begins_its_paragraph_is_on_no_words(tmp_path: Path) -> None:
    words = words_of(chapter("<note place='margin'>XII</note> Arma virum"), tmp_path)
    assert re.search(r"\(XII\)\s*Arma", words)


def test_units_that_a_wide_space_parts_are_two_words() -> None:
    words = "forests of the  night;  what hand\n\nand eye"
    tei = collate_texts({"A": words, "B": words.replace("  ", " ")}).tei
    space = b'<space quantity="2" unit="chars" rend="U+0020"/>'
    one = re.sub(rb"</seg></ab>\s*<ab type=\"jing\"><seg", b"</seg>" + space + b"<seg", tei)
    for book in (tei, one):
        assert "of the night; what hand" in code(book)
    assert re.search(r'what hand";" ";?at\("1\.1\.2"|what hand ";at\(', code(one))


def test_a_word_file_has_verse_numbers_and_notes_on_words_below(tmp_path: Path) -> None:
    lines = "".join(f"<l n='{n}'>verba {'<note>de re</note>' if n == 2 else 'alia'}</l>" for n in range(1, 12))
    correction = "Arma <choice><sic>vrium</sic><corr>virum</corr></choice>"
    tei = ours(f"<div><head>I</head><p>{correction}</p><lg>{lines}</lg></div>")
    docx.make(tei, tmp_path / "x.docx", OutputSettings())
    with ZipFile(tmp_path / "x.docx") as book:
        text, notes = (re.sub("[ \\n]*<[^>]+>[ \\n]*", "|", book.read(f"word/{name}.xml").decode())
                       for name in ("document", "footnotes"))
    assert re.findall(r"\|(\d+)\|+\u2003", text) == ["1", "5", "10"]
    assert "de re" in notes and "virum] vrium sic" in notes and "de re" not in text and "vrium" not in text


def test_what_a_witness_lost_has_the_sign_of_the_text_in_its_entry(tmp_path: Path) -> None:
    lost = "<app><lem wit='#A'>virum</lem><rdg wit='#B'>vi<gap reason='illegible'/>m</rdg></app>"
    words = words_of(chapter(f"Arma {lost} cano <gap reason='lost'/>"), tmp_path)
    assert re.search(r"virum\] vi\[…\]m B", words) and "〓" not in words


@pytest.mark.parametrize("numbers", ["chapter", "page"])
def test_letters_of_notes_are_no_lost_letters_of_the_text(numbers: str, tmp_path: Path) -> None:
    paragraphs = [f"{'Arma virumque cano Troiae ' * 12}qui<note>de re {n}</note> primus<note>alia {n}</note> ab oris"
                  for n in range(30)]
    words = words_of(chapter(f"{app('Vox', 'Vix')} populi", *paragraphs), tmp_path, numbers=numbers)
    assert re.search(r"de re 29", words)  # `pages` refuses a book with lost letters
