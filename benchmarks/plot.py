"""Time against length as a picture."""

from __future__ import annotations

import math

MARKS = {
    "jiaokan": "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "jiaokan align": "m-3 -3h6v6h-6z", "rapidfuzz": "m0 -4l3 7h-6z",
    "difflib": "m-3 -3l6 6m0 -6l-6 6", "collatex": "m0 -4l4 4l-4 4l-4 -4z",
}


def plot(lines: dict[str, list[tuple[int, float]]]) -> str:
    """Draw seconds against characters, both in powers of ten, a line for each tool."""
    parts = [f'<path d="M60 {y(10.0**e):.0f}H540" stroke="#d8cebb"/><text x="54" y="{y(10.0**e) + 4:.0f}" '
             f'text-anchor="end">{10.0**e:g} s</text>' for e in range(-4, 2)]
    parts += [f'<text x="{x(n):.0f}" y="316" text-anchor="middle">{n:,}</text>' for n in (200, 2_000, 20_000, 200_000)]
    for tool, mark in MARKS.items():
        points = [(x(length), y(seconds)) for length, seconds in lines.get(tool, ())]
        if points:
            line = "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
            marks = "".join(f"M{a:.1f} {b:.1f}{mark}" for a, b in points)
            red = "#a82e1e" if tool.startswith("jiaokan") else "#1c1915"
            right, level = points[-1]
            parts.append(f'<path d="M{line}" fill="none" stroke="{red}"/><path d="{marks}" fill="none" stroke="{red}"/>'
                         f'<text x="{right + 8:.0f}" y="{level + 4:.0f}">{tool}</text>')
    return ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 324" width="640" height="324" role="img" '
            'font-family="serif" font-size="12" style="background:#f8f4eb"><title>Time of collation against length, '
            'two witnesses</title>\n' + "\n".join(parts) + "\n</svg>\n")


def x(length: float) -> float:
    return 60 + 480 * (math.log10(length) - 2.3) / 3


def y(seconds: float) -> float:
    return 300 - 48 * (math.log10(seconds) + 4)
