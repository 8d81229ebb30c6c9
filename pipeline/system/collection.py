"""The search for cycles in memory, paused while documents are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the search for cycles while documents are made: they are trees, and it takes longer the more there are.

    Of a collation it would take a fifth of the time. Also a decorator.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
