"""Time collation against length, number of witnesses and kind of text, beside CollateX, difflib and rapidfuzz.

`python benchmarks/collate.py`; prints a table and the ratios, and draws ``build/bench-collate.svg``. Each row is a
process of its own, so that its memory is its own; what takes a minute of the processor is stopped.
CollateX-Python is measured if it is installed (``pip install '.[bench]'``).
"""

from __future__ import annotations

import importlib.util
import json
import math
import resource
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from generated import KINDS, texts
from plot import plot
from tools import TOOLS, real

ROOT = Path(__file__).parents[1]
SOURCE = next((ROOT / "tei" / "sources").glob("002_*.txt"))
"""礼经本义: its graphs, as they follow each other, are the stuff of generated texts."""
LIMIT = 60
"""Seconds of the processor after which a row is stopped."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: who collates what."""

    tool: str
    kind: str
    """One of `generated.KINDS`, or ``real``: 燕礼."""
    length: int
    witnesses: int


@dataclass(frozen=True, slots=True)
class Result:
    """What it took; no seconds: stopped."""

    seconds: float | None
    megabytes: float


OURS, ALIGN = "jiaokan", "jiaokan align"
ROWS = (
    *(Row(OURS, "prose", n, 2) for n in (200, 500)),
    *(Row(OURS, "prose", n, w) for n in (2_000, 20_000, 200_000) for w in (2, 4)), Row(OURS, "prose", 20_000, 8),
    *(Row(OURS, kind, 20_000, 4) for kind in KINDS if kind != "prose"),
    *(Row(OURS, "real", 0, w) for w in (2, 4)),
    *(Row(ALIGN, "prose", n, 2) for n in (2_000, 20_000, 200_000)),
    *(Row(tool, "prose", n, 2) for tool in ("rapidfuzz", "difflib") for n in (2_000, 20_000)),
    *(Row("collatex", "prose", n, 2) for n in (200, 500, 2_000)),
)


def run(row: Row) -> Result:
    """Measure one row in this process, after a short warm-up that loads the tables of characters.

    Time is that of the processor, whatever else the machine does.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    work = TOOLS[row.tool]
    work(texts(SOURCE, "prose", 60, 2))()
    task = real(row.witnesses) if row.kind == "real" else work(texts(SOURCE, row.kind, row.length, row.witnesses))
    start = time.process_time()
    task()
    seconds = time.process_time() - start
    return Result(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measured(row: Row) -> Result:
    """Measure a row in processes of its own: the best of three, or once if it takes long."""
    first = once(row)
    if first.seconds is None or first.seconds > 10:
        return first
    found = [first, once(row), once(row)]
    seconds = min(each.seconds for each in found if each.seconds is not None)
    return Result(seconds, max(each.megabytes for each in found))


def once(row: Row) -> Result:
    """Measure a row in a process of its own."""
    command = [sys.executable, "-W", "ignore", __file__, json.dumps(asdict(row))]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return Result(None, 0)
    if done.returncode:
        sys.exit(f"{row}: {done.stderr}")
    return Result(**json.loads(done.stdout))


def ratios(found: dict[Row, Result]) -> list[tuple[str, float, float]]:
    """Return what the project asks of itself: name, measured, at most."""
    def took(kind: str, length: int, count: int) -> float:
        return found[Row(OURS, kind, length, count)].seconds or math.inf

    usual = took("prose", 20_000, 4)
    return [
        ("200,000 : 20,000 characters", took("prose", 200_000, 4) / usual, 16),
        ("4 : 2 witnesses", usual / took("prose", 20_000, 2), 3.2),
        *((f"seconds for 4 × 20,000, {kind}", took(kind, 20_000, 4), 0.9) for kind in KINDS if kind != "prose"),
        ("seconds for 4 × 20,000, prose", usual, 0.3), ("seconds for 4 × 200,000", took("prose", 200_000, 4), 4),
        ("megabytes for 4 × 200,000", found[Row(OURS, "prose", 200_000, 4)].megabytes, 500),
    ]


def others(found: dict[Row, Result]) -> list[tuple[str, float]]:
    """Return how many times our time each other tool takes: CollateX beside a collation, the others beside `align`."""
    told: list[tuple[str, float]] = []
    for row, result in found.items():
        ours = found.get(Row(OURS if row.tool == "collatex" else ALIGN, row.kind, row.length, row.witnesses))
        if row.tool not in (OURS, ALIGN) and ours and ours.seconds and result.seconds:
            beside = OURS if row.tool == "collatex" else ALIGN
            told.append((f"{row.tool} : {beside}, {row.length:,}", result.seconds / ours.seconds))
    return told


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(asdict(run(Row(**json.loads(sys.argv[1]))))))
        return
    there = importlib.util.find_spec("collatex") is not None
    found: dict[Row, Result] = {}
    for kind, what in KINDS.items():
        print(f"{kind:10} {what}")
    print(f"\n{'':14} {'text':10} {'length':>8} {'witnesses':>9} {'seconds':>9} {'MB':>6}")
    for row in ROWS:
        if row.tool != "collatex" or there:
            found[row] = result = measured(row)
            seconds = f"{result.seconds:9.3f}" if result.seconds is not None else f"    > {LIMIT}"
            shown = f"{row.length:,}" if row.length else "燕礼"
            head = f"{row.tool:14} {row.kind:10} {shown:>8} {row.witnesses:>9}"
            print(f"{head} {seconds} {result.megabytes:6.0f}", flush=True)
    if not there:
        print("collatex       not installed (pip install '.[bench]')")
    print()
    for name, value, most in ratios(found):
        print(f"{name:40} {value:8.2f}  (at most {most:g}){'' if value <= most else '  MISSED'}")
    for name, value in others(found):
        print(f"{name:40} {value:8.2f}")
    target = ROOT / "build" / "bench-collate.svg"
    target.parent.mkdir(exist_ok=True)
    lines = {tool: [(row.length, result.seconds) for row, result in found.items()
                    if (row.tool, row.kind, row.witnesses) == (tool, "prose", 2) and result.seconds] for tool in TOOLS}
    target.write_text(plot(lines), encoding="utf-8")
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
