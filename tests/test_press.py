"""What a press sets: paper, margins, faces, numbers, lines; boxes, marks and inks of its file, read from the PDF."""

from __future__ import annotations

import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pytest

from jiaokan.build.stages import steps
from jiaokan.build.work import perform
from jiaokan.errors import RenderError
from jiaokan.outputs import OutputSettings, pdf
from jiaokan.settings.catalog import load
from jiaokan.settings.values import PAPER_SIZES, size_of
from tests.pdf_text import difference, expected_text, printed_text
from tests.plans import print_plan

SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
MM = 72 / 25.4
DIGITS = "一二三四五六七八九"
SIGN = re.compile("〔([一二三四五六七八九])〕")
PROFILE = bytes(12) + b"prtrCMYKLab " + bytes(12) + b"acsp" + bytes(88)
"""The head of an ICC profile of a press, as ICC.1 has it (class at 12, colours at 16, signature at 36)."""


def printed(target: Path, tei: bytes = SAMPLE, **choices: Any) -> bytes:
    """Make a PDF with choices of ``[print]`` and give it."""
    profile = target.with_suffix(".icc")
    profile.write_bytes(PROFILE)
    plan = print_plan(**choices)
    settings = OutputSettings(print=plan, profile=profile if plan.press.profile else None)
    pdf.make(tei, target, settings)
    return target.read_bytes()


def chars(document: bytes) -> list[tuple[int, str, float, float, float, float]]:
    """Return each character with its page, from 0, and its box from the lower left corner of the paper."""
    found = []
    for number, page in enumerate(pdfium.PdfDocument(document)):
        text = page.get_textpage()
        for n in range(text.count_chars()):
            found.append((number, text.get_text_range(n, 1), *text.get_charbox(n)))
    return found


@pytest.mark.parametrize("paper", [*PAPER_SIZES, "140×203", "148.5x210"])
def test_a_page_has_the_size_that_its_paper_says(paper: str, tmp_path: Path) -> None:
    document = pikepdf.open(BytesIO(printed(tmp_path / "x.pdf", paper=paper)))
    width, height = (side * MM for side in size_of(paper))
    assert [float(side) for side in document.pages[0].MediaBox] == pytest.approx([0, 0, width, height], abs=0.01)


def test_names_of_paper_are_those_of_the_trade() -> None:
    assert size_of("大32開") == size_of("大32开") == (140, 203)
    for wrong in ("folio", "10x20", "140x2030", ""):
        with pytest.raises(ValueError, match="paper"):
            size_of(wrong)


@pytest.mark.parametrize("layout", ["modern", "traditional"])
def test_boxes_and_crop_marks_stand_round_the_trim(layout: str, tmp_path: Path) -> None:
    plain = printed(tmp_path / "plain.pdf", layout=layout, paper="大32开")
    made = printed(tmp_path / "x.pdf", layout=layout, paper="大32开", press={"bleed": 3, "marks": True})
    document, unmarked = pikepdf.open(BytesIO(made)), pikepdf.open(BytesIO(plain))
    for page, before in zip(document.pages, unmarked.pages, strict=True):
        trim, bleed, media = ([float(side) for side in page[key]] for key in ("/TrimBox", "/BleedBox", "/MediaBox"))
        assert trim == pytest.approx([float(side) for side in before.MediaBox], abs=0.01)
        assert bleed == pytest.approx([side + out * 3 * MM for side, out in zip(trim, (-1, -1, 1, 1), strict=True)],
                                      abs=0.01)
        assert all(outer < inner for outer, inner in zip(media[:2], bleed[:2], strict=True))
        lines = [tuple(map(float, each.operands)) for each in pikepdf.parse_content_stream(page)
                 if str(each.operator) in ("m", "l")][-16:]
        for x, y in lines:  # each mark goes on a side of the trim, outside the bleed, on the paper
            assert any(abs(x - side) < 0.01 for side in (trim[0], trim[2])) or any(
                abs(y - side) < 0.01 for side in (trim[1], trim[3]))
            assert x <= bleed[0] + 0.01 or x >= bleed[2] - 0.01 or y <= bleed[1] + 0.01 or y >= bleed[3] - 0.01
            assert media[0] < x < media[2] and media[1] < y < media[3]
    assert "pdfaid" in bytes(document.Root.Metadata.read_bytes()).decode(), "with its colours it stays PDF/A"


