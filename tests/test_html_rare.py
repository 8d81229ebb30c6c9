"""Characters that no served font has, in Chromium: a sign with the code on hover, the character where a font has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiaokan.outputs import OutputSettings
from jiaokan.outputs.html import make, make_site
from tests.browsing import SAMPLE, needs_browser

pytestmark = [needs_browser, pytest.mark.long]
SIGN = "e => getComputedStyle(e, '::before').content"


def test_a_character_without_a_font_is_a_sign_until_a_font_has_it(browser: object, tmp_path: Path) -> None:
    make(SAMPLE.replace("再拜</seg>".encode(), "再\U0002a6a5拜</seg>".encode()), tmp_path / "t", OutputSettings())
    make_site(tmp_path, title="t")
    page = browser.new_page()  # type: ignore[attr-defined]
    try:
        page.goto((tmp_path / "t" / "6.html").as_uri())
        rare = page.locator("p.jing .rare").first
        assert rare.get_attribute("title").endswith("〓 (U+2A6A5)") and rare.text_content() == "\U0002a6a5"
        assert rare.evaluate(SIGN) == ("none" if "seen" in rare.get_attribute("class") else '"〓"')
        assert "U+2A6A5" not in page.locator("p.jing").first.inner_text()
        page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', "
                      "'<p id=new><span class=\"lack rare\" data-form=〓><span>Z</span></span></p>')")
        page.locator("#new .seen").wait_for()
        assert page.locator("#new .rare").evaluate(SIGN) == "none"
    finally:
        page.close()
