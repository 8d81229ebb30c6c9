"""The site from a server, in Chromium, under its policy."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.browsing import expect, needs_browser

pytestmark = needs_browser


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_a_page_and_the_search_work_from_a_server(site: Path, browser: object) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    home = f"http://127.0.0.1:{server.server_port}/"
    page = browser.new_page()  # type: ignore[attr-defined]
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    try:
        page.goto(f"{home}sample/6.html?w=benyi")
        expect(page.get_by_role("status")).to_contain_text("礼经本义")
        page.goto(f"{home}search.html?q=宾")
        expect(page.locator("#told")).to_contain_text("找到 4")
    finally:
        page.close()
        server.shutdown()
        server.server_close()
    assert said == []
