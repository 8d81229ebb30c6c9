"""What becomes of each element of TEI P5 in a text, and of each attribute with words or a pointer: the table
``fates.tsv``. An element that is not in it is shown as its words, with a mark, and reported."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, cast, get_args

ElementFate = Literal[
    "part",         # of a document: its own parts are read
    "division",     # a chapter or section
    "block",        # a paragraph, or what holds some
    "stage",        # a block between paragraphs, words inside one: stage directions
    "head",         # a head, or a line of a title page
    "line",         # a line of verse
    "inline",       # words in a paragraph
    "span",         # words with a role of the model
    "words",        # segmentation, of which only the words are kept
    "note",         # a note
    "beside",       # what is written beside words to say how to read them
    "boundary",     # the beginning of a page, column or line
    "milestone",    # a place without words
    "sign",         # what is missing, hard to read, or a character without code
    "apparatus",    # part of an entry
    "turn",         # where a witness begins or stops
    "alternative",  # several forms of one place; one of them is shown
    "deleted",      # words of the source that its text does not have
    "restored",     # a deletion that is cancelled
    "picture",      # a picture, or what describes a page by its zones
    "example",      # an example of encoding, shown as it is written
    "list",         # a list of what a text names or rests on: no running text
    "metadata",     # what belongs to a header; words of it inside a text are shown
    "left-out",     # words that are not text: listed in the ledger
]
AttributeFate = Literal[
    "number",      # shown as the number of its line, paragraph or division
    "picture",     # the address of a picture
    "language",    # of words
    "form",        # how words look
    "kind",        # what kind of thing an element is
    "sign",        # how much is missing, and why
    "apparatus",   # who reads what, and where
    "pointer",     # to something of the file or elsewhere
    "left-out",    # words beside the text, such as lemmata of a dictionary: counted in the ledger
]


class Fate(NamedTuple):
    """A row of the table."""

    fate: ElementFate
    form: str = ""
    """The form in which a page shows it (``speaker``), the unit of a boundary, the role of a span, or the brackets of
    what is deleted; empty for plain words."""


@cache
def _rows() -> tuple[tuple[str, str, str], ...]:
    lines = Path(__file__).with_name("fates.tsv").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple((name, fate, form[0] if form else "") for name, fate, *form in cells)


@cache
def element_fates() -> dict[str, Fate]:
    """Return the fate of each element of TEI P5, by name."""
    known = get_args(ElementFate)
    if unknown := [name for name, fate, _ in _rows() if not name.startswith("@") and fate not in known]:
        raise ValueError(f"fates.tsv: unknown fate of {', '.join(unknown)}")
    return {name: Fate(cast(ElementFate, fate), form) for name, fate, form in _rows() if not name.startswith("@")}


@cache
def attribute_fates() -> dict[str, AttributeFate]:
    """Return the fate of each attribute with words or a pointer, by name."""
    return {name[1:]: cast(AttributeFate, fate) for name, fate, _ in _rows() if name.startswith("@")}


def elements_of(*fates: ElementFate) -> frozenset[str]:
    """Return the elements with one of these fates."""
    return frozenset(name for name, row in element_fates().items() if row.fate in fates)


def forms_of(*fates: ElementFate) -> dict[str, str]:
    """Return the forms of the elements with one of these fates, by name; empty ones are left out."""
    return {name: row.form for name, row in element_fates().items() if row.fate in fates and row.form}
