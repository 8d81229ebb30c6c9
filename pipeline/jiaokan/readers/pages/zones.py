"""The surfaces and zones of pages, as TEI has them (``facsimile``), and which zone a line is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jiaokan.model import Surface, Zone
from jiaokan.readers.pages.layout import PageLine, Points, RecognisedPage


def surfaces_of(pages: Sequence[RecognisedPage]) -> tuple[tuple[Surface, ...], dict[int, str]]:
    """Return a surface for each page, with its regions, lines and words, and the name of the zone of each line, by the
    line's id. Lines without a place are no zones."""
    names: dict[int, str] = {}
    surfaces: list[Surface] = []
    for number, page in enumerate(pages, 1):
        zones: list[Zone] = []
        for n, region in enumerate(page.regions, 1):
            name = f"zone-{number}-{n}"
            inner = tuple(zone for k, line in enumerate(region.lines, 1)
                          if (zone := _line(line, f"{name}-{k}", names)) is not None)
            if region.points:
                zones.append(Zone(id=name, points=written(region.points), kind="region", label=word_of(region.label),
                                  zones=inner))
            else:
                zones += inner
        size = [f"{round(side, 2):.10g}" for side in (page.width, page.height)]
        surfaces.append(Surface(
            id=f"surface-{number}", image=page.image, corners=f"0 0 {' '.join(size)}" if page.width else "",
            width=f"{size[0]}px" if page.width and page.pixels else "",
            height=f"{size[1]}px" if page.width and page.pixels else "", zones=tuple(zones)))
    return tuple(surfaces), names


def _line(line: PageLine, name: str, names: dict[int, str]) -> Zone | None:
    points = line.points or line.baseline
    if len(points) < 2:
        return None
    names[id(line)] = name
    words = tuple(Zone(id=f"{name}-{n}", points=written(word.points), kind="word")
                  for n, word in enumerate(line.words, 1) if len(word.points) > 1)
    return Zone(id=name, points=written(points), kind="line", label=word_of(line.label),
                baseline=written(line.baseline), zones=words)


def word_of(label: str) -> str:
    """Return a label as one word, as attributes of TEI have it."""
    return re.sub(r"\s+", "_", label.strip())


def written(points: Points) -> str:
    """Return points as TEI writes them: ``1,2 3,4``."""
    return " ".join(f"{round(x, 2):.10g},{round(y, 2):.10g}" for x, y in points)
