"""The ceiling of a process that reads what strangers wrote: its memory, its time, and what it prints."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import ceil, nan
from pathlib import Path
from typing import IO

from jiaokan.errors import JiaokanError, Message, Place, SystemFault

MEMORY, SECONDS = 2**30, 60.0
"""The ceiling of a process that reads what strangers wrote: bytes of memory, and seconds of processor time, so that a
busy machine builds what a free one builds. Each megabyte of input adds a second. `JIAOKAN_MEMORY` (in megabytes) and
`JIAOKAN_SECONDS` set others."""
PATIENCE = 10
"""So many times these seconds may pass on the clock: a process that only waits uses no processor time."""
_NO_TIME_LEFT = None if sys.platform == "win32" else -signal.SIGXCPU
_NEAR = 0.75
"""A process that was killed with this part of the ceiling in memory was short of memory; with less, somebody else
ended it."""
_PRINTED = 4
"""What a program may print is this part of the ceiling: what it prints is read, and kept as text, besides."""


def run_nothing_from_here() -> None:
    """Prevent processes started from now on from running files in the current folder.

    `python -c`, by which Python starts workers, puts that directory first on `sys.path` (PYTHONSAFEPATH keeps it out),
    and Windows looks for programs there first.
    """
    os.environ.update(PYTHONSAFEPATH="1", NoDefaultCurrentDirectoryInExePath="1")


def seconds() -> float:
    """Return the processor time that a process may take that reads what strangers wrote, before what its input adds."""
    return _setting("JIAOKAN_SECONDS") or SECONDS


def memory() -> int:
    """Return the memory in bytes that such a process may use."""
    return _setting("JIAOKAN_MEMORY") * 2**20 or MEMORY


def _setting(variable: str) -> int:
    value = os.environ.get(variable, "")
    return int(value) if value.isdecimal() else 0


def limit_memory(limit: int = 0) -> None:
    """Limit the memory of this process, by default to the ceiling. Only Linux counts what is used; elsewhere there is
    no limit."""
    if sys.platform == "linux":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        wanted = limit or memory()
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))


def limit_time(limit: float) -> None:
    """Limit the processor time of this process. It ends by a signal, and a second later by one that nothing stops."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the signal writes the memory to a file otherwise
        resource.setrlimit(resource.RLIMIT_CPU, _time_limits(limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _time_limits(limit: float, hard: int) -> tuple[int, int]:
    wanted = ceil(limit)
    return (wanted, wanted + 1) if hard < 0 else (min(wanted, hard), min(wanted + 1, hard))


def run_limited(
    command: Sequence[str], environment: Mapping[str, str], data: bytes = b"", limit: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a program within the ceiling of memory and time (`limit`, by default the usual one), and of what it prints:
    a quarter of that memory. Raises JiaokanError if it takes longer, SystemFault if it prints more, and
    FileNotFoundError if it is not installed."""
    run_nothing_from_here()
    allowed = limit or seconds()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=dict(environment))
    if sys.platform == "linux":
        import resource

        with suppress(ProcessLookupError, PermissionError):  # it ends, too, if this process is killed
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory(), memory()))
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
            resource.prlimit(process.pid, resource.RLIMIT_CPU, _time_limits(allowed, -1))
    ended = wait_for(process, data, allowed, memory() // _PRINTED)
    if ended.too_long:
        raise too_long(ended.too_long)
    if ended.cut:
        megabytes = memory() // _PRINTED // 2**20
        raise SystemFault(Message("program-prints-too-much", program=command[0], megabytes=megabytes),
                          mend=Message("give-smaller-files-or-memory"))
    return subprocess.CompletedProcess(command, ended.code, ended.stdout, ended.stderr)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended."""

    code: int
    stdout: bytes
    stderr: bytes
    too_long: float = 0.0
    """The seconds that it took longer than, if it did."""
    cut: bool = False
    """It printed more than it may."""
    peak: int = 0
    """The bytes of memory that it had; 0 where the system does not say."""

    @property
    def was_killed(self) -> bool:
        """Whether somebody else ended it."""
        return sys.platform == "linux" and self.code in (-signal.SIGKILL, -signal.SIGTERM) and (
            self.peak < _NEAR * memory() or self.peak <= own_peak())


def own_peak() -> int:
    """Return the most memory that this process had, in bytes: a child's peak begins with it."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def wait_for(process: subprocess.Popen[bytes], data: bytes, limit: float | None, most: int = 0) -> Ended:
    """Send a process its input and return how it ended: by itself, or by the ceilings of time (`limit`) and of what it
    prints (`most` bytes)."""
    late, used, peak = 0.0, 0.0, 0
    with process, ThreadPoolExecutor(3) as threads:
        input_task = threads.submit(_write, process, data)
        printed = [threads.submit(_read, process, stream, most) for stream in (process.stdout, process.stderr)]
        try:
            used, peak = _wait_for_end(process, limit * PATIENCE if limit else None)
        except subprocess.TimeoutExpired as error:
            late = error.timeout
        finally:
            process.kill()
        input_task.result()
        out, error_output = (part.result() for part in printed)
    code = process.returncode
    if limit and (code == _NO_TIME_LEFT or (code == -signal.SIGKILL and used >= ceil(limit))):
        late = late or limit
    return Ended(code, out or b"", error_output or b"", late, cut=None in (out, error_output), peak=peak)


def _wait_for_end(process: subprocess.Popen[bytes], patience: float | None) -> tuple[float, int]:
    """Wait for the end of a process; return its processor time in seconds and its peak of memory in bytes. Raises
    subprocess.TimeoutExpired after `patience` seconds."""
    if sys.platform == "win32":
        process.wait(patience)
        return 0.0, 0
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(process)

    timer = threading.Timer(patience or 0, end)
    if patience:
        timer.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if late.is_set():
        raise subprocess.TimeoutExpired(process.args, patience or 0)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, but leave it to `_wait_for_end` to read how it ended; Popen.kill would read it."""
    if sys.platform == "win32":
        process.kill()
    elif process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin:  # it need not read all
            process.stdin.write(data)


def _read(process: subprocess.Popen[bytes], stream: IO[bytes] | None, most: int) -> bytes | None:
    """Return what a program prints; None if it is more than it may print, and the program is ended."""
    printed = bytearray()
    while part := stream.read(2**16) if stream else b"":
        printed += part
        if most and len(printed) > most:
            _end(process)
            return None
    return bytes(printed)


def too_long(limit: float, name: str = "") -> JiaokanError:
    """Return the error of what takes longer than the ceiling; `name` is what was read."""
    return JiaokanError(Message("reading-takes-more-s", seconds=round(limit)), place=Place(name) if name else None,
                        mend=Message("give-fewer-smaller-files-allow"))


def no_memory(name: str) -> JiaokanError:
    """Return the error of a process that needs more memory than the ceiling. Libraries end such a process themselves,
    or raise MemoryError."""
    return SystemFault(Message("reading-takes-more-memory", gigabytes=f"{memory() / 2**30:g}"),
                       place=Place(name), mend=Message("give-smaller-files-or-memory"))


def processor_time(pid: int) -> float:
    """Return the seconds of processor time that a process has used; nan where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime, stime: proc_pid_stat(5)
    return nan
