"""`jiaokan doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import click

from pipeline import __version__
from pipeline.cli._folder import FOLDER, load
from pipeline.cli._say import say
from pipeline.errors import CatalogError, DecisionError
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, font_paths
from pipeline.settings.plans import EditionPlan

_OPTIONAL = (
    (("chromium", "chromium-browser", "google-chrome"), "only to test the HTML edition in a browser",
     "apt install chromium, or https://www.chromium.org"),
    (("jing",), "only to compare our validation with jing", "apt install jing, or https://relaxng.org/jclark/jing.html"),
    (("epubcheck",), "only to test the e-book", "apt install epubcheck, or https://www.w3.org/publishing/epubcheck"),
    (("pdftotext",), "only to test the text of a PDF", "apt install poppler-utils, or brew install poppler"),
)


@click.command("doctor")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--print-toml", "rows", is_flag=True,
              help="Only print rows for tei/decisions/print.toml: the characters that no font has, to be decided.")
def command(folder: Path, rows: bool) -> None:
    """Say what is installed, which characters of a folder's texts no font has, and what is missing.

    Exit code 1 if something that jiaokan needs is missing.

    \b
    Example:  jiaokan doctor demo
              jiaokan doctor demo --print-toml >> demo/tei/decisions/print.toml
    """
    if rows:
        say(_rows(folder))
        return
    say(f"jiaokan {__version__} on Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    packages = tuple(_packages())
    for name, version in packages:
        say(f"  {name} {version or 'MISSING: pip install ' + name}")
    if not all(version for _, version in packages):
        raise click.exceptions.Exit(1)
    say("Optional programs")
    for names, use, how in _OPTIONAL:
        found = next(filter(None, map(shutil.which, names)), None)
        say(f"  {names[0]}: {found or 'not there; ' + how} ({use})")
    say("Decisions")
    for line in _decisions(folder):
        say(f"  {line}")
    say("Fonts")
    for line in _fonts(folder):
        say(f"  {line}")


def _decisions(folder: Path) -> Iterator[str]:
    """Say how many decisions of each kind a folder holds, and which nobody there can have made."""
    from pipeline.decisions import kinds

    try:
        catalog = load(folder)
        found = {kind.name: kinds.load(catalog.root, kind.table) for kind in kinds.KINDS}
        yield ", ".join(f"{name} {len(each)}" for name, each in found.items() if each) or "none"
        every = (each for filed in found.values() for each in filed)
        kinds.check(every, catalog.persons, catalog.sources)
    except (CatalogError, DecisionError) as error:
        yield str(error)


def _fonts(folder: Path) -> Iterator[str]:
    """Say which fonts there are, and of each text the characters that they lack."""
    from pipeline.decisions.throughout import load_printed
    from pipeline.outputs.print.fonts import coverage, font_files

    files = font_files()
    yield f"{', '.join(path.name for path in files)}: {len(coverage(files)):,} characters"
    try:
        catalog = load(folder)
    except CatalogError as error:
        yield f"no texts looked at: {error.message}"
        return
    decided = load_printed(catalog.root / "tei" / "decisions" / "print.toml")
    for plan in catalog.editions.values():
        path = edition_path(catalog, plan)
        if not path.exists():
            yield f"{path.stem}: not made yet; `jiaokan build` makes it"
            continue
        lacking = _lacking(catalog, plan)
        open_ = "".join(c for c in lacking if c not in decided)
        mend = f", of which {open_} are not decided: say in tei/decisions/print.toml how to print them" if open_ else ""
        yield f"{plan.id}: {len(lacking)} characters in no font{mend}"


def _lacking(catalog: Catalog, plan: EditionPlan) -> str:
    """Give the characters of an edition that neither our font nor its own have."""
    from pipeline.outputs.print.fonts import font_files, missing_in

    found = missing_in(edition_path(catalog, plan).read_bytes(), font_files(files=font_paths(catalog, plan)))
    return "".join(char for char in found if unicodedata.category(char) != "Co")


def _rows(folder: Path) -> str:
    """Give a row of ``print.toml`` for each character of a folder's editions that no font has and nobody decided.

    What is proposed is a graph of the same family that the font has, else 〓; the editor has to look at each.
    """
    import tomli_w

    from pipeline.characters.equality import families
    from pipeline.decisions.throughout import load_printed
    from pipeline.outputs.print.fonts import font_files, missing

    catalog = load(folder)
    decided = load_printed(catalog.root / "tei" / "decisions" / "print.toml")
    made = [plan for plan in catalog.editions.values() if edition_path(catalog, plan).exists()]
    chars = sorted({char for plan in made for char in _lacking(catalog, plan)} - set(decided))
    rows = []
    for char in chars:
        kin = "".join(families([char])).replace(char, "")
        known = kin.translate(dict.fromkeys(map(ord, missing(kin, font_files()))))
        rows.append({"code": f"U+{ord(char):04X}", "standard": known[:1] or "〓", "resp": "editors",
                     "why": f"{char}: 字库所无" + (f"，{known[:1]}之异体" if known else ""), "cert": "low"})
    return tomli_w.dumps({"character": rows}).rstrip() if rows else "# nothing to decide"


def _packages() -> Iterator[tuple[str, str]]:
    """Give each package that jiaokan needs, with its version or nothing."""
    for requirement in importlib.metadata.requires("jiaokan") or ():
        if "extra ==" not in requirement or "edition" in requirement:
            name = re.split(r"[<>=!~; \[]", requirement, maxsplit=1)[0]
            try:
                yield name, importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                yield name, ""


COMMANDS = (command,)
