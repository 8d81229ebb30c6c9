"""A repository of the Kanripo whose branches are witnesses: each edition that was transcribed (WYG, SBCK) is one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from pipeline.scaffold.formats import format_of
from pipeline.system.atomic import write_file
from pipeline.system.repository import branches, is_repository, texts


def unfolded(paths: Sequence[Path], into: Path) -> tuple[list[Path], list[str]]:
    """Give paths, each repository with several branches of Mandoku as a folder for each, written below `into`; and a
    line on what was taken.

    Branches with the same texts are one; those without Mandoku (``_data``) are none. Raises SourceError where git
    cannot read them.
    """
    made: list[Path] = []
    told: list[str] = []
    for path in paths:
        found = _branches(path, into / path.name) if path.is_dir() and is_repository(path) else {}
        if len(found) < _SEVERAL:
            made.append(path)
            continue
        made += found.values()
        told.append(f"{path.name}: {len(found)} branches are witnesses: {', '.join(found)}")
    return made, told


_SEVERAL = 2


def _branches(repository: Path, into: Path) -> dict[str, Path]:
    """Write the texts of each branch; a branch of the same texts as one before is left out."""
    found: dict[str, Path] = {}
    seen: set[bytes] = set()
    for name, commit in sorted(branches(repository).items(), key=lambda each: (each[0] in _MAIN, each[0])):
        held = {path: data for path, data in texts(repository, commit).items() if _mandoku(data)}
        digest = hashlib.sha256(b"\0".join(held[path] for path in sorted(held))).digest()
        if not held or digest in seen:
            continue
        seen.add(digest)
        found[name] = into / name.replace("/", "-")
        for path, data in held.items():
            target = found[name] / Path(path).name
            target.parent.mkdir(parents=True, exist_ok=True)
            write_file(target, data)
    return found


_MAIN = ("master", "main")
"""Branches that mostly repeat one of the others: looked at last."""


def _mandoku(data: bytes) -> bool:
    try:
        return format_of(data.decode("utf-8-sig")) == "mandoku"
    except UnicodeDecodeError:
        return False
