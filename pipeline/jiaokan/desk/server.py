"""The desk as an ASGI application: the pages of the site with the desk's column, and what that asks.

Every request that reads or changes the desk's state is done by one thread, in the order in which they come.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from html import escape
from mimetypes import guess_type
from pathlib import Path
from typing import Any, get_args

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from jiaokan import messages
from jiaokan.build import Event
from jiaokan.desk import words
from jiaokan.desk.guard import COOKIE, LOOPBACK, Guard, policy_of, same
from jiaokan.desk.journal import Clash
from jiaokan.desk.people import check_editor, editors
from jiaokan.desk.requests import Repair
from jiaokan.desk.requests import Request as Asked
from jiaokan.desk.session import LATER, Session, build_stale
from jiaokan.desk.site import OutdatedSite, TrustedSite, integrity
from jiaokan.desk.tasks import Work
from jiaokan.errors import JiaokanError, Message, machine
from jiaokan.model.numerals import whole
from jiaokan.outputs.web.fonts import font_of
from jiaokan.settings.values import Strict
from jiaokan.system.store import check_cache, file_digest

ASSETS = Path(__file__).with_name("assets")
_OWN = {"words.js": integrity(sha256(words.script()).hexdigest())} | {
    f"assets/{name}": integrity(file_digest(ASSETS / name)) for name in ("line.js", "question.js", "desk.js")}
"""The scripts that the desk adds to a page, in their order, with their hashes."""
_POLICY = re.compile(rb'<meta http-equiv="Content-Security-Policy"[^>]*>')
class Turn(Strict, frozen=True, kw_only=True):
    """An undo or a redo."""

    text: str


class SigningIn(Strict, frozen=True, kw_only=True):
    """Who signs in: later requests of this browser are this person's."""

    who: str


class Typed(Strict, frozen=True, kw_only=True):
    """A line that is being typed."""

    text: str
    id: str
    line: str


_READS = {"overview": ("text", "who"), "entry": ("text", "id"), "tasks": ("text", "work", "who"), "filed": ("text",),
          "second": ("text", "id"), "folder": (),
          "selected": ("text", "words", "before"), "line": ("text", "id")}
"""Requests answered by the methods of the session with the same names, with their parameters."""
_CHANGES: dict[str, tuple[type, Callable[[Session, Any, str], object]]] = {
    "held": (Typed, lambda session, typed, _: session.check_line(typed.text, typed.id, typed.line)),
    "sign": (SigningIn, lambda session, body, _: {"who": check_editor(body.who, session.catalog)}),
    "decide": (Asked, Session.decide), "repair": (Repair, Session.repair),
    "undo": (Turn, lambda session, turn, who: session.turn("undo", turn.text, who)),
    "redo": (Turn, lambda session, turn, who: session.turn("redo", turn.text, who)),
}
"""Requests with a body: its type, and what answers it for the editor who is signed in."""


