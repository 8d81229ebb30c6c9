"""Words of grammar, which copyists leave out and put in where they keep the words of sense.

顏之推 says it of 也 (《顏氏家訓·書證》: 河北經傳悉略此字). The graphs are of those that 王引之《經傳釋詞》 and 楊樹達
《詞詮》 treat: particles, prepositions, conjunctions, pronouns, adverbs of extent; without negations and without those
that are as often words of sense (為, 與, 是).
"""

from __future__ import annotations

from functools import lru_cache

from pipeline.characters.equality import norm

_GRAPHS = "也矣焉哉乎歟邪耶兮耳爾夫之者其所於于以而則即乃且故蓋亦又猶尚既皆咸俱惟唯維諸粵"


@lru_cache(maxsize=65536)
def is_particle(graph: str) -> bool:
    """Tell whether a graph (or the normal form of one) is mostly a word of grammar."""
    return norm(graph) in _forms()


@lru_cache(maxsize=1)
def _forms() -> frozenset[str]:
    return frozenset(map(norm, _GRAPHS))
