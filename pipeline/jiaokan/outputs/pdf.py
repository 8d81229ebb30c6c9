"""TEI → PDF: the stylesheet of a layout (``xslt/layouts``) writes a book as Typst calls, and Typst sets it.

Pages in columns, which Typst cannot lay out, are laid out between the two (``outputs/print/engines``). The bytes depend
only on the TEI, the print settings and the fonts: dates come from the TEI header, fonts from declared files.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import cast

import msgspec

from jiaokan.characters.writing import scripts
from jiaokan.decisions.characters import load_substitutes
from jiaokan.decisions.tables import PrintedCharacter
from jiaokan.errors import Finding, Message, Place, RenderError, decode_message, encode_message, join_messages
from jiaokan.model.pointers import reference_of
from jiaokan.model.vocabulary import XML
from jiaokan.outputs import DOCUMENT, OutputReport, OutputSettings
from jiaokan.outputs.print.check import column_findings
from jiaokan.outputs.print.downward import write_downwards
from jiaokan.outputs.print.engines.book import ColumnLayout, with_pages
from jiaokan.outputs.print.fonts import families, font_files, font_of_script, missing, packages_for, system_fonts
from jiaokan.outputs.print.prepared import PreparedText, prepared_text
from jiaokan.outputs.print.press import for_press
from jiaokan.outputs.print.typst import Substitution, count_pages, export, imports, typeset, typeset_volume
from jiaokan.outputs.print.volume_set import set_volumes
from jiaokan.outputs.print.volumes import (
    TypesetBook,
    add_preliminaries,
    begin_volumes,
    cover_code,
    cut_volumes,
    page_labels,
    read_parts,
    typst_code,
)
from jiaokan.outputs.print.whole import find_unprinted
from jiaokan.outputs.text.prepare import for_text
from jiaokan.settings import layouts
from jiaokan.settings.flat import with_values
from jiaokan.settings.plans import PrintPlan
from jiaokan.system.atomic import write_file
from jiaokan.system.process import apart
from jiaokan.system.xslt import is_loaded, transform
from jiaokan.tei.tree import parse

NAME = "pdf"

_LONG = 500_000
"""Characters of a Typst document (some hundred leaves) from which on Typst gets its own process, so that the engine's
memory is free. A lower limit makes short books slower (a process takes half a second to start), a higher one keeps both
in memory at once."""
_LARGE = 1_500_000
"""Bytes of a TEI file from which on Saxon has its own process, too: with 1.6 MB it keeps 250 MB that Typst needs. The
same trade-off. For pages in columns, which take much memory, Saxon always has its own process."""
_REFUSE = "refuse"  # `missing` of [print]: no PDF if a character has no font
_PLACED = 12  # number of characters without a font that are reported with their place; a book can have hundreds
_NAMED = [f"{{*}}{name}" for name in ("seg", "lg", "note", "head", "trailer", "unit", "entry")]
"""Elements of TEI, or of its prepared form, whose reference is the place of a character."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A book that Typst can set."""

    book: TypesetBook
    used: tuple[Substitution, ...]
    findings: tuple[Finding, ...]
    fonts: tuple[str, ...] = ()
    """Fonts of the system beside the declared ones."""


def make_book(tei: bytes, settings: OutputSettings) -> bytes:
    """Return the book of one TEI file for `make`: what the stylesheets and the engine write. Raises RenderError."""
    prepared_book = _make_book(tei, for_text(settings, tei))
    return msgspec.msgpack.encode(prepared_book, enc_hook=encode_message)


def make(tei: bytes, target: Path, settings: OutputSettings, book: bytes = b"") -> OutputReport:
    """Write the PDF of one TEI file to `target`, or its volumes to the files beside it (`PrintPlan.files`).

    `book` is what `make_book` returned for the same file and settings, apart from those of the press, if it is there.
    Files are written when everything has succeeded. Raises RenderError for errors of the
    stylesheets, Typst or the fonts, and for characters that no font has if the plan refuses them.
    """
    settings = for_text(settings, tei)
    prepared_book = msgspec.msgpack.decode(book, type=_Made, dec_hook=decode_message) if book else _prepare_book(tei,
                                                                                                           settings)
    settings = replace(settings, fonts=(*settings.fonts, *map(Path, prepared_book.fonts)))
    below = list[Finding]()
    vertical = layouts.declaration(settings.print.layout).vertical
    measured = prepared_book.book.template == "edition"  # which has check.typ
    if volumes := cut_volumes(prepared_book.book, settings, target):
        set_, warnings = set_volumes(volumes, settings, prepared_book.used, measured)
        documents = list(zip((volume.parts for volume in volumes), set_, strict=True))
    else:
        words = _document(prepared_book.book, settings)
        alone = prepared_book.book.laid_out and len(words) > _LONG
        arguments = (words, settings, prepared_book.used, measured)
        document, warnings = apart(typeset, *arguments) if alone else typeset(*arguments)
        documents = [(prepared_book.book.parts, document)]
    files, numbers = settings.print.files(target), list[int]()
    for file, (parts, document) in zip(files, documents, strict=True):
        if measured:
            boxed = [row.char for row in prepared_book.used if not row.decision.standard]
            below += find_unprinted(parts, document, boxed, sum(numbers))
        numbers.append(count_pages(document))
        if vertical:
            lowest, labels = list[tuple[float, float]](), page_labels(parts)
            document = write_downwards(document, labels, lowest)
            below += column_findings(lowest, _layout(settings.print).foot, labels)
        _write(file, document, settings)
    covers = _make_covers(prepared_book, [volume.name for volume in volumes] or [""], numbers, target, settings)
    return OutputReport(files=(*files, *covers), pages=sum(numbers),
                        findings=(*prepared_book.findings, *warnings, *below))


