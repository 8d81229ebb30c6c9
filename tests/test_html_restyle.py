"""Rules of settings in Chromium: asked of classes of the root they say what they say of checked inputs; cheaper."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.amount import some_of
from tests.browsing import Open, Page, Shared, needs_browser

pytestmark = needs_browser

STYLES = """() => [...document.querySelectorAll("body *")].filter((e) => !e.matches("script")).map((e) => {
  const style = getComputedStyle(e);
  const names = ["display", "visibility", "writingMode", "fontSize", "lineHeight", "marginBlockStart", "width",
    "gridTemplateColumns", "position", "maxHeight", "color", "textDecorationLine"];
  return [e.tagName, e.id, ...names.map((name) => style[name])].join(" ");
})"""
"""A script that returns how each element is drawn."""
ASKED = """() => {
  const rules = (list) => [...list].flatMap((rule) => [rule, ...(rule.cssRules ? rules(rule.cssRules) : [])]);
  return [...document.styleSheets].flatMap((sheet) => rules(sheet.cssRules)).map((rule) => rule.selectorText || "")
    .filter((words) => /:has\\((#|:is)[^()]*\\)?:checked/.test(words));
}"""
"""A script that returns the selectors that ask which input is checked."""
MOVED = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => { for (const shift of list.getEntries()) moved += shift.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 1000);
})"""
"""A script that returns how far the page moved by itself (cumulative layout shift)."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:  # type: ignore[override]
        """Print nothing."""


@pytest.fixture(scope="module")
def home(site: Path) -> Iterator[str]:
    """The address of the site: of a page opened as a file, scripts cannot read the rules."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


CHOOSE = "(e) => { e.checked = true; e.dispatchEvent(new Event('change', { bubbles: true })); }"


def fresh(shared: Shared, address: str) -> Page:
    page = shared.browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(address)
    page.locator(":root:not(.laying) main").wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(300)
    return page


@pytest.mark.parametrize("view", some_of((
    "?direction=vertical", "?layer=base", "?place=below", "?level=substantive&points=none", "",
    "?direction=vertical&layer=base", "?points=judou&lines=on", "?level=all", "?theme=dark"), 3))
def test_a_page_is_drawn_alike_whether_rules_ask_inputs_or_classes(
    visit: Open, shared: Shared, home: str, view: str,
) -> None:
    served = fresh(shared, f"{home}/sample/6.html{view}")
    page = visit(f"sample/6.html{view}")
    page.locator(":root:not(.laying) main").wait_for()
    page.wait_for_timeout(500)
    assert served.evaluate(ASKED) == []
    assert served.evaluate(STYLES) == page.evaluate(STYLES)
    served.context.close()


def test_a_setting_that_is_chosen_later_is_seen_at_once(shared: Shared, home: str) -> None:
    page = fresh(shared, f"{home}/sample/6.html")
    chosen = page.locator("#view input[type=radio]")
    for number in range(chosen.count()):
        name = chosen.nth(number).get_attribute("id")
        chosen.nth(number).evaluate(CHOOSE)
        assert page.evaluate("(name) => document.documentElement.classList.contains(`on-${name}`)", name), name
    page.context.close()


@pytest.mark.parametrize("view", [
    "?direction=vertical", "?direction=vertical&place=inline", "?place=inline", "?w=benyi", "?w=benyi,jibian",
])
def test_nothing_moves_while_a_page_opens(shared: Shared, home: str, view: str) -> None:
    page = fresh(shared, f"{home}/sample/6.html{view}")
    assert page.evaluate(MOVED) <= 0.1
    page.context.close()
