"""Fonts of the outputs: their files and the characters that they have.

Only declared fonts are used (the wheel ``pylopdf-fonts-zh-cn`` and the user's), so that every machine gives the same
bytes. For letters of a script that none of them has, a font of the system is better than boxes: a finding names it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pylopdf_fonts_zh_cn as wheel
import uharfbuzz as harfbuzz

from jiaokan.characters.writing import script_of_letter, scripts
from jiaokan.errors import Message, Place, RenderError, suggestion
from jiaokan.model.vocabulary import TEI
from jiaokan.outputs import DOCUMENT
from jiaokan.system.atomic import user_folder
from jiaokan.tei.tree import parse

FAMILY = "Noto Serif SC"  # the family of all text by default

_BUILT_IN = Path(__file__).parent / "built_in.tsv"
"""The characters of the families that Typst has built in and the templates name last (`measures.typ`): letters with the
accents of Sanskrit and other transliterations, Greek, Hebrew, Cyrillic, and signs. A test compares them."""

_SYSTEM = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts", "/Library/Fonts",
           "~/Library/Fonts", "C:/Windows/Fonts")
"""Folders where systems keep fonts (freedesktop.org, macOS, Windows)."""
BROUGHT = ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono")  # families that Typst has built in
_SUFFIXES = (".otf", ".ttf")
_FAMILY_NAMES = (harfbuzz.OTNameIdPredefined.WWS_FAMILY, harfbuzz.OTNameIdPredefined.TYPOGRAPHIC_FAMILY,
                 harfbuzz.OTNameIdPredefined.FONT_FAMILY)
"""The names of a family, the best first (OpenType, name IDs 21, 16, 1)."""


def font_files(folders: Iterable[Path] = (), *, files: Iterable[Path] = ()) -> tuple[Path, ...]:
    """Return the declared font files: the wheel's serif face, then `files`, then those in `folders`, by name.

    Raises RenderError for a folder that does not exist.
    """
    files = [Path(wheel.serif_path()), *files]
    for folder in folders:
        if not folder.is_dir():
            raise RenderError(Message("font-folder-not-exist", folder=folder))
        files += sorted(f for f in folder.iterdir() if f.suffix.lower() in _SUFFIXES)
    return tuple(files)


def face(file: Path) -> harfbuzz.Face:
    """Return a font as HarfBuzz reads it. Raises RenderError for an invalid file."""
    try:
        font = harfbuzz.Face(harfbuzz.Blob.from_file_path(str(file)))
    except harfbuzz.HarfBuzzError as error:
        raise RenderError(Message("not-usable-font", error=error), place=Place(str(file))) from None
    if not font.glyph_count:
        raise RenderError(Message("not-usable-font-no-glyphs"), place=Place(str(file)))
    return font


def system_fonts(lacking: str) -> tuple[Path, ...]:
    """Return the fonts of this machine for letters that no declared font has, by the table of scripts."""
    codes = dict.fromkeys(filter(None, map(script_of_letter, lacking)))
    found = [installed([name]) for code in codes if not scripts()[code].cells for name in scripts()[code].files]
    return tuple(filter(None, found))


def added_folder() -> Path:
    """Return the folder of the fonts that `jiaokan fonts add` fetches."""
    return user_folder("fonts")


def installed(names: Iterable[str]) -> Path | None:
    """Return the first of some font files that this machine has, added ones before those of the system."""
    places = [place for place in (added_folder(), *(Path(name).expanduser() for name in _SYSTEM)) if place.is_dir()]
    return next((file for name in names for place in places for file in sorted(place.rglob(name))), None)


def font_of_script(code: str, files: tuple[Path, ...]) -> Path | None:
    """Return the font with the forms of a script in cells that the font `files` lack: of its wheel, if that is
    installed, else of the system; None if the script has none of its own, or there is none."""
    script = scripts()[code]
    if not (script.cells and script.wheel) or script.faces[0] in families(files):
        return None
    if find_spec(module := script.wheel.replace("-", "_")):
        return Path(import_module(module).serif_path())
    return installed(script.files)


def packages_for(lacking: str) -> str:
    """Return the packages with fonts for the letters among these characters, each with its files; empty if unknown."""
    codes = dict.fromkeys(code for code in map(script_of_letter, lacking) if code and not scripts()[code].cells)
    add = [code for code in codes if scripts()[code].fontsource]
    command = [f"`jiaokan fonts add {' '.join(add)}`"] if add else []
    return ", ".join([*command, *(f"{scripts()[code].package} ({' '.join(scripts()[code].files)})" for code in codes)])


@cache
def coverage(files: tuple[Path, ...]) -> frozenset[int]:
    """Return the code points that at least one of the font files has. Raises RenderError for an invalid file."""
    return frozenset().union(*(face(file).unicodes for file in files))


@cache
def built_in() -> dict[str, frozenset[int]]:
    """Return the code points of each family that Typst has built in and the templates name last."""
    rows = [line.split("\t") for line in _BUILT_IN.read_text(encoding="ascii").splitlines() if line[0] != "#"]
    return {family: frozenset(code for first, _, last in (part.partition("-") for part in parts.split())
                              for code in range(int(first, 16), int(last or first, 16) + 1))
            for family, parts in rows}


@cache
def families(files: tuple[Path, ...]) -> list[str]:
    """Return the family of each font file. Raises RenderError for an invalid file."""
    return [next(filter(None, map(face(file).get_name, _FAMILY_NAMES)), file.stem) for file in files]


def check_faces(named: Iterable[str], edition_files: tuple[Path, ...]) -> None:
    """Raise RenderError if no font has a family that the plan names; `own`: the edition's files."""
    known = {FAMILY, "Noto Sans SC", *BROUGHT, *families(edition_files)}
    for name in named:
        if name not in known:
            raise RenderError(Message("no-font-family", name=name), place=Place("[print.faces]"),
                              mend=Message("other-font-files-declared-fonts", suggestion=suggestion(name, known)))


def missing(text: str, files: tuple[Path, ...]) -> str:
    """Return the characters of `text` that no font has, once each, in code point order.

    A private-use character is always missing: a font's glyph for it is not the source's character. Spaces, line ends
    and characters without a shape of their own are never missing, nor are those whose canonical equivalent a font has.
    """
    shown = coverage(files), *built_in().values()
    kinds = {char: unicodedata.category(char) for char in set(text)}
    lacking = (char for char, kind in kinds.items() if kind == "Co" or not any(_draws(font, char) for font in shown))
    return "".join(sorted(char for char in lacking if kinds[char] not in ("Cc", "Cf", "Zl", "Zp", "Zs")
                          and "VARIATION SELECTOR" not in unicodedata.name(char, "")))


def _draws(codes: frozenset[int], char: str) -> bool:
    """Whether a font with these code points draws a character, or its canonical equivalent as the same letter.

    A compatibility ideograph (U+FA19 神) is another form of its character, so this is not drawn for it.
    """
    same = char if unicodedata.category(char) == "Lo" else unicodedata.normalize("NFD", char)
    return ord(char) in codes or codes.issuperset(map(ord, same))


def missing_in(tei: bytes, files: tuple[Path, ...]) -> str:
    """Return the characters of a TEI file's text, without its header, that no font has. Raises TeiError."""
    text = parse(tei, name=DOCUMENT).find(f"{{{TEI}}}text")
    return missing("".join(map(str, text.itertext())) if text is not None else "", files)
