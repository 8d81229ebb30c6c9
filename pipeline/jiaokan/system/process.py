"""Other processes: a pool of workers, or one process for one call; pauses of the garbage collector.

No process imports modules from the current folder: it may be an untrusted edition folder.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, TypeVarTuple

from jiaokan.errors import JiaokanError, Message, Place, SystemFault, lacks_memory, machine

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")
_Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]  # A function, its arguments, and those by name
_CODE = """import sys, pickle
from jiaokan.system.process import _answer
sys.stdout.buffer.write(_answer(lambda: pickle.load(sys.stdin.buffer)))"""
MEMORY, SECONDS = 2**30, 60.0
"""The ceiling of a process that reads what strangers wrote: bytes of memory, and seconds. Each megabyte of input adds a
second. `JIAOKAN_MEMORY` (in megabytes) and `JIAOKAN_SECONDS` set others."""
_PRINTED = 4
"""What a program may print is this part of the ceiling: what it prints is read, and kept as text, besides."""
_LIMITED = """import sys, pickle
from jiaokan.system.process import _answer, _end_with_parent, limit_memory
_end_with_parent()
limit_memory()
sys.stdout.buffer.write(_answer(lambda: pickle.load(sys.stdin.buffer)))"""
_ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""With an arena for each thread of Typst, glibc keeps several times the memory (mallopt(3))."""
_FORKING: list[bool] = []
_PR_SET_PDEATHSIG = 1  # Linux, prctl(2): the signal that a process gets when its parent ends


def run_nothing_from_here() -> None:
    """Prevent processes started from now on from running files in the current folder.

    `python -c`, by which Python starts workers, puts that directory first on `sys.path` (PYTHONSAFEPATH keeps it out),
    and Windows looks for programs there first.
    """
    os.environ.update(PYTHONSAFEPATH="1", NoDefaultCurrentDirectoryInExePath="1")


def workers(jobs: int, begin: Callable[[*_Ts], None], *given: *_Ts) -> ProcessPoolExecutor:
    """Return a pool of `jobs` processes, each of which first calls `begin(*given)`.

    They are spawned on every system, whatever Python's default there: a fork copies locks that threads hold, and a
    fork server, the default of Python 3.14 on Linux, cannot be reached in a sandbox.
    """
    run_nothing_from_here()
    os.environ.update(_ARENAS)
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=begin, initargs=given)


def apart(function: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Call a function of a module in a process of its own, which frees its memory afterwards.

    Arguments and result are pickled. A worker (`serve_alone`) without threads is forked, which saves the third of a
    second of CPU that imports take. Any other process starts Python: not by `multiprocessing`, which loads the main
    module of the caller a second time. Raises the JiaokanError that the function raises.
    """
    call: _Call = (function, arguments, named)
    answer: _T | JiaokanError = pickle.loads(_by_fork(call) if can_fork() else _by_python(call))
    if isinstance(answer, JiaokanError):
        raise answer
    return answer


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a limited process reads: its name in messages, and its size in bytes, which the time depends on."""

    name: str
    size: int

    @classmethod
    def of(cls, *paths: Path) -> Inputs:
        """Return files and folders with all below them."""
        return cls(", ".join(map(str, paths)), sum(map(_size, paths)))

    @property
    def seconds(self) -> float:
        """The time that reading may take."""
        return seconds() + self.size / 2**20


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(each.lstat().st_size for each in path.rglob("*"))
    return path.stat().st_size if path.exists() else 0


def bounded(inputs: Inputs, function: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Call a function of a module as `apart` does, within the ceiling of memory and time. Raises the JiaokanError that
    the function raises, and JiaokanError if it needs more."""
    call: _Call = (function, arguments, named)
    code, out, said = _run_python(call, _LIMITED, inputs)
    if code == 1:  # what Python did not expect: a fault of ours
        raise RuntimeError(said.decode(errors="replace"))
    if code:
        raise _no_memory(inputs.name)
    answer: _T | JiaokanError = pickle.loads(out)
    if isinstance(answer, JiaokanError):
        raise _no_memory(inputs.name) if answer.message.id == "not-enough-memory" else answer
    return answer


def _no_memory(name: str) -> JiaokanError:
    """Return the error of a process that needs more memory than the ceiling. Libraries end such a process themselves,
    or raise MemoryError."""
    return SystemFault(Message("reading-takes-more-memory", gigabytes=f"{memory() / 2**30:g}"),
                       place=Place(name), mend=Message("give-smaller-files-or-memory"))


def seconds() -> float:
    """Return the time that a process may take that reads what strangers wrote, before what its input adds."""
    return _named("JIAOKAN_SECONDS") or SECONDS


def memory() -> int:
    """Return the memory in bytes that such a process may use."""
    return _named("JIAOKAN_MEMORY") * 2**20 or MEMORY


def _named(variable: str) -> int:
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


def run_limited(
    command: Sequence[str], environment: Mapping[str, str], data: bytes = b"", limit: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a program within the ceiling of memory and time (`limit`, by default the usual one), and of what it prints:
    a quarter of that memory. Raises JiaokanError if it takes longer, SystemFault if it prints more, and
    FileNotFoundError if it is not installed."""
    run_nothing_from_here()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=dict(environment))
    time_left = limit or seconds()
    if sys.platform == "linux":
        import resource

        with suppress(ProcessLookupError, PermissionError):  # it ends, too, if this process is killed
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory(), memory()))
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (ceil(time_left), ceil(time_left) + 1))
    with process, ThreadPoolExecutor(3) as threads:
        given = threads.submit(_write, process, data)
        printed = [threads.submit(_read, process, stream) for stream in (process.stdout, process.stderr)]
        try:
            process.wait(time_left)
        except subprocess.TimeoutExpired:
            raise too_long(time_left) from None
        finally:
            process.kill()
        given.result()
        out, said = (part.result() for part in printed)
    if out is None or said is None:
        megabytes = memory() // _PRINTED // 2**20
        raise SystemFault(Message("program-prints-too-much", program=command[0], megabytes=megabytes),
                          mend=Message("give-smaller-files-or-memory"))
    return subprocess.CompletedProcess(command, process.returncode, out, said)


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    if process.stdin is not None:
        with suppress(BrokenPipeError), process.stdin:  # it need not read all
            process.stdin.write(data)


