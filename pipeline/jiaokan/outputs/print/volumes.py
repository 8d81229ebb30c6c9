"""A book as parts, and how it is cut into volumes.

A layout's stylesheet makes the parts of a book; an engine turns those that hold lists into pages. Volumes begin with
chapters, as the plan asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Literal, cast

from lxml import etree

from jiaokan.characters.scripts import is_chinese, term
from jiaokan.errors import Finding, Message, Place, RenderError
from jiaokan.model.numerals import volume_name
from jiaokan.outputs import OutputSettings
from jiaokan.outputs.print.script import in_script
from jiaokan.outputs.print.typst import imports
from jiaokan.outputs.print.words import MarkedCode, PrintedRun
from jiaokan.settings.plans import PrintPlan
from jiaokan.tei.tree import Element

Kind = Literal["head", "half-title", "title", "setup", "matter", "contents", "turn", "chapter", "index",
               "substitutions", "colophon", "front", "back", "opening", "page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPart:
    """A stretch of a book that begins with a page."""

    kind: Kind
    """``head`` and ``setup``: what precedes all pages. ``turn``: what is between other parts. ``front``, ``chapter``
    and ``back`` of a layout with an engine: lists to lay out, in whose place it puts pages; ``opening``: the next page
    is an odd one."""
    source: str  # Typst code, or the lines of a list
    reference: str = ""  # of a chapter
    divisions: tuple[str, ...] = ()  # ids of the chapter and its sections
    volume: str = ""  # the name of the volume that begins with it, if one does
    labels: tuple[str, ...] = ()  # labels of the pages of this part
    places: Mapping[str, int] = field(default_factory=dict)
    """Ids to which links lead, each with its page in this part, from 0."""
    runs: tuple[PrintedRun, ...] = ()
    """The words that the code prints."""

    def replace_character(self, char: str, printed: str) -> BookPart:
        """Return the part with another character in its code and its words."""
        runs = (run._replace(text=run.text.replace(char, printed)) if char in run.text else run for run in self.runs)
        return replace(self, source=self.source.replace(char, printed), runs=tuple(runs))


@dataclass(frozen=True, slots=True)
class TypesetBook:
    """A book whose parts, after the imports of a `template`, are one Typst document."""

    template: str
    parts: tuple[BookPart, ...]
    findings: tuple[Finding, ...] = ()  # on its pages, if an engine has laid them out

    def lists(self) -> list[BookPart]:
        """Return the parts that an engine lays out."""
        return [part for part in self.parts if part.kind in ("front", "chapter", "back")]

    @property
    def laid_out(self) -> bool:
        """Whether an engine has laid out its pages."""
        return any(part.kind == "page" for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """A volume to set."""

    name: str  # its name (上册)
    file: str  # the name of its file
    head: str  # the Typst code with which it begins
    parts: Sequence[BookPart]
    own: bool = False  # whether contents and indexes are those of this volume, not of the set

    @property
    def divisions(self) -> list[str]:
        """The ids of its divisions."""
        return [id_ for part in self.parts for id_ in part.divisions]


def read_parts(xml: str) -> TypesetBook:
    """Return the book that a layout's stylesheet made. Raises RenderError if that is not XML."""
    try:
        root = etree.fromstring(xml, etree.XMLParser(huge_tree=True, resolve_entities=False))
    except etree.XMLSyntaxError as error:
        raise RenderError(Message("layout-main-xsl-not-write", msg=error.msg),
                          mend=Message("write-b-book-b-part")) from None
    return TypesetBook(str(root.get("template")), tuple(
        _read_part(part) for part in root))


def _read_part(part: Element) -> BookPart:
    code = MarkedCode(part)
    return BookPart(kind=cast(Kind, part.get("kind")), source=code.source, runs=tuple(code.runs),
                    reference=part.get("reference") or "", divisions=tuple((part.get("divisions") or "").split()),
                    labels=("",) if part.get("kind") == "title" else ())


def add_preliminaries(book: TypesetBook, plan: PrintPlan) -> TypesetBook:
    """Return the book with what `[print.book]` wants around its title page: half title, the back of it, plates."""
    parts = list[BookPart]()
    for part in book.parts:
        title = part.kind == "title"
        if title and plan.book.half_title:
            parts.append(BookPart(kind="half-title", source="#half-title()\n", labels=("", "")))
        parts.append(part)
        if title and plan.book.has_record():
            parts.append(BookPart(kind="title", source="#record-page()\n", labels=("",)))
        if title and plan.book.plates:
            parts.append(BookPart(kind="matter", source="#plate-pages()\n", labels=("",) * len(plan.book.plates)))
    return replace(book, parts=tuple(parts))


def cover_code(book: TypesetBook, pages: int, *, right_bound: bool) -> str:
    """Return the Typst code of the cover of a volume with so many `pages`, from the words of the title page."""
    title = next((part.source for part in book.parts if part.kind == "title"), "#title-page()")
    about = f"#let title-page = title-page.with(pages: {pages}, right-bound: {str(right_bound).lower()})\n"
    return typst_code(part for part in book.parts if part.kind == "head") + about + title


