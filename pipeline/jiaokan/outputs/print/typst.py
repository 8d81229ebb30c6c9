"""Set documents with Typst: our templates, a press's own, the declared fonts, the choices of the plan."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, cast

import pikepdf
import typst
from msgspec.structs import asdict

from jiaokan.characters.scripts import interface_words, is_chinese
from jiaokan.decisions.tables import PrintedCharacter
from jiaokan.errors import Finding, Message, Place, RenderError
from jiaokan.messages import terms
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.check import page_findings, pressed_entries, short_parts
from jiaokan.outputs.print.fonts import check_faces, families, font_files
from jiaokan.outputs.print.overrides import PRESS, SET, with_press
from jiaokan.outputs.print.script import in_script
from jiaokan.outputs.print.scripts import writing
from jiaokan.settings import layouts
from jiaokan.settings.flat import flat_fields, value_of
from jiaokan.settings.plans import PrintPlan
from jiaokan.settings.values import size_of
from jiaokan.system.atomic import staged_folder
from jiaokan.system.listing import below

STANDARDS: list[Literal["a-2a", "ua-1"]] = ["a-2a", "ua-1"]
"""Archival and accessible: tagged, with language and title, every glyph with its character."""
_EPOCH = 946_684_800
"""2000-01-01: the date that Typst gets instead of a clock's."""
_TEMPLATES = "xslt/typst"
_LINES = 24
"""Number of lines of Typst's message that are reported: one error can occur in every line of a book."""
_ROUNDS = 12
"""How often a book is set with more room at the foot of its pages, until all have enough. Nearly all books need one
round or two. In each the room grows, but other pages can get too many entries."""
_AGES = 11
"""Typst keeps what it computed until it has set ten more documents without using it: 130 MB for a round of 80 pages.
So many empty documents, 0.01 s each, free it."""
_LENGTHS = (1, -1, 2)
"""Lines to add to the pages of a chapter whose last page is nearly empty, in the order of trial: a small change is less
visible. A choice."""
_PATIENCE = 3
"""Rounds in which entries without room get more of it on their page. Later they become footnotes of their own, which
Typst divides between pages."""
_TABLES = ("margins", "faces", "woodcut", "page_lines")
"""Choices that are tables: templates get each of their keys."""
FOUND, MEASURED = "found-here", "measured"
"""Calls that report places in a volume (index.typ), and what is measured on the modern page (check.typ); also
the labels of their answers."""
_ANSWERS = f"selector(<{FOUND}>).or(<{MEASURED}>)"
_READ_ME = """Typst source of an edition, with all that it needs. To set it:

    typst compile --ignore-system-fonts --font-path fonts main.typ edition.pdf

given.typ has the choices (paper, sizes …); press.typ, if there is one, the press's own functions and measures.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitution:
    """A character that no font has, and what is printed for it; without a `standard`, its code in a box."""

    char: str
    decision: PrintedCharacter
    count: int
    reference: str
    """Where it occurs first."""


def typeset(
    source: str, settings: OutputSettings, used: tuple[Substitution, ...] = (), check: bool = False
) -> tuple[bytes, tuple[Finding, ...]]:
    """Set a Typst document as PDF; return it and Typst's warnings, with `check` those on its modern pages, too.

    Raises RenderError with Typst's own message.
    """
    document, warnings, _ = typeset_volume(source, settings, used, {}, check=check)
    return document, warnings


def typeset_volume(
    source: str, settings: OutputSettings, used: tuple[Substitution, ...], known: Mapping[str, object],
    asks: bool = False, check: bool = False,
) -> tuple[bytes, tuple[Finding, ...], dict[str, Any]]:
    """Set a volume of a book as `typeset` sets a book; `known`: what the templates read as ``others`` (measures.typ).

    If it `asks`, return also where divisions, openings and words of indexes are (``found-here`` of index.typ). Raises
    RenderError.
    """
    with tempfile.TemporaryDirectory() as folder:
        _write_templates(Path(folder), settings)
        variables = {**inputs(settings, used, source), "others": json.dumps(known, ensure_ascii=False)}
        calls = [FOUND] * asks + [MEASURED] * check
        pressed, alone, loose = Counter[int](), set[int](), set[int]()
        filled = _PageLengths(settings.print.page.page_lines, source)
        for number in range(-len(_LENGTHS), _ROUNDS):
            if number > -len(_LENGTHS):
                _free_memory(Path(folder), settings)
            document, warnings, answers = _compile(source, Path(folder), settings, variables, asks=calls)
            more = pressed_entries(answers.get(MEASURED, {}))
            if filled.change(short_parts(answers.get(MEASURED, {}))):
                variables["page-lines"] = filled.lines()
                continue
            if not more:
                break
            pressed.update({entry: max(0, lines) for entry, lines in more.items()})
            loose.update(entry for entry, lines in more.items() if lines < 0)
            alone.update(more if number >= _PATIENCE else ())
            variables |= {"pressed": json.dumps(dict(sorted(pressed.items()))), "alone": json.dumps(sorted(alone)),
                          "loose": json.dumps(sorted(loose))}
        else:
            warnings = (*warnings, *([_report_no_room(more)] if more else []))
        shift = cast(int, known.get("before", 0))
        return document, (*warnings, *page_findings(answers.get(MEASURED, {}), shift)), answers.get(FOUND, {})


class _PageLengths:
    """The lines by which the pages of a chapter are longer or shorter, so that its last page is not nearly empty: those
    of the plan and, for other chapters, the first of a few with which it is not."""

    def __init__(self, planned: Mapping[str, int], source: str) -> None:
        self.planned, self.source = planned, source
        self.tried = dict[str, int]()

    def change(self, short: Iterable[str]) -> bool:
        """Take the next lengths for chapters with a short last page; return whether any are left to try."""
        open_ = [part for part in short if part not in self.planned and self.tried.get(part, 0) <= len(_LENGTHS)
                 and self._has_pages(part)]
        for part in open_:
            self.tried[part] = self.tried.get(part, 0) + 1
        return bool(open_)

    def _has_pages(self, part: str) -> bool:
        """Whether a chapter or part has pages of its own: short chapters follow each other."""
        return any(call in self.source for call in (f"#filled-pages({literal(part)})", f"#part({literal(part)}",
                                                    f"#{part}("))

    def lines(self) -> str:
        """Return the lines of each chapter, for the templates."""
        chosen = {part: (*_LENGTHS, 0)[count - 1] for part, count in self.tried.items()}
        return json.dumps({**{part: lines for part, lines in chosen.items() if lines}, **self.planned}, sort_keys=True)


def _report_no_room(pressed: Iterable[int]) -> Finding:
    entries = ", ".join(map(str, sorted(pressed)))
    return Finding("print-lost", Place("[print]"), Message("foot-without-room", rounds=_ROUNDS, entries=entries),
                   Message("look-page-other-sizes-paper"), "error")


def _own_words(settings: OutputSettings) -> dict[str, str]:
    """Return the book's own words in its language, or in the script chosen for it."""
    script, language = settings.print.type.script, settings.interface
    words = {key: word for key, word in terms(language).items() if key == "listing" or key.startswith("book-")}
    if not is_chinese(language):
        return words
    return {key: interface_words(word, language) if script == "source" else in_script(word, script)
            for key, word in words.items()}


