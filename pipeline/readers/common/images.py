"""The pictures of a print beside its pages: each ``pb`` gets the address that the source's settings give it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from pipeline.model import Break, Document
from pipeline.model.rewrite import Rewriting
from pipeline.model.walk import walk
from pipeline.settings.images import Canvas, Images, picture


def with_images(document: Document, images: Images | None, shown: Sequence[Canvas] = ()) -> Document:
    """Give a document whose pages have pictures, by the settings or by the canvases of its manifest; those that have
    one already keep it."""
    if images is None:
        return document
    named = {each.label: each.address for each in shown}
    pages = [item.n for item in walk(document) if isinstance(item, Break) and item.unit == "page"]
    labelled = bool(named) and all(page in named for page in pages)
    adding = _Picturing(images, shown, named if labelled else {})
    return replace(document, divisions=tuple(map(adding.division, document.divisions)))


class _Picturing(Rewriting):
    """One pass over the pages of a document, in their order."""

    def __init__(self, images: Images, shown: Sequence[Canvas], named: Mapping[str, str]) -> None:
        self.images, self.shown, self.named = images, shown, named
        self.pages: Counter[str] = Counter()

    def item(self, item: Any) -> Any:
        """Give a page with its picture; anything else with those of the pages in it."""
        if not isinstance(item, Break) or item.unit != "page":
            return super().item(item)
        self.pages[item.edition] += 1
        if item.image:
            return item
        return replace(item, image=self.of(item, self.pages[item.edition]))

    def of(self, page: Break, n: int) -> str:
        """Give the address of the picture of a page, the `n`-th of its edition; empty where there is none."""
        if self.images.address:
            return picture(self.images.address, page=page.n, edition=page.edition, n=n)
        at = self.images.first - 1 + (n - 1) // self.images.pages
        return self.named.get(page.n) or (self.shown[at].address if at < len(self.shown) else "")
