"""Code points as CSS has them."""

from __future__ import annotations

from collections.abc import Iterable


def unicode_range(codes: Iterable[int]) -> str:
    """Return code points in ascending order as a CSS ``unicode-range``."""
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][1] + 1 == code:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return ",".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in runs)
