"""What a press sets besides the text: margins, faces, and how the sheet is printed and cut. Tables in ``[print]``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from pipeline.model import VariantClass
from pipeline.model.variants import Level
from pipeline.settings import layouts
from pipeline.settings.values import Name, PersonId, SourceId, Strict, WorkId

Margin = Annotated[float, msgspec.Meta(ge=0, le=200)]
Share = Annotated[int, msgspec.Meta(ge=0, le=100)]
Words = Annotated[str, msgspec.Meta(min_length=1)]


class Margins(Strict, frozen=True, kw_only=True):
    """White space round the text in millimetres of the trimmed page: the table ``[print.margins]``. 0: as the layout
    has it."""

    inside: Margin = 0.0
    """At the spine."""
    outside: Margin = 0.0
    """At the fore-edge, where references and sigla stand; what the line, of whole characters, leaves is added."""
    top: Margin = 0.0
    """Above the text; the running head stands in it."""
    bottom: Margin = 0.0
    """Below the text."""


class Faces(Strict, frozen=True, kw_only=True):
    """Families of fonts by what is set in them: the table ``[print.faces]``. A family is one of the program's
    (Noto Serif SC, Noto Sans SC, Libertinus Serif) or of the files that ``fonts`` names; characters that it lacks
    come from Noto Serif SC, then from the files of ``fonts`` in their order."""

    base: str = ""
    """Of the base text, and of all that is not named here: a Song face 宋体."""
    commentary: str = ""
    """Of notes 注 and 疏: a Kai 楷体 or Fangsong 仿宋 face, for instance."""
    apparatus: str = ""
    """Of the entries 校勘记."""
    latin: str = ""
    """Of letters and digits, wherever they stand."""

    def named(self) -> tuple[str, ...]:
        """Give the families, each once."""
        return tuple(dict.fromkeys(filter(None, (self.base, self.commentary, self.apparatus, self.latin))))


class Woodcut(Strict, frozen=True, kw_only=True):
    """How the traditional page is cut: the table ``[print.woodcut]``. The terms are those of bibliography 版本学, as
    catalogues of old prints describe a page."""

    heading: str = ""
    """What stands at the head of the centre strip 版心 (钦定四库全书); empty: the title of the work."""
    fishtails: Literal["single", "double"] = "single"
    """鱼尾: one above the middle of the centre strip, or a second one below that faces it."""
    trunk: Literal["none", "thin", "thick"] = "none"
    """象鼻: the line on the fold above and below; a thin one makes a 细黑口, a thick one a 粗黑口, none a 白口."""
    frame: Literal["double", "sides"] = "double"
    """Double lines on all four sides 四周双边, or at left and right only 左右双边."""
    raised: tuple[Words, ...] = ()
    """Words of the base text that begin a column, a character above all others 抬头 (皇帝, 圣祖)."""
    ringed: tuple[Words, ...] = ()
    """Words of the base text with a ring beside each character 圈点."""


class Press(Strict, frozen=True, kw_only=True):
    """What the printing house needs of the file: the table ``[print.press]`` (``pip install 'jiaokan[press]'``)."""

    bleed: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0
    """Millimetres of paper beyond the trim on each side (BleedBox); the page's size is that of the trim (TrimBox)."""
    marks: bool = False
    """Whether crop marks stand at the corners, outside bleed and trim."""
    ink: Literal["screen", "black", "spot"] = "screen"
    """Colours: ``screen`` as on a screen (sRGB); ``black`` all in black ink alone (K); ``spot`` black alone, and the
    editor's red in an ink of its own (a Separation colour)."""
    spot: str = "PANTONE 485 C"
    """Name of the second ink, as the press calls it; the plate has this name."""
    spot_cmyk: Annotated[tuple[Share, ...], msgspec.Meta(min_length=4, max_length=4)] = (0, 95, 100, 0)
    """The second ink in percent of cyan, magenta, yellow and black, for proofs and presses that have no such ink."""
    profile: str = ""
    """ICC profile of the press, a file in the edition's folder (``icc/PSOuncoated_v3_FOGRA52.icc``); with it the PDF
    is PDF/X-4."""
    condition: str = ""
    """Name of the printing condition in the registry of the ICC (FOGRA52, JC200103); empty: the profile's own name."""

    def wanted(self) -> bool:
        """Say whether the file is to be made otherwise than for reading."""
        return self != Press()


class ChapterPlan(Strict, frozen=True, kw_only=True):
    """A chapter of a critical edition."""

    n: int
    """Its number in the work's list of chapters."""
    title: Name
    """Its title in the edition."""
    base: Annotated[SourceId, msgspec.Meta(min_length=1)]
    """Id of the base witness 底本: its sections, units and order are the edition's."""
    witnesses: tuple[Annotated[SourceId, msgspec.Meta(min_length=1)], ...]
    """Ids of all witnesses of the chapter, the base included, in the order in which they are cited."""
    pinyin: str = ""
    """The title in Latin letters, where its graphs are not read as is common (Gong si da fu li)."""


