"""Types of ``editions/ID.toml``: chapters, witnesses, base texts, and how the book is printed (``[print]``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from pipeline.model import VariantClass
from pipeline.model.variants import Level
from pipeline.settings import layouts
from pipeline.settings.values import Name, Paper, PersonId, SourceId, Strict, WorkId

Margin = Annotated[float, msgspec.Meta(ge=0, le=200)]
Share = Annotated[int, msgspec.Meta(ge=0, le=100)]
Words = Annotated[str, msgspec.Meta(min_length=1)]


class Margins(Strict, frozen=True, kw_only=True):
    """Margins in millimetres of the trimmed page: the table ``[print.margins]``. 0: the layout's own."""

    inside: Margin = 0.0
    """At the spine."""
    outside: Margin = 0.0
    """At the fore-edge, with references and sigla; the rest of a line of whole characters is added to it."""
    top: Margin = 0.0
    """Above the text, with the running head."""
    bottom: Margin = 0.0
    """Below the text."""


class Faces(Strict, frozen=True, kw_only=True):
    """Font families for parts of the text: the table ``[print.faces]``. A family is one of the program's (Noto Serif
    SC, Noto Sans SC, Libertinus Serif) or of the files in ``fonts``; missing characters come from Noto Serif SC, then
    from the files of ``fonts`` in order."""

    base: str = ""
    """For the base text and everything not named here: a Song face 宋体."""
    commentary: str = ""
    """For notes 注 and 疏: for example a Kai 楷体 or Fangsong 仿宋 face."""
    apparatus: str = ""
    """For the entries 校勘记."""
    latin: str = ""
    """For letters and digits everywhere."""

    def named(self) -> tuple[str, ...]:
        """Return the families, each once."""
        return tuple(dict.fromkeys(filter(None, (self.base, self.commentary, self.apparatus, self.latin))))


class Woodcut(Strict, frozen=True, kw_only=True):
    """Details of the traditional page: the table ``[print.woodcut]``, in the terms of bibliography 版本学."""

    heading: str = ""
    """The words at the top of the centre strip 版心 (钦定四库全书); empty: the title of the work."""
    fishtails: Literal["single", "double"] = "single"
    """鱼尾: one above the middle of the centre strip, or another below that faces it."""
    trunk: Literal["none", "thin", "thick"] = "none"
    """象鼻: the line on the fold above and below; a thin one makes a 细黑口, a thick one a 粗黑口, none a 白口."""
    frame: Literal["double", "sides"] = "double"
    """Double lines on all four sides 四周双边, or at left and right only 左右双边."""
    raised: tuple[Words, ...] = ()
    """Words of the base text that begin a column, one character higher than all others 抬头 (皇帝, 圣祖)."""
    ringed: tuple[Words, ...] = ()
    """Words of the base text with a ring beside each character 圈点."""


class Press(Strict, frozen=True, kw_only=True):
    """What the printing house needs: the table ``[print.press]``."""

    bleed: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0
    """Millimetres of paper beyond the trim on each side (BleedBox); the page's size is that of the trim (TrimBox)."""
    marks: bool = False
    """Whether there are crop marks at the corners, outside bleed and trim."""
    ink: Literal["screen", "black", "spot"] = "screen"
    """Colours: ``screen``, sRGB; ``black``, everything in black ink (K); ``spot``, black ink, and the editor's red in
    an ink of its own (a Separation colour)."""
    spot: str = "PANTONE 485 C"
    """Name of the second ink, and of its plate."""
    spot_cmyk: Annotated[tuple[Share, ...], msgspec.Meta(min_length=4, max_length=4)] = (0, 95, 100, 0)
    """The second ink in percent of cyan, magenta, yellow and black, for proofs and presses without such an ink."""
    profile: str = ""
    """ICC profile of the press, a file in the edition's folder (``icc/PSOuncoated_v3_FOGRA52.icc``); with it the PDF
    is PDF/X-4."""
    condition: str = ""
    """Name of the printing condition in the registry of the ICC (FOGRA52, JC200103); empty: the profile's own name."""

    def wanted(self) -> bool:
        """Whether the printing house needs anything that a PDF for reading lacks."""
        return self != Press()


