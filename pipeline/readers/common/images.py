"""The pictures of a print beside its pages: each ``pb`` gets the address that the source's settings give it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from pipeline.model import Break, Document
from pipeline.model.rewrite import Rewriting
from pipeline.settings.images import Images, picture


def with_images(document: Document, images: Images | None) -> Document:
    """Give a document whose pages have pictures; those that have one already keep it."""
    if images is None:
        return document
    adding = _Picturing(images.address)
    return replace(document, divisions=tuple(map(adding.division, document.divisions)))


class _Picturing(Rewriting):
    """One pass over the pages of a document, in their order."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.pages: Counter[str] = Counter()

    def item(self, item: Any) -> Any:
        """Give a page with its picture; anything else with those of the pages in it."""
        if not isinstance(item, Break) or item.unit != "page":
            return super().item(item)
        self.pages[item.edition] += 1
        if item.image:
            return item
        n = self.pages[item.edition]
        return replace(item, image=picture(self.address, page=item.n, edition=item.edition, n=n))
