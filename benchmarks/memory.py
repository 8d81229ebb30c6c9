"""The most memory that all processes of a build hold together, which held how much then, and the build's time.

`python benchmarks/memory.py [ARGUMENT …]` builds this repository from nothing in a temporary folder, with these
arguments for `jiaokan build` (such as `--jobs 2 --memory 1G`). What processes share is counted once (PSS; Linux,
Documentation/filesystems/proc.rst): asked ten times a second, so a shorter peak can be missed.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import JIAOKAN, ROOT, fresh_copy

_EVERY = 0.1


def held(first: int) -> tuple[int, list[tuple[int, str]]]:
    """Return the kilobytes that a process and its children hold, and each one's with its command."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    family = {first}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    found = []
    for each in family:
        try:
            said = Path(f"/proc/{each}/smaps_rollup").read_text()
            command = Path(f"/proc/{each}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        pss = re.search(r"^Pss:\s+(\d+) kB", said, re.M)
        found.append((int(pss[1]) if pss else 0, command[-60:]))
    return sum(each for each, _ in found), found


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        folder = fresh_copy(Path(temporary))
        start = time.perf_counter()
        most: tuple[int, list[tuple[int, str]]] = (0, [])
        build = subprocess.Popen([*JIAOKAN, "build", str(folder), *sys.argv[1:]], cwd=ROOT, stdout=subprocess.DEVNULL,
                                 env={**os.environ, "PYTHONPATH": str(ROOT / "pipeline")})
        while build.poll() is None:
            most = max(most, held(build.pid), key=lambda each: each[0])
            time.sleep(_EVERY)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{most[0] / 1024:.0f} MB at the most; {time.perf_counter() - start:.1f} s, "
              f"{used.ru_utime + used.ru_stime:.1f} s of the processors")
        for kilobytes, command in sorted(most[1])[::-1]:
            print(f"{kilobytes / 1024:8.0f} MB  {command}")


if __name__ == "__main__":
    main()
