"""Make the one-folder program: `python .ci/app.py PYTHON WHEEL OUT.zip`, on the system that it is for.

PYTHON is the folder of a Python that can be moved (python-build-standalone: `uv python install`). The zip has it with
the wheel and its packages, and a file to be double-clicked, which opens the desk in the folder Documents/Jiaokan.
"""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

HASHES = Path(__file__).with_name("requirements-edition.txt")
WINDOWS = """@echo off\r
chcp 65001 >nul\r
if not exist "%USERPROFILE%\\Documents\\Jiaokan" mkdir "%USERPROFILE%\\Documents\\Jiaokan"\r
"%~dp0python\\python.exe" -P -X utf8 -m jiaokan.cli desk "%USERPROFILE%\\Documents\\Jiaokan" --port 0\r
if errorlevel 1 pause\r
"""
OTHERS = """#!/bin/sh
mkdir -p "$HOME/Documents/Jiaokan"
exec "$(dirname "$0")/python/bin/python3" -P -X utf8 -m jiaokan.cli desk "$HOME/Documents/Jiaokan" --port 0 "$@"
"""
README = """校勘 Jiaokan

双击“Jiaokan.cmd”（Windows）或“Jiaokan.command”（macOS、Linux）：浏览器中打开编辑台，文件在“文档/Jiaokan”。关闭终端窗口即停止。
Double-click "Jiaokan.cmd" (Windows) or "Jiaokan.command" (macOS, Linux): the desk opens in the browser; files are in
Documents/Jiaokan. Close the terminal window to stop it.
"""


def main(python: Path, wheel: Path, out: Path) -> None:
    """Make the folder, and the zip of it."""
    home = out.with_suffix("") / "Jiaokan"
    shutil.rmtree(home.parent, ignore_errors=True)
    left = shutil.ignore_patterns("__pycache__", "test", "tests")
    shutil.copytree(python, home / "python", symlinks=True, ignore=left)
    windows = (home / "python" / "python.exe").exists()
    own = home / "python" / ("python.exe" if windows else "bin/python3")
    for wanted in (("--only-binary", ":all:", "--require-hashes", "--requirement", HASHES), ("--no-deps", wheel)):
        options = ("--quiet", "--no-warn-script-location", "--break-system-packages")
        subprocess.run([*map(str, (own, "-m", "pip", "install", *options, *wanted))], check=True)
    start = home / ("Jiaokan.cmd" if windows else "Jiaokan.command")
    start.write_bytes((WINDOWS if windows else OTHERS).encode())
    start.chmod(start.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    (home / "README.txt").write_text(README, encoding="utf-8")
    shutil.make_archive(str(out.with_suffix("")), "zip", home.parent, "Jiaokan")
    print(f"{out}: {out.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
