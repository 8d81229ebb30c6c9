"""A request to an ASGI app without a server: what the app sends."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def request(app: Any, scope: dict[str, Any], body: bytes = b"") -> list[Any]:
    """Return the messages that an app sends for a request with a body.

    The loop runs in a thread of its own: the browser of other tests has one in the main thread.
    """
    sent: list[Any] = []
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Any:
        return next(parts, {"type": "http.disconnect"})

    async def send(message: Any) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, app(scope, receive, send)).result()
    return sent
