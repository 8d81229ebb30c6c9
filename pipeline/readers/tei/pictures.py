"""Pictures of pages that a TEI file names: ``pb/@facs``, an address or a pointer to a ``surface`` (Guidelines 11)."""

from __future__ import annotations

from pipeline.readers.tei.elements import name_of
from pipeline.tei.tree import ID, Element


def pictures(root: Element) -> dict[str, str]:
    """Give the address of the picture of each ``graphic``, and of what of a ``facsimile`` holds one, by id."""
    found: dict[str, str] = {}
    for graphic in root.iter("{*}graphic"):
        for each in (graphic, *graphic.iterancestors()):
            if name_of(each) == "facsimile":
                break
            if identifier := each.get(ID, ""):
                found.setdefault(identifier, graphic.get("url", ""))
    return found


def picture_of(node: Element, known: dict[str, str]) -> str:
    """Give the address of the picture of a page; empty if its ``facs`` names none."""
    first = next(iter(node.get("facs", "").split()), "")
    return known.get(first[1:], "") if first.startswith("#") else first
