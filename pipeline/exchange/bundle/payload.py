"""Collects the files of a bundle: the part of the edition folder that concerns its editions, and built outputs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.errors import Finding, JiaokanError, Place, together
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.settings.folder import (
    also_path,
    copy_path,
    edition_path,
    front_path,
    pdf_paths,
    punctuation_paths,
    site_path,
    witness_path,
)
from pipeline.settings.plans import EditionPlan
from pipeline.system.listing import below, matching
from pipeline.tei.header.build import publication_statement
from pipeline.tei.tree import Element, local, parse, without_schemas

_SETTINGS = ("catalog", "conventions", "decisions", "lists", "print")
"""Folders of ``tei/`` that are included whole."""
_RULE = "bundle"


def tei_files(catalog: Catalog, plans: Sequence[EditionPlan], sources: Sequence[SourceEntry]) -> dict[str, Path]:
    """Return the TEI of editions and of their sources, by path in the edition folder.

    Raises JiaokanError for all files that are missing or older than the settings: another source, another publication.
    """
    paths = dict.fromkeys([*(edition_path(catalog, plan) for plan in plans),
                           *(witness_path(catalog, each.id) for each in sources)])
    faults = [fault for path in paths for fault in _tei_errors(path, catalog)]
    if faults:
        raise together(faults, "files are not as the settings say")
    return {path.relative_to(catalog.root).as_posix(): path for path in paths}


def _tei_errors(path: Path, catalog: Catalog) -> Iterator[JiaokanError]:
    place, mend = Place(str(path)), f"run `jiaokan build {catalog.root}` first"
    if not path.exists():
        yield JiaokanError("this TEI has not been made", place=place, mend=mend)
        return
    header = parse(path.read_bytes(), name=str(path))[0]
    statement = header.find("{*}fileDesc/{*}publicationStmt")
    if statement is None or _flat_content(statement) != _flat_content(publication_statement(catalog)):
        yield JiaokanError("its header has another publication than tei/catalog.toml", place=place, mend=mend)
    known = {each.sha256 for each in catalog.sources.values()}
    sums = [each.text or "" for each in header.iterfind(".//{*}idno[@type='sha256']")]
    if not known.issuperset(sums):
        yield JiaokanError("it was made from another state of a source than the catalog knows", place=place, mend=mend)


def _flat_content(node: Element) -> list[tuple[str, dict[str, str], str]]:
    return [(local(each), {str(key): str(value) for key, value in each.attrib.items()}, (each.text or "").strip())
            for each in node.iter("{*}*")]


def settings(catalog: Catalog, plans: Sequence[EditionPlan]) -> dict[str, Path]:
    """Return the settings, decisions and schemas, by path in the edition folder.

    Raises JiaokanError for links to files outside, which nobody meant to publish, and for names that are not UTF-8.
    """
    home = catalog.root / "tei"
    found = [home / "catalog.toml", home / "persons.toml", home / "places.toml"]
    found += [path for name in _SETTINGS for path in below(home / name)]
    for plan in plans:
        found += [home / "editions" / f"{plan.id}.toml", front_path(catalog, plan)]
        found += punctuation_paths(catalog.root, plan.id)
    found += matching(catalog.root / "schema", "*")
    paths = [path for path in found if path.is_file() and not path.name.startswith(".")]
    root, faults = catalog.root.resolve(), []
    for path in paths:
        if not path.resolve().is_relative_to(root):
            faults.append(JiaokanError("it is a link to what lies outside of the folder", place=Place(str(path)),
                                       mend="put a copy there, if all may read it"))
        elif re.search("[\ud800-\udfff]", str(path)):  # bytes of a name as Python has them (PEP 383)
            faults.append(JiaokanError("its name is not UTF-8", place=Place(str(path)), mend="name it otherwise"))
    if faults:
        raise together(faults, "files that no bundle can hold")
    return {path.relative_to(catalog.root).as_posix(): path for path in paths}


def transcriptions(catalog: Catalog, sources: Sequence[SourceEntry]) -> dict[str, Path]:
    """Return the sources whose licence allows copies, by path in the edition folder.

    Raises JiaokanError for sources that are missing or differ from the catalog.
    """
    faults = []
    for each in sources:
        path, place = catalog.path(each), Place(str(catalog.path(each)))
        if not path.is_file():
            faults.append(JiaokanError("this source is not there", place=place, mend="put the file back"))
        elif hashlib.sha256(path.read_bytes()).hexdigest() != each.sha256:
            faults.append(JiaokanError("this source is not the one that the catalog describes", place=place,
                                       mend=f"`jiaokan accept {each.id}` shows what changed"))
    if faults:
        raise together(faults, "sources are not as the catalog says")
    free = [catalog.path(each) for each in sources if each.licence.allows_copies()]
    return {path.resolve().relative_to(catalog.root.resolve()).as_posix(): path for path in free}


def outputs(catalog: Catalog, plans: Sequence[EditionPlan], out: Path) -> tuple[dict[str, Path], tuple[Finding, ...]]:
    """Return the outputs built from the present TEI, by path in the bundle, and findings on what is left out."""
    found: dict[str, Path] = {}
    findings: list[Finding] = []
    stale: list[str] = []
    for plan in plans:
        tei = edition_path(catalog, plan)
        copy = copy_path(out, tei)  # a build makes it last
        if not (copy.is_file() and tei.is_file() and copy.read_bytes() == without_schemas(tei.read_bytes())):
            stale.append(plan.id)
            continue
        pdfs = (file for path in pdf_paths(out, plan).values() for file in plan.print.files(path))
        made = [*pdfs, *(also_path(out, plan, name) for name in plan.print.also)]
        found |= {path.relative_to(out).as_posix(): path for path in made if path.is_file()}
    if stale:
        findings.append(Finding(
            _RULE, Place(str(out)), f"without what was built of {', '.join(stale)}: nothing, or from another state of "
            "the TEI", f"run `jiaokan build {catalog.root}` first", "warning"))
    site = site_path(out)
    if site.is_dir() and not stale and len(plans) == len(catalog.editions):
        pages = (path for path in below(site) if not path.name.startswith("."))
        found |= {f"html/{path.relative_to(site).as_posix()}": path for path in pages}
    elif site.is_dir() and not stale:
        findings.append(Finding(
            _RULE, Place(str(site)), "without the website, which shows the folder's other texts too",
            "`jiaokan bundle` without an edition's name puts all into one bundle", "info"))
    return found, tuple(findings)
