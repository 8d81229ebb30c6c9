"""How ids and canonical references are written, taken apart and ordered."""

from __future__ import annotations

from functools import lru_cache

from pipeline.model.numerals import whole


def parent_of(identifier: str) -> str:
    """Give the id without its last step: ``jizhu.6.1.3`` → ``jizhu.6.1``; empty for a text's own id."""
    return identifier.rpartition(".")[0]


def reference_of(identifier: str) -> str:
    """Give the canonical reference of an id: ``lunyu.6.3.2`` → ``lunyu:6.3.2``."""
    return identifier.replace(".", ":", 1)


@lru_cache(maxsize=1 << 16)
def order_key(identifier: str) -> tuple[tuple[int, str, int], ...]:
    """Give a key that sorts ids as they are read: numbers as numbers (``6.10`` after ``6.9``, ``n10`` after ``n9``),
    a head ``h`` and notes before the parts of what they stand in, a trailer ``t`` after them."""
    key: list[tuple[int, str, int]] = []
    for step in identifier.split("."):
        letters = step.rstrip("0123456789")
        number = whole(step[len(letters) :])
        key.append((1 if not letters else 2 if letters == "t" else 0, letters, number))
    return tuple(key)
