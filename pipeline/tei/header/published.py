"""Who edits and publishes a text, where, when, under which numbers, and what people changed in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pipeline import __version__
from pipeline.model.vocabulary import PROGRAM
from pipeline.settings.catalog import Catalog
from pipeline.settings.tables import Revision
from pipeline.settings.values import REGISTRIES, registry_address
from pipeline.tei.header.origin import licence
from pipeline.tei.persons import xml_id
from pipeline.tei.tree import Element, add_block, element


def editors(catalog: Catalog) -> list[Element]:
    """``editor`` of each, with the ORCID iD that the catalog knows, then ``funder``."""
    known = {each.name: each.orcid for each in catalog.publication.editors}
    made = [
        element("editor", {"ref": registry_address("orcid", known[name]) if known.get(name) else ""}, name)
        for name in catalog.project.editors
    ]
    for each in catalog.publication.funders:
        made.append(element("funder", {"ref": each.url}, f"{each.name} ({each.grant})" if each.grant else each.name))
    return made


def statement(catalog: Catalog) -> Element:
    """``publicationStmt`` (Guidelines 2.2.4): whoever makes it available first, then what belongs to it."""
    project, said = catalog.project, catalog.publication
    parts = [element("publisher", {}, project.publisher)]
    parts += [element("authority", {}, said.authority)] if said.authority else []
    parts += [element("pubPlace", {}, said.place)] if said.place else []
    day = said.date or project.date
    parts += [element("date", {"when": day}, day)] if day else []
    parts += [element("idno", {"type": REGISTRIES["doi"].name}, said.doi)] if said.doi else []
    url = said.url or project.url
    parts += [element("idno", {"type": "URL"}, url)] if url else []
    parts += [element("idno", {"type": each.type}, each.value) for each in said.idno]
    return add_block(element("publicationStmt"), *parts, licence(project.licence))


def changes(texts: Collection[str], catalog: Catalog) -> list[Revision]:
    """Give what people changed in any of some sources and editions, the newest first, as the Guidelines ask (2.6)."""
    touched = [each for each in catalog.revisions if not each.of or not {*texts}.isdisjoint(each.of)]
    return sorted(touched, key=lambda each: each.when, reverse=True)


def revisions(made: Sequence[Revision], catalog: Catalog) -> Element:
    """``revisionDesc``: what people changed, and that the program encoded the text, the newest first."""
    told = [(each.when, xml_id(each.who, catalog) if each.who in catalog.persons else each.who, each.what)
            for each in made]
    told.append((catalog.project.date, PROGRAM, f"Encoded by Jiaokan {__version__}"))
    told.sort(key=lambda row: row[0], reverse=True)
    return add_block(element("revisionDesc"), *(
        element("change", {"when": when, "who": f"#{who}"}, what) for when, who, what in told
    ))
