"""Python processes of the tests are forked from one that has imported the program, once per worker of the tests.

An import takes 0.3 to 0.9 s of CPU, and tests start hundreds of processes. A forked process has the arguments,
environment, folder, files and parent of a started one. What it cannot show is what happens while Python starts: tests
of that have the mark `starts`, and `make test-all` starts every process.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import multiprocessing.util
import os
import pickle
import pkgutil
import socket
import subprocess
import sys
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
_SUBREAPER, _MOST = 36, 2**20  # prctl(2): PR_SET_CHILD_SUBREAPER; the bytes of a request
_USUAL = {"restore_signals": True, "gid": None, "gids": None, "uid": None, "umask": -1, "start_new_session": False,
          "process_group": -1, "preexec_fn": None, "shell": False}
"""What `subprocess.Popen` is asked for by callers that ask for nothing unusual."""
STARTS: list[object] = []
"""The test that runs, if it has the mark `starts`."""


class Nursery:
    """A process that has imported the program, and forks itself when it is asked to."""

    def __init__(self) -> None:
        self.lock, self.socket = threading.Lock(), None

    def fork(self, arguments: list[str], environment: dict[str, str], folder: str, files: dict[int, int]) -> int:
        """Start `python -c …`; return the number of the process. `files` are ours by their numbers there."""
        path = [*environment.get("PYTHONPATH", "").split(os.pathsep)] if environment.get("PYTHONPATH") else []
        first = [] if "-P" in arguments or environment.get("PYTHONSAFEPATH") else [""]
        at = arguments.index("-c") + 1
        request = pickle.dumps((arguments[at], arguments[at + 1:], environment, folder, [*files], [*first, *path]))
        with self.lock:
            channel = self.socket or self._begin()
            socket.send_fds(channel, [request], [*files.values()])
            return int(channel.recv(32))

    def _begin(self) -> socket.socket:
        import ctypes

        ctypes.CDLL(None).prctl(_SUBREAPER, 1)  # a process whose parent has ended is then ours
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (self.socket, other):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _MOST)
        started = subprocess.Popen(
            [sys.executable, "-P", "-c",  # the usual path is kept as it is: an installation may name our folder, too
             f"import sys; base = [*sys.path]; sys.path[:0] = {[str(ROOT / 'pipeline'), str(ROOT)]!r}; "
             f"from tests.nursery import _serve; _serve({other.fileno()}, {os.getpid()}, base)"],
            pass_fds=[other.fileno()])
        other.close()
        atexit.register(started.wait)
        atexit.register(self.socket.close)
        return self.socket


def forks(command: object, environment: dict[str, str]) -> bool:
    """Whether a command is a Python of ours with a program of ours, and nothing that decides how Python starts."""
    if STARTS or not isinstance(command, list | tuple) or len(command) < 3 or command[0] != sys.executable:
        return False
    before_code = [*command[1:command.index("-c")]] if "-c" in command else ["?"]
    known = {str(ROOT), str(ROOT / "pipeline"), *sys.path}
    paths = set(filter(None, environment.get("PYTHONPATH", "").split(os.pathsep)))
    return (set(before_code) <= {"-P", "-B"} and paths <= known and _decides(environment) == _decides(os.environ))


def _decides(environment: Any) -> dict[str, str]:
    return {key: value for key, value in environment.items()
            if key.startswith("PYTHON") and key not in ("PYTHONPATH", "PYTHONSAFEPATH")}


def use(patch: pytest.MonkeyPatch) -> None:
    """Fork Python processes where that is possible."""
    if sys.platform != "linux":
        return
    nursery, start, spawn = Nursery(), subprocess.Popen._execute_child, multiprocessing.util.spawnv_passfds
    names = start.__code__.co_varnames[2:start.__code__.co_argcount]

    def execute(self: Any, command: Any, *given: Any) -> None:
        asked = dict(zip(names, given, strict=True))
        environment = {os.fsdecode(key): os.fsdecode(value) for key, value in (asked["env"] or os.environ).items()}
        if asked["pass_fds"] or not forks(command, environment) or any(asked[key] != _USUAL[key] for key in _USUAL):
            return start(self, command, *given)
        ends = [asked[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        files = {number: number if end == -1 else end for number, end in enumerate(ends)}
        self.pid = nursery.fork([*map(str, command)], environment, str(Path(asked["cwd"] or ".").absolute()), files)
        self._child_created = True
        self._close_pipe_fds(*(asked[name] for name in (
            "p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")))

    def pool(path: Any, command: list[Any], files: list[int]) -> int:
        texts = [os.fsdecode(part) for part in command]
        if "--multiprocessing-fork" not in texts or not forks([sys.executable, *texts[1:]], dict(os.environ)):
            return int(spawn(path, command, files))
        return nursery.fork(texts, dict(os.environ), str(Path.cwd()), {number: number for number in (0, 1, 2, *files)})

    patch.setattr(subprocess.Popen, "_execute_child", execute)
    patch.setattr(multiprocessing.util, "spawnv_passfds", pool)


def _serve(number: int, parent: int, base: list[str]) -> None:
    """In the nursery: import the program, and fork for each request until its socket is closed."""
    import jiaokan

    channel = socket.socket(fileno=number)
    for module in pkgutil.walk_packages(jiaokan.__path__, "jiaokan."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()
    while True:
        request, files, _, _ = socket.recv_fds(channel, _MOST, 64)
        if not request:
            os._exit(0)
        reading, writing = os.pipe()
        between = os.fork()
        if not between:  # its child has the worker of the tests as its parent, once this process has ended
            child = os.fork()
            if child:
                os.write(writing, str(child).encode())
                os._exit(0)
            while os.getppid() != parent:
                time.sleep(0.001)
            _run(request, files, base)
        os.waitpid(between, 0)
        channel.send(os.read(reading, 32))
        for file in (*files, reading, writing):
            os.close(file)


def _run(request: bytes, files: list[int], base: list[str]) -> None:
    """In the forked process: become what `python -c` would be, and end."""
    code, arguments, environment, folder, numbers, path = pickle.loads(request)
    _place(files, numbers)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    time.tzset()
    sys.argv, sys.path[:] = ["-c", *arguments], [*path, *base]
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", errors="surrogateescape")
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape")
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    end = _execute(code)
    with suppress(Exception):
        threading._shutdown()
        atexit._run_exitfuncs()
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(end & 0xFF)


def _place(files: list[int], numbers: list[int]) -> None:
    """Move open files to the given numbers, all of them first to numbers above, so that none overwrites another."""
    import fcntl  # not on Windows, where nothing is forked

    above = max((*files, *numbers)) + 1
    away = [fcntl.fcntl(file, fcntl.F_DUPFD, above) for file in files]
    os.closerange(3, above)
    for number, file in zip(numbers, away, strict=True):
        os.dup2(file, number)
        os.close(file)


def _execute(code: str) -> int:
    """Execute a program as `python -c` does; return the number with which it ends."""
    try:
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    except SystemExit as error:
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