class ChapterPlan(Strict, frozen=True, kw_only=True):
    """A chapter of a critical edition."""

    n: int
    """Its number in the work's list of chapters."""
    title: Name
    """Its title in the edition."""
    base: Annotated[SourceId, msgspec.Meta(min_length=1)]
    """Id of the base text 底本, whose sections, units and order the edition has."""
    witnesses: tuple[Annotated[SourceId, msgspec.Meta(min_length=1)], ...]
    """Ids of all witnesses of the chapter, including the base, in the order of citation."""
    pinyin: str = ""
    """The title in Latin letters, if it is not the common reading of its characters (Gong si da fu li)."""


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


class PrintPlan(Strict, frozen=True, kw_only=True):
    """How the PDF is set: the table ``[print]``."""

    layout: Layout = "modern"
    """The layout, a folder of ``xslt/layouts``; its ``layout.toml`` describes its pages."""
    layouts: tuple[Layout, ...] = ()
    """Several layouts, one PDF for each; those after the first are ``ID-LAYOUT.pdf``."""
    paper: Paper = "170x240"
    """Size of a page after the trim, in the traditional layout of a half-leaf: a name (a4, a5, b5, 16开, 大16开, 32开,
    大32开) or width and height in millimetres (140x203)."""
    margins: Margins = Margins()
    """Margins."""
    faces: Faces = Faces()
    """Font families for parts of the text."""
    press: Press = Press()
    """What the printing house needs: bleed, marks, inks, profile."""
    base_size: Annotated[float, msgspec.Meta(ge=6, le=30)] = 12.0
    """Size of the base text in points (modern and vertical layout; the grid sets it in the traditional one)."""
    note_size: Annotated[float, msgspec.Meta(ge=5, le=24)] = 9.0
    """Size of the commentary in points (modern and vertical layout)."""
    notes: Literal["auto", "paragraph", "short", "line"] = "auto"
    """Notes on base text in the vertical layout: each a ``paragraph``; small in the ``line`` 夹注; in the line those
    ``short`` of 40 characters; ``auto``: in the line if the source has them so and nine in ten are short, as in 集解
    and 章句, else in paragraphs."""
    level: Level = "graphic"
    """Printed entries: all; without script pairs; without graphic variants; substantive ones only."""
    layers: Literal["all", "base"] = "all"
    """Printed layers: all; the base text without the commentary."""
    speakers: tuple[PersonId, ...] = ()
    """Ids of the speakers whose notes are printed; none: all notes, including unsigned ones."""
    omit: tuple[Part, ...] = ()
    """Parts of the book that are left out."""
    apparatus: Literal["foot", "section", "chapter"] = "foot"
    """Where the entries are printed: at the foot of the page, or as 校勘记 at the end of each section or chapter.
    A page of columns has no foot; there ``foot`` means ``chapter``."""
    numbers: Literal["chapter", "section", "page"] = "chapter"
    """Where the numbering of entries at the foot of the page restarts: in each chapter, section or page. The 校勘记 at
    the end of a section or chapter is numbered continuously."""
    series: Literal["kind", "weight"] = "kind"
    """Separate series at the foot of a page: ``kind``, variants and editor's notes; ``weight``, substantive variants,
    and graphic ones below them."""
    facing: bool = False
    """Whether the base text is on right-hand pages and its commentary on the facing left-hand ones 经注对照, each note
    beside its passage (vertical layout; ``notes`` has no effect then)."""
    testimonia: bool = False
    """Whether each chapter ends with its quotations in comments elsewhere 引文 (modern layout): the unit, the quoted
    words, and who quotes them where."""
    line_numbers: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    """Interval of line numbers at the spine; 0: none (modern layout)."""
    index: Literal["strokes", "pinyin"] = "strokes"
    """Order of the indexes: by strokes 笔画, or by reading 音序, which ``pinyin`` of persons, places, sources and
    chapters and ``lists/works.tsv`` can declare."""
    locators: Literal["both", "page", "reference"] = "both"
    """Locators in the indexes: references with pages, pages, or references (modern layout). A long entry names
    sections, chapters, or the first and last page."""
    columns: Annotated[int, msgspec.Meta(ge=3, le=20)] = 8
    """Columns of a half-leaf (traditional layout)."""
    volumes: Annotated[int, msgspec.Meta(ge=1, le=99)] | tuple[int | str, ...] = 1
    """Volumes 册 of the PDF: their number, or the chapters with which the second and later ones begin, as they are
    cited. Pages are numbered through all volumes; the files are ``ID-1.pdf``, ``ID-2.pdf``."""
    matter: Literal["set", "volume"] = "set"
    """Contents and indexes of volumes (modern layout): ``set``, all contents in the first volume, all indexes in the
    last; ``volume``, each has those of its own text."""
    rows: Annotated[int, msgspec.Meta(ge=8, le=40)] = 21
    """Characters of a column (traditional layout)."""
    woodcut: Woodcut = Woodcut()
    """Frame, centre strip, raised and ringed words (traditional layout)."""
    leaf: Literal["half", "whole"] = "half"
    """A page is half a leaf, or a whole one, unfolded (traditional layout)."""
    punctuation: Literal["shown", "full", "corner", "lines", "judou", "hidden"] = "shown"
    """The editor's punctuation: ``full`` with “ ”; ``corner`` with 「 」; ``lines`` beside names and titles; ``judou``,
    句读 alone; ``hidden``, also the source's on a traditional page; ``shown``, as the layout declares. On a traditional
    page marks take no space of their own."""
    script: PrintedScript = "source"
    """Characters as in the TEI, or converted to simplified or traditional ones by OpenCC, except in the apparatus.
    Where a simplified character stands for several, proofread the conversion."""
    also: tuple[Output, ...] = ()
    """Further outputs of a build, such as ``epub``: ``build/epub/ID.epub``."""
    fonts: tuple[str, ...] = ()
    """Font files in the edition folder (``fonts/HanaMinB.otf``), or a folder of them, for missing characters."""
    missing: Annotated[str, msgspec.Meta(max_length=1)] = ""
    """Substitute for characters that are in no font and not in ``print.toml``, such as 〓 (the printers' mark for a
    missing sort); empty: such a character stops the PDF."""

    def count(self) -> int:
        """Return the number of volumes."""
        return self.volumes if isinstance(self.volumes, int) else len(self.volumes) + 1

    def files(self, path: Path) -> tuple[Path, ...]:
        """Return the files of a PDF at `path`: itself, or one for each volume."""
        numbers = range(1, self.count() + 1)
        return (path,) if self.count() == 1 else tuple(path.with_stem(f"{path.stem}-{n}") for n in numbers)

    def made(self) -> tuple[Layout, ...]:
        """Return the layouts of the PDFs; the first has the edition's plain name."""
        return tuple(dict.fromkeys(self.layouts)) or (self.layout,)


