"""Find the layouts of the printed book: the folders of ``xslt/layouts``.

Such a folder has ``layout.toml`` (`LayoutDeclaration`); ``main.xsl``, which makes a Typst document of a TEI file, or
the input of an `engine`; its own Typst templates, which precede those of ``xslt/typst``; and, if its e-book looks
different, ``book.css``, which follows those of ``xslt/epub``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from jiaokan.settings.toml import load_as
from jiaokan.settings.values import Strict
from jiaokan.system.listing import resource

FOLDER = "xslt/layouts"
_DECLARATION = "layout.toml"
_SHARED = "xslt/typst"


class LayoutDeclaration(Strict, frozen=True, kw_only=True):
    """The ``layout.toml`` of a layout. Its name in words is the message ``term-layout-NAME``."""

    about: str
    takes: tuple[str, ...] = ()
    engine: str = ""
    punctuation: Literal["full", "corner", "lines", "judou", "hidden"] = "full"
    vertical: bool = False


def names() -> tuple[str, ...]:
    """Return the names of all layouts, sorted. Raises JiaokanError if the program lacks their folder."""
    return tuple(sorted(path.parent.name for path in resource(FOLDER).glob(f"*/{_DECLARATION}")))


def outputs() -> tuple[str, ...]:
    """Return the names of all outputs, the modules of ``pipeline/jiaokan/outputs``, sorted."""
    return tuple(sorted(path.stem for path in (Path(__file__).parents[1] / "outputs").glob("[!_]*.py")))


def folder(name: str) -> Path:
    """Return the folder of a layout. Raises JiaokanError if there is none of that name."""
    return resource(f"{FOLDER}/{name}")


def templates(name: str) -> dict[str, Path]:
    """Return the Typst templates of a layout by file name; its own replace those that all share."""
    return {path.name: path for home in (resource(_SHARED), folder(name)) for path in sorted(home.glob("*.typ"))}


def declaration(name: str) -> LayoutDeclaration:
    """Read the ``layout.toml`` of a layout. Raises CatalogError if it is invalid."""
    return load_as(folder(name) / _DECLARATION, LayoutDeclaration)