def inputs(settings: OutputSettings, used: Sequence[Substitution] = (), source: str = "") -> dict[str, str]:
    """Return the choices that the templates read (``given.typ``): those that the layout takes, and common ones.

    `source` is the document, whose letters decide fonts. Raises RenderError if the layout takes an unknown key.
    """
    plan = settings.print
    takes = layouts.declaration(plan.layout).takes
    if unknown := set(takes) - set(flat_fields(PrintPlan)):
        raise RenderError(Message("layout-takes-no-key-print", layout=plan.layout, unknown=min(unknown)),
                          place=Place(str(layouts.folder(plan.layout) / "layout.toml")))
    return {
        "paper": "{:g}x{:g}".format(*size_of(plan.page.paper)), **_layout_choices(plan, takes, settings.fonts),
        "translation": "facing" if "#beside(" in source else "after",
        "ink": plan.press.ink, "book": _book_data(plan), "writing": json.dumps(writing(settings, source)),
        "words": json.dumps(_own_words(settings), ensure_ascii=False),
        "interface": settings.interface,
        "families": json.dumps(families(settings.fonts), ensure_ascii=False),
        "substitutions": json.dumps([
            {"code": u.decision.code, "standard": u.decision.standard, "count": u.count, "first": u.reference}
            for u in used if u.decision.standard
        ], ensure_ascii=False),
        "boxed": json.dumps([u.char for u in used if not u.decision.standard], ensure_ascii=False),
    }


