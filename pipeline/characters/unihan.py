"""Variants, readings and meanings of characters from the Unicode Han database (UAX #38).

``python -m tests.unihan`` writes the two files from those of the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pipeline.model.vocabulary import table_rows

VARIANTS = Path(__file__).parent / "unihan.txt"
VARIANT_FIELDS = (
    "kTraditionalVariant", "kSimplifiedVariant", "kSemanticVariant", "kSpecializedSemanticVariant", "kZVariant"
)
MEANINGS = Path(__file__).parent / "meanings.txt"
MEANING_FIELDS = ("kMandarin", "kDefinition")


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


def field(name: str) -> Mapping[str, str]:
    """Return the variants of each graph by one of `VARIANT_FIELDS`."""
    return _fields()[name]


def _has(name: str, left: str, right: str) -> bool:
    table = field(name)
    return right in table.get(left, "") or left in table.get(right, "")


def simplification(left: str, right: str) -> bool:
    """Whether one of two graphs is the simplified form of the other (kTraditionalVariant, kSimplifiedVariant)."""
    return any(_has(name, left, right) for name in ("kTraditionalVariant", "kSimplifiedVariant"))


def shared_traditional(left: str, right: str) -> bool:
    """Whether two simplified graphs have a traditional one in common: 钟 and 锺 have 鍾."""
    old = field("kTraditionalVariant")
    return not set(old.get(left, "")).isdisjoint(old.get(right, ""))


def merged(simple: str, left: str, right: str) -> bool:
    """Whether one simplified graph stands for two traditional graphs that are different words."""
    old = field("kTraditionalVariant").get(simple, "")
    return left in old and right in old


def semantic(left: str, right: str) -> str:
    """Return the field by which two graphs are one word (kSemanticVariant) or shape (kZVariant), or nothing."""
    return next((name for name in ("kSemanticVariant", "kZVariant") if _has(name, left, right)), "")


@cache
def _neighbours() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name in ("kTraditionalVariant", "kSimplifiedVariant", "kSemanticVariant", "kZVariant"):
        for graph, variants in field(name).items():
            for other in variants:
                found.setdefault(graph, set()).add(other)
                found.setdefault(other, set()).add(graph)
    return {graph: frozenset(others) for graph, others in found.items()}


def neighbours(graph: str) -> frozenset[str]:
    """Return the graphs that any of the four fields used here links to a graph, in either direction."""
    return _neighbours().get(graph, frozenset())


@cache
def _meanings() -> Mapping[str, tuple[str, str]]:
    rows = table_rows(MEANINGS.read_text(encoding="utf-8"))
    return {graph: (reading, definition) for _, (graph, reading, definition) in rows}


def meaning(graph: str) -> tuple[str, str]:
    """Return a graph's usual reading in pinyin with tones and its English meaning; empty if unknown."""
    return _meanings().get(graph, ("", ""))
