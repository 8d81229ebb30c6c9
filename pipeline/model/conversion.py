"""Conversion of graphs between simplified and traditional script, by OpenCC."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a surrogate pair, which OpenCC does not accept."""


@lru_cache(maxsize=65536)
def simplified(graph: str) -> str:
    """Return the simplified form of a graph."""
    return graph if _SURROGATE.search(graph) else str(_converter("t2s").convert(graph))


@lru_cache(maxsize=65536)
def traditional(graph: str) -> str:
    """Return the first traditional form of a graph."""
    return graph if _SURROGATE.search(graph) else str(_converter("s2t").convert(graph))


@cache
def _converter(name: str) -> Any:
    from opencc import OpenCC  # of the extra `edition`: validation imports this module without it

    return OpenCC(name)