def _book_data(plan: PrintPlan) -> str:
    """Return what the templates read as ``object``: the table ``[print.book]``, with its pictures as the templates
    find them (`_write_templates`)."""
    plates = [{"file": f"/plate-{n}{Path(plate.file).suffix}", "caption": plate.caption}
              for n, plate in enumerate(plan.book.plates)]
    return json.dumps({**asdict(plan.book), "plates": plates, "bleed": plan.press.bleed}, ensure_ascii=False)


def _layout_choices(plan: PrintPlan, takes: Iterable[str], edition_files: tuple[Path, ...]) -> dict[str, str]:
    choices = {key.replace("_", "-"): str(value_of(plan, key)) for key in takes if key not in _TABLES}
    if "margins" in takes:
        choices |= {f"margin-{side}": f"{size:g}" for side, size in asdict(plan.page.margins).items() if size}
    if "page_lines" in takes:
        choices["page-lines"] = json.dumps(plan.page.page_lines, sort_keys=True)
    if "woodcut" in takes:
        drawn = asdict(plan.page.woodcut)
        choices |= {f"woodcut-{key}": drawn[key] for key in ("heading", "fishtails", "trunk", "frame")}
    if "faces" in takes and plan.type.faces.families():
        check_faces(plan.type.faces.families(), edition_files)
        roles = {role: name for role, name in asdict(plan.type.faces).items() if name}
        choices["faces"] = json.dumps(roles, ensure_ascii=False)
    return choices


def export(source: str, target: Path, settings: OutputSettings, used: Sequence[Substitution] = ()) -> tuple[Path, ...]:
    """Write a Typst document with templates, fonts and choices into the folder `target`; return all its files.

    Raises RenderError if the layout takes an unknown key, or the press's file cannot be read or changes nothing.
    """
    variables = inputs(settings, used, source)
    choices = "".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)},\n" for k, v in variables.items())
    with staged_folder(target) as folder:
        _write_templates(folder, settings)
        (folder / "main.typ").write_text(source, encoding="utf-8")
        for home in (folder, folder / SET):
            if home.exists():
                (home / "given.typ").write_text(f"#let given = (\n{choices})\n", encoding="utf-8")
        (folder / "README.txt").write_text(_READ_ME, encoding="utf-8")
        (folder / "fonts").mkdir()
        for font in font_files(files=settings.fonts):
            (folder / "fonts" / font.name).write_bytes(font.read_bytes())
    return below(target)


