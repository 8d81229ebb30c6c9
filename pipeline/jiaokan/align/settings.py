"""The constants of the alignment in one table: unit, effect and source of each; all others follow from these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated, NamedTuple, get_type_hints


class About(NamedTuple):
    """What a setting means, and what its neighbours do; the texts are in docs/development/measured.md."""

    unit: str
    effect: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentSettings:
    """The settings of the aligner."""

    phrase: Annotated[int, About(
        "tokens",
        "The shortest text that is a phrase, not words. Anchors have 4, 2 and 1 phrases; equal runs of a phrase divide "
        "a gap, and are kept between an omission and an addition; so many words are substituted for others in a row; "
        "two phrases that are elsewhere are a move",
        "3: 洛陽伽藍記 −12 exact entries, two of the edition change; 5: Severian −27, five decisions no longer fit",
    )] = 4
    chance: Annotated[int, About(
        "tokens",
        "So few equal words in unlike text are chance: they are removed, and do not interrupt a moved passage. More "
        "than so many are the seed of a move",
        "1: 洛陽伽藍記 −7, four decisions no longer fit; 3: 無量壽經 −2, four decisions",
    )] = 2
    outweighed: Annotated[int, About(
        "times",
        "An equal run is removed if on both sides unlike text of more than so many times its length is set against "
        "unlike text",
        "1: Hom. de dominica −1; 3: Severian −4, a decision no longer fits",
    )] = 2
    lost_in: Annotated[int, About(
        "times",
        "Equal words that may be chance are removed if so many times their length is unpaired on both sides",
        "8: De fide −2, a decision no longer fits; 12: nothing; 20: one more, one less",
    )] = 10
    longer: Annotated[int, About(
        "times",
        "A phrase for another: the longer has at most so many times the words of the shorter and one more",
        "3: Severian +2, seven entries for five; 6: two decisions no longer fit",
    )] = 4
    dearest: Annotated[float, About(
        "times",
        "Anchors, but for the longest, may make a gap so many times dearer than least cost: formulae repeat",
        "1.2: two decisions no longer fit; 3: 法顯傳 −2, an entry is invented",
    )] = 1.5
    exact_cells: Annotated[int, About(
        "cells (length × length)",
        "Larger gaps are divided by anchors or edit distance, others are aligned exactly with graded costs",
        "200: Hom. de dominica −4, a decision no longer fits; 800: two exact entries more, and time",
    )] = 400
    run_cells: Annotated[int, About(
        "cells",
        "In larger runs of substitutions words are not set beside those that they stand for: one entry anyway",
        "50: Severian −1; 400: Severian +4, Hom. de dominica +1, one entry of the edition changes",
    )] = 100
    large_cells: Annotated[int, About(
        "cells",
        "In larger gaps neither anchors are weighed against least cost nor phrases are searched: 0.2 s for each",
        "10,000: nothing; it bounds time in long texts",
    )] = 100_000_000
    unrelated: Annotated[int, About(
        "hundredths of an edit",
        "What an unrelated word in place of another costs more than a related one: of equal costs the related wins",
        "1: Severian −39, 洛陽伽藍記 −9; 8: Severian +2",
    )] = 4
    opening: Annotated[int, About(
        "hundredths of an edit",
        "What each gap costs besides its words: few, long gaps",
        "1: Severian +2; 8: Severian −43, 洛陽伽藍記 −9",
    )] = 3

    @property
    def anchors(self) -> tuple[int, int, int]:
        """The lengths of anchors, tried in this order inside each gap."""
        return 4 * self.phrase, 2 * self.phrase, self.phrase

    @property
    def few(self) -> int:
        """The fewest tokens that are not chance."""
        return self.chance + 1

    def is_near_in_length(self, first: int, second: int) -> bool:
        """Whether texts of these lengths may stand for each other."""
        short, long = sorted((first, second))
        return long <= self.longer * (short + 1)


SETTINGS = AlignmentSettings()


def table_of_settings(settings: AlignmentSettings) -> Iterator[tuple[str, object, About]]:
    """Yield name, value and meaning of each setting."""
    hints = get_type_hints(type(settings), include_extras=True)
    for setting in fields(settings):
        about: About = hints[setting.name].__metadata__[0]
        yield setting.name, getattr(settings, setting.name), about
