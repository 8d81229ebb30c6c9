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


LAYERED = "".join(f"{head}\n{base}\n（{note}）\n" for head, base, note in (
    ("論壺", "壺之為器也腹大而口小貯水以備旱貯酒以待賓", "貯水者言其用也備旱者言其利也"),
    ("論盤", "盤之為器也平而淺承水以盥其手盛果以饗其客", "承水者言其用也盥手者言其禮也"),
    ("論甑", "甑之為器也底有七穴蒸米成飯氣自下升而不漏", "七穴者言其制也蒸米者言其用也"),
    ("論罍", "罍之為器也飾以雲雷大者一石小者五斗以盛醴", "雲雷者言其文也盛醴者言其用也")))
"""A text whose notes nobody signs."""


@needs_browser
@pytest.mark.parametrize(("locale", "width", "height"), [("zh-CN", 1440, 900), ("en-GB", 390, 844)])
def test_a_text_is_corrected_by_clicks(
    home: str, tmp_path: Path, browser: object, locale: str, width: int, height: int
) -> None:
    (tmp_path / "taodian.txt").write_text(LAYERED, encoding="utf-8")
    page = browser.new_page(locale=locale, viewport={"width": width, "height": height})  # type: ignore[attr-defined]
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        page.goto(home)
        page.locator("#files").set_input_files(tmp_path / "taodian.txt")
        page.locator(".heads li").nth(3).wait_for()
        assert violations(page) == [] and page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("#found button.main").bounding_box()["y"] < 900 or width < 900
        page.locator(".line .note").first.click()
        page.fill("#who", "何某")
        page.locator("#mark form button").first.click()
        page.locator(".examples li").first.wait_for()
        assert "4" in page.locator("#outcome").text_content() and page.locator(".line.changed").count() == 4
        page.locator(".heads .drop").nth(1).click()  # a chapter is deleted in one place
        page.locator(".examples li").nth(1).wait_for()
        assert page.locator(".heads li").count() == 3
        page.locator("#l3").focus()
        page.keyboard.press("ArrowDown")  # back at the line of the second chapter by the keys, and a head again
        page.keyboard.press("Control+z")
        page.locator(".heads li").nth(3).wait_for()
        assert page.locator(".examples li").count() == 1 and violations(page) == []
        page.locator("#found button.main").click()
        page.wait_for_url(home)
        page.locator("body:not(.checking)").wait_for()
    finally:
        page.close()
    convention = next((tmp_path / "taodian/tei/conventions").glob("*.toml"))
    table, persons = (tomllib.loads(path.read_text(encoding="utf-8"))
                      for path in (convention, tmp_path / "taodian/tei/persons.toml"))
    assert [person["name"] for person in persons["person"] if person["id"] == table["unsigned"]["person"]] == ["何某"]
    assert wrong == []


@needs_browser
def test_a_line_is_marked_by_the_keys(home: str, tmp_path: Path, browser: object) -> None:
    (tmp_path / "taodian.txt").write_text(LAYERED, encoding="utf-8")
    page = browser.new_page(locale="zh-CN")  # type: ignore[attr-defined]
    try:
        page.goto(home)
        page.locator("#files").set_input_files(tmp_path / "taodian.txt")
        page.locator("#l0").wait_for()
        page.locator("#l0").focus()
        for key in ("Home", "ArrowDown", "ArrowDown", "ArrowDown", "3"):
            page.keyboard.press(key)
        page.locator(".examples li").first.wait_for()
        assert "taodian.txt:4=no-head" in page.locator(".examples").text_content()
        assert page.locator("#l3").get_attribute("aria-selected") == "true"
    finally:
        page.close()
