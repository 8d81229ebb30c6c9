"""What programs of repositories and libraries are told of an edition: CITATION.cff, the metadata of Zenodo and those of
DataCite, all from the same settings. What nobody has said is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.settings.plans import EditionPlan
from pipeline.settings.tables import PublicationEditor
from pipeline.settings.values import registry_address

_CREATIVE_COMMONS = re.compile(r"https?://creativecommons\.org/(licenses|publicdomain)/([a-z-]+)/(\d\.\d)")
_UNKNOWN = ":unav"
"""DataCite's word for what is not known (Metadata Schema 4.5, appendix 3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is said of a bundle, whatever the form."""

    title: str
    about: str
    editors: tuple[PublicationEditor, ...]
    """Who is to be cited: the editors, or, where nobody is named, who publishes."""
    day: str
    language: str
    catalog: Catalog
    sources: tuple[SourceEntry, ...]

    @property
    def spdx(self) -> str:
        """The licence's identifier in the SPDX list, where it is one of Creative Commons; else empty."""
        return spdx(self.catalog.project.licence.url)


def told(catalog: Catalog, plans: Sequence[EditionPlan], sources: Sequence[SourceEntry]) -> Told:
    """Gather what is said of some editions and their sources; of one edition its title, of several the project's."""
    project, said = catalog.project, catalog.publication
    known = {each.name: each for each in said.editors}
    names = project.editors or tuple(filter(None, (project.publisher or said.authority,)))
    one = plans[0] if len(plans) == 1 else None
    title = " ".join(filter(None, (one.title, one.subtitle))) if one else project.title
    about = [each.description for each in plans if each.description]
    return Told(
        title=title, about="\n".join(about) or f"{title}: edition in TEI P5, with its witnesses, decisions and schema.",
        editors=tuple(known.get(name, PublicationEditor(name=name)) for name in names),
        day=said.date or project.date, language=sources[0].language if sources else "", catalog=catalog,
        sources=tuple(sources),
    )


def spdx(url: str) -> str:
    """Give the SPDX identifier (https://spdx.org/licenses) of a licence of Creative Commons by its address."""
    found = _CREATIVE_COMMONS.match(url)
    if not found:
        return ""
    kind, name, version = found.groups()
    if kind == "publicdomain":
        return f"CC0-{version}" if name == "zero" else ""
    return f"CC-{name.upper()}-{version}"


def citation(said: Told) -> dict[str, Any]:
    """Give the keys of CITATION.cff (Citation File Format 1.2.0, https://citation-file-format.github.io)."""
    project, publication = said.catalog.project, said.catalog.publication
    whole_day = re.fullmatch(r"\d{4}-\d\d-\d\d", said.day)
    return _full({
        "cff-version": "1.2.0", "type": "dataset", "title": said.title,
        "message": "If you use this edition, please cite it as below.", "abstract": said.about,
        "authors": [_full({"name": each.name, "orcid": each.orcid and registry_address("orcid", each.orcid)})
                    for each in said.editors],
        "date-released": said.day if whole_day else "", "doi": publication.doi,
        "license": said.spdx, "license-url": "" if said.spdx else project.licence.url,
        "url": publication.url or project.url, "keywords": [*dict.fromkeys(publication.keywords)],
    })


def as_yaml(keys: Mapping[str, Any]) -> bytes:
    """Write CITATION.cff: YAML 1.2, of which JSON is a part, a line for each key and for each item of a list."""
    lines = []
    for key, value in keys.items():
        if isinstance(value, list):
            lines += [f"{key}:", *(f"  - {json.dumps(each, ensure_ascii=False)}" for each in value)]
        else:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
    return ("\n".join(lines) + "\n").encode()


def zenodo(said: Told) -> dict[str, Any]:
    """Give what Zenodo's deposits and its link to GitHub (``.zenodo.json``) take
    (https://developers.zenodo.org/#representation)."""
    project, publication = said.catalog.project, said.catalog.publication
    url = publication.url or project.url
    funders = [f"{each.name} {each.grant}".strip() for each in publication.funders]
    return _full({
        "upload_type": "dataset", "title": said.title,
        "description": "".join(f"<p>{_escaped(each)}</p>" for each in said.about.split("\n")),
        "creators": [_full({"name": each.name, "orcid": each.orcid, "affiliation": each.affiliation})
                     for each in said.editors],
        "publication_date": said.day, "doi": publication.doi,
        "access_right": "open" if said.spdx else "", "license": said.spdx.lower(),
        "keywords": [*dict.fromkeys(publication.keywords)],
        "notes": f"Funded by: {'; '.join(funders)}." if funders else "",
        "related_identifiers": [{"identifier": url, "relation": "isSupplementedBy", "scheme": "url"}] if url else [],
    })


def datacite(said: Told) -> dict[str, Any]:
    """Give what DataCite records with a DOI (Metadata Schema 4.5, https://schema.datacite.org)."""
    project, publication = said.catalog.project, said.catalog.publication
    url = publication.url or project.url
    rights = _full({"rights": project.licence.name, "rightsUri": project.licence.url, "rightsIdentifier": said.spdx,
                    "rightsIdentifierScheme": "SPDX" if said.spdx else ""})
    return _full({
        "schemaVersion": "http://datacite.org/schema/kernel-4", "doi": publication.doi, "url": url,
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Digital edition (TEI P5)"},
        "titles": [_full({"title": said.title, "lang": said.language})],
        "creators": [_creator(each) for each in said.editors],
        "publisher": {"name": project.publisher or publication.authority or _UNKNOWN},
        "publicationYear": said.day[:4] or _UNKNOWN, "language": said.language,
        "dates": [{"date": said.day, "dateType": "Issued"}] if said.day else [],
        "subjects": [{"subject": each} for each in dict.fromkeys(publication.keywords)],
        "alternateIdentifiers": [{"alternateIdentifier": each.value, "alternateIdentifierType": each.type}
                                 for each in dict.fromkeys(publication.idno)],
        "relatedIdentifiers": [
            {"relatedIdentifier": link, "relatedIdentifierType": "URL", "relationType": "IsDerivedFrom"}
            for link in dict.fromkeys(link for each in said.sources for link in each.links)
        ],
        "rightsList": [rights],
        "descriptions": [{"description": said.about, "descriptionType": "Abstract"}],
        "fundingReferences": [_full({"funderName": each.name, "awardNumber": each.grant, **_funder(each.url)})
                              for each in publication.funders],
    })


def as_json(data: Mapping[str, Any]) -> bytes:
    """Write JSON for people, too."""
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode()


def _creator(editor: PublicationEditor) -> dict[str, Any]:
    number = {"nameIdentifier": registry_address("orcid", editor.orcid), "nameIdentifierScheme": "ORCID",
              "schemeUri": "https://orcid.org"}
    return _full({
        "name": editor.name, "nameType": "Personal" if editor.orcid else "",
        "nameIdentifiers": [number] if editor.orcid else [],
        "affiliation": [{"name": editor.affiliation}] if editor.affiliation else [],
    })


def _funder(url: str) -> dict[str, str]:
    if not url:
        return {}
    return {"funderIdentifier": url, "funderIdentifierType": "ROR" if "//ror.org/" in url else "Other"}


def _full(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what nobody has said."""
    return {key: value for key, value in keys.items() if value not in ("", [], {}, None)}


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
