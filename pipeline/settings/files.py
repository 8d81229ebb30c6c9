"""What lies in an edition folder is files and folders: whatever else a name may be there is refused before it is
read."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from pipeline.errors import CatalogError, Place

_BELOW = 2
"""So many folders deep is looked behind a link to a folder: where settings, sources and lists are read from. A link may
lead to the whole disk."""


def hold_files(folder: Path, linked: int = 0) -> None:
    """Raise CatalogError for what is, in a folder and those in it, neither a file nor a folder, by links too: a pipe
    would be waited for, a device read without end. `linked`: how far behind a link the folder is."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            kind = _kind(entry)
            if stat.S_ISDIR(kind):
                depth = linked + (linked > 0 or entry.is_symlink())
                if depth <= _BELOW:
                    hold_files(Path(entry), depth)
            elif kind and not stat.S_ISREG(kind):
                what = "a link that leads to itself" if stat.S_ISLNK(kind) else "neither a file nor a folder"
                raise CatalogError(f"it is {what}", place=Place(entry.path),
                                   mend="put a file there: a pipe or a device is not read")


def _kind(entry: os.DirEntry[str]) -> int:
    """Give what a name leads to, as `stat` has it: a link, if it leads in a circle, 0 if it leads nowhere."""
    try:
        if not entry.is_symlink() and (entry.is_dir() or entry.is_file()):  # known without asking the disk again
            return stat.S_IFDIR if entry.is_dir() else stat.S_IFREG
        return entry.stat().st_mode
    except OSError as error:
        return stat.S_IFLNK if error.errno == errno.ELOOP else 0
