"""The cover of an e-book as a picture: shops and readers show a PNG or JPEG, few an SVG."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

import typst

from jiaokan.characters.writing import most_frequent, scripts
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.fonts import families, font_files
from jiaokan.outputs.print.typst import literal

_PIXELS = 144
"""Pixels to an inch: a cover of 600 × 860 points has 1200 × 1720, between the least that shops take and the most that
readers show."""
_PAGE = """#set page(width: 600pt, height: 860pt, margin: 0pt, fill: rgb("#fbf8f1"))
#set text(font: ({fonts}), fill: rgb("#1a1613"), hyphenate: false)
#place(dx: 45pt, dy: 45pt, rect(width: 510pt, height: 770pt, stroke: 7pt + rgb("#1a1613")))
#place(dx: 57pt, dy: 57pt, rect(width: 486pt, height: 746pt, stroke: 1pt + rgb("#1a1613")))
{words}"""


def cover_picture(title: str, creators: Iterable[str], settings: OutputSettings) -> bytes:
    """Return the cover as PNG: title and names from top to bottom, or across in an alphabet."""
    script = scripts().get(most_frequent(title))
    across = title.isascii() or (script is not None and not script.cells)
    faces = [*(script.faces if script else ()), *families(settings.fonts), "Libertinus Serif", "Noto Serif SC",
             "DejaVu Sans Mono"]
    names = [*creators]
    words = _across(title, names) if across else _downwards(title, names)
    source = _PAGE.format(fonts=", ".join(map(literal, dict.fromkeys(faces))) + ",", words=words)
    files = font_files(files=settings.fonts)
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True,
                        font_paths=[*dict.fromkeys(str(file.parent) for file in files)])
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "cover.typ"
        book.write_text(source, encoding="utf-8", newline="\n")
        picture = typst.Compiler(book, root=folder, font_paths=fonts).compile(format="png", ppi=_PIXELS)
    assert isinstance(picture, bytes)  # of one page, without an output path
    return picture


def _across(title: str, names: Iterable[str]) -> str:
    rows = [f"#text(size: 36pt, {literal(title)})", *(f"#text(size: 18pt, {literal(name)})" for name in names)]
    cells = ", ".join(f"[{row}]" for row in rows)
    return (f"#place(dx: 80pt, dy: 250pt, block(width: 440pt, align(center, "
            f"{{set par(leading: 0.5em); stack(dir: ttb, spacing: 40pt, {cells})}})))")


def _downwards(title: str, names: Iterable[str]) -> str:
    columns = [(title, 300, 72.0), *((name, 490 - 40 * n, 24.0) for n, name in enumerate(names))]
    return "".join(_column(line, x, min(size, 560 / len(line))) for line, x, size in columns if line)


def _column(line: str, x: int, size: float) -> str:
    runs = (run.strip() for run in re.findall(r"[ -\u024f]+|.", line))
    signs = ", ".join(f"align(center, {_upright(run)})" for run in runs if run)
    style = f"set text(size: {size:g}pt, top-edge: \"ascender\", bottom-edge: \"descender\")"
    return (f"#place(dx: {x - 50}pt, dy: 150pt, block(width: 100pt, "
            f"{{{style}; stack(dir: ttb, spacing: 0pt, {signs})}}))\n")


def _upright(run: str) -> str:
    """Return a graph as it is, and words in letters on their side."""
    return literal(run) if len(run) == 1 else f"rotate(90deg, reflow: true, {literal(run)})"
