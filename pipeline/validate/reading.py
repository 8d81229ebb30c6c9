"""The bytes to check, from a file or a stream, with a size limit; and which files changed since a git revision."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import Place, TeiError

LIMIT = 256 * 2**20
"""A larger file is not read: its tree would need about ten times as much memory."""
STDIN = "<stdin>"
"""The name of standard input in findings."""


def read(path: Path) -> bytes:
    """Give the content of a file; raises TeiError for what is no regular file, too large or not readable."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
            raise TeiError(f"cannot be read: it is {kind}", place=Place(str(path)), mend="a pipe is read as `-`")
        if found.st_size > LIMIT:
            raise _too_large(str(path))
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TeiError(f"cannot be read: {reason}", place=Place(str(path))) from None


def read_stream(stream: BinaryIO) -> bytes:
    """Give the content of standard input; raises TeiError if it is more than the limit."""
    data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise _too_large(STDIN)
    return data


def _too_large(name: str) -> TeiError:
    return TeiError(
        f"more than {LIMIT // 2**20} MB, which is not read", place=Place(name), mend="check its parts one by one",
    )


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
