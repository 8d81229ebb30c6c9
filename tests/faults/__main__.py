"""Each fault, one at a time, through a whole build of a small folder: `make faults`, ``python -m tests.faults --help``.

After each: a documented exit code with a message for people, no file that is neither the old nor the new one, nothing
left aside; and the next build makes the same bytes as one that nothing disturbed.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import jiaokan
from tests.faults import KINDS, Shim
from tests.faults.stand import Stand, build, make
from tests.faults.trial import TWO, faults_of


def main() -> int:
    """Try every point with one kind of fault, or with all; 1 if a law was broken."""
    asked = _arguments()
    load()
    start, counts, broken = time.monotonic(), Counter[str](), 0
    with tempfile.TemporaryDirectory() as home:
        stand = make(Path(home) / "demo")
        for group, shim, options in points(stand, Path(home), asked):
            found = faults_of(stand, shim, options, Path(home))
            counts[group] += 1
            if not counts.total() % 100:
                print(f"{_told(counts)}, {broken} broke the law", file=sys.stderr, flush=True)
            if found:
                broken += 1
                print(f"{group} {shim.at} {shim.kind}:", *found, sep="\n  ", flush=True)
            if time.monotonic() - start > asked.minutes * 60:
                break
    print(f"{_told(counts)}: {broken} broke the law; seed {asked.seed}, {time.monotonic() - start:.0f} s")
    return 1 if broken else 0


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{number} {group}" for group, number in counts.items())


def load() -> None:
    """Load the whole program, so that each build is a copy of this process and takes a second."""
    for module in pkgutil.walk_packages(jiaokan.__path__, "jiaokan."):
        importlib.import_module(module.name)


def points(stand: Stand, home: Path, asked: argparse.Namespace) -> Iterator[tuple[str, Shim, tuple[str, ...]]]:
    """The faults in random order: of the system in one process, at the start of others, of memory in functions."""
    chance, found = random.Random(asked.seed), []
    for group, functions, options in (("calls", False, ()), ("processes", False, TWO), ("functions", True, ())):
        if asked.only and group not in asked.only:
            continue
        said = build(stand.copy(home / f"count-{group}"), Shim(functions=functions), *options).points
        for at, what in enumerate(said, 1):
            kinds = [*KINDS] if group != "functions" else ["MemoryError", "KeyboardInterrupt"]
            if group != "processes" or what.split()[0] in ("execute_child", "spawnv_passfds", "start"):
                found += [(group, Shim(at=at, kind=kind, functions=functions), options)
                          for kind in (kinds if asked.every else [chance.choice(kinds)])]
    chance.shuffle(found)
    part, of = map(int, asked.part.split("/"))
    yield from found[part - 1 :: of]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--minutes", type=float, default=600, help="stop after so many")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="default: any")
    parser.add_argument("--only", nargs="*", default=[], help="calls, processes, functions")
    parser.add_argument("--part", default="1/1", help="of so many parts the one, of the same seed: 1/2")
    parser.add_argument("--every", action="store_true", help="every kind of fault at every point, not one")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