class Desk:
    """The application and its threads."""

    def __init__(self, root: Path, *, hosts: tuple[str, ...] = LOOPBACK, token: str = "") -> None:
        check_cache()
        self.thread, self.making, self.reading = (
            ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) for name in ("desk", "making", "reading"))
        self.session = self.thread.submit(Session, root).result()
        self.site = TrustedSite(self.session.site)
        self.busy, self.steps = False, 0
        self.warmed: set[str] = set()
        """Texts for whose first decision all is prepared."""
        self._key = secrets.token_bytes(32)  # seals who is signed in; no page has it
        self.make(LATER)
        self.app = Guard(Starlette(routes=[
            *(Route(f"/.desk/api/{name}", partial(self.read, name)) for name in _READS),
            *(Route(f"/.desk/api/{name}", partial(self.change, name), methods=["POST"]) for name in _CHANGES),
            Route("/.desk/api/news", self.news),
            Route("/.desk/api/build", self.build, methods=["POST"]),
            Route("/.desk/font.woff", self.font), Route("/.desk/words.js", words_script),
            Mount("/.desk/assets", StaticFiles(directory=ASSETS)),
            Route("/favicon.ico", lambda _: Response(status_code=204)), Route("/{path:path}", self.page),
        ]), hosts=hosts, token=token)

    def close(self) -> None:
        """Stop the threads after their current work."""
        self.making.shutdown(cancel_futures=True)
        self.reading.shutdown()
        self.thread.shutdown()

    def make(self, without: Collection[str] = ()) -> None:
        """Start to build what is stale, except the stages in `without`, unless a build is running."""
        if self.busy:
            return
        self.busy, self.steps, since = True, 0, self.session.state

        def watch(event: Event) -> None:
            self.steps += event.kind == "done"

        def work() -> None:
            failed = build_stale(self.session.root, without, watch)
            self.busy = False
            self.thread.submit(self.session.finish_build, failed, since, anew=self.steps > 0)

        self.making.submit(work)

    async def page(self, request: Request) -> Response:
        """Return a file of the site; an HTML page gets the desk's script."""
        path = request.path_params["path"]
        name = f"{path}index.html" if not path or path.endswith("/") else path
        if "\0" in name or any(part.startswith(".") for part in name.split("/")):
            raise HTTPException(404)
        try:
            data = await asyncio.to_thread(self.site.read, name)
        except OutdatedSite:
            if not self.busy and not self.session.failed:
                self.make(LATER)
            if not name.endswith(".html"):
                raise HTTPException(503) from None
            return self._waiting()
        if data is None:
            raise HTTPException(404)
        if not name.endswith(".html"):
            return Response(data, media_type=guess_type(name)[0] or "application/octet-stream")
        folder, _, page = name.rpartition("/")
        page = page.removesuffix(".html")
        chapter = self.site.has(f"{folder}/find-{page}.js") and folder in self.session.texts()
        data, digests = self.site.with_integrity(name, _POLICY.sub(b"", data, count=1))
        head = self._head(folder if chapter else "", page)
        return Response(data.replace(b"</head>", head.encode() + b"</head>", 1), media_type="text/html",
                        headers={"Content-Security-Policy": policy_of([*digests, *_OWN.values()])})

    def _waiting(self) -> Response:
        status = self.session.failed or f"… {self.steps}"
        again = "" if self.session.failed else '<meta http-equiv="refresh" content="2">'
        title = " ".join(messages.wording("desk-desk", language) for language in messages.languages())
        head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">{again}<title>{title}</title></head>'
        making = (f'<p lang="{language}">{messages.wording("desk-making", language)}</p>'
                  for language in messages.languages())
        body = f"<h1>{title}</h1>{''.join(making)}"
        return Response(f"{head}<body>{body}<pre>{escape(status)}</pre></body></html>", media_type="text/html")

    def _head(self, text: str, page: str) -> str:
        attributes = f'data-secret="{escape(self.app.secret)}" data-text="{escape(text)}" data-page="{escape(page)}"'
        scripts = (f'<script src="/.desk/{file}" integrity="{digest}" defer' for file, digest in _OWN.items())
        return ('<link rel="stylesheet" href="/.desk/assets/desk.css">'
                f'{"></script>".join(scripts)} id="desk-script" {attributes}></script>')

    async def font(self, _request: Request) -> Response:
        """Return a font for the desk's own texts; the font of the edition has only the edition's characters."""
        data = await asyncio.get_running_loop().run_in_executor(self.reading, _own_font)
        return Response(data, media_type="font/woff", headers={"cache-control": "max-age=86400"})

    async def read(self, name: str, request: Request) -> Response:
        """Answer a request that changes nothing. Sources are read before, while the desk answers other requests."""
        arguments = [self._who(request) if parameter == "who" else request.query_params.get(parameter, "")
                     for parameter in _READS[name]]
        if name == "tasks" and arguments[1] not in get_args(Work):
            raise HTTPException(404)
        if name == "selected" or arguments[1:2] == ["glyph"]:
            with suppress(JiaokanError):  # their errors are reported later
                await asyncio.get_running_loop().run_in_executor(self.reading, self.session.received.read)
        fresh = name == "overview" and arguments[0] not in self.warmed
        response = await answer(request, self.thread, getattr(self.session, name), *arguments)
        if fresh and response.status_code == 200:
            self.warmed.add(arguments[0])
            for step in self.session.preparations(arguments[0]):
                self.thread.submit(step)
        return response

    async def change(self, name: str, request: Request) -> Response:
        """Answer a request with a body. If the last build failed, a decision starts another: it may be the remedy."""
        kind, do = _CHANGES[name]
        try:
            body: Any = msgspec.json.decode(await request.body(), type=kind)
        except (msgspec.MsgspecError, RecursionError) as error:
            return _json({"error": str(error), "mend": ""}, 400)
        response = await answer(request, self.thread, do, self.session, body, self._who(request))
        if name == "sign" and response.status_code == 200:
            sealed = f"{body.who}.{self._seal(body.who)}"
            response.set_cookie(self._cookie(request), sealed, httponly=True, samesite="strict")
        if name in ("decide", "repair") and self.session.failed and response.status_code == 200:
            self.make(LATER)
        return response

    def _who(self, request: Request) -> str:
        """Return the id of who is signed in; the only editor need not sign in, and "" is nobody."""
        who, _, seal = request.cookies.get(self._cookie(request), "").rpartition(".")
        if who and same(seal, self._seal(who)):
            return who
        known = editors(self.session.catalog)
        return next(iter(known)) if len(known) == 1 else ""

    def _cookie(self, request: Request) -> str:
        return f"{COOKIE}who-{request.url.port or 0}"

    def _seal(self, who: str) -> str:
        return hmac.new(self._key, who.encode(), "sha256").hexdigest()

    async def news(self, request: Request) -> Response:
        """Return the changes since a state."""
        text, page, since = (request.query_params.get(parameter, "") for parameter in ("text", "page", "since"))
        making = self.steps if self.busy else -1
        news = partial(self.session.news, text, page, whole(since or "0"))
        response = await answer(request, self.thread, lambda: {"making": making, **news()})
        if self.session.stale and not self.busy:
            self.session.stale = False
            self.make(LATER)
        return response

    async def build(self, request: Request) -> Response:
        """Start to build all that is stale, PDFs too."""
        await request.body()
        self.make()
        return _json({"making": self.steps})


