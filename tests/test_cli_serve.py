"""`jiaokan serve`: the site at 127.0.0.1, made again when the editor changes something."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.cli import cli
from pipeline.system import preview

CODE = "from pipeline.cli import main; main()"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("serve") / "demo"
    assert CliRunner().invoke(cli, ["init", str(target)]).exit_code == 0
    return target


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    command = [sys.executable, "-u", "-c", CODE, "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = ""
        while not address:
            line = process.stdout.readline()
            assert line, "the server ended"
            found = re.match(r"http://127\.0\.0\.1:\d+/", line)
            address = found[0] if found else ""
        yield address, process
        process.terminate()


def get(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        return str(answer.read().decode())


def test_pages_are_served_and_ask_for_news(server: tuple[str, object]) -> None:
    address, _ = server
    page = get(address)
    assert '<script src="/.ask.js" defer></script></head>' in page
    assert "self.made = 1;" in get(f"{address}.made.js")
    assert "location.reload" in get(f"{address}.ask.js")
    assert "@font-face" in get(f"{address}assets/font.css")


def test_nothing_outside_is_served(server: tuple[str, object]) -> None:
    address, _ = server
    for path in ("../../tei/catalog.toml", "%2e%2e/%2e%2e/tei/catalog.toml", "nothing.html"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(address + path)


def test_a_change_is_made_and_seen(server: tuple[str, subprocess.Popen[str]], folder: Path) -> None:
    address, process = server
    catalog = folder / "tei" / "catalog.toml"
    text = catalog.read_text(encoding="utf-8")
    title = re.search(r'^title = "(.*)"', text, re.M)
    assert title and process.stdout
    catalog.write_text(text.replace(title[0], 'title = "新题"', 1), encoding="utf-8")
    assert process.stdout.readline().startswith("rebuilt: ")
    assert "新题" in get(address)
    catalog.write_text("[[", encoding="utf-8")
    catalog.write_text(text, encoding="utf-8")
    assert process.stdout.readline().startswith("rebuilt: ")


def test_another_name_is_refused(server: tuple[str, object]) -> None:
    request = urllib.request.Request(server[0], headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_another_name_is_refused_by_every_method(server: tuple[str, object], method: str) -> None:
    request = urllib.request.Request(server[0], headers={"Host": "evil.example"}, method=method)
    with pytest.raises(urllib.error.HTTPError, match=r"403|501"):
        urllib.request.urlopen(request)


def test_links_out_of_the_site_and_folders_are_not_followed(server: tuple[str, object], folder: Path) -> None:
    site = folder / "build" / "html"
    (site / "out.txt").symlink_to(folder / "tei" / "catalog.toml")
    (site / "out.html").symlink_to(folder / "README.md")
    (site / "away").symlink_to(folder / "tei")
    try:
        for path in ("out.txt", "out.html", "away/catalog.toml", "assets/", "a%00b", "x" * 5000):
            for method in ("GET", "HEAD"):
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    urllib.request.urlopen(urllib.request.Request(server[0] + path, method=method))
    finally:
        for name in ("out.txt", "out.html", "away"):
            (site / name).unlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes in folders")
def test_a_page_of_a_folder_that_is_a_link_a_pipe_or_a_name_too_long_is_not_there(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for folder in ("linked", "other"):
        (site / folder).mkdir(parents=True)
    (tmp_path / "secret.html").write_text("<head></head>", encoding="utf-8")
    (site / "linked/index.html").symlink_to(tmp_path / "secret.html")
    (site / "other/index.htm").symlink_to(tmp_path / "secret.html")
    os.mkfifo(site / "pipe.css")
    shown = preview.Preview(site, 0)
    threading.Thread(target=shown.server.serve_forever, daemon=True).start()
    try:
        for path in ("linked/", "other/", "pipe.css", "x" * 300 + ".html", "a/" * 3000):
            for method in ("GET", "HEAD"):
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    urllib.request.urlopen(urllib.request.Request(shown.address + path, method=method), timeout=9)
    finally:
        shown.close()


def test_clients_that_dawdle_or_break_off_leave_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("<head></head>", encoding="utf-8")
    monkeypatch.setattr(preview, "_PATIENCE", 0.2)
    monkeypatch.setattr(preview, "_AT_ONCE", 8)
    monkeypatch.setattr(preview._Handler, "timeout", 0.2)
    shown = preview.Preview(tmp_path, 0)
    threading.Thread(target=shown.server.serve_forever, daemon=True).start()
    slow = [socket.create_connection(("127.0.0.1", shown.server.server_port)) for _ in range(2 * preview._AT_ONCE)]
    try:
        slow[0].sendall(b"GET / HTTP/1.1\r\nHost: 127")
        slow[1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        slow[1].close()
        assert "<script" in get(shown.address)
        assert threading.active_count() < 2 * preview._AT_ONCE
    finally:
        for each in slow:
            each.close()
        shown.close()
    assert "Traceback" not in capfd.readouterr().err


def test_a_client_that_drips_is_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, the request never ends."""
    monkeypatch.setattr(preview, "_PATIENCE", 0.5)
    shown = preview.Preview(tmp_path, 0)
    threading.Thread(target=shown.server.serve_forever, daemon=True).start()
    try:
        slow = socket.create_connection(("127.0.0.1", shown.server.server_port))
        with slow, pytest.raises((BrokenPipeError, ConnectionResetError)):
            for _ in range(200):
                slow.sendall(b"G")
                time.sleep(0.05)
    finally:
        shown.close()


def test_port_in_use_is_said(server: tuple[str, object], folder: Path) -> None:
    port = re.findall(r"\d+", server[0])[-1]
    result = CliRunner().invoke(cli, ["serve", str(folder), "--port", port])
    assert result.exit_code == 2
    assert f"port {port} cannot be used" in result.output
