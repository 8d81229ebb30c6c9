"""Which requests the desk answers, and the headers of its answers.

`Guard` refuses another name of this machine (DNS rebinding), another site's page (cross-site requests, which browsers
mark by Origin and Sec-Fetch-Site), a write without the secret of the desk's own pages, and a body too long.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Event

from jiaokan.errors import Message
from jiaokan.model.numerals import whole

HEADER = "x-jiaokan-desk"
"""The header with which its own pages write: another site's cannot set it without asking first, and is refused."""
COOKIE = "jiaokan-desk-"
_TYPES = ("application/json", "application/octet-stream")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_MOST = 1 << 20
"""Bytes of a request: the longest line of punctuation has a thousandth of it."""
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""That of the pages of the edition, but that scripts may ask the desk, and that no frame may hold it."""

_CSP = b"content-security-policy"
_HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Pass permitted requests to the application, and add restrictive headers to the answers.

    `hosts` are the host names that it answers to; with a `token`, every request needs it.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Iterable[str], token: str = "", secret: str = "", most: int = _MOST
    ) -> None:
        self.app, self.hosts, self.token, self.most = app, frozenset(hosts), token, most
        self.secret = secret or secrets.token_urlsafe(24)
        self._ticket = ""

    def ticket(self) -> str:
        """Return a token that opens the desk once: other users of the machine can read the browser's command line."""
        self._ticket = secrets.token_urlsafe(24)
        return self._ticket

    def _admits(self, token: str) -> bool:
        if self._ticket and same(token, self._ticket):
            self._ticket = ""
            return True
        return same(token, self.token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        refused = self._refusal(request)
        if refused is not None:
            refused.headers.update(_HEADERS)
            refused.headers["connection"] = "close"
            await refused(scope, receive, send)
            return

        async def send_with_headers(message: Event) -> None:
            if message["type"] == "http.response.start":
                headers = {name.lower().encode(): value.encode() for name, value in _HEADERS.items()}
                if any(name.lower() == _CSP for name, _ in message.get("headers", ())):
                    del headers[_CSP]  # a page of the site allows its own scripts only
                old = ((name, value) for name, value in message.get("headers", ()) if name.lower() not in headers)
                message["headers"] = [*old, *headers.items()]
            await send(message)

        with suppress(ClientDisconnect):
            await self.app(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        headers = request.headers
        host = headers.get("host", "")
        name, _, port = host.rpartition(":") if host.rpartition(":")[2].isdigit() else (host, "", "")
        if name not in self.hosts:
            return PlainTextResponse(Message("host-unknown-name-desk"), 421)
        cookie = COOKIE + port  # browsers send one machine's cookies to all of its ports
        if self.token and not same(request.cookies.get(cookie, ""), self.token):
            if request.method == "GET" and self._admits(request.query_params.get("token", "")):
                answer = RedirectResponse(f"/{request.url.path.lstrip('/')}", 303)
                answer.set_cookie(cookie, self.token, httponly=True, samesite="strict")
                return answer
            return PlainTextResponse(Message("token-missing-open-address-jiaokan"), 403)
        if not own_site(headers, str(request.url.scheme), host, request.method):
            return PlainTextResponse(Message("requests-other-sites-rejected"), 403)
        if request.method not in ("GET", "HEAD"):
            if not same(headers.get(HEADER, ""), self.secret):
                return PlainTextResponse(Message("page-outdated-load-again"), 403)
            if headers.get("content-type", "") not in _TYPES:  # none that a form of another site can send
                return PlainTextResponse(Message("request-must-json"), 415)
            sized = "transfer-encoding" not in headers  # chunks are as many as they like, whatever length is said
            if not sized or not 0 <= whole(headers.get("content-length", ""), -1) <= self.most:
                return PlainTextResponse(Message("request-too-long"), 413)
        return None


def own_site(headers: Mapping[str, str], scheme: str, host: str, method: str) -> bool:
    """Whether a request comes from a page of this site, or from no page: a typed address or a bookmark."""
    origin, asked_by = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin != f"{scheme}://{host}":
        return False
    if asked_by in (None, "same-origin"):
        return True
    typed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return method == "GET" and typed and asked_by in ("none", "same-site", "cross-site")


def same(secret: str, other: str) -> bool:
    """Whether two secrets are the same, in a time that tells nothing of them."""
    return hmac.compare_digest(secret.encode(), other.encode())


def policy_of(scripts: Iterable[str]) -> str:
    """Return the policy of a page that runs only scripts with these hashes, and what they load (the search index)."""
    hashes = " ".join(f"'{digest}'" for digest in scripts)
    return POLICY.replace("script-src 'self'", f"script-src {hashes} 'strict-dynamic'")
