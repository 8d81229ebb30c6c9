"""Words that close a division of which nothing stands before them: its text is lost, or they stand twice."""

from __future__ import annotations

from operator import is_

from msgspec.structs import replace

from pipeline.model import Block, Division, Document, Paragraph, Trailer

_TEXT = (Paragraph, Division)


def closing(document: Document) -> Document:
    """Give a document in which a trailer ends what stands before it: where nothing does, its words are prose.

    Source: TEI Guidelines, 4.2 and the content of ``div``: model.divBottom follows a component of the text.
    """
    return replace(document, divisions=tuple(map(_closed, document.divisions)))


def _closed(division: Division) -> Division:
    begun = False
    items: list[Block | Division] = []
    for item in division.items:
        made: Block | Division = item
        if isinstance(item, Division):
            made = _closed(item)
        elif isinstance(item, Trailer) and not begun:
            made = Paragraph(content=item.content, kind="prose")
        begun = begun or isinstance(made, _TEXT)
        items.append(made)
    return division if all(map(is_, items, division.items)) else replace(division, items=tuple(items))
