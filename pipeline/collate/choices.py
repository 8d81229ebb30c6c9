"""What the editor decided about readings: lemmata, and graphs that a transcription is known to lose.

``tei/decisions/lost-glyphs.toml`` holds ``[[lost]]`` tables: `source` lost the `characters` throughout, so where
it lacks one of them its reading is a lacuna, not an omission. ``tei/decisions/lemmas.toml`` holds ``[[lemma]]``
tables: in `unit` of the edition, where the base has the bracketed words of `context`, `reading` is the lemma.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.catalog import typed
from pipeline.errors import DecisionError, Place
from pipeline.model import Certainty
from pipeline.plans import EditionPlan, Strict


class LostGlyphs(Strict, frozen=True, kw_only=True):
    """Graphs that a transcription loses without trace."""

    source: str
    characters: str
    resp: str
    why: str
    cert: Certainty = "high"


class LemmaChoice(Strict, frozen=True, kw_only=True):
    """The reading that the editor prints in one place."""

    unit: str
    context: str
    """Words of the base, those in question in square brackets (``小臣[约]卿大夫``; ``答[]拜``)."""
    reading: str
    resp: str
    why: str
    when: str
    cert: Certainty = "medium"


class _LostFile(Strict, frozen=True, kw_only=True):
    lost: tuple[LostGlyphs, ...] = ()


class _LemmaFile(Strict, frozen=True, kw_only=True):
    lemma: tuple[LemmaChoice, ...] = ()


@dataclass
class Choices:
    """The decisions on readings of an edition folder; remembers which lemma choices were applied."""

    lost: tuple[LostGlyphs, ...] = ()
    lemmas: tuple[LemmaChoice, ...] = ()
    path: Path = Path("tei/decisions/lemmas.toml")
    applied: set[LemmaChoice] = field(default_factory=set)

    @classmethod
    def load(cls, root: Path) -> Choices:
        """Read the decisions; raises CatalogError for a malformed file."""
        home = root / "tei" / "decisions"
        lost, lemmas = home / "lost-glyphs.toml", home / "lemmas.toml"
        return cls(
            lost=typed(lost, _LostFile).lost if lost.exists() else (),
            lemmas=typed(lemmas, _LemmaFile).lemma if lemmas.exists() else (),
            path=lemmas,
        )

    def fit(self, plan: EditionPlan, sources: Iterable[str]) -> None:
        """Hold the decisions against an edition; raises DecisionError for an unknown source or chapter."""
        known = {*sources, *plan.all_witnesses()}
        for rule in self.lost:
            if rule.source not in known:
                near = difflib.get_close_matches(rule.source, known, 1)
                raise DecisionError(
                    f"the lost characters {rule.characters} are said of {rule.source!r}, which is no source",
                    place=Place(str(self.path.with_name("lost-glyphs.toml"))),
                    mend=f"did you mean {near[0]!r}?" if near else f"sources: {', '.join(sorted(known))}",
                )
        chapters = {f"{plan.id}.{chapter.n}" for chapter in plan.chapters}
        for choice in self.lemmas:
            if choice.unit.startswith(f"{plan.id}.") and ".".join(choice.unit.split(".")[:2]) not in chapters:
                raise self.refusal(choice, "the edition has no such chapter")

    def loses(self, source: str, graph: str) -> bool:
        """Tell whether a transcription is known to lose a graph."""
        return any(rule.source == source and graph in rule.characters for rule in self.lost if graph)

    def for_unit(self, unit: str, words: str) -> dict[tuple[int, int], LemmaChoice]:
        """Give the lemma choices of a unit by the place of their words in it: first and last offset.

        Raises DecisionError for a choice whose context does not stand exactly once in the base's `words`.
        """
        found: dict[tuple[int, int], LemmaChoice] = {}
        for choice in self.lemmas:
            if choice.unit != unit:
                continue
            parts = re.fullmatch(r"([^\[\]]*)\[([^\[\]]*)\]([^\[\]]*)", choice.context)
            context = "".join(parts.groups()) if parts else ""
            if parts is None or words.count(context) != 1:
                raise self.refusal(choice, f"its context stands {words.count(context) if parts else 'nowhere'} times")
            start = words.index(context) + len(parts[1])
            found[start, start + len(parts[2])] = choice
        return found

    def check(self, units: set[str], chapter: str) -> None:
        """Raise DecisionError for a lemma choice of this chapter that met no entry with its reading."""
        for choice in self.lemmas:
            if choice.unit.startswith(f"{chapter}.") and choice not in self.applied:
                known = "no witness has its reading there" if choice.unit in units else "there is no such unit"
                raise self.refusal(choice, known)

    def refusal(self, choice: LemmaChoice, reason: str) -> DecisionError:
        """Give the error for a choice that does not fit."""
        return DecisionError(
            f"the lemma {choice.reading!r} for {choice.context!r} in {choice.unit} no longer fits: {reason}",
            place=Place(str(self.path)), mend="correct its context to what the base now has, or withdraw the decision",
        )
