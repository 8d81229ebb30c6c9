"""The law of letters: those of a text are in every output that is made of it, or listed as left out.

Each kind of TEI file has a small example in ``cases/tei/kinds``, whose words are all different."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from lxml import etree, html

from jiaokan.api import read_tei, to_html, to_pdf
from jiaokan.outputs import OutputSettings, docx, epub
from jiaokan.system.pandoc import find_pandoc

KINDS = Path(__file__).parent / "cases/tei/kinds"
FILES = sorted(KINDS.glob("*.xml"))
WORD = re.compile(r"[^\W\d_]+")


def words_of(path: Path) -> list[str]:
    """Return the words of the text of a file, and of its description if there is no text."""
    root = etree.parse(path, etree.XMLParser(remove_comments=True)).getroot()
    parts = [node for name in ("text", "sourceDoc", "standOff") for node in root.iterchildren(f"{{*}}{name}")]
    words = WORD.findall(" ".join(" ".join(map(str, part.itertext())) for part in parts))
    return words or WORD.findall(" ".join(" ".join(map(str, node.itertext())) for node in root.iter("{*}msDesc")))


def as_html(path: Path, folder: Path) -> str:
    to_html([path], folder / "site")
    pages = (html.fromstring(page.read_bytes()) for page in (folder / "site").rglob("*.html"))
    return " ".join(" ".join(map(str, page.itertext())) for page in pages)


def as_pdf(path: Path, folder: Path) -> str:
    to_pdf(path, folder / "a.pdf")
    document = pdfium.PdfDocument(folder / "a.pdf")
    return re.sub("[\x02\ufffe-]", "", " ".join(page.get_textpage().get_text_range() for page in document))


def as_epub(path: Path, folder: Path) -> str:
    epub.make(read_tei(path).tei, folder / "a.epub", OutputSettings())
    with zipfile.ZipFile(folder / "a.epub") as book:
        pages = (etree.fromstring(book.read(name)) for name in book.namelist() if name.endswith(".xhtml"))
        return " ".join(" ".join(map(str, page.itertext())) for page in pages)


def as_docx(path: Path, folder: Path) -> str:
    find_pandoc()
    docx.make(read_tei(path).tei, folder / "a.docx", OutputSettings())
    with zipfile.ZipFile(folder / "a.docx") as document:
        parts = [name for name in ("word/document.xml", "word/footnotes.xml") if name in document.namelist()]
        return " ".join(" ".join(map(str, etree.fromstring(document.read(part)).itertext())) for part in parts)


def as_tei(path: Path, _: Path) -> str:
    root = etree.fromstring(read_tei(path).tei)
    for header in root.findall("{*}teiHeader"):
        root.remove(header)
    return " ".join([*map(str, root.itertext()), *map(str, root.xpath("//@n | //@facs"))])


@pytest.mark.parametrize("output", [as_tei, as_html, as_pdf, as_epub, as_docx])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_word_is_shown_or_listed(path: Path, output: Callable[[Path, Path], str], tmp_path: Path) -> None:
    listed = " ".join(words for rule, words in read_tei(path).document.dropped if rule != "tei-shown")
    shown = "".join(f"{output(path, tmp_path)} {listed}".casefold().split())
    assert len(words_of(path)) >= 8
    assert [word for word in words_of(path) if word.casefold() not in shown] == []


@pytest.mark.parametrize("output", [as_html, as_pdf, as_epub, as_docx])
def test_a_letter_names_sender_and_receiver_on_its_page(output: Callable[[Path, Path], str], tmp_path: Path) -> None:
    words = " ".join(output(KINDS / "letter.xml", tmp_path).split())
    assert "From: Johann, Rome, 1788" in words and "To: Greta" in words


GROUPS = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>G</title></titleStmt>
<sourceDesc>
<listWit><listWit xml:id="alpha" n="α"><head>Family</head><witness xml:id="A"/><witness xml:id="B"/></listWit>
<witness xml:id="C"/><witness xml:id="D"/></listWit></sourceDesc></fileDesc></teiHeader>
<text xml:lang="la"><body><div><p>arma
<app><lem wit="#C #D">virum</lem><rdg wit="#alpha">viros</rdg></app> cano
<app><lem wit="#A #C #D">Troiae</lem><rdg wit="#B">Troia</rdg></app></p></div></body></text></TEI>"""


@pytest.mark.parametrize("output", [as_html, as_pdf, as_epub, as_docx])
def test_a_group_of_witnesses_is_its_siglum(output: Callable[[Path, Path], str], tmp_path: Path) -> None:
    (tmp_path / "groups.xml").write_text(GROUPS, encoding="utf-8")
    words = "".join(output(tmp_path / "groups.xml", tmp_path).split())
    assert "virum]virosα" in words and "Troiae]TroiaB" in words


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs poppler")
def test_forms_are_set_apart_in_print(tmp_path: Path) -> None:
    to_pdf(KINDS / "play.xml", tmp_path / "a.pdf")
    done = subprocess.run(["pdftotext", "-layout", tmp_path / "a.pdf", "-"], capture_output=True, text=True, check=True)
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert "ANNA" in lines and "Bread four" in [" ".join(line.split()) for line in lines]
