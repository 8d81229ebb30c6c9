"""Bytes to be checked, from a file or a stream: bounded, and nothing that never ends."""

from __future__ import annotations

import stat
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
