"""Where verdicts are kept, and fixtures of the browser tests: what they need is imported when they are used."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import HealthCheck, settings

from tests import nursery
from tests.amount import ALL
from tests.programs import missing
from tests.shared import HOME, home_of, once, trust

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

    from jiaokan.desk.session import Session
    from tests.browsing import Open, Shared

# A deadline judges the machine, and so does the check that inputs are made fast: a busy one fails both. Inputs are the
# same in every run, so that the gate says the same of the same program; `make fuzz` looks for others.
settings.register_profile("jiaokan", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("jiaokan")
os.environ["LC_ALL"] = "C.UTF-8"  # messages in English, whatever the machine's language


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files marked `long`: workers take files in this order, and what is begun last is waited for."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """What was imported and collected stays: Python need not look through it for garbage again (a quarter of the time
    of many files)."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    nursery.STARTS[:] = [item] if item.get_closest_marker("starts") else []
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            if why := missing(name):
                pytest.skip(why)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Verdicts and journals of tests are kept apart from those of the person who runs them."""
    HOME[:] = [home_of(tmp_path_factory)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JIAOKAN_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("JIAOKAN_STATE", str(tmp_path_factory.mktemp("state")))
        # Programs in Java (epubcheck, jing) run for seconds: half of their time is spent on compiling themselves.
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        if not ALL:
            nursery.use(patch)
            # Small folders: a second process takes more than it gives, and the other core has the other worker.
            patch.setattr("jiaokan.build.cores", lambda: 1)
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder with its own cache, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JIAOKAN_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from jiaokan.outputs import OutputSettings
    from jiaokan.outputs.html import make, make_site
    from tests.browsing import SAMPLE

    def sample(folder: Path) -> None:
        make(SAMPLE, folder / "sample", OutputSettings(description="校勘样章一则。"))
        make_site(folder, title="诸本")

    return once("site", tmp_path_factory, sample)


@pytest.fixture
def session(example: Path, tmp_path: Path) -> Session:
    """A desk open on a copy of it."""
    from jiaokan.desk.session import Session

    return Session(Path(shutil.copytree(example, tmp_path / "demo")))


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of this repository's edition and of the sample, its witnesses' TEI beside the edition."""
    from jiaokan.outputs import OutputSettings
    from jiaokan.outputs.html import make, make_site
    from tests.browsing import ROOT, SAMPLE

    def pages(folder: Path) -> None:
        witnesses = {path.stem: path.read_bytes() for path in sorted((ROOT / "tei" / "witnesses").glob("*.xml"))}
        edition = (ROOT / "tei" / "editions" / "yili.xml").read_bytes()
        make(edition, folder / "yili", OutputSettings(witnesses=witnesses, url="https://example.org/texts"))
        make(SAMPLE, folder / "published", OutputSettings(url="https://example.org/texts"))
        make_site(folder, title="诸本", latin={"公食大夫礼": "Gong si da fu li"})

    return once("whole", tmp_path_factory, pages)


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the first four paragraphs of what `jiaokan init` makes, without decisions, built; a test that
    changes it copies it."""
    from click.testing import CliRunner

    from jiaokan.cli import cli
    from jiaokan.desk.begin import copy_example

    def made(folder: Path) -> None:
        copy_example(folder)
        shutil.rmtree(folder / "tei")
        shutil.copytree(Path(__file__).parent / "cases/example/tei", folder / "tei")
        done = CliRunner().invoke(cli, ["build", str(folder), "--jobs", "2"])
        assert done.exit_code == 0, done.output

    folder = once("example", tmp_path_factory, made)
    trust(folder / "build")  # each worker has a cache of its own
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import Error, sync_playwright

    from tests.browsing import CHROMIUM, QUIET, REQUIRED

    assert CHROMIUM, "JIAOKAN_REQUIRE_BROWSER is set, but there is no Chromium"
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        except Error as error:
            if REQUIRED:
                raise
            pytest.skip(f"Chromium is installed, but does not start: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


def broken(request: Request) -> bool:
    """Whether a request failed by itself, not because the test went on to another page before it ended."""
    return request.failure != "net::ERR_ABORTED"


@pytest.fixture(scope="session")
def shared(site: Path, browser: Browser) -> Shared:
    from tests.browsing import Shared

    return Shared(browser, f"file://{site}/index.html")


@pytest.fixture
def visit(site: Path, shared: Shared) -> Iterator[Open]:
    """Open a page; at the end, nothing may have failed and nothing been asked of the network."""
    complaints: list[str] = []
    pages: list[Page] = []
    heard: dict[Literal["console", "pageerror", "requestfailed", "request"], Callable[[Any], object]] = {
        "console": lambda message: complaints.append(f"{message.type}: {message.text}"),
        "pageerror": lambda error: complaints.append(str(error)),
        "requestfailed": lambda request: broken(request) and complaints.append(f"failed: {request.url}"),
        "request": lambda request: request.url.startswith("file:") or complaints.append(request.url),
    }

    def open_page(
        name: str, *, width: int = 1280, height: int = 900, scripts: bool = True,
        scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        page = shared.page(scripts=scripts)
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        for event, hear in heard.items():
            page.on(event, hear)
        page.goto(name if name.startswith("file:") else f"file://{site}/{name}")
        return page

    yield open_page
    for page in pages:
        for event, hear in heard.items():
            page.remove_listener(event, hear)
        shared.put_back(page)
    assert complaints == []
