"""A process that touches nothing but what it is to look at: for files, folders and schemas of strangers.

Python tells its audit hooks (PEP 578) of each file, address and program before it is opened, so that one function can
refuse them; a hook stays for ever. Libraries that open files past Python (libxml2, Saxon) are only given documents that
Python read, and are told to open nothing (`pipeline.tei.tree.parse`, `pipeline.system.xslt.transform_by`,
`pipeline.validate.schema.given`). It is a second wall, not a container: who runs code of strangers needs one of these.
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

_LISTED = frozenset({"os.listdir", "os.scandir"})
_CHANGED = frozenset({"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink", "os.truncate",
                      "os.chmod", "os.chown", "os.utime"})
_RUN = frozenset({"subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile"})
_REACHED = frozenset({"socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
                      "socket.gethostbyname", "socket.gethostbyaddr", "urllib.Request"})
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DEVICES = ("/dev/null", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/fs/cgroup")
"""What Python itself asks for on Linux: chance, how many cores there are and how much memory."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What a confined process may touch: folders and files, each with all that is below."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]
    temporary: str
    """The folder of those that are written in which what is only needed for a while lies."""
    programs: tuple[str, ...] = ()
    """Programs that it may run, beside itself."""

    def audit(self, event: str, given: tuple[Any, ...]) -> None:
        """Refuse what is not allowed; raises PermissionError, as the system would."""
        if event == "open":
            path, mode, flags = given
            writes = any(sign in mode for sign in "wax+") if isinstance(mode, str) else bool(flags & _WRITING)
            self._hold(path, self.writable if writes else (*self.readable, *self.writable))
        elif event in _LISTED:
            self._hold(given[0] if given[0] is not None else ".", (*self.readable, *self.writable))
        elif event in _CHANGED:
            for path in given[: 2 if event in ("os.rename", "os.link") else 1]:
                self._hold(path, self.writable)
        elif event in _RUN:
            if str(given[0]) not in (sys.executable, *self.programs):
                raise PermissionError(errno.EACCES, f"the sandbox runs no program: {given[0]}")
        elif event in _REACHED and not _local(event, given):
            raise PermissionError(errno.EACCES, "the sandbox asks no network")

    def _hold(self, path: Any, allowed: Iterable[str]) -> None:
        if isinstance(path, int):  # what is open already
            return
        real = os.path.realpath(os.fsdecode(path))
        if not any(real == each or real.startswith(each.rstrip(os.sep) + os.sep) for each in allowed):
            raise PermissionError(errno.EACCES, "the sandbox keeps out of it", os.fsdecode(path))


def _local(event: str, given: tuple[Any, ...]) -> bool:
    """Whether what looks like a request of the network is none: a socket of this machine by its path, a file by its
    address (whose opening is told by itself)."""
    if event == "urllib.Request":
        return str(given[0]).startswith("file:")
    return event in ("socket.connect", "socket.bind") and isinstance(given[1], str | bytes)


def around(looked_at: Iterable[Path], *, keeps: Iterable[Path] = (), programs: Iterable[str] = ()) -> Sandbox:
    """Give the sandbox for work on some files and folders, the folder in which one works among them.

    `keeps` are folders in which it may write, beside a temporary one of its own. The program's own installation can be
    read.
    """
    own = os.path.realpath(tempfile.mkdtemp(prefix="jiaokan-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    home = [*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, *filter(None, sys.path),
            str(Path(__file__).parents[2])]
    readable = {os.path.realpath(str(each)) for each in (os.curdir, *looked_at, *home)}
    writable = {os.path.realpath(str(each)) for each in (own, *keeps)}
    return Sandbox((*sorted(readable), *_DEVICES), (*sorted(writable), os.devnull), own, tuple(programs))


def confine(sandbox: Sandbox) -> None:
    """Confine this process for the rest of its life; processes that it starts call it again."""
    tempfile.tempdir = os.environ["TMPDIR"] = sandbox.temporary
    if not mimetypes.inited:  # reads files of the system, which urllib asks for when xmlschema opens a schema
        mimetypes.init()
    sys.addaudithook(sandbox.audit)