@pytest.mark.parametrize("layout", ["modern", "traditional"])
@pytest.mark.parametrize("ink", ["black", "spot"])
def test_all_is_printed_in_the_inks_of_the_press(layout: str, ink: str, tmp_path: Path) -> None:
    press = {"ink": ink, "spot": "DIC 156", "spot_cmyk": [0, 90, 80, 0]}
    made = printed(tmp_path / "x.pdf", layout=layout, press=press, level="all", punctuation="lines")
    assert made == printed(tmp_path / "again.pdf", layout=layout, press=press, level="all", punctuation="lines")
    document, blacks, plates = pikepdf.open(BytesIO(made)), set(), 0
    for stream in [*document.pages, *(each for each in document.objects if isinstance(each, pikepdf.Stream)
                                      and (each.get("/Subtype") == "/Form" or "/PatternType" in each))]:
        for each in pikepdf.parse_content_stream(stream):
            operator, operands = str(each.operator).lower(), list(each.operands)
            assert operator not in ("rg", "g", "sc")
            if operator == "k":
                assert [float(part) for part in operands[:3]] == [0, 0, 0]
                blacks.add(float(operands[3]))
            plates += operator == "cs" and operands == [pikepdf.Name("/Plate")]
    assert blacks <= {0, 1} and 1 in blacks, "black is solid; a label of the woodblock page is cut out of it"
    assert bool(plates) == (ink == "spot")
    spaces = {str(space[1]): str(space[0]) for page in document.pages
              for space in page.obj.Resources.get("/ColorSpace", {}).values() if isinstance(space, pikepdf.Array)}
    assert spaces == ({"/DIC 156": "/Separation"} if ink == "spot" else {})
    assert not difference(expected_text(SAMPLE), printed_text(made, print_plan(layout=layout)))  # type: ignore[arg-type]


def test_with_a_profile_it_is_a_pdf_x_4(tmp_path: Path) -> None:
    press = {"ink": "spot", "bleed": 3, "profile": "press.icc", "condition": "FOGRA52"}
    made = printed(tmp_path / "x.pdf", press=press)
    document = pikepdf.open(BytesIO(made))
    intent = document.Root.OutputIntents[0]
    assert (document.pdf_version, len(document.Root.OutputIntents)) == ("1.6", 1)
    assert (intent.S, str(intent.OutputConditionIdentifier)) == ("/GTS_PDFX", "FOGRA52")
    assert (intent.DestOutputProfile.N, bytes(intent.DestOutputProfile.read_bytes())) == (4, PROFILE)
    said = bytes(document.Root.Metadata.read_bytes()).decode()
    assert "PDF/X-4</pdfxid:GTS_PDFXVersion>" in said and "pdfaid" not in said and "Trapped>False<" in said
    assert document.docinfo["/Trapped"] == "/False" and document.docinfo["/Title"] and "/ID" in document.trailer
    for page in document.pages:
        assert "/TrimBox" in page and "/ArtBox" not in page and "/Annots" not in page
        fonts = page.obj.get("/Resources", {}).get("/Font", {})
        for font in fonts.values():
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & {*font.DescendantFonts[0].FontDescriptor.keys()}


@pytest.mark.parametrize(("data", "says"), [
    (b"no profile", "not an ICC profile"), (PROFILE.replace(b"prtr", b"mntr"), "mntr of CMYK"),
])
def test_another_profile_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "p.icc").write_bytes(data)
    plan = print_plan(**{"press": {"profile": "p.icc"}})
    with pytest.raises(RenderError, match=says):
        pdf.make(SAMPLE, tmp_path / "x.pdf", OutputSettings(print=plan, profile=tmp_path / "p.icc"))


def test_margins_are_those_of_the_plan(tmp_path: Path) -> None:
    sides = {"inside": 18, "outside": 30, "top": 25, "bottom": 20}
    made = printed(tmp_path / "x.pdf", paper="大32开", base_size=10.5, note_size=8, margins=sides)
    width, height = 140 * MM, 203 * MM
    base = [each for each in chars(made) if abs(each[5] - each[3]) > 8.2 and "一" <= each[1] <= "鿿" and each[0] > 3]
    right = [each for each in base if each[0] % 2 == 0 and each[3] > 40]
    measure = (width - 48 * MM) // 10.5 * 10.5
    assert min(each[2] for each in right) == pytest.approx(18 * MM, abs=1.2)
    assert max(each[4] for each in right) <= 18 * MM + measure + 0.1
    assert max(each[5] for each in base) <= height - 25 * MM + 0.1


