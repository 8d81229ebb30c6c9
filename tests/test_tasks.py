"""The pages of tasks: each is run in an empty folder, as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/tasks.md").read_text(encoding="utf-8")
TASKS = re.findall(r"^## (.+?)$.*?^```sh\n(.*?)^```", PAGE, re.M | re.S)


def test_every_task_has_its_commands() -> None:
    assert len(TASKS) == PAGE.count("```sh\n") == 4


@pytest.mark.parametrize(("title", "script"), TASKS, ids=[title for title, _ in TASKS])
def test_task(title: str, script: str, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "jiaokan"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "from pipeline.cli import main; main()" "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "empty"
    home.mkdir()
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-e", "-c", script], cwd=home, capture_output=True, text=True,
                          env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 0, f"{title}\n{done.stdout}\n{done.stderr}"
    (tmp_path / "said.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