if TYPE_CHECKING:
    Layout = str
    Output = str
else:
    Output = Literal[layouts.outputs()]
    Layout = Literal[layouts.names()]  # so that a wrong name is refused as any other wrong value is
PrintedScript = Literal["source", "simplified", "traditional"]
Part = Literal["title", "principles", "witnesses", "contents", "speakers", "persons", "places", "works", "glyphs",
               "slips", "colophon"]
"""Parts of a printed book besides its text; ``slips``: what was corrected in transcriptions. What was printed for
characters that no font has is always listed."""


class PrintPlan(Strict, frozen=True, kw_only=True):
    """How the PDF is set: the table ``[print]``."""

    layout: Layout = "modern"
    """A folder of ``xslt/layouts``, whose ``layout.toml`` says what its pages are like."""
    layouts: tuple[Layout, ...] = ()
    """Several, if a build shall make several: those after the first are called ``ID-LAYOUT.pdf``."""
    paper: Annotated[str, msgspec.Meta(extra={"is": "paper"})] = "170x240"
    """Size of a page after the trim, in the traditional layout of a half-leaf: a name (a4, a5, b5, 16开, 大16开, 32开,
    大32开) or width and height in millimetres (140x203)."""
    margins: Margins = Margins()
    """White space round the text."""
    faces: Faces = Faces()
    """Families of fonts by what is set in them."""
    press: Press = Press()
    """What the printing house needs: bleed, marks, inks, profile."""
    base_size: Annotated[float, msgspec.Meta(ge=6, le=30)] = 12.0
    """Size of the base text in points (modern and vertical layout; the traditional one takes it from its grid)."""
    note_size: Annotated[float, msgspec.Meta(ge=5, le=24)] = 9.0
    """Size of the commentary in points (modern and vertical layout)."""
    notes: Literal["auto", "paragraph", "short", "line"] = "auto"
    """How notes on base text stand in the vertical layout: each a paragraph; in the line 夹注, small, all of them or
    those ``short`` of 40 characters; ``auto``: in the line where the text has them so and nearly all (nine in ten) are
    short, as in 集解 and 章句 of few words, else in paragraphs."""
    level: Level = "graphic"
    """Which entries are printed: all; without script pairs; without differences of writing; substantive ones only."""
    layers: Literal["all", "base"] = "all"
    """What is printed of the text: all of it; base text without the commentary."""
    speakers: tuple[PersonId, ...] = ()
    """Ids of the speakers whose notes are printed; none: everybody's, also those that nobody signed."""
    omit: tuple[Part, ...] = ()
    """Parts of the book that are left out."""
    apparatus: Literal["foot", "section", "chapter"] = "foot"
    """Where they are printed: at the foot of the page, or as 校勘记 at the end of each section or chapter.
    A page of columns has no foot: there ``foot`` means ``chapter``."""
    numbers: Literal["chapter", "section", "page"] = "chapter"
    """Where the numbers of the entries begin anew: in each chapter, section or page. At the foot of a page any of
    them; the 校勘记 at the end of a section or chapter is numbered through it."""
    series: Literal["kind", "weight"] = "kind"
    """What stands apart at the foot of a page: ``kind``, variants and the editor's notes; ``weight``, of the variants
    those that change the words, below them those of writing."""
    facing: bool = False
    """Whether base text stands on right-hand pages and its commentary on the left-hand ones that face them 经注对照,
    each note beside its passage (vertical layout; ``notes`` does not count there)."""
    testimonia: bool = False
    """Whether each chapter ends with the places where comments elsewhere quote it 引文 (modern layout): the unit, the
    words quoted, and who quotes them where."""
    line_numbers: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    """Every so many lines of a page are numbered at the spine; 0: none (modern layout)."""
    index: Literal["strokes", "pinyin"] = "strokes"
    """The order of the indexes: by strokes of the first graphs 笔画, or by their readings 音序, which the settings can
    spell (``pinyin`` of persons, places, sources and chapters, and in ``lists/works.tsv``)."""
    locators: Literal["both", "page", "reference"] = "both"
    """What the indexes name: references with their pages, pages alone, references alone (modern layout). An entry
    that is too long names sections, chapters, or the first and the last page."""
    columns: Annotated[int, msgspec.Meta(ge=3, le=20)] = 8
    """Columns of a half-leaf (traditional layout)."""
    volumes: Annotated[int, msgspec.Meta(ge=1, le=99)] | tuple[int | str, ...] = 1
    """The volumes 册 of the PDF: so many, of about the same length; or the chapters with which those after the first
    begin, as they are cited. They share numbers of pages, and are called ``ID-1.pdf``, ``ID-2.pdf``."""
    matter: Literal["set", "volume"] = "set"
    """Where volumes have contents and indexes (modern layout): ``set``, contents of all in the first volume, indexes
    of all in the last; ``volume``, each has those of its own text."""
    rows: Annotated[int, msgspec.Meta(ge=8, le=40)] = 21
    """Characters of a column (traditional layout)."""
    woodcut: Woodcut = Woodcut()
    """Frame, centre strip, raised and ringed words (traditional layout)."""
    leaf: Literal["half", "whole"] = "half"
    """What a page shows: half a leaf, or a whole one, unfolded (traditional layout)."""
    punctuation: Literal["shown", "full", "corner", "lines", "judou", "hidden"] = "shown"
    """The editor's punctuation: all marks with “ ”; with 「 」; with lines beside names and titles; 句读 alone; none,
    nor on a traditional page the source's. ``shown``: as the layout has it (``jiaokan explain layout``). On a
    traditional page marks take no room of their own."""
    script: PrintedScript = "source"
    """Characters as the TEI has them; or simplified or traditional ones, by OpenCC. What the apparatus quotes stays as
    it is. Where a simplified graph stands for several, the conversion is to be proofread."""
    also: tuple[Output, ...] = ()
    """Further outputs that a build makes beside the PDFs, such as ``epub``: ``build/epub/ID.epub``."""
    fonts: tuple[str, ...] = ()
    """Font files inside the edition folder (``fonts/HanaMinB.otf``), or a folder of them, for what our own lacks."""
    missing: Annotated[str, msgspec.Meta(max_length=1)] = ""
    """What is printed for characters that no font has and that ``print.toml`` does not decide, such as 〓 (the
    printers' mark for a missing sort); empty: such a character stops the PDF."""

    def count(self) -> int:
        """Give the number of volumes."""
        return self.volumes if isinstance(self.volumes, int) else len(self.volumes) + 1

    def files(self, path: Path) -> tuple[Path, ...]:
        """Give the files of a PDF that would lie at `path`, if it is not in volumes."""
        numbers = range(1, self.count() + 1)
        return (path,) if self.count() == 1 else tuple(path.with_stem(f"{path.stem}-{n}") for n in numbers)

    def made(self) -> tuple[Layout, ...]:
        """Give the layouts that a build makes, the first one under the edition's plain name."""
        return tuple(dict.fromkeys(self.layouts)) or (self.layout,)


