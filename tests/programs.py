"""Programs that some tests need: a test with the mark `needs("NAME", …)` is skipped with what is missing."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

_QUESTIONS = {"epubcheck": ("--version",), "jing": (), "pdftotext": ("-v",), "sha256sum": ("--version",)}
"""What makes a program show that it runs, without work. Others are asked for `--version`."""
_ANSWERS = {"jing": b"usage:", "epubcheck": b"EPUBCheck"}
"""What a program prints that runs, where its return code is not 0."""


@cache
def missing(name: str) -> str:
    """Return why a program cannot be used here; "" if it can. One that is found may be there by half: a wrapper without
    its Java, a stub that says how to install it."""
    if name == "pandoc":
        return _missing_pandoc()
    path = shutil.which(name)
    if not path:
        return f"{name} is not installed"
    try:
        done = subprocess.run([*_starter(path), *_QUESTIONS.get(name, ("--version",))], capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{name} is installed, but does not start: {error}"
    if done.returncode == 0 or (name in _ANSWERS and _ANSWERS[name] in done.stdout + done.stderr):
        return ""
    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return f"{name} is installed, but does not run: {(said or [f'code {done.returncode}'])[-1]}"


def command(name: str) -> list[str]:
    """Return what starts a program that is not missing."""
    return _starter(str(shutil.which(name)))


def _starter(path: str) -> list[str]:
    """Debian's epubcheck is the archive itself, which Java starts."""
    with Path(path).open("rb") as file:
        return ["java", "-jar", path] if file.read(2) == b"PK" else [path]


def _missing_pandoc() -> str:
    from jiaokan.errors import RenderError
    from jiaokan.system.pandoc import run_pandoc

    try:
        run_pandoc("--version")
    except (RenderError, OSError) as error:
        return f"pandoc: {error}"
    return ""
