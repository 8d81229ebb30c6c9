"""Serve a website at 127.0.0.1; its pages reload when the site has been rebuilt."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pipeline.errors import JiaokanError, visible

_ASK = b"""// Asks how often the site was built. The policy of a page allows scripts of the site and no other request.
(() => {
  const ask = () => {
    const script = document.createElement("script");
    script.src = "/.made.js?" + Date.now();
    script.onload = () => {
      script.remove();
      if (self.before && self.before !== self.made) location.reload();
      self.before = self.made;
      setTimeout(ask, 1000);
    };
    script.onerror = () => { script.remove(); setTimeout(ask, 3000); };
    document.head.append(script);
  };
  ask();
})();
"""
_AT_ONCE = 32
"""Requests answered at a time. A browser opens six connections per site; further requests wait, then are closed."""
_PATIENCE, _WHOLE = 10, 60
"""Seconds that a client may take to send a request or receive a part of the answer, and for the whole answer."""
_OWN = ("/.ask.js", "/.made.js")
"""Addresses that are not files of the site: the script that asks, and what it asks for."""
_TAG = b'<script src="/.ask.js" defer></script></head>'


class Preview:
    """A server for the files in `folder`; raises JiaokanError if the port cannot be used (0: any free port)."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.made = folder, 1
        try:
            self.server = _Server(("127.0.0.1", port), partial(_Handler, preview=self))
        except OSError as error:
            said = f"port {port} cannot be used: {error.strerror}"
            raise JiaokanError(said, mend="choose another --port") from None
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def again(self) -> None:
        """Announce that the site was rebuilt."""
        self.made += 1

    def close(self) -> None:
        """Stop the server, which must be running."""
        self.server.shutdown()
        self.server.server_close()


class _Server(ThreadingHTTPServer):
    """Answers a limited number of requests at a time; the failure of one does not affect the others."""

    daemon_threads = True

    def __init__(self, *arguments: Any) -> None:
        self._free = threading.BoundedSemaphore(_AT_ONCE)
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(timeout=_PATIENCE):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 (the signature is the library's)
        """Print one line for an error, nothing for a broken connection."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            sys.stderr.write(f"serve: {visible(f'{type(error).__name__}: {error}')}\n")


class _Handler(SimpleHTTPRequestHandler):
    """Answers one request."""

    timeout = _PATIENCE

    def __init__(self, *arguments: Any, preview: Preview, **settings: Any) -> None:
        self.preview = preview
        super().__init__(*arguments, directory=str(preview.folder), **settings)

    def handle_one_request(self) -> None:
        """Answer within the time limit; the socket's own limit starts again with every byte."""
        self._due = self._within(_PATIENCE)
        try:
            super().handle_one_request()
        finally:
            self._due.cancel()

    def parse_request(self) -> bool:
        """Read the request; the time to answer starts then."""
        asked = super().parse_request()
        self._due.cancel()
        self._due = self._within(_WHOLE)
        return asked

    def _within(self, seconds: float) -> threading.Timer:
        def break_off() -> None:
            with contextlib.suppress(OSError):  # it is closed already
                self.connection.shutdown(socket.SHUT_RDWR)

        made = threading.Timer(seconds, break_off)
        made.daemon = True
        made.start()
        return made

    def do_GET(self) -> None:
        """Send a file; into a page, insert the script that asks whether the site was rebuilt."""
        name = self.path.partition("?")[0]
        if not self._allowed(name):
            return
        page = self._path(name)
        if name == _OWN[0]:
            self._answer(_ASK, "text/javascript")
        elif name == _OWN[1]:
            self._answer(f"self.made = {self.preview.made};".encode(), "text/javascript")
        elif page.suffix == ".html" and page.is_file():
            self._answer(page.read_bytes().replace(b"</head>", _TAG, 1), "text/html")
        else:
            super().do_GET()

    def do_HEAD(self) -> None:
        """Send the headers of GET, under the same conditions."""
        if self._allowed(self.path.partition("?")[0]):
            super().do_HEAD()

    def list_directory(self, path: Any) -> None:  # noqa: ARG002 (the signature is the library's)
        """Never list a folder."""
        self.send_error(404)

    def _allowed(self, name: str) -> bool:
        """Whether a request may be answered.

        Refused are host names of other sites that resolve to this machine (DNS rebinding), paths outside the folder,
        also by links, and what is neither a file nor a folder: reading a pipe would block.
        """
        if self.headers.get("Host", "").partition(":")[0] not in ("127.0.0.1", "localhost"):
            self.send_error(403)
            return False
        try:
            path = self._path(name).resolve()
            known = name in _OWN or path.is_file() or (path.is_dir() and not name.endswith("/"))
            inside = known and path.is_relative_to(self.preview.folder.resolve())
        except (OSError, ValueError, RuntimeError):  # NUL, a name too long, links in a circle
            inside = False
        if not inside:
            self.send_error(404)
        return inside

    def _path(self, name: str) -> Path:
        path = Path(self.translate_path(name))
        return path / "index.html" if name.endswith("/") else path

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def _answer(self, data: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Print nothing for a request."""
