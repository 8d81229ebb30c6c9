"""Write files and folders atomically: to a temporary name first, then renamed over the old version.

Temporary names end in ``.part``; `recover` removes those that a killed build left.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from jiaokan.errors import JiaokanError, Message, Place

SUFFIX = ".part"
MARK = ".jiaokan"
"""A file in each folder that the program replaces as a whole, with the names of the files that it made there."""
RECORDS = ".cache/build.json"
"""The records of a build, in the folder of its outputs."""
_MACHINE = hashlib.sha256(platform.node().encode()).hexdigest()[:6]
"""In temporary names: on two machines that write into one folder, processes may have the same number."""
_SYSTEMS = frozenset({MARK, ".DS_Store", "Thumbs.db", "desktop.ini"})
"""Files that do not show that a folder is somebody else's: file managers leave them in every folder."""
_PART = re.compile(rf"(?:new|old)-[0-9a-f]{{6}}-[0-9]+{re.escape(SUFFIX)}")
"""A temporary name after that of the output, as `_part` writes it: `.notes.draft.part` is somebody else's."""
_PRIVATE = re.compile(rf"\.jiaokan-(?P<machine>[0-9a-f]{{6}})-(?P<process>[0-9]+)-\w{{8}}{re.escape(SUFFIX)}")
"""A temporary name of `new_folder`, with the process that created it."""
_STAGED: set[Path] = set()
"""Folders that are being filled: their files are synced to disk once, when the folder is complete."""
_SAID = "made by jiaokan; replaced as a whole at the next build"


def write_file(path: Path, data: bytes, *, lasting: bool = True) -> None:
    """Write a file so that readers see the old content or the new one, never a part of it.

    Without `lasting` it is not synced to disk, and may be lost in a power failure: for what can be made again.
    """
    with staged_file(path, lasting=lasting) as part:
        part.write_bytes(data)


@contextlib.contextmanager
def staged_file(path: Path, *, lasting: bool = True) -> Iterator[Path]:
    """Yield a temporary path; if the block succeeds it becomes `path`, else it is removed. See `write_file`."""
    if path.is_dir():  # to replace it fails too, but that error names the temporary file
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    part = _part(path)
    lasting = lasting and _STAGED.isdisjoint(path.parents)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with _name_errors(path):
            yield part
            if lasting:
                _sync(part)
            part.replace(path)
            if lasting:
                _sync(path.parent)
    finally:
        part.unlink(missing_ok=True)


