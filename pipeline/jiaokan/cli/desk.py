"""`jiaokan desk`: the website on this machine, to read, and to decide in."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from pathlib import Path

import click

from jiaokan.api import edition_root
from jiaokan.cli._folder import folder_argument
from jiaokan.cli._terminal import say
from jiaokan.errors import CatalogError, JiaokanError, Message


@click.command("desk")
@folder_argument
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="option-desk-port")
@click.option("--host", default="127.0.0.1", show_default=True,
              help="option-desk-host")
@click.option("--no-open", is_flag=True, help="option-desk-no-open")
def desk(folder: Path, port: int, host: str, no_open: bool) -> None:
    """Open the editor's desk: the website, to decide in.

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
        raise JiaokanError(Message("cannot-used", host=host, port=port, strerror=error.strerror),
                           mend=Message("choose-another-port-give-address")) from None
    start = Start(folder.resolve(), hosts=LOOPBACK if host in LOOPBACK else (host,), token=secrets.token_urlsafe(24))
    if home:
        start.open_edition(home)
    address, guard = f"http://{host}:{listening.getsockname()[1]}/?token=", start.guard
    say(Message("stop-ctrl-c", address=address, token=guard.token))
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
