"""Characters in the other script, by OpenCC."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import opencc

_SURROGATE = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Give the simplified form of a graph."""
    return _converted("t2s", graph)


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Give the first traditional form of a graph."""
    return _converted("s2t", graph)


def _converted(name: str, graph: str) -> str:
    """Convert by OpenCC; half a surrogate pair, which is no character, stays."""
    if _SURROGATE.search(graph):
        return graph
    return str(_converter(name).convert(graph))


@cache
def _converter(name: str) -> opencc.OpenCC:
    return opencc.OpenCC(name)
