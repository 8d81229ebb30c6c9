"""How much memory steps need, and how much there is: what runs beside what is chosen by it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pipeline.build.stages import Step

MEGA = 2**20
_NEEDS = {
    "read": (50, 30), "collate": (60, 60), "punctuate": (60, 60), "quote": (90, 6), "html": (210, 50),
    "pdf": (280, 80), "pdf traditional": (200, 290), "pdf vertical": (200, 290), "also": (150, 75), "check": (60, 40),
    "site": (200, 0), "copy": (20, 2),
}
"""Megabytes that a stage needs in a process, and for each megabyte of its inputs: what each step of this repository
holds at the most, its children included (PSS, in MB: html 610, 310, 228 for inputs of 8.3, 1.7, 0.5; pdf 705, 308 for
5.5, 0.4; as woodblock pages 309, and 669 for 1.6; collate 233 for 3.3; quote 138 for 8.7, and 583 for 90; read 44 for
0.8). Too low, a machine may swap; too high, processes wait without need. A step alone is done whatever it needs."""


_AT_ONCE = 3
"""So many times as much a step needs where Saxon, an engine's pages and all pieces of a book have one process, and the
documents that it read are kept: 仪礼 takes 1,340 MB, and 2,470 after all other steps of this repository (Typst keeps
what it knows of the last ten). Too low, a machine may swap; too high, a build starts processes without need, ten for
the PDFs of this repository."""
_MAIN = 40 * MEGA
"""What the process takes that looks after the others."""
_KEPT = 4
"""Of memory, one part in so many is for what processes keep. Of more, fewer steps have a process of their own, which
takes half a second of the processor to start, and less is left for what they do."""


def need(step: Step) -> int:
    """Give about how many bytes a step takes while it is done."""
    base, each = _NEEDS.get(f"{step.stage} {step.part}") or _NEEDS[step.stage]
    size = sum(path.stat().st_size for path in step.inputs if path.is_file())
    return base * MEGA + each * size


def at_once(step: Step) -> int:
    """Give about how many bytes it takes in a process that does all of it, and gives none of it to others."""
    return _AT_ONCE * need(step)


def left(memory: int, jobs: int) -> int:
    """Give how many bytes a step may take in a process that goes on to others, and keeps much of them: of `memory` so
    many processes then keep a quarter together. What takes more is done in a process of its own, which ends with it."""
    return memory // (_KEPT * jobs)


def fits(step: Step, running: Iterable[Step], memory: int, jobs: int) -> bool:
    """Tell whether `memory` holds a step beside those that are at work and what `jobs` processes keep."""
    kept = left(memory, jobs)
    needed = [each for other in (step, *running) if (each := need(other)) > kept]
    return _MAIN + jobs * kept + sum(needed) <= memory


def available(system: Path = Path("/")) -> int | None:
    """Give how many bytes are free on this machine, or to the container in which this runs; None if it does not say.

    Linux says it in ``/proc/meminfo`` and, for control groups, in ``/sys/fs/cgroup`` (Linux, admin-guide/cgroup-v2).
    """
    try:
        found = re.search(r"^MemAvailable:\s+(\d+) kB", (system / "proc/meminfo").read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    free = [int(found[1]) * 1024] if found else []
    try:
        most, used = ((system / "sys/fs/cgroup" / name).read_text(encoding="ascii").strip()
                      for name in ("memory.max", "memory.current"))
        free += [max(0, int(most) - int(used))] if most.isdigit() else []
    except (OSError, ValueError):
        pass
    return min(free, default=None)
