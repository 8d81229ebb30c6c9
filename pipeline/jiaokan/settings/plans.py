"""Types of ``editions/ID.toml``: chapters, witnesses, base texts, and how the book is printed (``[print]``).

What each key means is the message ``key-TYPE.FIELD``, its example is in ``keys.tsv`` (`jiaokan explain edition`,
`print`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from jiaokan.model import VariantClass
from jiaokan.model.variants import Level
from jiaokan.settings import layouts
from jiaokan.settings.flat import FLAT
from jiaokan.settings.values import Isbn, Name, Paper, PersonId, SourceId, Strict, WorkId

Margin = Annotated[float, msgspec.Meta(ge=0, le=200)]
Share = Annotated[int, msgspec.Meta(ge=0, le=100)]
Words = Annotated[str, msgspec.Meta(min_length=1)]


class Margins(Strict, frozen=True, kw_only=True):
    """Margins in millimetres of the trimmed page: the table ``[print.margins]``. 0: the layout's own."""

    inside: Margin = 0.0
    outside: Margin = 0.0
    top: Margin = 0.0
    bottom: Margin = 0.0


class Faces(Strict, frozen=True, kw_only=True):
    """Font families for parts of the text: the table ``[print.faces]``. A family is one of the program's (Noto Serif
    SC, Noto Sans SC, Libertinus Serif) or of the files in ``fonts``; missing characters come from Noto Serif SC, then
    from the files of ``fonts`` in order."""

    base: str = ""
    commentary: str = ""
    apparatus: str = ""
    latin: str = ""

    def families(self) -> tuple[str, ...]:
        """Return the families, each once."""
        return tuple(dict.fromkeys(filter(None, (self.base, self.commentary, self.apparatus, self.latin))))


class Woodcut(Strict, frozen=True, kw_only=True):
    """Details of the traditional page: the table ``[print.woodcut]``, in the terms of bibliography 版本学."""

    heading: str = ""
    fishtails: Literal["single", "double"] = "single"
    trunk: Literal["none", "thin", "thick"] = "none"
    frame: Literal["double", "sides"] = "double"
    raised: tuple[Words, ...] = ()
    ringed: tuple[Words, ...] = ()


class Press(Strict, frozen=True, kw_only=True):
    """What the printing house needs: the table ``[print.press]``."""

    bleed: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0
    marks: bool = False
    ink: Literal["screen", "black", "spot"] = "screen"
    spot: str = "PANTONE 485 C"
    spot_cmyk: Annotated[tuple[Share, ...], msgspec.Meta(min_length=4, max_length=4)] = (0, 95, 100, 0)
    profile: str = ""
    condition: str = ""

    def is_wanted(self) -> bool:
        """Whether the printing house needs anything that a PDF for reading lacks."""
        return self != Press()


class Plate(Strict, frozen=True, kw_only=True):
    """A picture on a page of its own before the text: a row of ``plates`` in ``[print.book]``."""

    file: Words
    caption: Words


class Book(Strict, frozen=True, kw_only=True):
    """The book as an object: the table ``[print.book]``."""

    half_title: bool = False
    folios: Literal["through", "apart"] = "through"
    plates: tuple[Plate, ...] = ()
    cip: tuple[Words, ...] = ()
    record: dict[str, Words] = msgspec.field(default_factory=dict)
    isbn: Isbn = ""
    price: str = ""
    leaf: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0

    def has_record(self) -> bool:
        """Whether there is anything to print on the back of the title page."""
        return bool(self.cip or self.record or self.isbn)


class ChapterPlan(Strict, frozen=True, kw_only=True):
    """A chapter of a critical edition."""

    n: int
    title: Name
    base: Annotated[SourceId, msgspec.Meta(min_length=1)]
    witnesses: tuple[Annotated[SourceId, msgspec.Meta(min_length=1)], ...]
    pinyin: str = ""
    why: str = ""


class ConsultedPlan(Strict, frozen=True, kw_only=True):
    """A work that the editor compares at single places, without collating it."""

    title: Name
    edition: str = ""
    origin: str = ""
    names: tuple[Name, ...] = ()
    file: str = ""


class TestimonyPlan(Strict, frozen=True, kw_only=True):
    """A book of collation notes, whose readings become reported readings of the edition."""

    source: SourceId
    form: Literal["", "stated", "head", "gloss"] = ""
    witness: str = ""
    base: str = ""


if TYPE_CHECKING:
    Layout = str
    Output = str
else:
    Output = Literal[layouts.outputs()]
    Layout = Literal[layouts.names()]  # so that an unknown name is reported like any other wrong value
PrintedScript = Literal["source", "simplified", "traditional"]
Part = Literal["title", "principles", "witnesses", "contents", "speakers", "persons", "places", "works", "glyphs",
               "slips", "colophon"]
"""Parts of a printed book besides its text; ``slips`` are corrections of transcriptions. Substitutes for characters
that no font has are always listed."""


class PagePlan(Strict, frozen=True, kw_only=True):
    """The page: its paper, its columns and what stands beside the lines."""

    paper: Paper = "170x240"
    margins: Margins = Margins()
    facing: bool = False
    opening: Literal["auto", "run", "page", "recto"] = "auto"
    line_numbers: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    page_lines: dict[str, Annotated[int, msgspec.Meta(ge=-3, le=3)]] = msgspec.field(default_factory=dict)
    columns: Annotated[int, msgspec.Meta(ge=3, le=20)] = 8
    rows: Annotated[int, msgspec.Meta(ge=8, le=40)] = 21
    woodcut: Woodcut = Woodcut()
    leaf: Literal["half", "whole"] = "half"


