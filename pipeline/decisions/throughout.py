"""Decisions that hold throughout: characters that a source loses, pairs of characters, substitutes in print.

Where a source of a ``[[lost]]`` table lacks one of its characters, its reading is a lacuna, not an omission. A
``[[pair]]`` table judges two characters that the program's tables do not have, or judge differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from pipeline.decisions.kinds import load, load_file
from pipeline.decisions.tables import CharacterPair, LostGlyphs, PrintedCharacter
from pipeline.errors import CatalogError


@dataclass(frozen=True)
class Choices:
    """Lost characters and pairs of an edition folder."""

    lost: tuple[LostGlyphs, ...] = ()
    pairs: tuple[CharacterPair, ...] = ()
    traditional: frozenset[str] = frozenset()
    """The witnesses in traditional script, by their languages."""

    @classmethod
    def load(cls, root: Path, languages: Mapping[str, str] | None = None) -> Choices:
        """Read the decisions; `languages` are those of the witnesses (BCP 47, ``lzh-Hant``).

        Raises CatalogError for a malformed file, and for an invalid or duplicate pair.
        """
        seen: dict[tuple[frozenset[str], str | None], int] = {}
        pairs = load(root, CharacterPair)
        for filed in pairs:
            each = filed.decision
            key = frozenset((each.left, each.right)), each.source
            if not each.left or not each.right or len(key[0]) < 2:
                raise CatalogError("a pair needs two different characters", place=filed.place,
                                   mend='write left = "祭" and right = "𥙊"')
            if key in seen:
                raise CatalogError(f"{each.left}/{each.right} is decided twice", place=filed.place,
                                   mend=f"withdraw it here or in line {seen[key]}")
            seen[key] = filed.line
        return cls(
            lost=tuple(filed.decision for filed in load(root, LostGlyphs)),
            pairs=tuple(filed.decision for filed in pairs),
            traditional=frozenset(name for name, tag in (languages or {}).items() if "Hant" in tag.split("-")),
        )

    def within(self, graphs: frozenset[str]) -> Choices:
        """Return the decisions that can apply to a text with only these characters."""
        lost = ((rule, "".join(sorted(graphs.intersection(rule.characters)))) for rule in self.lost)
        return Choices(
            lost=tuple(replace(rule, characters=found) for rule, found in lost if found),
            pairs=tuple(each for each in self.pairs if graphs.issuperset(each.left + each.right)),
            traditional=self.traditional,
        )

    def loses(self, source: str, graph: str) -> bool:
        """Whether a transcription is known to lose a character."""
        return any(rule.source == source and graph in rule.characters for rule in self.lost if graph)

    def pair(self, left: str, right: str, witnesses: Iterable[str]) -> CharacterPair | None:
        """Return the decision on two words of these witnesses, rather one on a witness than one on all, or None."""
        names = {None, *witnesses}
        held = [each for each in self.pairs if each.source in names and {each.left, each.right} == {left, right}]
        return min(held, key=lambda each: each.source is None, default=None)


def load_printed(path: Path) -> Mapping[str, PrintedCharacter]:
    """Read the substitutes for characters without a font, if the file exists. Raises CatalogError if it is invalid."""
    decided: dict[str, PrintedCharacter] = {}
    for filed in load_file(path, PrintedCharacter):
        char = chr(int(filed.decision.code.removeprefix("U+"), 16))
        if char in decided:
            raise CatalogError(f"{filed.decision.code} is decided twice", place=filed.place)
        decided[char] = filed.decision
    return decided
