"""Deletions, and words inside them that are restored."""

from __future__ import annotations

from collections.abc import Sequence

from jiaokan.model import Correction, Note, NoteGroup
from jiaokan.readers.tei import elements
from jiaokan.readers.tei.arrange import Part, Restored, one_line
from jiaokan.readers.tei.elements import name_of
from jiaokan.tei.apparatus import inner_items, refill
from jiaokan.tei.tree import Element


def is_restored(node: Element) -> bool:
    """Whether a deletion is cancelled: the innermost ``restore`` or deletion around it is ``restore``."""
    around = node.getparent()
    while around is not None and name_of(around) != "restore":
        if name_of(around) in elements.DELETED or name_of(around) in elements.BLOCKS:
            return False
        around = around.getparent()
    return around is not None


def is_deleted(node: Element) -> bool:
    """Whether words are inside a deletion, in its own text."""
    for around in node.iterancestors():
        name = name_of(around)
        if name in elements.DELETED:
            return not is_restored(around)
        if name in elements.BLOCKS or name in ("note", "rdg", "restore"):
            return False
    return False


def unwrap_restored(items: Sequence[Part]) -> list[Part]:
    """Return content with what is restored as its words."""
    content: list[Part] = []
    for item in items:
        inside = None if isinstance(item, str | Note | NoteGroup) else inner_items(item)
        content += unwrap_restored(item.content) if isinstance(item, Restored) else [
            item if inside is None else refill(item, tuple(unwrap_restored(inside)))]
    return content


def restored_items(items: Sequence[Part]) -> list[Part]:
    """Return what is restored in content, at any depth."""
    return [part for item in items if not isinstance(item, str | Note | NoteGroup)
            for part in (unwrap_restored(item.content) if isinstance(item, Restored)
                         else restored_items(inner_items(item) or ()))]


def without_restored(items: Sequence[Part]) -> list[Part]:
    """Return content without what is restored in it."""
    remaining = [item for item in items if not isinstance(item, Restored)]
    return [item if isinstance(item, str | Note | NoteGroup) or not (inside := inner_items(item))
            else refill(item, tuple(without_restored(inside))) for item in remaining]


def in_brackets(items: Sequence[Part], rend: str) -> list[Part]:
    """Return words to be deleted as superfluous in the brackets `rend`; what is restored in them is words."""
    marked: list[Part] = []
    for item in items:
        if isinstance(item, Restored):
            marked += unwrap_restored(item.content)
            continue
        inside = None if isinstance(item, (Note, NoteGroup)) else inner_items(item)
        if inside is not None:
            item = refill(item, tuple(in_brackets(inside, rend)))
        elif isinstance(item, str) and item.strip():
            before, after = item[: -len(item.lstrip())] if item[0].isspace() else "", item[len(item.rstrip()):]
            marked += [before, Correction(sic=one_line(item), corr="", cert="", rend=rend), after]
            continue
        marked.append(item)
    return [item for item in marked if item != ""]