class TypePlan(Strict, frozen=True, kw_only=True):
    """The characters: their sizes, fonts, script and punctuation."""

    faces: Faces = Faces()
    base_size: Annotated[float, msgspec.Meta(ge=6, le=30)] = 12.0
    note_size: Annotated[float, msgspec.Meta(ge=5, le=24)] = 9.0
    punctuation: Literal["shown", "full", "corner", "lines", "judou", "hidden"] = "shown"
    script: PrintedScript = "source"
    language: Literal["text", "en", "zh", "ja", "la", "de", "fr"] = "text"
    fonts: tuple[str, ...] = ()
    missing: Annotated[str, msgspec.Meta(pattern="^(refuse|.?)$")] = ""


class VariantsPlan(Strict, frozen=True, kw_only=True):
    """The printed 校勘记: which entries, where they stand, and their form."""

    level: Level = "graphic"
    apparatus: Literal["foot", "section", "chapter"] = "foot"
    numbers: Literal["chapter", "section", "page"] = "chapter"
    series: Literal["kind", "weight"] = "kind"
    keys: Literal["number", "line"] = "number"
    entries: Literal["sentence", "bracket"] = "sentence"
    foot: Literal["run", "columns"] = "run"
    between: Literal["space", "bars"] = "space"


class ContentPlan(Strict, frozen=True, kw_only=True):
    """The parts of the text and of the book that are printed."""

    notes: Literal["auto", "paragraph", "short", "line"] = "auto"
    layers: Literal["all", "base"] = "all"
    speakers: tuple[PersonId, ...] = ()
    omit: tuple[Part, ...] = ()
    present: bool = False
    testimonia: bool = False
    translation: Literal["auto", "after", "facing"] = "auto"
    index: Literal["strokes", "pinyin"] = "strokes"
    locators: Literal["both", "page", "reference"] = "both"


class BindingPlan(Strict, frozen=True, kw_only=True):
    """The volumes of the book."""

    volumes: Annotated[int, msgspec.Meta(ge=1, le=99)] | tuple[int | str, ...] = 1
    matter: Literal["set", "volume"] = "set"


class PrintPlan(Strict, frozen=True, kw_only=True):
    """How the PDF is set: the table ``[print]``, which has the keys of its `FLAT` parts, too."""

    layout: Layout = "modern"
    layouts: tuple[Layout, ...] = ()
    page: Annotated[PagePlan, FLAT] = PagePlan()
    type: Annotated[TypePlan, FLAT] = TypePlan()
    content: Annotated[ContentPlan, FLAT] = ContentPlan()
    variants: Annotated[VariantsPlan, FLAT] = VariantsPlan()
    binding: Annotated[BindingPlan, FLAT] = BindingPlan()
    press: Press = Press()
    book: Book = Book()
    also: tuple[Output, ...] = ()
    ebook: Literal["flowing", "fixed"] = "flowing"

    def count(self) -> int:
        """Return the number of volumes."""
        volumes = self.binding.volumes
        return volumes if isinstance(volumes, int) else len(volumes) + 1

    def files(self, path: Path) -> tuple[Path, ...]:
        """Return the files of a PDF at `path`: itself, or one for each volume."""
        numbers = range(1, self.count() + 1)
        return (path,) if self.count() == 1 else tuple(path.with_stem(f"{path.stem}-{n}") for n in numbers)

    def covers(self, path: Path) -> tuple[Path, ...]:
        """Return the files of the covers of a PDF at `path`, one for each volume; none if the paper is not known."""
        return tuple(file.with_stem(f"{file.stem}-cover") for file in self.files(path)) if self.book.leaf else ()

    def pdf_layouts(self) -> tuple[Layout, ...]:
        """Return the layouts of the PDFs; the first has the edition's plain name."""
        return tuple(dict.fromkeys(self.layouts)) or (self.layout,)


class ApparatusPlan(Strict, frozen=True, kw_only=True):
    """The content of the 校勘记 of an edition in all its forms: the table ``[apparatus]``."""

    abridged: Literal["once", "each"] = "once"
    abridged_from: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.2
    positive: bool = False


class EditionPlan(Strict, frozen=True, kw_only=True):
    """An edition: ``critical`` is collated from several witnesses, ``reading`` shows one."""

    id: str
    kind: Literal["critical", "reading"]
    title: Name
    subtitle: str = ""
    description: str = ""
    pinyin: str = ""
    work: WorkId = ""
    reference: str = ""
    witness: SourceId = ""
    chapters: tuple[ChapterPlan, ...] = ()
    settled: tuple[VariantClass, ...] = ()
    testimony: tuple[TestimonyPlan, ...] = ()
    consulted: tuple[ConsultedPlan, ...] = ()
    apparatus: ApparatusPlan = ApparatusPlan()
    print: PrintPlan = PrintPlan()

    def all_witnesses(self) -> tuple[str, ...]:
        """Return the ids of all its sources, in the order of their first mention."""
        named = [w for chapter in self.chapters for w in (chapter.base, *chapter.witnesses)]
        return tuple(dict.fromkeys([*([self.witness] if self.witness else []), *named]))

    def read(self) -> tuple[str, ...]:
        """Return the ids of all sources that it is made from: its witnesses, then books of collation notes."""
        return tuple(dict.fromkeys([*self.all_witnesses(), *(book.source for book in self.testimony)]))
