"""Check many files on all cores, in the order given; and which files changed since a git revision."""

from __future__ import annotations

import hashlib
import os
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

from jiaokan.errors import Finding, JiaokanError, Message, Place, SourceError, TeiError, lacks_memory, machine
from jiaokan.model.pointers import address
from jiaokan.settings import catalog as catalogs
from jiaokan.system.ceiling import PATIENCE, limit_memory, memory, processor_time, seconds
from jiaokan.system.listing import below, read
from jiaokan.system.process import workers
from jiaokan.system.repository import git
from jiaokan.system.sandbox import Sandbox, confine
from jiaokan.system.verdicts import FileFindings
from jiaokan.validate import STANDARD, Checks, cached_findings, validate_bytes
from jiaokan.validate.choice import OURS, OWN, is_foreign, named_schemas
from jiaokan.validate.homes import home
from jiaokan.validate.rules.general import pointed_files

MEMORY = 8 * 2**30
"""Memory of a process with our schemas: a file of the greatest size takes ten times as much. With schemas of others it
has the ceiling of everything that strangers wrote (`jiaokan.system.process`), and so has the time for a file."""
_PAUSE = 0.25  # between two looks at the time that a file has taken
_WORTH = 2**20  # with fewer bytes in all, starting processes costs more time than it saves
_FEW = 200  # with fewer small files one process is as fast: a process takes half a second to start


def check_bytes(data: bytes, name: str, checks: Checks = STANDARD) -> FileFindings:
    """Check a document in memory; raises TeiError if a schema cannot be used."""
    findings = validate_bytes(data, name=name, checks=checks)
    return FileFindings(name, findings, _lines(data, findings))


def check_files(
    files: Sequence[Path], checks: Checks = STANDARD, *, jobs: int = 0, sandbox: Sandbox | None = None
) -> Iterator[FileFindings]:
    """Check files, on all cores if that is worth it, or on `jobs`; a file that cannot be checked has a `failure`. The
    processes are confined to `sandbox`. With schemas of others each file has limits of time and memory, and one beyond
    them has a `failure`. Raises TeiError if the system ended a process before it began a file."""
    known = {path: result for path in files if (result := _findings_in_cache(path, checks))}
    new = [path for path in files if path not in known]
    jobs = min(jobs or os.cpu_count() or 1, len(new))
    small = jobs < 2 or (len(new) < _FEW and sum(map(_size, new)) < _WORTH)
    foreign = any(is_foreign(checks.schemas, _beginning(path)) for path in new)
    results = (map(partial(_check, checks=checks), new) if small and not foreign
               else _in_workers(new, checks, 1 if small else jobs, sandbox))
    yield from (known.get(path) or next(results) for path in files)


def inputs(files: Iterable[Path], checks: Checks) -> list[Path] | None:
    """Return all files on which the findings on some files depend; None if that is not known (XInclude)."""
    schemas = [Path(schema) for schema in checks.schemas if schema not in (OURS, OWN)]
    paths: dict[Path, None] = {}
    folders: set[Path] = set()
    for path in files:
        paths[path] = None
        try:
            data = read(path)
        except JiaokanError:
            return None
        if b"XInclude" in data:
            return None
        schemas += [path.parent / unquote(address(href).path) for href in named_schemas(data)]
        paths.update(dict.fromkeys(pointed_files(data, path.parent)))
        if path.resolve().parent.name in ("witnesses", "editions"):
            folders.add(path.resolve().parents[1])
    for schema in dict.fromkeys(schemas):
        paths.update(dict.fromkeys([schema, *(schema.parent.glob(f"*{schema.suffix}") if schema.suffix else ())]))
    for path in (path for folder in folders for path in below(folder)):
        paths.update(dict.fromkeys((path, path.parent)))  # the state of a folder changes with a new file
    return list(paths)


def faulty_settings(files: Iterable[Path]) -> Iterator[FileFindings]:
    """Yield what is wrong with the settings of the edition folders in which files are: without them their sources, and
    the editor's decisions, are not compared."""
    roots = dict.fromkeys(path.resolve().parents[2] for path in files if _is_in_edition_folder(path.resolve()))
    for root in roots:
        try:
            catalogs.load(root)
        except JiaokanError as error:
            place = error.place or Place(str(root / "tei" / "catalog.toml"))
            message = Message("settings-unreadable", reason=error.message)
            yield FileFindings(place.file, (Finding("settings-faulty", place, message, error.mend),))


def _is_in_edition_folder(path: Path) -> bool:
    inside = path.parent.name in ("witnesses", "editions") and path.parents[1].name == "tei"
    return inside and (path.parents[1] / "catalog.toml").is_file()


