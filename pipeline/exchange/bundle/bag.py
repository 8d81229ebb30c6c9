"""BagIt 1.0 (RFC 8493): files with a manifest of their checksums, as a folder or a zip of one, always the same bytes.

Own code, since the library `bagit` fills the folder in which the files already lie and writes today's date; the tests
hold what is made here by it.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pipeline.system.atomic import staged_file, staged_folder

Content: TypeAlias = bytes | Path
"""What a file holds, or the file that holds it."""
_HEAD = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_ALGORITHM = "sha256"
"""RFC 8493, 2.4, asks for SHA-512 or SHA-256; that of the sources in a catalog is the same."""
_DAWN = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can say (APPNOTE 4.4.6): no clock decides what is written."""
_CHUNK = 1 << 20


def bagged(payload: Mapping[str, Content], told: Mapping[str, str]) -> dict[str, Content]:
    """Give the files of a bag, by their paths in it.

    `payload` are its files as seen from ``data/``; `told` are the rows of ``bag-info.txt``, to which the sum of the
    payload is added.
    """
    made = {f"data/{name}": payload[name] for name in sorted(payload)}
    size = sum(_size(each) for each in made.values())
    rows = {**told, "Payload-Oxum": f"{size}.{len(made)}"}
    tags: dict[str, Content] = {
        "bagit.txt": _HEAD,
        "bag-info.txt": "".join(f"{key}: {' '.join(words.split())}\n" for key, words in rows.items() if words).encode(),
        f"manifest-{_ALGORITHM}.txt": _manifest(made),
    }
    return {**tags, f"tagmanifest-{_ALGORITHM}.txt": _manifest(tags), **made}


def write_folder(files: Mapping[str, Content], target: Path) -> None:
    """Write a bag as a folder; raises JiaokanError if the folder holds what the program did not make."""
    with staged_folder(target) as part:
        for name, content in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                for chunk in _chunks(content):
                    file.write(chunk)


def write_zip(files: Mapping[str, Content], target: Path) -> None:
    """Write a bag as a zip that holds one folder, called as the zip is (RFC 8493, 4.1)."""
    with staged_file(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name, content in files.items():
            told = zipfile.ZipInfo(f"{target.stem}/{name}", _DAWN)
            told.compress_type, told.create_system, told.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            with packed.open(told, "w", force_zip64=_size(content) > 1 << 31) as file:
                for chunk in _chunks(content):
                    file.write(chunk)


def _manifest(files: Mapping[str, Content]) -> bytes:
    return "".join(f"{_sum(files[name])}  {_path(name)}\n" for name in sorted(files)).encode()


def _path(name: str) -> str:
    return name.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")


def _sum(content: Content) -> str:
    made = hashlib.new(_ALGORITHM)
    for chunk in _chunks(content):
        made.update(chunk)
    return made.hexdigest()


def _size(content: Content) -> int:
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def _chunks(content: Content) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
