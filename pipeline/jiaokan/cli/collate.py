"""`jiaokan collate`: an edition of the folder, or any files, as TEI or as an apparatus in many formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from jiaokan.api import Edition, Level, TeiText, collate_texts, read_tei
from jiaokan.cli._folder import (
    EXISTING_FILE,
    classes_option,
    emit,
    folder_option,
    out_option,
    part_option,
    show,
    text_names,
)
from jiaokan.errors import Message
from jiaokan.exchange import exports
from jiaokan.model.variants import LEVELS

if TYPE_CHECKING:
    from jiaokan.settings.plans import ApparatusPlan


@click.command("collate")
@click.argument("texts", nargs=-1, required=True, metavar="EDITION | FILES",
                shell_complete=text_names)
@click.option("-f", "--format", "form", type=click.Choice(exports.names()),
              help="option-collate-format")
@click.option("--base", default="", help="option-collate-base")
@click.option("--level", type=click.Choice(list(LEVELS)), default="all", show_default=True,
              help="option-collate-level")
@classes_option
@part_option("all")
@click.option("--witness", "files", multiple=True, metavar="ID=FILE",
              help="option-collate-witness")
@click.option("--text", "text", type=EXISTING_FILE, help="option-collate-text")
@out_option
@folder_option
def command(
    texts: tuple[str, ...], form: str | None, base: str, level: str, without: frozenset[str], part: str,
    files: tuple[str, ...], text: Path | None, out: Path | None, folder: Path,
) -> None:
    """Collate witnesses into an edition or an apparatus.

    \b
    Example:  jiaokan collate lunyu --out lunyu.xml
              jiaokan collate a.txt b.txt c.xml --base b -f csv
              jiaokan collate tei/editions/lunyu.xml -f nexus --level substantive
    """
    if text is not None and len(texts) != 1:
        raise click.UsageError(Message("text-file-apparatus-entries-point"))
    collated, usual, plan = _collate(texts, base, files, folder) if text is None else (
        read_tei(texts[0], text=text), "table", None)
    show(collated.findings)
    data = collated.apparatus(form or usual, level=cast(Level, level), without=without, part=part, plan=plan)
    emit(data.encode(), out, sheet=form == "csv")


def _collate(
    texts: tuple[str, ...], base: str, files: tuple[str, ...], folder: Path
) -> tuple[TeiText, str, ApparatusPlan | None]:
    if len(texts) == 1 and texts != ("-",) and not Path(texts[0]).exists():
        if base:
            raise click.UsageError(Message("base-files-edition-declares-base"))
        edition = Edition(folder)
        witnesses = {name: Path(file) for name, _, file in (part.partition("=") for part in files)}
        collated = edition.collate(texts[0], witnesses)
        return collated, "tei", edition.catalog.editions[texts[0]].apparatus
    if files:
        raise click.UsageError(Message("witness-edition-folder-give-files"))
    if texts.count("-") > 1:
        raise click.UsageError(Message("standard-input-witness"))
    named = {"stdin" if text == "-" else text: sys.stdin.buffer.read() if text == "-" else Path(text) for text in texts}
    return collate_texts(named, base=base), "table", None


COMMANDS = (command,)