def _in_workers(
    files: Sequence[Path], checks: Checks, jobs: int, sandbox: Sandbox | None
) -> Iterator[FileFindings]:
    done = 0
    while done < len(files):
        with TemporaryDirectory() as marks, workers(jobs, _begin, sandbox) as pool:
            tasks = [_Task(path, checks, Path(marks, str(n))) for n, path in enumerate(files[done:])]
            for task, result in [(task, pool.submit(task.run)) for task in tasks]:
                try:
                    yield task.await_result(result)
                    done += 1
                except TimeoutError:
                    for process in list(pool._processes.values()):
                        process.kill()
                    pool.shutdown(cancel_futures=True)
                    yield _failure(task.path, "checking-takes-more-s-simplify", seconds=round(task.seconds))
                    done += 1
                    break  # the others begin anew
                except BrokenProcessPool:  # a library ends a process that gets no memory
                    if not task.mark.exists():
                        raise TeiError(Message("process-ended-system-mostly-want"),
                                       mend=Message("check-largest-file-alone-jobs")) from None
                    if jobs == 1:
                        yield _failure(task.path, "checking-takes-more-memory", gigabytes=f"{task.memory / 2**30:g}")
                        done += 1
                    jobs = 1  # with several it is not known which file it was
                    break


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to check in a worker."""

    path: Path
    checks: Checks
    mark: Path  # made when the file is begun

    @property
    def seconds(self) -> float:
        """The processor time that the file may take."""
        return seconds() + _size(self.path) / 2**20

    @property
    def memory(self) -> int:
        """The memory that its process may use."""
        return memory() if is_foreign(self.checks.schemas, _beginning(self.path)) else MEMORY

    def run(self) -> FileFindings:
        """In a worker: check the file."""
        self.mark.write_text(f"{os.getpid()} {time.process_time()}", encoding="ascii")
        limit_memory(self.memory)
        return _check(self.path, self.checks)

    def await_result(self, result: Future[FileFindings]) -> FileFindings:
        """Return the result; raises TimeoutError if a worker has checked the file for longer than it may."""
        while True:
            try:
                return result.result(_PAUSE)
            except TimeoutError:
                if self.mark.exists() and self._processor_time() > self.seconds:
                    raise

    def _processor_time(self) -> float:
        """Return the processor time since the file was begun. Where the system does not say, or the process only
        waits, a tenth of the time on the clock."""
        waited = (time.time() - self.mark.stat().st_mtime) / PATIENCE
        pid, _, begun = self.mark.read_text(encoding="ascii").partition(" ")
        used = processor_time(int(pid)) - float(begun) if begun else 0.0
        return max(waited, used)  # not a number is no greater


def _failure(path: Path, what: str, **values: object) -> FileFindings:
    return FileFindings(str(path), failure=Message(what, place=Place(str(path)), **values))


def _findings_in_cache(path: Path, checks: Checks) -> FileFindings | None:
    if not checks.cached or home(path, b"") is None:
        return None
    try:
        data = read(path)
        findings = cached_findings(data, str(path), checks, home(path, data))
    except (JiaokanError, OSError, MemoryError):
        return None  # reported by _check
    return None if findings is None else FileFindings(str(path), findings, _lines(data, findings))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _beginning(path: Path) -> bytes:
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as stream:
                return stream.read(4096)
    return b""


def _begin(sandbox: Sandbox | None) -> None:
    if sandbox:
        confine(sandbox)


def _check(path: Path, checks: Checks) -> FileFindings:
    try:
        data = read(path)
        findings = validate_bytes(data, name=str(path), checks=checks, folder=home(path, data), path=path)
        return FileFindings(str(path), findings, _lines(data, findings))
    except JiaokanError as error:
        return FileFindings(str(path), failure=error.whole)
    except OSError as error:
        return FileFindings(str(path), failure=machine(error).whole)
    except Exception as error:  # a fault of ours at one file must not lose what was found in the others
        if lacks_memory(error):
            return _failure(path, "too-large-memory")
        where = traceback.extract_tb(error.__traceback__)[-1]
        fault = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
        what = Message("not-checked-internal-error-jiaokan", place=Place(str(path)), fault=fault)
        return FileFindings(str(path), failure=Message("please-report-line-file", what=what))


def _lines(data: bytes, findings: Sequence[Finding]) -> dict[int, str]:
    wanted = {finding.place.line for finding in findings if finding.place.line}
    if not wanted:
        return {}
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode()
    every = data.split(b"\n")
    return {n: every[n - 1].decode("utf-8", "replace").rstrip("\r") for n in wanted if n <= len(every)}


def changed_since(revision: str, files: Sequence[Path]) -> tuple[Path, ...]:
    """Return those of the files that differ from `revision` or are not under git yet, in their order.

    Contents are compared here, not by ``git diff``: that runs the filters of a repository's settings. A file that is
    stored by a filter (Git LFS) counts as changed.

    Raises TeiError if a file lies in no repository, or the repository has no such revision.
    """
    trees: dict[Path, dict[str, str]] = {}
    changed_paths: set[Path] = set()
    new: dict[Path, list[str]] = {}
    for path in map(Path.resolve, files):
        if path.parent not in trees:
            trees[path.parent] = _tree(path.parent, revision)
        if (known := trees[path.parent].get(path.name)) is None:
            new.setdefault(path.parent, []).append(path.name)
        elif not _is_same(path, known):
            changed_paths.add(path)
    for folder, names in new.items():
        try:
            ignored_names = git(folder, "check-ignore", "-z", "--stdin", inside=True, data="\0".join(names).encode())
        except SourceError:  # which it also is where it ignores none of them
            ignored_names = b""
        changed_paths |= {folder / name for name in names if name not in ignored_names.decode().split("\0")}
    return tuple(file for file in files if file.resolve() in changed_paths)


def _is_same(path: Path, known: str) -> bool:
    try:
        data = read(path)
    except TeiError:
        return False  # reported where it is checked
    return known in (_hash(data, len(known)), _hash(data.replace(b"\r\n", b"\n"), len(known)))


def _tree(folder: Path, revision: str) -> dict[str, str]:
    try:
        name = f"{revision}^{{commit}}"
        commit = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name, inside=True).decode().strip()
        listed = git(folder, "ls-tree", "-z", commit, inside=True)
    except SourceError as error:
        reason = error.message if error.message.count(": ") else Message("revision-missing")
        raise TeiError(Message("changed-since", revision=revision, reason=reason), place=error.place) from None
    rows = (row.partition("\t") for row in listed.decode(errors="surrogateescape").split("\0") if row)
    return {name: head.split()[2] for head, _, name in rows}


def _hash(data: bytes, digits: int) -> str:
    kind = "sha1" if digits == 40 else "sha256"
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
