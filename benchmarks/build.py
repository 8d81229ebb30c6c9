"""Time the build of this repository's editions as whole processes: from nothing, nothing changed, after one edit.

Works on a copy in a temporary folder. `python benchmarks/build.py [REPEATS]`; prints medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import ROOT, fresh_copy


def build(folder: Path) -> float:
    """Build a folder; give the seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", "from jiaokan.cli import main; main()", "build", str(folder)],
        cwd=ROOT, capture_output=True, text=True,
    )
    if done.returncode == 2:
        sys.exit(done.stderr)
    return time.perf_counter() - start


def edit(folder: Path) -> None:
    """Change the title of one reading edition: what a person does between two builds."""
    plan = folder / "tei" / "editions" / "gangmu.toml"
    plan.write_text(plan.read_text(encoding="utf-8").replace('subtitle = "', 'subtitle = "新'), encoding="utf-8")


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    times: dict[str, list[float]] = {"from nothing": [], "nothing changed": [], "one edition's title changed": []}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as temporary:
            folder = fresh_copy(Path(temporary))
            times["from nothing"].append(build(folder))
            times["nothing changed"].append(build(folder))
            edit(folder)
            times["one edition's title changed"].append(build(folder))
    for what, seconds in times.items():
        print(f"{what:30} {statistics.median(seconds):6.2f} s   (of {repeats}; {os.cpu_count()} cores)")


if __name__ == "__main__":
    main()
