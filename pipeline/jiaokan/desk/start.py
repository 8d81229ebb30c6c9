"""The desk of a folder that is no edition folder: open one of those in it, or make a new one from files.

Files are dropped on the page, looked at, corrected and written; then the desk of the new folder takes over.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from jiaokan import messages
from jiaokan.desk import words
from jiaokan.desk.begin import Corrections, apply_corrections, create, describe_folder, detect
from jiaokan.desk.guard import Guard
from jiaokan.desk.server import ASSETS, Desk, answer, encode, words_script
from jiaokan.desk.uploads import Uploads
from jiaokan.errors import JiaokanError, Message
from jiaokan.outputs.web.fonts import font_of
from jiaokan.scaffold.folder import Folder
from jiaokan.settings.names import file_name
from jiaokan.settings.values import Strict
from jiaokan.structure.examples import read_example
from jiaokan.system.atomic import new_folder

_MOST = 64 << 20
"""Bytes of a file: the longest text of the 四库 has 30 MB."""


class NewFolder(Strict, frozen=True, kw_only=True):
    """A new folder that is to be written."""

    name: str
    corrections: Corrections = Corrections()


class Look(Strict, frozen=True, kw_only=True):
    """A request for what is detected."""

    examples: tuple[str, ...] = ()


class Start:
    """The application, until an edition is opened: then that edition's desk (`desk`)."""

    def __init__(self, home: Path, *, hosts: tuple[str, ...], token: str) -> None:
        self.home, self.hosts, self.token = home, hosts, token
        self.uploads = Uploads()
        self.detected: Folder | None = None
        self.letters: set[str] = set()
        """The characters that the page shows, for its font."""
        self.desk: Desk | None = None
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="start")
        handlers = (self.receive, self.look, self.make, self.open)
        self.app = Guard(Starlette(routes=[
            *(Route(f"/.desk/api/{handler.__name__}", handler, methods=["POST"]) for handler in handlers),
            Route("/.desk/words.js", words_script), Route("/.desk/font.woff", self.font),
            Mount("/.desk/assets", StaticFiles(directory=ASSETS)),
            Route("/{path:path}", self.page),
        ]), hosts=hosts, token=token, most=_MOST)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the edition's desk, if one is open (ASGI)."""
        await self.guard(scope, receive, send)

    def close(self) -> None:
        """Close the desk."""
        self.thread.shutdown()
        self.uploads.close()
        if self.desk:
            self.desk.close()

    def editions(self) -> list[str]:
        """Return the names of the edition folders in this folder."""
        return sorted(path.parents[1].name for path in self.home.glob("*/tei/catalog.toml"))

    async def page(self, _request: Request) -> Response:
        """Return the page."""
        page = (ASSETS / "start.html").read_text(encoding="utf-8")
        known = "".join(f'<li><button type="button" data-open="{escape(name)}">{escape(name)}</button></li>'
                        for name in self.editions())
        return Response(page.replace("SECRET", escape(self.app.secret)).replace("EDITIONS", known)
                        .replace("HOME", escape(str(self.home))), media_type="text/html")

    async def font(self, _request: Request) -> Response:
        """Return a font for the page: its own words, and the texts that it shows."""
        letters = self.letters | {char for char in words.script().decode() if char >= "\u2000"}
        data = await asyncio.get_running_loop().run_in_executor(self.thread, font_of, letters)
        return Response(data, media_type="font/woff", headers={"cache-control": "no-store"})

    async def receive(self, request: Request) -> Response:
        """Take a file; the first one of a choice (`first`) replaces those before."""
        data = await request.body()

        def keep() -> dict[str, object]:
            if request.query_params.get("first"):
                self.uploads.clear()
            name = file_name(request.query_params.get("name", ""), "file", None)
            (self.uploads.folder / name).write_bytes(data)
            return {"name": name}

        return await answer(request, self.thread, keep)

    async def look(self, request: Request) -> Response:
        """Return what is detected in the files, with the editor's examples."""
        data = await request.body()

        def work() -> dict[str, object]:
            examples = [*map(read_example, _decode(data, Look).examples)]
            files = (path for path in self.uploads.folder.iterdir() if path.is_file())
            self.detected = detect(sorted(files), aside=self.uploads.folder, examples=examples, show=True)
            shown = describe_folder(self.detected)
            self.letters = {char for language in messages.languages() for char in encode(shown, language).decode()
                            if char >= "\u2000"}
            return shown

        return await answer(request, self.thread, work)

    async def make(self, request: Request) -> Response:
        """Write the new folder, and open its desk."""
        data = await request.body()

        def work() -> dict[str, object]:
            wanted = _decode(data, NewFolder)
            folder = self.home / file_name(wanted.name, "folder", None)
            # `git` beside `.git`: such a name is a slip of the pen, and the two would be mistaken for each other.
            if any(map(os.path.lexists, (folder, folder.with_name(f".{folder.name}")))):
                raise JiaokanError(Message("already", wanted=wanted.name), mend=Message("choose-another-name"))
            if self.detected is None:
                raise JiaokanError(Message("no-files-were-given"), mend=Message("choose-files-first"))
            with new_folder(folder) as part:
                report = create(part, apply_corrections(self.detected, wanted.corrections))
            self.open_edition(folder)
            return {"report": report}

        return await answer(request, self.thread, work)

    async def open(self, request: Request) -> Response:
        """Open the desk of an edition folder."""
        data = await request.body()

        def work() -> dict[str, object]:
            name = _decode(data, NewFolder).name
            if name not in self.editions():
                raise JiaokanError(Message("no-edition-folder-called", name=name), mend=Message("choose-list"))
            self.open_edition(self.home / name)
            return {}

        return await answer(request, self.thread, work)

    @property
    def guard(self) -> Guard:
        """The guard of what is open."""
        return self.desk.app if self.desk else self.app

    def open_edition(self, folder: Path) -> None:
        """Open the desk of an edition folder; raises as `Desk`."""
        self.desk = Desk(folder, hosts=self.hosts, token=self.token)


_Request = TypeVar("_Request", NewFolder, Look)


def _decode(data: bytes, kind: type[_Request]) -> _Request:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise JiaokanError(Message("request-not-understood", error=error)) from None
