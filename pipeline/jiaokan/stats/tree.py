"""Witnesses as a tree by neighbour joining (Saitou and Nei, Molecular Biology and Evolution 4, 1987, 406–425, with the
sums of Studier and Keppler, ibid. 5, 1988, 729–731): of all pairs the one whose joining makes the tree shortest is one.
The tree has no root; it says how far witnesses are from each other, not who copied whom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of the tree: a witness, or what joins others; the whole is a branch without length."""

    name: str
    length: float
    parts: tuple[Branch, ...] = ()

    def depth(self) -> float:
        """Return the length of the longest way to a witness, this branch included."""
        return self.length + max((part.depth() for part in self.parts), default=0.0)


def neighbours(names: Sequence[str], distances: Mapping[tuple[str, str], float]) -> Branch:
    """Return the tree of three or more witnesses, whose distances are by pairs in their order. A negative length, which
    distances that fit no tree can give, counts as none (Kuhner and Felsenstein 1994)."""
    nodes = [Branch(name, 0.0) for name in names]
    far = {(a, b): distances.get((first_name, other), distances.get((other, first_name), 0.0))
           for a, first_name in enumerate(names) for b, other in enumerate(names) if a != b}
    alive = list(range(len(names)))
    while len(alive) > 3:
        sums = {a: sum(far[a, b] for b in alive if b != a) for a in alive}
        pairs = [(a, b) for a in alive for b in alive if a < b]
        a, b = min(pairs, key=lambda pair: (len(alive) - 2) * far[pair] - sums[pair[0]] - sums[pair[1]])
        length = far[a, b] / 2 + (sums[a] - sums[b]) / (2 * (len(alive) - 2))
        new = len(nodes)
        nodes.append(Branch("", 0.0, (_long(nodes[a], length), _long(nodes[b], far[a, b] - length))))
        alive = [node for node in alive if node not in (a, b)]
        for node in alive:
            far[node, new] = far[new, node] = (far[a, node] + far[b, node] - far[a, b]) / 2
        alive.append(new)
    a, b, c = alive
    return Branch("", 0.0, tuple(
        _long(nodes[near], (far[near, two] + far[near, three] - far[two, three]) / 2)
        for near, two, three in ((a, b, c), (b, a, c), (c, a, b))))


def _long(branch: Branch, length: float) -> Branch:
    return Branch(branch.name, max(0.0, length), branch.parts)
