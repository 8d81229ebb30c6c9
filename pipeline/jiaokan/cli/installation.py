"""`jiaokan doctor`, `schema`: what is installed, and the schemas."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import click

from jiaokan import __version__
from jiaokan.cli._folder import FOLDER, emit, load
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, DecisionError
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import edition_path, font_paths
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.atomic import write_file
from jiaokan.system.listing import resource

_OPTIONAL = (
    (("chromium", "chromium-browser", "google-chrome"), "only for tests of the website",
     "apt install chromium, or https://www.chromium.org"),
    (("jing",), "only for tests of validation", "apt install jing, or https://relaxng.org/jclark/jing.html"),
    (("epubcheck",), "only for tests of the e-book", "apt install epubcheck, or https://www.w3.org/publishing/epubcheck"),
    (("pdftotext",), "only for tests of the PDF", "apt install poppler-utils, or brew install poppler"),
)


@click.command("doctor")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--print-toml", "rows", is_flag=True,
              help="Only print rows for tei/decisions/print.toml: undecided characters that no font has.")
def doctor(folder: Path, rows: bool) -> None:
    """Report what is installed, what is missing, missing glyphs.

    For an edition FOLDER it also counts the decisions and lists the characters that no font has. Exit code 1 if a
    required package is missing.

    \b
    Example:  jiaokan doctor demo
              jiaokan doctor demo --print-toml >> demo/tei/decisions/print.toml
    """
    if rows:
        say(_print_rows(folder))
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
        say(f"  {names[0]}: {found or 'not installed; ' + how}; {use}")
    say("Decisions")
    for line in _decisions(folder):
        say(f"  {line}")
    say("Fonts")
    for line in _fonts(folder):
        say(f"  {line}")


def _decisions(folder: Path) -> Iterator[str]:
    from jiaokan.decisions import kinds

    try:
        catalog = load(folder)
        found = {kind.name: kinds.load(catalog.root, kind.table) for kind in kinds.KINDS}
        yield ", ".join(f"{name} {len(each)}" for name, each in found.items() if each) or "none"
        every = (each for filed in found.values() for each in filed)
        kinds.check(every, catalog.persons, catalog.sources)
    except (CatalogError, DecisionError) as error:
        yield str(error)


def _fonts(folder: Path) -> Iterator[str]:
    from jiaokan.decisions.characters import load_printed
    from jiaokan.outputs.print.fonts import coverage, font_files

    files = font_files()
    yield f"{', '.join(path.name for path in files)}: {len(coverage(files)):,} characters"
    try:
        catalog = load(folder)
    except CatalogError as error:
        yield f"no texts checked: {error.message}"
        return
    decided = load_printed(catalog.root / "tei" / "decisions" / "print.toml")
    for plan in catalog.editions.values():
        path = edition_path(catalog, plan)
        if not path.exists():
            yield f"{path.stem}: not built yet; run `jiaokan build`"
            continue
        lacking = _lacking(catalog, plan)
        open_ = "".join(c for c in lacking if c not in decided)
        mend = f", undecided: {open_}; decide in tei/decisions/print.toml how to print them" if open_ else ""
        yield f"{plan.id}: {len(lacking)} characters in no font{mend}"
        if names := {name for name, first, last in _HANAZONO if any(first <= ord(char) <= last for char in lacking)}:
            yield (f"apt install fonts-hanazono; put {', '.join(sorted(names))} into fonts/; "
                   "set fonts = [\"fonts\"] in [print]")


_HANAZONO = (("HanaMinA.ttf", 0x3400, 0x9FFF), ("HanaMinA.ttf", 0xF900, 0xFAFF), ("HanaMinA.ttf", 0x2F800, 0x2FA1F),
             ("HanaMinB.ttf", 0x20000, 0x2EBEF))
"""Fonts of Debian's fonts-hanazono (SIL OFL), in /usr/share/fonts/truetype/hanazono, with the code points that they
were made for. Counted: they lack 21 of 20,992 of the basic block, 9 of 42,720 of Extension B, 42 of 17,648 of C–F."""


def _lacking(catalog: Catalog, plan: EditionPlan) -> str:
    from jiaokan.outputs.print.fonts import font_files, missing_in

    found = missing_in(edition_path(catalog, plan).read_bytes(), font_files(files=font_paths(catalog, plan)))
    return "".join(char for char in found if unicodedata.category(char) != "Co")


def _print_rows(folder: Path) -> str:
    """Return a row of ``print.toml`` for each undecided character of the folder's editions that no font has.

    Each proposes a graph of the same family that the font has, else 〓; the editor checks each row.
    """
    import tomli_w

    from jiaokan.characters.equality import families
    from jiaokan.decisions.characters import load_printed
    from jiaokan.outputs.print.fonts import font_files, missing

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
    for requirement in importlib.metadata.requires("jiaokan") or ():
        if "extra ==" not in requirement:
            name = re.split(r"[<>=!~; \[]", requirement, maxsplit=1)[0]
            try:
                yield name, importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                yield name, ""


_PARTS = ("odd", "sch", "xsd")


@click.command("schema")
@click.argument("part", type=click.Choice(_PARTS), required=False)
@click.option("--copy", "folder", type=FOLDER, help="Copy all schema files to this folder.")
def schema(part: str | None, folder: Path | None) -> None:
    """Print, copy or locate the schemas.

    odd: the TEI customisation, which documents each element and every rule; sch: the rules as ISO Schematron; xsd:
    the XSD (its files refer to each other by name: copy them together).

    \b
    Example:  jiaokan schema odd > jiaokan.odd
              jiaokan schema --copy my-edition/schema
    """
    home = resource("schema")
    if part:
        emit((home / f"jiaokan.{part}").read_bytes(), None)
    files = sorted(path for path in home.iterdir() if path.suffix[1:] in _PARTS)
    for path in files if folder else ():
        write_file(Path(str(folder)) / path.name, path.read_bytes())
        say(Path(str(folder)) / path.name)
    if not part and not folder:
        for path in files:
            say(path)


COMMANDS = (doctor, schema)
