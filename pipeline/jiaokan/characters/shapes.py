"""How alike two graphs look, by their Cangjie and four-corner codes, which follow components and corners.

``shapes.txt`` has the codes from Unihan (``python -m tests.unihan Unihan_DictionaryLikeData.txt``). The bounds are from
337 pairs of words that are often confused (令今, 書晝, 懷壞), of which 71 % are `LIKE`, and 4,000 random pairs of
graphs of 儀禮, of which 1 % are. Ideographic descriptions were not used: no list of them may be shipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from rapidfuzz.distance import Indel

from jiaokan.characters.dictionaries import is_confusable
from jiaokan.model import Certainty
from jiaokan.model.words import traditional

SHAPES = Path(__file__).with_name("shapes.txt")
LIKE, CLOSE = 1.15, 1.4
"""The likenesses (0 to 2) from which two graphs look alike, and from which they are hardly distinguished."""


@cache
def _codes() -> Mapping[str, str]:
    """Return the Cangjie and the four-corner codes of each graph, parted by a tab."""
    with SHAPES.open(encoding="utf-8") as lines:
        return dict(line.rstrip("\n").split("\t", 1) for line in lines if not line.startswith("#"))


@lru_cache(maxsize=65536)
def likeness(left: str, right: str) -> float:
    """Return how alike two graphs look, from 0 to 2: the common part of their Cangjie codes and of their corners."""
    if left not in _codes() or right not in _codes():
        return 0.0
    (cangjie, corners), (other, others) = (_codes()[graph].split("\t") for graph in (left, right))
    parts = float(Indel.normalized_similarity(cangjie, other))
    same = max((sum(map(str.__eq__, x, y)) for x, y in product(corners.split(), others.split())), default=0)
    return parts + same / 4


def look_alike(left: str, right: str) -> Certainty | None:
    """Return how certain it is that one of two words is a slip for the other by its form; None if they look unlike."""
    if is_confusable(left, right):
        return "high"
    nearest = max(likeness(left, right), likeness(traditional(left), traditional(right)))
    return None if nearest < LIKE else "medium" if nearest >= CLOSE else "low"


CLEARLY = 0.4
"""By so much one graph of a text has to look more like another than the rest. Of 363 places where 毛居正《六經正誤》
names the graph, 172 have one that does: the right one in 166, and in all of some 95 where he does not name it."""


def find_likest(text: Sequence[str], graph: str) -> list[int]:
    """Return where the graph of a text is that looks like another, and clearly more than the rest; the last graph of a
    text needs less. No place: none does, or several do."""
    shapes = [max(likeness(other, graph), likeness(traditional(other), traditional(graph))) for other in text]
    best = max(shapes, default=0.0)
    least = LIKE if not shapes or shapes[-1] < best else LIKE - CLEARLY
    near = [at for at, likest in enumerate(shapes) if likest > best - CLEARLY]
    return near if len(near) == 1 and best >= least else []
