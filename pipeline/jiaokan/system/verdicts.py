"""What a check found in a file, and runs of checks: one whose inputs are all unchanged is not repeated.

An unchanged repository is recognised by what the file system says of its files, without reading or parsing one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jiaokan.errors import Finding
from jiaokan.system.store import TICK, State, Store, cache_folder, program, stamp, states

_RUNS = 200  # runs that are stored: each has the states of all its files


@dataclass(frozen=True)
class FileFindings:
    """The result for one file."""

    file: str
    findings: tuple[Finding, ...] = ()
    lines: Mapping[int, str] = field(default_factory=dict)
    failure: str = ""


@dataclass(frozen=True)
class _Run:
    inputs: dict[str, State | None]
    results: tuple[FileFindings, ...]


def run_key(files: Sequence[Path], *options: object) -> str:
    """Return the key of a run: its files, the current folder, and its options."""
    return stamp(list(map(str, files)), str(Path.cwd()), *options)


def recall(key: str) -> tuple[FileFindings, ...] | None:
    """Return the results of a run if every file that they depend on is unchanged, and the program too."""
    run = _store().get(key, program(), _Run)
    return run.results if run and states(run.inputs) == run.inputs else None


def remember(key: str, results: Iterable[FileFindings], inputs: Iterable[str | Path], begun: float) -> None:
    """Store the results of a run that began at a time, with all files on which they depend, also those that are
    missing. A run in which a file failed, or during which one changed, is not stored."""
    there, kept = states(inputs), tuple(results)
    last = max((max(state[1], state[2]) for state in there.values() if state), default=0)
    if last / 1e9 < begun - TICK and not any(result.failure for result in kept):
        _store().put(key, program(), _Run(there, kept))


def _store() -> Store:
    return Store(cache_folder("runs"), limit=_RUNS)
