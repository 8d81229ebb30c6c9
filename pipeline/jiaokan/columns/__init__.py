"""Vertical pages: runs of words come in, glyphs in their places go out; sealed, it knows of no editions.

In come `Block` values of `Sort` values (`sorts_of` and `cells_of` make them of words) and the size of a page; out go
`SetPage` values: lines of sorts, each with its place from the right and from the head. Read first `types` (sorts,
blocks, lines, pages), `paging` (columns by lengths, after clreq and GB/T 15834) and `grid` (the traditional page).
"""

from jiaokan.columns.characters import joins, sideways
from jiaokan.columns.grid import (
    ABOVE,
    BOXED,
    EDITOR,
    NARROW,
    ROWS,
    SINGLE,
    SLOTS,
    WIDE,
    Grid,
    cells_of,
    lay_out,
    plain,
)
from jiaokan.columns.margin import place_notes, set_head_notes
from jiaokan.columns.paging import PITCH, Forme, columns_of, facing_pages, pages_of
from jiaokan.columns.sorts import CLOSING, OPENING, TALL, Face, Faces, faces, sorts_of, with_ending, with_reading
from jiaokan.columns.types import (
    LEAVES,
    SHORT,
    TIERS,
    Block,
    Break,
    Heading,
    ListedText,
    NameLine,
    Ruby,
    SetLine,
    SetPage,
    SideSign,
    SignKind,
    Sort,
    SortKind,
)

__all__ = [
    "ABOVE", "BOXED", "CLOSING", "EDITOR", "LEAVES", "NARROW", "OPENING", "PITCH", "ROWS", "SHORT", "SINGLE", "SLOTS",
    "TALL", "TIERS", "WIDE", "Block", "Break", "Face", "Faces", "Forme", "Grid", "Heading", "ListedText", "NameLine",
    "Ruby", "SetLine", "SetPage", "SideSign", "SignKind", "Sort", "SortKind", "cells_of", "columns_of", "faces",
    "facing_pages", "joins", "lay_out", "pages_of", "place_notes", "plain", "set_head_notes", "sideways", "sorts_of",
    "with_ending", "with_reading",
]
