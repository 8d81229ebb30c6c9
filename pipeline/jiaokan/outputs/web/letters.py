"""Web fonts of texts in letters: Latin with its marks, Greek with breathings, and the other scripts of a site.

Latin, Greek, Cyrillic and Hebrew come from the faces that the pinned package ``typst`` carries, so that pages and books
have the same letters; other scripts from the fonts of this machine, by the table of scripts. A letter and its marks are
in one file: a browser draws a cluster in one font only if that font has all of it.
"""

from __future__ import annotations

import hashlib
import mmap
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import uharfbuzz as harfbuzz
from fontTools.ttLib import TTFont

from jiaokan.characters.writing import script_of_sign, scripts
from jiaokan.errors import Finding, Message, Place
from jiaokan.outputs.print.fonts import BROUGHT, face, packages_for, system_fonts
from jiaokan.outputs.web.ranges import unicode_range
from jiaokan.system.atomic import remove, write_file
from jiaokan.system.listing import matching

STYLE = "font-letters.css"
_FACE = (
    '@font-face {{ font-family: "Jiaokan Letters"; font-style: {style}; src: url("{name}") format("woff"); '
    "font-display: swap; unicode-range: {range}; }}\n"
)
_STYLES = {"Regular": "normal", "Italic": "italic"}
_OPENTYPE, _TABLES, _RECORD = b"OTTO\x00", 12, 16
"""The first bytes of a font with CFF outlines, the size of its head and of a record of its table directory."""
_LARGEST = 4_000_000
"""Bytes beyond which a size is that of other data that looks like a font: the largest that Typst carries has 2 MB.
A choice."""
_LEAST_TABLES, _MOST_TABLES = 8, 40
"""Tables of an OpenType font with CFF outlines: it must have eight (cmap, head, hhea, hmtx, maxp, name, OS/2, post);
the specification has fewer than 40 others for one font."""


def letters_of(characters: Iterable[str]) -> str:
    """Return the letters among these characters that are of scripts without cells, with their figures and punctuation,
    and the marks of any script: signs within words too, such as the apostrophe of Greek (U+1FBD) and its sign of
    numbers (U+02B9)."""
    return "".join(sorted(filter(_is_letter, set(characters))))


def write_letters(folder: Path, letters: str) -> tuple[str, tuple[Path, ...]]:
    """Write the fonts of some letters and ``font-letters.css`` into a folder; return its text and the paths.

    The file is there without letters too: pages of texts in letters ask for it.
    """
    paths: list[Path] = []
    styles: list[str] = []
    for style, font, codes in _faces(letters):
        data = _subset(font, codes)
        path = folder / f"letters-{hashlib.sha256(data).hexdigest()[:12]}.woff"
        write_file(path, data)
        paths.append(path)
        styles.append(_FACE.format(style=style, name=path.name, range=unicode_range(sorted(codes))))
    for old in matching(folder, "letters-*.woff"):
        if old not in paths:
            remove(old)
    write_file(folder / STYLE, "".join(styles).encode())
    return "".join(styles), (*paths, folder / STYLE)


def report_lacking(letters: str) -> tuple[Finding, ...]:
    """Return a finding on letters that no font of the site has; it names the packages that have them."""
    covered = frozenset().union(*(codes for _, _, codes in _faces(letters)))
    lacking = "".join(char for char in letters if char.isalpha() and ord(char) not in covered)
    packages = packages_for(lacking)
    if not packages:
        return ()
    return (Finding("html-letters", Place("[site]"), Message("letters-without-web-font", letters=lacking[:12]),
                    Message("install-fonts", packages=packages), "info"),)


