"""Time and memory of reading: all sources, and each ten times over, against what issue 3 of the readers asks.

Reading is everything up to the document: file, layers, ids, the insides of notes, decisions. Ten copies are read
without decisions, which would fit ten places. `python benchmarks/readers.py [REPEATS]`; prints medians, and the most
memory that reading held at a time, against the size of the source.
"""

from __future__ import annotations

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from jiaokan import readers
from jiaokan.readers.common.source import Source, load
from jiaokan.settings import catalog

ROOT = Path(__file__).parents[1]
SETTINGS = catalog.load(ROOT)
LIMITS = "limits: five sources 3 s; ten copies 11 times; memory 12 times the source's size"


def timed(read: Callable[[], object], repeats: int) -> float:
    """Return the median seconds of work of some runs, whatever else the machine does."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        read()
        times.append(time.process_time() - start)
    return statistics.median(times)


def peak(read: Callable[[], object]) -> int:
    """Return the most bytes that a run held at a time, beyond what was there before it."""
    tracemalloc.start()
    read()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def whole(name: str) -> None:
    """Read a source as `convert` does."""
    readers.read(SETTINGS.sources[name], SETTINGS)


def undecided(source: Source) -> None:
    """Read lines as a source, without decisions."""
    with readers.without_collection():
        readers.read_without_decisions(source, SETTINGS.sources[source.id], SETTINGS)


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    total = 0.0
    print(f"{'source':10}{'bytes':>10}{'seconds':>9}{'once':>9}{'ten times':>11}{'ratio':>7}{'memory':>8}{'of ten':>8}")
    for name, entry in SETTINGS.sources.items():
        size = SETTINGS.path(entry).stat().st_size
        source = load(entry, SETTINGS)
        kept = {key: value for key, value in source.convention.items() if key != "chrome"}  # it would cut nine copies
        source = replace(source, boundaries=(), convention=kept)
        ten = replace(source, lines=source.lines * 10)
        whole(name)  # tables are loaded once
        seconds = timed(lambda name=name: whole(name), repeats)  # type: ignore[misc]
        once = timed(lambda source=source: undecided(source), repeats)  # type: ignore[misc]
        tenfold = timed(lambda ten=ten: undecided(ten), 1)  # type: ignore[misc]
        held = peak(lambda name=name: whole(name))  # type: ignore[misc]
        most = peak(lambda ten=ten: undecided(ten))  # type: ignore[misc]
        total += seconds
        figures = f"{seconds:9.2f}{once:9.2f}{tenfold:11.2f}{tenfold / once:7.1f}"
        print(f"{name:10}{size:10}{figures}{held / size:8.1f}{most / size / 10:8.1f}")
    print(f"all {len(SETTINGS.sources)}: {total:.2f} s; {LIMITS}")


if __name__ == "__main__":
    main()
