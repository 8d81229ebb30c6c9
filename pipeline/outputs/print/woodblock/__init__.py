"""The traditional page 版式: vertical columns on half-leaves, base text single, commentary in double lines.

Typst knows no vertical writing, so the page is laid out here, and Typst only places lines, by
``xslt/layouts/traditional/woodblock.typ``.
From the flat list that ``xslt/layouts/traditional`` makes of a text:

- `script` reads it into blocks of cells, one cell a character;
- `page` lays blocks out on half-leaves, a pure function;
- `book` does so for a whole book, with contents and indexes by leaf (`leaves`);
- `source` writes the leaves as a Typst document.
"""

from __future__ import annotations

from pipeline.outputs.print.listed import lists, with_pages
from pipeline.outputs.print.volumes import TypesetBook
from pipeline.outputs.print.woodblock.cells import Grid
from pipeline.outputs.print.woodblock.source import leaves
from pipeline.settings.plans import PrintPlan


def lay_out(book: TypesetBook, plan: PrintPlan) -> TypesetBook:
    """Return a book with leaves in place of the lists that the layout's stylesheet made."""
    pages = leaves(lists(book), Grid(columns=plan.columns, rows=plan.rows), punctuation=plan.punctuation != "hidden",
                   raised=plan.woodcut.raised, ringed=plan.woodcut.ringed, whole=plan.leaf == "whole")
    return with_pages(book, pages)
