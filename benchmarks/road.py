"""Show where the time of a whole build goes: by stage, and by function.

`python benchmarks/road.py [FOLDER]` (`make profile`) builds a copy of an edition folder (default: this repository's)
from nothing. Each step is done twice, in processes of its own: once bare, for its seconds and memory, once under
cProfile, for the functions. What is done within Saxon, Typst or libxml2 counts as their one function.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from measure import ROOT, Used, fresh_copy, heading, row, run

from jiaokan.build.stages import STAGES, Step, steps
from jiaokan.build.work import perform
from jiaokan.settings import catalog as catalogs

MOST = 12
"""Functions shown of each stage; of all together three times as many."""


def ordered(folder: Path) -> Iterator[Step]:
    """Return the steps of a folder, each after those that make what it reads."""
    waiting = list(steps(catalogs.load(folder), folder / "build"))
    while waiting:
        to_come = {path for step in waiting for path in step.outputs}
        ready = [step for step in waiting if to_come.isdisjoint(step.inputs)]
        yield from ready
        waiting = [step for step in waiting if step not in ready]


def one(folder: Path, name: str, kept: Path | None) -> None:
    """Do a step in this process; with a file to keep it in, under the profiler."""
    catalog = catalogs.load(folder)
    step = next(each for each in steps(catalog, folder / "build") if each.name == name)
    if kept is None:
        perform(step, catalog)
        return
    profile = cProfile.Profile(time.process_time)  # whatever else the machine does
    profile.runcall(perform, step, catalog)
    profile.dump_stats(kept)


def stages(folder: Path, work: Path) -> dict[str, list[Path]]:
    """Do all steps, show what each stage took, and give the files of the profiler by stage."""
    taken: dict[str, list[Used]] = defaultdict(list)
    kept: dict[str, list[Path]] = defaultdict(list)
    for number, step in enumerate(ordered(folder)):
        command = (sys.executable, __file__, folder, step.name)
        taken[step.stage].append(run(*command))
        kept[step.stage].append(work / f"{number}.prof")
        run(*command, kept[step.stage][-1])
    heading("stage")
    for stage in sorted(taken, key=[stage.name for stage in STAGES].index):
        row(f"{stage}: {len(taken[stage])} steps", total(taken[stage]))
    row("all", total([used for each in taken.values() for used in each]))
    return kept


def total(taken: list[Used]) -> Used:
    """Return the sum of seconds of some runs, and the most memory of one."""
    return Used(sum(u.clock for u in taken), sum(u.work for u in taken), max(u.megabytes for u in taken))


def functions(title: str, kept: list[Path], most: int) -> None:
    """Show the functions that took most by themselves."""
    merged = pstats.Stats(*map(str, kept))
    print(f"\n{title:54} {'own s':>8} {'all s':>8} {'calls':>10}")
    found = sorted(merged.stats.items(), key=lambda item: -item[1][2])  # type: ignore[attr-defined]
    for (file, line, name), (_, calls, own, whole, _) in found[:most]:
        path = Path(file)
        place = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
        print(f"{f'{place}:{line} {name}' if line else name:54} {own:8.2f} {whole:8.2f} {calls:10,}")


def main() -> None:
    if len(sys.argv) > 2:
        one(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]) if len(sys.argv) > 3 else None)
        return
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    with tempfile.TemporaryDirectory() as temporary:
        folder, work = Path(temporary) / "folder", Path(temporary)
        fresh_copy(folder, source)
        kept = stages(folder.resolve(), work)
        for stage, files in kept.items():
            functions(stage, files, MOST)
        functions("all stages", [path for files in kept.values() for path in files], 3 * MOST)


if __name__ == "__main__":
    main()
