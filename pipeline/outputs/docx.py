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

from pipeline.errors import RenderError
from pipeline.outputs import OutputReport, OutputSettings
from pipeline.outputs.print.prepared import prepared_text
from pipeline.outputs.print.word import paged, styled
from pipeline.settings.plans import PrintPlan
from pipeline.system.atomic import write_file
from pipeline.system.xslt import transform

NAME = "docx"
STYLESHEET = "xslt/docx/main.xsl"

_LANGUAGES = {"hant": "zh-TW"}
"""Of what word processors call East Asian text, by what the program speaks of it; else zh-CN."""
_EPOCH = int(datetime(2000, 1, 1, tzinfo=UTC).timestamp())


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Make the .docx of one TEI file at `target`: headings, styles for base text and notes, entries as footnotes.

    Of the choices of print, layers, speakers, level, parts, script, paper, margins, sizes, faces and line numbers hold;
    where the first layout has columns, lines run from top to bottom.
    Raises RenderError if Pandoc is not installed or refuses.
    """
    pandoc = _pandoc()
    text = prepared_text(tei, settings)
    language = _LANGUAGES.get(text.parameters["interface"], "zh-CN")
    source = transform(STYLESHEET, text.xml, parameters=text.parameters)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "reference.docx").write_bytes(
            _reference(_run(pandoc, "--print-default-data-file", "reference.docx"), settings.print, language))
        (folder / "text.html").write_text(source, encoding="utf-8")
        _run(pandoc, "-f", "html+epub_html_exts", "-t", "docx", "--reference-doc", str(folder / "reference.docx"),
             "-o", str(folder / "text.docx"), str(folder / "text.html"))
        write_file(target, paged((folder / "text.docx").read_bytes(), settings.print))
    return OutputReport(files=(target,), pages=0, findings=text.findings)


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


def _reference(document: bytes, plan: PrintPlan, language: str) -> bytes:
    """Pandoc's own example of a document, with our styles as the plan has them."""
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(document)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            data = old.read(entry)
            new.writestr(entry, styled(data, plan, language) if entry.filename == "word/styles.xml" else data)
    return made.getvalue()
