"""Web fonts: Noto Serif SC reduced to the characters that the pages show, in files of which a page loads what it needs.

Two small fonts draw characters in their traditional or simplified form for display in the other script; the text itself
stays as in the source. A file's name holds one hash of its characters and the subsetter, and one of its bytes: an
existing font is reused only if both are right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import uharfbuzz as harfbuzz
from fontTools.ttLib import TTFont
from lxml import html as markup
from pylopdf_fonts_zh_cn import serif_path

from jiaokan.characters.scripts import simplified_forms, traditional_forms
from jiaokan.outputs.web.letters import write_letters
from jiaokan.outputs.web.ranges import unicode_range
from jiaokan.system.atomic import remove, write_file
from jiaokan.system.listing import matching, resource
from jiaokan.tei.tree import mixed_content

_STYLE = (
    '@font-face {{ font-family: "{family}"; src: url("{name}") format("woff"); font-display: swap; '
    "unicode-range: {range}; }}\n"
)
_FAMILIES = {"song": "Jiaokan Song", "traditional": "Jiaokan Traditional", "simplified": "Jiaokan Simplified"}
COMMON, _SLICE = 780, 300
"""Characters in the first file of a face, and in each other."""


def web_fonts(
    folder: Path, characters: Iterable[str], *, letters: str = "", earlier: Path | None = None
) -> tuple[Path, ...]:
    """Write the site's fonts, ``font.css`` and ``font-rest.css`` into a folder; return their paths.

    `characters` are in the order of use: a face is cut into files, of which a browser loads those with characters that
    it shows. ``song-HASH-HASH.woff`` have the characters; ``traditional-…`` and ``simplified-…`` draw them in the other
    script; ``letters-…`` have `letters`. A font that exists in the folder or in `earlier` is reused; other fonts of the
    folder are removed. WOFF, not WOFF2: Brotli takes 27 times as long as zlib and saves a ninth; where it takes no
    longer, nothing.
    """
    shown = {character: character for character in characters if ord(character) in _face_characters()}
    written_files: list[Path] = []
    styles: list[str] = []
    for kind, drawn in zip(_FAMILIES, (shown, traditional_forms(shown), simplified_forms(shown)), strict=True):
        known = {path.name: path for place in (earlier, folder) if place for path in matching(place, f"{kind}-*.woff")}
        ordered = [(ord(character), ord(drawn[character])) for character in shown if character in drawn]
        starts = [0, *range(COMMON, len(ordered), _SLICE)]
        for start, end in pairwise([*starts, len(ordered)]):
            wanted = sorted(ordered[start:end])
            font = folder / _font(kind, wanted, folder, known)
            written_files.append(font)
            ranges = unicode_range(code for code, _ in wanted)
            styles.append(_STYLE.format(family=_FAMILIES[kind], name=font.name, range=ranges))
    for old in (path for kind in _FAMILIES for path in matching(folder, f"{kind}-*.woff")):
        if old not in written_files:
            remove(old)
    # A page asks for them when it is shown: until a font is there, Chromium loads all others with its characters.
    letter_styles, letter_files = write_letters(folder, letters)
    for name, some in (("font.css", styles[:1]), ("font-rest.css", [*styles[1:], letter_styles])):
        write_file(folder / name, "".join(some).encode())
        written_files.append(folder / name)
    return (*written_files, *letter_files)


def first_fonts(folder: Path, pages: Iterable[str]) -> None:
    """Write ``first-PAGE.woff`` and ``first-PAGE.css`` for some of a text's pages: the characters with which the page
    begins, the signs of style sheets and what scripts write at once. A page needs no other file until one reads on;
    of the site's files it would load nearly all for 40 to 90 rare characters."""
    assets = resource("xslt/html/assets")
    sources = (*assets.glob("*.css"), *(assets / name for name in ("language.js", "points.js")))
    signs = set().union(*(path.read_text(encoding="utf-8") for path in sources))
    for page in pages:
        whole = markup.document_fromstring((folder / f"{page}.html").read_bytes())
        begins = signs.union(*_first_words(whole.find("body")))
        wanted = sorted(code for code in map(ord, begins) if code in _face_characters())
        (folder / f"first-{page}.woff").write_bytes(_subset(dict(zip(wanted, wanted, strict=True))))
        style = _STYLE.format(family=_FAMILIES["song"], name=f"first-{page}.woff", range=unicode_range(wanted))
        (folder / f"first-{page}.css").write_text(style, encoding="utf-8")