@contextlib.contextmanager
def _name_errors(path: Path) -> Iterator[None]:
    """Add the name of the file to an OSError that has none (a full disk, a limit)."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def staged_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder; if the block succeeds it becomes `path`, else it is removed.

    Raises JiaokanError if `path` contains anything that the program did not make.
    """
    check_ours(path)
    part, old = _part(path), _part(path, "old")
    path.parent.mkdir(parents=True, exist_ok=True)
    remove(part)
    part.mkdir()
    _STAGED.add(part)
    try:
        with _name_errors(path):
            yield part
        names = sorted(entry.name for entry in part.iterdir())
        (part / MARK).write_text("\n".join([_SAID, *names, ""]), encoding="utf-8")
        for entry in part.rglob("*"):
            if entry.is_dir() or entry.stat().st_nlink == 1:  # linked files were synced where they were made
                _sync(entry)
        check_ours(path)  # again: somebody may have put a file there since
        if path.exists() and not _exchange(part, path):
            remove(old)
            path.rename(old)
        if part.exists() and not path.exists():
            part.rename(path)
        _sync(path.parent)
    finally:
        _STAGED.discard(part)
        if not path.exists() and old.exists():
            old.rename(path)
        remove(part)
        remove(old)


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder; if the block succeeds it becomes `path`, else it is removed.

    Nothing that exists is replaced or removed. Raises JiaokanError if there is a file, folder or link at `path`, also
    if it appears while the block runs.
    """
    if os.path.lexists(path):
        raise _exists(path)
    for left in filter(is_abandoned, path.parent.glob(f".jiaokan-*{SUFFIX}")):
        shutil.rmtree(left, ignore_errors=True)
    # The random name is created, never taken over: no other program's folder can have it, and no second desk.
    private = Path(tempfile.mkdtemp(prefix=f".jiaokan-{_MACHINE}-{os.getpid()}-", suffix=SUFFIX, dir=path.parent))
    part = private / "new"  # with the usual permissions; those of `private` are the user's alone
    try:
        part.mkdir()
        yield part
        _rename_to_new(part, path)
        _sync(path.parent)
    finally:
        shutil.rmtree(private, ignore_errors=True)


def is_abandoned(path: Path) -> bool:
    """Whether a path is a temporary folder of `new_folder` that a killed process of this machine left."""
    name = _PRIVATE.fullmatch(path.name)
    if not name or name["machine"] != _MACHINE or path.is_symlink() or not path.is_dir() or os.name == "nt":
        return False
    try:
        os.kill(int(name["process"]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def _rename_to_new(part: Path, path: Path) -> None:
    """Rename a folder; raises JiaokanError if something has the new name, which `rename` would replace on Unix if it is
    an empty folder."""
    try:
        if os.name == "nt":
            part.rename(path)
            return
        path.mkdir()
    except FileExistsError:
        raise _exists(path) from None
    try:
        part.rename(path)  # fails if somebody has put anything in since
    except OSError:
        with contextlib.suppress(OSError):
            path.rmdir()
        raise


def _exists(path: Path) -> JiaokanError:
    return JiaokanError(Message("file-folder-name"), place=Place(str(path)), mend=Message("choose-another-name"))


def recover(*paths: Path) -> None:
    """Restore outputs that a killed build had moved aside, and remove its temporary files.

    Each folder is listed once, however many outputs it contains.
    """
    names_in: dict[Path, list[str]] = {}
    for path in paths:
        names_in.setdefault(path.parent, []).append(path.name)
    for folder, names in names_in.items():
        left = sorted(leftover for leftover in folder.glob(f".*{SUFFIX}")) if folder.is_dir() else []
        for name in names if left else ():
            path = folder / name
            leftovers = [leftover for leftover in left if _PART.fullmatch(leftover.name.removeprefix(f".{name}."))]
            for old in leftovers:
                if old.name.startswith(f".{name}.old-") and not path.exists():
                    old.rename(path)
            for leftover in leftovers:
                remove(leftover)


def _sync(path: Path) -> None:
    """Sync a file, or the names in a folder, to disk: a rename alone does not survive a power failure."""
    if path.is_dir() and os.name == "nt":
        return  # Windows cannot open folders, and syncs their names itself
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # not supported by the file system
            raise
    finally:
        os.close(descriptor)


def _exchange(new: Path, old: Path) -> bool:
    """Swap two paths in one step and return True, if the system can: Linux since 3.15, macOS since 10.12."""
    try:
        system = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return not system.renamex_np(os.fsencode(new), os.fsencode(old), ctypes.c_uint(2))  # RENAME_SWAP
        here = ctypes.c_int(-100)  # AT_FDCWD
        return not system.renameat2(here, os.fsencode(new), here, os.fsencode(old), ctypes.c_uint(2))  # RENAME_EXCHANGE
    except (TypeError, OSError, AttributeError):  # Windows, or an older system library
        return False


def link(source: Path, target: Path) -> None:
    """Hard-link a file or folder, or copy it where the file system has no links.

    Linked files must be replaced, as all functions here do, never written into.
    """
    if source.is_dir():
        target.mkdir(parents=True, exist_ok=True)
        for entry in source.iterdir():
            link(entry, target / entry.name)
        return
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copyfile(source, target)


def _part(path: Path, what: str = "new") -> Path:
    if not path.name:  # empty, or the root of the disk
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return path.with_name(f".{path.name}.{what}-{_MACHINE}-{os.getpid()}{SUFFIX}")


def check_ours(path: Path, *, deep: bool = True) -> None:
    """Raise JiaokanError if a folder contains anything that the program did not make.

    Without `deep` its subfolders are not checked.
    """
    if path.is_dir() and any(path.iterdir()) and not (path / MARK).exists():
        raise JiaokanError(
            Message("folder-replaced-contains-files-jiaokan"),
            place=Place(str(path)), mend=Message("choose-empty-new-folder"),
        )
    for mark in path.glob(f"**/{MARK}" if deep else MARK) if path.is_dir() else ():
        heading, *names = mark.read_text(encoding="utf-8").splitlines() or [""]
        others = {entry.name for entry in mark.parent.iterdir()} - _SYSTEMS - {*names}
        if names and heading == _SAID and others:
            raise JiaokanError(
                Message("folder-replaced-whole-jiaokan-not"),
                place=Place(str(mark.parent / min(others))), mend=Message("move-elsewhere"),
            )
    if path.exists() and not path.is_dir():
        raise JiaokanError(Message("file-folder-made"), place=Place(str(path)))


def state_file(what: str, of: Path, ending: str) -> Path:
    """Return the user's file for a state that cannot be made again and belongs to the folder `of`.

    It lies in ``JIAOKAN_STATE``, else where XDG_STATE_HOME says, never in the folder: that may come from a stranger.
    """
    return user_folder(what) / f"{folder_key(of)}{ending}"


def user_folder(what: str) -> Path:
    """Return the user's folder for one kind of state."""
    named = os.environ.get("JIAOKAN_STATE")
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return (Path(named) if named else Path(home) / "jiaokan") / what


def folder_key(folder: Path) -> str:
    """Return a name for what belongs to a folder and lies elsewhere."""
    return hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]


def inside(root: Path, path: Path, below: str = "") -> Path:
    """Return `path`, which lies in the folder `below` of `root`.

    Raises JiaokanError if it does not once all links are followed: a folder of a stranger may hold links to anywhere.
    """
    if not Path(os.path.realpath(path)).is_relative_to(Path(os.path.realpath(root)) / below):
        raise JiaokanError(Message("path-leads-out-edition-folder"), place=Place(str(path)),
                           mend=Message("remove-link"))
    return path


def remove(path: Path) -> None:
    """Remove a file or folder, if it exists; of a link only the link itself."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