def begin_volumes(book: TypesetBook, settings: OutputSettings) -> TypesetBook:
    """Return the book with the names of volumes at the chapters that begin them.

    Raises RenderError if the plan asks for more volumes than there are chapters, or names what is not a chapter.
    """
    if settings.print.count() == 1:
        return book
    numbers = [number for number, part in enumerate(book.parts) if part.kind == "chapter"]
    after = sum(len(part.source) for part in book.parts[numbers[-1] + 1:]) if numbers else 0
    begun = _first_chapters([book.parts[number] for number in numbers], settings.print, after)
    parts = list(book.parts)
    for volume, chapter in enumerate(begun, 1):
        parts[numbers[chapter]] = replace(parts[numbers[chapter]], volume=_volume_name(volume, settings))
    return replace(book, parts=tuple(parts))


def _volume_name(number: int, settings: OutputSettings) -> str:
    """Return the name of a volume: 上册, in the script of the book; Volume 1; empty if there is only one."""
    count = settings.print.count()
    if not is_chinese(settings.interface):
        return term("book-volume", settings.interface, number=number) if count > 1 else ""
    script = "traditional" if settings.interface == "hant" else settings.print.type.script
    return in_script(volume_name(number, count), script)


def _first_chapters(chapters: Sequence[BookPart], plan: PrintPlan, after: int) -> list[int]:
    """Return the numbers of the chapters that begin volumes; `after`: the length of what follows the last."""
    place, many = Place("[print] volumes"), plan.count()
    if len(chapters) < many:
        raise RenderError(Message("volumes-chapters", many=many, count=len(chapters)), place=place,
                          mend=Message("ask-fewer"))
    if isinstance(plan.binding.volumes, int):
        lengths = [len(chapter.source) for chapter in chapters]
        return balance_parts([*lengths[:-1], lengths[-1] + after], many)
    called = {chapter.reference: n for n, chapter in enumerate(chapters)}
    if unknown := [name for name in map(str, plan.binding.volumes) if name not in called]:
        raise RenderError(Message("no-chapter-called", unknown=unknown[0], called="、".join(called)), place=place,
                          mend=Message("name-chapters-volumes-after-first"))
    starts = [called[str(name)] for name in plan.binding.volumes]
    if starts != sorted(set(starts)) or starts[0] == 0:
        raise RenderError(Message("volumes-begin-chapters-order-text"),
                          place=place, mend=Message("name-others-begin-order"))
    return [0, *starts]


def balance_parts(lengths: Sequence[int], parts: int) -> list[int]:
    """Return the first of each part of things of some `lengths`, cut into parts of about equal length."""
    ends, starts = [0, *accumulate(lengths)], [0]
    for part in range(1, parts):
        ideal = ends[-1] * part / parts
        starts.append(min(range(starts[-1] + 1, len(lengths) - parts + part + 1), key=lambda n: abs(ends[n] - ideal)))
    return starts


def cut_volumes(book: TypesetBook, settings: OutputSettings, target: Path) -> tuple[Volume, ...]:
    """Return the volumes of a book; none if it has one."""
    plan, engine = settings.print, book.laid_out
    if plan.count() == 1:
        return ()
    text = [number for number, part in enumerate(book.parts) if part.kind in ("chapter", "page")]
    begun = [number for number in text if book.parts[number].volume]
    end = text[-1] + 1
    head = imports(book.template, settings.press) + typst_code(part for part in book.parts if part.kind == "head")
    front, back = ([part for part in parts if part.kind != "head"]
                   for parts in (book.parts[:begun[0]], book.parts[end:]))
    per_volume = plan.binding.matter == "volume" and not engine
    shared = {"half-title", "title", "setup", "turn", "colophon", *(("contents", "index") if per_volume else ())}
    openings = [part for part in front if part.kind == "opening"][:1]
    volumes = []
    for number, (first, last) in enumerate(pairwise([*begun, end]), 1):
        before = front if number == 1 else [*(part for part in front if part.kind in shared), *openings]
        after = back if number == plan.count() else [part for part in back if part.kind in shared]
        volumes.append(Volume(name=_volume_name(number, settings), file=plan.files(target)[number - 1].name, head=head,
                              own=per_volume, parts=[*before, *book.parts[first:last], *after]))
    return tuple(volumes)


def typst_code(parts: Iterable[BookPart]) -> str:
    """Return the Typst code of some parts."""
    return "".join(part.source for part in parts)


def page_labels(parts: Iterable[BookPart]) -> list[str]:
    """Return what each page of some parts is called; empty for title pages and blanks."""
    labels: list[str] = []
    for page, part in _number_pages(parts):
        labels += [""] * (page - len(labels)) + [*part.labels]
    return labels


def link_places(parts: Iterable[BookPart]) -> dict[str, int]:
    """Return the page of each place to which links lead, from 0."""
    return {id_: page + number for page, part in _number_pages(parts) for id_, number in part.places.items()}


def _number_pages(parts: Iterable[BookPart]) -> Iterator[tuple[int, BookPart]]:
    page = 0
    for part in parts:
        page += page % 2 if part.kind == "opening" else 0
        yield page, part
        page += len(part.labels)
