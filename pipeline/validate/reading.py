"""The bytes to check, from a file or a stream, with a size limit; and which files changed since a git revision."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import Message, Place, SourceError, TeiError
from pipeline.system.repository import git

LIMIT = 256 * 2**20
"""A larger file is not read: its tree would need about ten times as much memory."""
STDIN = "<stdin>"
"""The name of standard input in findings."""


def read(path: Path) -> bytes:
    """Return the content of a file; raises TeiError if it is not a regular file, too large or not readable."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            kind = Message("it is a folder") if stat.S_ISDIR(found.st_mode) else Message("it is not a regular file")
            raise TeiError(Message("cannot be read: {}", kind), place=Place(str(path)),
                           mend=Message("to read a pipe give `-`"))
        if found.st_size > LIMIT:
            raise _too_large(str(path))
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TeiError(Message("cannot be read: {}", reason), place=Place(str(path))) from None


def read_stream(stream: BinaryIO) -> bytes:
    """Return the content of standard input; raises TeiError if it is more than the limit."""
    data = stream.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise _too_large(STDIN)
    return data


def _too_large(name: str) -> TeiError:
    return TeiError(
        Message("larger than {} MB", LIMIT // 2**20), place=Place(name), mend=Message("check its parts one by one"),
    )


def changed_since(revision: str, files: Sequence[Path]) -> tuple[Path, ...]:
    """Return those of the files that differ from `revision` or are not under git yet, in their order.

    Contents are compared here, not by ``git diff``: that runs the filters of a repository's settings. A file that is
    stored by a filter (Git LFS) counts as changed.

    Raises TeiError if a file lies in no repository, or the repository has no such revision.
    """
    trees: dict[Path, dict[str, str]] = {}
    kept: set[Path] = set()
    new: dict[Path, list[str]] = {}
    for path in map(Path.resolve, files):
        if path.parent not in trees:
            trees[path.parent] = _tree(path.parent, revision)
        if (known := trees[path.parent].get(path.name)) is None:
            new.setdefault(path.parent, []).append(path.name)
        elif not _is_same(path, known):
            kept.add(path)
    for folder, names in new.items():
        try:
            said = git(folder, "check-ignore", "-z", "--stdin", inside=True, data="\0".join(names).encode())
        except SourceError:  # which it also is where it ignores none of them
            said = b""
        kept |= {folder / name for name in names if name not in said.decode().split("\0")}
    return tuple(file for file in files if file.resolve() in kept)


def _is_same(path: Path, known: str) -> bool:
    try:
        data = read(path)
    except TeiError:
        return False  # reported where it is checked
    return known in (_hash(data, len(known)), _hash(data.replace(b"\r\n", b"\n"), len(known)))


def _tree(folder: Path, revision: str) -> dict[str, str]:
    try:
        name = f"{revision}^{{commit}}"
        commit = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", name, inside=True).decode().strip()
        listed = git(folder, "ls-tree", "-z", commit, inside=True)
    except SourceError as error:
        reason = error.message if error.message.count(": ") else "there is no such revision"
        raise TeiError(f"--changed-since {revision}: {reason}", place=error.place) from None
    rows = (row.partition("\t") for row in listed.decode(errors="surrogateescape").split("\0") if row)
    return {name: head.split()[2] for head, _, name in rows}


def _hash(data: bytes, digits: int) -> str:
    kind = "sha1" if digits == 40 else "sha256"
    return hashlib.new(kind, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
