"""Sizes of paper: by the names that the book trade gives them, or by width and height."""

from __future__ import annotations

import re

FORMATS = {
    "170x240": (170.0, 240.0), "a4": (210.0, 297.0), "a5": (148.0, 210.0), "b5": (176.0, 250.0),
    "16开": (185.0, 260.0), "大16开": (210.0, 285.0), "32开": (130.0, 184.0), "大32开": (140.0, 203.0),
}
"""Width and height in millimetres after the trim. A and B: ISO 216. 开: of the sheets of Chinese printing, 16开 and
32开 of 787 × 1092 mm, 大32开 of 850 × 1168 mm, 大16开 of 889 × 1194 mm; GB/T 788-1999 has sizes of ISO beside them."""
LEAST, MOST = 70, 600
"""Millimetres of a side: smaller paper has no room for ten characters of 6 pt and its margins, no press has greater."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*[x×X*]\s*(\d+(?:\.\d+)?)(?:\s*mm)?")


def size_of(paper: str) -> tuple[float, float]:
    """Give width and height in millimetres of a size by its name (大32开) or its sides (``140x203``).

    Raises ValueError for what is neither.
    """
    name = paper.strip().lower().replace("開", "开")
    if name in FORMATS:
        return FORMATS[name]
    match = _SIZE.fullmatch(paper.strip())
    if not match:
        raise ValueError(f"{paper[:20]!r} is no size of paper")
    width, height = float(match[1]), float(match[2])
    if not all(LEAST <= side <= MOST for side in (width, height)):
        raise ValueError(f"paper of {width:g} × {height:g} mm; its sides may have {LEAST} to {MOST} mm")
    return width, height


def known() -> str:
    """Say which sizes there are."""
    return f'known values: {", ".join(FORMATS)}; or width and height in millimetres: "140x203"'
