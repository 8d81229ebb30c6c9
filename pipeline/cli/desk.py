"""`jiaokan desk`: the edition in the browser, to decide in it."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import FOLDER, root
from pipeline.cli._say import say
from pipeline.errors import JiaokanError

if TYPE_CHECKING:
    from pipeline.desk.committing import When

_LOCAL = "127.0.0.1"


@click.command("desk")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any that is free.")
@click.option("--host", default=_LOCAL, show_default=True,
              help="The name or address by which other machines reach this one; who comes needs the token.")
@click.option("--commit", type=click.Choice(("decision", "sitting")), default=None,
              help="Commit to git what is decided: each decision, or all at the end; of others' changes nothing.")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
def command(folder: Path, port: int, host: str, commit: When | None, no_open: bool) -> None:
    """Open the desk of an edition folder: its HTML edition, in which an editor decides.

    Beside the text stands what is open. What you decide is written into tei/decisions/ at once, as `jiaokan review`
    writes it, and the page shows what it changed. Nothing is sent anywhere: the desk is on this machine, and answers
    this machine alone, unless --host says otherwise.

    \b
    Example:  jiaokan desk laozi
              jiaokan desk laozi --commit sitting
    """
    home = root(folder)
    taken = _socket(host, port)
    try:
        import uvicorn

        from pipeline.desk.guard import LOOPBACK
        from pipeline.desk.server import Desk
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette"):
            raise
        raise JiaokanError(f"the desk needs {error.name}, which is not installed",
                           mend="pip install 'jiaokan[edition,desk]'") from None
    token = "" if host in LOOPBACK else secrets.token_urlsafe(24)
    desk = Desk(home, hosts=LOOPBACK if not token else (host,), token=token, commit=commit or "")
    address = f"http://{host}:{taken.getsockname()[1]}/{f'?token={token}' if token else ''}"
    say(f"{address}  (Ctrl-C ends it)")
    if not no_open:
        webbrowser.open(address)
    server = uvicorn.Server(uvicorn.Config(desk.app, log_level="error", access_log=False, server_header=False,
                                           lifespan="off", timeout_graceful_shutdown=2))
    try:
        server.run(sockets=[taken])
    finally:
        desk.close()
        if desk.uncommitted:
            say(desk.uncommitted, err=True)


def _socket(host: str, port: int) -> socket.socket:
    """Take the port; raises JiaokanError if it is taken, before anything is built."""
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise JiaokanError(f"{host}:{port} cannot be used: {error.strerror}",
                           mend="name another with --port, or an address of this machine with --host") from None


COMMANDS = (command,)
