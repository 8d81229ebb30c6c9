"""The central types: a text as readers make it, collation compares it and TEI stores it. All are frozen structs of
msgspec, made in a tenth of the time of dataclasses; ``msgspec.structs.replace`` changes them. The tags tell those of a
stored document apart.

A `Document` is a witness or an edition. Its divisions hold blocks; blocks hold inline content, a tuple of plain strings
and the small types below; an edition's also `App`. The TEI of each type is in ``pipeline/jiaokan/tei/shapes.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

__all__ = [
    "App", "Block", "Break", "Certainty", "Content", "Correction", "Division", "DivisionKind", "DivisionRole",
    "Document", "EditorsMark", "EditorsName", "Figure", "Furniture", "Gap", "Glyph", "Head", "Inline", "Item", "Juan",
    "Line", "Mark", "NameKind", "Note", "NoteGroup", "NoteKind", "Paragraph", "Reading", "Role", "Space", "Span",
    "Supplied", "Surface", "Trailer", "Unit", "VariantClass", "Zone",
]

Certainty = Literal["high", "medium", "low"]
Role = Literal[
    "attribution",  # label: the words that name a speaker (注曰, [疏])
    "scope",        # ref: a scope lemma (“司宫”至“东上”)
    "lemma",        # quote: the words commented on (云“…”者)
    "quote",        # quote: any other quotation
    "person",       # persName
    "title",        # title: a work cited
    "fanqie",       # seg: AB反, AB切
    "duruo",        # seg: X音Y, X读若Y
    "textcrit",     # seg: a text-critical remark (今文无某); `subtype` says which
    "call",         # ref: the number that calls a note (〔三〕), and that with which it begins; `rend` its brackets
    "hi",           # hi: words in a form of their own (italic, code); `subtype` says which, several with hyphens
    "foreign",      # seg: words of an element that the encoding does not know; `subtype` is its name
    "link",         # ref: words that lead elsewhere; `ref` is the address
    "punct",        # pc: a mark of the source: printed as a note (〈句〉), `rend` its brackets; `subtype` ``source``:
                    # one that the editor's marks replace where these are shown
    "word",         # a token of CollateX's input: `subtype` is its normal form, `ref` its lemma; in no TEI
]
NameKind = Literal["person", "place", "org", "title", "name"]
"""What a name marked by the editor denotes: ``org`` a state, dynasty or clan; ``name``: undeclared."""
NoteKind = Literal["commentary", "gloss", "variant", "source", "editorial"]
DivisionKind = Literal["front", "part", "pian", "section", "ji"]
DivisionRole = Literal["", "edition", "apparatus", "translation", "commentary", "bibliography"]
VariantClass = Literal[
    "encoding", "case", "script", "spelling", "graphic", "loan", "taboo", "transliteration", "lookalike", "corruption",
    "lacuna", "inflection", "substantive", "omission", "addition", "transposition",
]


class Glyph(Struct, frozen=True, kw_only=True, tag=True):
    """A character of a source without a code point of its own (TEI ``g``)."""

    code: str  # what the source has for it: a private-use character, ``&KR0014;``, ``⿰木薄``, ``[金*薄]``
    standard: str = ""  # the standard character if the editor decided one; else empty (printed 〓)


class Correction(Struct, frozen=True, kw_only=True, tag=True):
    """A wrong graph of the transcription with its correction (TEI ``choice/sic+corr``)."""

    sic: str
    corr: str
    """The correct graphs; empty if those of the source are superfluous (``surplus`` if the source marks them so)."""
    resp: str = ""
    cert: Certainty | Literal[""] = "medium"
    source: str = ""
    """The parallel that proves it, in a few words or as a pointer; goes to ``corr/@source`` if a pointer."""
    rend: str = ""
    """Brackets of a correction that the source prints, around the wrong and the right graphs (``（）〔〕``) or around
    superfluous graphs; empty: the editor's correction."""


