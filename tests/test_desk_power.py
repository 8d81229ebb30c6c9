"""What a desk leaves alone and whom it does not serve: folders beside a new edition, uploads, silent connections."""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from jiaokan.desk.guard import HEADER, LOOPBACK, Guard
from jiaokan.desk.listen import HEAD, server_of
from jiaokan.desk.start import Start
from jiaokan.desk.uploads import Uploads
from jiaokan.errors import JiaokanError
from jiaokan.system.atomic import new_folder, recover
from jiaokan.system.store import cache_folder
from tests.asgi import request

TEXT = """學而第一

子曰學而時習之不亦說乎〈馬曰時者學者以時誦習之〉有朋自遠方來不亦樂乎〈包曰同門曰朋〉人不知而不慍不亦君子乎
"""


class FirstPage:
    """The first page of a desk in a folder, and requests that it sends."""

    def __init__(self, start: Start, port: int) -> None:
        self.start, self.port = start, port

    def send(self, name: str, body: bytes, kind: str = "application/json") -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"content-type": kind, HEADER: self.start.app.secret,
                   "cookie": f"jiaokan-desk-{self.port}={self.start.token}"}
        connection.request("POST", f"/.desk/api/{name}", body, headers)
        answer = connection.getresponse()
        told = answer.status, answer.read().decode()
        connection.close()
        return told

    def make(self, name: str) -> tuple[int, str]:
        """Drop a text, look at it and make an edition of this name."""
        assert self.send("receive?name=jia.txt&first=1", TEXT.encode(), "application/octet-stream")[0] == 200
        assert self.send("look", b"{}")[0] == 200
        return self.send("make", json.dumps({"name": name}).encode())


@contextmanager
def first_page(home: Path) -> Iterator[FirstPage]:
    start, taken = Start(home, hosts=LOOPBACK, token="word"), socket.create_server(("127.0.0.1", 0))
    server = server_of(start, patience=1)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    try:
        yield FirstPage(start, taken.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        taken.close()
        start.close()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[FirstPage]:
    (tmp_path / "home").mkdir()
    with first_page(tmp_path / "home") as made:
        yield made


def tree(home: Path) -> dict[str, bytes]:
    """The files with their content, links with their targets, and folders."""
    found = {}
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        found[name] = bytes(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
    return found


@pytest.mark.parametrize("name", ["git", "config", "lunyu", "jiaokan-x", "broken", "file", "empty"])
def test_what_lies_beside_a_new_edition_stays(page: FirstPage, name: str) -> None:
    home = page.start.home
    for hidden in (".git/schema", ".config", ".lunyu.part", ".jiaokan-x", ".jiaokan-x.part", "empty"):
        (home / hidden).mkdir(parents=True)
        if hidden != "empty":
            (home / hidden / "precious.txt").write_text("my work")
    (home / "broken").symlink_to(home / "nowhere")
    (home / "file").write_text("mine")
    before = tree(home)
    status, said = page.make(name)
    after = tree(home)
    assert {key: after.get(key) for key in before} == before
    assert all(each == "lunyu" or each.startswith("lunyu/") for each in after.keys() - before.keys())
    assert (status == 200) == (name == "lunyu"), said
    assert name != "lunyu" or ((home / "lunyu/schema").is_dir() and page.start.desk)


@pytest.mark.parametrize("name", ["../up", ".git", "a/b", "a.", "", "nul"])
def test_only_a_plain_name_is_made(page: FirstPage, name: str) -> None:
    assert page.make(name)[0] in (400, 422)
    assert tree(page.start.home.parent) == {"home": b""}


def test_a_failure_removes_only_what_it_made(page: FirstPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path, _files: object) -> list[str]:
        (folder / "tei").mkdir()
        raise JiaokanError("no")

    monkeypatch.setattr("jiaokan.desk.start.create", fail)
    (page.start.home / ".lun").mkdir()
    assert page.make("lunyu")[0] == 422
    assert tree(page.start.home) == {".lun": b""}


def test_a_folder_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(JiaokanError, match="of this name"), new_folder(tmp_path / "new") as part:
        (part / "ours").touch()
        (tmp_path / "new").mkdir()  # empty: a rename would replace it
    assert tree(tmp_path) == {"new": b""}


def test_two_that_begin_at_once_make_one_each(tmp_path: Path) -> None:
    with new_folder(tmp_path / "one") as first:
        with pytest.raises(ZeroDivisionError), new_folder(tmp_path / "one") as second:
            assert first != second
            raise ZeroDivisionError
        (first / "ours").write_text("first")
    assert tree(tmp_path) == {"one": b"", "one/ours": b"first"}


def test_a_build_removes_only_temporary_names_of_its_own(tmp_path: Path) -> None:
    for name in (".html.draft.part", ".html.new-notes.part", ".html.new-abc123-77.part", ".html.old-abc123-x.part"):
        (tmp_path / name).mkdir()
    recover(tmp_path / "html")
    assert set(tree(tmp_path)) == {".html.draft.part", ".html.new-notes.part", ".html.old-abc123-x.part"}


def test_uploads_of_a_killed_desk_are_removed_at_the_next_start() -> None:
    program = ("import os; from jiaokan.desk.uploads import Uploads; u = Uploads(); (u.folder / 'a.txt').touch();"
               "print(u.folder, flush=True); os.kill(os.getpid(), 9)")
    killed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=os.environ)
    left = Path(killed.stdout.strip())
    assert killed.returncode and (left / "a.txt").exists()
    running = Uploads()
    (running.folder / "b.txt").touch()
    assert not left.exists() and not left.with_name(f"{left.name}.lock").exists()
    Uploads().close()
    assert (running.folder / "b.txt").exists()  # a desk that runs keeps its files
    running.close()
    assert not [path for path in cache_folder("uploads").iterdir() if path.name != ".lock"]


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: "])
def test_a_connection_without_a_request_is_closed(
    page: FirstPage, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert HEAD <= 10
    monkeypatch.setattr("jiaokan.desk.listen.HEAD", 0.3)
    with socket.create_connection(("127.0.0.1", page.port), timeout=5) as silent:
        silent.sendall(sent)
        start = time.monotonic()
        silent.settimeout(5)
        assert silent.recv(10) == b"" and time.monotonic() - start < 5


def test_a_request_without_the_token_ends_its_connection(page: FirstPage) -> None:
    with socket.create_connection(("127.0.0.1", page.port), timeout=5) as other:
        other.sendall(f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\nContent-Length: 99999\r\n\r\n".encode())
        said = b"".join(iter(lambda: other.recv(4096), b""))
    assert re.match(rb"HTTP/1.1 403 .*connection: close", said, re.S | re.I)


@pytest.mark.parametrize(("sizes", "status"), [
    ([("content-length", "2")], 200), ([("content-length", "2"), ("transfer-encoding", "chunked")], 413),
    ([("transfer-encoding", "chunked")], 413), ([("content-length", "99999999")], 413), ([], 413),
])
def test_a_body_has_a_size_that_is_said_before(sizes: list[tuple[str, str]], status: int) -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("taken")(scope, receive, send)

    given = [("host", "127.0.0.1:9"), (HEADER, "secret"), ("content-type", "application/json"), *sizes]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "scheme": "http",
             "headers": [(name.lower().encode(), value.encode()) for name, value in given]}
    sent = request(Guard(app, hosts=["127.0.0.1"], secret="secret"), scope, b"{}")
    assert sent[0]["status"] == status
