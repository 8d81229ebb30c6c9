"""Builds killed at random moments, as loss of power or the system's own killer does: `make kills`, or
``python -m tests.faults.kills --help``.

Most are builds of the small folder, all stages of it; every fourth is the collation of this repository's largest
edition. After each kill every file is the old or the new one, and the next build makes the same bytes as one that
nothing disturbed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jiaokan.build.cache import Cache
from jiaokan.build.run import lock_outputs, run
from jiaokan.build.stages import steps
from jiaokan.settings import catalog as catalogs
from tests.faults.__main__ import load
from tests.faults.stand import Ended, Stand, files, here, make

ROOT = Path(__file__).parents[2]
LARGE = "yili"
EARLY, LATE = 0.02, 1.05
"""Moments lie between these parts of the time that an undisturbed build takes: from its start to after its end."""


@dataclass(frozen=True)
class Victim:
    """A work that is killed."""

    name: str
    stand: Stand
    work: Callable[[Path], object]
    """Does it, in the folder that is given."""
    seconds: float
    """How long it takes undisturbed."""


def main() -> int:
    """Kill so many; 1 if a law was broken."""
    asked = _arguments()
    load()
    chance, killed, broken = random.Random(asked.seed), Counter[str](), 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        victims = [_small(Path(home)), _small(Path(home), "--jobs", "2"), _small(Path(home))]
        victims += [] if asked.small else [_large(Path(home))]
        for number in range(asked.kills):
            victim = victims[number % len(victims)]
            moment = chance.uniform(EARLY, LATE) * victim.seconds
            found, at_work = _trial(victim, moment, chance.random() < 0.5, Path(home))
            killed[f"{victim.name} ({'at work' if at_work else 'done already'})"] += 1
            broken += bool(found)
            if (number + 1) % 20 == 0:
                print(f"{number + 1} kills, {broken} broke the law", flush=True)
            if found:
                print(f"{victim.name} after {moment:.3f} s:", *found, sep="\n  ", flush=True)
    print(*(f"{number:4} × {name}" for name, number in sorted(killed.items())), sep="\n")
    print(f"{asked.kills} kills: {broken} broke the law; seed {asked.seed}, {time.monotonic() - start:.0f} s")
    return 1 if broken else 0


def _small(home: Path, *options: str) -> Victim:
    """The small folder, with all its stages."""
    folder = Path(tempfile.mkdtemp(dir=home))
    stand = make(folder / "demo")

    def work(folder: Path) -> None:
        here(folder, None, *options)

    return Victim(" ".join(("small folder", *options)), stand, work, _timed(work, stand, folder))


def _large(home: Path) -> Victim:
    """The collation of the largest edition: one of its titles was changed since."""
    folder = home / "large"
    shutil.copytree(ROOT / "tei", folder / "tei")
    for plan in (folder / "tei" / "editions").glob("*.toml"):
        if plan.stem != LARGE:
            plan.unlink()
    _collate(folder)
    before, plan = files(folder), folder / "tei" / "editions" / f"{LARGE}.toml"
    plan.write_text(plan.read_text(encoding="utf-8").replace('title = "', 'title = "新', 1), encoding="utf-8")
    with tempfile.TemporaryDirectory(dir=home) as other:
        _collate(Path(shutil.copytree(folder, Path(other) / "large")))
        after = files(Path(other) / "large")
    stand = Stand(folder, before, after)
    return Victim("collation of the large edition", stand, _collate, _timed(_collate, stand, home))


def _collate(folder: Path) -> None:
    """Read the witnesses and collate, as far as that is not done."""
    catalog, out = catalogs.load(folder), folder / "build"
    todo = tuple(step for step in steps(catalog, out) if step.stage in ("read", "collate"))
    with lock_outputs(out):
        run(todo, catalog, Cache(out), jobs=1, watch=lambda _: None)


def _timed(work: Callable[[Path], object], stand: Stand, home: Path) -> float:
    with tempfile.TemporaryDirectory(dir=home) as folder:
        trial = stand.copy(Path(folder) / "trial")
        start = time.monotonic()
        assert _ended(_begun(work, trial), 600) == 0
        return time.monotonic() - start


def _begun(work: Callable[[Path], object], folder: Path) -> int:
    """Begin a work in a copy of this process; its temporary files lie beside the folder."""
    child = os.fork()
    if child == 0:
        os.setsid()
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder.parent)
        with open(os.devnull, "w") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 2)
        work(folder)
        os._exit(0)
    return child


def _ended(child: int, seconds: float) -> int | None:
    """Return the status with which a process ended within so many seconds; None if it did not."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.001)
    return None


def _trial(victim: Victim, moment: float, alone: bool, home: Path) -> tuple[list[str], bool]:
    """Kill once, the main process alone or all that it started, too; what was not as it must be, and whether it was
    at work then."""
    with tempfile.TemporaryDirectory(dir=home) as folder:
        trial = victim.stand.copy(Path(folder) / "trial")
        child = _begun(victim.work, trial)
        status = _ended(child, moment)
        if status is None:
            (os.kill if alone else os.killpg)(child, signal.SIGKILL)
            os.waitpid(child, 0)
        found = [f"ended with {status}"] if status else []
        found += victim.stand.torn(trial, Ended(-signal.SIGKILL, ""))
        again = _ended(_begun(victim.work, trial), 600)
        found += [f"the next build ended with {again}"] if again else []
        found += [f"not healed: {name}" for name in victim.stand.healed(trial)[:5]]
        found += [f"left aside: {path.name}" for path in [*trial.rglob("*.part")][:3]]
        return found, status is None


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="default: any")
    parser.add_argument("--small", action="store_true", help="the small folder only")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
