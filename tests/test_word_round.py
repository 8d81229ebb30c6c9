"""A word file of ours, corrected in a word processor, comes back as an edition with these corrections."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from jiaokan.editions.other import as_ours
from jiaokan.entries import entries
from jiaokan.exchange.imports.docx import convert
from jiaokan.exchange.imports.formulae import NoteEmendation, is_statement, parse_emendation, parse_formula
from jiaokan.model import Note, Paragraph, Trailer, Unit
from jiaokan.model.text import edited
from jiaokan.model.walk import items
from jiaokan.outputs import OutputSettings, docx
from jiaokan.tei.parse import from_tei
from tests.letters_tei import VERSE, file
from tests.plans import print_plan

CASES = Path(__file__).parent / "cases"
SAMPLE = (CASES / "tei" / "sample.xml").read_bytes()
GANGMU = (Path(__file__).parent.parent / "tei" / "editions" / "gangmu.xml").read_bytes()
PROSE = file(
    "<div><head>I</head><p>arma <app><lem wit='#A'>virum</lem><rdg wit='#R2'>viros</rdg></app> cano <note>nota</note>, "
    "<app><lem wit='#A'>Troiae</lem><rdg wit='#R2'/></app> qui <supplied>primus</supplied> ab "
    "<choice><sic>horis</sic><corr>oris</corr></choice></p></div>"
    "<div><head>II</head><p>Italiam <app><lem wit='#A'>fato</lem><rdg wit='#R2'>facto suo</rdg></app> profugus"
    "</p></div>",
    "la")
HEBREW = file("<div><head>פרק</head><p>בראשית <app><lem wit='#A'>ברא</lem><rdg wit='#R2'/></app> אלהים</p></div>", "he")


def written(tei: bytes, folder: Path) -> tuple[bytes, bytes]:
    """Return our TEI of a file, and its word file."""
    shown = as_ours(tei, name="x.xml")
    ours = tei if shown is None else shown.tei
    docx.make(ours, folder / "x.docx", OutputSettings(print=print_plan(level="all")))
    return ours, (folder / "x.docx").read_bytes()


def changed(document: bytes, change: Callable[[str, str], str]) -> bytes:
    """Return a word file whose parts are changed: `change` gets the name and the text of each."""
    archive = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as old, zipfile.ZipFile(archive, "w") as new:
        for entry in old.infolist():
            data = old.read(entry)
            new.writestr(entry, change(entry.filename, data.decode()) if entry.filename.startswith("word/") and
                         entry.filename.endswith(".xml") else data)
    return archive.getvalue()


def letters(words: str) -> str:
    return "".join(filter(str.isalnum, words))


def text_of(tei: bytes) -> tuple[str, list[str]]:
    """Return the letters of the base text of our TEI, and of each comment beside it."""
    document = from_tei(tei, name="x.xml")
    parts = [*items(division for division in document.divisions if division.kind != "front")]
    base = "".join(letters(edited(part.content)) for part in parts if isinstance(part, (Unit, Trailer))
                   or (isinstance(part, Paragraph) and not any(isinstance(inner, Unit) for inner in part.content)))
    return base, [letters(edited(part.content)) for part in parts if isinstance(part, Note) and part.resp]


def back(document: bytes) -> bytes:
    shown = as_ours(convert(document, "x.docx").tei, name="x.xml")
    assert shown is not None
    return shown.tei


def read(tei: bytes) -> list[tuple[str, list[str]]]:
    return [(entry.lemma.words, [reading.words for reading in entry.readings])
            for entry in entries(from_tei(tei, name="x.xml"))]


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize("tei", [PROSE, file(f"<div><head>I</head><lg>{VERSE}</lg></div>", "la"), HEBREW, SAMPLE],
                         ids=["prose", "verse", "hebrew", "chinese"])
def test_text_comments_and_entries_come_back(tei: bytes, tmp_path: Path) -> None:
    ours, document = written(tei, tmp_path)
    again = back(document)
    assert text_of(again)[0] == text_of(ours)[0]
    if tei is not SAMPLE:  # its entries inside comments are on other words
        assert read(again) == read(ours)
        assert len({*re.findall(rb'<TEI[^>]* xml:lang="([^"]*)"', again + ours)}) == 1


@pytest.mark.needs("pandoc")
def test_each_emendation_of_an_edition_comes_back(tmp_path: Path) -> None:
    conversion = convert(written(GANGMU, tmp_path)[1], "x.docx")
    assert not [finding for finding in conversion.findings if finding.rule == "docx-note"] and conversion.entries == 40
    tree = etree.fromstring(conversion.tei)
    assert len(tree.findall(".//{*}choice")) + len(tree.findall(".//{*}supplied")) == 40
    assert len(tree.findall(".//{*}body//{*}note[@place='foot']")) == 40


@pytest.mark.needs("pandoc")
def test_corrections_made_in_a_word_processor_come_back(tmp_path: Path) -> None:
    ours, document = written(PROSE, tmp_path)
    before = read(ours)

    def edit(name: str, text: str) -> str:
        if name == "word/document.xml":
            text = text.replace("profugus", "profectus")  # a word
            first = re.search(r"<w:r>(?:(?!</w:r>).)*<w:footnoteReference[^>]*>(?:(?!</w:r>).)*</w:r>", text, re.S)
            assert first
            text = text.replace(first[0], "", 1)  # a note is deleted
            added = '<w:r><w:footnoteReference w:id="99"/></w:r>'
            text = text.replace("Italiam ", f"Italiam</w:t></w:r>{added}<w:r><w:t> ")  # one is added
        if name == "word/footnotes.xml":
            text = text.replace("facto suo", "fatis")  # one is changed
            note = '<w:footnote w:id="99"><w:p><w:r><w:t>Italiam] Latium R2</w:t></w:r></w:p></w:footnote>'
            text = text.replace("</w:footnotes>", f"{note}</w:footnotes>")
        return text

    conversion = convert(changed(document, edit), "x.docx")
    notes = [finding.message for finding in conversion.findings if finding.rule == "docx-note"]
    assert len(notes) == 1 and "nota" in notes[0], "a note of the text is a note again"
    shown = as_ours(conversion.tei, name="x.xml")
    assert shown is not None
    assert before == [("virum", ["viros"]), ("Troiae", [""]), ("fato", ["facto suo"])]
    assert read(shown.tei) == [("Troiae", [""]), ("Italiam", ["Latium"]), ("fato", ["fatis"])]
    assert "profectus" in text_of(shown.tei)[0] and "profugus" not in text_of(shown.tei)[0]


@pytest.mark.needs("pandoc")
def test_styles_are_known_by_their_names_and_runs_may_be_joined(tmp_path: Path) -> None:
    """LibreOffice gives styles other ids and joins runs of one style."""
    def edit(name: str, text: str) -> str:
        if name == "word/styles.xml":
            for n, style in enumerate(sorted(set(re.findall('w:styleId="([^"]*[\u4e00-\u9fff][^"]*)"', text)))):
                text = text.replace(f'w:styleId="{style}"', f'w:styleId="Style{n}"').replace(
                    f'w:val="{style}"/><w:sz', f'w:val="Style{n}"/><w:sz')
                ids[style] = f"Style{n}"
        return text

    ids = dict[str, str]()
    document = changed(written(PROSE, tmp_path)[1], edit)

    def rename(name: str, text: str) -> str:
        if name == "word/styles.xml":
            return text
        for old, new in ids.items():
            text = re.sub(rf'(<w:[pr]Style w:val=)"{old}"', rf'\1"{new}"', text)
        return text

    assert read(back(changed(document, rename))) == read(written(PROSE, tmp_path)[0])


@pytest.mark.parametrize(("note", "emendation"), [
    ("「官」今作「宫」，据形近而误；司宫设席。", NoteEmendation("官", "宫")),
    ("「扬」今补，据释经「扬弓」。", NoteEmendation("", "扬")),
    ("「扬」今補，據釋經「扬弓」。", NoteEmendation("", "扬")), ("「衍」今删。", NoteEmendation("衍", "")),
    ("“horis” corrected to “oris”, after A.", NoteEmendation("horis", "oris")),
    ("“x” deleted.", NoteEmendation("x", "")),
    ("「官」，本义作「宫」。", None), ("silentio] silentium V", None),
])
def test_our_notes_on_emendations_are_understood(note: str, emendation: NoteEmendation | None) -> None:
    assert parse_emendation(note) == emendation


@pytest.mark.parametrize(("note", "stated"), [
    ("此疏，集编节引，省四十六字。", True), ("自「三笙」至「其位」，本义在上文「反升就席」（5.11.10）之下。", True),
    ("「官」，本义作「宫」。", False), ("此节总论燕事。", False),
])
def test_statements_about_whole_notes_are_no_entries(note: str, stated: bool) -> None:
    assert is_statement(note) == stated


@pytest.mark.parametrize(("note", "lemma", "readings", "agreeing"), [
    ("silentio] in silentio V", "silentio", [("in silentio", ("V",))], ("P", "A", "P ac")),
    ("times²] Times A; om. V P (graphic variant)", "times", [("Times", ("A",)), ("", ("V", "P"))], ("P ac",)),
    ("longam] longum P ac [silent: A]", "longam", [("longum", ("P ac",))], ("P", "V")),
    ("manus] lac. P", "manus", [("", ("P",))], ("A", "V", "P ac")),
    ("A] a V. so Keller", "A", [("a", ("V",))], ("P", "A", "P ac")),
    ("fato] facto coni. Bentley 1711 [silent: P]", "fato", [("facto", ("Bentley 1711",))], ("A", "V", "P ac")),
    ("ibi] om. coni. Heins.; ubi (source not stated). cf. 3.2", "ibi", [("", ("Heins.",)), ("ubi", ())],
     ("P", "A", "V", "P ac")),
    ("oris] horis (– 1.0.2 litora) V", "oris", [("horis", ("V",))], ("P", "A", "P ac")),
])
def test_entries_with_a_bracket_are_understood(
    note: str, lemma: str, readings: list[tuple[str, tuple[str, ...]]], agreeing: tuple[str, ...]
) -> None:
    entry = parse_formula(note, ["P", "A", "V", "P ac"])
    assert entry is not None
    assert (entry.lemma, [(reading.words, reading.who) for reading in entry.readings]) == (lemma, readings)
    assert entry.agreeing == agreeing


def test_a_siglum_can_end_with_a_stop() -> None:
    entry = parse_formula("multaque] multa ed. pr. [silent: A]", ["P", "A", "ed. pr."])
    assert entry is not None and entry.agreeing == ("P",)
    assert [reading.who for reading in entry.readings] == [("ed. pr.",)]


@pytest.mark.needs("pandoc")
@pytest.mark.parametrize("words", [
    "ab <choice><sic>horis</sic><corr>oris</corr></choice>, <choice><sic>uenit</sic><corr>venit</corr></choice>",
    "<choice><corr>oris venit</corr><sic>horis uenit</sic></choice> litora",
    "<surplus>que</surplus> <choice><sic>uenit</sic><corr>venit</corr></choice> <supplied reason='lost'>li</supplied>",
])
def test_corrections_in_letters_come_back(words: str, tmp_path: Path) -> None:
    ours, document = written(file(f"<div><head>I</head><p>arma {words} cano</p></div>", "la"), tmp_path)
    again = back(document)
    for name in (b"<choice>", b"<sic>", b"<surplus", b"<supplied"):
        assert again.count(name) == ours.count(name)
    forms = re.compile(rb"<(?:sic|corr)\b[^>]*>[^<]*")
    bare = [[re.sub(rb" [^>]*>", b">", form) for form in forms.findall(tei)] for tei in (ours, again)]
    assert bare[0] == bare[1] and b"<note" not in again[again.index(b"<body"):]


@pytest.mark.parametrize("note", ["so [Keller] says", "cf. Hom.", "silentio] in silentio X", "] V", "a]", "a] b"])
def test_what_ends_with_no_siglum_is_no_entry(note: str) -> None:
    assert parse_formula(note, ["P", "A", "V"]) is None
