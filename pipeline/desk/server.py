"""The desk as an ASGI application: the pages of the site with the desk's column, and what that asks.

Every request that reads or changes the desk's state is done by one thread, in the order in which they come.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, get_args

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pipeline.desk.asked import Request as Asked
from pipeline.desk.guard import LOOPBACK, Guard
from pipeline.desk.journal import Clash, When
from pipeline.desk.sitting import LATER, Making, Sitting
from pipeline.desk.tasks import Work
from pipeline.errors import JiaokanError, machine
from pipeline.model.numerals import whole
from pipeline.model.vocabulary import EDITORS
from pipeline.outputs.web.fonts import font_of
from pipeline.settings.values import Strict

ASSETS = Path(__file__).with_name("assets")
_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy"[^>]*>')


class Turn(Strict, frozen=True, kw_only=True):
    """An undo or a redo."""

    text: str
    resp: str = EDITORS


class Typed(Strict, frozen=True, kw_only=True):
    """A line that is being typed."""

    text: str
    id: str
    line: str


class Desk:
    """The application and its thread."""

    def __init__(self, root: Path, *, hosts: tuple[str, ...] = LOOPBACK, token: str = "", commit: When = "") -> None:
        self.thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk")
        self.sitting = self.thread.submit(Sitting, root, wait=False, commit=commit).result()
        self.site = StaticFiles(directory=self.sitting.site, check_dir=False)
        self.making, self.uncommitted = Making(root), ""
        self.reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")
        self.make(LATER)
        self.app = Guard(Starlette(routes=[
            Route("/.desk/api/overview", self.overview), Route("/.desk/api/entry", self.entry),
            Route("/.desk/api/line", self.line), Route("/.desk/api/filed", self.filed),
            Route("/.desk/api/tasks", self.tasks), Route("/.desk/api/selected", self.selected),
            Route("/.desk/api/held", self.held, methods=["POST"]),
            Route("/.desk/api/news", self.news), Route("/.desk/api/decide", self.decide, methods=["POST"]),
            Route("/.desk/api/undo", self.undo, methods=["POST"]),
            Route("/.desk/api/redo", self.redo, methods=["POST"]),
            Route("/.desk/api/build", self.build, methods=["POST"]), Route("/.desk/font.woff", self.font),
            Mount("/.desk/assets", StaticFiles(directory=ASSETS)), Route("/{path:path}", self.page),
        ]), hosts=hosts, token=token)

    def close(self) -> None:
        """Stop the threads after their current work, and commit what waits."""
        self.making.close()
        self.reading.shutdown()
        self.uncommitted = self.thread.submit(self.sitting.commits.end).result()
        self.thread.shutdown()

    def make(self, without: Collection[str] = ()) -> None:
        """Start to build what is stale."""
        since = self.sitting.state

        def done(failed: str) -> None:
            self.thread.submit(self.sitting.made, failed, since, anew=self.making.steps > 0)

        self.making.start(done, without)

    async def page(self, request: Request) -> Response:
        """Return a file of the site; an HTML page gets the desk's script."""
        path = request.path_params["path"]
        name = f"{path}index.html" if not path or path.endswith("/") else path
        if "\0" in name or any(part.startswith(".") for part in name.split("/")):
            raise HTTPException(404)
        if not name.endswith(".html"):
            return await self.site.get_response(name, request.scope)
        try:
            found, stat = self.site.lookup_path(name)
        except (OSError, ValueError):
            found, stat = "", None
        full = Path(found)
        if stat is None or not full.is_file():
            if (self.sitting.site / "index.html").exists():
                raise HTTPException(404)
            return self._waiting()
        page = _POLICY.sub(b"", full.read_bytes(), count=1)
        text = name.split("/")[0] if full.with_name(f"find-{full.stem}.js").exists() else ""  # a chapter's page
        head = self._head(text if text in self.sitting.texts() else "", Path(name).stem)
        return Response(page.replace(b"</head>", head.encode() + b"</head>", 1), media_type="text/html")

    def _waiting(self) -> Response:
        said = self.sitting.failed or f"… {self.making.steps}"
        again = "" if self.sitting.failed else '<meta http-equiv="refresh" content="2">'
        head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{again}<title>Desk 案头</title></head>'
        body = '<h1>Desk 案头</h1><p lang="zh-Hans">正在制作网页……</p><p>The pages are being made.</p>'
        return Response(f"{head}<body>{body}<pre>{escape(said)}</pre></body></html>", media_type="text/html")

    def _head(self, text: str, page: str) -> str:
        said = f'data-secret="{escape(self.app.secret)}" data-text="{escape(text)}" data-page="{escape(page)}"'
        return ('<link rel="stylesheet" href="/.desk/assets/desk.css">'
                '<script src="/.desk/assets/words.js" defer></script>'
                '<script src="/.desk/assets/line.js" defer></script>'
                f'<script src="/.desk/assets/desk.js" id="desk-script" {said} defer></script>')

    async def font(self, _request: Request) -> Response:
        """Return a font for the desk's own texts; the font of the edition has only the edition's characters."""
        data = await asyncio.get_running_loop().run_in_executor(self.reading, _own_font)
        return Response(data, media_type="font/woff", headers={"cache-control": "max-age=86400"})

    async def overview(self, request: Request) -> Response:
        """Return what the column shows at first."""
        asked = request.query_params
        text = asked.get("text", "") or next(iter(self.sitting.texts()), "")
        return await self._done(self.sitting.overview, text, asked.get("who", EDITORS))

    async def entry(self, request: Request) -> Response:
        """Return one question with its context."""
        return await self._done(self.sitting.entry, *_params(request, "text", "id"))

    async def tasks(self, request: Request) -> Response:
        """Return open work of one kind."""
        text, work = _params(request, "text", "work")
        if work not in get_args(Work):
            raise HTTPException(404)
        if work == "glyph":
            await self._read_sources()
        return await self._done(self.sitting.tasks, text, work)

    async def selected(self, request: Request) -> Response:
        """Return selected words as decisions on the sources state them."""
        await self._read_sources()
        return await self._done(self.sitting.selected, *_params(request, "text", "words", "before"))

    async def filed(self, request: Request) -> Response:
        """Return all decisions on a text."""
        return await self._done(self.sitting.filed, *_params(request, "text"))

    async def line(self, request: Request) -> Response:
        """Return the line of a unit or note."""
        return await self._done(self.sitting.line, *_params(request, "text", "id"))

    async def held(self, request: Request) -> Response:
        """Check a line that is being typed against the text."""
        return await self._asked(request, Typed, lambda typed: self.sitting.held(typed.text, typed.id, typed.line))

    async def news(self, request: Request) -> Response:
        """Return the changes since a state."""
        text, page, since = _params(request, "text", "page", "since")
        making = self.making.steps if self.making.busy else -1
        return await self._done(lambda: {"making": making, **self.sitting.news(text, page, whole(since or "0"))})

    async def decide(self, request: Request) -> Response:
        """File a decision. If the last build failed, start another: the decision may be the remedy."""
        answer = await self._asked(request, Asked, self.sitting.decide)
        if self.sitting.failed and answer.status_code == 200:
            self.make(LATER)
        return answer

    async def undo(self, request: Request) -> Response:
        """Undo the last decision."""
        return await self._asked(request, Turn, lambda turn: self.sitting.turn("undo", turn.text, turn.resp))

    async def redo(self, request: Request) -> Response:
        """Redo the last undone decision."""
        return await self._asked(request, Turn, lambda turn: self.sitting.turn("redo", turn.text, turn.resp))

    async def build(self, request: Request) -> Response:
        """Start to build all that is stale, PDFs too."""
        await request.body()
        self.make()
        return _json({"making": self.making.steps})

    async def _read_sources(self) -> None:
        """Read the sources once, while the desk answers other requests; their errors are reported later."""
        with suppress(JiaokanError):
            await asyncio.get_running_loop().run_in_executor(self.reading, self.sitting.read_sources)

    async def _asked(self, request: Request, kind: type[Any], do: Callable[[Any], Any]) -> Response:
        try:
            asked = msgspec.json.decode(await request.body(), type=kind)
        except msgspec.MsgspecError as error:
            return _json({"error": str(error), "mend": ""}, 400)
        return await self._done(do, asked)

    async def _done(self, do: Callable[..., Any], *given: Any) -> Response:
        """Call a function on the desk's thread; return its result, or its error, as JSON."""
        try:
            return _json(await asyncio.get_running_loop().run_in_executor(self.thread, do, *given))
        except Clash as clash:
            return _json({"error": clash.message, "mend": clash.mend, "mine": clash.mine, "theirs": clash.theirs}, 409)
        except JiaokanError as error:
            return _json({"error": str(error.message), "mend": error.mend}, 422)
        except (OSError, RecursionError, MemoryError) as error:
            failed = machine(error)
            return _json({"error": failed.message, "mend": failed.mend}, 500)


@cache
def _own_font() -> bytes:
    return font_of({char for char in (ASSETS / "words.js").read_text(encoding="utf-8") if char >= "\u2000"})


def _params(request: Request, *names: str) -> list[str]:
    return [request.query_params.get(name, "") for name in names]


def _json(said: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(said), status, media_type="application/json")
