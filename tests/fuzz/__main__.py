"""Run the campaign for so many minutes; inputs by target, and what broke a law, with the file where it is kept."""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz import CORPUS, Target, targets, written

ROUND = 20
"""So many inputs at a time: the clock is read between two."""
SAME = 2
"""So many inputs that break at the same place are kept."""
MEMORY = Path("/dev/shm")
"""A disk in memory, where a system has one: inputs are files of a moment."""


def main() -> int:
    """Go round the targets until the time is over; 1 if a law was broken."""
    asked = _arguments()
    warnings.simplefilter("ignore")
    os.fsync = lambda _: None  # type: ignore[assignment]  # a power cut of the campaign harms nobody
    chosen = [target for name, target in targets().items() if not asked.only or name in asked.only]
    counts, broken, spent = Counter[str](), Counter[str](), Counter[str]()
    print(f"seed {asked.seed}: {', '.join(target.name for target in chosen)}", flush=True)
    end, told = time.monotonic() + asked.minutes * 60, time.monotonic()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        tempfile.tempdir = place
        while time.monotonic() < end and counts.total() < asked.inputs:
            left = [each for each in chosen if counts[each.name] < asked.most]
            target = min(left or chosen, key=lambda each: spent[each.name])  # each gets the same time
            start = time.process_time()
            for _ in range(ROUND):
                _ask(target, asked.seed, counts[target.name], broken)
                counts[target.name] += 1
            spent[target.name] += time.process_time() - start
            if time.monotonic() - told > asked.every * 60:
                told = time.monotonic()
                print(_table(chosen, counts, spent, broken, asked.seed), flush=True)
        tempfile.tempdir = None
    print(_table(chosen, counts, spent, broken, asked.seed))
    return 1 if broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--inputs", type=int, default=10**9, help="stop after so many")
    parser.add_argument("--most", type=int, default=10**9, help="inputs of one target, as long as others have fewer")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="default: any")
    parser.add_argument("--only", nargs="*", default=[], help="targets")
    parser.add_argument("--every", type=float, default=10, help="print the table every so many minutes")
    return parser.parse_args()


def _table(chosen: list[Target], counts: Counter[str], spent: Counter[str], broken: Counter[str], seed: int) -> str:
    lines = [f"{each.name:12} {counts[each.name]:9,} inputs in {spent[each.name]:6.0f} CPU s" for each in chosen]
    told = f"{broken.total()} broke a law ({len(broken)} places)"
    return "\n".join([*lines, f"{'all':12} {counts.total():9,} inputs, {told}, seed {seed}"])


def _ask(target: Target, seed: int, number: int, broken: Counter[str]) -> None:
    """Ask one input; one that breaks the law is made as small as it gets, and kept."""
    text = target.input(seed, number)
    try:
        target.hold(text)
    except Exception as error:
        what = _place(target, error)
        broken[what] += 1
        if broken[what] <= SAME:
            _tell(target, _smaller(target, text, what), f"{what} (input {number})", error)


def _place(target: Target, error: Exception) -> str:
    """Return where it broke: the last line of the program, or what the law says of it."""
    where = next((f"{frame.filename.rpartition('/jiaokan/')[2]}:{frame.lineno}"
                  for frame in reversed(traceback.extract_tb(error.__traceback__)) if "/jiaokan/" in frame.filename),
                 re.sub(r"/\S+", "…", str(error))[:150] if isinstance(error, AssertionError) else "")
    return re.sub(r"\d+ characters.*", "", f"{target.name}: {type(error).__name__} at {where}")


def _smaller(target: Target, text: str, what: str) -> str:
    """Take stretches out, ever shorter ones, as long as it breaks at the same place; for half a minute at most."""
    size, end = len(text) // 2, time.monotonic() + 30
    while size:
        at = 0
        while at < len(text) and time.monotonic() < end:
            shorter = text[:at] + text[at + size :]
            try:
                target.hold(shorter)
            except Exception as error:
                if _place(target, error) == what:
                    text = shorter
                    continue
            at += size
        size //= 2
    return text


def _tell(target: Target, text: str, what: str, error: Exception) -> None:
    """Keep an input that broke the law, and say where it broke."""
    data = written(text)
    path = CORPUS / target.name / f"{hashlib.sha256(data).hexdigest()[:12]}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{what}\n  {str(error)[:1500]}\n  kept: {path}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