def _make_covers(
    prepared_book: _Made, volumes: Iterable[str], pages: Iterable[int], target: Path, settings: OutputSettings
) -> tuple[Path, ...]:
    """Write the covers that the plan wants, of `volumes` of so many `pages`; return their files."""
    covers, vertical = settings.print.covers(target), layouts.declaration(settings.print.layout).vertical
    for cover, name, number in zip(covers, volumes, pages, strict=False):
        words = imports("cover", settings.press) + cover_code(prepared_book.book, number, right_bound=vertical)
        document, _, _ = typeset_volume(words, settings, prepared_book.used, {"volume": name})
        _write(cover, document, settings)
    return covers


def _write(file: Path, document: bytes, settings: OutputSettings) -> None:
    press = settings.print.press
    write_file(file, for_press(document, press, settings.profile) if press.is_wanted() else document)


def _document(book: TypesetBook, settings: OutputSettings) -> str:
    return imports(book.template, settings.press) + typst_code(book.parts)


def make_source(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
    """Write the Typst source of one TEI file, with all that it needs, into the folder `target`. Raises RenderError."""
    settings = for_text(settings, tei)
    prepared_book = _prepare_book(tei, settings)
    settings = replace(settings, fonts=(*settings.fonts, *map(Path, prepared_book.fonts)))
    files = export(_document(prepared_book.book, settings), target, settings, prepared_book.used)
    return OutputReport(files=files, pages=0, findings=prepared_book.findings)


def _prepare_book(tei: bytes, settings: OutputSettings) -> _Made:
    """Make what Typst gets, in a process of its own if Typst will need the memory of Saxon and the engine."""
    alone = not is_loaded() and (layouts.declaration(settings.print.layout).engine or len(tei) > _LARGE)
    return apart(_make_book, tei, settings) if alone else _make_book(tei, settings)


def _make_book(tei: bytes, settings: OutputSettings) -> _Made:
    decided = load_substitutes(settings.decisions / "print.toml") if settings.decisions else {}
    text, book = _lay_out(tei, settings)
    words = typst_code(book.parts)
    if lost := [part for part in settings.print.page.page_lines if part not in words]:
        raise RenderError(Message("page-lines-print-names-book", lost=lost[0]),
                          mend=Message("delete-write-id-chapter-lunyu"))
    source = tei if settings.print.type.script == "source" else text.xml  # for the places of characters
    if layouts.declaration(settings.print.layout).vertical:
        _refuse_letters(typst_code(book.parts), source, settings)
    files = font_files(files=settings.fonts)
    script_font = font_of_script(settings.script, files)
    more = (*filter(None, [script_font]), *system_fonts(missing(words, files)))
    book, used, open_ = substitute(book, decided, source, (*files, *more), settings.print.type.missing)
    borrowed = [Finding("print-system-font", Place("[print]"), Message("font-of-system", file=file.name),
                        Message("declare-font", file=file.name), "info") for file in more]
    script = scripts()[settings.script]
    if script.wheel and script_font is None and script.faces[0] not in families(files):
        borrowed.append(Finding("print-forms", Place("[print]"), Message("no-font-of-script", faces=script.faces[0]),
                                Message("install-font-of-script", wheel=script.wheel), "info"))
    return _Made(book, used, (*text.findings, *book.findings, *borrowed, *open_), tuple(map(str, more)))


def typst_source(tei: bytes, settings: OutputSettings) -> str:
    """Return the Typst document of a TEI file or its prepared form, before any substitution of characters.

    Raises RenderError for errors of the stylesheets.
    """
    return _document(_lay_out(tei, settings)[1], settings)


def _lay_out(tei: bytes, settings: OutputSettings) -> tuple[PreparedText, TypesetBook]:
    text, book = read_book(tei, settings)
    engine = layouts.declaration(settings.print.layout).engine
    return text, with_pages(book, _layout(settings.print)) if engine else book


def read_book(tei: bytes, settings: OutputSettings) -> tuple[PreparedText, TypesetBook]:
    """Return a text and the parts of its book, of which an engine has not laid out any. Raises RenderError."""
    layout = settings.print.layout
    if layouts.declaration(layout).engine and settings.print.variants.apparatus == "foot":  # columns have no foot
        settings = replace(settings, print=with_values(settings.print, apparatus="chapter"))
    text = prepared_text(tei, settings, usual=layouts.declaration(layout).punctuation)
    lists = transform(f"{layouts.FOLDER}/{layout}/main.xsl", text.xml, parameters=text.parameters)
    return text, begin_volumes(add_preliminaries(read_parts(lists), settings.print), settings)


def _layout(plan: PrintPlan) -> ColumnLayout:
    """Return the layout of pages in columns, by a module of ``outputs/print/engines``."""
    module = import_module(f"jiaokan.outputs.print.engines.{layouts.declaration(plan.layout).engine}")
    return cast(Callable[[PrintPlan], ColumnLayout], module.layout)(plan)


def substitute(
    book: TypesetBook, decided: Mapping[str, PrintedCharacter], xml: bytes, files: tuple[Path, ...], otherwise: str = ""
) -> tuple[TypesetBook, tuple[Substitution, ...], tuple[Finding, ...]]:
    """Substitute the characters that none of the font `files` has; return the book, what was done, and findings.

    `xml` is the source of `book`, for the places of characters. `otherwise` replaces characters that are not decided,
    or whose decided form no font has; if it is empty or in no font itself, templates print the code of the character in
    a box. One finding lists them. Raises RenderError if it is ``refuse``.
    """
    words = typst_code(book.parts)
    lacking = missing(words, files)
    places = _first_references(lacking, xml) if lacking else {}
    open_ = "".join(char for char in lacking if char not in decided or missing(decided[char].standard, files))
    instead = "" if otherwise == _REFUSE or missing(otherwise, files) else otherwise
    findings = (_report_missing(open_, places, otherwise, instead),) if open_ else ()
    decisions = {**decided, **{char: PrintedCharacter(code=f"U+{ord(char):04X}", standard=instead, resp="",
                                                      why="[print] missing", cert="low") for char in open_}}
    used = tuple(Substitution(char=char, decision=decisions[char], count=words.count(char),
                              reference=places.get(char, "")) for char in lacking)
    parts = book.parts
    for substitution in used:
        if printed := substitution.decision.standard:
            parts = tuple(part.replace_character(substitution.char, printed) for part in parts)
    return replace(book, parts=parts), used, findings


def _report_missing(chars: str, places: Mapping[str, str], otherwise: str, instead: str) -> Finding:
    """Return a finding on characters without a font or decision. Raises RenderError if the plan refuses them."""
    listed = join_messages("list-comma", [Message("character-first-at", char=char, code=ord(char),
                                          places=places.get(char) or Message("the-header"))
                                  for char in chars[:_PLACED]])
    more = Message("and-more-characters", count=len(chars) - _PLACED, chars=chars[_PLACED:])
    rest = more if len(chars) > _PLACED else ""
    what = Message("font-missing", listed=listed, rest=rest)
    packages = packages_for(chars)
    decide = Message("install-fonts", packages=packages) if packages else Message("decide-what-is-printed")
    if otherwise == _REFUSE:
        raise RenderError(what, mend=decide)
    message = Message("printed-as", otherwise=instead, what=what) if instead else Message("printed-codes-boxes",
                                                                                          what=what)
    return Finding("print-missing", Place("[print]"), message, decide, "warning" if instead else "error")


def _refuse_letters(words: str, xml: bytes, settings: OutputSettings) -> None:
    """Raise RenderError for a text in letters, or with letters that would run upwards in a column."""
    if not scripts()[settings.script].cells:
        raise RenderError(Message("text-alphabet-cannot-printed-columns"),
                          place=Place("[print]"), mend=Message("choose-layout-modern"))
    letters = "".join(sorted(c for c in set(words) if unicodedata.bidirectional(c) in ("R", "AL")))
    if letters:
        place = _first_references(letters, xml).get(letters[0]) or Message("the-header")
        raise RenderError(Message("letters-run-right-left-cannot", letters=letters, place=place),
                          mend=Message("choose-layout-modern"))


def _first_references(chars: str, xml: bytes) -> dict[str, str]:
    """Return for each character the reference of the named element where it occurs first."""
    places: dict[str, str] = {}
    for element in parse(xml, name=DOCUMENT).iter(*_NAMED):
        where = element.get("unit") or element.get(f"{{{XML}}}id") or element.get("id") or ""
        words = "".join(map(str, element.itertext())) if where else ""
        for char in set(chars).intersection(words):
            places.setdefault(char, reference_of(where))
        if len(places) == len(chars):
            break
    return places
