"""Confine a process to the files that it has to read: for untrusted files, folders and schemas.

Python calls its audit hooks (PEP 578) before it opens a file, an address or a program, so that one function can refuse;
a hook cannot be removed. Libraries that open files without Python (libxml2, Saxon) receive only documents that Python
has read, and are configured to open nothing (`jiaokan.tei.tree.parse`, `jiaokan.system.xslt.transform_by`,
`jiaokan.validate.schema.given`). This is a second line of defence, not a container: run untrusted code in a container.
"""

from __future__ import annotations

import atexit
import errno
import mimetypes
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jiaokan.system.listing import resource

_LISTED = frozenset({"os.listdir", "os.scandir"})
_CHANGED = frozenset({"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate",
                      "os.chmod", "os.chown", "os.utime"})
_RUN = frozenset({"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile"})
_REACHED = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
                      "socket.gethostbyname", "socket.gethostbyaddr", "urllib.Request"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = ("/dev/null", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/fs/cgroup")
"""What Python itself reads on Linux: random numbers, the number of cores, memory."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a confined process may access: files and folders with everything below."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]
    temporary: str  # the writable folder for temporary files
    programs: tuple[str, ...] = ()  # programs that it may run besides itself

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Raise PermissionError, as the system would, for what is not allowed."""
        if event == "open":
            path, mode, flags = arguments
            writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else bool(flags & _WRITING)
            self._require_inside(path, self.writable if writes else (*self.readable, *self.writable))
        elif event in _LISTED:
            self._require_inside(arguments[0] if arguments[0] is not None else ".", (*self.readable, *self.writable))
        elif event in _CHANGED:
            for path in arguments[: 2 if event in ("os.rename", "os.link") else 1]:
                self._require_inside(path, self.writable)
        elif event in _RUN:
            if str(arguments[0]) not in (sys.executable, *self.programs):
                raise PermissionError(errno.EACCES, f"the sandbox runs no program: {arguments[0]}")
        elif event in _REACHED and not _local(event, arguments):
            raise PermissionError(errno.EACCES, "the sandbox uses no network")

    def _require_inside(self, path: Any, allowed: Iterable[str]) -> None:
        if isinstance(path, int):  # already open
            return
        real = os.path.realpath(os.fsdecode(path))
        if not any(real == home or real.startswith(home.rstrip(os.sep) + os.sep) for home in allowed):
            raise PermissionError(errno.EACCES, "outside the sandbox", os.fsdecode(path))


def _local(event: str, arguments: tuple[object, ...]) -> bool:
    """Whether a network event is local: a socket with a path, or a file: URL (opening it is an event of its own)."""
    if event == "urllib.Request":
        return str(arguments[0]).startswith("file:")
    return event in ("socket.connect", "socket.bind") and isinstance(arguments[1], str | bytes)


def around(looked_at: Iterable[Path], *, keeps: Iterable[Path] = (), programs: Iterable[str] = ()) -> Sandbox:
    """Return the sandbox for some files and folders; the current folder and the installed program are readable, too.

    `keeps` are writable folders besides a temporary one.
    """
    temporary = os.path.realpath(tempfile.mkdtemp(prefix="jiaokan-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    home = [*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, *filter(None, sys.path),
            str(Path(__file__).parents[2]), resource("schema"), resource("xslt")]
    readable = {os.path.realpath(str(path)) for path in (os.curdir, *looked_at, *home)}
    writable = {os.path.realpath(str(path)) for path in (temporary, *keeps)}
    return Sandbox((*sorted(readable), *_DEVICES), (*sorted(writable), os.devnull), temporary, tuple(programs))


def confine(sandbox: Sandbox) -> None:
    """Confine this process until it ends; processes that it starts must call this again."""
    tempfile.tempdir = os.environ["TMPDIR"] = sandbox.temporary
    if not mimetypes.inited:  # reads system files; urllib needs it when xmlschema opens a schema
        mimetypes.init()
    sys.addaudithook(sandbox.audit)
