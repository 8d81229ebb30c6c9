"""TEI → a file for word processors (.docx): XSLT writes XHTML with footnotes, Pandoc turns it into Office Open XML.

Pandoc is an extra (``pip install 'jiaokan[docx]'``): its wheel is large, and only this output needs it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import zipfile
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from lxml import etree

from pipeline import __version__
from pipeline.entries.told import told
from pipeline.errors import RenderError
from pipeline.outputs import OutputReport, OutputSettings
from pipeline.system.atomic import write_file
from pipeline.system.resources import resource
from pipeline.system.xslt import transform

NAME = "docx"
STYLESHEET = "xslt/docx/main.xsl"

_STYLES = "xslt/docx/styles.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FONT = "宋体"
"""What word processors have for Chinese; the text is theirs to set."""
_EPOCH = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp())


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Make the .docx of one TEI file at `target`: headings, styles for base text and notes, entries as footnotes.

    Of the choices of print, layers, speakers, level and parts hold; the look is the word processor's.
    Raises RenderError if Pandoc is not installed or refuses.
    """
    pandoc = _pandoc()
    plan = settings.print
    source = transform(STYLESHEET, tei, parameters={
        "level": plan.level, "layers": plan.layers, "speakers": " ".join(plan.speakers), "omit": " ".join(plan.omit),
        "description": settings.description, "version": __version__, "told": told(tei, name=NAME),
    })
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "reference.docx").write_bytes(_reference(_run(pandoc, "--print-default-data-file", "reference.docx")))
        (folder / "text.html").write_text(source, encoding="utf-8")
        _run(pandoc, "-f", "html+epub_html_exts", "-t", "docx", "--reference-doc", str(folder / "reference.docx"),
             "-o", str(folder / "text.docx"), str(folder / "text.html"))
        write_file(target, (folder / "text.docx").read_bytes())
    return OutputReport(files=(target,), pages=0)


def _pandoc() -> str:
    """Give the path of Pandoc. Raises RenderError that says how to get it."""
    try:
        import pypandoc

        return str(pypandoc.get_pandoc_path())
    except (ImportError, OSError):
        raise RenderError("a .docx needs Pandoc, which is not installed",
                          mend="install it: pip install 'jiaokan[docx]'") from None


def _run(pandoc: str, *arguments: str) -> bytes:
    """Call Pandoc, with a fixed date instead of a clock's, and give what it prints."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(_EPOCH)}
    done = subprocess.run([pandoc, *arguments], capture_output=True, env=environment)
    if done.returncode:
        raise RenderError(f"Pandoc: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _reference(document: bytes) -> bytes:
    """Pandoc's own example of a document, with our styles and a Chinese font."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(document)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            data = old.read(entry)
            new.writestr(entry, _with_styles(data) if entry.filename == "word/styles.xml" else data)
    return made.getvalue()


def _with_styles(data: bytes) -> bytes:
    styles = etree.fromstring(data)
    for fonts in styles.iter(f"{_W}rFonts"):
        fonts.attrib.pop(f"{_W}eastAsiaTheme", "")
        fonts.set(f"{_W}eastAsia", _FONT)
    own = etree.fromstring(resource(_STYLES).read_bytes(), etree.XMLParser(remove_comments=True))
    styles.extend(list(own))
    return etree.tostring(styles, xml_declaration=True, encoding="UTF-8", standalone=True)
