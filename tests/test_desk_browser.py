"""The desk in Chromium: decided by hand, by keys, by two; strangers are turned away; what is hostile stays inert."""

from __future__ import annotations

import json
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
import uvicorn

from jiaokan.desk.begin import create, detect
from jiaokan.desk.server import Desk
from jiaokan.desk.session import LATER, build_stale
from tests.browsing import expect, needs_browser, violations
from tests.filing import two_editors

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.long

LEMMAS = "tei/decisions/lemmas.toml"
Serve = Callable[..., str]


@pytest.fixture
def folder(example: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(example, tmp_path / "demo"))


@pytest.fixture
def serve() -> Iterator[Serve]:
    running: list[tuple[uvicorn.Server, threading.Thread, Desk, socket.socket]] = []

    def start(folder: Path, **settings: Any) -> str:
        desk, taken = Desk(folder, **settings), socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(desk.app, log_level="error", lifespan="off", ws="none",
                                               timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
        thread.start()
        running.append((server, thread, desk, taken))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"

    yield start
    for server, thread, desk, taken in running:
        server.should_exit = True
        thread.join()
        taken.close()
        desk.close()


@pytest.fixture(scope="module")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """One for all tests, with a page that stays open: each page in a new one would start a process."""
    context = browser.new_context()
    stays = context.new_page()
    stays.route("**/*", lambda route: route.fulfill(body="<title>stays</title>", content_type="text/html"))
    stays.goto("http://127.0.0.1:9/")
    yield context
    context.close()


@pytest.fixture
def visit(profile: BrowserContext) -> Iterator[Callable[..., Page]]:
    """Open a page of the desk; at the end nothing may have been complained of, and nothing asked of elsewhere."""
    complaints: list[str] = []
    pages: list[Page] = []
    profile.clear_cookies()
    profile.clear_permissions()

    def open_page(address: str, *, width: int = 1280, height: int = 900, guided: bool = True,
                  refused: bool = False) -> Page:
        page = profile.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        if guided:
            page.add_init_script("sessionStorage.setItem('jiaokan-desk-guided', 'yes')")
        home = address.split("/", 3)[2]
        page.on("console", lambda message: (refused and "422" in message.text)
                or complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: home in request.url or complaints.append(request.url))
        page.goto(address)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert complaints == []


def first(page: Page) -> str:
    """Open the first question of the list; give the id of its entry."""
    row = page.locator("#desk ol.entries button").first
    row.wait_for()
    name = row.get_attribute("data-id") or ""
    row.click()
    page.locator("#desk [name=reading]").first.wait_for()
    return name


def act(page: Page, name: str) -> None:
    """Choose a decision that is not among the everyday ones."""
    page.locator("#desk .more-acts:not([open]) > summary").click()
    page.locator(f"#desk [name=act][value={name}]").check()


def write(page: Page, why: str) -> None:
    page.locator("#desk textarea").fill(why)
    page.locator("#desk button.main").click()
    page.locator("#desk .status", has_text="lemmas.toml").wait_for()


@needs_browser
def test_a_reading_is_chosen_and_the_text_mended_in_its_place(folder: Path, serve: Serve,
                                                              visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    name = first(page)
    word = page.locator(f'[id="{name}"]')
    before = word.inner_text()
    page.locator("#desk [name=reading]").nth(1).check()
    chosen = page.locator("#desk .choice b").nth(1).inner_text()
    write(page, "从义疏")
    word.wait_for()
    assert word.inner_text() == chosen != before
    assert "从义疏" in (folder / LEMMAS).read_text(encoding="utf-8")
    page.reload()
    page.locator("#desk ol.entries button").first.wait_for()
    expect(page.locator(f'[id="{name}"]')).to_have_text(chosen)
    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    page.locator("#desk .status", has_text="已撤销").wait_for()
    assert word.inner_text() == before and not (folder / LEMMAS).exists()


@needs_browser
def test_all_of_it_by_keys(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html?lang=en")
    page.locator("#desk ol.entries button").first.wait_for()
    for key in ("d", "Enter"):
        page.keyboard.press(key)
    page.locator("#desk [name=reading]").first.wait_for()
    for key in ("2", "o", "w"):
        page.keyboard.press(key)
    page.keyboard.type("Which is older?")
    page.keyboard.press("Control+Enter")
    page.locator("#desk .status", has_text="Written to").wait_for()
    assert 'cert = "low"' in (folder / LEMMAS).read_text(encoding="utf-8")
    assert "存疑" in page.locator("#text").inner_text()
    page.keyboard.press("Escape")
    page.locator("#desk ol.entries").wait_for()
    page.keyboard.press("Control+z")
    page.locator("#desk .status", has_text="Taken back").wait_for()
    page.keyboard.press("Control+y")
    page.locator("#desk .status", has_text="Done again").wait_for()
    page.keyboard.press("d")
    assert page.evaluate("document.activeElement.id") == "text"


@needs_browser
def test_what_was_decided_is_changed_in_its_form(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    name = first(page)
    page.locator("#desk [name=reading]").nth(1).check()
    write(page, "先所定")
    page.locator(f'[id="{name}"]').click()
    page.locator("#desk .card button", has_text="改动").click()
    assert page.locator("#desk textarea").input_value() == "先所定"
    assert page.locator("#desk [name=reading]").nth(0).is_checked()
    page.locator("#desk [name=reading]").nth(1).check()
    write(page, "后所定")
    page.locator("#desk pre .come", has_text="后所定").wait_for(state="attached")
    text = (folder / LEMMAS).read_text(encoding="utf-8")
    assert text.count("[[lemma]]") == 1 and "后所定" in text
    page.locator("#desk button", has_text="返回").click()
    page.locator("#desk summary", has_text="已定各条").click()
    page.locator("#desk .card pre", has_text="后所定").wait_for()
    page.locator("#desk .card button", has_text="撤回").click()
    page.locator("#desk pre .gone", has_text="后所定").wait_for(state="attached")
    assert (folder / LEMMAS).read_text(encoding="utf-8") == ""


@needs_browser
def test_a_reason_is_given_for_each_decision(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    """Ctrl+Enter files no reason that was written for another entry; Alt+Enter takes that one."""
    page = visit(f"{serve(folder)}/lunyu/1.html")
    name = first(page)
    write(page, "一故")
    page.locator(f'#desk:not(:has([href="#{name}"])) [name=reading]').first.wait_for()
    page.keyboard.press("Control+Enter")
    page.locator("#desk .status", has_text="请写理由").wait_for()
    page.keyboard.press("Alt+Enter")
    assert page.locator("#desk textarea").input_value() == "一故"
    page.keyboard.press("Control+Enter")
    page.locator("#desk .status", has_text="lemmas.toml").wait_for()
    assert (folder / LEMMAS).read_text(encoding="utf-8").count('"一故"') == 2
    page.locator("#desk button", has_text="返回").click()
    page.locator("#desk summary", has_text="日志").click()
    assert "一故" not in page.locator("#desk details", has_text="日志").inner_text()


SLOW = """async (seconds) => {
  const ask = self.fetch;
  self.fetch = async (...args) => {
    if (String(args[0]).includes("/decide")) await new Promise((done) => setTimeout(done, seconds * 1000));
    return ask(...args);
  };
}"""
"""A script that makes the desk slow to answer decisions."""


@needs_browser
def test_while_a_decision_is_written_the_next_question_is_answered(
    folder: Path, serve: Serve, visit: Callable[..., Page],
) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    first(page)
    page.wait_for_timeout(500)  # the next questions are asked for
    page.evaluate(SLOW, 3)
    for n, why in enumerate(("其一", "其二", "其三"), 1):
        place = page.locator("#desk .d-question h2").inner_text()
        page.locator("#desk .d-foot textarea").fill(why)
        took = page.evaluate("""() => {
          const start = performance.now();
          document.querySelector("#desk button.main").click();
          return [performance.now() - start, document.querySelector("#desk .status").textContent];
        }""")
        assert took[0] < 100 and took[1].startswith("正在写入")
        page.wait_for_function("old => document.querySelector('#desk .d-question h2')?.innerText !== old", arg=place,
                               timeout=1500)
        assert not (folder / LEMMAS).exists() or "其三" not in (folder / LEMMAS).read_text(encoding="utf-8"), n
    page.locator("#desk .status", has_text="lemmas.toml").wait_for()
    text = (folder / LEMMAS).read_text(encoding="utf-8")
    assert [text.count(why) for why in ("其一", "其二", "其三")] == [1, 1, 1]


@needs_browser
def test_a_desk_that_reads_changed_files_again_says_so(
    folder: Path, serve: Serve, visit: Callable[..., Page],
) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    page.locator("#desk ol.entries button").first.wait_for()
    page.evaluate("""() => {
      const own = self.fetch;
      self.fetch = async (address, ...how) => {
        if (String(address).includes("/news")) {
          self.fetch = own;
          await new Promise((done) => setTimeout(done, 3000));
        }
        return own(address, ...how);
      };
    }""")
    page.locator("#desk .status", has_text="正在重读").wait_for()
    expect(page.locator("#desk .status")).not_to_contain_text("正在重读")


@needs_browser
def test_what_could_not_be_written_is_opened_again_by_undo(
    folder: Path, serve: Serve, visit: Callable[..., Page],
) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html", refused=True)
    first(page)
    place = page.locator("#desk .d-question h2").inner_text()
    broken = folder / LEMMAS
    broken.write_text("[[lemma\n", encoding="utf-8")
    page.locator("#desk [name=reading]").nth(1).check()
    page.locator("#desk .d-foot textarea").fill("写不进去的理由")
    page.locator("#desk button.main").click()
    page.locator("#desk .status.wrong", has_text="lemmas.toml:1").wait_for()
    page.locator("#desk button.undo").filter(visible=True).click()
    expect(page.locator("#desk .d-question h2")).to_have_text(place)
    assert page.locator("#desk .d-foot textarea").input_value() == "写不进去的理由"
    assert page.locator("#desk [name=reading]").nth(1).is_checked()
    assert broken.read_text(encoding="utf-8") == "[[lemma\n"
    page.locator("#desk button", has_text="返回").click()
    rows = page.locator("#desk ol.entries button").count()
    assert rows
    page.locator("#desk .fault button", has_text="打开修改").click()
    page.locator("#desk .fault textarea").fill("")
    page.locator("#desk .fault button.main").click()
    expect(page.locator("#desk .fault")).to_have_count(0)
    assert page.locator("#desk ol.entries button").count() == rows and violations(page, "#desk") == []


@needs_browser
@pytest.mark.parametrize("address", ["lunyu/1.html", "lunyu/index.html", "index.html", "statistics.html"])
def test_the_list_is_what_is_on_disk_on_every_page(
    folder: Path, serve: Serve, visit: Callable[..., Page], address: str,
) -> None:
    page = visit(f"{serve(folder)}/{address}")
    chip = page.locator("#desk .chip", has_text="已定")
    page.locator("#desk .d-count").wait_for()
    before = chip.inner_text() if chip.count() else ""
    question = page.evaluate("""async () => {
      const ask = (path) => fetch(`/.desk/api/${path}`).then((answer) => answer.json());
      const row = (await ask("overview?text=lunyu")).open.find((row) => row.kind === "open");
      return await ask(`entry?text=lunyu&id=${row.id}`);
    }""")
    words = question["context"].replace("\\", "\\\\")
    (folder / LEMMAS).write_text(
        f'[[lemma]]\nunit = "{question["unit"]}"\nspeaker = "{question["speaker"]}"\ncontext = "{words}"\n'
        f'reading = "{question["choices"][1]["words"]}"\nresp = "editors"\nwhy = "手写"\nwhen = "2026-01-01"\n',
        encoding="utf-8")
    page.wait_for_function("old => [...document.querySelectorAll('#desk .chip')].some("
                           "(e) => e.innerText.startsWith('已定') && e.innerText !== old)", arg=before, timeout=6000)
    after = chip.inner_text()
    (folder / LEMMAS).unlink()
    page.wait_for_function("old => ![...document.querySelectorAll('#desk .chip')].some((e) => e.innerText === old)",
                           arg=after, timeout=6000)


@needs_browser
def test_what_is_listed_is_decided_together(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    rows = page.locator("#desk ol.entries button")
    rows.first.wait_for()
    every, words = rows.count(), page.locator("#desk ol.entries mark").first.inner_text()
    page.locator("#desk input[type=search]").fill(words)
    page.keyboard.press("Enter")
    expect(rows).not_to_have_count(every)
    page.locator("#desk input[type=search]").fill("")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(every)
    page.locator("#desk summary", has_text=f"所列 {every} 条").click()
    page.locator("#desk details[open] textarea").filter(visible=True).fill("皆从底本")
    page.locator("#desk details[open] button.main").filter(visible=True).click()
    page.locator("#desk .status", has_text="lemmas.toml").wait_for()
    assert (folder / LEMMAS).read_text(encoding="utf-8").count("皆从底本") == every
    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    page.locator("#desk .status", has_text="已撤销").wait_for()
    assert not (folder / LEMMAS).exists()


@needs_browser
def test_entries_are_merged_and_split_by_selecting(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    first(page)
    act(page, "merge")
    page.evaluate("() => { const e = document.querySelector('#desk .extent'); e.focus(); e.setSelectionRange(1, 4); }")
    page.keyboard.press("Shift+ArrowRight")
    context, plain = page.locator("#desk label:has(.extent) + label input").input_value(), page.locator(
        "#desk .extent").input_value()
    assert context.startswith(f"{plain[0]}[{plain[1:5]}]{plain[5:8]}")
    assert page.locator("#desk [name=act][value=split]").count() == 0  # one character
    before = len(page.locator("#desk .extent").input_value()) - page.evaluate(
        "() => document.querySelector('#desk h2 mark').nextSibling.textContent.length")
    page.evaluate(f"() => document.querySelector('#desk .extent').setSelectionRange({before} - 1, {before} + 1)")
    page.locator("#desk .extent").press("Shift")
    write(page, "当合")
    page.locator("#desk button", has_text="返回").click()
    page.locator("#desk .chip", has_text="全部").first.click()
    page.locator("#desk ol.entries button").filter(has=page.locator("mark", has_text=re.compile(".."))).first.click()
    act(page, "split")
    page.locator("#desk .cuts button").first.click()
    assert re.search(r"\[.\|.\]", page.locator("#desk .cuts + label input").input_value())


@needs_browser
def test_a_decision_is_filled_from_what_is_selected(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/jizhu/1.html")
    page.locator("#desk summary").first.wait_for()
    page.locator('#desk select[aria-label="待办种类"]').select_option("speaker")
    page.locator('#desk select[aria-label="何人所拟"]').wait_for()
    note = page.locator("#text .note p").nth(1)
    note.select_text()
    page.locator('#desk select[aria-label="待办种类"]').select_option("")
    page.locator("#desk summary", has_text="其他裁定").click()
    page.locator('#desk select[aria-label="其他裁定（改正、补字、界限、字形……）"]').select_option("target")
    page.locator("#desk button", has_text="取所选文字").click()
    context = page.locator("#desk input[name=context]")
    words = "".join(filter(str.isalnum, note.inner_text()))
    context.wait_for()
    for _ in range(50):
        if context.input_value():
            break
        page.wait_for_timeout(50)
    assert context.input_value() and context.input_value() in words


@needs_browser
def test_marks_are_typed_in_their_place(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/jizhu/1.html")
    page.locator("#desk summary").first.wait_for()
    page.keyboard.press("t")
    field = page.locator(".desk-line textarea")
    field.wait_for()
    words = field.input_value()
    field.fill(f"{words}X")
    page.locator(".desk-line .wrong", has_text="第").wait_for()
    assert field.get_attribute("aria-invalid") == "true" and violations(page) == []
    page.keyboard.press("Alt+Enter")
    page.keyboard.press("Control+Enter")
    page.locator("#desk .status", has_text="标点已写入").wait_for()
    row, = [each for each in (folder / "tei/punctuation/jizhu/01.txt").read_text("utf-8").splitlines() if "\t" in each]
    assert row.partition("\t")[2].replace("。", "").replace("，", "") == words and row.endswith("。")
    page.locator(".desk-line strong", has_text=f"{row.partition(chr(9))[0]}.n1").wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".desk-line").count() == 0 and page.locator("#text .pc").count() > 0


@needs_browser
def test_nothing_bars_anybody(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    page.locator("#desk ol.entries button").first.wait_for()
    assert violations(page) == []
    first(page)
    for each in page.locator("#desk summary").all():
        each.click()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page) == []


@needs_browser
def test_what_another_desk_writes_is_seen(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    mine, theirs = visit(f"{serve(folder)}/lunyu/1.html"), visit(f"{serve(folder)}/lunyu/1.html")
    mine.locator("#desk ol.entries button").first.wait_for()
    name = first(theirs)
    theirs.locator("#desk [name=reading]").nth(1).check()
    mine.locator("#desk ol.entries button").nth(1).hover()
    mine.mouse.down()
    write(theirs, "他人所定")
    word = theirs.locator(f'[id="{name}"]').inner_text()
    mine.locator("#desk .status", has_text="已并入").wait_for()
    expect(mine.locator(f'[id="{name}"]')).to_have_text(word)  # the message comes just before the words
    mine.mouse.up()  # what is pressed meanwhile is not drawn anew
    mine.locator("#desk [name=reading]").first.wait_for()


@needs_browser
def test_the_guide_leads_through_three_decisions(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html", guided=False)
    guide = page.locator("#desk .card", has_text="/3")
    guide.filter(has_text="1/3").wait_for()
    first(page)
    write(page, "一")
    guide.filter(has_text="2/3").wait_for()
    page.locator("#desk [name=act][value=leave]").check()
    page.locator("#desk textarea").fill("二")
    page.locator("#desk button.main").click()
    guide.filter(has_text="3/3").wait_for()
    page.locator("#desk button", has_text="撤销").filter(visible=True).click()
    page.locator("#desk .status", has_text="已撤销").wait_for()
    page.keyboard.press("Control+y")
    guide.first.wait_for(state="hidden")
    text = (folder / LEMMAS).read_text(encoding="utf-8")
    assert text.count("[[lemma]]") == 2 and text.count('cert = "low"') == 1


HOSTILE = '"><img src=x onerror="self.hit=1"><script>self.hit=1</script>{{7*7}}'


@needs_browser
def test_hostile_words_stay_words(folder: Path, serve: Serve, visit: Callable[..., Page]) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html")
    name = first(page)
    act(page, "note")
    write(page, HOSTILE)
    assert HOSTILE in page.locator("#text").inner_text()
    page.locator("#desk [name=reading]").first.wait_for()
    page.locator("#desk button", has_text="返回").click()
    page.locator("#desk .chip", has_text="已定").first.click()
    page.locator(f'#desk [data-id="{name}"]').click()
    page.locator("#desk .card p", has_text="onerror").first.wait_for()
    page.reload()
    page.locator("#desk ol.entries button").first.wait_for()
    assert page.evaluate("self.hit") is None and page.locator("#text img, #desk img, #desk script").count() == 0


def answer(address: str, **headers: str) -> int:
    data = headers.pop("post", "").encode() or None
    try:
        with urlopen(Request(address, data=data, headers={k.replace("_", "-"): v for k, v in headers.items()})) as got:
            return int(got.status)
    except HTTPError as error:
        with error:
            return error.code


def test_strangers_are_turned_away(folder: Path, serve: Serve) -> None:
    home = serve(folder)
    api, decide = f"{home}/.desk/api/overview", f"{home}/.desk/api/decide"
    assert answer(api) == answer(f"{home}/lunyu/1.html") == 200
    assert answer(api, host="evil.example") == 421
    assert answer(api, origin="http://evil.example") == 403
    assert answer(api, sec_fetch_site="cross-site", sec_fetch_mode="no-cors") == 403
    assert answer(f"{home}/lunyu/1.html", sec_fetch_site="cross-site", sec_fetch_mode="navigate",
                  sec_fetch_dest="document") == 200
    assert answer(f"{home}/lunyu/1.html", sec_fetch_site="cross-site", sec_fetch_mode="navigate",
                  sec_fetch_dest="iframe") == 403
    assert answer(decide, post="yes", content_type="application/json") == 403
    assert answer(decide, post="yes", content_type="application/json", x_jiaokan_desk="guess") == 403
    secret = re.findall('data-secret="([^"]+)"', urlopen(f"{home}/lunyu/1.html").read().decode())[0]
    assert answer(decide, post="[" * 100_000, content_type="application/json", x_jiaokan_desk=secret) == 400
    for path in ("../tei/catalog.toml", "%2e%2e/tei/catalog.toml", "..%2f..%2ftei/catalog.toml", ".jiaokan", ".desk/x",
                 "lunyu/../../pdf/lunyu.pdf", "lunyu/%00.html"):
        assert answer(f"{home}/{path}") == 404, path


def test_from_elsewhere_only_with_the_token(folder: Path, serve: Serve) -> None:
    home = serve(folder, hosts=("desk.example",), token="secret")
    page = f"{home}/lunyu/1.html"
    assert answer(page, host="desk.example") == 403 and answer(page) == 421
    with pytest.raises(HTTPError) as came:
        build_opener(_Stay).open(Request(f"{page}?token=secret", headers={"host": "desk.example"}))
    cookie = came.value.headers["set-cookie"]
    came.value.close()
    assert came.value.code == 303 and came.value.headers["location"] == "/lunyu/1.html"
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert answer(page, host="desk.example", cookie=cookie.partition(";")[0]) == 200
    assert answer(page, host="desk.example", cookie="jiaokan-desk-=guess") == 403


class _Stay(HTTPRedirectHandler):
    """Follows nobody."""

    def redirect_request(self, *_: object) -> None:  # type: ignore[override]
        """Go nowhere."""


def test_messages_are_in_the_language_of_the_page(folder: Path, serve: Serve) -> None:
    home = serve(folder)
    with pytest.raises(HTTPError) as came:
        urlopen(f"{home}/.desk/api/entry?text=lunyu&id=nix&lang=zh")
    assert "没有" in json.loads(came.value.read())["error"]
    line = folder / "tei" / "punctuation" / "jizhu" / "01.txt"
    line.parent.mkdir(parents=True, exist_ok=True)
    line.write_text("# resp: editors\n99.1\t全无此句。\n1.1\t此句不合。\n", encoding="utf-8")
    said = {lang: json.loads(urlopen(f"{home}/.desk/api/overview?text=jizhu&lang={lang}").read())["conflicts"]
            for lang in ("en", "zh")}
    assert "not used" in said["en"][0]["reason"] and "未用" in said["zh"][0]["reason"]


TWO = """學而第一

子曰學而時習之不亦{}乎有朋自遠方來不亦樂乎

為政第二

子曰為政以德譬如北辰居其所而眾星{}之詩三百一言以蔽之
"""


@needs_browser
def test_after_the_last_entry_of_a_chapter_the_page_of_the_next_opens(
    tmp_path: Path, serve: Serve, visit: Callable[..., Page],
) -> None:
    files = [tmp_path / "jia.txt", tmp_path / "yi.txt"]
    for path, words in zip(files, (("說", "共"), ("悅", "拱")), strict=True):
        path.write_text(TWO.format(*words), encoding="utf-8")
    list(create(tmp_path / "two", dict(detect(files).files)))
    assert build_stale(tmp_path / "two", LATER) == ""
    text = next(path.stem for path in (tmp_path / "two" / "tei" / "editions").glob("*.toml"))
    page = visit(f"{serve(tmp_path / 'two')}/{text}/1.html?lang=en")
    rows = page.locator("#desk ol.entries button")
    rows.first.wait_for()
    assert rows.count() == 2
    page.locator("#desk input[type=search]").fill("不亦")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    page.locator("#desk input[type=search]").fill("")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(2)
    rows.filter(has_text="1.1").first.click()
    page.locator("#desk [name=reading]").first.wait_for()
    page.locator("#desk textarea").fill("one")
    page.locator("#desk button.main").click()
    page.wait_for_url("**/2.html*")
    page.locator("#desk [name=reading]").first.wait_for()
    assert "拱" in page.locator("#desk fieldset").first.inner_text()
    assert page.locator("#text").inner_text().count("北辰") == 1 and "時習" not in page.locator("#text").inner_text()


@needs_browser
def test_two_editors_comment_propose_approve_and_decide_again(folder: Path, serve: Serve, browser: Browser) -> None:
    two_editors(folder)
    address = f"{serve(folder)}/lunyu/1.html?lang=en"
    wrong: list[str] = []
    pages = []
    for name in ("甲某", "乙某"):
        page = browser.new_context().new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        page.locator("#desk select[aria-label='I am']").select_option(label=name)
        expect(page.locator("#desk select[aria-label='I am'] option:checked")).to_have_text(name)
        pages.append(page)
    jia, yi = pages
    name = first(jia)
    jia.locator("#desk .thread summary").click()
    jia.locator("#desk .thread textarea").fill("On what ground?")
    jia.locator("#desk .thread button", has_text="Comment").click()
    jia.locator("#desk .thread .card", has_text="On what ground?").wait_for()
    assert violations(jia, "#desk") == []
    jia.locator("#desk [name=reading]").nth(1).check()
    jia.locator("#desk textarea[aria-label='Why']").fill("as proposed")
    jia.get_by_label("Ask another editor to approve").check()
    jia.locator("#desk button.main").click()
    jia.locator("#desk .status", has_text="lemmas.toml").wait_for()
    said = (folder / LEMMAS).read_text(encoding="utf-8")
    assert 'resp = "jia"' in said and "proposed = true" in said
    yi.reload()
    yi.locator("#desk .chip", has_text="With comments").click()
    yi.locator("#desk .chip", has_text="To be approved").click()
    yi.locator(f"#desk ol.entries button[data-id='{name}']").click()
    yi.locator("#desk .thread .card", has_text="甲某").wait_for()
    yi.locator("#desk button", has_text="Approve").first.click()
    yi.locator("#desk .status", has_text="lemmas.toml").wait_for()
    assert 'approved = "yi"' in (folder / LEMMAS).read_text(encoding="utf-8")
    yi.locator("#desk select[aria-label='What is open']").select_option("second")
    yi.locator("#desk ol.entries button").first.click()
    yi.locator("#desk [name=reading]").first.wait_for()
    assert "as proposed" not in yi.locator("#desk").inner_text() and not yi.locator("#text p.jing").first.is_visible()
    assert yi.locator("#desk .card b").count() > 1  # the words of each witness
    yi.locator("#desk textarea[aria-label='Why']").fill("looked again")
    yi.locator("#desk button.main").click()
    yi.locator("#desk .card", has_text="1 decided again").wait_for()
    yi.locator("#desk select[aria-label='What is open']").select_option("")
    assert yi.locator("#text p.jing").first.is_visible()
    for page in pages:
        page.context.close()
    assert wrong == []


@needs_browser
def test_found_readings_are_listed_before_they_are_replaced_and_undone_together(
    folder: Path, serve: Serve, visit: Callable[..., Page],
) -> None:
    page = visit(f"{serve(folder)}/lunyu/1.html?lang=en")
    page.locator("#desk .replacing summary").click()
    page.get_by_label("Where the text prints").fill("说")
    page.get_by_label("print", exact=True).fill("悦")
    page.locator("#desk .replacing button", has_text="List first").click()
    found = page.locator("#desk .replacing li")
    found.first.wait_for()
    count = found.count()
    assert count and not (folder / LEMMAS).exists()
    assert all("→ 悦" in each for each in found.all_inner_texts())
    page.locator("#desk .replacing textarea").fill("one form")
    page.locator("#desk .replacing button.main").click()
    page.locator("#desk .status", has_text="lemmas.toml").wait_for()
    assert (folder / LEMMAS).read_text(encoding="utf-8").count('reading = "悦"') == count
    page.locator("#text").focus()
    page.keyboard.press("Control+z")
    page.locator("#desk .status", has_text="Taken back").wait_for()
    assert not (folder / LEMMAS).exists()


@needs_browser
def test_guesses_on_a_new_folder_are_answered_on_the_desk(
    folder: Path, serve: Serve, visit: Callable[..., Page],
) -> None:
    asked = folder / "tei" / "decisions" / "questions.toml"
    asked.write_text('[[question]]\nresp = "jiaokan"\nwhy = "Is 集解 the base?"\n', encoding="utf-8")
    page = visit(f"{serve(folder)}/lunyu/1.html?lang=en")
    page.locator("#desk summary", has_text="Questions about the settings").click()
    page.locator("#desk select[name='tei/editions/lunyu.toml:chapters.0.base']").select_option("yishu")
    page.locator("#desk .status", has_text="lunyu.toml").wait_for()
    assert 'base = "yishu"' in (folder / "tei" / "editions" / "lunyu.toml").read_text(encoding="utf-8")
    page.locator("#desk summary", has_text="Questions about the settings").click()
    page.locator("#desk .card", has_text="Is 集解 the base?").get_by_role("button").click()
    page.locator("#desk .status", has_text="questions.toml").wait_for()
    assert not asked.exists() or not asked.read_text(encoding="utf-8").strip()
