"""TEI → PDF: XSLT writes one Typst document of calls, Typst sets it with ``xslt/typst/edition.typ``.

The bytes depend on the TEI, the print settings and the fonts only: dates come from the TEI header, fonts
from declared files, and no clock is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import typst

from pipeline import __version__
from pipeline.errors import Finding, Place, RenderError
from pipeline.names import TEI, XML, reference_of
from pipeline.outputs import OutputReport, OutputSettings
from pipeline.outputs.fonts import PrintedCharacter, font_files, load_printed, missing
from pipeline.outputs.woodblock.cells import Grid
from pipeline.outputs.woodblock.source import typst_document
from pipeline.resources import resource
from pipeline.tei.tree import parse
from pipeline.xslt import transform

NAME = "pdf"
STYLESHEETS = {"modern": "xslt/typst/main.xsl", "traditional": "xslt/woodblock/main.xsl"}
STANDARDS: list[Literal["a-2a", "ua-1"]] = ["a-2a", "ua-1"]
"""Archival and accessible: tagged, with language and title, every glyph with its character."""
_EPOCH = 946_684_800
"""2000-01-01: what Typst gets for any date that it would take from a clock."""

_NAMED = {f"{{{TEI}}}{name}" for name in ("seg", "lg", "note", "head", "trailer")}
"""Elements by whose reference a character is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """A character that no font has, and what is printed for it."""

    char: str
    decision: PrintedCharacter
    count: int
    reference: str
    """Where it stands first."""


def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Make the PDF of one TEI file at `target`, which appears whole, after everything has succeeded.

    Raises RenderError for what the stylesheets, Typst or the fonts refuse: a character that no font has and
    that ``print.toml`` does not decide is named with its canonical reference.
    """
    decided = load_printed(settings.decisions / "print.toml") if settings.decisions else {}
    source, used = substitute(typst_source(tei, settings), decided, tei)
    document, findings = typeset(source, settings, used)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    part.write_bytes(document)
    part.replace(target)
    return OutputReport(files=(target,), pages=count_pages(document), findings=findings)


def typst_source(tei: bytes, settings: OutputSettings) -> str:
    """Give the Typst document of a TEI file: words, references and calls, before any substitution."""
    plan = settings.print
    parameters = {
        "level": plan.level, "apparatus": plan.apparatus, "description": settings.description, "version": __version__,
    }
    made = transform(STYLESHEETS[plan.layout], tei, parameters=parameters)
    if plan.layout == "modern":
        return made
    grid = Grid(columns=plan.columns, rows=plan.rows)
    return typst_document(made, grid, punctuation=plan.punctuation == "shown")


def substitute(
    source: str, decided: Mapping[str, PrintedCharacter], tei: bytes
) -> tuple[str, tuple[Substitution, ...]]:
    """Put the decided character for each that no font has; give the text and what was done.

    Raises RenderError for one that nobody decided, or whose decided form no font has either.
    """
    files = font_files()
    lacking = missing(source, files)
    places = _first_references(lacking, tei) if lacking else {}
    used = []
    for char in lacking:
        decision = decided.get(char)
        if decision is None or missing(decision.standard, files):
            raise RenderError(
                f"no font has {char} U+{ord(char):04X}, first at {places.get(char, 'the header')}",
                mend=f'decide in tei/decisions/print.toml what is printed for "U+{ord(char):04X}"',
            )
        reference = places.get(char, "")
        used.append(Substitution(char=char, decision=decision, count=source.count(char), reference=reference))
    return source.translate({ord(u.char): u.decision.standard for u in used}), tuple(used)


def typeset(
    source: str, settings: OutputSettings, used: tuple[Substitution, ...] = ()
) -> tuple[bytes, tuple[Finding, ...]]:
    """Set a Typst document as PDF; give it with what Typst warned of. Raises RenderError with Typst's own message."""
    plan = settings.print
    inputs = {
        "columns": str(plan.columns), "rows": str(plan.rows), "leaf": plan.leaf,
        "paper": plan.paper, "base-size": str(plan.base_size), "note-size": str(plan.note_size),
        "substitutions": json.dumps([
            {"code": u.decision.code, "standard": u.decision.standard, "count": u.count, "first": u.reference}
            for u in used
        ], ensure_ascii=False),
    }
    try:
        compiler = typst.Compiler(source.encode(), root=resource("xslt/typst"), font_paths=_fonts(), sys_inputs=inputs)
        document, warnings = compiler.compile_with_warnings(
            format="pdf", pdf_standards=[*STANDARDS], timestamp=_EPOCH
        )
    except RuntimeError as error:  # typst.TypstError is one
        raise RenderError(f"Typst: {getattr(error, 'diagnostic', '') or error}") from None
    assert isinstance(document, bytes)  # without an output path it gives bytes
    return document, tuple(
        Finding(rule="typst", place=Place("xslt/typst"), message=warning.message, severity="warning")
        for warning in warnings
    )


def count_pages(document: bytes) -> int:
    """Give the number of pages of a PDF that Typst made: its page objects, which stand uncompressed."""
    return len(re.findall(rb"/Type\s*/Page\b", document))


@cache
def _fonts() -> typst.Fonts:
    """The declared fonts; those of the system and Typst's own are left out."""
    folders = list(dict.fromkeys(str(file.parent) for file in font_files()))
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)


def _first_references(chars: str, tei: bytes) -> dict[str, str]:
    """Give for each character the canonical reference of the named element in which it stands first."""
    places: dict[str, str] = {}
    current = ""
    for element in parse(tei, name="TEI").iterfind(f".//{{{TEI}}}text//*[@{{{XML}}}id]"):
        current = element.get(f"{{{XML}}}id") or current
        for char in set(chars).intersection("".join(map(str, element.itertext()))) if element.tag in _NAMED else ():
            places.setdefault(char, reference_of(current))
    return places
