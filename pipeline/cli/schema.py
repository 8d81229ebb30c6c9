"""`jiaokan schema`: the schemas, to use elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli._folder import FOLDER, emit
from pipeline.cli._say import say
from pipeline.system.atomic import write_file
from pipeline.system.resources import resource

_PARTS = ("odd", "sch", "xsd")


@click.command("schema")
@click.argument("part", type=click.Choice(_PARTS), required=False)
@click.option("--copy", "folder", type=FOLDER, help="Copy all schema files into this folder.")
def command(part: str | None, folder: Path | None) -> None:
    """Print one of the schemas, copy them all, or say where they are.

    odd: the TEI customisation, with the use of each element and every rule; sch: the rules as ISO Schematron;
    xsd: the XSD (its parts are found by their names, so copy them together).

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


COMMANDS = (command,)
