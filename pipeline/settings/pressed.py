"""Whether the choices of print can be had together: margins and type on the paper, the layouts, the files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import convert, structs

from pipeline.errors import CatalogError
from pipeline.settings import layouts
from pipeline.settings.paper import size_of
from pipeline.settings.plans import PrintPlan
from pipeline.settings.toml import TomlTable

_POINT = 25.4 / 72
_LEAST = 10
"""So many characters of the base text a line has at least, and so many lines of it a page: with fewer, numbers and
brackets alone break lines anyhow."""
_LEADING = 22 / 12
"""Height of a line of base text, in its size: `measures.typ`."""
_HEEDED = ("margins", "woodcut", "faces", "line_numbers", "numbers", "series", "locators", "testimonia", "matter")
"""Choices that not every layout can heed: a layout that does names them in its ``takes``."""


def faults_of_print(table: TomlTable, path: Path) -> Iterator[CatalogError]:
    """Give what is wrong in the table ``[print]`` of a plan that fits its type; `path` is the plan's file."""
    given = table.get("print", {})
    plan = convert(given, PrintPlan)
    takes = {key for layout in plan.made() for key in layouts.declaration(layout).takes}
    for key in _HEEDED:
        if key in given and getattr(plan, key) != getattr(PrintPlan(), key) and key not in takes:
            others = ", ".join(name for name in layouts.names() if key in layouts.declaration(name).takes)
            yield CatalogError(f"`{key}` changes nothing in the layout {' or '.join(plan.made())}",
                               place=table.place(("print", key)),
                               mend=f"take it out, or choose another layout: {others}")
    if "margins" in given and "margins" in takes:
        yield from _narrow(table, plan)
    if plan.press.profile:
        home, place = path.parents[2], table.place(("print", "press", "profile"), value=True)
        if not (home / plan.press.profile).resolve().is_relative_to(home.resolve()):
            yield CatalogError(f"the profile {plan.press.profile} lies outside the edition's folder", place=place,
                               mend="copy it into the folder")
        elif not (home / plan.press.profile).is_file():
            yield CatalogError(f"there is no profile {plan.press.profile!r} in the edition's folder", place=place,
                               mend="put the file there: its path begins at the folder that holds tei/")


def _narrow(table: TomlTable, plan: PrintPlan) -> Iterator[CatalogError]:
    """Give the fault of margins that leave no room."""
    width, height = size_of(plan.paper)
    sides = structs.asdict(plan.margins)
    across = (width - sides["inside"] - sides["outside"]) / (plan.base_size * _POINT)
    down = (height - sides["top"] - sides["bottom"]) / (plan.base_size * _POINT * _LEADING)
    for room, what in ((across, "characters a line"), (down, "lines a page")):
        if room < _LEAST:
            left = f"{max(0, int(room))} {what} on {width:g} × {height:g} mm"
            yield CatalogError(f"the margins leave {left}; at least {_LEAST} are needed",
                               place=table.place(("print", "margins")),
                               mend="make them smaller, the paper greater, or the type smaller")
