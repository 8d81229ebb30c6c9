"""What PDF/A-2a (ISO 19005-2) and PDF/UA-1 (ISO 14289-1) ask, looked for in the bytes.

Typst refuses what it sees itself. (veraPDF, the validator, is neither on PyPI nor in Debian.)
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from pathlib import Path

import pytest

from jiaokan.outputs import OutputSettings, pdf
from jiaokan.settings.plans import Layout
from tests.plans import print_plan

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
STANDARD = {  # ISO 32000-1, 14.8.4
    "Document", "Part", "Art", "Sect", "Div", "P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody",
    "Table", "TR", "TH", "TD", "THead", "TBody", "Span", "Quote", "Note", "Reference", "Link", "Annot", "Figure",
    "Caption", "TOC", "TOCI", "NonStruct", "BlockQuote", "Code",
}


@pytest.fixture(scope="module", params=["modern", "traditional", "vertical"])
def document(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    layout: Layout = request.param
    target = tmp_path_factory.mktemp("pdf") / "x.pdf"
    pdf.make(SAMPLE, target, OutputSettings(print=print_plan(layout=layout, level="all")))
    return target.read_bytes()


def test_it_says_what_it_is(document: bytes) -> None:
    catalog = one(document, b"/Type/Catalog")
    for part in ("Lang(zh", "Marked true", "DisplayDocTitle true", "StructTreeRoot", "OutputIntents", "Outlines"):
        assert f"/{part}".encode() in catalog
    about = one(document, b"/Type/Metadata").decode()
    asked = {"pdfaid:part": ["2"], "pdfaid:conformance": ["A"], "pdfuaid:part": ["1"]}
    assert {name: re.findall(rf"{name}>([^<]+)<", about) for name in asked} == asked
    assert "仪礼" in about
    assert b"GTS_PDFA1" in document and b"/ID[" in document.replace(b"/ID [", b"/ID[")


def test_nothing_forbidden(document: bytes) -> None:
    for part in (b"/Encrypt", b"/JavaScript", b"/Launch", b"/EmbeddedFiles", b"/LZWDecode", b"/URI(file:"):
        assert part not in document


def test_fonts_are_declared_embedded_and_speak_unicode(document: bytes) -> None:
    fonts = [each for each in objects(document).values() if re.search(rb"/Type/Font[/>]", each)]
    assert {re.search(rb"/BaseFont/[A-Z]{6}\+([\w]+)", font)[1] for font in fonts} == {b"NotoSerifSC"}  # type: ignore[index]
    described = [each for each in objects(document).values() if b"/Type/FontDescriptor" in each]
    assert described and all(b"/FontFile3" in each for each in described)
    composite = [font for font in fonts if b"/Subtype/Type0" in font]
    assert composite
    for font in composite:
        number = int(re.search(rb"/ToUnicode (\d+) 0 R", font)[1])  # type: ignore[index]
        table = content(objects(document)[number]).partition(b"beginbf")[2]
        targets = re.findall(rb"<[0-9A-F]+>\s*<([0-9A-F]+)>", table)
        words = "".join(bytes.fromhex(each.decode()).decode("utf-16-be") for each in targets)
        assert "礼" in words and not [c for c in words if unicodedata.category(c) in ("Co", "Cn", "Cs")]


def test_the_tags_are_standard_ones(document: bytes) -> None:
    tagged = [each for each in objects(document).values() if b"/Type/StructElem" in each]
    kinds = {kind.decode() for each in tagged for kind in re.findall(rb"/S/(\w+)", each)}
    assert kinds <= STANDARD and {"Document", "H1", "Link"} <= kinds
    assert all(b"/Alt" in each for each in tagged if b"/S/Figure" in each)


def objects(document: bytes) -> dict[int, bytes]:
    """Objects by number, without the white space round delimiters that those of files in columns have."""
    found = re.findall(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", document, re.DOTALL)
    parted = ((int(n), body.partition(b"stream\n")) for n, body in found)
    return {n: re.sub(rb"\s*([/<>\[\]()])\s*", rb"\1", head) + mark + rest for n, (head, mark, rest) in parted}


def one(document: bytes, part: bytes) -> bytes:
    (found,) = [each for each in objects(document).values() if part in each]
    return found


def content(stream: bytes) -> bytes:
    data = stream.partition(b"stream\n")[2].rpartition(b"\nendstream")[0]
    return zlib.decompress(data) if b"/FlateDecode" in stream else data
