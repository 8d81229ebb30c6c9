"""Which characters the font that comes with the program has."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from pipeline.errors import CatalogError
from pipeline.settings.catalog import read_toml


def missing(characters: set[str], decided: Path | None) -> set[str]:
    """Give those that the font lacks, without those whose print `decided` (a ``print.toml``) settles.

    Where the font is not installed (extra ``edition``) nothing is printed either, and none is missing.
    """
    if find_spec("pylopdf_fonts_zh_cn") is None or find_spec("fontTools") is None:
        return set()
    lacking = {each for each in characters if ord(each) not in _covered()}
    if not lacking or decided is None or not decided.exists():
        return lacking
    try:
        rows = read_toml(decided).get("character", ())
    except CatalogError:
        return lacking
    return lacking - {chr(int(str(row.get("code", "U+0")).removeprefix("U+"), 16)) for row in rows}


@cache
def _covered() -> frozenset[int]:
    """The code points of Noto Serif SC, read once in a process that has something to look up."""
    import pylopdf_fonts_zh_cn as wheel
    from fontTools.ttLib import TTFont

    with Path(wheel.serif_path()).open("rb") as stream, TTFont(stream, lazy=True) as font:
        return frozenset(font.getBestCmap() or ())
