"""The texts of a site as one XML document, for its first page, lists and search; and its files for programs.

These are texts by DTS, citations as CSL-JSON, a list of all downloads, a sitemap.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict
from xml.sax.saxutils import escape, quoteattr

import msgspec
from lxml import etree

from jiaokan.characters import pinyin
from jiaokan.characters.scripts import Interface, interface_of, is_chinese
from jiaokan.messages import ENGLISH
from jiaokan.model.numerals import whole
from jiaokan.model.vocabulary import TEI
from jiaokan.outputs.web.earlier import EarlierSite
from jiaokan.outputs.web.search import script_data
from jiaokan.system.listing import matching
from jiaokan.tei.tree import ID, LANG, parse

CONTEXT, VERSION = "https://dtsapi.org/context/v1.0.json", "1.0"
"""JSON-LD context and version of Distributed Text Services (https://dtsapi.org)."""
WRAPPER = "https://dtsapi.org/v1.0#"
"""The namespace of ``dts:wrapper``."""
_HEAD = {"@context": CONTEXT, "dtsVersion": VERSION}
MANIFEST, CITATIONS, SITEMAP, ENTRY = "manifest.jsonld", "citations.json", "sitemap.xml", "dts/index.json"

PREPARED = "urn:jiaokan:prepared"
_P = f"{{{PREPARED}}}"
_FORMATS = {
    ".xml": "application/tei+xml", ".pdf": "application/pdf", ".csv": "text/csv", ".epub": "application/epub+zip",
}
"""Media types of downloads, by suffix."""
_MAPPED = 50_000
"""Most addresses of a sitemap (https://www.sitemaps.org/protocol.html)."""
_PAGED = 100
"""Members on a page of the collection: 60 KB."""


def publish(
    site: Path, cards: Mapping[Path, str], earlier: EarlierSite, *, title: str, url: str = "",
) -> Iterator[tuple[Path, bytes]]:
    """Yield the files that programs read (DTS, CSL, Schema.org, sitemap), each with its content, for a finished site.

    They come one at a time, since those of a library exceed the memory. Files of unchanged texts are reused from the
    `earlier` site. `cards` maps the ``card.xml`` of each text, in order, to the fingerprint of its folder. Without a
    `url` there is no sitemap, because its addresses must be absolute (https://www.sitemaps.org/protocol.html).
    """
    base = f"{url.rstrip('/')}/" if url else ""
    texts = [_text(path) for path in cards]
    yield site / MANIFEST, _json(_manifest(site, texts, earlier, title, base))
    yield site / CITATIONS, _json([item for text in texts for item in _citations(text, base)])
    way = f"{base}dts/" if base else ""
    ways = _ways(way, "")
    yield site / "dts" / "index.json", _json({**_HEAD, "@id": f"{way}index.json", "@type": "EntryPoint", **ways})
    yield from ((site / "dts" / name, _json(data)) for name, data in _collection(texts, title, way, ways))
    for text, made_of in zip(texts, cards.values(), strict=True):
        name = f"dts/navigation/{text['folder']}.json"
        if not earlier.again(site, name, earlier.key(made_of, url)):
            yield site / name, _json({
                **_HEAD, "@id": f"{way}navigation/{text['folder']}.json" if way else f"{text['folder']}.json",
                "@type": "Navigation", "resource": _resource(text, _ways(way, "../")),
                "member": list(_units(site, text, f"{way}document" if way else "../document")),
            })
        if not earlier.again(site, f"dts/document/{text['folder']}", earlier.key(made_of)):
            for page, _ in text["chapters"]:
                if (chapter := site / text["folder"] / f"{page}.xml").exists():
                    for reference, section in sections(chapter, text["id"]):
                        yield site / "dts" / "document" / text["folder"] / f"{reference}.xml", section
    pages = sorted(path.relative_to(site).as_posix() for pattern in ("*.html", "[!.]*/*.html")
                   for path in matching(site, pattern)) if base else []
    maps = {f"sitemap-{at // _MAPPED + 1}.xml": pages[at : at + _MAPPED] for at in range(0, len(pages), _MAPPED)}
    if len(maps) > 1:
        yield site / SITEMAP, _sitemap("sitemapindex", "sitemap", base, maps)
        yield from ((site / name, _sitemap("urlset", "url", base, some)) for name, some in maps.items())
    elif base:
        yield site / SITEMAP, _sitemap("urlset", "url", base, pages)


def _json(data: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n"  # json with an indent is pure Python


class _Card(TypedDict):
    """What the card of a text says."""

    folder: str
    id: str
    cites: list[str]
    language: str
    title: str
    author: list[str]
    editor: list[str]
    publisher: str
    date: str
    description: str
    licence: str
    chapters: list[tuple[str, str]]
    """Page and title of each."""


def _text(card: Path) -> _Card:
    root = etree.parse(card).getroot()

    def words(*names: str) -> list[str]:
        return [element.text or "" for name in names for element in root.findall(_P + name)]

    def first(name: str) -> str:
        return root.findtext(_P + name) or ""

    return {
        "folder": card.parent.name, "id": root.get("id", card.parent.name), "cites": root.get("cites", "").split(),
        "language": root.get(LANG, ""),
        "title": " ".join(words("title", "subtitle")), "author": words("author"), "editor": words("editor"),
        "publisher": first("publisher"), "date": first("date"), "description": first("description"),
        "licence": first("licence"),
        "chapters": [(chapter.get("page", ""), chapter.get("title", "")) for chapter in root.findall(f"{_P}chapter")],
    }


def _citations(text: _Card, base: str) -> Iterator[dict[str, object]]:
    """Return a text and its chapters as items of CSL-JSON (https://docs.citationstyles.org)."""
    date = [number for part in text["date"].split("-") if (number := whole(part))]
    shared = {
        **{role: [{"literal": name} for name in names]
           for role, names in (("author", text["author"]), ("editor", text["editor"])) if names},
        "publisher": text["publisher"], "language": text["language"],
        **({"issued": {"date-parts": [date]}} if date else {}),
    }
    address = f"{base}{text['folder']}"
    yield {"id": text["id"], "type": "book", "title": text["title"], "URL": f"{address}/index.html", **shared}
    for page, title in text["chapters"]:
        yield {"id": f"{text['id']}.{page}", "type": "chapter", "title": title, "container-title": text["title"],
               "URL": f"{address}/{page}.html", **shared}


def _manifest(
    site: Path, texts: Iterable[_Card], earlier: EarlierSite, title: str, base: str,
) -> dict[str, object]:
    """Return all downloads as a data set of Schema.org (https://schema.org/Dataset), with their SHA-256."""
    downloads = sorted(path for pattern in ("[!.]*/*", "[!.]*/files/*") for path in matching(site, pattern)
                       if path.suffix in _FORMATS)
    return {
        "@context": "https://schema.org", "@type": "Dataset", "name": title, **({"url": base} if base else {}),
        "hasPart": [{"@type": "Book", "@id": text["id"], "name": text["title"], "inLanguage": text["language"],
                     "url": f"{base}{text['folder']}/index.html"} for text in texts],
        "distribution": [{
            "@type": "DataDownload", "contentUrl": base + name, "encodingFormat": _FORMATS[path.suffix],
            "contentSize": str(path.stat().st_size), "sha256": earlier.digest(path, name),
        } for path in downloads if path.name != "card.xml" and (name := path.relative_to(site).as_posix())],
    }


def _sitemap(root: str, row: str, base: str, names: Iterable[str]) -> bytes:
    rows = "".join(f"<{row}><loc>{escape(base + name)}</loc></{row}>\n" for name in names)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            f"{rows}</{root}>\n").encode()


def _collection(
    texts: Sequence[_Card], title: str, base: str, ways: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the pages of the collection with links to each other (DTS 1.0, Collection endpoint: ``view``, a
    Pagination)."""
    head = {**_HEAD, "@id": "collection", "@type": "Collection", "title": title, "totalParents": 0,
            "totalChildren": len(texts), "collection": ways["collection"]}
    last = max(0, len(texts) - 1) // _PAGED
    names = [f"collection{f'-{page + 1}' if page else ''}.json" for page in range(last + 1)]
    for page, name in enumerate(names):
        view = {"@id": base + name, "@type": "Pagination", "first": base + names[0],
                "previous": base + names[page - 1] if page else None,
                "next": base + names[page + 1] if page < last else None, "last": base + names[-1]}
        some = [_resource(text, ways) for text in texts[page * _PAGED : (page + 1) * _PAGED]]
        yield name, {**head, "member": some, **({"view": view} if last else {})}


def _ways(base: str, up: str) -> dict[str, str]:
    """Return URI templates (RFC 6570) relative to a file of ``dts`` or, with `up`, of a subfolder."""
    here = base or up
    return {"collection": f"{here}collection.json", "navigation": f"{here}navigation/{{resource}}.json",
            "document": f"{base.removesuffix('dts/') if base else f'{up}../'}{{resource}}/{{ref}}.xml"}


def _resource(text: _Card, ways: Mapping[str, str]) -> dict[str, object]:
    structure: list[dict[str, object]] = []
    for name in reversed(text["cites"]):
        inner = {"citeStructure": structure} if structure else {}
        structure = [{"@type": "CiteStructure", "citeType": name, **inner}]
    return {
        "@id": text["folder"], "@type": "Resource", "title": text["title"], "totalParents": 1, "totalChildren": 0,
        **({"description": text["description"]} if text["description"] else {}),
        "dublinCore": {
            "language": text["language"], "creator": [*text["author"], *text["editor"]], "rights": text["licence"],
        },
        **{name: way.replace("{resource}", text["folder"]) for name, way in ways.items()},
        "citationTrees": [{"@type": "CitationTree", "citeStructure": structure}],
    }


def _units(site: Path, text: _Card, documents: str) -> Iterator[dict[str, object]]:
    """Yield the citable parts of a text in order: chapters that are documents, sections, units; ids without the
    text's."""
    folder = site / text["folder"]
    for page, title in text["chapters"]:
        if not (folder / f"{page}.xml").exists():
            continue
        parts = script_data(folder / f"find-{page}.js")["parts"]
        yield {"@type": "CitableUnit", "identifier": page, "level": 1, "parent": None, "citeType": "chapter",
               "dublinCore": {"title": title}}
        for kind, name, words, *_ in parts:
            if name and (kind == "s" or (kind == "b" and name.rpartition(".")[2].isdigit())):
                parent, level = name.rpartition(".")[0] or None, name.count(".") + 1
                description: dict[str, object] = {"citeType": "unit"}
                if kind == "s":
                    description = {"citeType": "section", "dublinCore": {"title": words},
                                   "document": f"{documents}/{text['folder']}/{name}.xml"}
                yield {"@type": "CitableUnit", "identifier": name, "level": level, "parent": parent, **description}


def sections(chapter: Path, text: str) -> Iterator[tuple[str, bytes]]:
    """Yield each section of a chapter's TEI file with its document, by its id without the `text`'s."""
    root = parse(chapter.read_bytes(), name=chapter.name)
    for division in root.iterfind(f".//{{{TEI}}}body/{{{TEI}}}div//{{{TEI}}}div"):
        identifier = division.get(ID, "")
        if identifier.startswith(f"{text}."):
            reference = identifier.removeprefix(f"{text}.")
            names: dict[str | None, str] = {None: TEI, "dts": WRAPPER}
            section_root = etree.Element(f"{{{TEI}}}TEI",
                                         nsmap=names)  # type: ignore[arg-type]  # lxml takes None: the default
            wrapper = etree.SubElement(section_root, f"{{{WRAPPER}}}wrapper", {"ref": reference})
            wrapper.append(parse(etree.tostring(division, with_tail=False), name=reference))
            yield reference, bytes(etree.tostring(section_root, xml_declaration=True, encoding="UTF-8")) + b"\n"


_SHELF = 60
"""Up to this number of texts the first page shows title slips and chapters (about fifteen screens). With more, it shows
sections and a search field, and pages of lines list the texts."""
_SHEET = 100
"""Texts on a list page: five screens, 30 KB."""


def in_order(cards: Iterable[Path], sections: Mapping[str, str]) -> list[Path]:
    """Return the ``card.xml`` of texts in the order of the site's list: critical editions first, then reading texts.

    Texts of one section (`sections`, by folder) stay together, in the order in which sections first occur.
    """
    kinds = {path: etree.parse(path).getroot().get("kind", "reading") for path in cards}
    listed = sorted(kinds, key=lambda path: kinds[path] != "critical")
    if len(listed) <= _SHELF:
        return listed
    section = {path: sections.get(path.parent.name, "") for path in listed}
    first = {name: place for place, name in reversed([*enumerate(section.values())])}
    return sorted(listed, key=lambda path: (not section[path], first[section[path]]))


def collection(cards: Sequence[Path], title: str, sections: Mapping[str, str]) -> bytes:
    """Return the cards of texts, in order, as one XML document; each has its ``@folder`` and ``@section``.

    In a library each also has ``@sheet``, the number of the page that lists it.
    """
    library = len(cards) > _SHELF
    attribute = ' library="yes"' if library else ""
    pieces = [f'<collection xmlns="{PREPARED}" title={quoteattr(title)}{attribute}>']
    sheet, room, last = 0, 0, ""
    for path in cards:
        card, section = etree.parse(path).getroot(), sections.get(path.parent.name, "")
        card.set("folder", path.parent.name)
        card.set("section", section)
        if library:
            if not room or section != last:
                sheet, room, last = sheet + 1, _SHEET, section
            room -= 1
            card.set("sheet", str(sheet))
        for name in card.findall(f"{_P}name"):  # they are for `names` alone
            card.remove(name)
        pieces.append(etree.tostring(card, encoding="unicode"))
    return "".join([*pieces, "</collection>"]).encode()


def spoken_of_all(cards: Iterable[Path]) -> Interface:
    """Return the interface language of a site: that of its Chinese texts, traditional if all are; if it has none, the
    one of all texts, else English."""
    spoken_of = {interface_of(etree.parse(path).getroot().get(LANG) or "") for path in cards}
    if not (chinese := set(filter(is_chinese, spoken_of))):
        return ENGLISH if len(spoken_of) > 1 else spoken_of.pop()
    return "hant" if chinese == {"hant"} else "hans"


def names(cards: Iterable[Path], readings: Mapping[str, str]) -> bytes:
    """Return the script with the pinyin of all names and titles: as set in `said`, else as usually read."""
    read: dict[str, str] = {}
    for path in cards:
        for name in etree.parse(path).iter(f"{_P}name"):
            words = name.text or ""
            read[words] = readings.get(words) or (pinyin.person
                                                  if name.get("kind") == "person" else pinyin.title)(words)
    known = {words: latin for words, latin in sorted(read.items()) if words and latin.casefold() != words.casefold()}
    return f"self.jiaokanNames = {json.dumps(known, ensure_ascii=False, indent=0)};\n".encode()
