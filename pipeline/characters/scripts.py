"""Simplified and traditional forms for showing a text in the other script, graph by graph, where that is no guess."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from pipeline.characters.conversion import simplified, traditional

_UNSURE = frozenset("乾著藉徵餘於")
"""Traditional graphs that OpenCC simplifies in some words only, or that the classics keep apart from the simple."""

_LATER = frozenset("噹儘嚐罈証讚彆")
"""Traditional graphs that nowhere stand in the Thirteen Classics in the sense for which modern script needs them:
噹 of a bell, 儘 in 儘管, 嚐 to taste, 罈 jar, 証 for 證, 讚 for 贊, 彆 in 彆扭. They do not make 当 尽 尝 坛 证 赞 别
doubtful; without them so many more would stay as they are."""


def traditional_forms(graphs: Iterable[str]) -> dict[str, str]:
    """Give the traditional form of each simplified graph that has one only.

    A graph that several traditional ones share (发 發髮), or that is a common traditional graph by itself (后 后後,
    云 云雲), is left out: which one is meant is not to be seen from the graph.
    """
    found = {}
    for graph in sorted(set(graphs)):
        form = traditional(graph)
        only = simplified(form) == graph or not _traditional(graph)  # 馀 is no other graph's form, though 餘 gives 余
        if form != graph and len(form) == 1 and only and not _common(graph) and _single(graph):
            found[graph] = form
    return found


def simplified_forms(graphs: Iterable[str]) -> dict[str, str]:
    """Give the simplified form of each traditional graph that OpenCC simplifies."""
    forms = {graph: simplified(graph) for graph in sorted(set(graphs)) if graph not in _UNSURE}
    return {graph: form for graph, form in forms.items() if form != graph and len(form) == 1}


def unsure_graphs(graphs: Iterable[str]) -> str:
    """Give the graphs that may have a traditional form, which `traditional_forms` cannot tell: 后 发."""
    return "".join(g for g in sorted(set(graphs)) if (_counts().get(g, 0) > 0 and _common(g)) or not _single(g))


def word_by_itself(graph: str) -> bool:
    """Tell whether a graph that is simplified from others (后 from 後) is in common traditional use by itself."""
    return _common(graph)


def _common(graph: str) -> bool:
    """Whether a graph is in the first level of Big5, the 5,401 graphs in common traditional use."""
    try:
        return graph.encode("big5")[0] <= 0xC6
    except UnicodeEncodeError:
        return False


def _traditional(graph: str) -> bool:
    """Whether a graph is in Big5 at all, so in traditional use by itself."""
    try:
        graph.encode("big5")
    except UnicodeEncodeError:
        return False
    return True


def _single(graph: str) -> bool:
    return _counts().get(graph, 0) <= 1


@cache
def _counts() -> dict[str, int]:
    """How many traditional graphs in Big5 have each simplified form."""
    counts: dict[str, int] = {}
    for first in range(0xA4, 0xC7):
        for second in (*range(0x40, 0x7F), *range(0xA1, 0xFF)):
            try:
                graph = bytes((first, second)).decode("big5")
            except UnicodeDecodeError:
                continue
            form = simplified(graph)
            if form != graph and graph not in _LATER:
                counts[form] = counts.get(form, 0) + 1
    return counts
