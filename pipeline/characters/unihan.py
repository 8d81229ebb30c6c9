"""Variants of characters by the Unicode Han database (UAX #38), as its fields of this name give them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

VARIANTS = Path(__file__).parent / "unihan.txt"
VARIANT_FIELDS = (
    "kTraditionalVariant",
    "kSimplifiedVariant",
    "kSemanticVariant",
    "kSpecializedSemanticVariant",
    "kZVariant",
)
"""What is kept of the database (``python -m tests.unihan`` makes the file anew)."""


@cache
def field(name: str) -> Mapping[str, str]:
    """Give for each graph its variants by one of `VARIANT_FIELDS`."""
    return _fields()[name]


def simplification(left: str, right: str) -> bool:
    """Tell whether one of two graphs is the simplified form of the other (kTraditionalVariant, kSimplifiedVariant)."""
    return any(_has(name, left, right) for name in ("kTraditionalVariant", "kSimplifiedVariant"))


def shared_traditional(left: str, right: str) -> bool:
    """Tell whether two simplified graphs have a traditional one in common: 钟 and 锺 have 鍾."""
    old = field("kTraditionalVariant")
    return not set(old.get(left, "")).isdisjoint(old.get(right, ""))


def merged(simple: str, left: str, right: str) -> bool:
    """Tell whether two traditional graphs are words of their own that one simplified graph stands for."""
    old = field("kTraditionalVariant").get(simple, "")
    return left in old and right in old


def semantic(left: str, right: str) -> str:
    """Give the field by which two graphs are the same word (kSemanticVariant) or shape (kZVariant), if any."""
    return next((name for name in ("kSemanticVariant", "kZVariant") if _has(name, left, right)), "")


@cache
def _joined() -> Mapping[str, frozenset[str]]:
    """Give for each graph those that any field ties to it, from either side."""
    found: dict[str, set[str]] = {}
    for name in ("kTraditionalVariant", "kSimplifiedVariant", "kSemanticVariant", "kZVariant"):
        for graph, variants in field(name).items():
            for other in variants:
                found.setdefault(graph, set()).add(other)
                found.setdefault(other, set()).add(graph)
    return {graph: frozenset(others) for graph, others in found.items()}


def neighbours(graph: str) -> frozenset[str]:
    """Give what any of these fields ties to a graph."""
    return _joined().get(graph, frozenset())


def _has(name: str, left: str, right: str) -> bool:
    table = field(name)
    return right in table.get(left, "") or left in table.get(right, "")


@cache
def _fields() -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {name: {} for name in VARIANT_FIELDS}
    rows: dict[str, str] = {}
    for line in VARIANTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            rows = found[line.strip("[]")]
        elif not line.startswith("#"):
            rows[line[0]] = line[1:]
    return found


MEANINGS = Path(__file__).parent / "meanings.txt"
MEANING_FIELDS = ("kMandarin", "kDefinition")
"""What is kept of the database (``python -m tests.unihan`` makes the file anew)."""


def meaning(graph: str) -> tuple[str, str]:
    """Give the most customary reading of a graph in pinyin with tones, and its meaning in English; empty: not known."""
    return _meanings().get(graph, ("", ""))


@cache
def _meanings() -> Mapping[str, tuple[str, str]]:
    rows = (line.split("\t") for line in MEANINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    return {graph: (reading, definition) for graph, reading, definition in rows}
