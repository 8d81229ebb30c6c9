"""`jiaokan init`: a new edition folder, from your texts or with a worked example."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import click

from jiaokan.cli._folder import EXISTING_FILE, FOLDER
from jiaokan.cli._terminal import say
from jiaokan.errors import JiaokanError, Place
from jiaokan.system.listing import below


@click.command("init")
@click.argument("folder", type=FOLDER)
@click.option("--from", "files", multiple=True, type=click.Path(path_type=Path),
              help="A text, a folder of texts, or a Kanripo repository, whose branches are witnesses. "
                   "Can be repeated; further texts can follow the folder.")
@click.argument("more", nargs=-1, type=click.Path(path_type=Path))
@click.option("--gaiji", type=EXISTING_FILE, help="A table of the characters that codes (&KR0014;) stand for, e.g. "
                                                  "charlist.org.txt of kanripo/KR-Gaiji.")
@click.option("--dry", is_flag=True, help="Only report what is detected; write nothing.")
def command(folder: Path, files: tuple[Path, ...], more: tuple[Path, ...], gaiji: Path | None, dry: bool) -> None:
    """Create an edition folder from your texts, or an example.

    With --from, encoding, format, chapters, notes, speakers and works are detected and written as settings. Correct
    wrong guesses in these TOML files. Without it, the example is the opening of 论语 in three works. `jiaokan desk`
    does the same in the browser.

    \b
    Example:  jiaokan init laozi --from heshanggong.txt fuyi.txt && jiaokan build laozi
              jiaokan init demo && jiaokan build demo
    """
    from jiaokan.desk import begin

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise JiaokanError("the folder exists and is not empty", place=Place(str(folder)), mend="choose a new folder")
    lines: Iterable[object]
    if not files:
        begin.copy_example(folder)
        lines = below(folder)
    else:
        made = begin.detect((*files, *more), gaiji)
        doubts = ["Please check, the most important first:", *(f"  {each}" for each in made.doubts)]
        planned = (f"would write {folder / name}" for name in made.files)
        written = planned if dry else begin.create_all(folder, made.files)
        lines = chain(made.report, written, doubts if made.doubts else ())
    for each in lines:
        say(each)
    if not dry:
        say(f"Next: jiaokan build {folder}")


COMMANDS = (command,)
