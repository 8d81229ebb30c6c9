"""What stands at the head of a chapter's 校勘记: its base 底本 and what is collated with it 校本."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.entries.wording import Part, Sigla, Siglum, listed, names
from pipeline.model import Document, Mark, Unit
from pipeline.model.walk import items

_WHOLE = 0.9
"""A witness that has so much of a chapter's units has it: the rest are units of a line that it prints with others. With
1, a work that lacks one sentence counts as a fragment."""


@dataclass(frozen=True, slots=True)
class Collation:
    """What a chapter is made from."""

    chapter: str
    """Id of the chapter."""
    title: str
    base: str
    """Id of the witness whose units are the chapter's; empty if it is of none of them."""
    others: tuple[str, ...]
    partly: frozenset[str]
    """Of all, those that have only a part of the chapter."""


def collations(document: Document) -> Iterator[Collation]:
    """Give what each chapter that has several witnesses is made from, in order; one made as that before it is not told
    again.

    The base is the witness by whose own numbers the edition's units are numbered (`ChapterPlan.base`).
    """
    last: object = None
    for chapter in document.chapters():
        units = [item for item in items([chapter]) if isinstance(item, Unit)]
        have = Counter(name for unit in units for name in unit.sources)
        if len(have) > 1:
            base = _base(units)
            partly = frozenset(name for name, count in have.items() if count < _WHOLE * len(units))
            others = tuple(name for name in have if name != base)
            if (base, others, partly) != last:
                yield Collation(chapter.id, chapter.title, base, others, partly)
            last = base, others, partly


def _base(units: list[Unit]) -> str:
    own = Counter(
        mark.witness for unit in units for mark in unit.content
        if isinstance(mark, Mark) and unit.id.partition(".")[2] == mark.unit
    )
    return own.most_common(1)[0][0] if own else ""


def tell_in_english(collation: Collation, sigla: Sigla) -> str:
    """Give it for a text that is not Chinese: ``Base: A. Collated: B, C (in part).``"""
    others = [f"{sigla.get(name, name)}{' (in part)' if name in collation.partly else ''}" for name in collation.others]
    base = f"Base: {sigla.get(collation.base, collation.base)}. " if collation.base else ""
    return f"{base}Collated: {', '.join(others)}."


def tell(collation: Collation, sigla: Sigla) -> tuple[Part, ...]:
    """Give it in parts: 底本：集编。校本：本义、通解（不全）、注疏。"""
    base = names([collation.base], "", sigla) if collation.base else []
    made: list[Part] = ["底本：", *base, "。校本："] if base else ["诸本："]
    others: list[list[Part]] = [
        [Siglum(name, sigla.get(name, name)), *(["（不全）"] if name in collation.partly else [])]
        for name in collation.others
    ]
    return (*made, *listed("、", others), "。")