def _first_words(element: markup.HtmlElement) -> Iterator[str]:
    """Yield what an element shows at once, with its attributes, of which scripts show the words. Later it shows further
    sections and passages, what is folded, and the settings of a form."""
    yield from map(str, element.attrib.values())
    for item in mixed_content(element, "page"):
        folded = element.tag == "details"
        if isinstance(item, str):
            yield "" if folded else item
        elif folded and item.tag != "summary":
            yield from map(str, item.attrib.values() if item.tag == "form" else ())
        elif item.tag == "fieldset":
            break
        elif item.get("class") != "later":
            yield from _first_words(item)


def _font(kind: str, wanted: Sequence[tuple[int, int]], folder: Path, known: Mapping[str, Path]) -> str:
    """Write a font with these characters and forms, reused if it is `known` and sound; return its file name."""
    start = f"{kind}-{_short(f'{harfbuzz.version_string()} {_FLAGS} {wanted}'.encode())}"
    for name, path in known.items():
        if name.startswith(start) and path.is_file() and name == f"{start}-{_short(data := path.read_bytes())}.woff":
            break
    else:
        data = _subset(dict(wanted))
    name = f"{start}-{_short(data)}.woff"
    write_file(folder / name, data)
    return name


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def font_of(characters: Iterable[str]) -> bytes:
    """Return our face reduced to some characters, as WOFF."""
    return _subset({ord(character): ord(character) for character in characters})


_FEATURES = (b"vert", b"halt", b"vhal")
"""OpenType features for punctuation: vertical forms, and half-width marks side by side (CSS Text 4,
text-spacing-trim)."""

_KIND = harfbuzz.SubsetFlags
_FLAGS = _KIND.NO_HINTING | _KIND.NOTDEF_OUTLINE | _KIND.DESUBROUTINIZE
"""Outlines without subroutines take 12 % less room when they are compressed."""


def _face() -> harfbuzz.Face:
    return harfbuzz.Face(harfbuzz.Blob.from_file_path(str(serif_path())))


@cache
def _face_characters() -> frozenset[int]:
    """Return what our face has; a character that it lacks is in no ``unicode-range``: a browser would load the file."""
    return frozenset(_face().unicodes)


def _subset(drawn: Mapping[int, int]) -> bytes:
    """Return our face reduced to some characters, each drawn as itself or in the other script; deterministic."""
    characters = sorted(set(drawn.values()))
    wanted = harfbuzz.SubsetInput()
    wanted.unicode_set.update(characters)
    wanted.layout_feature_tag_set.clear()
    for feature in _FEATURES:
        wanted.layout_feature_tag_set.add(int.from_bytes(feature, "big"))
    wanted.flags = _FLAGS
    cut = BytesIO(harfbuzz.subset(_face(), wanted).blob.data)
    with TTFont(cut, recalcBBoxes=False, recalcTimestamp=False, lazy=True) as font:
        for table in font["cmap"].tables:
            if table.isUnicode() and table.format != 14:
                known = table.cmap
                table.cmap = {
                    code: known[form] for code, form in drawn.items()
                    if form in known and (code <= 0xFFFF or table.format == 12)
                }
        font.flavor = "woff"
        data = BytesIO()
        font.save(data, reorderTables=False)
    return data.getvalue()
