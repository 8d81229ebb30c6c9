"""The constants of collation in one table, with those of the alignment: unit, effect and source of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from jiaokan.align import About, AlignmentSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class CollationSettings(AlignmentSettings):
    """The settings of the aligner, and those of what collation does with its columns."""

    long: Annotated[int, About(
        "tokens",
        "A long passage: so many shared words make two notes one wherever they are; so many words that no other "
        "witness has are reported; a quotation of earlier scholars is searched with so many on each side",
        "8: 37 entries for 23; 16: nothing",
    )] = 12
    alike: Annotated[float, About(
        "share",
        "Additions, divided words and units elsewhere are one text if they share so much: half is often "
        "chance in short ones (君子務本, 君子之道)",
        "0.5: Severian +10, but unlike additions are joined; 0.75: De fide −12, Severian −10",
    )] = 0.6
    shared: Annotated[float, About(
        "share of the shorter",
        "Two notes are one, or point to each other, if they share so much: a work that abridges shares all of its own "
        "few words (音介, 音界). A unit of which a witness shares less is reported",
        "0.4: 45 entries for 23; 0.6: seven decisions no longer fit",
    )] = 0.5
    near: Annotated[int, About(
        "places",
        "Notes with more places between them are not one, or do not point to each other, if they share little",
        "4: nothing; 12: six entries more",
    )] = 6
    far: Annotated[int, About(
        "places",
        "A note with more places between its positions in two works is reported, and is a move",
        "2: five entries more; 4: a finding less",
    )] = 3
    least: Annotated[int, About(
        "rows of four graphs",
        "Shorter notes do not point to others with the same words: anybody could write such a gloss",
        "8: five findings more; 12: four less",
    )] = 10
    little: Annotated[int, About(
        "letters",
        "A word of so many letters is no transposition alone: two places can have it by chance (et, in, sed)",
        "2, 4: nothing",
    )] = 3
    recurring: Annotated[int, About(
        "places",
        "A quotation of an earlier scholar that is in more places fixes none of his others",
        "50: one is wrong in 尚書釋文, one more is placed in 莊子釋文; 1,000: nothing (周易, 尚書, 論語, 莊子釋文)",
    )] = 200


SETTINGS = CollationSettings()
