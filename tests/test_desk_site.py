"""What a desk serves of a folder that came with a website: only files that a build of this user recorded."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jiaokan.build import build
from jiaokan.build.cache import Cache
from jiaokan.desk import session
from jiaokan.desk.server import Desk
from jiaokan.desk.session import LATER
from jiaokan.desk.site import OutdatedSite, TrustedSite, integrity
from jiaokan.errors import JiaokanError
from jiaokan.system.atomic import MARK, RECORDS
from jiaokan.system.store import file_digest
from tests.asgi import request

PAGE, SCRIPT = "lunyu/1.html", "assets/words.js"
EVIL = "fetch('/.desk/api/decide');\n"


@pytest.fixture
def folder(example: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(example, tmp_path / "demo"))


@pytest.fixture
def stranger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This user's cache knows nothing."""
    monkeypatch.setenv("JIAOKAN_CACHE", str(tmp_path / "cache-of-another-user"))


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk does not build."""
    monkeypatch.setattr(Desk, "make", lambda *_: None)


def get(desk: Desk, path: str) -> tuple[int, str, str]:
    """Ask a desk for a path; return status, text and policy of its answer."""
    scope = {"type": "http", "method": "GET", "scheme": "http", "path": f"/{path}", "raw_path": f"/{path}".encode(),
             "query_string": b"", "root_path": "", "headers": [(b"host", b"127.0.0.1")], "server": ("127.0.0.1", 80)}
    sent = request(desk.app, scope)
    body = b"".join(each.get("body", b"") for each in sent[1:])
    return sent[0]["status"], body.decode(), dict(sent[0]["headers"])[b"content-security-policy"].decode()


@pytest.fixture
def ask() -> Iterator[Callable[[Path, str], tuple[int, str, str]]]:
    """Open the desk of a folder; return status, text and policy of an answer."""
    desks: list[Desk] = []

    def answer(folder: Path, path: str) -> tuple[int, str, str]:
        desks.append(Desk(folder))
        return get(desks[-1], path)

    yield answer
    for desk in desks:
        desk.close()


def forge(path: Path) -> None:
    """Replace a file, as a program does that unpacks an archive."""
    data = path.read_text(encoding="utf-8")
    path.unlink()
    path.write_text(EVIL + data, encoding="utf-8")


@pytest.mark.usefixtures("still")
def test_the_site_of_this_user_is_served_at_once_in_a_moved_folder_too(
    folder: Path, ask: Callable[[Path, str], tuple[int, str, str]]
) -> None:
    moved = folder.rename(folder.with_name("moved"))
    status, page, policy = ask(moved, PAGE)
    assert status == 200 and "data-secret=" in page
    scripts = re.findall(r'<script src="([^"]+)"( integrity="([^"]+)")?', page)
    assert len(scripts) > 5 and all(digest for _, _, digest in scripts)
    allowed = set(re.findall(r"'(sha256-[^']+)'", policy))
    assert allowed == {digest for _, _, digest in scripts} and "script-src 'self'" not in policy
    assert integrity(file_digest(moved / "build/html" / SCRIPT)) in allowed
    assert ask(moved, SCRIPT)[0] == 200 and ask(moved, "none.html")[0] == 404
    assert ask(moved, MARK)[0] == 404


@pytest.mark.usefixtures("still", "stranger")
@pytest.mark.parametrize("path", ["", PAGE, "search.html", SCRIPT, "none.html"])
def test_the_site_of_somebody_else_is_not_served(
    folder: Path, ask: Callable[[Path, str], tuple[int, str, str]], path: str
) -> None:
    status, page, _ = ask(folder, path)
    assert "data-secret=" not in page
    assert status == 503 if path == SCRIPT else "The pages are being made" in page


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("change", [
    lambda site: forge(site / SCRIPT),
    lambda site: (site / "assets" / "more.js").write_text(EVIL),
    lambda site: forge(site / PAGE),
    lambda site: (site / "search.html").unlink(),
    lambda site: (site.parent / RECORDS).write_bytes((site.parent / RECORDS).read_bytes() + b" "),
    lambda site: (site.parent / RECORDS).unlink(),
])
def test_a_changed_site_is_not_served(
    folder: Path, ask: Callable[[Path, str], tuple[int, str, str]], change: Callable[[Path], object]
) -> None:
    change(folder / "build/html")
    assert ask(folder, SCRIPT)[0] == 503
    assert "data-secret=" not in ask(folder, PAGE)[1]


def test_a_file_that_is_changed_while_the_desk_is_open_is_not_served(folder: Path) -> None:
    site = TrustedSite(folder / "build/html")
    assert site.read(SCRIPT) and site.read("assets/none.js") is None
    forge(folder / "build/html" / SCRIPT)
    with pytest.raises(OutdatedSite):
        site.read(SCRIPT)
    assert site.read(PAGE)
    build(folder, without=LATER)
    assert EVIL.encode() not in (site.read(SCRIPT) or b"")


@pytest.mark.usefixtures("stranger")
def test_an_open_desk_makes_the_site_of_somebody_else_anew(folder: Path) -> None:
    forge(folder / "build/html" / SCRIPT)
    forge(folder / "build/.cache/html/lunyu/1.html")
    for file in (folder / "build/pdf").iterdir():
        file.write_bytes(b"%PDF-1.7 of somebody else")
    desk = Desk(folder)
    for _ in range(600):
        status, page, _ = get(desk, PAGE)
        if "data-secret=" in page:
            break
        time.sleep(0.1)
    _, script, _ = get(desk, SCRIPT)
    desk.close()
    assert status == 200 and "data-secret=" in page, page
    assert EVIL not in page + script
    assert not [*(folder / "build/html/files").glob("*.pdf")] and ".pdf" not in page


@pytest.mark.usefixtures("stranger")
def test_a_site_that_a_build_cannot_replace_is_not_served_and_the_reason_is_shown(folder: Path) -> None:
    (folder / "build/html/notes.txt").write_text("x")
    desk = Desk(folder)
    desk.making.submit(lambda: None).result()
    desk.thread.submit(lambda: None).result()
    status, page, _ = get(desk, PAGE)
    desk.close()
    assert status == 200 and "jiaokan did not make" in page and "data-secret=" not in page
    assert (folder / "build/html/notes.txt").exists()


def test_records_of_a_killed_build_count(folder: Path, tmp_path: Path) -> None:
    """A hash is stored before its records; a second folder with the same records is known too."""
    assert Cache(folder / "build").records
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    assert Cache(copy / "build").records.keys() == Cache(folder / "build").records.keys()


def test_a_cache_that_cannot_be_written_is_said(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the desk would build for ever: it serves only what the cache knows."""
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("JIAOKAN_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(JiaokanError, match="set JIAOKAN_CACHE"):
        Desk(folder)
    monkeypatch.setattr(session, "build", lambda *_, **__: None)
    assert "cache folder cannot be written" in session.build_stale(folder)


@pytest.mark.parametrize(("fault", "words"), [
    (PermissionError(13, "x", "/out"), "/out"), (MemoryError(), "memory"), (ValueError("x"), "ValueError")])
def test_the_page_does_not_wait_for_a_build_that_failed(
    fault: Exception, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(session, "build", fail)
    assert words in session.build_stale(tmp_path)
