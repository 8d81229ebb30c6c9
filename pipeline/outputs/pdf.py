"""TEI → PDF: XSLT writes one Typst document of calls, Typst sets it with ``xslt/typst/edition.typ``.

The bytes depend on the TEI, the print settings and the fonts only: dates come from the TEI header, fonts
from declared files, and no clock is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from pipeline import __version__
from pipeline.decisions.printing import PrintedCharacter, load_printed
from pipeline.errors import RenderError
from pipeline.model.identifiers import reference_of
from pipeline.model.vocabulary import TEI, XML
from pipeline.outputs import OutputReport, OutputSettings
from pipeline.outputs.print.fonts import font_files, missing
from pipeline.outputs.print.script import in_script, source_in_script, to_proofread
from pipeline.outputs.print.typst import Substitution, export, typeset
from pipeline.outputs.print.woodblock.cells import Grid
from pipeline.outputs.print.woodblock.source import typst_document
from pipeline.settings.plans import PrintedScript
from pipeline.system.atomic import write_file
from pipeline.system.process import apart
from pipeline.system.xslt import loaded, transform
from pipeline.tei.tree import parse

NAME = "pdf"
STYLESHEETS = {"modern": "xslt/typst/main.xsl", "traditional": "xslt/woodblock/main.xsl"}

_LONG = 500_000
"""Characters of a Typst document of some hundred leaves."""
_NAMED = {f"{{{TEI}}}{name}" for name in ("seg", "lg", "note", "head", "trailer")}
"""Elements by whose reference a character is named."""



def make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Make the PDF of one TEI file at `target`, which appears whole, after everything has succeeded.

    Raises RenderError for what the stylesheets, Typst or the fonts refuse: a character that no font has and
    that ``print.toml`` does not decide is named with its canonical reference.
    """
    source, used = _printable(tei, settings)
    alone = settings.print.layout == "traditional" and len(source) > _LONG
    document, findings = apart(typeset, source, settings, used) if alone else typeset(source, settings, used)
    findings += to_proofread(tei) if settings.print.script == "traditional" else ()
    write_file(target, document)
    return OutputReport(files=(target,), pages=count_pages(document), findings=findings)


def make_source(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Write the Typst source of one TEI file, with all that it needs, into the folder `target`. Raises as `make`."""
    source, used = _printable(tei, settings)
    return OutputReport(files=export(source, target, settings, used), pages=0)


def _printable(tei: bytes, settings: OutputSettings) -> tuple[str, tuple[Substitution, ...]]:
    """What Typst gets. For a thousand leaves Typst needs the memory that Saxon and the cells would keep."""
    alone = settings.print.layout == "traditional" and not loaded()
    return apart(_prepared, tei, settings) if alone else _prepared(tei, settings)


def _prepared(tei: bytes, settings: OutputSettings) -> tuple[str, tuple[Substitution, ...]]:
    decided = load_printed(settings.decisions / "print.toml") if settings.decisions else {}
    files, source = font_files(files=settings.fonts), typst_source(tei, settings)
    if settings.print.layout == "traditional":
        _refuse_leftward(source, tei, settings.print.script)
    return substitute(source, decided, tei, files, script=settings.print.script)


def typst_source(tei: bytes, settings: OutputSettings) -> str:
    """Give the Typst document of a TEI file: words, references and calls, before any substitution."""
    plan = settings.print
    parameters = {
        "level": plan.level, "apparatus": plan.apparatus, "layers": plan.layers,
        "speakers": " ".join(plan.speakers), "omit": " ".join(plan.omit),
        "script": plan.script, "description": settings.description, "version": __version__,
    }
    made = transform(STYLESHEETS[plan.layout], tei, parameters=parameters)
    made = source_in_script(made, plan.script, font_files(files=settings.fonts))
    if plan.layout == "modern":
        return made
    grid = Grid(columns=plan.columns, rows=plan.rows)
    return typst_document(made, grid, punctuation=plan.punctuation == "shown")


def substitute(
    source: str, decided: Mapping[str, PrintedCharacter], tei: bytes, files: tuple[Path, ...],
    *, script: PrintedScript = "source",
) -> tuple[str, tuple[Substitution, ...]]:
    """Put the decided character for each that none of the font `files` has; give the text and what was done.

    Raises RenderError for one that nobody decided, or whose decided form no font has either.
    """
    lacking = missing(source, files)
    places = _first_references(lacking, tei, script) if lacking else {}
    used = []
    for char in lacking:
        decision = decided.get(char)
        if decision is None or missing(decision.standard, files):
            raise RenderError(
                f"no font has {char} U+{ord(char):04X}, first at {places.get(char, 'the header')}",
                mend=f'decide in tei/decisions/print.toml what is printed for "U+{ord(char):04X}",'
                     " or name a font that has it (fonts of [print], --font)",
            )
        reference = places.get(char, "")
        used.append(Substitution(char=char, decision=decision, count=source.count(char), reference=reference))
    return source.translate({ord(u.char): u.decision.standard for u in used}), tuple(used)


def _refuse_leftward(source: str, tei: bytes, script: PrintedScript) -> None:
    """Raise RenderError for letters that run from right to left: on their side in a column they would run upwards."""
    letters = "".join(sorted(c for c in set(source) if unicodedata.bidirectional(c) in ("R", "AL")))
    if letters:
        place = _first_references(letters, tei, script).get(letters[0], "the header")
        raise RenderError(f"letters that run from right to left cannot stand in a column: {letters}, first at {place}",
                          mend='choose layout = "modern"')


def count_pages(document: bytes) -> int:
    """Give the number of pages of a PDF that Typst made: its page objects, which stand uncompressed."""
    return len(re.findall(rb"/Type\s*/Page\b", document))


def _first_references(chars: str, tei: bytes, script: PrintedScript) -> dict[str, str]:
    """Give for each character the canonical reference of the named element in which it stands first."""
    places: dict[str, str] = {}
    current = ""
    for element in parse(tei, name="TEI").iterfind(f".//{{{TEI}}}text//*[@{{{XML}}}id]"):
        current = element.get(f"{{{XML}}}id") or current
        words = "".join(map(str, element.itertext())) if element.tag in _NAMED else ""
        for char in set(chars).intersection(in_script(words, script) + words):
            places.setdefault(char, reference_of(current))
    return places
