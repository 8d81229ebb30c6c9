"""Bundles of an edition for a repository, as bags (BagIt 1.0, RFC 8493), always with the same bytes.

A bag has TEI, schema, settings and decisions, checksums of the sources, built outputs, and metadata for repositories:
CITATION.cff, Zenodo, DataCite. The library `bagit` is not used because it fills the folder in which the files lie and
writes today's date; tests check our bags with it.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pipeline import __version__
from pipeline.errors import CatalogError, Finding, Place
from pipeline.exchange.bundle import metadata
from pipeline.exchange.bundle.payload import outputs, settings, tei_files, transcriptions
from pipeline.settings.catalog import Catalog
from pipeline.settings.toml import read_toml
from pipeline.system.atomic import staged_file, staged_folder


def make_bundle(
    catalog: Catalog, out: Path, target: Path, *, edition: str = ""
) -> tuple[int, tuple[Finding, ...]]:
    """Write a bag of one edition, or of all, to `target`: a zip if it has that suffix, else a folder.

    `out` is the folder of built outputs. Return the number of payload files, and findings on what is left out. Raises
    CatalogError if the edition is unknown or nobody can be cited, JiaokanError for TEI or sources that do not match the
    settings.
    """
    if edition and edition not in catalog.editions:
        raise CatalogError(f"no edition is called {edition!r}", place=Place(str(catalog.root / "tei" / "catalog.toml")),
                           mend=f"there is: {', '.join(catalog.editions)}")
    plans = [catalog.editions[edition]] if edition else [*catalog.editions.values()]
    names = {name for plan in plans for name in plan.read()}
    sources = [each for each in catalog.sources.values() if each.id in names]
    meta = metadata.gather_metadata(catalog, plans, sources)
    if not meta.editors:
        table = read_toml(catalog.root / "tei" / "catalog.toml")
        raise table.error(("project", "editors"),
                          "nobody can be cited: [project] has neither editors nor a publisher",
                          'name at least one: editors = ["…"]')
    folder = tei_files(catalog, plans, sources) | settings(catalog, plans) | transcriptions(catalog, sources)
    built, findings = outputs(catalog, plans, out)
    payload: dict[str, Content] = {
        **{f"edition/{name}": path for name, path in folder.items()}, **built,
        "CITATION.cff": metadata.as_yaml(metadata.citation(meta)),
        "zenodo.json": metadata.as_json(metadata.zenodo(meta)),
        "datacite.json": metadata.as_json(metadata.datacite(meta)), "sources.tsv": metadata.sources_table(meta),
    }
    payload["README.md"] = metadata.readme(meta, payload)
    project, publication = catalog.project, catalog.publication
    files = bag_files(payload, {
        "Source-Organization": project.publisher or publication.authority,
        "Contact-Name": ", ".join(each.name for each in meta.editors),
        "External-Description": meta.about,
        "External-Identifier": publication.doi,
        "Bagging-Date": meta.day if len(meta.day) == len("2026-11-20") else "",
        "Bag-Software-Agent": f"Jiaokan {__version__}",
    })
    (write_zip if target.suffix == ".zip" else write_folder)(files, target)
    return len(payload), findings


Content: TypeAlias = bytes | Path
"""A file's bytes, or the file that has them."""
_HEAD = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_ALGORITHM = "sha256"
"""RFC 8493, 2.4, recommends SHA-512 or SHA-256; catalogs have SHA-256."""
_DAWN = (1980, 1, 1, 0, 0, 0)
"""The earliest time in a zip (APPNOTE 4.4.6): the bytes depend on no clock."""
_CHUNK = 1 << 20


def bag_files(payload: Mapping[str, Content], info: Mapping[str, str]) -> dict[str, Content]:
    """Return the files of a bag by path.

    `payload` has its files by path below ``data/``; `info` the rows of ``bag-info.txt``, to which the size of the
    payload is added.
    """
    made = {f"data/{name}": payload[name] for name in sorted(payload)}
    size = sum(_size(each) for each in made.values())
    rows = {**info, "Payload-Oxum": f"{size}.{len(made)}"}
    tags: dict[str, Content] = {
        "bagit.txt": _HEAD,
        "bag-info.txt": "".join(f"{key}: {' '.join(words.split())}\n" for key, words in rows.items() if words).encode(),
        f"manifest-{_ALGORITHM}.txt": _manifest(made),
    }
    return {**tags, f"tagmanifest-{_ALGORITHM}.txt": _manifest(tags), **made}


def write_folder(files: Mapping[str, Content], target: Path) -> None:
    """Write a bag as a folder. Raises JiaokanError if the folder has files that the program did not make."""
    with staged_folder(target) as part:
        for name, content in files.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                for chunk in _chunks(content):
                    file.write(chunk)


def write_zip(files: Mapping[str, Content], target: Path) -> None:
    """Write a bag as a zip with one folder of the same name (RFC 8493, 4.1)."""
    with staged_file(target) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"{target.stem}/{name}", _DAWN)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            with packed.open(entry, "w", force_zip64=_size(content) > 1 << 31) as file:
                for chunk in _chunks(content):
                    file.write(chunk)


def _manifest(files: Mapping[str, Content]) -> bytes:
    lines = []
    for name in sorted(files):
        checksum = hashlib.new(_ALGORITHM)
        for chunk in _chunks(files[name]):
            checksum.update(chunk)
        path = name.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")  # RFC 8493, 2.1.3
        lines.append(f"{checksum.hexdigest()}  {path}\n")
    return "".join(lines).encode()


def _size(content: Content) -> int:
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def _chunks(content: Content) -> Iterator[bytes]:
    if isinstance(content, bytes):
        yield content
        return
    with content.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
