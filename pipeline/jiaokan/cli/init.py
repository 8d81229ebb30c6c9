"""`jiaokan init`: a new edition folder, from your texts or with a worked example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import click

from jiaokan.cli._folder import EXISTING_FILE, FOLDER
from jiaokan.cli._terminal import say
from jiaokan.errors import JiaokanError, Message, Place
from jiaokan.system.atomic import is_abandoned
from jiaokan.system.listing import below

_SUMMARY, _WRITTEN, _DOUBTS = 24, 8, 20
"""Lines of each part of the report that fit on a page; `-v` prints the others. A choice."""


@click.command("init")
@click.argument("folder", type=FOLDER)
@click.option("--from", "files", multiple=True, type=click.Path(path_type=Path),
              help="option-init-from")
@click.argument("more", nargs=-1, type=click.Path(path_type=Path))
@click.option("--gaiji", type=EXISTING_FILE, help="option-init-gaiji")
@click.option("--example", "examples", multiple=True, metavar="FILE:LINE=KIND", help="option-init-example")
@click.option("--dry", is_flag=True, help="option-init-dry")
@click.option("-v", "--verbose", is_flag=True, help="option-init-verbose")
def command(folder: Path, files: tuple[Path, ...], more: tuple[Path, ...], gaiji: Path | None,
            examples: tuple[str, ...], dry: bool, verbose: bool) -> None:
    """Create an edition folder from your texts, or an example.

    \b
    Example:  jiaokan init laozi --from heshanggong.txt fuyi.txt && jiaokan build laozi
              jiaokan init demo && jiaokan build demo
    """
    from jiaokan.desk import begin
    from jiaokan.structure.examples import read_example

    if not dry and folder.exists() and (not folder.is_dir() or not all(map(is_abandoned, folder.iterdir()))):
        raise JiaokanError(Message("folder-exists-not-empty"), place=Place(str(folder)),
                           mend=Message("choose-new-folder"))
    lines: Iterable[object]
    if not files:
        begin.copy_example(folder)
        lines = below(folder)
    else:
        project = begin.detect((*files, *more), gaiji, examples=[*map(read_example, examples)])
        planned = (Message("would-write", folder=folder / name) for name in project.files)
        written = [*(planned if dry else begin.create_all(folder, project.files))]
        lines = (*project.outcomes, *project.report, *written, *_doubts(project.doubts)) if verbose else chain(
            project.outcomes, _page(project.summary, _SUMMARY), _page(written, _WRITTEN),
            _page(_doubts(project.doubts), _DOUBTS))
    for line in lines:
        say(line)
    if not dry:
        say(Message("the-next-jiaokan-build", folder=folder))


def _doubts(doubts: Sequence[str]) -> list[str]:
    return [Message("please-check-most-important-first"), *("  " + doubt for doubt in doubts)] if doubts else []


def _page(lines: Sequence[object], most: int) -> Iterator[object]:
    """Yield the first lines, and how many there are more."""
    yield from lines[:most]
    if len(lines) > most:
        yield Message("report-more-lines", count=len(lines) - most)


COMMANDS = (command,)
