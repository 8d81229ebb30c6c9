"""Other processes: a pool of workers, or one process for one call; pauses of the garbage collector.

No process imports modules from the current folder: it may be an untrusted edition folder.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import ParamSpec, TypeVar, TypeVarTuple

from pipeline.errors import JiaokanError, machine

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")
_ROOMY = ContextVar("_ROOMY", default=False)
_CODE = "from pipeline.system.process import _answer; _answer()"


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
    return ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=begin, initargs=given)


def apart(function: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Call a function of a module in a process of its own, which frees its memory afterwards; if `roomy`, call it here.

    Arguments and result are pickled. Not by `multiprocessing`, which loads the main module of the caller a second time.
    Raises the JiaokanError that the function raises.
    """
    if room():
        return function(*arguments, **named)
    run_nothing_from_here()
    paths = [*filter(None, sys.path), str(Path(__file__).parents[2])]  # an empty one is the working directory
    done = subprocess.run(
        [sys.executable, "-P", "-c", _CODE], input=pickle.dumps((function, arguments, named)), capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "MALLOC_ARENA_MAX": "2"}, check=False,
    )
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise JiaokanError(f"a process ended: {''.join(last) or done.returncode}", mend="is there enough memory?")
    answer: _T | JiaokanError = pickle.loads(done.stdout)
    if isinstance(answer, JiaokanError):
        raise answer
    return answer


@contextmanager
def roomy() -> Iterator[None]:
    """Declare that there is memory for everything in this block.

    `apart` then starts no process, which takes half a second of CPU to load what this one has loaded.
    """
    before = _ROOMY.set(True)
    try:
        yield
    finally:
        _ROOMY.reset(before)


def room() -> bool:
    """Whether this is inside `roomy`, so that what may be needed again can stay in memory."""
    return _ROOMY.get()


def _answer() -> None:
    """In the child process: return the result or the error."""
    function, arguments, named = pickle.load(sys.stdin.buffer)
    try:
        answer = function(*arguments, **named)
    except JiaokanError as error:
        answer = error
    except (OSError, RecursionError, MemoryError) as error:
        answer = machine(error)
    sys.stdout.buffer.write(pickle.dumps(answer))


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


@contextmanager
def without_search_of_now() -> Iterator[None]:
    """Exclude all objects that exist now from garbage collection: they stay until the end."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
