"""`jiaokan fonts`: fonts of scripts, fetched as packages with pinned hashes."""

from __future__ import annotations

from pathlib import Path

import click

from jiaokan.cli._folder import FOLDER
from jiaokan.cli._terminal import say
from jiaokan.errors import Message


@click.command("fonts")
@click.argument("action", type=click.Choice(["add"]), required=False)
@click.argument("scripts", nargs=-1)
@click.option("--copy", "folder", type=FOLDER, help="option-fonts-copy")
def fonts(action: str | None, scripts: tuple[str, ...], folder: Path | None) -> None:
    """List fonts of scripts, or add them.

    \b
    Example:  jiaokan fonts add Ethi Syrc
              jiaokan fonts add Deva --copy demo/fonts
    """
    from jiaokan.characters.writing import scripts as table
    from jiaokan.outputs.print.font_packages import add_font, offered
    from jiaokan.outputs.print.fonts import added_folder, installed

    if not action:
        for code, package in offered().items():
            file = installed(table()[code].files)
            say(Message("font-of-script", script=code, package=f"{package.name} {package.version}", file=file or "–"))
    for code in scripts:
        say(add_font(code, folder or added_folder()))


COMMANDS = (fonts,)
