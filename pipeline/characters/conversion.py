"""Characters in the other script, by OpenCC, and their variants, by yitizi: the only imports of both in this room."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Give the simplified form of a graph."""
    return _converted("t2s", graph)


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Give the first traditional form of a graph."""
    return _converted("s2t", graph)


@lru_cache(maxsize=65536)
def variants(graph: str) -> tuple[str, ...]:
    """Give the graphs that nk2028's dictionary of variants (``yitizi``) ties to a graph."""
    import yitizi  # as OpenCC below

    return tuple(yitizi.get(graph))


def _converted(name: str, graph: str) -> str:
    """Convert by OpenCC; half a surrogate pair, which is no character, stays."""
    if _SURROGATE.search(graph):
        return graph
    return str(_converter(name).convert(graph))


@cache
def _converter(name: str) -> Any:
    from opencc import OpenCC  # of the extra `edition`: validation imports this module, and does without

    return OpenCC(name)
