"""The pages that lead through a task: the commands are run as they stand there, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
SOURCES = str(ROOT / "pipeline")
KANRIPO = ROOT / "tests/cases/kanripo"
BLOCKS = re.compile(r"^```sh\n(.*?)^```", re.M | re.S)


def _page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


TASKS = re.findall(r"^## (.+?)$.*?^```sh\n(.*?)^```", _page("tasks.md"), re.M | re.S)
PAGES = {name: _page(name) for name in (
    "tutorial.md", "zh/tutorial.md", "howto.md", "example.md", "zh/example.md")}
"""Pages whose steps follow each other in one folder."""
STEP = re.compile(
    r"^```sh\n(?P<commands>.*?)^```|^```toml\n# (?P<file>\w+/tei/\S+)\n(?P<table>.*?)^```"
    r"|(?:In|打开) `(?P<path>[^`]+)`(?:, change|，把) `(?P<old>[^`]+)` (?:to|改为) `(?P<new>[^`]+)`", re.M | re.S)
"""What a reader does: paste commands, put a table into a file (for the one with its head, else at the end), change a
line."""
USUAL = "A base text in three versions"
"""The task that `make test` runs; `make test-all` runs all of them."""


def test_every_task_has_its_commands() -> None:
    assert len(TASKS) == _page("tasks.md").count("```sh\n") == 5


def test_the_tutorial_needs_no_shell_to_change_a_file() -> None:
    for name in ("tutorial.md", "zh/tutorial.md"):
        assert [kind for kind in ("<<", "sed ", ">>") if kind in "".join(BLOCKS.findall(PAGES[name]))] == []
        steps = [match.lastgroup for match in STEP.finditer(PAGES[name])]
        assert steps.count("table") == 2 and steps.count("new") == 1


@pytest.mark.parametrize(("title", "page"), [
    pytest.param(title, page, id=title, marks=() if title == USUAL else pytest.mark.thorough)
    for title, page in [*((title, f"```sh\n{script}```\n") for title, script in TASKS), *PAGES.items()]])
def test_task(title: str, page: str, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "jiaokan"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from jiaokan.cli import main; main()" "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "empty"
    home.mkdir()
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": SOURCES, **_repositories(tmp_path / "kanripo", page)}
    for step in STEP.finditer(page):
        if step["commands"]:
            done = subprocess.run(["bash", "-e", "-c", step["commands"]], cwd=home, capture_output=True, text=True,
                                  check=False, env=environment)
            assert done.returncode == 0, f"{title}\n{done.stdout}\n{done.stderr}"
        elif step["table"]:
            _put_table(home / step["file"], step["table"])
        else:
            changed = home / step["path"]
            text = changed.read_text(encoding="utf-8")
            assert text.count(step["old"]) == 1, f"{title}: {step['old']} in {changed}"
            changed.write_text(text.replace(step["old"], step["new"]), encoding="utf-8")
    if "tutorial" in title:
        assert {path.stem for path in home.glob("two/build/pdf/*.pdf")} == {
            "lunyu", "lunyu-traditional", "lunyu-vertical"}


def _put_table(path: Path, table: str) -> None:
    """Replace the table of a file that has the same head, or add it at the end."""
    path.parent.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    head = table.partition("\n")[0]
    before, found, after = text.partition(f"{head}\n")
    if not found:
        path.write_text(f"{text}{table}", encoding="utf-8")
        return
    path.write_text(f"{before}{table}\n{after[after.index(chr(10) + '['):]}", encoding="utf-8")


def _repositories(home: Path, page: str) -> dict[str, str]:
    """Make repositories of a few lines for those that a page clones; return what leads git to them."""
    for name in re.findall(r"git clone https://github.com/kanripo/(\w+)", page):
        (home / name).mkdir(parents=True)
        (home / name / f"{name}_001.txt").write_bytes((KANRIPO / f"{name}_001.txt").read_bytes())
        for command in ("init --quiet --initial-branch SBCK", "add .", "commit --quiet -m text"):
            git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *command.split()]
            subprocess.run(git, cwd=home / name, check=True)
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{home.as_uri()}/.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://github.com/kanripo/"}