def _write_templates(folder: Path, settings: OutputSettings) -> None:
    """Write the layout's templates, and the press's own as ``press.typ``."""
    plan = settings.print
    templates = {name: path.read_text(encoding="utf-8") for name, path in layouts.templates(plan.layout).items()}
    if press := settings.press:
        try:
            press_text = press.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise RenderError(Message("cannot-read", strerror=error), place=Place(str(press))) from None
        templates = {**with_press(templates, press_text, str(press), dict.fromkeys((plan.layout, *plan.pdf_layouts()))),
                     PRESS: press_text}
        (folder / SET).mkdir()
    for n, plate in enumerate(settings.plates):
        (folder / f"plate-{n}{plate.suffix}").write_bytes(plate.read_bytes())
    for name, text in templates.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def imports(template: str, press: Path | None) -> str:
    """Return the imports of a document: its template and, if a press has its own functions, these."""
    return f'#import "{SET}/{template}.typ": *\n#import "{PRESS}"\n' if press else f'#import "{template}.typ": *\n'


def _compile(
    source: str, root: Path, settings: OutputSettings, variables: dict[str, str], *, asks: Sequence[str] = ()
) -> tuple[bytes, tuple[Finding, ...], dict[str, Any]]:
    """Return a document, Typst's warnings, and the answers of the templates to the calls in `asks`."""
    nowhere, piece = root / "packages", root / "piece.typ"
    if asks:
        calls = "".join(f"#{call}()\n" for call in asks)
        piece.write_text(f"{source}{calls}", encoding="utf-8", newline="\n")  # Typst answers for files only
    try:
        with _offline():
            book: Any = piece if asks else source.encode()
            compiler = typst.Compiler(
                book, root=root, font_paths=_fonts(font_files(files=settings.fonts)),
                sys_inputs=variables | {"turned": "yes"},  # lines that `downward` turns
                package_path=nowhere, package_cache_path=nowhere,
            )
            document, warnings = compiler.compile_with_warnings(
                format="pdf", pdf_standards=[*STANDARDS], timestamp=_EPOCH
            )
            answered = json.loads(compiler.query(_ANSWERS, field="value")) if asks else []  # it sets the book anew
    except RuntimeError as error:  # typst.TypstError is one
        if "package" in str(error):
            raise RenderError(
                Message("typst-packages-preview-not-fetched"),
                mend=Message("write-functions-need-tei-print"),
            ) from None
        lines = str(getattr(error, "diagnostic", "") or error).splitlines()
        shown = [*lines[:_LINES], "…"] if len(lines) > _LINES else lines
        raise RenderError("Typst: " + "\n".join(shown)) from None
    assert isinstance(document, bytes)  # without an output path it gives bytes
    return document, tuple(
        Finding(rule="typst", place=Place(_TEMPLATES), message=warning.message, severity="warning")
        for warning in warnings
    ), dict(zip(asks, answered, strict=True))


def _free_memory(root: Path, settings: OutputSettings) -> None:
    """Make Typst forget the rounds before."""
    empty = root / "empty.typ"
    empty.write_text(" ", encoding="utf-8")
    compiler = typst.Compiler(empty, root=root, font_paths=_fonts(font_files(files=settings.fonts)))
    for _ in range(_AGES):
        compiler.compile(format="pdf")


@contextlib.contextmanager
def _offline() -> Iterator[None]:
    """Send Typst's network requests to a port where nobody answers (9, discard): it has no switch for it."""
    names = [name for variable in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY") for name in (variable, variable.lower())]
    proxies = dict.fromkeys(names, "http://127.0.0.1:9") | {"NO_PROXY": "", "no_proxy": ""}
    before = {name: os.environ.get(name) for name in proxies}
    os.environ.update(proxies)
    try:
        yield
    finally:
        for name, value in before.items():
            del os.environ[name]
            if value is not None:
                os.environ[name] = value


@cache
def _fonts(files: tuple[Path, ...]) -> typst.Fonts:
    folders = list(dict.fromkeys(str(file.parent) for file in files))  # Typst takes folders only
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=folders)


def count_pages(document: bytes) -> int:
    """Return the number of pages of a PDF."""
    with pikepdf.open(BytesIO(document)) as pdf:
        return len(pdf.pages)


def literal(text: str) -> str:
    """Return a Typst string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
