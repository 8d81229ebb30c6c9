"""Other processes: a pool of workers, or one process for one call, whose memory is free again afterwards.

No process imports a module from the folder in which one works: that may be a stranger's edition folder.
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
    """Let no process that is started from now on run what lies in the working directory.

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
    """Call a function of a module, its arguments and result being pickled; where it is `roomy`, call it here.

    Not by `multiprocessing`, which loads the main module of the caller a second time. Raises the JiaokanError that the
    function raises.
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
        raise JiaokanError(f"a process ended: {''.join(last) or done.returncode}", mend="too little memory?")
    answer: _T | JiaokanError = pickle.loads(done.stdout)
    if isinstance(answer, JiaokanError):
        raise answer
    return answer


@contextmanager
def roomy() -> Iterator[None]:
    """Say that there is memory for all that is done meanwhile: then nothing needs a process of its own, which takes
    half a second of the processor to start and to load what this one has."""
    before = _ROOMY.set(True)
    try:
        yield
    finally:
        _ROOMY.reset(before)


def room() -> bool:
    """Tell whether it is `roomy`: whether what may be asked again may be kept."""
    return _ROOMY.get()


def _answer() -> None:
    """In that process: give the result, or the error that there was."""
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
    """Pause the search for cycles while documents are made: they are trees, and it takes longer the more there are.

    Of a collation it would take a fifth of the time, of a build with nothing to do a quarter. Also a decorator.
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
    """Leave what memory holds now out of the search for cycles: what stays until the end need not be looked through
    again and again."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
