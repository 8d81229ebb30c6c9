"""`jiaokan collate`: an edition of the folder, or any files, as TEI or as an apparatus in many formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import (
    changed,
    classes_option,
    emit,
    folder_option,
    load,
    out_option,
    part_option,
    show,
    text_names,
)
from pipeline.errors import CatalogError, Place
from pipeline.exchange import exports
from pipeline.model.variants import LEVELS
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import ApparatusPlan, EditionPlan

if TYPE_CHECKING:
    from pipeline.editions.loose import Collated


@click.command("collate")
@click.argument("texts", nargs=-1, required=True, metavar="EDITION | FILES",
                shell_complete=text_names)
@click.option("-f", "--format", "form", type=click.Choice(exports.names()),
              help="Output format (default: tei for an edition, table for files).")
@click.option("--base", default="", help="For files: the base text (default: the first file).")
@click.option("--level", type=click.Choice(list(LEVELS)), default="all", show_default=True,
              help="Which entries: all; no script pairs (graphic); no graphs (reading); only substantive ones.")
@classes_option
@part_option("all")
@click.option("--witness", "files", multiple=True, metavar="ID=FILE",
              help="For an edition: read this witness from FILE, not from tei/witnesses/ID.xml.")
@out_option
@folder_option
def command(
    texts: tuple[str, ...], form: str | None, base: str, level: str, without: frozenset[str], part: str,
    files: tuple[str, ...], out: Path | None, folder: Path,
) -> None:
    """Collate witnesses into an edition or an apparatus.

    EDITION is the id of a tei/editions/ID.toml; the TEI of its witnesses must exist (`convert` or `build` makes it).
    FILES are witnesses: TEI, or plain text with blank lines between paragraphs, else one paragraph per line; - is
    standard input. A single file is a TEI edition whose apparatus is converted.

    \b
    Example:  jiaokan collate lunyu --out lunyu.xml
              jiaokan collate a.txt b.txt c.xml --base b -f csv
              jiaokan collate tei/editions/lunyu.xml -f nexus --level substantive
    """
    paths = [Path(text) for text in texts]
    if len(paths) == 1 and not paths[0].exists() and texts != ("-",):
        (made, plan), usual = _edition(texts[0], files, folder), "tei"
        if base:
            raise click.UsageError("--base is for files; an edition declares its base text in tei/editions/")
    else:
        from pipeline.editions.loose import collate_files
        from pipeline.editions.make.edition import read_file

        if files:
            raise click.UsageError("--witness is for an edition of the folder; give the files as arguments")
        if texts.count("-") > 1:
            raise click.UsageError("standard input can be only one witness")
        given = [
            ("stdin", sys.stdin.buffer.read()) if text == "-" else (text, read_file(Path(text), "")) for text in texts
        ]
        made, usual = collate_files(given, base=base, date=changed(paths)), "table"
        plan = ApparatusPlan()
    show(made.findings)
    from pipeline.characters.scripts import interface_of
    from pipeline.tei.persons import declared

    settings = exports.ExportSettings(
        sigla=made.sigla, persons=made.persons, without=LEVELS[level] | without, part=part, tei=made.tei,
        apparatus=plan, interface=interface_of(declared(made.tei, name=made.document.id).language),
    )
    emit(exports.get(form or usual).write(made.document, settings).encode(), out, sheet=form == "csv")


def _edition(edition: str, files: tuple[str, ...], folder: Path) -> tuple[Collated, ApparatusPlan]:
    from pipeline.editions.loose import Collated
    from pipeline.editions.make.edition import make_edition, witnesses_of

    catalog = load(folder)
    plan = _plan(edition, catalog)
    given = {name: Path(file) for name, _, file in (part.partition("=") for part in files)}
    return Collated.of(make_edition(plan, witnesses_of(plan, catalog, given), catalog)), plan.apparatus


def _plan(edition: str, catalog: Catalog) -> EditionPlan:
    plan = catalog.editions.get(edition)
    if plan is None or plan.kind != "critical":
        known = [p.id for p in catalog.editions.values() if p.kind == "critical"]
        raise CatalogError(f"no file and no critical edition is called {edition!r}",
                           mend=f"there is: {', '.join(known) or 'none'}",
                           place=Place(str(catalog.root / "tei" / "editions")))
    return plan


COMMANDS = (command,)
