"""Check many files on all cores; results come as soon as they are ready, in the order given."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pipeline.errors import Finding, JiaokanError, TeiError, machine
from pipeline.system.process import workers
from pipeline.system.sandbox import Sandbox, confine
from pipeline.validate import STANDARD, Checks, cached, validate_bytes
from pipeline.validate.folder import home
from pipeline.validate.reading import read

_WORTH = 2**20
"""With fewer bytes in all, starting processes costs more time than it saves."""
_FEW = 200
"""With fewer small files one process is as fast: a process takes half a second to start."""


@dataclass(frozen=True)
class FileFindings:
    """The result for one file."""

    file: str
    findings: tuple[Finding, ...] = ()
    lines: Mapping[int, str] = field(default_factory=dict)
    """The lines of the findings."""
    failure: str = ""
    """Why it could not be checked."""


def check_bytes(data: bytes, name: str, checks: Checks = STANDARD) -> FileFindings:
    """Check a document in memory; raises TeiError if a schema cannot be used."""
    findings = validate_bytes(data, name=name, checks=checks)
    return FileFindings(name, findings, _lines(data, findings))


def check_files(
    files: Sequence[Path], checks: Checks = STANDARD, *, jobs: int = 0, sandbox: Sandbox | None = None
) -> Iterator[FileFindings]:
    """Check files, on all cores if that is worth it, or on `jobs`; a file that cannot be checked has a `failure`.

    The processes are confined to `sandbox`. Raises TeiError if the system ended one, mostly for want of memory.
    """
    known = {path: found for path in files if (found := _cached(path, checks))}
    made = _check_new([path for path in files if path not in known], checks, jobs, sandbox)
    yield from (known.get(path) or next(made) for path in files)


def _check_new(files: Sequence[Path], checks: Checks, jobs: int, sandbox: Sandbox | None) -> Iterator[FileFindings]:
    one = partial(_check, checks=checks)
    jobs = min(jobs or os.cpu_count() or 1, len(files))
    if jobs < 2 or (len(files) < _FEW and sum(map(_size, files)) < _WORTH):
        yield from map(one, files)
        return
    with workers(jobs, _begin, sandbox) as pool:
        try:
            yield from pool.map(one, files, chunksize=max(1, min(32, len(files) // (4 * jobs))))
        except BrokenProcessPool:
            raise TeiError("a process was ended by the system, mostly for want of memory",
                           mend="check the largest file alone, or with --jobs 1") from None


def _cached(path: Path, checks: Checks) -> FileFindings | None:
    if not checks.cached or home(path, b"") is None:
        return None
    try:
        data = read(path)
        found = cached(data, str(path), checks, home(path, data))
    except (JiaokanError, OSError, MemoryError):
        return None  # reported by _check
    return None if found is None else FileFindings(str(path), found, _lines(data, found))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _begin(sandbox: Sandbox | None) -> None:
    if sandbox:
        confine(sandbox)


def _check(path: Path, checks: Checks) -> FileFindings:
    try:
        data = read(path)
        findings = validate_bytes(data, name=str(path), checks=checks, folder=home(path, data), path=path)
        return FileFindings(str(path), findings, _lines(data, findings))
    except JiaokanError as error:
        return FileFindings(str(path), failure=str(error))
    except OSError as error:
        return FileFindings(str(path), failure=str(machine(error)))
    except MemoryError:
        return FileFindings(str(path), failure=f"{path}: too large for the memory there is")
    except Exception as error:  # a fault of ours at one file must not lose what was found in the others
        where = traceback.extract_tb(error.__traceback__)[-1]
        fault = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
        return FileFindings(str(path), failure=f"{path}: could not be checked: internal error in jiaokan ({fault})\n"
                                         "  → please report this line with the file")


def _lines(data: bytes, findings: Sequence[Finding]) -> dict[int, str]:
    wanted = {each.place.line for each in findings if each.place.line}
    if not wanted:
        return {}
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode()
    every = data.split(b"\n")
    return {n: every[n - 1].decode("utf-8", "replace").rstrip("\r") for n in wanted if n <= len(every)}