class ApparatusPlan(Strict, frozen=True, kw_only=True):
    """The content of the 校勘记 of an edition in all its forms: the table ``[apparatus]``."""

    abridged: Literal["once", "each"] = "once"
    """How the apparatus reports that a work abridges a note 节引: ``once``, in one sentence for the note, so that only
    different words are entries; ``each``, with an entry for every omitted passage."""
    abridged_from: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.2
    """The omitted share of a note's characters from which the note counts as abridged. With a fifth, 120 sentences
    report 181 of 242 omissions in the notes of four chapters of 仪礼; below a tenth, notes that lack no more than a
    particle count as abridged; from a half on, 150 omissions remain entries."""


class EditionPlan(Strict, frozen=True, kw_only=True):
    """An edition: ``critical`` is collated from several witnesses, ``reading`` shows one."""

    id: str
    """Its id: the name of this file without ``.toml``. Only a reading edition may have the id of its source."""
    kind: Literal["critical", "reading"]
    """``critical`` is collated from several witnesses, ``reading`` shows one."""
    title: Name
    """Its title."""
    subtitle: str = ""
    """The subtitle."""
    description: str = ""
    """One sentence on the edition, for the landing page."""
    pinyin: str = ""
    """The title in Latin letters; empty: the common reading of its characters."""
    work: WorkId = ""
    """For a critical edition: id of the work."""
    reference: str = ""
    """The form of references to it, if not that of the work (``reference`` of ``[[work]]``)."""
    witness: SourceId = ""
    """For a reading edition: id of the source."""
    chapters: tuple[ChapterPlan, ...] = ()
    """For a critical edition: its chapters, each with its witnesses."""
    settled: tuple[VariantClass, ...] = ()
    """For a critical edition: classes of variants in which the edition follows the base throughout, as its principles
    say; ``jiaokan review`` does not ask about them."""
    apparatus: ApparatusPlan = ApparatusPlan()
    """The content of the 校勘记, in all outputs."""
    print: PrintPlan = PrintPlan()
    """How the PDF is set."""

    def all_witnesses(self) -> tuple[str, ...]:
        """Return the ids of all its sources, in the order of their first mention."""
        named = [w for chapter in self.chapters for w in (chapter.base, *chapter.witnesses)]
        return tuple(dict.fromkeys([*([self.witness] if self.witness else []), *named]))
