"""TEI → a file for word processors (.docx): XSLT writes XHTML with footnotes, Pandoc turns it into Office Open XML.

Pandoc writes the text with named styles; the styles get the sizes and faces of the plan, the section its page
(ECMA-376-1). If the layout has columns, lines run from top to bottom. Pandoc is an extra
(``pip install 'jiaokan[docx]'``), as its wheel is large.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from lxml import etree

from jiaokan.characters.scripts import is_chinese
from jiaokan.characters.writing import scripts
from jiaokan.outputs import OutputReport, OutputSettings
from jiaokan.outputs.print.prepared import prepared_text
from jiaokan.outputs.text.office import OfficeSetting, setting_of, with_direction, with_names
from jiaokan.settings import layouts
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.values import size_of
from jiaokan.system.atomic import write_file
from jiaokan.system.listing import resource
from jiaokan.system.pandoc import find_pandoc, run_pandoc
from jiaokan.system.xslt import transform

NAME = "docx"
STYLESHEET, _STYLES = "xslt/docx/main.xsl", "xslt/docx/styles.xml"
_STYLES_PART = "word/styles.xml"


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Write the .docx of one TEI file to `target`: headings, styles for base text and notes, entries as footnotes.

    These choices of print apply: layers, speakers, level, parts, script, paper, margins, sizes, faces, line numbers,
    and the direction of lines of the first layout. Raises RenderError if Pandoc is not installed or fails.
    """
    find_pandoc()  # before the work
    text = prepared_text(tei, settings)
    setting = setting_of(tei, text.parameters["interface"])
    source = transform(STYLESHEET, text.xml, parameters=text.parameters)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        example = run_pandoc("--print-default-data-file", "reference.docx")
        (folder / "reference.docx").write_bytes(_change_parts(example, lambda parts: parts.update({
            _STYLES_PART: with_styles(parts[_STYLES_PART], settings.print, setting)})))
        (folder / "text.html").write_text(source, encoding="utf-8")
        run_pandoc("-f", "html+epub_html_exts", "-t", "docx", "--reference-doc", str(folder / "reference.docx"),
             "-o", str(folder / "text.docx"), str(folder / "text.html"))
        write_file(target, with_page((folder / "text.docx").read_bytes(), settings.print, setting))
    return OutputReport(files=(target,), pages=0, findings=text.findings)


def _change_parts(document: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """Return a .docx whose parts, by their names, are changed; all get the date of the first one."""
    archive_bytes = BytesIO()
    with zipfile.ZipFile(BytesIO(document)) as old, zipfile.ZipFile(archive_bytes, "w", zipfile.ZIP_DEFLATED) as new:
        parts = {entry.filename: old.read(entry) for entry in old.infolist()}
        change(parts)
        for name, data in parts.items():
            entry = zipfile.ZipInfo(name, old.infolist()[0].date_time)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, data)
    return archive_bytes.getvalue()


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"
_TWIPS = 1440 / 25.4
_USUAL = {"inside": 0.108, "outside": 0.192, "top": 0.115, "bottom": 0.095}
"""Margins as shares of the page's width and height, where the plan has none: those of the modern page."""
_BEFORE = ("defaultTabStop", "drawingGridHorizontalSpacing", "characterSpacingControl")
"""Settings that come after those of the page in their order (17.15.1.78); the first that is there."""


def with_styles(styles: bytes, plan: PrintPlan, setting: OfficeSetting) -> bytes:
    """Return Pandoc's styles with ours, in the plan's sizes and faces."""
    tree, letters = etree.fromstring(styles), plan.type
    tree.extend(list(etree.fromstring(resource(_STYLES).read_bytes(), etree.XMLParser(remove_comments=True))))
    for fonts in tree.iter(f"{_W}rFonts"):
        for name in [name for name in fonts.attrib if str(name).endswith("Theme") and "cs" not in str(name)]:
            del fonts.attrib[name]
        for name, face in setting.faces(letters).items():
            fonts.set(f"{_W}{name}", face)
    foot = 0.86 * letters.note_size
    looks = {"经文": (letters.base_size, ""), "正文": (letters.base_size, ""), "题": (1.5 * letters.base_size, ""),
             "注文": (letters.note_size, letters.faces.commentary), "结语": (1.05 * letters.note_size, ""),
             "FootnoteText": (foot, letters.faces.apparatus)}
    for style in tree.iter(f"{_W}style"):
        name = str(style.get(f"{_W}styleId"))
        if name in looks:
            size, face = looks[name]
            run = style.find(f"{_W}rPr")
            run = etree.SubElement(style, f"{_W}rPr") if run is None else run
            for old in [*run.iterfind(f"{_W}sz"), *run.iterfind(f"{_W}szCs")]:
                run.remove(old)
            if face:
                run.insert(0, etree.Element(f"{_W}rFonts", {f"{_W}eastAsia": face}))
            for element in ("sz", "szCs"):
                etree.SubElement(run, f"{_W}{element}", {f"{_W}val": str(round(2 * size))})
        if name.startswith("Heading"):
            for colour in style.iter(f"{_W}color"):
                colour.attrib.clear()
                colour.set(f"{_W}val", "auto")
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)


