"""The punctuated vertical page 竖排点校本: columns from the right, commentary smaller, lines beside names.

Typst knows no vertical writing, so pages are laid out here, and Typst only places runs of sorts, by
``xslt/layouts/vertical/columns.typ``. From the flat list that ``xslt/layouts/vertical`` makes of a text:

- `reading` makes blocks of `sorts`, each with the length that it takes in a column;
- `breaking` cuts a block into columns, `paging` puts them on pages: pure functions;
- `whole` does so for a book, with contents and indexes by page;
- `source` writes the pages as a Typst document.
"""

from __future__ import annotations

from pipeline.outputs.print.columns.source import pages
from pipeline.outputs.print.listed import lists, with_pages
from pipeline.outputs.print.volumes import TypesetBook
from pipeline.settings.plans import PrintPlan


def lay_out(book: TypesetBook, plan: PrintPlan) -> TypesetBook:
    """Return a book with pages in place of the lists that the layout's stylesheet made."""
    return with_pages(book, pages(lists(book), plan))
