"""`jiaokan serve`, `desk`: the website on this machine, to read, and to decide in."""

from __future__ import annotations

import secrets
import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.api import edition_root
from pipeline.cli._folder import FOLDER
from pipeline.cli._terminal import say
from pipeline.errors import JiaokanError
from pipeline.system.listing import below

if TYPE_CHECKING:
    from pipeline.desk.journal import When

_EVERY = 0.8
"""Seconds between two looks at the folder: short enough that a saved change is seen at once, long enough that
looking costs nothing."""


@click.command("serve")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port.")
@click.option("--open", "browse", is_flag=True, help="Open the website in the browser.")
def serve(folder: Path, port: int, browse: bool) -> None:
    """Serve the website locally, rebuilt when a file changes.

    The address is 127.0.0.1; only this machine can reach it. Watched are the files under tei/ that you edit.

    \b
    Example:  jiaokan serve demo
    """
    from pipeline.system.preview import Preview

    home = edition_root(folder)
    preview = Preview(home / "build" / "html", port)
    if not _rebuild(home) and not (preview.folder / "index.html").exists():
        raise JiaokanError("there is no website to serve", mend="correct what the build reports, then serve again")
    threading.Thread(target=preview.server.serve_forever, daemon=True).start()
    say(f"{preview.address}  (stop with Ctrl-C)")
    if browse:
        webbrowser.open(preview.address)
    try:
        before = _watched(home)
        while True:
            time.sleep(_EVERY)
            now = _watched(home)
            if now != before and _rebuild(home):
                preview.again()
            before = now
    except KeyboardInterrupt:
        say()
    finally:
        preview.close()


def _rebuild(home: Path) -> bool:
    from pipeline.build import build

    try:
        report = build(home)
    except JiaokanError as error:
        say(str(error), err=True)
        return False
    say(f"rebuilt: {report.done} of {report.total} steps")
    return True


def _watched(home: Path) -> dict[Path, tuple[int, int]]:
    tei = home / "tei"
    found = {}
    for path in below(tei):
        if not (path.suffix == ".xml" and path.parent in (tei / "witnesses", tei / "editions")):
            try:
                stat = path.stat()
            except FileNotFoundError:
                continue  # a text editor was just replacing it
            found[path] = (stat.st_mtime_ns, stat.st_size)
    return found


@click.command("desk")
@click.argument("folder", type=FOLDER, default=Path())
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any free port.")
@click.option("--host", default="127.0.0.1", show_default=True,
              help="Name or address by which other machines reach this one; visitors then need the token.")
@click.option("--commit", type=click.Choice(("decision", "sitting")), default=None,
              help="Commit decisions to git: one by one, or all at the end. Other changes are not committed.")
@click.option("--no-open", is_flag=True, help="Do not open the browser.")
def desk(folder: Path, port: int, host: str, commit: When | None, no_open: bool) -> None:
    """Open the editor's desk: the website, to decide in.

    The column lists what is undecided. A decision is written to tei/decisions/ at once, as `jiaokan review` does, and
    the page shows its effect. Nothing is sent anywhere: the desk runs on this machine and answers only this machine,
    unless --host says otherwise.

    \b
    Example:  jiaokan desk laozi
              jiaokan desk laozi --commit sitting
    """
    home = edition_root(folder)
    listening = _socket(host, port)
    try:
        import uvicorn

        from pipeline.desk.server import LOOPBACK, Desk
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette"):
            raise
        raise JiaokanError(f"the desk needs {error.name}, which is not installed",
                           mend="pip install 'jiaokan[edition,desk]'") from None
    opened = Desk(home, hosts=LOOPBACK if host in LOOPBACK else (host,), token=secrets.token_urlsafe(24),
                  commit=commit or "")
    address = f"http://{host}:{listening.getsockname()[1]}/?token="
    say(f"{address}{opened.app.token}  (stop with Ctrl-C)")
    if not no_open:
        webbrowser.open(address + opened.app.ticket())
    server = uvicorn.Server(uvicorn.Config(opened.app, log_level="error", access_log=False, server_header=False,
                                           lifespan="off", timeout_graceful_shutdown=2))
    try:
        server.run(sockets=[listening])
    finally:
        opened.close()
        if opened.uncommitted:
            say(opened.uncommitted, err=True)


def _socket(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except OSError as error:
        raise JiaokanError(f"{host}:{port} cannot be used: {error.strerror}",
                           mend="choose another --port, or give an address of this machine as --host") from None


COMMANDS = (desk, serve)