def with_page(document: bytes, plan: PrintPlan, setting: OfficeSetting) -> bytes:
    """Return a .docx that Pandoc made with the pages of the plan: the same bytes for the same document."""
    def change(parts: dict[str, bytes]) -> None:
        title = etree.fromstring(parts["docProps/core.xml"]).findtext("{http://purl.org/dc/elements/1.1/}title") or ""
        parts["word/document.xml"] = _with_section(parts["word/document.xml"], plan, setting)
        if setting.rtl:
            for name in ("word/document.xml", "word/footnotes.xml"):
                parts[name] = with_direction(parts[name])
        parts[_STYLES_PART] = with_names(parts[_STYLES_PART], setting)
        parts["word/settings.xml"] = _with_settings(parts["word/settings.xml"])
        parts["word/_rels/document.xml.rels"] = _with_rows(parts["word/_rels/document.xml.rels"], "Relationship", [
            {"Id": f"rIdHead{side}", "Type": f"{_OFFICE}/header", "Target": f"header-{side}.xml"} for side in _HEADS])
        parts["[Content_Types].xml"] = _with_rows(parts["[Content_Types].xml"], "Override", [
            {"PartName": f"/word/header-{side}.xml", "ContentType": _TYPE} for side in _HEADS])
        for side in _HEADS:
            parts[f"word/header-{side}.xml"] = _running_head(side, title)

    return _change_parts(document, change)


_HEADS = ("even", "odd")


def _with_section(document: bytes, plan: PrintPlan, setting: OfficeSetting) -> bytes:
    """Return the document with the page of the plan (17.6.17, in the order of its schema)."""
    tree = etree.fromstring(document)
    section = next(tree.iter(f"{_W}sectPr"))
    for child in [*section]:
        section.remove(child)
    for side, kind in (("even", "even"), ("odd", "default")):
        etree.SubElement(section, f"{_W}headerReference", {f"{_W}type": kind, f"{_R}id": f"rIdHead{side}"})
    notes = etree.SubElement(section, f"{_W}footnotePr")
    if is_chinese(setting.interface):
        etree.SubElement(notes, f"{_W}numFmt", {f"{_W}val": "chineseCounting"})
    restart = "eachPage" if plan.variants.numbers == "page" else "continuous"
    etree.SubElement(notes, f"{_W}numRestart", {f"{_W}val": restart})
    width, height = size_of(plan.page.paper)
    etree.SubElement(section, f"{_W}pgSz", {f"{_W}w": _twips(width), f"{_W}h": _twips(height)})
    sides = {name: getattr(plan.page.margins, name) or share * (width if name in ("inside", "outside") else height)
             for name, share in _USUAL.items()}
    edges = {"top": sides["top"], "right": sides["outside"], "bottom": sides["bottom"], "left": sides["inside"],
             "header": sides["top"] / 2, "footer": sides["bottom"] / 2, "gutter": 0}
    etree.SubElement(section, f"{_W}pgMar", {f"{_W}{name}": _twips(size) for name, size in edges.items()})
    if plan.page.line_numbers:
        etree.SubElement(section, f"{_W}lnNumType", {
            f"{_W}countBy": str(plan.page.line_numbers), f"{_W}restart": "newPage"})
    etree.SubElement(section, f"{_W}titlePg")
    if layouts.declaration(plan.pdf_layouts()[0]).vertical and scripts()[setting.script].cells:
        etree.SubElement(section, f"{_W}textDirection", {f"{_W}val": "tbRl"})
    elif setting.rtl:
        etree.SubElement(section, f"{_W}bidi")
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)


def _twips(millimetres: float) -> str:
    return str(round(millimetres * _TWIPS))


def _with_settings(settings: bytes) -> bytes:
    """Return the settings with mirrored pages, which have their own heads (17.15.1.57, 17.10.1)."""
    tree = etree.fromstring(settings)
    zoom = tree.find(f"{_W}zoom")
    tree.insert(0 if zoom is None else tree.index(zoom) + 1, etree.Element(f"{_W}mirrorMargins"))
    later = next((element for name in _BEFORE if (element := tree.find(f"{_W}{name}")) is not None), None)
    if later is not None and later.tag == f"{_W}{_BEFORE[0]}":
        later.addnext(etree.Element(f"{_W}evenAndOddHeaders"))
    else:
        tree.insert(len(tree) if later is None else tree.index(later), etree.Element(f"{_W}evenAndOddHeaders"))
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)


def _with_rows(part: bytes, name: str, rows: list[dict[str, str]]) -> bytes:
    tree = etree.fromstring(part)
    for row in rows:
        etree.SubElement(tree, f"{{{etree.QName(tree).namespace}}}{name}", row)
    return etree.tostring(tree, xml_declaration=True, encoding="UTF-8", standalone=True)


def _running_head(side: str, title: str) -> bytes:
    """Return a running head: number and work on the left page, chapter and number on the right one."""
    head = etree.Element(f"{_W}hdr", nsmap={"w": _W[1:-1]})
    paragraph = etree.SubElement(head, f"{_W}p")
    look = etree.SubElement(paragraph, f"{_W}pPr")
    etree.SubElement(look, f"{_W}pStyle", {f"{_W}val": "Header"})
    etree.SubElement(look, f"{_W}jc", {f"{_W}val": "left" if side == "even" else "right"})
    pieces = [("STYLEREF 1", ""), ("", "　　"), ("PAGE", "1")]
    if side == "even":
        pieces = [("PAGE", "2"), ("", f"　　{title}")]
    for field, words in pieces:
        around = etree.SubElement(paragraph, f"{_W}fldSimple", {f"{_W}instr": f" {field} "}) if field else paragraph
        text = etree.SubElement(etree.SubElement(around, f"{_W}r"), f"{_W}t")
        text.text = words
        text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return etree.tostring(head, xml_declaration=True, encoding="UTF-8", standalone=True)
