"""Cuts paragraphs of base text into units, each up to the next comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from jiaokan.model import App, Content, Division, Inline, Item, Note, NoteGroup, Paragraph, Space, Unit
from jiaokan.model.walk import Rewriting
from jiaokan.readers.tei.arrange import split_runs
from jiaokan.tei.apparatus import size


def in_units(divisions: Sequence[Division]) -> tuple[Division, ...]:
    """Return divisions with paragraphs of base text cut into units, each a run of words up to the next comment. An
    editor's note cuts no text."""
    return tuple(map(_Cutting().division, divisions))


class _Cutting(Rewriting):
    def item(self, item: Item) -> Item:
        if isinstance(item, Paragraph) and item.kind == "jing":
            return replace(item, content=tuple(_units(item.content)))
        return item


def _units(content: Content) -> Iterator[Inline]:
    for run, item in split_runs(content, _divides):
        if any(isinstance(part, App) or (size(part) and not isinstance(part, (Space, Note))) for part in run):
            yield Unit(content=tuple(run))
        else:
            yield from run
        if isinstance(item, Unit) and not item.verse:  # a numbered passage: its units have its number
            yield from (replace(part, n=item.n) if isinstance(part, Unit) else part for part in _units(item.content))
        elif item is not None:
            yield item


def _divides(item: Inline) -> bool:
    return isinstance(item, (NoteGroup, Unit)) or (isinstance(item, Note) and item.kind == "commentary")
