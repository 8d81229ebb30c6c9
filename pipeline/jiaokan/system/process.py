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
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, TypeVarTuple

from jiaokan.errors import JiaokanError, Message, machine

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")
_Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]  # A function, its arguments, and those by name
_CODE = """import sys, pickle
from jiaokan.system.process import _answer
sys.stdout.buffer.write(_answer(pickle.load(sys.stdin.buffer)))"""
MEMORY, SECONDS = 2**30, 60.0
"""The ceiling of a process that reads what strangers wrote: bytes, and seconds (`JIAOKAN_SECONDS` names others)."""
_LIMITED = """import sys, pickle
from jiaokan.system.process import _answer, limit_memory
limit_memory()
sys.stdout.buffer.write(_answer(pickle.load(sys.stdin.buffer)))"""
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


def bounded(function: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Call a function of a module as `apart` does, within the ceiling of memory and time. Raises the JiaokanError that
    the function raises, and JiaokanError if it needs more."""
    call: _Call = (function, arguments, named)
    answer: _T | JiaokanError = pickle.loads(_by_python(call, _LIMITED, seconds()))
    if isinstance(answer, JiaokanError):
        raise answer
    return answer


def seconds() -> float:
    """Return the time that a process may take that reads what strangers wrote."""
    named = os.environ.get("JIAOKAN_SECONDS", "")
    return float(named) if named.isdecimal() and int(named) else SECONDS


def limit_memory() -> None:
    """Limit the memory of this process to the ceiling. Only Linux counts what is used; elsewhere there is no limit."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def run_limited(
    command: Sequence[str], environment: Mapping[str, str], data: bytes = b"", limit: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a program within the ceiling of memory and time (`limit`, by default the usual one). Raises JiaokanError if
    it takes longer, and FileNotFoundError if it is not installed."""
    run_nothing_from_here()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=dict(environment))
    if sys.platform == "linux":
        import resource

        with suppress(ProcessLookupError, PermissionError):
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
    with process:
        try:
            out, said = process.communicate(data, timeout=limit or seconds())
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise _too_long() from None
    return subprocess.CompletedProcess(command, process.returncode, out, said)


def _too_long() -> JiaokanError:
    return JiaokanError(Message("reading-takes-more-s", seconds=seconds()),
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
    to.send_bytes(_answer(call))


def _by_python(call: _Call, code: str = _CODE, limit: float | None = None) -> bytes:
    """Return the pickled answer to a call in a new process; raises JiaokanError if it takes longer than `limit`."""
    run_nothing_from_here()
    paths = [*filter(None, sys.path), str(Path(__file__).parents[2])]  # an empty one is the working directory
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], input=pickle.dumps(call), capture_output=True, timeout=limit,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **_ARENAS}, check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_long() from None
    _check_end(done.returncode, done.stderr.decode(errors="replace"))
    return done.stdout


def _check_end(code: int, said: str = "") -> None:
    if code:
        raise JiaokanError(Message("process-ended", why="".join(said.strip().splitlines()[-1:]) or code),
                           mend=Message("enough-memory"))


def _answer(call: _Call) -> bytes:
    """In the child process: return the pickled result or the error."""
    function, arguments, named = call
    try:
        return pickle.dumps(function(*arguments, **named))
    except JiaokanError as error:
        return pickle.dumps(error)
    except (OSError, RecursionError, MemoryError) as error:
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
