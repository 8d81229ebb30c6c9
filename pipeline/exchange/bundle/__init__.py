"""Bundles of an edition for a repository, as bags (BagIt, RFC 8493).

A bag has TEI, schema, settings and decisions, checksums of the sources, built outputs, and metadata for repositories:
CITATION.cff, Zenodo, DataCite.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pipeline import __version__
from pipeline.errors import CatalogError, Finding, JiaokanError, Place
from pipeline.exchange.bundle.bag import Content, bag_files, write_folder, write_zip
from pipeline.exchange.bundle.metadata import (
    Metadata,
    as_json,
    as_yaml,
    citation,
    datacite,
    gather_metadata,
    readme,
    sources_table,
    zenodo,
)
from pipeline.exchange.bundle.payload import outputs, settings, tei_files, transcriptions
from pipeline.settings.catalog import Catalog
from pipeline.settings.syntax import parse_toml
from pipeline.settings.toml import read_toml
from pipeline.settings.values import identifier_fault
from pipeline.system.atomic import write_file


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
    names = {name for plan in plans for name in plan.all_witnesses()}
    sources = [each for each in catalog.sources.values() if each.id in names]
    meta = gather_metadata(catalog, plans, sources)
    if not meta.editors:
        table = read_toml(catalog.root / "tei" / "catalog.toml")
        raise table.error(("project", "editors"),
                          "nobody can be cited: [project] has neither editors nor a publisher",
                          'name at least one: editors = ["…"]')
    folder = tei_files(catalog, plans, sources) | settings(catalog, plans) | transcriptions(catalog, sources)
    built, findings = outputs(catalog, plans, out)
    payload: dict[str, Content] = {
        **{f"edition/{name}": path for name, path in folder.items()}, **built,
        "CITATION.cff": as_yaml(citation(meta)), "zenodo.json": as_json(zenodo(meta)),
        "datacite.json": as_json(datacite(meta)), "sources.tsv": sources_table(meta),
    }
    payload["README.md"] = readme(meta, payload)
    files = bag_files(payload, _info_rows(meta))
    (write_zip if target.suffix == ".zip" else write_folder)(files, target)
    return len(payload), findings


def _info_rows(meta: Metadata) -> dict[str, str]:
    project, publication = meta.catalog.project, meta.catalog.publication
    return {
        "Source-Organization": project.publisher or publication.authority,
        "Contact-Name": ", ".join(each.name for each in meta.editors),
        "External-Description": meta.about,
        "External-Identifier": publication.doi,
        "Bagging-Date": meta.day if len(meta.day) == len("2026-11-20") else "",
        "Bag-Software-Agent": f"Jiaokan {__version__}",
    }


def write_doi(catalog: Path, doi: str) -> None:
    """Write a DOI into ``[publication]`` of a catalog; nothing else changes.

    Raises JiaokanError if the DOI is invalid, CatalogError if `publication` is not a table with its own head.
    """
    if wrong := identifier_fault("doi", doi) if doi else ("no DOI was given", "write it as 10.5281/zenodo.3402901"):
        raise JiaokanError(wrong[0], mend=wrong[1])
    table = read_toml(catalog)
    text = catalog.read_bytes().decode("utf-8")
    made = _with_doi(text, table.get("publication"), doi)
    wanted = {**table, "publication": {**table.get("publication", {}), "doi": doi}}
    try:
        right = parse_toml(made.removeprefix("\ufeff").replace("\r\n", "\n")) == wanted
    except tomllib.TOMLDecodeError:
        right = False
    if not right:
        raise CatalogError("the DOI cannot be written here: [publication] has a form of its own",
                           place=table.place(("publication",)), mend=f'write doi = "{doi}" into it yourself')
    write_file(catalog, made.encode())


def _with_doi(text: str, there: object, doi: str) -> str:
    end = "\r\n" if "\r\n" in text else "\n"
    row = f'doi = "{doi}"'
    if there is None:
        first = re.search(r"^[ \t]*\[\[", text, re.M)  # after [project]: a table ends where the next begins
        at = first.start() if first else len(text)
        before = text[:at] if not text[:at] or text[:at].endswith("\n") else text[:at] + end
        return f"{before}[publication]{end}{row}{end}{end}{text[at:]}"
    head = re.search(r"^[ \t]*\[[ \t]*publication[ \t]*\][^\n]*\n?", text, re.M)
    if head is None:
        return text
    after = re.search(r"^[ \t]*\[", text[head.end():], re.M)
    stop = head.end() + after.start() if after else len(text)
    inside, count = re.subn(r"^([ \t]*doi[ \t]*=[ \t]*)(\"[^\"\n]*\"|'[^'\n]*')", rf'\g<1>"{doi}"',
                            text[head.end():stop], count=1, flags=re.M)
    if not count:
        inside = row + end + inside
    opened = head[0] if head[0].endswith("\n") else head[0] + end
    return text[:head.start()] + opened + inside + text[stop:]
