"""The README of a bundle: what it is, what is where, how to cite it, what its sources are."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pipeline import __version__
from pipeline.exchange.bundle.told import Told
from pipeline.settings.values import registry_address

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
    """Give words in which Markdown sees no marks of its own."""
    return "".join(f"\\{each}" if each in "\\`*_[]<>#|" else each for each in " ".join(words.split()))


