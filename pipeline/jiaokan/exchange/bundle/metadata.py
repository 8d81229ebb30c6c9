"""Metadata of a bundle: CITATION.cff, Zenodo, DataCite, and the README, all from the same settings. Empty fields are
left out."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from jiaokan import __version__
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.tables import PublicationEditor
from jiaokan.settings.values import registry_address

_CREATIVE_COMMONS = re.compile(r"https?://creativecommons\.org/(licenses|publicdomain)/([a-z-]+)/(\d\.\d)")
_UNKNOWN = ":unav"  # DataCite's code for an unknown value (Metadata Schema 4.5, appendix 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Metadata in no particular form."""

    title: str
    about: str
    editors: tuple[PublicationEditor, ...]  # who is cited: the editors, or the publisher if none is named
    day: str
    language: str
    catalog: Catalog
    sources: tuple[SourceEntry, ...]

    @property
    def spdx(self) -> str:
        """SPDX identifier of a Creative Commons licence; else empty."""
        return spdx(self.catalog.project.licence.url)


def gather_metadata(catalog: Catalog, plans: Sequence[EditionPlan], sources: Sequence[SourceEntry]) -> Metadata:
    """Return the metadata of editions and their sources, with the title of the only edition, else of the project."""
    project, meta = catalog.project, catalog.publication
    known = {editor.name: editor for editor in meta.editors}
    names = project.editors or tuple(filter(None, (project.publisher or meta.authority,)))
    only_plan = plans[0] if len(plans) == 1 else None
    title = " ".join(filter(None, (only_plan.title, only_plan.subtitle))) if only_plan else project.title
    about = [plan.description for plan in plans if plan.description]
    return Metadata(
        title=title, about="\n".join(about) or f"{title}: edition in TEI P5, with its witnesses, decisions and schema.",
        editors=tuple(known.get(name, PublicationEditor(name=name)) for name in names),
        day=meta.date or project.date, language=sources[0].language if sources else "", catalog=catalog,
        sources=tuple(sources),
    )


def spdx(url: str) -> str:
    """Return the SPDX identifier (https://spdx.org/licenses) of the Creative Commons licence at an address, or ""."""
    match = _CREATIVE_COMMONS.match(url)
    if not match:
        return ""
    kind, name, version = match.groups()
    if kind == "publicdomain":
        return f"CC0-{version}" if name == "zero" else ""
    return f"CC-{name.upper()}-{version}"


def citation(meta: Metadata) -> dict[str, object]:
    """Return the keys of CITATION.cff (Citation File Format 1.2.0, https://citation-file-format.github.io)."""
    project, publication = meta.catalog.project, meta.catalog.publication
    whole_day = re.fullmatch(r"\d{4}-\d\d-\d\d", meta.day)
    return _drop_empty({
        "cff-version": "1.2.0", "type": "dataset", "title": meta.title,
        "message": "If you use this edition, please cite it as below.", "abstract": meta.about,
        "authors": [_drop_empty({"name": editor.name,
                                 "orcid": editor.orcid and registry_address("orcid", editor.orcid)})
                    for editor in meta.editors],
        "date-released": meta.day if whole_day else "", "doi": publication.doi,
        "license": meta.spdx, "license-url": "" if meta.spdx else project.licence.url,
        "url": publication.url or project.url, "keywords": [*dict.fromkeys(publication.keywords)],
    })


def as_yaml(keys: Mapping[str, object]) -> bytes:
    """Return CITATION.cff as YAML 1.2, with values in JSON, which is YAML; one line for each key and list item."""
    lines = []
    for key, value in keys.items():
        if isinstance(value, list):
            lines += [f"{key}:", *(f"  - {json.dumps(item, ensure_ascii=False)}" for item in value)]
        else:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
    return ("\n".join(lines) + "\n").encode()


def zenodo(meta: Metadata) -> dict[str, object]:
    """Return metadata for Zenodo's deposits and its link to GitHub (``.zenodo.json``;
    https://developers.zenodo.org/#representation)."""
    project, publication = meta.catalog.project, meta.catalog.publication
    url = publication.url or project.url
    funders = [f"{funder.name} {funder.grant}".strip() for funder in publication.funders]
    return _drop_empty({
        "upload_type": "dataset", "title": meta.title,
        "description": "".join(f"<p>{escape(line, quote=False)}</p>" for line in meta.about.split("\n")),
        "creators": [_drop_empty({"name": editor.name, "orcid": editor.orcid, "affiliation": editor.affiliation})
                     for editor in meta.editors],
        "publication_date": meta.day, "doi": publication.doi,
        "access_right": "open" if meta.spdx else "", "license": meta.spdx.lower(),
        "keywords": [*dict.fromkeys(publication.keywords)],
        "notes": f"Funded by: {'; '.join(funders)}." if funders else "",
        "related_identifiers": [{"identifier": url, "relation": "isSupplementedBy", "scheme": "url"}] if url else [],
    })


