"""The site of a library of generated texts: what putting it together takes, and in Chromium how soon one finds a text
or a phrase.

Usage: python benchmarks/shelf.py FOLDER TEXTS [--slow 4]: writes what the pages of each text leave for the site
(``card.xml``, ``find-N.js``) into the folder if it is not there, puts the site together, then once more with nothing
changed and with a text changed, opens it in Chromium, whose CPU is slowed down so many times, and prints medians of
five.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.library import SEED, UNIT, Texts
from jiaokan.characters.scripts import traditional_forms
from jiaokan.outputs.html import make_site
from jiaokan.outputs.web.earlier import EarlierSite
from jiaokan.outputs.web.search import AFTER, BEFORE, script_data
from jiaokan.system.atomic import link, staged_folder, write_file
from jiaokan.system.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Page

SECTIONS = ("易", "书", "诗", "礼", "春秋", "孝经", "五经总义", "四书", "乐", "小学")
CARD = """<p:card xmlns:p="urn:jiaokan:prepared" id="{id}" cites="chapter unit" kind="reading" chapters="4" witnesses=""
 counted="3,360 字 · 140 条注" characters="3360" notes="140" entries="0" xml:lang="lzh-Hans">
<title xmlns="urn:jiaokan:prepared">{title}</title><author xmlns="urn:jiaokan:prepared">撰人{person}</author>
{chapters}<p:name kind="title">{title}</p:name></p:card>
"""


def make(folder: Path, count: int) -> None:
    """Write what the pages of texts leave for the site."""
    texts = Texts(count)
    for number, titles in enumerate(texts.titles):
        home, chance = folder / f"t{number:05}", random.Random(f"{SEED} {number}")
        home.mkdir(parents=True)
        title = titles[0][:2] + titles[1][:2]
        for n, name in enumerate(titles, 1):
            parts = [["s", f"{n}.0", name]]
            for unit, words in enumerate(texts.base(number, n - 1), 1):
                parts.append(["b", f"{n}.0.{unit}", words])
                parts.append(["n", f"{n}.0.{unit}.n1", texts.words(2 * UNIT, chance), f"撰人{number // 10}", ""])
            data = {"text": home.name, "work": title, "page": str(n), "title": name, "parts": parts}
            script = f"{BEFORE}{json.dumps(data, ensure_ascii=False)}{AFTER}"
            (home / f"find-{n}.js").write_text(script, encoding="utf-8")
        chapters = "".join(f'<p:chapter page="{n}" title="{name}" kind="pian"/>' for n, name in enumerate(titles, 1))
        (home / "card.xml").write_text(
            CARD.format(id=home.name, title=title, person=number // 10, chapters=chapters), encoding="utf-8")


def put_together(folder: Path, count: int, label: str) -> None:
    """Put the site together as a build does, beside the one that is there, and print what it took."""
    sections = {f"t{n:05}": f"经部·{SECTIONS[n * len(SECTIONS) // count]}类" for n in range(count)}
    site, start, seconds = folder / "site", time.process_time(), time.perf_counter()
    earlier = EarlierSite(Store(folder / "kept"), site, "benchmark")
    with staged_folder(site) as made:
        for path in (folder / "pages").iterdir():
            link(path, made / path.name)
        make_site(made, title="群书", url="https://example.org/", sections=sections, fonts=site / "assets",
                  earlier=earlier)
        swap = time.perf_counter()
    swap = time.perf_counter() - swap
    earlier.save(site)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    blocks = sum(1 for _ in (folder / "kept" / "grams").iterdir())
    print(f"{label}: {time.process_time() - start:.1f} CPU s, {time.perf_counter() - seconds:.0f} s, of these "
          f"{swap:.1f} until it is on the disk and in its place; {peak:.0f} MB, index in {blocks} blocks", flush=True)


def sizes(site: Path) -> None:
    """Print how large what all texts share is."""
    grams = [path.stat().st_size for path in (site / "assets" / "grams").iterdir()]
    told = ", ".join(f"{path.name} {path.stat().st_size / 1024:.0f} KB" for path in (
        site / "index.html", site / "search.html", site / "assets" / "index.js", site / "assets" / "names.js"))
    print(f"index {len(grams)} files, {sum(grams) / 2**20:.0f} MB, largest {max(grams) / 1024:.0f} KB; {told}")


def change(folder: Path, count: int) -> None:
    """Change three graphs of a chapter."""
    path = folder / "pages" / f"t{count // 2:05}" / "find-3.js"
    write_file(path, path.read_text(encoding="utf-8").replace("之", "也", 3).encode())


def seen(page: Page, address: str, fill: str, words: str, ready: str) -> float:
    """Open a page, type, and give the seconds from the key to the first row that is shown."""
    page.goto(address)
    page.fill(fill, words)
    return float(page.evaluate("""([field, ready]) => new Promise((resolve) => {
      const start = performance.now(), input = document.querySelector(field);
      const seen = () => requestAnimationFrame(() => setTimeout(() => resolve((performance.now() - start) / 1000)));
      const look = () => document.querySelector(ready) ? seen() : setTimeout(look, 2);
      input.form.requestSubmit();
      look();
    })""", [fill, ready]))


def found(folder: Path, count: int, slow: float) -> None:
    """Print how soon phrases are found: one of a text, one that stands in many, a character, and a title."""
    from playwright.sync_api import sync_playwright

    site = (folder / "site").resolve()
    parts = script_data(site / f"t{count // 2:05}" / "find-2.js")
    rare, common = parts["parts"][1][2][4:10], "再拜稽首"
    title = parts["work"]
    forms = traditional_forms({*rare})
    with sync_playwright() as driver:
        browser = driver.chromium.launch(args=["--no-sandbox", "--disable-gpu"], executable_path="/usr/bin/chromium")
        for label, name, field, words, ready in (
            ("phrase of one text", "search.html", "#q", rare, "#found mark"),
            ("phrase of many", "search.html", "#q", common, "#found mark"),
            ("one character", "search.html", "#q", "礼", "#found mark"),
            ("in other graphs", "search.html", "#q", "".join(forms.get(graph, graph) for graph in rare), "#found mark"),
            ("in pinyin", "search.html", "#q", "zai bai qi shou", "#found mark"),
            ("title", "index.html", "#find input", title, "#found li"),
        ):
            times = []
            for _ in range(5):
                page = browser.new_page()
                page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
                times.append(seen(page, f"file://{site}/{name}", field, words, ready))
                rows = page.locator("#told").text_content()
                nodes = page.evaluate("document.getElementsByTagName('*').length")
                page.close()
            print(f"  {label:20} {words:8} first row after {statistics.median(times):.2f} s "
                  f"({min(times):.2f} to {max(times):.2f}), {nodes} elements; {rows}", flush=True)
        browser.close()


def main() -> None:
    """Make and measure."""
    asked = argparse.ArgumentParser()
    asked.add_argument("folder", type=Path)
    asked.add_argument("texts", type=int)
    asked.add_argument("--slow", type=float, default=4)
    given = asked.parse_args()
    if not given.folder.exists():
        make(given.folder / "pages", given.texts)
    put_together(given.folder, given.texts, "put together")
    put_together(given.folder, given.texts, "with nothing changed")
    change(given.folder, given.texts)
    put_together(given.folder, given.texts, "with a text changed")
    sizes(given.folder / "site")
    found(given.folder, given.texts, given.slow)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
