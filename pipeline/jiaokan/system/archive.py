"""Read parts of untrusted zip archives (EPUB, DOCX, ODT) within limits of their unpacked size."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from io import BytesIO

from jiaokan.errors import Message, Place, SourceError

_MOST = 200_000_000
"""Most bytes of all parts that are read: a Bible with notes has 20 MB."""
_DENSE, _SMALL = 100, 2_000_000
"""Parts of more than `_SMALL` bytes in all that are packed to less than one in `_DENSE` are a bomb: prose is packed to
one in ten to forty; uniform content, packed to one in a thousand, takes fifty times its bytes as a tree."""
BROKEN = (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, EOFError, OSError, zlib.error,
          lzma.LZMAError)
"""Errors of `zipfile` for files that are not zips, broken, cut off, encrypted, or packed in an unknown way."""


def names_in(data: bytes) -> tuple[str, ...]:
    """Return the names of the parts of an archive. Raises one of `BROKEN`."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return tuple(archive.namelist())


def unpack(data: bytes, wanted: Iterable[str], name: str) -> Mapping[str, bytes]:
    """Return the parts of an archive that are wanted and there, each once. Raises SourceError if they are too large or
    nearly empty, and one of `BROKEN`."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {part.filename: part for part in archive.infolist()}
        present = [parts[part] for part in dict.fromkeys(wanted) if part in parts]
        size, packed = sum(part.file_size for part in present), sum(part.compress_size for part in present)
        if size > _MOST or size > max(_SMALL, _DENSE * packed):
            raise SourceError(
                Message("parts-more-mb-nearly-empty", most=_MOST // 10**6), place=Place(name),
                mend=Message("no-book-parts-check-file"))
        return {part.filename: archive.read(part) for part in present}
