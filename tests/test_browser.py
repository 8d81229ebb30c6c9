"""The page that collates in a browser (`docs/browser`): the program's own modules, with stand-ins for four packages.

What the page packs is run here by this Python, which has the true packages to compare with. In Chromium, on Pyodide, it
is run where `make docs` has built the page.
"""

from __future__ import annotations

import base64
import functools
import http.server
import importlib.util
import json
import random
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from types import ModuleType

import opencc
import pytest
import regex
from playwright.sync_api import Browser

from docs.browser.make import pack
from jiaokan.api import collate_texts
from jiaokan.model import encoding, words
from tests.browsing import ROOT, Page, expect, needs_browser, violations

SITE = ROOT / "build" / "docs" / "try"
FORMS = ("csv", "jiaokanji", "apparatus", "table", "nexus")
CASES: dict[str, tuple[tuple[str, bytes], ...]] = {
    "forms and loans": (("甲", "學而時習之，不亦說乎。後生可畏。".encode()),
                        ("乙", "学而时习之，不亦悦乎。后生可畏也。".encode())),
    "an exchange in three": tuple(zip("甲乙丙", map(str.encode, (
        "道可道，非常道。名可名，非常名。無名天地之始，有名萬物之母。",
        "道可道，非恒道也。名可名，非恒名也。無名萬物之始，有名萬物之母也。",
        "名可名，非常名。道可道，非常道。無，名天地之始；有，名萬物之母。")), strict=True)),
    "Big5": (("甲", "吾日三省吾身\n為人謀而不忠乎".encode("big5")),
             ("乙", "吾日三省乎吾身\n為人謀而不忠乎".encode("big5"))),
    "Latin": (("Vat. 12", b"Est interdum praestare mercaturis rem quaerere, nisi tam periculosum sit"),
              ("Par.", b"Est autem interdum praestare rem mercaturis querere nisi tam periculosum sit")),
    "Greek with elision": (("A", "Μῆνιν ἄειδε, θεά, ἣ μυρί’ Ἀχαιοῖς ἄλγε’ ἔθηκεν".encode()),
                           ("B", "μῆνιν ἄειδε θεὰ ἣ μύρια Ἀχαιοῖς ἄλγε' ἔθηκε".encode())),
    "Hebrew, French, digits": (("A", "הוא אמר ״ע״ב״ l’arte 3,14 aujourd’hui".encode()),
                               ("B", "הוא אמר ע״ב l'art 3,15 aujourdhui".encode())),
    "XML": (("A", b"<p>a</p>"), ("B", b"a b")),
    "one text": (("A", b"a b"),),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the page unpacks, but for msgspec, which this Python has."""
    folder = tmp_path_factory.mktemp("program")
    pack(folder / "program.zip")
    with zipfile.ZipFile(folder / "program.zip") as archive:
        archive.extractall(folder)
    return folder


RUN = """
import base64, json, sys
sys.path.insert(0, sys.argv[1])
import browser
cases, forms = json.load(sys.stdin)
decoded = [[(name, base64.b64decode(data)) for name, data in case] for case in cases]
answers = [{form: browser.collate(case, form, "en") for form in forms} for case in decoded]
ours = [module.__file__ for name, module in sys.modules.items()
        if name.split(".")[0] in ("jiaokan", "regex", "opencc", "rapidfuzz", "yitizi")]
json.dump([answers, ours], sys.stdout)
"""


@pytest.mark.starts
def test_the_packed_program_gives_the_entries_of_the_command(program: Path) -> None:
    cases = [[(name, base64.b64encode(data).decode()) for name, data in case] for case in CASES.values()]
    done = subprocess.run([sys.executable, "-P", "-c", RUN, program], input=json.dumps([cases, FORMS]), text=True,
                          capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    answers, modules = json.loads(done.stdout)
    assert [file for file in modules if not Path(file).is_relative_to(program)] == []
    for (name, case), answer in zip(CASES.items(), answers, strict=True):
        if name in ("XML", "one text"):
            assert all("→" in answer[form]["error"] for form in FORMS), answer
            continue
        edition = collate_texts(named_files(case))
        assert {form: answer[form]["text"] for form in FORMS} == {form: edition.apparatus(form) for form in FORMS}, name
        assert len(answer["csv"]["rows"]) > 1


def named_files(case: tuple[tuple[str, bytes], ...]) -> list[BytesIO | Path]:
    files: list[BytesIO | Path] = []
    for name, data in case:
        stream = BytesIO(data)
        stream.name = f"{name}.txt"
        files.append(stream)
    return files


def stand_in(program: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"stand_in_{name}", program / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_patterns_match_as_those_of_the_true_package(program: Path) -> None:
    ours = stand_in(program, "regex")
    everything = "".join(map(chr, range(0x110000)))
    for pattern in (words._LETTER, words._GRAPHS, words._ELIDED, encoding._ENCODED, encoding._UNSEEN):
        assert ([match.span() for match in pattern.finditer(everything)]
                == [match.span() for match in ours.compile(pattern.pattern).finditer(everything)]), pattern.pattern
    chance, cluster, boundary = random.Random(7), ours.compile(r"\X"), ours.compile(r"(?w)\b")
    for _ in range(2000):
        text = "".join(chance.choices(WRITTEN, k=6)) + "".join(chance.choices(" ,.\n–(”", k=2)) + chance.choice(WRITTEN)
        assert [match[0] for match in cluster.finditer(text)] == regex.findall(r"\X", text)
        text = "".join(word + chance.choice((" ", ", ", "\n", "–", "(", ". ")) for word in chance.choices(WORDS, k=6))
        assert ([*boundary.splititer(text)]
                == [word for word in regex.compile(r"(?w)\b").splititer(text) if word]), text


WORDS = ("l’arte", "don't", "3,14", "a_b", "שלום", "ע״ב", "μῆνιν", "学而", "ガード", "한국", "e\u0301tude",
         "2b", "μυρί’", "x.y", "co\u00adop", "α\u0323\u0301β", "क्षत्रिय", "ไทย")
"""Words of several scripts. Releases of the package differ on signs before a word (’a) and on flags."""
WRITTEN = (*WORDS, "🇫🇷", "👩\u200d🔬", "ᄒ\u1161\u11ab", "\r\n", "\u0600a")


@pytest.mark.parametrize("pattern", [r"[\p{Lu}a]", r"[\q]", "["])
def test_a_pattern_without_tables_is_refused(pattern: str, program: Path) -> None:
    ours = stand_in(program, "regex")
    with pytest.raises((ours.error, IndexError)):
        ours.compile(pattern)


@pytest.mark.parametrize("name", ["s2t", "t2s"])
def test_forms_are_those_of_opencc(name: str, program: Path) -> None:
    ours, true = stand_in(program, "opencc").OpenCC(name), opencc.OpenCC(name)
    chance = random.Random(7)
    lists = [*(program / "opencc_tables").glob("*.txt")]
    known = [line.split("\t")[0] for path in lists for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [*known[::7], *("".join(chance.choices(known, k=4)) for _ in range(2000)), "abc 𠀀\n乾坤乾隆"]
    assert [ours.convert(text) for text in texts] == [true.convert(text) for text in texts]


@pytest.fixture
def address() -> Iterator[str]:
    """Serve the built page, as any server of files does."""
    if not (SITE / "en.html").exists():
        pytest.skip("`make docs` has not built the page")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/en.html"
    server.shutdown()
    server.server_close()


@needs_browser
@pytest.mark.long
def test_the_page_collates_in_chromium_also_without_a_network(address: str, browser: Browser) -> None:
    page = browser.new_context().new_page()
    assert sum(path.stat().st_size for path in SITE.iterdir()) <= 12_000_000
    page.goto(address)
    ready = page.locator("#collate:not([disabled])")
    ready.wait_for(timeout=180_000)
    for name in ("forms and loans", "Big5", "Latin"):
        case = CASES[name]
        drop(page, case)
        page.locator("#collate").click()
        ready.wait_for(timeout=60_000)
        edition = collate_texts(named_files(case))
        rows = edition.apparatus("csv").splitlines()
        assert page.locator("#result tr").count() == len(rows), (name, page.locator("#status").inner_text())
        page.locator("[name=form]").select_option("jiaokanji")
        page.locator("#collate").click()
        ready.wait_for(timeout=60_000)
        assert page.locator("#result").inner_text().split() == edition.apparatus("jiaokanji").split()
        page.locator("[name=form]").select_option("csv")
    assert violations(page) == []
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.context.set_offline(True)
    page.goto(address.replace("en.html", "zh.html"))
    ready.wait_for(timeout=180_000)
    page.locator("#example").click()
    page.locator("#collate").click()
    page.locator("#result td", has_text="悅").wait_for(timeout=60_000)
    page.context.close()


def drop(page: Page, case: tuple[tuple[str, bytes], ...]) -> None:
    page.evaluate("""(files) => {
        const carried = new DataTransfer();
        for (const [name, bytes] of files) carried.items.add(new File([new Uint8Array(bytes)], `${name}.txt`));
        const box = document.querySelector("fieldset");
        box.dispatchEvent(new DragEvent("drop", {dataTransfer: carried, cancelable: true}));
    }""", [[name, list(data)] for name, data in case])
    expect(page.locator("[name=siglum]").nth(len(case) - 1)).to_have_value(case[-1][0])
