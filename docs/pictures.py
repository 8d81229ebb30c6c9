"""Take the pictures of the documentation from a build (`make pictures`): screens by Chromium, pages by pypdfium2.

The editions are those of this repository (`make edition`), the desk that of the worked example (`jiaokan init demo`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from jiaokan.build import build
from jiaokan.desk.begin import copy_example
from tests.browsing import desk_without_a_folder

ROOT = Path(__file__).parents[1]
COLOURS = 64
"""Colours of a picture: ink, paper and red with their shades; a tenth of the size."""
SCREENS = {  # file: address, width, height, what is clicked
    "landing": ("yili/index.html", 1400, 900, ()),
    "chapter": ("yili/6.html#yili.6.9.7", 1400, 1040, ('[id="yili.6.9.7"] .v',)),
    "vertical": ("yili/6.html?direction=vertical&place=inline", 1400, 800, ()),
    "parallel": ("yili/6.html?w=benyi,jibian,zhushu#yili.6.7.1", 1400, 800, ()),
    "phone": ("yili/6.html#yili.6.9.7", 390, 800, ('[id="yili.6.9.7"] .v',)),
}
PAGES = {"page": ("yili.pdf", 60, 2), "woodblock": ("benyi-traditional.pdf", 120, -2)}
"""Pages of a PDF: the file, the first page from 0, how many side by side (from the right if negative)."""


def main(built: Path) -> None:
    """Write docs/pictures from the outputs of a build."""
    target = ROOT / "docs" / "pictures"
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name, (address, width, height, clicks) in SCREENS.items():
            page = _page(browser, width, height)
            page.goto(f"{(built / 'html').as_uri()}/{address}")
            page.wait_for_timeout(1500)  # the page is laid out, and the place of its address in view
            for each in clicks:
                page.locator(each).first.click()
                page.wait_for_timeout(500)
            _save(page, target / f"{name}.png")
        with tempfile.TemporaryDirectory() as aside:
            _desk(browser, Path(aside), target)
            take_example(browser, Path(aside) / "demo/build", target)
        browser.close()
    for name, (file, first, count) in PAGES.items():
        _sheet(built / "pdf" / file, first, count, target / f"{name}.png")


def take_example(browser: Browser, built: Path, target: Path) -> None:
    """Take a screen and two pages of the worked example (docs/example.md)."""
    page = _page(browser, 1100, 700)
    page.goto(f"{(built / 'html/lunyu/1.html').as_uri()}#lunyu.1.1.1")
    page.wait_for_timeout(1500)
    page.locator('[id="lunyu.1.1.1"] .v').first.click()
    page.wait_for_timeout(500)
    _save(page, target / "example-page.png")
    with pypdfium2.PdfDocument(built / "pdf/lunyu.pdf") as pdf:
        first = next(n for n in range(len(pdf)) if "学而时习之" in pdf[n].get_textpage().get_text_range())
        count = min(2, len(pdf) - first)
    _sheet(built / "pdf/lunyu.pdf", first, count, target / "example-book.png")


def _sheet(path: Path, first: int, count: int, target: Path) -> None:
    """Write some pages of a PDF side by side."""
    with pypdfium2.PdfDocument(path) as pdf:
        pages = [pdf[first + n].render(scale=1.4).to_pil() for n in range(abs(count))][:: 1 if count > 0 else -1]
    sheet = Image.new("RGB", (sum(each.width for each in pages), pages[0].height), "white")
    for n, each in enumerate(pages):
        sheet.paste(each, (sum(one.width for one in pages[:n]), 0))
    _write(sheet, target)


def _desk(browser: Browser, home: Path, target: Path) -> None:
    """Take the first page of the desk, with files looked at, and the desk with an open question."""
    copy_example(home / "demo")
    build(home / "demo")
    with desk_without_a_folder(home) as address:
        page = _page(browser, 1100, 900)
        page.goto(address)
        page.locator("#files").set_input_files(sorted((home / "demo/tei/sources").glob("*.txt")))
        page.locator("#found button.main").wait_for()
        page.locator(".home").evaluate("each => { each.textContent = '~/Documents/Jiaokan'; }")
        page.get_by_role("heading", level=1).scroll_into_view_if_needed()
        _save(page, target / "start.png")
        page = _page(browser, 1400, 900)
        page.goto(address)
        page.locator("[data-open=demo]").click()
        page.locator("[data-open=demo]").wait_for(state="detached")
        page.goto(f"{address}lunyu/1.html")
        page.locator("#desk ol.entries button").first.click()
        page.locator("#desk [name=reading]").first.wait_for()
        page.wait_for_timeout(500)
        _save(page, target / "desk.png")


def _page(browser: Browser, width: int, height: int) -> Page:
    page = browser.new_page(locale="zh-CN", viewport={"width": width, "height": height})
    page.add_init_script("try { sessionStorage.setItem('jiaokan-desk-guided', 'yes'); } catch { /* not of a file */ }")
    return page


def _save(page: Page, path: Path) -> None:
    page.screenshot(path=path)
    page.close()
    _write(Image.open(path).convert("RGB"), path)


def _write(picture: Image.Image, path: Path) -> None:
    picture.quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build")
