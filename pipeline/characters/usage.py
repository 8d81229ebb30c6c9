"""How two graphs are related in the witnesses that have them: by what the editor says, and by the witnesses' script."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from pipeline.characters.equality import Relate, judge
from pipeline.characters.relations import Judgement, related, related_in_traditional
from pipeline.decisions.throughout import Choices


def judge_between(
    choices: Choices, lemma: str, reading: str, here: Collection[str], there: Collection[str]
) -> Judgement:
    """Judge how two readings differ (as `equality.judge`), the lemma that of the witnesses `here`, the reading that of
    those `there` (ids).

    Pairs of the editor stand above all tables. Script is a difference unless all of these witnesses are in
    traditional script: a transcription in simplified graphs does not attest which of them its print has.
    """
    if choices.pairs and (own := choices.pair(lemma, reading, (*here, *there))):
        return Judgement(own.variant, "decision:pair")
    relate = _relate(choices, here, there)
    return judge(lemma, reading, relate) if choices.pairs else _judged(lemma, reading, relate)


_judged = lru_cache(maxsize=16384)(judge)
"""What the tables alone say of two words; the same pairs are asked for at every column and again for their entry."""


def _relate(choices: Choices, here: Collection[str], there: Collection[str]) -> Relate:
    both = choices.traditional and here and choices.traditional.issuperset((*here, *there))
    plain = related_in_traditional if both else related
    if not choices.pairs:
        return plain

    def relate(left: str, right: str) -> Judgement:
        own = choices.pair(left, right, (*here, *there))
        return Judgement(own.variant, "decision:pair") if own else plain(left, right)

    return relate