class Supplied(Struct, frozen=True, kw_only=True, tag=True):
    """Text that the transcription lost without trace, or that the source itself adds to its own (TEI ``supplied``)."""

    text: str
    reason: str = "glyph-lost"
    resp: str = ""
    cert: Certainty | Literal[""] = "medium"
    source: str = ""
    rend: str = ""  # brackets in which the source prints what it adds (``〔〕``); empty: the editor's


class Gap(Struct, frozen=True, kw_only=True, tag=True):
    """A lost place (TEI ``gap``): □ (``blank``), 【阙】 (``lacuna``), lost in transcription (``glyph-lost``)."""

    reason: Literal["blank", "lacuna", "glyph-lost"]
    rend: str = ""  # what the source prints there; empty if it prints nothing


class Space(Struct, frozen=True, kw_only=True, tag=True):
    """White space inside a line of the source (TEI ``space``): it separates speakers or paragraphs."""

    text: str


class Mark(Struct, frozen=True, kw_only=True, tag=True):
    """Where a witness's own unit begins inside an edition (TEI ``milestone unit="unit" ed="yishu" n="6.4.2"``).

    From there to the next, its text belongs to that unit: each witness reads back in its own order and units.
    """

    witness: str
    unit: str
    """The witness's unit or note, its id without the witness's name (``6.4.2``, ``6.4.2.n1``); ``6.4.2+13``: from the
    14th character of its text."""


class Break(Struct, frozen=True, kw_only=True, tag=True):
    """Where a page, column or line of a witness begins (TEI ``pb``, ``cb``, ``lb``; Guidelines 3.11.3). No text."""

    unit: Literal["page", "column", "line"]
    n: str = ""  # its number as the transcription writes it (``001-1a``)
    edition: str = ""  # the edition whose page it is, by the name that the transcription gives it (``WYG``; ``@ed``)
    image: str = ""  # address of a picture of the page, as the source or its settings give it (``@facs``)
    zone: str = ""  # id of the `Surface` or `Zone` that it begins; of several, separated by spaces (``@facs``)
    rend: str = ""
    """``/`` at the second half of a line of small type, or where a column goes on in another size: no line of the page.
    ``no`` inside a word."""


class Span(Struct, frozen=True, kw_only=True, tag=True):
    """A stretch of text with a role (TEI ``label``, ``ref``, ``quote``, ``persName``, ``title``, ``seg``, ``pc``)."""

    role: Role
    content: Content
    subtype: str = ""
    target: str = ""  # id of what it is about (``@target`` of a ref, ``@corresp`` of others)
    target_end: str = ""
    ref: str = ""
    """Id of the person or work named (``@ref``); of a quotation its places, separated by spaces (``@source``)."""
    rend: str = ""  # brackets of the source around it (``〈〉``)


class EditorsMark(Struct, frozen=True, kw_only=True, tag=True):
    """A mark of punctuation set by the editor (TEI ``pc``). No view of the text has it."""

    sign: str
    resp: str  # who set it
    cert: Certainty = "medium"
    basis: str = ""  # id of the statement in the header that says when and on what evidence (``@source``)


class EditorsName(Struct, frozen=True, kw_only=True, tag=True):
    """Words that the editor marks as a name (TEI ``persName``, ``placeName``, ``orgName``, ``title``, ``name`` with
    ``@resp``). Views see only its words."""

    kind: NameKind
    content: Content
    resp: str
    cert: Certainty = "medium"
    basis: str = ""  # as in `EditorsMark`
    ref: str = ""  # id of who or what is named, in ``persons.toml`` or ``places.toml``; empty if undeclared
    part: Literal["", "I", "M", "F"] = ""
    """First, middle or last part of a name that an entry or span divides (TEI ``@part``)."""


