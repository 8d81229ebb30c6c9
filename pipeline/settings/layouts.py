"""The layouts of the printed book: each is a folder of ``xslt/layouts``, found by scanning.

Such a folder holds ``layout.toml``, which describes it; ``main.xsl``, which turns a TEI file into the parts of a book
(Typst code, or lists that an `engine` lays out); Typst templates of its own, which come before those of ``xslt/typst``;
and, if its e-book is to look different, ``book.css``, which comes after those of ``xslt/epub``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from pipeline.settings.toml import typed
from pipeline.system.resources import resource

FOLDER = "xslt/layouts"
_DECLARATION = "layout.toml"
_SHARED = "xslt/typst"


class LayoutDeclaration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a layout says of itself: its ``layout.toml``."""

    label: str
    """What a website calls its PDF, in Chinese; no other layout has the same."""
    label_en: str
    """The same in English."""
    about: str
    """One English sentence on how its pages look, for the help of the command line."""
    takes: tuple[str, ...] = ()
    """Keys of ``[print]`` that its Typst templates read, besides what all get: paper, fonts, words."""
    engine: str = ""
    """Package of ``pipeline/outputs/print`` that lays its pages out, if Typst cannot; empty: Typst does."""
    punctuation: Literal["full", "corner", "lines", "judou", "hidden"] = "full"
    """How it shows the editor's punctuation where ``[print]`` says only that it is ``shown``."""
    vertical: bool = False
    """Whether lines run from top to bottom, so that letters from right to left cannot stand in them."""


def names() -> tuple[str, ...]:
    """Give the names of all layouts, in alphabetical order. Raises JiaokanError if the program lacks their folder."""
    return tuple(sorted(path.parent.name for path in resource(FOLDER).glob(f"*/{_DECLARATION}")))


def outputs() -> tuple[str, ...]:
    """Give the names of all outputs, the modules of ``pipeline/outputs``, in alphabetical order."""
    return tuple(sorted(path.stem for path in (Path(__file__).parents[1] / "outputs").glob("[!_]*.py")))


def folder(name: str) -> Path:
    """Give the folder of a layout. Raises JiaokanError if there is none of that name."""
    return resource(f"{FOLDER}/{name}")


def templates(name: str) -> dict[str, Path]:
    """Give the Typst templates of a layout by their names: its own before those that all share."""
    return {path.name: path for home in (resource(_SHARED), folder(name)) for path in sorted(home.glob("*.typ"))}


def declaration(name: str) -> LayoutDeclaration:
    """Read what a layout says of itself. Raises CatalogError for a file that does not say it rightly."""
    return typed(folder(name) / _DECLARATION, LayoutDeclaration)
