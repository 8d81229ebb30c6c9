"""The site's web font: Noto Serif SC cut down to the characters that the pages show.

The file's name holds a hash of its characters and of what cuts it, so a font that is there already is never made twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from io import BytesIO
from pathlib import Path

import uharfbuzz as harfbuzz
from fontTools.ttLib import TTFont
from pylopdf_fonts_zh_cn import serif_path

from pipeline.atomic import write_file

_STYLE = """@font-face {{ font-family: "Jiaokan Song"; src: url("{name}") format("woff"); font-display: swap; }}
"""


def web_font(folder: Path, characters: Collection[str], *, earlier: Path | None = None) -> tuple[Path, ...]:
    """Write ``song-HASH.woff`` for the characters, and ``font.css`` that names it, into the folder; give both.

    The font is taken over from the folder `earlier` if it is there; other fonts of the folder are removed.
    WOFF, not WOFF2: Brotli takes 3.5 s for 3,400 glyphs and saves a seventh.
    """
    wanted = sorted({ord(character) for character in characters if character.isprintable()})
    recipe = f"{harfbuzz.version_string()} {wanted}"
    name = f"song-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}.woff"
    font, style = folder / name, folder / "font.css"
    if not font.exists():
        known = earlier / name if earlier else font
        write_file(font, known.read_bytes() if known.exists() else _subset(wanted))
    for old in folder.glob("song-*.woff"):
        if old != font:
            old.unlink()
    write_file(style, _STYLE.format(name=name).encode())
    return (font, style)


def _subset(characters: list[int]) -> bytes:
    """Cut the face down to some characters; the same characters give the same bytes."""
    wanted = harfbuzz.SubsetInput()
    wanted.unicode_set.update(characters)
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.add(int.from_bytes(b"vert", "big"))  # upright punctuation in vertical lines
    wanted.flags = harfbuzz.SubsetFlags.NO_HINTING | harfbuzz.SubsetFlags.NOTDEF_OUTLINE
    face = harfbuzz.Face(harfbuzz.Blob.from_file_path(str(serif_path())))
    cut = BytesIO(harfbuzz.subset(face, wanted).blob.data)
    with TTFont(cut, recalcBBoxes=False, recalcTimestamp=False, lazy=True) as font:
        font.flavor = "woff"
        data = BytesIO()
        font.save(data, reorderTables=False)
    return data.getvalue()
