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
from jiaokan.cli._folder import FOLDER, emit, folder_argument, load
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, DecisionError, Message
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import edition_path, font_paths
from jiaokan.settings.plans import EditionPlan
from jiaokan.system.atomic import write_file
from jiaokan.system.listing import resource

_OPTIONAL = (
    (("chromium", "chromium-browser", "google-chrome"), Message("tests-website"),
     Message("apt-install-chromium-https-www")),
    (("jing",), Message("tests-validation"), Message("apt-install-jing-https-relaxng")),
    (("epubcheck",), Message("tests-epub"), Message("apt-install-epubcheck-https-www")),
    (("pdftotext",), Message("tests-pdf"), Message("apt-install-poppler-utils-brew")),
)


@click.command("doctor")
@folder_argument
@click.option("--print-toml", "rows", is_flag=True,
              help="option-installation-print-toml")
def doctor(folder: Path, rows: bool) -> None:
    """Report what is installed, what is missing, missing glyphs.

    \b
    Example:  jiaokan doctor demo
              jiaokan doctor demo --print-toml >> demo/tei/decisions/print.toml
    """
    if rows:
        say(_print_rows(folder))
        return
    say(Message("jiaokan-python", version=__version__, python_version=platform.python_version(),
                system=platform.system(), machine=platform.machine()))
    packages = tuple(_packages())
    for name, version in packages:
        say(f"  {name} " + (version or Message("package-missing", name=name)))
    if not all(version for _, version in packages):
        raise click.exceptions.Exit(1)
    say(Message("optional-programs"))
    for names, use, how in _OPTIONAL:
        program = next(filter(None, map(shutil.which, names)), None)
        say(Message("optional-program", name=names[0], found=program or Message("program-missing", how=how), use=use))
    say(Message("label-decisions"))
    for line in _decisions(folder):
        say("  " + line)
    say(Message("label-fonts"))
    for line in _fonts(folder):
        say("  " + line)


def _decisions(folder: Path) -> Iterator[str | Message]:
    from jiaokan.decisions import kinds

    try:
        catalog = load(folder)
        decisions = {kind.name: kinds.load(catalog.root, kind.table) for kind in kinds.KINDS}
        yield ", ".join(f"{name} {len(filed)}" for name, filed in decisions.items() if filed) or Message("none")
        every = (decision for filed in decisions.values() for decision in filed)
        kinds.check(every, catalog.persons, catalog.sources)
    except (CatalogError, DecisionError) as error:
        yield error.whole


def _fonts(folder: Path) -> Iterator[str]:
    from jiaokan.decisions.characters import load_substitutes
    from jiaokan.outputs.print.fonts import coverage, font_files, packages_for

    files = font_files()
    yield Message("font-files-characters", files=", ".join(path.name for path in files), count=len(coverage(files)))
    try:
        catalog = load(folder)
    except CatalogError as error:
        yield Message("no-texts-checked", message=error.message)
        return
    decided = load_substitutes(catalog.root / "tei" / "decisions" / "print.toml")
    for plan in catalog.editions.values():
        path = edition_path(catalog, plan)
        if not path.exists():
            yield Message("not-built-yet-run-jiaokan", path=path.stem)
            continue
        lacking = _lacking(catalog, plan)
        open_ = "".join(c for c in lacking if c not in decided)
        mend = Message("undecided-decide-tei-decisions-print", open=open_) if open_ else ""
        yield Message("characters-no-font", plan=plan.id, count=len(lacking), mend=mend)
        if names := {name for name, first, last in _HANAZONO if any(first <= ord(char) <= last for char in lacking)}:
            yield (Message("apt-install-fonts-hanazono-put", names=", ".join(sorted(names))))
        if packages := packages_for(lacking):
            yield Message("install-fonts", packages=packages)


_HANAZONO = (("HanaMinA.ttf", 0x3400, 0x9FFF), ("HanaMinA.ttf", 0xF900, 0xFAFF), ("HanaMinA.ttf", 0x2F800, 0x2FA1F),
             ("HanaMinB.ttf", 0x20000, 0x2EBEF))
"""Fonts of Debian's fonts-hanazono (SIL OFL), in /usr/share/fonts/truetype/hanazono, with the code points that they
were made for. Counted: they lack 21 of 20,992 of the basic block, 9 of 42,720 of Extension B, 42 of 17,648 of C–F."""


def _lacking(catalog: Catalog, plan: EditionPlan) -> str:
    from jiaokan.outputs.print.fonts import font_files, missing_in

    lacking = missing_in(edition_path(catalog, plan).read_bytes(), font_files(files=font_paths(catalog, plan)))
    return "".join(char for char in lacking if unicodedata.category(char) != "Co")


def _print_rows(folder: Path) -> str:
    """Return a row of ``print.toml`` for each undecided character of the folder's editions that no font has.

    Each proposes a graph of the same family that the font has, else 〓; the editor checks each row.
    """
    import tomli_w

    from jiaokan.characters.equality import families
    from jiaokan.decisions.characters import load_substitutes
    from jiaokan.outputs.print.fonts import font_files, missing

    catalog = load(folder)
    decided = load_substitutes(catalog.root / "tei" / "decisions" / "print.toml")
    printable = [plan for plan in catalog.editions.values() if edition_path(catalog, plan).exists()]
    chars = sorted({char for plan in printable for char in _lacking(catalog, plan)} - set(decided))
    rows = []
    for char in chars:
        kin = "".join(families([char])).replace(char, "")
        known = kin.translate(dict.fromkeys(map(ord, missing(kin, font_files()))))
        rows.append({"code": f"U+{ord(char):04X}", "standard": known[:1] or "〓", "resp": "editors",
                     "why": f"{char}: 字库所无" + (f"，{known[:1]}之异体" if known else ""), "cert": "low"})
    return tomli_w.dumps({"character": rows}).rstrip() if rows else Message("nothing-decide")


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
@click.option("--copy", "folder", type=FOLDER, help="option-installation-copy")
def schema(part: str | None, folder: Path | None) -> None:
    """Print, copy or locate the schemas.

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
