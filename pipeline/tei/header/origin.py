"""What a text was made from: ``bibl`` of a transcription, ``msDesc`` of the book that was transcribed, ``listWit``, and
the works that a text cites."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from pipeline.model.vocabulary import WORKS
from pipeline.settings.catalog import Catalog, Licence, Person, SourceEntry
from pipeline.settings.tables import Holder
from pipeline.system.shown import visible
from pipeline.tei.header.uses import Uses
from pipeline.tei.persons import xml_id
from pipeline.tei.tree import FORBIDDEN, ID, Element, add_block, element


def author(person: Person, catalog: Catalog) -> Element:
    """``author`` that points to the person."""
    return element("author", {"ref": f"#{xml_id(person.id, catalog)}"}, person.name)


def licence(terms: Licence) -> Element:
    """``availability`` with its ``licence``."""
    return element("availability", {}, "", element("licence", {"target": terms.url}, terms.name))


def described(entry: SourceEntry, catalog: Catalog) -> list[Element]:
    """``bibl`` of a transcription and, where somebody keeps the book, its ``msDesc`` (Guidelines 11.4)."""
    return [_source(entry, catalog), *([_kept(entry.holder)] if entry.holder else [])]


def _source(entry: SourceEntry, catalog: Catalog) -> Element:
    """``bibl`` of a transcription: work, author, edition, dynasty, where from, file and sha256, licence, links."""
    made = element("bibl", {}, "", element("title", {}, entry.title))
    for name in entry.authors:
        made.append(author(catalog.persons[name], catalog))
    if entry.edition:
        made.append(element("edition", {}, entry.edition))
    if entry.dynasty:
        made.append(element("date", {}, entry.dynasty))
    made.append(element("idno", {"type": "file"}, visible(PurePosixPath(entry.file).name)))
    made.append(element("idno", {"type": "sha256"}, entry.sha256))
    made.append(licence(entry.licence))
    made.extend([element("ptr", {"target": link}) for link in entry.links])
    for kind, words in (("origin", entry.origin), ("remark", entry.note)):
        if words:
            made.append(element("note", {"type": kind}, words))
    return made


def _kept(holder: Holder) -> Element:
    """``msDesc`` with the least that the Guidelines ask for: who has the book, under which number."""
    known = {"country": holder.country, "settlement": holder.settlement, "repository": holder.repository,
             "idno": holder.shelfmark}
    kinds = {"idno": {"type": "shelfmark"}}
    told = [element(tag, kinds.get(tag), words) for tag, words in known.items() if words]
    return element("msDesc", {}, "", element("msIdentifier", {}, "", *told))


def list_wit(entries: list[SourceEntry], used: Uses, catalog: Catalog) -> list[Element]:
    """``listWit``; what commentaries report about other texts is a nested one. None if there are neither."""
    made = element("listWit")
    for entry in entries:
        siglum = element("abbr", {"type": "siglum"}, entry.siglum)
        add_block(made, element("witness", {ID: entry.id, "n": entry.siglum}, "", siglum, *described(entry, catalog)))
    others = {*used.reported, *(name for name in used.witnesses if name not in catalog.sources)}
    if others:
        nested = add_block(element("listWit"), element("head", {}, "诸家所称引 (known by report)"))
        reported = catalog.lists.reported()
        for other in (*(name for name in reported if name in others), *sorted(others - reported.keys())):
            label = reported.get(other, other)
            siglum = element("abbr", {"type": "siglum"}, label)
            add_block(nested, element("witness", {ID: other, "n": label}, "", siglum))
        add_block(made, nested)
    return [made] if len(made) else []


def works(cited: Mapping[str, str], itself: str, catalog: Catalog) -> list[Element]:
    """``listBibl`` of the works that the text cites by id, without the document `itself`."""
    known = WORKS | catalog.lists.works()
    made = [
        element("bibl", {ID: key}, "", element("title", {}, known.get(key) or _bare(title) or key))
        for key, title in sorted(cited.items()) if key != itself
    ]
    return [add_block(element("listBibl", {"type": "cited"}), *made)] if made else []


def _bare(title: str) -> str:
    """Give a title without its brackets and what a header cannot hold."""
    return FORBIDDEN.sub("", title).strip("《》〈〉")
