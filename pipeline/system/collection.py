"""The search for cycles in memory, paused while documents are made and a library's records are read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the search for cycles while documents are made: they are trees, and it takes longer the more there are.

    Of a collation it would take a fifth of the time, of a build with nothing to do a quarter. Also a decorator.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def without_search_of_now() -> Iterator[None]:
    """Leave what memory holds now out of the search for cycles: what stays until the end need not be looked through
    again and again."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
