"""What is asked of a document many times is worked out once: documents never change."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial, wraps
from typing import TypeVar

from pipeline.model.document import Document

_T = TypeVar("_T")


def remembered(function: Callable[[Document], _T]) -> Callable[[Document], _T]:
    """Keep what a function gives of a document for as long as that very document lives.

    What it gives must not change and must not hold the document, which else would never go.
    """
    known: dict[int, tuple[weakref.ref[Document], _T]] = {}

    # forgotten by a call of C: an interruption inside a callback of Python would be told on the terminal and lost
    @wraps(function)
    def asked(document: Document) -> _T:
        number = id(document)
        if number not in known:
            known[number] = weakref.ref(document, partial(known.pop, number)), function(document)
        return known[number][1]

    return asked