def datacite(meta: Metadata) -> dict[str, object]:
    """Return the metadata of a DOI at DataCite (Metadata Schema 4.5, https://schema.datacite.org)."""
    project, publication = meta.catalog.project, meta.catalog.publication
    url = publication.url or project.url
    rights = _drop_empty({"rights": project.licence.name, "rightsUri": project.licence.url,
                          "rightsIdentifier": meta.spdx,
                    "rightsIdentifierScheme": "SPDX" if meta.spdx else ""})
    return _drop_empty({
        "schemaVersion": "http://datacite.org/schema/kernel-4", "doi": publication.doi, "url": url,
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Digital edition (TEI P5)"},
        "titles": [_drop_empty({"title": meta.title, "lang": meta.language})],
        "creators": [_creator(editor) for editor in meta.editors],
        "publisher": {"name": project.publisher or publication.authority or _UNKNOWN},
        "publicationYear": meta.day[:4] or _UNKNOWN, "language": meta.language,
        "dates": [{"date": meta.day, "dateType": "Issued"}] if meta.day else [],
        "subjects": [{"subject": keyword} for keyword in dict.fromkeys(publication.keywords)],
        "alternateIdentifiers": [{"alternateIdentifier": idno.value, "alternateIdentifierType": idno.type}
                                 for idno in dict.fromkeys(publication.idno)],
        "relatedIdentifiers": [
            {"relatedIdentifier": link, "relatedIdentifierType": "URL", "relationType": "IsDerivedFrom"}
            for link in dict.fromkeys(link for source in meta.sources for link in source.links)
        ],
        "rightsList": [rights],
        "descriptions": [{"description": meta.about, "descriptionType": "Abstract"}],
        "fundingReferences": [
            _drop_empty({"funderName": funder.name, "awardNumber": funder.grant, "funderIdentifier": funder.url,
                     "funderIdentifierType": funder.url and ("ROR" if "//ror.org/" in funder.url else "Other")})
            for funder in publication.funders
        ],
    })


def as_json(data: Mapping[str, object]) -> bytes:
    """Return indented JSON."""
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()


def _creator(editor: PublicationEditor) -> dict[str, object]:
    number = {"nameIdentifier": registry_address("orcid", editor.orcid), "nameIdentifierScheme": "ORCID",
              "schemeUri": "https://orcid.org"}
    return _drop_empty({
        "name": editor.name, "nameType": "Personal" if editor.orcid else "",
        "nameIdentifiers": [number] if editor.orcid else [],
        "affiliation": [{"name": editor.affiliation}] if editor.affiliation else [],
    })


def _drop_empty(keys: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in keys.items() if value not in ("", [], {}, None)}


_PLACES = (
    ("edition/tei/editions/", "critical editions 校本, TEI P5"),
    ("edition/tei/witnesses/", "each witness 各本, TEI P5"),
    ("edition/tei/sources/", "transcriptions as received 转录本"),
    ("edition/tei/decisions/", "what the editor decided 编者裁定, with who, why and how surely"),
    ("edition/tei/punctuation/", "the editor's punctuation 编者标点"),
    ("edition/tei/", "settings: catalog, persons, conventions, plans of the editions"),
    ("edition/schema/", "schema 模式: ODD, Schematron, XSD"),
    ("html/", "the website 网站: open index.html"),
    ("pdf/", "in print 印本"),
    ("epub/", "e-book 电子书"),
    ("docx/", "for word processors"),
    ("sources.tsv", "every source with its SHA-256, its licence, and whether it is in here"),
    ("CITATION.cff", "how to cite, for programs (Citation File Format 1.2.0)"),
    ("zenodo.json", "metadata for Zenodo; in a repository it is called .zenodo.json"),
    ("datacite.json", "metadata for DataCite (Metadata Schema 4.5)"),
)


def readme(meta: Metadata, names: Collection[str]) -> bytes:
    """Return README.md of a bundle with files of these names."""
    project, publication = meta.catalog.project, meta.catalog.publication
    doi = registry_address("doi", publication.doi) if publication.doi else ""
    who = ", ".join(editor.name for editor in meta.editors)
    where = ", ".join(filter(None, (": ".join(filter(None, (publication.place, project.publisher))), meta.day)))
    rights = f"[{_escape_markdown(project.licence.name)}]({project.licence.url})" if project.licence.url else (
        _escape_markdown(project.licence.name))
    left = [source.siglum for source in meta.sources if not source.licence.allows_copies()]
    lines = [
        f"# {_escape_markdown(meta.title)}", "", *(_escape_markdown(line) for line in meta.about.split("\n")), "",
        "## How to cite 引用", "", _escape_markdown(". ".join(filter(None, (who, meta.title, where, doi))) + "."), "",
        f"Licence 许可: {rights}. The transcriptions have their own, see `sources.tsv`.", "",
        "## What is where 内容", "", "| | |", "|---|---|",
        *(f"| `{place}` | {what} |" for place, what in _PLACES if any(name.startswith(place) for name in names)),
        "", "`edition/` is an edition folder of Jiaokan 校勘: where its sources are in place, "
        f"`jiaokan build edition` (version {__version__}) makes all of this anew.", "",
        "## Sources 底本", "", "| siglum | title | edition | SHA-256 |", "|---|---|---|---|",
        *(_source_row(source) for source in meta.sources),
        *(["", f"Not in here, since their licence does not say that copies may be passed on: {'、'.join(left)}."]
          if left else []),
        "", "This is a bag (BagIt 1.0, RFC 8493): `bagit.py --validate` holds every file against its checksum.",
    ]
    return ("\n".join(lines) + "\n").encode()


def _source_row(source: SourceEntry) -> str:
    cells = (_escape_markdown(words) for words in (source.siglum, source.title, source.edition))
    return f"| {' | '.join(cells)} | `{source.sha256}` |"


def sources_table(meta: Metadata) -> bytes:
    """Return ``sources.tsv``, which identifies each transcription by its checksum."""
    rows = [("id", "siglum", "title", "edition", "file", "sha256", "licence", "included")]
    rows += [
        (source.id, source.siglum, source.title, source.edition, source.file, source.sha256,
         source.licence.url or source.licence.name, "yes" if source.licence.allows_copies() else "no")
        for source in meta.sources
    ]
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows).encode()


def _escape_markdown(words: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in " ".join(words.split()))
