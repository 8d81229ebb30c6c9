"""Bundles of an edition for a repository, as bags (BagIt 1.0, RFC 8493), always with the same bytes.

A bag has TEI, schema, settings and decisions, checksums of the sources, built outputs, and metadata for repositories:
CITATION.cff, Zenodo, DataCite. The library `bagit` is not used because it fills the folder in which the files lie and
writes today's date; tests check our bags with it.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from jiaokan import __version__
from jiaokan.errors import CatalogError, Finding, JiaokanError, Message, Place, together
from jiaokan.exchange.bundle import metadata
from jiaokan.settings import folder
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.toml import read_toml
from jiaokan.system.atomic import staged_file, staged_folder
from jiaokan.system.listing import below, matching
from jiaokan.tei.header.build import publication_statement
from jiaokan.tei.inert import make_inert
from jiaokan.tei.tree import Element, local, parse


def make_bundle(catalog: Catalog, out: Path, target: Path, *, edition: str = "") -> tuple[int, tuple[Finding, ...]]:
    """Write a bag of one edition, or of all, to `target`: a zip if it has that suffix, else a folder. `out` is the
    folder of built outputs. Return the number of payload files, and findings on what is left out. Raises CatalogError
    if the edition is unknown or nobody can be cited, JiaokanError for TEI or sources that do not match the settings."""
    if edition and edition not in catalog.editions:
        raise CatalogError(Message("no-edition-called", edition=edition),
                           place=Place(str(catalog.root / "tei" / "catalog.toml")),
                           mend=Message("there-is", critical=", ".join(catalog.editions)))
    plans = [catalog.editions[edition]] if edition else [*catalog.editions.values()]
    names = {name for plan in plans for name in plan.read()}
    sources = [source for source in catalog.sources.values() if source.id in names]
    meta = metadata.gather_metadata(catalog, plans, sources)
    if not meta.editors:
        table = read_toml(catalog.root / "tei" / "catalog.toml")
        raise table.error(("project", "editors"),
                          Message("nobody-cited-project-neither-editors"),
                          Message("name-least-editors"))
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
        "Contact-Name": ", ".join(editor.name for editor in meta.editors),
        "External-Description": meta.about,
        "External-Identifier": publication.doi,
        "Bagging-Date": meta.day if len(meta.day) == len("2026-11-20") else "",
        "Bag-Software-Agent": f"Jiaokan {__version__}",
    })
    (write_zip if target.suffix == ".zip" else write_folder)(files, target)
    return len(payload), findings


Content: TypeAlias = bytes | Path  # a file's bytes, or the file that has them
_HEAD = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_ALGORITHM = "sha256"  # RFC 8493, 2.4, recommends SHA-512 or SHA-256; catalogs have SHA-256
_DAWN = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip (APPNOTE 4.4.6): the bytes depend on no clock
_CHUNK = 1 << 20


def bag_files(payload: Mapping[str, Content], info: Mapping[str, str]) -> dict[str, Content]:
    """Return the files of a bag by path. `payload` has its files by path below ``data/``; `info` the rows of
    ``bag-info.txt``, to which the size of the payload is added."""
    data_files = {f"data/{name}": payload[name] for name in sorted(payload)}
    size = sum(_size(content) for content in data_files.values())
    rows = {**info, "Payload-Oxum": f"{size}.{len(data_files)}"}
    tags: dict[str, Content] = {
        "bagit.txt": _HEAD,
        "bag-info.txt": "".join(f"{key}: {' '.join(words.split())}\n" for key, words in rows.items() if words).encode(),
        f"manifest-{_ALGORITHM}.txt": _manifest(data_files),
    }
    return {**tags, f"tagmanifest-{_ALGORITHM}.txt": _manifest(tags), **data_files}


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


_SETTINGS = ("catalog", "conventions", "decisions", "lists", "print")
_RULE = "bundle"


def tei_files(catalog: Catalog, plans: Sequence[EditionPlan], sources: Sequence[SourceEntry]) -> dict[str, Path]:
    """Return the TEI of editions and of their sources, by path in the edition folder. Raises JiaokanError for all files
    that are missing or older than the settings: another source, another publication."""
    paths = dict.fromkeys([*(folder.edition_path(catalog, plan) for plan in plans),
                           *(folder.witness_path(catalog, source.id) for source in sources)])
    faults = [fault for path in paths for fault in _tei_errors(path, catalog)]
    if faults:
        raise together(faults, "files-misdescribed")
    return {path.relative_to(catalog.root).as_posix(): path for path in paths}


def _tei_errors(path: Path, catalog: Catalog) -> Iterator[JiaokanError]:
    place, mend = Place(str(path)), Message("run-first", root=catalog.root)
    if not path.exists():
        yield JiaokanError(Message("tei-not-made"), place=place, mend=mend)
        return
    header = parse(path.read_bytes(), name=str(path))[0]
    statement = header.find("{*}fileDesc/{*}publicationStmt")
    if statement is None or _flat_content(statement) != _flat_content(publication_statement(catalog)):
        yield JiaokanError(Message("header-another-publication-tei-catalog"), place=place, mend=mend)
    known = {source.sha256 for source in catalog.sources.values()}
    sums = [idno.text or "" for idno in header.iterfind(".//{*}idno[@type='sha256']")]
    if not known.issuperset(sums):
        yield JiaokanError(Message("made-another-state-source-catalog"), place=place, mend=mend)


def _flat_content(node: Element) -> list[tuple[str, dict[str, str], str]]:
    return [(local(element), {str(key): str(value) for key, value in element.attrib.items()},
             (element.text or "").strip())
            for element in node.iter("{*}*")]


def settings(catalog: Catalog, plans: Sequence[EditionPlan]) -> dict[str, Path]:
    """Return the settings, decisions and schemas, by path in the edition folder. Raises JiaokanError for links to files
    outside, which nobody meant to publish, and for names that are not UTF-8."""
    home = catalog.root / "tei"
    candidates = [home / "catalog.toml", home / "persons.toml", home / "places.toml"]
    candidates += [path for name in _SETTINGS for path in below(home / name)]
    for plan in plans:
        candidates += [home / "editions" / f"{plan.id}.toml", folder.front_path(catalog, plan)]
        candidates += folder.layer_paths(catalog.root, plan.id)
    candidates += matching(catalog.root / "schema", "*")
    paths = [path for path in candidates if path.is_file() and not path.name.startswith(".")]
    root, faults = catalog.root.resolve(), []
    for path in paths:
        if not path.resolve().is_relative_to(root):
            faults.append(JiaokanError(Message("link-lies-outside-folder"), place=Place(str(path)),
                                       mend=Message("put-copy-read")))
        elif re.search("[\ud800-\udfff]", str(path)):  # bytes of a name as Python has them (PEP 383)
            faults.append(JiaokanError(Message("name-not-utf"), place=Place(str(path)), mend=Message("name-otherwise")))
    if faults:
        raise together(faults, "files-unbundled")
    return {path.relative_to(catalog.root).as_posix(): path for path in paths}


def transcriptions(catalog: Catalog, sources: Sequence[SourceEntry]) -> dict[str, Path]:
    """Return the sources whose licence allows copies, by path in the edition folder. Raises JiaokanError for sources
    that are missing or differ from the catalog."""
    faults = []
    for source in sources:
        path, place = catalog.path(source), Place(str(catalog.path(source)))
        if not path.is_file():
            faults.append(JiaokanError(Message("source-not"), place=place, mend=Message("put-file-back")))
        elif hashlib.sha256(path.read_bytes()).hexdigest() != source.sha256:
            faults.append(JiaokanError(Message("source-not-catalog-describes"), place=place,
                                       mend=Message("shows-changed", id=source.id)))
    if faults:
        raise together(faults, "sources-misdescribed")
    free = [catalog.path(source) for source in sources if source.licence.allows_copies()]
    return {path.resolve().relative_to(catalog.root.resolve()).as_posix(): path for path in free}


def outputs(catalog: Catalog, plans: Sequence[EditionPlan], out: Path) -> tuple[dict[str, Path], tuple[Finding, ...]]:
    """Return the outputs built from the present TEI, by path in the bundle, and findings on what is left out."""
    files: dict[str, Path] = {}
    findings: list[Finding] = []
    stale: list[str] = []
    for plan in plans:
        tei = folder.edition_path(catalog, plan)
        copy = folder.copy_path(out, tei)  # a build makes it last
        present = make_inert(tei.read_bytes(), name=tei.name).data if tei.is_file() else None
        if not copy.is_file() or copy.read_bytes() != present:
            stale.append(plan.id)
            continue
        pdfs = (file for path in folder.pdf_paths(out, plan).values() for file in plan.print.files(path))
        prints = [*pdfs, *(folder.also_path(out, plan, name) for name in plan.print.also)]
        files |= {path.relative_to(out).as_posix(): path for path in prints if path.is_file()}
    if stale:
        findings.append(Finding(
            _RULE, Place(str(out)), Message("without-built-nothing-another-state", stale=", ".join(stale)),
            Message("run-first", root=catalog.root), "warning"))
    site = folder.site_path(out)
    if site.is_dir() and not stale and len(plans) == len(catalog.editions):
        pages = (path for path in below(site) if not path.name.startswith("."))
        files |= {f"html/{path.relative_to(site).as_posix()}": path for path in pages}
    elif site.is_dir() and not stale:
        findings.append(Finding(
            _RULE, Place(str(site)), Message("without-website-shows-folder-other"),
            Message("without-edition-name-puts-bundle"), "info"))
    return files, tuple(findings)
