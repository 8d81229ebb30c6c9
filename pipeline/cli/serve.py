"""`jiaokan serve`: the site on this machine, made again and shown again when something changes."""

from __future__ import annotations

import threading
import time
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import click

from pipeline.cli._folder import FOLDER, root
from pipeline.cli._say import say
from pipeline.errors import JiaokanError
from pipeline.system.listing import below

_EVERY = 0.8
"""Seconds between two looks at the folder: short enough that one who saves and looks sees the change, long enough
that the looking costs nothing."""


@click.command("serve")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any that is free.")
@click.option("--open", "browse", is_flag=True, help="Open it in the browser.")
def command(folder: Path, port: int, browse: bool) -> None:
    """Show the site of an edition folder at 127.0.0.1, and make it again when a file under tei/ changes.

    \b
    Example:  jiaokan serve demo
    """
    from pipeline.system.preview import Preview

    home = root(folder)
    preview = Preview(home / "build" / "html", port)
    if not _make(home) and not (preview.folder / "index.html").exists():
        raise JiaokanError("there is no site to show", mend="mend what the build says, and serve again")
    threading.Thread(target=preview.server.serve_forever, daemon=True).start()
    say(f"{preview.address}  (Ctrl-C ends it)")
    if browse:
        webbrowser.open(preview.address)
    try:
        before = _written(home)
        while True:
            time.sleep(_EVERY)
            now = _written(home)
            if now != before and _make(home):
                preview.again()
            before = now
    except KeyboardInterrupt:
        say()
    finally:
        preview.close()


def _make(home: Path) -> bool:
    """Build; an error is told, and the site stays as it was."""
    from pipeline.build import build

    try:
        report = build(home)
    except JiaokanError as error:
        say(str(error), err=True)
        return False
    say(f"made {report.done} of {report.total} steps")
    return True


def _written(home: Path) -> dict[Path, tuple[int, int]]:
    """Give what an editor writes, with when it was changed and its size: not the TEI that is made of it."""
    return dict(_stamps(home / "tei"))


def _stamps(tei: Path) -> Iterator[tuple[Path, tuple[int, int]]]:
    made = (tei / "witnesses", tei / "editions")
    for path in below(tei):
        if not (path.suffix == ".xml" and path.parent in made):
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue  # an editor's program was just putting another in its place
            yield path, (stat.st_mtime_ns, stat.st_size)


COMMANDS = (command,)
