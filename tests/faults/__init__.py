"""What a machine can refuse, refused on purpose: each write, rename, folder, process and allocation of a build, one at
a time. `make faults` does all of them; `tests/test_faults.py` asks a few each time.

A `Shim` stands, inside the process, between the program and the functions by which Python reaches the system; it
counts the calls and makes the n-th fail as a full or a broken disk, a missing right, too little memory or Ctrl-C would.
What only looks (a file opened to be read, a folder listed) counts once for each line of the program that asks for it;
what Python does to import a module goes by other doors.
"""

from __future__ import annotations

import builtins
import errno
import io
import multiprocessing.util
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from jiaokan.cli import cli, main

PACKAGE = str(Path(__file__).parents[2] / "pipeline" / "jiaokan") + os.sep
CALLS = ("mkdir", "rmdir", "replace", "rename", "unlink", "remove", "link", "fsync", "open", "sendfile", "scandir")
"""Functions of `os` by which files and folders are made, renamed, taken away and listed; pathlib and shutil call
these."""
SPAWNS = ((subprocess.Popen, "_execute_child"), (multiprocessing.util, "spawnv_passfds"), (threading.Thread, "start"))
"""Where a process or a thread begins."""
KINDS: dict[str, Callable[[str], BaseException]] = {
    "ENOSPC": lambda name: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name),
    "EIO": lambda name: OSError(errno.EIO, os.strerror(errno.EIO), name),
    "EACCES": lambda name: PermissionError(errno.EACCES, os.strerror(errno.EACCES), name),
    "MemoryError": lambda _: MemoryError(),
    "KeyboardInterrupt": lambda _: KeyboardInterrupt(),
}
"""What is raised, by the name of what it is like."""
_WRITES = "wax+"
GUARDS = (main.__code__, type(cli).invoke.__code__)
"""What tells errors, and what calls it: nothing stands round them while they are called themselves."""


@dataclass
class Shim:
    """Counts what the process asks of the system and lets one of it fail."""

    at: int = 0
    """The number of the call that fails, from 1; 0: none."""
    kind: str = "ENOSPC"
    functions: bool = False
    """Count first calls of the program's own functions instead: where each of them could run out of memory."""
    points: list[str] = field(default_factory=list)
    """What was asked, in order."""
    lines: set[str] = field(default_factory=set)
    """The lines of the program that have looked at something."""
    main: int = field(default_factory=os.getpid)

    def point(self, what: str, name: object = "", *, looks: bool = False) -> None:
        """One call of the system; raises if it is the one that fails. One that only looks counts once for its line."""
        if os.getpid() == self.main and not (looks and self._known(what)):
            self.points.append(f"{what} {name if isinstance(name, str | os.PathLike) else ''}".strip())
            if len(self.points) == self.at:
                raise KINDS[self.kind](str(name))

    def _known(self, what: str) -> bool:
        """Whether a line of the program has asked for this before; what is done for nobody's sake is known."""
        frame: FrameType | None = sys._getframe(2)
        while frame and not frame.f_code.co_filename.startswith(PACKAGE):
            frame = frame.f_back
        line = f"{what} {frame.f_code.co_filename}:{frame.f_lineno}" if frame else ""
        known = not line or line in self.lines
        self.lines.add(line)
        return known

    def install(self) -> None:
        """Put it between this process and the system, until the process ends."""
        if self.functions:
            self._profile()
            return
        for name in CALLS:
            self._wrap(os, name)
        for owner, name in SPAWNS:
            self._wrap(owner, name)
        io.open = builtins.open = self._open(io.open)  # type: ignore[assignment]

    def _wrap(self, owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def called(*arguments: Any, **named: Any) -> Any:
            first = arguments[0] if arguments and owner is os else ""
            looks = name == "scandir" or (name == "open" and not arguments[1] & (os.O_WRONLY | os.O_RDWR))
            self.point("look" if looks and name == "open" else name.strip("_"), first, looks=looks)
            return real(*arguments, **named)

        setattr(owner, name, called)

    def _open(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return an `open` whose files fail while they are written: half of what was to be written is on the disk."""
        def opened(file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None,
                   errors: str | None = None, newline: str | None = None, *rest: Any, **named: Any) -> Any:
            writes = any(sign in mode for sign in _WRITES)
            self.point("open" if writes else "look", file, looks=not writes)
            if isinstance(file, int) or not writes or rest or named:
                return real(file, mode, buffering, encoding, errors, newline, *rest, **named)
            raw = _Torn(os.fspath(file), mode.replace("b", "").replace("t", ""))
            raw.shim = self
            binary = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return binary if "b" in mode else io.TextIOWrapper(binary, encoding, errors, newline)

        return opened

    def _profile(self) -> None:
        """Have each function of the program count once, when it is called for the first time."""
        seen: set[Any] = set()

        def called(frame: FrameType, event: str, _: Any) -> None:
            code = frame.f_code
            if event == "call" and code not in seen and code.co_filename.startswith(PACKAGE):
                seen.add(code)
                if code.co_name != "<module>" and code not in GUARDS:
                    self.point(f"{code.co_filename[len(PACKAGE):]}:{code.co_firstlineno}", code.co_name)

        sys.setprofile(called)


class _Torn(io.FileIO):
    """A file of a disk that refuses one write, and from then on every other to this file."""

    shim: Shim
    broken: BaseException | None = None

    def write(self, data: Any) -> int:
        """Write, or half of it and fail."""
        if self.broken is None:
            try:
                self.shim.point("write", str(self.name))
            except BaseException as error:
                self.broken = error
                super().write(bytes(data)[: len(bytes(data)) // 2])
        if self.broken is not None:
            raise self.broken
        return super().write(data) or 0