def _faces(letters: str) -> Iterator[tuple[str, harfbuzz.Face, frozenset[int]]]:
    """Yield style, face and code points of each file that some letters need, with the marks that stand on them."""
    wanted = frozenset(map(ord, letters))
    marks = frozenset(code for code in wanted if unicodedata.combining(chr(code)))
    covered = wanted.intersection(brought()["normal"].unicodes)
    if covered - marks:
        for style in _STYLES.values():
            yield style, brought()[style], (wanted | _SIGNS).intersection(brought()[style].unicodes)
    rest = "".join(map(chr, sorted(wanted - covered)))
    for font in map(face, system_fonts(rest)):
        some = (frozenset(map(ord, rest)) | marks).intersection(font.unicodes)
        if any(chr(code).isalpha() for code in some):
            yield "normal", font, some


def _subset(font: harfbuzz.Face, codes: frozenset[int]) -> bytes:
    """Return a face reduced to some characters, with the features that place marks and join letters."""
    wanted = harfbuzz.SubsetInput()
    wanted.unicode_set.update(codes)
    wanted.flags = harfbuzz.SubsetFlags.NO_HINTING | harfbuzz.SubsetFlags.NOTDEF_OUTLINE
    with TTFont(BytesIO(harfbuzz.subset(font, wanted).blob.data), recalcTimestamp=False, lazy=True) as cut:
        cut.flavor = "woff"
        data = BytesIO()
        cut.save(data, reorderTables=False)
    return data.getvalue()


_SIGNS = frozenset(range(0x20, 0x7F)) | frozenset(range(0xA0, 0x100)) | frozenset(map(ord, "‐‑–—‘’‚“”„†‡•…‹›⁄∅→⟨⟩"))
"""Signs and figures that are set among letters; ASCII is in each text."""


def _is_letter(char: str) -> bool:
    category = unicodedata.category(char)
    if category.startswith("M") or (category in ("Lm", "Sk") and unicodedata.east_asian_width(char) == "N"):
        return True
    code = script_of_sign(char)
    return bool(code) and not scripts()[code].cells


@cache
def brought() -> Mapping[str, harfbuzz.Face]:
    """Return the serif face that Typst carries, by style.

    Its fonts are whole in the library's file. Raises ValueError if they are not: a new version of the package.
    """
    faces: dict[str, harfbuzz.Face] = {}
    with _library().open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for font in _fonts_in(data):
            if (style := _style(font)) and style not in faces:
                faces[style] = font
            if len(faces) == len(_STYLES):
                return faces
    raise ValueError(f"no {BROUGHT[0]} in {_library().name}")


def _library() -> Path:
    spec = find_spec("typst._typst")
    if spec is None or not spec.origin:
        raise ValueError("typst has no library")
    return Path(spec.origin)


def _fonts_in(data: mmap.mmap) -> Iterator[harfbuzz.Face]:
    """Yield the OpenType fonts that begin somewhere in some bytes."""
    at = data.find(_OPENTYPE)
    while at >= 0:
        size = _size(data, at)
        if size:
            yield harfbuzz.Face(harfbuzz.Blob(data[at:at + size]))
        at = data.find(_OPENTYPE, at + max(size, 1))


def _size(data: mmap.mmap, at: int) -> int:
    """Return the size of a font by its table directory; 0 if there is no font."""
    count = int.from_bytes(data[at + 4:at + 6])
    end = 0
    if not _LEAST_TABLES <= count <= _MOST_TABLES:
        return 0
    for place in range(at + _TABLES, at + _TABLES + _RECORD * count, _RECORD):
        if not data[place:place + 4].decode("latin-1").isprintable():
            return 0
        end = max(end, int.from_bytes(data[place + 8:place + 12]) + int.from_bytes(data[place + 12:place + 16]))
    return end if end <= min(_LARGEST, len(data) - at) else 0


def _style(font: harfbuzz.Face) -> str | None:
    names = harfbuzz.OTNameIdPredefined
    if font.get_name(names.FONT_FAMILY) != BROUGHT[0]:
        return None
    return _STYLES.get(font.get_name(names.FONT_SUBFAMILY) or "")
