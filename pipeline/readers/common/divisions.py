"""Divisions under construction, and trailers that close nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import is_

from msgspec.structs import replace

from pipeline.model import Block, Division, DivisionKind, Document, Paragraph, Trailer
from pipeline.settings.catalog import Chapter


@dataclass
class OpenDivision:
    """A division that is not closed yet."""

    kind: DivisionKind
    n: str = ""
    title: str = ""
    label: str = ""
    items: list[Block | Division] = field(default_factory=list)
    closed: bool = False
    """Whether it has its trailer, after which only notes may follow."""

    @classmethod
    def of(cls, chapter: Chapter) -> OpenDivision:
        """Begin a chapter of the work."""
        return cls("pian", str(chapter.n), chapter.title)

    def close(self) -> Division:
        """Return the division with its present items."""
        return Division(kind=self.kind, n=self.n, label=self.label, title=self.title, items=tuple(self.items))


def demote_trailers(document: Document) -> Document:
    """Return a document in which a trailer without text before it in its division is a paragraph of prose.

    The text before it is lost, or the words are printed twice. Source: TEI Guidelines 4.2 and the content of ``div``:
    model.divBottom follows a component of the text.
    """
    return replace(document, divisions=tuple(map(_demote, document.divisions)))


def _demote(division: Division) -> Division:
    has_text = False
    items: list[Block | Division] = []
    for item in division.items:
        if isinstance(item, Trailer) and not has_text:
            items.append(Paragraph(content=item.content, kind="prose"))
        else:
            items.append(_demote(item) if isinstance(item, Division) else item)
        has_text = has_text or isinstance(items[-1], (Paragraph, Division))
    return division if all(map(is_, items, division.items)) else replace(division, items=tuple(items))
