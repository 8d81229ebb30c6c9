"""Estimate how much memory steps need, and how much is free, to decide which run at the same time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from jiaokan.build.stages import Step

MEGA = 2**20
_NEEDS = {
    "read": (50, 30), "collate": (60, 45), "punctuate": (60, 45), "quote": (90, 6), "prepare": (110, 60),
    "html": (170, 15), "book": (140, 20), "book traditional": (140, 31), "book vertical": (140, 35),
    "pdf": (380, 78), "pdf traditional": (110, 125), "pdf vertical": (140, 175), "also": (180, 75),
    "check": (40, 25), "site": (240, 0), "copy": (20, 2),
}
"""Megabytes that a stage needs in a process, and per megabyte of its inputs (docs/development/measured.md, Memory of a
build). Too low, a machine may swap; too high, processes wait unnecessarily. A single step always runs."""
_MAIN = 40 * MEGA  # memory of the main process
_KEPT, _KEPT_OF_SMALL = 12, 2
"""One part in so many of the memory is for what processes keep. Other steps have their own process, whose start costs
little, but which loads Saxon and its stylesheets anew: of small texts, or of many, that would be most of their time."""
_MANY, _SMALL = 20, 100_000
"""So many outputs for each process are many; a folder whose sources have no more bytes is small."""
_USUAL = 600 * MEGA
"""Memory for each process, if the user sets no limit. The outputs of this repository take less CPU than with more, as
Typst and Saxon then free little of what they take."""


def need(step: Step, size: Callable[[Path], int]) -> int:
    """Return the estimated bytes that a step needs; `size` returns that of a file, 0 if there is none."""
    base, per_byte = _NEEDS.get(f"{step.stage} {step.part}") or _NEEDS[step.stage]
    input_bytes = sum(map(size, step.inputs))
    return base * MEGA + per_byte * input_bytes


def left(memory: int, jobs: int, outputs: int, largest: int) -> int:
    """Return the bytes that a step may take in a process that continues with other steps and keeps much of them.

    `outputs` is the number of pages and PDFs to make, `largest` the size of the largest source. A step that needs more
    runs in its own process.
    """
    return memory // (jobs * (_KEPT_OF_SMALL if outputs > _MANY * jobs or largest <= _SMALL else _KEPT))


def fits(needed: Iterable[int], memory: int, jobs: int, worker_bytes: int) -> bool:
    """Whether steps that need so many bytes fit into `memory`, with the `kept` bytes of each of `jobs` processes.

    A step in a process of its own shares with its worker what the worker keeps.
    """
    sizes = [max(size, worker_bytes) for size in needed]
    return _MAIN + sum(sizes) + (jobs - len(sizes)) * worker_bytes <= memory


def usual(jobs: int) -> int:
    """Return the bytes for a build without a limit by its user: less, if less is free."""
    free = available()
    return _USUAL * jobs if free is None else min(_USUAL * jobs, free)


def available(system: Path = Path("/")) -> int | None:
    """Return the free bytes of this machine or container; None if unknown.

    Linux reports them in ``/proc/meminfo`` and, for control groups, ``/sys/fs/cgroup`` (Linux, admin-guide/cgroup-v2).
    """
    try:
        match = re.search(r"^MemAvailable:\s+(\d+) kB", (system / "proc/meminfo").read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    free = [int(match[1]) * 1024] if match else []
    try:
        most, used = ((system / "sys/fs/cgroup" / name).read_text(encoding="ascii").strip()
                      for name in ("memory.max", "memory.current"))
        free += [max(0, int(most) - int(used))] if most.isdigit() else []
    except (OSError, ValueError):
        pass
    return min(free, default=None)