class Note(Struct, frozen=True, kw_only=True, tag=True):
    """What one speaker says, without a break (TEI ``note``)."""

    content: Content
    kind: NoteKind = "commentary"
    subtype: str = ""  # ``zhu`` 注, ``shu`` 疏, ``yinyi``, ``an`` 按, ``fuzhu`` 附注, ``shuo`` (later commentators)
    resp: str = ""  # id of the speaker in persons.toml; empty if unknown
    cert: Certainty | Literal[""] = ""  # how sure the attribution is; empty if the text names the speaker
    id: str = ""
    target: str = ""  # id of the unit, note, trailer, head or division that it is about
    target_end: str = ""  # id of the last unit if it covers several
    place: Literal["inline", "block", "top"] = "inline"
    """Its place in the source: in the line, in lines of its own, above the text 眉批 (TEI ``@place``)."""
    rend: str = ""  # brackets of the source around it (``【】``); one character if never closed
    sources: tuple[str, ...] = ()  # in an edition: ids of the witnesses that carry it (``@source``)
    alike: tuple[str, ...] = ()
    """In an edition: ids of similar notes of other works, under another name or in another chapter (``@corresp``)."""


class NoteGroup(Struct, frozen=True, kw_only=True, tag=True):
    """Several speakers in one pair of brackets (TEI ``noteGrp``)."""

    notes: tuple[Note, ...]
    rend: str = ""
    place: Literal["inline", "block", "top"] = "inline"


class Reading(Struct, frozen=True, kw_only=True, tag=True):
    """One reading of an entry (TEI ``lem`` or ``rdg``)."""

    witnesses: tuple[str, ...]  # ids of the witnesses that have it, in the edition's order
    content: Content = ()
    variant: VariantClass | Literal[""] = ""  # how it differs from the lemma; empty on the lemma
    source: str = ""
    """The table row, rule or decision behind `variant` (``yitizi``, ``opencc``, ``list:loan``, ``rule:…``)."""
    cert: Certainty | Literal[""] = ""
    resp: str = ""
    target: str = ""  # of a move: id of the edition's unit beside which this witness has what follows (``@corresp``)
    order: int = 0  # its step in a local stemma: 1 is what the others come from; 0: none given (``@varSeq``)


class App(Struct, frozen=True, kw_only=True, tag=True):
    """An apparatus entry (TEI ``app``): positive; each witness of the passage in exactly one reading."""

    lemma: Reading
    readings: tuple[Reading, ...]
    id: str = ""
    kind: Literal["variant", "attribution", "move", "accidental", "continued"] = "variant"
    """``attribution``: works introduce the same note by different words; ``move``: a witness has what follows elsewhere
    (lemma and readings are empty); ``accidental``: punctuation or spacing; ``continued``: the rest of an entry that
    begins in an earlier unit, of the same witnesses. These are not counted as variants."""
    same_as: str = ""  # 下同: id of the earlier entry that this one repeats (``@corresp``)
    notes: tuple[Note, ...] = ()
    """Notes of the editor: why a reading was chosen, what is open. Not text of any witness."""


class Unit(Struct, frozen=True, kw_only=True, tag=True):
    """A run of base text up to the next comment or paragraph end (TEI ``seg type="jing"``; verse: ``lg``)."""

    content: Content  # for verse, one `Line` for each line
    id: str = ""
    sources: tuple[str, ...] = ()  # in an edition: ids of the witnesses that have it (``@source``)
    verse: bool = False
    n: str = ""  # its number or label in the references of somebody else's file, if that numbers smaller passages


class Line(Struct, frozen=True, kw_only=True, tag=True):
    """A line of verse (TEI ``l``)."""

    content: Content
    n: str = ""  # its number, as the source states it (``@n``)


class Figure(Struct, frozen=True, kw_only=True, tag=True):
    """A picture that the transcription lost; `source` is the placeholder's text (TEI ``figure``)."""

    source: str
    description: str = ""
    image: str = ""  # address of the picture, as the source gives it (``@facs``)


Inline = (
    str | Glyph | Correction | Supplied | Gap | Space | Mark | Break | Span | EditorsMark | EditorsName | Note
    | NoteGroup | App | Unit | Line | Figure
)
Content = tuple[Inline, ...]


class Paragraph(Struct, frozen=True, kw_only=True, tag=True):
    """A paragraph of the source. ``jing``: units and the notes between them (TEI ``ab``); ``prose``: ``p``."""

    content: Content
    kind: Literal["jing", "prose"] = "jing"
    form: str = ""
    """What it is in somebody else's file, which pages show: ``speaker``, ``stage``, ``item``, ``cell``, ``row`` (the
    first cell of a row) … (``@rend``); empty: running text."""
    n: str = ""  # its number, as the source states it (``@n``)


