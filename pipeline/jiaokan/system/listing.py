"""List the files of folders; read untrusted files; find those installed with the program.

A folder that cannot be listed raises OSError: `pathlib` and `os.walk` skip it silently, and outputs would lack files.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO

from jiaokan.errors import JiaokanError, Message, Place, TeiError, refusal
from jiaokan.system.atomic import MARK, RECORDS

_PACKAGE = Path(__file__).parents[1]
LIMIT = 256 * 2**20
"""A larger file is not read: its tree would need about ten times as much memory."""
STDIN = "<stdin>"
"""The name of standard input in findings."""


def matching(folder: Path, pattern: str) -> tuple[Path, ...]:
    """Return the files and folders in a folder that match a pattern (``*.toml``, ``[!.]*/card.xml``; no ``**``).

    Returns none if there is no such folder. Raises OSError if it cannot be listed.
    """
    head, _, rest = pattern.partition("/")
    paths = (folder / entry.name for entry in _entries(folder) if fnmatchcase(entry.name, head))
    return tuple(path for parent in paths for path in matching(parent, rest)) if rest else tuple(paths)


def below(folder: Path) -> tuple[Path, ...]:
    """Return all files below a folder, by path; linked folders are not followed. Raises OSError as `matching`."""
    return tuple(map(Path, paths_below(folder)))


def paths_below(folder: str | Path) -> Iterator[str]:
    """Yield the same as strings: a site has a hundred thousand files."""
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from paths_below(entry.path)
        elif _is_file(entry):
            yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file, or a link to one; a link in a circle is none."""
    try:
        return entry.is_file()
    except OSError as error:
        if error.errno == errno.ELOOP:
            return False
        raise


def input_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder without hidden folders and outputs of the program, unless `folder` itself is one.

    Raises OSError as `matching`.
    """
    for entry in _entries(folder):
        path = folder / entry.name
        if not entry.is_dir(follow_symlinks=False):
            yield from [path] if entry.is_file() else []
        elif not entry.name.startswith(".") and not any((path / name).exists() for name in (MARK, RECORDS)):
            yield from input_files(path)


def leads_out(path: str | Path, folder: Path) -> bool:
    """Whether a path is a link, or a chain of links, to what is not in `folder`: who sent the folder could have a
    reader's private files read and published by it."""
    return Path(path).is_symlink() and not Path(path).resolve().is_relative_to(folder.resolve())


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)
    return []


def numbered_order(name: str) -> list[tuple[int, str]]:
    """Return the place of a name in the order of the numbers in it: 2.jpg before 10.jpg."""
    return [(int(part), "") if part.isdecimal() and len(part) < 10 else (1 << 40, part)
            for part in re.findall(r"\d+|\D", name)]


def resource(name: str) -> Path:
    """Return the path of a resource such as ``schema/jiaokan.xsd``.

    Raises JiaokanError if it is in neither place: the installation is broken.
    """
    for root in (_PACKAGE / "data", _PACKAGE.parents[1]):
        path = root / name
        if path.exists():
            return path
    raise JiaokanError(Message("installation-lacks", name=name), mend=Message("install-jiaokan-again"))


def bytes_of(path: Path) -> bytes:
    """Return the content of a file that the user named. Raises OSError, also for a device or pipe, which may never end,
    and for what is larger than the limit."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if status.st_size > LIMIT:
        raise OSError(errno.EFBIG, f"it is larger than {LIMIT // 2**20} MB", str(path))
    return path.read_bytes()


def read(path: Path) -> bytes:
    """Return the content of a TEI file; raises TeiError if it is not a regular file, too large or not readable."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = Message("it-is-a-folder") if stat.S_ISDIR(status.st_mode) else Message("not-regular-file")
            raise TeiError(Message("cannot-read", strerror=kind), place=Place(str(path)),
                           mend=Message("read-pipe-give"))
        if status.st_size > LIMIT:
            raise _too_large(str(path))
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = refusal(error) if isinstance(error, OSError) else str(error)
        raise TeiError(Message("cannot-read", strerror=reason), place=Place(str(path))) from None


def read_stream(stream: BinaryIO) -> bytes:
    """Return the content of standard input; raises TeiError if it is more than the limit."""
    data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise _too_large(STDIN)
    return data


def _too_large(name: str) -> TeiError:
    return TeiError(
        Message("larger-mb", limit=LIMIT // 2**20), place=Place(name), mend=Message("check-parts"),
    )
