"""Run the campaign for so many minutes; inputs by target, and what broke a law, with the file where it is kept."""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import time
import traceback
import warnings
from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz import CORPUS, Target, targets

ROUND = 50
"""So many inputs at a time: hypothesis shrinks what fails within a round, and the clock is read between two."""
SAME = 3
"""So many inputs that break at the same place are kept."""


def main() -> int:
    """Go round the targets until the time is over; 1 if a law was broken."""
    asked = _arguments()
    warnings.simplefilter("ignore")
    chosen = [target for name, target in targets().items() if not asked.only or name in asked.only]
    end, counts, broken = time.monotonic() + asked.minutes * 60, Counter[str](), Counter[str]()
    print(f"seed {asked.seed}: {', '.join(target.name for target in chosen)}", flush=True)
    spent: Counter[str] = Counter()
    turn = 0
    while time.monotonic() < end:
        target = min(chosen, key=lambda each: spent[each.name])  # each gets the same time
        start = time.monotonic()
        counts[target.name] += _round(target, asked.seed * 1_000_003 + turn, broken, asked.every)
        spent[target.name] += time.monotonic() - start
        turn += 1
    for target in chosen:
        print(f"{target.name:12} {counts[target.name]:9,} inputs in {spent[target.name]:6.0f} s")
    told = f"{broken.total()} broke a law ({len(broken)} places)"
    print(f"{'all':12} {counts.total():9,} inputs, {told}, seed {asked.seed}")
    return 1 if broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="default: any")
    parser.add_argument("--only", nargs="*", default=[], help="targets")
    parser.add_argument("--every", action="store_true", help="do not shrink: faster where much falls")
    return parser.parse_args()


def _round(target: Target, number: int, broken: Counter[str], every: bool) -> int:
    """Ask one round of inputs; gives how many there were."""
    asked = [0]
    last = [""]

    def ask(text: str) -> None:
        asked[0] += 1
        last[0] = text
        target.hold(text)

    phases = [Phase.generate] if every else [Phase.generate, Phase.shrink]
    campaign = settings(max_examples=ROUND, deadline=None, database=None, phases=phases, print_blob=False,
                        suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
    try:
        seed(number)(campaign(given(target.inputs())(ask)))()
    except Exception as error:
        _tell(target, last[0], error, broken)
    return asked[0]


def _tell(target: Target, text: str, error: Exception, broken: Counter[str]) -> None:
    """Keep an input that broke the law, and say where it broke."""
    where = next((f"{frame.filename.rpartition('/pipeline/')[2]}:{frame.lineno}"
                  for frame in reversed(traceback.extract_tb(error.__traceback__)) if "/pipeline/" in frame.filename),
                 re.sub(r"/\S+", "…", str(error))[:150] if isinstance(error, AssertionError) else "")
    what = re.sub(r"\d+ characters.*", "", f"{target.name}: {type(error).__name__} at {where}")
    broken[what] += 1
    if broken[what] > SAME:
        return
    data = text.encode("utf-8", "surrogateescape")
    path = CORPUS / target.name / f"{hashlib.sha256(data).hexdigest()[:12]}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    print(f"{what}\n  {str(error)[:1500]}\n  kept: {path}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