class ApparatusPlan(Strict, frozen=True, kw_only=True):
    """What the 校勘记 of an edition tells, whatever its form: the table ``[apparatus]``."""

    abridged: Literal["once", "each"] = "once"
    """How it is told that a work abridges a note 节引: ``once``, in one sentence for the note, so that only words that
    differ are entries; ``each``, with an entry for every passage that the work leaves out."""
    abridged_from: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.2
    """From which share of a note's characters that a work leaves out it abridges that note. With a fifth, 181
    of 242 omissions in the notes of four chapters of 仪礼 are told by 120 sentences; below a tenth, notes that lack no
    more than a particle count as abridged; from a half on, 150 omissions are left as entries."""


class EditionPlan(Strict, frozen=True, kw_only=True):
    """An edition: ``critical`` is collated from several witnesses, ``reading`` shows one."""

    id: str
    """Its id: the name of this file without ``.toml``, and no id of a source, but that of a text that it only shows."""
    kind: Literal["critical", "reading"]
    """``critical`` is collated from several witnesses, ``reading`` shows one."""
    title: Name
    """Its title."""
    subtitle: str = ""
    """What stands below the title."""
    description: str = ""
    """One sentence on what it is, for the landing page."""
    pinyin: str = ""
    """The title in Latin letters; empty: as its graphs are commonly read."""
    work: WorkId = ""
    """Of a critical edition: the work whose chapters it has."""
    reference: str = ""
    """The form in which it is cited, if that is not the work's (`pipeline.settings.catalog.Work.reference`)."""
    witness: SourceId = ""
    """Of a reading edition: the source that it shows."""
    chapters: tuple[ChapterPlan, ...] = ()
    """Of a critical edition: its chapters, each with its witnesses."""
    settled: tuple[VariantClass, ...] = ()
    """Of a critical edition: classes of variants in which the base is followed throughout, as the editor's principles
    say; ``jiaokan review`` does not ask of them."""
    apparatus: ApparatusPlan = ApparatusPlan()
    """What the 校勘记 tells, in all outputs."""
    print: PrintPlan = PrintPlan()
    """How the PDF is set."""

    def all_witnesses(self) -> tuple[str, ...]:
        """Give the ids of all sources that it is made from, in the order in which they are first named."""
        named = [w for chapter in self.chapters for w in (chapter.base, *chapter.witnesses)]
        return tuple(dict.fromkeys([*([self.witness] if self.witness else []), *named]))
