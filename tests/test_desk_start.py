"""The first page of the desk in Chromium: files are dropped, looked at, corrected, and become an edition."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from jiaokan.desk.begin import CorrectedSource, Corrections, apply_corrections, describe_folder, detect
from tests.browsing import desk_without_a_folder, needs_browser, violations

pytestmark = pytest.mark.long
TEXT = """學而第一

子曰學而時習之不亦{}乎〈馬曰時者學者以時誦習之〉有朋自遠方來不亦樂乎〈包曰同門曰朋〉人不知而不慍不亦君子乎

為政第二

子曰為政以德譬如北辰居其所而眾星{}之〈包曰德者無為猶北辰之不移〉子曰詩三百一言以蔽之曰思無邪
"""
"""A text of two chapters in two versions."""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    aside = tmp_path / "files"
    aside.mkdir()
    for name, words in {"jia.txt": ("說", "共"), "yi.txt": ("悅", "拱")}.items():
        (aside / name).write_text(TEXT.format(*words), encoding="utf-8")
    return sorted(aside.iterdir())


@pytest.fixture
def home(tmp_path: Path) -> Iterator[str]:
    with desk_without_a_folder(tmp_path) as address:
        yield address


def test_corrections_are_settings(files: list[Path]) -> None:
    made = detect(files)
    said = describe_folder(made)
    last = said["sources"][-1]["id"]
    rows = tuple(CorrectedSource(id=each["id"], siglum=f"本{n}", title=each["title"], person="某甲")
                 for n, each in enumerate(said["sources"]))
    written = apply_corrections(made, Corrections(title="新題", base=last, sources=rows))
    catalog = tomllib.loads(written["tei/catalog.toml"].decode())
    assert catalog["project"]["title"] == "新題" and [each["siglum"] for each in catalog["source"]] == ["本0", "本1"]
    plan = next(tomllib.loads(data.decode()) for name, data in written.items() if name.startswith("tei/editions/"))
    assert {each["base"] for each in plan["chapters"] if last in each["witnesses"]} == {last}


@needs_browser
def test_files_become_an_edition(home: str, files: list[Path], tmp_path: Path, browser: object) -> None:
    page = browser.new_page(locale="zh-CN")  # type: ignore[attr-defined]
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        page.goto(home)
        page.locator("#files").set_input_files(files)
        page.locator("#found button.main").wait_for()
        assert violations(page) == []
        page.locator("#found input[name=name]").fill("xinbian")
        page.locator('#found input[name$="/siglum"]').first.fill("新本")
        page.locator("#found input[name=base]").last.check()
        page.locator("#found button.main").click()
        page.locator("#desk").wait_for(state="attached", timeout=60_000)
    finally:
        page.close()
    catalog = tomllib.loads((tmp_path / "xinbian/tei/catalog.toml").read_text(encoding="utf-8"))
    assert "新本" in [each["siglum"] for each in catalog["source"]]
    assert wrong == []
