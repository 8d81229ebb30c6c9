"""`jiaokan serve`: the site at 127.0.0.1, made again when the editor changes something."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.cli import cli

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
    assert process.stdout.readline().startswith("made ")
    assert "新题" in get(address)
    catalog.write_text("[[", encoding="utf-8")
    catalog.write_text(text, encoding="utf-8")
    assert process.stdout.readline().startswith("made ")


def test_another_name_is_refused(server: tuple[str, object]) -> None:
    request = urllib.request.Request(server[0], headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)


def test_port_in_use_is_said(server: tuple[str, object], folder: Path) -> None:
    port = re.findall(r"\d+", server[0])[-1]
    result = CliRunner().invoke(cli, ["serve", str(folder), "--port", port])
    assert result.exit_code == 2
    assert f"port {port} cannot be used" in result.output
