"""Graphs that a transcription is known to lose: what the editor says of a whole text.

``tei/decisions/lost-glyphs.toml`` holds ``[[lost]]`` tables: `source` lost the `characters` throughout, so where
it lacks one of them its reading is a lacuna, not an omission. Decisions on single readings: ``rulings.py``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pipeline.decisions.context import nobody
from pipeline.errors import DecisionError, Place
from pipeline.model import Certainty
from pipeline.settings.catalog import typed
from pipeline.settings.plans import EditionPlan, Strict
from pipeline.settings.toml import table_lines


class LostGlyphs(Strict, frozen=True, kw_only=True):
    """Graphs that a transcription loses without trace."""

    source: str
    characters: str
    resp: str
    why: str
    when: date | None = None
    cert: Certainty = "high"


class _LostFile(Strict, frozen=True, kw_only=True):
    lost: tuple[LostGlyphs, ...] = ()


@dataclass(frozen=True)
class Choices:
    """What an edition folder says of graphs that its sources lose."""

    lost: tuple[LostGlyphs, ...] = ()
    path: Path = Path("tei/decisions/lost-glyphs.toml")

    @classmethod
    def load(cls, root: Path) -> Choices:
        """Read the decisions; raises CatalogError for a malformed file."""
        path = root / "tei" / "decisions" / "lost-glyphs.toml"
        return cls(lost=typed(path, _LostFile).lost if path.exists() else (), path=path)

    def fit(self, plan: EditionPlan, sources: Iterable[str]) -> None:
        """Hold the decisions against an edition; raises DecisionError for an unknown source."""
        known = {*sources, *plan.all_witnesses()}
        for n, rule in enumerate(self.lost):
            if rule.source not in known:
                near = difflib.get_close_matches(rule.source, known, 1)
                raise DecisionError(
                    f"the lost characters {rule.characters} are said of {rule.source!r}, which is no source",
                    place=self._place(n),
                    mend=f"did you mean {near[0]!r}?" if near else f"sources: {', '.join(sorted(known))}",
                )

    def stated(self, persons: Iterable[str]) -> None:
        """Raise DecisionError for a decision of somebody whom nobody declared."""
        for n, rule in enumerate(self.lost):
            if reason := nobody(rule.resp, persons):
                raise DecisionError(reason, place=self._place(n), mend="declare the person, or write who it was")

    def _place(self, n: int) -> Place:
        lines = table_lines(self.path).get("lost", []) if self.path.exists() else []
        return Place(str(self.path), lines[n] if n < len(lines) else 0)

    def loses(self, source: str, graph: str) -> bool:
        """Tell whether a transcription is known to lose a graph."""
        return any(rule.source == source and graph in rule.characters for rule in self.lost if graph)
