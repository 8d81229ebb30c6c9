"""Work done in a process of its own, whose memory is free again afterwards.

Not `multiprocessing`: that loads the main module of whoever calls a second time.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from pipeline.errors import JiaokanError, machine

_P = ParamSpec("_P")
_T = TypeVar("_T")
_ROOMY = ContextVar("_ROOMY", default=False)
_CODE = "from pipeline.system.process import _answer; _answer()"


def apart(function: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
    """Call a function of a module, its arguments and result being pickled; where it is `roomy`, call it here.

    Raises the JiaokanError that it raises.
    """
    if room():
        return function(*arguments, **named)
    done = subprocess.run(
        [sys.executable, "-c", _CODE], input=pickle.dumps((function, arguments, named)), capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MALLOC_ARENA_MAX": "2"}, check=False,
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
