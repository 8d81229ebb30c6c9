"""The server of a desk: uvicorn, with a limit on how long a connection may say nothing."""

from __future__ import annotations

import asyncio

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.auto import AutoHTTPProtocol

HEAD = 5.0
"""Seconds in which the head of the first request must be complete. A browser sends it at once; whoever has no token
could otherwise hold connections open until no further one is accepted. After it, `Guard` closes the connection of a
request that it refuses."""


class PromptProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]  # chosen when uvicorn is imported
    """HTTP that closes a connection without a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the clock."""
        super().connection_made(transport)
        asyncio.get_running_loop().call_later(HEAD, self._close_silent, transport)

    def _close_silent(self, transport: asyncio.Transport) -> None:
        if self.cycle is None and not transport.is_closing():
            transport.close()


def server_of(app: ASGIApp, *, patience: int = 2) -> uvicorn.Server:
    """Return the server of an application; when stopped it waits `patience` seconds for open requests."""
    return uvicorn.Server(uvicorn.Config(
        app, http=PromptProtocol, ws="none", log_level="error", access_log=False, server_header=False, lifespan="off",
        timeout_graceful_shutdown=patience))