def test_faces_go_by_what_is_set_in_them(tmp_path: Path) -> None:
    faces = {"commentary": "Noto Sans SC", "latin": "DejaVu Sans Mono"}
    document = pikepdf.open(BytesIO(printed(tmp_path / "x.pdf", faces=faces)))
    names = {str(font.BaseFont).partition("+")[2] for page in document.pages
             for font in page.obj.Resources.get("/Font", {}).values()}
    assert {"NotoSansSC-Regular", "NotoSerifSC-Regular"} <= {name.removesuffix("-Identity-H") for name in names}
    assert any("DejaVu" in name for name in names)


def test_a_face_that_nobody_has_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="no font of the family 'Noto Sans CS'") as caught:
        printed(tmp_path / "x.pdf", faces={"commentary": "Noto Sans CS"})
    assert "Noto Sans SC" in str(caught.value.mend)


def test_every_so_many_lines_have_a_number_at_the_spine(tmp_path: Path) -> None:
    made = printed(tmp_path / "x.pdf", line_numbers=2, margins={"inside": 25, "outside": 30})
    spine: dict[tuple[int, int], str] = {}
    for page, char, left, low, right, _ in chars(made):
        if char.isdigit() and (right < 25 * MM - 4 if page % 2 == 0 else left > 170 * MM - 25 * MM + 4):
            spine[page, round(low)] = spine.get((page, round(low)), "") + char
    numbers = [int(number) for number in spine.values()]
    assert set(numbers) == set(range(2, max(numbers) + 1, 2)) and max(numbers) >= 8


@pytest.mark.parametrize("numbers", ["chapter", "section", "page"])
def test_numbers_begin_anew_where_the_plan_says(numbers: str, tmp_path: Path) -> None:
    sample = re.sub(b'<ref type="call".*?</ref>', b"", SAMPLE)  # a number that the source itself prints
    start, end = sample.index(b'<div type="section" n="1" xml:id="sample.6.1">'), sample.index(b'<div type="ji"')
    more = b"".join(sample[start:end].replace(b"sample.6.1", b"sample.6.%d" % n) for n in (8, 9))
    tei = sample[:end] + more + sample[end:]
    made = printed(tmp_path / "x.pdf", tei, numbers=numbers, level="all", paper="120x100")
    pages = [SIGN.findall(page.get_textpage().get_text_range()) for page in pdfium.PdfDocument(made)]
    body = [signs for signs in pages if len(signs) > 1]  # the principles have one of each, as an example
    firsts = [signs[0] for signs in body]
    assert len(body) > 1
    if numbers != "section":  # of a page each section may begin
        assert (firsts == ["一"] * len(body)) == (numbers == "page")
    for signs in body:
        count = len(set(signs))
        assert signs == 2 * [*DIGITS[DIGITS.index(signs[0]):][:count]], "in the text and at its foot, in one order"


def test_a_build_makes_the_press_s_file_beside_the_readers_one(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    shutil.copytree(Path(__file__).parent / "cases/settings/_folder", folder)
    plan = folder / "tei/editions/lunyu.toml"
    press = '\npress = { bleed = 3, ink = "spot", profile = "press.icc" }\n'
    plan.write_text(plan.read_text(encoding="utf-8").rstrip() + press, encoding="utf-8")
    (folder / "press.icc").write_bytes(PROFILE)
    catalog = load(folder)
    own = {each.stage: each for each in steps(catalog, tmp_path / "out") if each.subject == "lunyu"}
    step = own["pdf"]
    assert [path.name for path in step.outputs] == ["lunyu.pdf", "lunyu-press.pdf"]
    assert folder / "press.icc" in step.inputs
    for home in (folder, tmp_path / "out"):  # as built, and with its quotations
        (home / "tei/editions").mkdir(parents=True, exist_ok=True)
        (home / "tei/editions/lunyu.xml").write_bytes(SAMPLE)
    for each in (own["prepare"], own["book"], step):
        for output in each.outputs:
            output.parent.mkdir(parents=True, exist_ok=True)
        perform(each, catalog)
    made = [pikepdf.open(path) for path in step.outputs]
    claims = [bytes(each.Root.Metadata.read_bytes()) for each in made]
    assert [b"pdfaid:part" in each for each in claims] == [True, False]
    assert [b"PDF/X-4" in each for each in claims] == [False, True]
