"""`jiaokan init`: a new edition folder, from your texts or with a worked example."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import click

from jiaokan.cli._folder import EXISTING_FILE, FOLDER
from jiaokan.cli._terminal import say
from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.system.atomic import is_abandoned
from jiaokan.system.listing import below


@click.command("init")
@click.argument("folder", type=FOLDER)
@click.option("--from", "files", multiple=True, type=click.Path(path_type=Path),
              help="option-init-from")
@click.argument("more", nargs=-1, type=click.Path(path_type=Path))
@click.option("--gaiji", type=EXISTING_FILE, help="option-init-gaiji")
@click.option("--example", "examples", multiple=True, metavar="FILE:LINE=KIND", help="option-init-example")
@click.option("--dry", is_flag=True, help="option-init-dry")
def command(folder: Path, files: tuple[Path, ...], more: tuple[Path, ...], gaiji: Path | None,
            examples: tuple[str, ...], dry: bool) -> None:
    """Create an edition folder from your texts, or an example.

    \b
    Example:  jiaokan init laozi --from heshanggong.txt fuyi.txt && jiaokan build laozi
              jiaokan init demo && jiaokan build demo
    """
    from jiaokan.desk import begin
    from jiaokan.structure.examples import read_example

    if folder.exists() and (not folder.is_dir() or not all(map(is_abandoned, folder.iterdir()))):
        raise JiaokanError(Message("folder-exists-not-empty"), place=Place(str(folder)),
                           mend=Message("choose-new-folder"))
    lines: Iterable[object]
    if not files:
        begin.copy_example(folder)
        lines = below(folder)
    else:
        project = begin.detect((*files, *more), gaiji, examples=[*map(read_example, examples)])
        doubts = [Message("please-check-most-important-first"), *(f"  {doubt}" for doubt in project.doubts)]
        planned = (Message("would-write", folder=folder / name) for name in project.files)
        written = planned if dry else begin.create_all(folder, project.files)
        lines = chain(project.outcomes, project.report, written, doubts if project.doubts else ())
    for line in lines:
        say(line)
    if not dry:
        say(Message("the-next-jiaokan-build", folder=folder))


COMMANDS = (command,)
