"""What is in folders, or an OSError: `pathlib` and `os.walk` pass in silence over a folder that may not be listed, and
what is not seen is then missing in what is made."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from pipeline.system.atomic import MARK, RECORDS


def matching(folder: Path, pattern: str) -> tuple[Path, ...]:
    """Give the files and folders whose path in a folder is of a pattern (``*.toml``, ``[!.]*/card.xml``; no ``**``), by
    their names; none where no folder is. Raises OSError for one that cannot be listed."""
    head, _, rest = pattern.partition("/")
    found = (folder / each.name for each in _entries(folder) if fnmatchcase(each.name, head))
    return tuple(path for each in found for path in matching(each, rest)) if rest else tuple(found)


def below(folder: Path) -> tuple[Path, ...]:
    """Give the files of a folder and of all in it, by their paths; no folder that is linked is gone into. None where no
    folder is. Raises OSError as `matching`."""
    return tuple(map(Path, paths_below(folder)))


def paths_below(folder: str | Path) -> Iterator[str]:
    """Give the same as texts, one by one: a site has a hundred thousand."""
    for each in _entries(folder):
        if each.is_dir(follow_symlinks=False):
            yield from paths_below(each.path)
        elif each.is_file():
            yield each.path


def given(folder: Path) -> Iterator[Path]:
    """Give the files that somebody has put into a folder: as `below`, but without what stands in hidden folders and in
    those that the program has made, as a whole or as the outputs of a build. The folder itself may be one."""
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
