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
PAGES = {name: "".join(BLOCKS.findall(_page(name))) for name in ("tutorial.md", "howto.md")}
"""Pages whose blocks follow each other in one folder."""
USUAL = "A base text in three versions"
"""The task that `make test` runs; `make test-all` runs all of them."""


def test_every_task_has_its_commands() -> None:
    assert len(TASKS) == _page("tasks.md").count("```sh\n") == 5


@pytest.mark.parametrize(("title", "script"), [
    pytest.param(title, script, id=title, marks=() if title == USUAL else pytest.mark.thorough)
    for title, script in [*TASKS, *PAGES.items()]])
def test_task(title: str, script: str, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "jiaokan"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from jiaokan.cli import main; main()" "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "empty"
    home.mkdir()
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=home, capture_output=True, text=True, check=False,
        env={**os.environ, "PATH": path, "PYTHONPATH": SOURCES, **_repositories(tmp_path / "kanripo", script)})
    assert done.returncode == 0, f"{title}\n{done.stdout}\n{done.stderr}"
    for before in home.rglob("*.bak"):  # what `sed -i.bak` of a page changes must be there
        assert before.read_bytes() != before.with_suffix("").read_bytes(), f"{title}: nothing to change in {before}"
    (tmp_path / "said.txt").write_text(done.stdout + done.stderr, encoding="utf-8")


def _repositories(home: Path, script: str) -> dict[str, str]:
    """Make repositories of a few lines for those that a page clones; return what leads git to them."""
    for name in re.findall(r"git clone https://github.com/kanripo/(\w+)", script):
        (home / name).mkdir(parents=True)
        (home / name / f"{name}_001.txt").write_bytes((KANRIPO / f"{name}_001.txt").read_bytes())
        for command in ("init --quiet --initial-branch SBCK", "add .", "commit --quiet -m text"):
            git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *command.split()]
            subprocess.run(git, cwd=home / name, check=True)
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{home.as_uri()}/.insteadOf",
            "GIT_CONFIG_VALUE_0": "https://github.com/kanripo/"}
