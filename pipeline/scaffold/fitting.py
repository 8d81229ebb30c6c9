"""A new edition held against what the readers make of its texts: each chapter has a base with words in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pipeline.collate.base_text import base_units
from pipeline.collate.content import graphs
from pipeline.model import Division, Document
from pipeline.readers import read
from pipeline.settings.catalog import Catalog


def fitting(plan: Mapping[str, Any], catalog: Catalog) -> tuple[dict[str, Any], list[str]]:
    """Give the table of a critical edition as its texts have its chapters, and what that changed.

    The base of a chapter is the first of its texts that has words there; a chapter that none has is left out, and of a
    chapter a text that has it twice; where nothing is left to collate the first text is given to be read. Raises
    JiaokanError as `read` for a text that cannot be read.
    """
    names = dict.fromkeys(name for chapter in plan["chapters"] for name in chapter["witnesses"])
    own = {name: _chapters(read(catalog.sources[name], catalog)[0]) for name in names}
    chapters, told = [], []
    for chapter in plan["chapters"]:
        n, base = str(chapter["n"]), chapter["base"]
        single = [name for name in chapter["witnesses"] if own[name].get(n, True) is not None]
        worded = [name for name in single if own[name].get(n)]
        if not worded:
            told.append(f"    chapter {n} {chapter['title']} is left out: no text has words in it")
            continue
        first = base if base in worded else worded[0]
        if first != base:
            told.append(f"    chapter {n} {chapter['title']}: its base is {first}, since {base} has no words there")
        chapters.append({**chapter, "base": first, "witnesses": single})
    if chapters:
        return {**plan, "chapters": chapters}, told
    kept = {key: each for key, each in plan.items() if key not in ("kind", "work", "chapters")}
    first = next(iter(names))
    return {**kept, "kind": "reading", "witness": first}, [f"    nothing is collated: {first} alone is to be read"]


def _chapters(document: Document) -> dict[str, bool | None]:
    """Give of each chapter of a text whether it has base text; None if there are several of its number."""
    count = Counter(division.n for division in document.chapters())
    return {each.n: _worded(each) if count[each.n] == 1 else None for each in document.chapters()}


def _worded(chapter: Division) -> bool:
    return any(graphs(unit.content) for unit in base_units(chapter))
