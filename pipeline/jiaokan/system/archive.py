"""Read parts of untrusted zip archives (EPUB, DOCX, ODT) within limits of their unpacked size."""

from __future__ import annotations

import lzma
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path, PurePosixPath

from jiaokan.errors import Message, Place, SourceError, one_line

_MOST = 200_000_000
"""Most bytes of all parts that are read: a Bible with notes has 20 MB."""
_DENSE, _SMALL = 100, 2_000_000
"""Parts of more than `_SMALL` bytes in all that are packed to less than one in `_DENSE` are a bomb: prose is packed to
one in ten to forty; uniform content, packed to one in a thousand, takes fifty times its bytes as a tree."""
_FILES = 5000
"""Files of an archive: their list alone takes time and memory."""
_UTF8 = 0x800
"""The flag of a part whose name is in UTF-8 (APPNOTE.TXT, 4.4.4)."""
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


def unpack_below(data: bytes, folder: Path, suffixes: Collection[str], name: str) -> None:
    """Write the files of an archive that end in one of `suffixes` below a folder, without hidden ones. Raises
    SourceError if the archive is broken, encrypted or beyond the limits, or a path leads out of it or is there twice.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            paths = [(part, _path_of(part, name)) for part in archive.infolist() if not part.is_dir()]
        if len(paths) > _FILES:
            raise SourceError(Message("archive-many-files", count=len(paths), most=_FILES), place=Place(name),
                              mend=Message("no-book-parts-check-file"))
        wanted = {part.filename: path for part, path in paths if path.suffix.lower() in suffixes
                  and not any(step.startswith((".", "__MACOSX")) for step in path.parts)}
        twice = Counter(path for part, path in paths if part.filename in wanted)
        if clash := next((path for path, count in twice.items() if count > 1), None):
            raise SourceError(Message("archive-path-twice", path=one_line(str(clash))), place=Place(name),
                              mend=Message("unpack-archive-give-texts"))
        for filename, content in unpack(data, wanted, name).items():
            target = folder / wanted[filename]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except BROKEN as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(Message("archive-cannot-read", error=error), place=Place(name),
                          mend=Message("unpack-archive-give-texts")) from None


def _path_of(part: zipfile.ZipInfo, name: str) -> PurePosixPath:
    """Return the path of a part. Names without the flag of UTF-8 are mostly in the encoding of a Chinese Windows."""
    words = part.filename
    if not part.flag_bits & _UTF8:
        with suppress(UnicodeError):
            raw = words.encode("cp437")
            words = raw.decode("utf-8") if _is_utf8(raw) else raw.decode("gb18030")
    path = PurePosixPath(words.replace("\\", "/"))
    linked = stat.S_ISLNK(part.external_attr >> 16)
    if linked or path.is_absolute() or ".." in path.parts or ":" in words.split("/")[0][1:2] or "\0" in words:
        raise SourceError(Message("archive-path-leads-out", path=one_line(words)), place=Place(name),
                          mend=Message("unpack-archive-give-texts"))
    return path


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