def _read(process: subprocess.Popen[bytes], stream: IO[bytes] | None) -> bytes | None:
    """Return what a program prints; None if it is more than it may print, and the program is ended."""
    printed = bytearray()
    while part := stream.read(2**16) if stream else b"":
        printed += part
        if len(printed) > memory() // _PRINTED:
            process.kill()
            return None
    return bytes(printed)


def too_long(limit: float, name: str = "") -> JiaokanError:
    """Return the error of what takes longer than the ceiling; `name` is what was read."""
    return JiaokanError(Message("reading-takes-more-s", seconds=round(limit)), place=Place(name) if name else None,
                        mend=Message("give-fewer-smaller-files-allow"))


def serve_alone() -> None:
    """In a worker: ignore Ctrl-C, end when the main process has ended in any way, and let `apart` fork."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    _FORKING.append(sys.platform == "linux")


def _end_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        return
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def can_fork() -> bool:
    """Whether `apart` forks: this is a worker without threads. Those of Typst and Saxon would be missing in the child,
    which would wait for them forever."""
    return any(_FORKING) and len([*Path("/proc/self/task").iterdir()]) == 1


def _by_fork(call: _Call) -> bytes:
    """Return the pickled answer to a call in a copy of this process."""
    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    child = context.Process(target=_reply, args=(call, writing))
    child.start()
    writing.close()
    answer = b""
    with suppress(EOFError):
        answer = reading.recv_bytes()
    child.join()
    _check_end(child.exitcode or 0)
    return answer


def _reply(call: _Call, to: Connection) -> None:
    _end_with_parent()
    to.send_bytes(_answer(lambda: call))


def _by_python(call: _Call) -> bytes:
    """Return the pickled answer to a call in a new process."""
    code, out, said = _run_python(call, _CODE)
    _check_end(code, said)
    return out


def _run_python(call: _Call, program: str, inputs: Inputs | None = None) -> tuple[int, bytes, bytes]:
    """Call a function in a new process; return its exit code and what it wrote. Raises JiaokanError if it takes longer
    than `inputs` allow."""
    run_nothing_from_here()
    paths = [*filter(None, sys.path), str(Path(__file__).parents[2])]  # an empty one is the working directory
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", program], input=pickle.dumps(call), capture_output=True,
            timeout=inputs.seconds if inputs else None,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **_ARENAS}, check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise too_long(error.timeout, inputs.name if inputs else "") from None
    return done.returncode, done.stdout, done.stderr


def _check_end(code: int, said: bytes = b"") -> None:
    if code:
        raise JiaokanError(Message("process-ended", why=_last_line(said) or code), mend=Message("enough-memory"))


def _last_line(said: bytes) -> str:
    return "".join(said.decode(errors="replace").strip().splitlines()[-1:])


def _answer(load: Callable[[], _Call]) -> bytes:
    """In the child process: return the pickled result or the error. Loading the call imports its modules."""
    try:
        function, arguments, named = load()
        return pickle.dumps(function(*arguments, **named))
    except JiaokanError as error:
        return pickle.dumps(error)
    except (OSError, RecursionError, MemoryError, ImportError) as error:
        if isinstance(error, ImportError) and not lacks_memory(error):
            raise
        return pickle.dumps(machine(error))


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause the garbage collector: documents are trees, and it takes longer the more of them there are.

    It would take a fifth of the time of a collation, a quarter of a build with nothing to do. Also a decorator.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