class Head(Struct, frozen=True, kw_only=True, tag=True):
    """The title of a division (TEI ``head``), which may contain notes."""

    content: Content
    id: str = ""


class Trailer(Struct, frozen=True, kw_only=True, tag=True):
    """The 右… line that closes and names a section (TEI ``trailer``), which may contain notes."""

    content: Content
    id: str = ""


class Furniture(Struct, frozen=True, kw_only=True, tag=True):
    """A line that belongs to the page, not to the work (TEI ``fw``): 钦定四库全书, juan lines, bylines.

    ``chapter-part``: a chapter's title repeated where a juan divides it (燕礼第六之二); ``placeholder``: what a
    transcription prints for the cover of a volume (<经部,…>).
    """

    content: Content
    kind: Literal["juan-head", "juan-tail", "collection", "byline", "category", "chapter-part", "placeholder"]


class Juan(Struct, frozen=True, kw_only=True, tag=True):
    """The beginning of a scroll 卷 (TEI ``milestone unit="juan"``)."""

    n: int


Block = Paragraph | Head | Trailer | Furniture | Juan | Figure | Note | NoteGroup | App
"""What a division holds. An `App` among blocks: the presence of a whole note is the variant."""


class Division(Struct, frozen=True, kw_only=True, tag=True):
    """A part of a text (TEI ``div``): chapter 篇, section, 记, front matter."""

    kind: DivisionKind
    items: tuple[Block | Division, ...]
    n: str = ""  # its number in the canonical reference (``6``; ``6.3`` is section 3 of chapter 6 and has ``n="3"``)
    label: str = ""  # its name in references if that is not its number: 1A for 梁惠王上, 25 if the source numbers it so
    id: str = ""
    title: str = ""
    """Plain name for tables of contents; of a section its trailer without 右; if empty, its reference is shown."""
    role: DivisionRole = ""  # what it is beside others, in files of others that have them side by side


Item = Division | Block | Inline | Reading
"""Whatever a document contains; a `Reading` is in an `App` only."""


class Zone(Struct, frozen=True, kw_only=True):
    """A part of a page (TEI ``zone``)."""

    points: str  # its outline, in the units of its surface: ``1,2 3,4``
    id: str = ""
    kind: str = ""  # ``region``, ``line``, ``word``, or what somebody else's file has (``@type``)
    label: str = ""  # what the source calls it (``@subtype``)
    baseline: str = ""  # points of its line of writing (``path``)
    rotate: str = ""
    zones: tuple[Zone, ...] = ()


class Surface(Struct, frozen=True, kw_only=True):
    """A page as a plane, with its picture (TEI ``surface``, ``graphic``)."""

    id: str = ""
    n: str = ""
    corners: str = ""  # of the plane: ``ulx uly lrx lry``
    image: str = ""  # address or name of the picture, as the source gives it
    width: str = ""  # of the picture, with the unit: ``2605px``
    height: str = ""
    zones: tuple[Zone, ...] = ()


class Document(Struct, frozen=True, kw_only=True, weakref=True):
    """A whole text: one witness, or an edition of several."""

    id: str
    divisions: tuple[Division, ...]
    reference: str = ""
    """The form of its references (`jiaokan.model.references`); empty: chapter, section, unit, as its ids."""
    dropped: tuple[tuple[str, str], ...] = ()
    """What named rules left out: (rule, exact text), in the order of the source. Stored in the header."""
    surfaces: tuple[Surface, ...] = ()
    """Its pages with their zones (TEI ``facsimile``), to which `Break.zone` leads."""

    def __repr__(self) -> str:
        """Return one line: all fields of a book are millions of characters."""
        return f"Document({self.id!r}: {len(self.divisions)} divisions)"

    def chapters(self) -> Iterator[Division]:
        """Yield its chapters 篇, in order: the outermost divisions of kind ``pian``."""
        for division in self.divisions:
            if division.kind == "pian":
                yield division
