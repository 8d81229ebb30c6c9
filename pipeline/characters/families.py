"""Families of graphs: all that the tables tie together, so that whoever writes one of them finds the others."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.characters.conversion import simplified, traditional, variants


def families(graphs: Iterable[str]) -> tuple[str, ...]:
    """Give the families of more than one graph to which `graphs` belong, each and all in code point order.

    Two graphs are of one family if yitizi or OpenCC ties them, over any number of steps. It is for finding
    places, as `equality.norm`, and decides no class: 后 and 後, 云 and 雲 are one family.
    """
    known: set[str] = set()
    found = []
    for graph in sorted(set(graphs)):
        if graph not in known:
            family = _family(graph)
            known |= family
            if len(family) > 1:
                found.append("".join(sorted(family)))
    return tuple(sorted(found))


def _family(graph: str) -> set[str]:
    """All graphs that can be reached from one."""
    seen, todo = {graph}, [graph]
    while todo:
        each = todo.pop()
        near = {*variants(each), simplified(each), traditional(each)}
        todo += sorted(near - seen)
        seen |= near
    return seen
