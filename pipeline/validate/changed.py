"""Which files changed since a revision, as git knows it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import TeiError


def changed_since(revision: str, files: Sequence[Path]) -> tuple[Path, ...]:
    """Give those of the files that differ from `revision` or are not under git yet, in their order.

    Raises TeiError if a file lies in no repository, or the repository has no such revision.
    """
    found: dict[Path, frozenset[Path]] = {}
    chosen: list[Path] = []
    for file in files:
        folder = file.resolve().parent
        if folder not in found:
            found[folder] = _changed(folder, revision)
        if file.resolve() in found[folder]:
            chosen.append(file)
    return tuple(chosen)


def _changed(folder: Path, revision: str) -> frozenset[Path]:
    """The files under a folder that differ from a revision."""
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").strip()
    names = _git(folder, "diff", "--name-only", "--relative", "-z", commit, "--", ".")
    names += _git(folder, "ls-files", "--others", "--exclude-standard", "-z", "--", ".")
    return frozenset((folder / name).resolve() for name in names.split("\0") if name)


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=True, encoding="utf-8",
        )
    except FileNotFoundError:
        raise TeiError("--changed-since needs git, which is not installed") from None
    except subprocess.CalledProcessError as error:
        said = (error.stderr or "").strip().splitlines()
        reason = said[0] if said else f"there is no such revision: {arguments[-1].removesuffix('^{commit}')}"
        raise TeiError(f"--changed-since: {reason}") from None
    return done.stdout
