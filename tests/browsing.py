"""A small site in Chromium, for tests: where it is, what axe-core says (fixtures: `conftest.py`).

Tests that use it are skipped where there is no Chromium; JIAOKAN_REQUIRE_BROWSER=1 makes its absence an error.
"""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jiaokan.desk.guard import LOOPBACK
from jiaokan.desk.listen import server_of
from jiaokan.desk.start import Start

REQUIRED = bool(os.environ.get("JIAOKAN_REQUIRE_BROWSER"))
if not REQUIRED:
    pytest.importorskip("axe_playwright_python")  # brings Playwright
from axe_playwright_python.sync_playwright import Axe  # noqa: E402 (checked before)
from playwright.sync_api import Browser, BrowserContext, Page, expect  # noqa: E402 (checked before)

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
ROOT = Path(__file__).parent.parent
SAMPLE = (Path(__file__).parent / "cases" / "tei" / "sample.xml").read_bytes()
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run"]

# An expectation that is not met at once describes the whole page before it looks again: 14 s for the longest chapter,
# so the 5 s of the library would end in the middle of that. A locator's own `wait_for` describes nothing and is quick.
expect.set_options(timeout=60_000)

needs_browser = pytest.mark.skipif(not CHROMIUM and not REQUIRED, reason="no Chromium on this machine")
Open = Callable[..., Page]

SELECT = """([id, from, to]) => {
  const cells = self.jiaokan.cells(document.getElementById(id)), range = document.createRange();
  range.setStart(cells[from].node, cells[from].at);
  range.setEnd(cells[to - 1].node, cells[to - 1].end);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return String(range);
}"""
"""A script that selects some characters of a unit or note and returns their words."""

__all__ = ["CHROMIUM", "QUIET", "REQUIRED", "ROOT", "SAMPLE", "SELECT", "Open", "Page", "Shared",
           "desk_without_a_folder", "expect", "needs_browser", "violations"]


@contextmanager
def desk_without_a_folder(home: Path) -> Iterator[str]:
    """Serve the first page of the desk, which makes editions in `home`; its address."""
    start, taken = Start(home, hosts=LOOPBACK, token=""), socket.create_server(("127.0.0.1", 0))
    server = server_of(start, patience=1)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{taken.getsockname()[1]}/"
    server.should_exit = True
    thread.join()
    taken.close()
    start.close()


class Shared:
    """Pages of one profile, beside a page that stays open: a page in a new context starts a process, 0.6 s of CPU."""

    def __init__(self, browser: Browser, home: str) -> None:
        self.browser, self.home = browser, home
        self.kept: dict[bool, tuple[BrowserContext, Page]] = {}
        self.free: list[Page] = []

    def page(self, *, scripts: bool = True) -> Page:
        """A page as in a new profile: nothing stored, nothing permitted."""
        if scripts not in self.kept:
            context = self.browser.new_context(java_script_enabled=scripts)
            self.kept[scripts] = context, context.new_page()
            self.kept[scripts][1].goto(self.home)
        context, stays = self.kept[scripts]
        if scripts:
            stays.evaluate("localStorage.clear()")
        context.clear_cookies()
        context.clear_permissions()
        return self.free.pop() if scripts and self.free else context.new_page()

    def put_back(self, page: Page) -> None:
        """Take back a page for the next test, which costs half of a new one."""
        if page.is_closed() or True not in self.kept or page.context is not self.kept[True][0]:
            page.close()
            return
        page.evaluate("sessionStorage.clear()")
        page.emulate_media(media="null")
        page.goto("about:blank")
        self.free.append(page)


def violations(page: Page, within: str | None = None, rules: list[str] | None = None) -> list[str]:
    """What axe-core objects to, in the page or within a part of it, as rule and place; by all of its rules or some."""
    # It fetches nothing again, and does not describe what is right, which is most of its time.
    wanted: dict[str, object] = {"preload": False, "resultTypes": ["violations"]}
    if rules:
        wanted["runOnly"] = rules
    found = Axe().run(page, within, options=wanted).response["violations"]
    return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]
