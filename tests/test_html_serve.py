"""The site from a server, in Chromium: under its policy, and shown again when it was made again."""

from __future__ import annotations

import threading
from pathlib import Path

from pipeline.system.preview import Preview
from tests.browsing import expect, needs_browser

pytestmark = needs_browser


def test_page_shows_itself_again(site: Path, browser: object) -> None:
    preview = Preview(site, 0)
    threading.Thread(target=preview.server.serve_forever, daemon=True).start()
    page = browser.new_page()  # type: ignore[attr-defined]
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    try:
        page.goto(f"{preview.address}sample/6.html?w=benyi")
        expect(page.get_by_role("status")).to_contain_text("礼经本义")
        page.wait_for_function("() => self.before === 1")
        page.evaluate("self.old = true")
        preview.again()
        page.wait_for_function("() => !self.old && self.before === 2")
        page.goto(f"{preview.address}search.html?q=宾")
        expect(page.locator("#told")).to_contain_text("找到 4")
    finally:
        page.close()
        preview.close()
    assert said == []
