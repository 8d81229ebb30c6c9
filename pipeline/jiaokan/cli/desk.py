"""`jiaokan desk`: the website on this machine, to read, and to decide in."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from pathlib import Path

import click

from jiaokan.api import edition_root
from jiaokan.cli._folder import FOLDER
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, JiaokanError


@click.command("desk")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free port.")
@click.option("--host", default="127.0.0.1", show_default=True,
              help="Name or address by which other machines reach this one; visitors then need the token.")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
def desk(folder: Path, port: int, host: str, no_open: bool) -> None:
    """Open the editor's desk: the website, to decide in.

    In a folder without an edition the page offers those below it, and to make a new one from files. The column of an
    edition lists what is undecided. A decision is written to tei/decisions/ at once, and the page shows its effect.
    If you change settings or sources in another program, the website is rebuilt. Nothing is sent anywhere: the desk
    runs on this machine and answers only this machine, unless --host says otherwise.

    \b
    Example:  jiaokan desk laozi
    """
    from jiaokan.desk.guard import LOOPBACK
    from jiaokan.desk.listen import server_of
    from jiaokan.desk.start import Start

    home = _home(folder)
    try:
        listening = socket.create_server((host, port))
    except OSError as error:
        raise JiaokanError(f"{host}:{port} cannot be used: {error.strerror}",
                           mend="choose another --port, or give an address of this machine as --host") from None
    start = Start(folder.resolve(), hosts=LOOPBACK if host in LOOPBACK else (host,), token=secrets.token_urlsafe(24))
    if home:
        start.open_edition(home)
    address, guard = f"http://{host}:{listening.getsockname()[1]}/?token=", start.guard
    say(f"{address}{guard.token}  (stop with Ctrl-C)")
    if not no_open:
        webbrowser.open(address + guard.ticket())
    try:
        server_of(start).run(sockets=[listening])
    finally:
        start.close()


def _home(folder: Path) -> Path | None:
    """Return the edition folder at or above a folder; None if there is none. Raises CatalogError without a folder."""
    try:
        return edition_root(folder)
    except CatalogError:
        if not folder.is_dir():
            raise
        return None


COMMANDS = (desk,)
