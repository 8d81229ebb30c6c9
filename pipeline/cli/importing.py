"""`jiaokan import`: a file of another format as TEI, which every command takes."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli._folder import EXISTING_FILE, emit, out_option, show
from pipeline.cli._say import say


@click.command("import")
@click.argument("file", type=EXISTING_FILE)
@out_option
def command(file: Path, out: Path | None) -> None:
    """Read a file of another format and write it as TEI, its notes that are a 校勘記 as an apparatus.

    FILE is a Word file (.docx) whose footnotes are sentences of a 校勘記; what is not understood stays a note and is
    listed. The TEI is taken by html, pdf, read, stats, collate and init --from.

    \b
    Example:  jiaokan import lunyu.docx -o lunyu.xml && jiaokan html lunyu.xml -o site
    """
    from pipeline.exchange.imports import importer

    made = importer(file.name).imported(file.read_bytes(), str(file))
    show(made.findings)
    say(f"{made.entries} notes are entries, {len(made.findings)} stay notes", err=True)
    emit(made.tei, out)


COMMANDS = (command,)