async def answer(
    request: Request, thread: ThreadPoolExecutor, do: Callable[..., object], *arguments: object
) -> Response:
    """Call a function on a thread; return its result, or its error, as JSON in the language of the request."""
    status = 200
    try:
        content = await asyncio.get_running_loop().run_in_executor(thread, do, *arguments)
    except Clash as clash:
        content, status = {"error": clash.message, "mend": clash.mend, "mine": clash.mine, "theirs": clash.theirs}, 409
    except JiaokanError as error:
        content, status = {"error": error.message, "mend": error.mend, "at": str(error.place or "")}, 422
    except (OSError, RecursionError, MemoryError) as error:
        failed = machine(error)
        content, status = {"error": failed.message, "mend": failed.mend}, 500
    return _json(content, status, messages.language_of(request.query_params.get("lang", "")))


@cache
def _own_font() -> bytes:
    return font_of({char for char in words.script().decode() if char >= "\u2000"})


async def words_script(_request: Request) -> Response:
    """Return the script with the words of the desk's pages."""
    return Response(words.script(), media_type="text/javascript")


def encode(content: object, language: str) -> bytes:
    """Return a value as JSON, with its messages in a language."""
    def translate(value: object) -> str:
        return value.in_language(language) if isinstance(value, Message) else str(value)

    return msgspec.json.encode(content, enc_hook=translate)


def _json(content: object, status: int = 200, language: str = messages.ENGLISH) -> Response:
    """Return an answer as JSON, with its messages in a language."""
    return Response(encode(content, language), status, media_type="application/json")
