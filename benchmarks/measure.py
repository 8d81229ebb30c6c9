"""What a process takes, and rows of a table that says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
JIAOKAN = (sys.executable, "-c", "from jiaokan.cli import main; main()")
"""The program as a process of its own, from its first import on."""


def fresh_copy(target: Path, source: Path = ROOT) -> Path:
    """Copy of an edition folder what is not made by a build."""
    shutil.copytree(source / "tei", target / "tei")
    for made in (target / "tei").glob("*/*.xml"):
        made.unlink()
    return target


@dataclass(frozen=True, slots=True)
class Used:
    """What one run took."""

    clock: float
    """Seconds that passed; other work on the machine makes them more."""
    work: float
    """Seconds of all processors, children included."""
    megabytes: float
    """Most memory that a process of it held."""


def run(*command: object, folder: Path = ROOT, codes: Iterable[int] = (0,)) -> Used:
    """Run a process to its end; one that ends with another code than these ends the benchmark with what it said."""
    with tempfile.TemporaryFile() as said:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "pipeline")}
        start = time.perf_counter()
        child = subprocess.Popen([str(part) for part in command], cwd=folder, stdout=said, stderr=said, env=environment)
        _, status, used = os.wait4(child.pid, 0)
        clock = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in codes:
            said.seek(0)
            sys.exit(f"{command[0]} ended with {child.returncode}: {said.read().decode(errors='replace')[-600:]}")
    return Used(clock, used.ru_utime + used.ru_stime, used.ru_maxrss / (1 if sys.platform == "darwin" else 1024))


def best(runs: Iterable[Used]) -> Used:
    """Return the run with least work: what disturbs a measurement only adds."""
    return min(runs, key=lambda used: used.work)


def heading(title: str) -> None:
    """Print the head of a table."""
    print(f"\n{title:54} {'clock s':>8} {'work s':>8} {'MB':>6}")


def row(what: str, used: Used, asked: str = "") -> None:
    """Print one line of a table."""
    print(f"{what:54} {used.clock:8.2f} {used.work:8.2f} {used.megabytes:6.0f}   {asked}".rstrip(), flush=True)


def ratio(what: str, value: float, most: float) -> None:
    """Print a ratio beside what it may be."""
    missed = "" if value <= most else "  MISSED"
    print(f"{what:54} {value:8.2f}   at most {most:g}{missed}", flush=True)
