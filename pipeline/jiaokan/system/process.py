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
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import ParamSpec, TypeVar, TypeVarTuple

from jiaokan.errors import JiaokanError, Message, Place, SystemFault, lacks_memory, machine
from jiaokan.system.ceiling import Ended, no_memory, run_nothing_from_here, seconds, too_long, wait_for

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")
_Call = tuple[Callable[..., object], tuple[object, ...], dict[str, object]]
"""A function, its arguments, and those by name."""
_CODE = """import sys, pickle
from jiaokan.system.process import _answer
sys.stdout.buffer.write(_answer(lambda: pickle.load(sys.stdin.buffer)))"""
_LIMITED = """import sys, pickle
from jiaokan.system.ceiling import limit_memory, limit_time
from jiaokan.system.process import _answer, _end_with_parent
_end_with_parent()
limit_memory()
limit_time(float(sys.argv[1]))
sys.stdout.buffer.write(_answer(lambda: pickle.load(sys.stdin.buffer)))"""
_ARENAS = {"MALLOC_ARENA_MAX": "2"}
"""With an arena for each thread of Typst, glibc keeps several times the memory (mallopt(3))."""
_FORKING: list[bool] = []
_PR_SET_PDEATHSIG = 1  # Linux, prctl(2): the signal that a process gets when its parent ends


def workers(jobs: int, begin: Callable[[*_Ts], None], *arguments: *_Ts) -> ProcessPoolExecutor:
    """Return a pool of `jobs` processes, each of which first calls `begin(*arguments)`.

    They are spawned on every system, whatever Python's default there: a fork copies locks that threads hold, and a
    fork server, the default of Python 3.14 on Linux, cannot be reached in a sandbox.
    """
    run_nothing_from_here()
    os.environ.update(_ARENAS)
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=begin, initargs=arguments)


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
        """The processor time that reading may take."""
        return seconds() + self.size / 2**20


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(entry.lstat().st_size for entry in path.rglob("*"))
    return path.stat().st_size if path.exists() else 0


def call_within_limits(inputs: Inputs, function: Callable[_P, _T], /, *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Call a function of a module as `apart` does, within the ceiling of memory and time. Raises the JiaokanError that
    the function raises, JiaokanError if it takes longer, and SystemFault if it needs more memory or others end it."""
    call: _Call = (function, arguments, named)
    ended = _run_python(call, _LIMITED, str(inputs.seconds), limit=inputs.seconds)
    if ended.too_long:
        raise too_long(ended.too_long, inputs.name)
    if ended.code == 1:  # what Python did not expect: a fault of ours
        raise RuntimeError(ended.stderr.decode(errors="replace"))
    if ended.was_killed:
        raise SystemFault(Message("process-killed"), place=Place(inputs.name), mend=Message("run-command-again"))
    if ended.code:
        raise no_memory(inputs.name)
    answer: _T | JiaokanError = pickle.loads(ended.stdout)
    if isinstance(answer, JiaokanError):
        raise no_memory(inputs.name) if answer.message.id == "not-enough-memory" else answer
    return answer


def serve_alone() -> None:
    """In a worker: ignore Ctrl-C, end when the main process has ended in any way, and let `apart` fork."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    _FORKING.append(sys.platform == "linux")


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if parent is not None and os.getppid() != parent.pid:  # it ended while this process began: no signal comes
            os._exit(1)
        return

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
    ended = _run_python(call, _CODE)
    _check_end(ended.code, ended.stderr)
    return ended.stdout


def _run_python(call: _Call, program: str, *arguments: str, limit: float | None = None) -> Ended:
    """Call a function in a new process; return how it ended, with what it wrote."""
    run_nothing_from_here()
    paths = [*filter(None, sys.path), str(Path(__file__).parents[2])]  # an empty one is the working directory
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **_ARENAS})
    return wait_for(process, pickle.dumps(call), limit)


def _check_end(code: int, stderr: bytes = b"") -> None:
    if code:
        raise JiaokanError(Message("process-ended", why=_last_line(stderr) or code), mend=Message("enough-memory"))


def _last_line(output: bytes) -> str:
    return "".join(output.decode(errors="replace").strip().splitlines()[-1:])


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
