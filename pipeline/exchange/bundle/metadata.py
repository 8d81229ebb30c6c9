"""What programs of repositories and libraries are told of an edition: CITATION.cff, the metadata of Zenodo and those of
DataCite, all from the same settings. What nobody has said is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline import __version__
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
    return {key: value for key, value in keys.items() if value not in ("", [], {}, None)}


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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
"""What may be where, with what it is."""


def readme(said: Told, names: Collection[str]) -> bytes:
    """Give README.md of a bundle whose files have these names."""
    return ("\n".join(_lines(said, names)) + "\n").encode()


def _lines(said: Told, names: Collection[str]) -> Iterator[str]:
    project, publication = said.catalog.project, said.catalog.publication
    yield from (f"# {_plain(said.title)}", "", *(_plain(each) for each in said.about.split("\n")), "")
    doi = registry_address("doi", publication.doi) if publication.doi else ""
    who = ", ".join(each.name for each in said.editors)
    where = ", ".join(filter(None, (": ".join(filter(None, (publication.place, project.publisher))), said.day)))
    yield from ("## How to cite 引用", "", _plain(". ".join(filter(None, (who, said.title, where, doi))) + "."), "")
    rights = f"[{_plain(project.licence.name)}]({project.licence.url})" if project.licence.url else (
        _plain(project.licence.name))
    yield from (f"Licence 许可: {rights}. The transcriptions have their own, see `sources.tsv`.", "")
    yield from ("## What is where 内容", "", "| | |", "|---|---|")
    yield from (f"| `{place}` | {what} |" for place, what in _PLACES if any(each.startswith(place) for each in names))
    yield from ("", "`edition/` is an edition folder of Jiaokan 校勘: where its sources are in place, "
                f"`jiaokan build edition` (version {__version__}) makes all of this anew.", "")
    yield from ("## Sources 底本", "", "| siglum | title | edition | SHA-256 |", "|---|---|---|---|")
    for each in said.sources:
        yield f"| {_plain(each.siglum)} | {_plain(each.title)} | {_plain(each.edition)} | `{each.sha256}` |"
    if left := [each.siglum for each in said.sources if not each.licence.allows_copies()]:
        yield from ("", "Not in here, since their licence does not say that copies may be passed on: "
                    f"{'、'.join(left)}.")
    yield from ("", "This is a bag (BagIt 1.0, RFC 8493): `bagit.py --validate` holds every file against its checksum.")


def sources_table(said: Told) -> bytes:
    """Give ``sources.tsv``: what each transcription is, so that whoever has it knows that it is the same."""
    rows = [("id", "siglum", "title", "edition", "file", "sha256", "licence", "included")]
    rows += [
        (each.id, each.siglum, each.title, each.edition, each.file, each.sha256,
         each.licence.url or each.licence.name, "yes" if each.licence.allows_copies() else "no")
        for each in said.sources
    ]
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows).encode()


def _plain(words: str) -> str:
    return "".join(f"\\{each}" if each in "\\`*_[]<>#|" else each for each in " ".join(words.split()))
