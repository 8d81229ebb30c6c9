"""`jiaokan init`: a new edition folder with a small worked example."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from pipeline.cli._folder import FOLDER
from pipeline.cli._say import say
from pipeline.errors import JiaokanError, Place
from pipeline.system.resources import resource

_SCAFFOLD = Path(__file__).parents[1] / "scaffold"


@click.command("init")
@click.argument("folder", type=FOLDER)
def command(folder: Path) -> None:
    """Make an edition folder with a small worked example to change into your own.

    The example is the opening of 论语 in three works: it builds as it is, and each file says what to change.

    \b
    Example:  jiaokan init demo && jiaokan build demo
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise JiaokanError("this is there already and not empty", place=Place(str(folder)), mend="name a new folder")
    shutil.copytree(_SCAFFOLD, folder, dirs_exist_ok=True)
    shutil.copytree(resource("schema"), folder / "schema")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            say(path)
    say(f"Next: jiaokan build {folder}")


COMMANDS = (command,)
