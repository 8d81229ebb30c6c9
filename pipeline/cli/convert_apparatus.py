"""`jiaokan convert-apparatus`: the apparatus of any TEI file by another method, proved to be the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pipeline.cli._folder import EXISTING_FILE, emit, out_option, show
from pipeline.cli._say import give


@click.command("convert-apparatus")
@click.argument("file", type=EXISTING_FILE)
@click.option("--to", "method", required=True, type=click.Choice(["parallel", "double-end-point", "location"]),
              help="The method: entries round their words, by two points, or by a location and words.")
@click.option("--where", type=click.Choice(["internal", "external"]), default="external", show_default=True,
              help="Of entries beside the text: in it after their words, or all in standOff.")
@click.option("--overlap", type=click.Choice(["refuse", "split"]), default="refuse", show_default=True,
              help="Under parallel: entries that overlap, or go across elements, are refused or cut into pieces.")
@click.option("--unheld", type=click.Choice(["refuse", "keep"]), default="refuse", show_default=True,
              help="Entries whose words are not in the text: refused, or left as they are.")
@click.option("--proof", is_flag=True, help="Print what was compared: each witness, each entry. Needs --out.")
@out_option
def command(file: Path, method: Any, where: Any, overlap: str, unheld: str, proof: bool, out: Path | None) -> None:
    """Write a TEI file with its apparatus by another method; all else in it stays as it is.

    It is proved each time that the text of each witness and all entries are the same as before.

    \b
    Example:  jiaokan convert-apparatus edition.xml --to double-end-point -o points.xml --proof
              jiaokan convert-apparatus T08n0251.xml --to parallel --overlap split -o parallel.xml
    """
    from pipeline.exchange.conversion.convert import converted

    if proof and out is None:
        raise click.UsageError("--proof is printed on standard output, so that the file needs --out")
    made = converted(file.read_bytes(), method, file=str(file), where=where, split=overlap == "split",
                     keep=unheld == "keep")
    show(made.findings)
    emit(made.data, out)
    if proof:
        give(made.proof.rstrip("\n"))


COMMANDS = (command,)
