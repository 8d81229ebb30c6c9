"""Graphs that a transcription is known to lose: what the editor says of a whole text.

``tei/decisions/lost-glyphs.toml`` holds ``[[lost]]`` tables: `source` lost the `characters` throughout, so where
it lacks one of them its reading is a lacuna, not an omission. Decisions on single readings: ``readings.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.decisions.kinds import load
from pipeline.decisions.tables import LostGlyphs


@dataclass(frozen=True)
class Choices:
    """What an edition folder says of graphs that its sources lose."""

    lost: tuple[LostGlyphs, ...] = ()

    @classmethod
    def load(cls, root: Path) -> Choices:
        """Read the decisions; raises CatalogError for a malformed file."""
        return cls(tuple(each.decision for each in load(root, LostGlyphs)))

    def loses(self, source: str, graph: str) -> bool:
        """Tell whether a transcription is known to lose a graph."""
        return any(rule.source == source and graph in rule.characters for rule in self.lost if graph)
