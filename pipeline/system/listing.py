"""List the files of folders. A folder that cannot be listed raises OSError.

`pathlib` and `os.walk` skip such folders silently, and outputs would then lack files without notice.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from pipeline.system.atomic import MARK, RECORDS


def matching(folder: Path, pattern: str) -> tuple[Path, ...]:
    """Return the files and folders in a folder that match a pattern (``*.toml``, ``[!.]*/card.xml``; no ``**``).

    Returns none if there is no such folder. Raises OSError if it cannot be listed.
    """
    head, _, rest = pattern.partition("/")
    found = (folder / each.name for each in _entries(folder) if fnmatchcase(each.name, head))
    return tuple(path for each in found for path in matching(each, rest)) if rest else tuple(found)


def below(folder: Path) -> tuple[Path, ...]:
    """Return all files below a folder, by path; linked folders are not followed. Raises OSError as `matching`."""
    return tuple(map(Path, paths_below(folder)))


def paths_below(folder: str | Path) -> Iterator[str]:
    """Yield the same as strings: a site has a hundred thousand files."""
    for each in _entries(folder):
        if each.is_dir(follow_symlinks=False):
            yield from paths_below(each.path)
        elif each.is_file():
            yield each.path


def given(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder without hidden folders and outputs of the program, unless `folder` itself is one.

    Raises OSError as `matching`.
    """
    for each in _entries(folder):
        path = folder / each.name
        if not each.is_dir(follow_symlinks=False):
            yield from [path] if each.is_file() else []
        elif not each.name.startswith(".") and not any((path / name).exists() for name in (MARK, RECORDS)):
            yield from given(path)


def _entries(folder: str | Path) -> list[os.DirEntry[str]]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda each: each.name)
    return []
