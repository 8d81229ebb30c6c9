"""TEI headers: each declares all that its file points to; what the text was made from; who edits and publishes it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from jiaokan import __version__, model
from jiaokan.decisions.approved import Review, reviews
from jiaokan.decisions.characters import decided_glyphs
from jiaokan.decisions.punctuation.files import Basis
from jiaokan.decisions.readings import tallies, tally_choices, witnesses_by_chapter
from jiaokan.errors import visible
from jiaokan.model.vocabulary import PROGRAM, WORKS, dynasties
from jiaokan.settings.catalog import Catalog, Licence, NamedPerson, Person, SourceEntry
from jiaokan.settings.plans import EditionPlan
from jiaokan.settings.tables import Named, Revision
from jiaokan.settings.values import REGISTRIES, registry_address
from jiaokan.tei.header import declarations
from jiaokan.tei.header.principles import (
    chapters,
    consulted_paragraphs,
    decision_paragraphs,
    editorial,
    graphs,
    is_chinese,
    principle,
    punctuation_paragraphs,
    statement,
)
from jiaokan.tei.header.uses import Uses, uses
from jiaokan.tei.persons import xml_id
from jiaokan.tei.shapes import ORG_PREFIX, PLACE_PREFIX
from jiaokan.tei.tree import FORBIDDEN, ID, LANG, Element, add_block, element


def _author(person: Person, catalog: Catalog) -> Element:
    return element("author", {"ref": f"#{xml_id(person.id, catalog)}"}, person.name)


def _licence(terms: Licence) -> Element:
    return element("availability", {}, "", element("licence", {"target": terms.url}, terms.name))


def describe_source(entry: SourceEntry, catalog: Catalog) -> list[Element]:
    """``bibl`` of a transcription and, where somebody keeps the book, its ``msDesc`` (Guidelines 11.4)."""
    bibl = element("bibl", {}, "", element("title", {}, entry.title))
    for name in entry.authors:
        bibl.append(_author(catalog.persons[name], catalog))
    if entry.edition:
        bibl.append(element("edition", {}, entry.edition))
    if entry.dynasty:
        bibl.append(element("date", _years(entry.dynasty), entry.dynasty))
    bibl.append(element("idno", {"type": "file"}, visible(PurePosixPath(entry.file).name)))
    bibl.append(element("idno", {"type": "sha256"}, entry.sha256))
    bibl.append(_licence(entry.licence))
    bibl.extend([element("ptr", {"target": link}) for link in entry.links])
    for kind, words in (("origin", entry.origin), ("remark", entry.note)):
        if words:
            bibl.append(element("note", {"type": kind}, words))
    if not (holder := entry.holder):
        return [bibl]
    known = {"country": holder.country, "settlement": holder.settlement, "repository": holder.repository,
             "idno": holder.shelfmark}
    parts = [element(tag, {"type": "shelfmark" if tag == "idno" else ""}, words) for tag, words in known.items()
             if words]
    return [bibl, element("msDesc", {}, "", element("msIdentifier", {}, "", *parts))]


_BETWEEN = re.compile("[、・·，, ]+")


def _years(words: str) -> dict[str, str]:
    """Return the years of the dynasties in some words as attributes; none unless the words are dynasties."""
    eras = [dynasties().get(part) for part in _BETWEEN.split(words)]
    known = [era for era in eras if era is not None]
    if len(known) < len(eras) or not known:
        return {}
    return {"notBefore": _year(min(era.begin for era in known)), "notAfter": _year(max(era.end for era in known))}


def _year(year: int) -> str:
    return f"{year:05d}" if year < 0 else f"{year:04d}"


def list_wit(entries: list[SourceEntry], used: Uses, catalog: Catalog) -> list[Element]:
    """``listWit``; what commentaries report about other texts is a nested one. None if there are neither."""
    witness_list = element("listWit")
    for entry in entries:
        siglum = element("abbr", {"type": "siglum"}, entry.siglum)
        attributes = {ID: entry.id, "n": entry.siglum}
        add_block(witness_list, element("witness", attributes, "", siglum, *describe_source(entry, catalog)))
    others = {*used.reported, *(name for name in used.witnesses if name not in catalog.sources)}
    if others:
        nested = add_block(element("listWit"), element("head", {}, "诸家所称引 (known by report)"))
        reported = catalog.lists.reported_traditions()
        for other in (*(name for name in reported if name in others), *sorted(others - reported.keys())):
            label = reported.get(other, other)
            siglum = element("abbr", {"type": "siglum"}, label)
            add_block(nested, element("witness", {ID: other, "n": label}, "", siglum))
        add_block(witness_list, nested)
    return [witness_list] if len(witness_list) else []


def works(cited: Mapping[str, str], itself: str, catalog: Catalog) -> list[Element]:
    """``listBibl`` of the works that the text cites by id, without the document `itself`."""
    known = WORKS | catalog.lists.works()
    cited_works = [
        element("bibl", {ID: key}, "", element(
            "title", {}, known.get(key) or FORBIDDEN.sub("", title).strip("《》〈〉") or key))
        for key, title in sorted(cited.items()) if key != itself
    ]
    return [add_block(element("listBibl", {"type": "cited"}), *cited_works)] if cited_works else []


def witness_header(entry: SourceEntry, document: model.Document, catalog: Catalog) -> Element:
    """Return the ``teiHeader`` of a source's own document."""
    used = uses(document, catalog.lists.reported_traditions())
    authors = [catalog.persons[name] for name in entry.authors]
    titles = [element("title", {LANG: entry.language}, entry.title), *(_author(author, catalog) for author in authors)]
    source = add_block(
        element("sourceDesc"), *describe_source(entry, catalog), *list_wit([], used, catalog),
        *works(used.works, document.id, catalog),
    )
    encoding = [
        statement("projectDesc", principle("witness", title=entry.title), entry.language),
        editorial(used.features, entry.language),
        declarations.references(document.reference, labelled="label" in used.features),
        declarations.prefixes(variants=False), declarations.classes(variants=False, cited={}),
    ]
    changes = changes_of((entry.id,), catalog)
    return _header(titles, source, encoding, [entry.language], entry.authors, used, changes, catalog)


def edition_header(
    plan: EditionPlan, document: model.Document, catalog: Catalog, cited: Mapping[str, Mapping[str, str]] | None = None,
    bases: Sequence[tuple[str, Basis]] = (), abridged: Collection[str] = (),
) -> Element:
    """Return the ``teiHeader`` of an edition: critical (with witnesses and variants) or reading. `cited` are the rows
    of lists that its classes rest on, as `declarations.classes` has them; `bases` what the editor's marks of
    punctuation and translations rest on, by id; `abridged` are the ids of entries that only say that a work
    abridges."""
    used = uses(document, catalog.lists.reported_traditions())
    entries = [catalog.sources[name] for name in plan.all_witnesses()]
    written = entries[0] if plan.kind == "reading" and entries else None
    work = catalog.works.get(plan.work)
    authors = work.authors if work else ()
    if written:
        authors = written.authors
    titles = [element("title", {LANG: entries[0].language if entries else "zh"}, plan.title)]
    titles += [element("title", {"type": "sub", LANG: "zh"}, plan.subtitle)] if plan.subtitle else []
    titles += [_author(catalog.persons[name], catalog) for name in authors]
    origin = [*describe_source(written, catalog)] if written else []
    origin += list_wit([] if written else entries, used, catalog)
    for book in plan.testimony:
        bibl = describe_source(catalog.sources[book.source], catalog)[0]
        bibl.set(ID, book.source)
        origin.append(bibl)
    source = add_block(element("sourceDesc"), *origin, *works(used.works, document.id, catalog))
    language, about = entries[0].language if entries else "", plan.description
    simplified, full, english = principle("edition", title=plan.title, kind=plan.kind)
    project = about or simplified, about or full, about if about and not is_chinese(language) else english
    encoding = [
        statement("projectDesc", project, language),
        editorial(used.features, language, declarations.layer_attributes(used.layer)),
        declarations.references(document.reference, labelled="label" in used.features),
        declarations.prefixes(variants=not written), declarations.classes(variants=not written, cited=cited or {}),
    ]
    if bases:
        used.agents |= dict.fromkeys(basis.resp for _, basis in bases)
        add_block(encoding[-1], declarations.bases(bases))
    if "layer" in used.features:
        add_block(encoding[1][2], *punctuation_paragraphs(document, language))
    if not written:
        sigla = {entry.id: entry.siglum for entry in entries}
        simplified = "、".join(entry.siglum for entry in entries if "Hans" in entry.language.split("-"))
        add_block(encoding[1][1], *graphs(document, simplified, language))
        add_block(encoding[1][0], *chapters(
            witnesses_by_chapter(document), sigla, language,
            {f"{plan.id}.{chapter.n}": chapter.why for chapter in plan.chapters}),
                  *consulted_paragraphs(plan.consulted, language),
                  *decision_paragraphs(*tallies(document, plan.settled, abridged),
                                       tally_choices(document, plan.settled), language))
        linked = {"method": "parallel-segmentation", "location": "internal"}
        encoding.append(element("variantEncoding", linked))
    people = [*authors, *(name for entry in entries for name in entry.authors)]
    changes = changes_of((plan.id, *([written.id] if written else ())), catalog)
    languages, reviewed = [e.language for e in entries], reviews(document, catalog.root)
    return _header(titles, source, encoding, languages, people, used, changes, catalog, reviewed)


def _header(
    titles: list[Element], source: Element, encoding: list[Element], languages: list[str],
    authors: Iterable[str], used: Uses, changes: Sequence[Revision], catalog: Catalog,
    reviewed: Sequence[Review] = (),
) -> Element:
    judged = {code: decision for code, decision in decided_glyphs(catalog.root).items() if code in used.glyphs}
    used.agents |= dict.fromkeys((*(decision.resp for decision in judged.values()), *(change.who for change in changes),
                                  *(review.who for review in reviewed)))
    named = {PROGRAM: ("encoding and collation 编码、校勘", f"Jiaokan {__version__}")}
    decided = ("editorial decisions 校定", "、".join(catalog.project.editors))
    named |= dict.fromkeys(sorted(used.agents.keys() - catalog.persons.keys() - {PROGRAM}), decided)
    agents = [element("respStmt", {ID: agent}, "", element("resp", {}, what), element("name", {}, who or agent))
              for agent, (what, who) in named.items()]
    stated = add_block(element("titleStmt"), *titles, *editors(catalog), *agents)
    file = add_block(element("fileDesc"), stated, *edition_statement(changes), publication_statement(catalog), source)
    encoding += [declarations.characters(used.glyphs, judged)] if used.glyphs else []
    encoding.append(declarations.application())
    profile = add_block(element("profileDesc"), declarations.languages(languages))
    people = {*authors, *used.speakers, *used.agents}
    declared: list[tuple[str, Person | NamedPerson]] = [*catalog.persons.items(), *catalog.named.items()]
    known = [_person(person, xml_id(key, catalog)) for key, person in declared if key in people]
    lists = [add_block(element("listPerson"), *known)] if known else []
    orgs = [_name_entry("org", f"{ORG_PREFIX}{key}", org, org.kind)
            for key, org in catalog.orgs.items() if key in used.orgs]
    lists += [add_block(element("listOrg"), *orgs)] if orgs else []
    if lists:
        add_block(profile, add_block(element("particDesc"), *lists))
    if places := [_name_entry("place", f"{PLACE_PREFIX}{key}", place)
                  for key, place in catalog.places.items() if key in used.places]:
        add_block(profile, add_block(element("settingDesc"), add_block(element("listPlace"), *places)))
    return add_block(element("teiHeader"), file, add_block(element("encodingDesc"), *encoding), profile,
                     revision_desc(changes, reviewed, catalog))


def _name_entry(tag: str, identifier: str, named: Named, kind: str = "") -> Element:
    node = element(tag, {ID: identifier, "type": kind}, "", element(f"{tag}Name", {"type": "main"}, named.name))
    node.extend([element(f"{tag}Name", {}, name) for name in named.names])
    if named.note:
        node.append(element("note", {}, named.note))
    return node


def _person(person: Person | NamedPerson, identifier: str) -> Element:
    known = person if isinstance(person, Person) else None
    name = element("persName", {"type": "main"}, person.name)
    node = element("person", {ID: identifier, "n": known.label if known else ""}, "", name)
    node.extend([element("persName", {}, other) for other in person.names])
    years = {"birth": known.birth, "death": known.death} if known else {}
    node.extend([element(event, {"when": _year(year)}) for event, year in years.items() if year])
    node.extend([element("floruit", _years(person.dynasty), person.dynasty)] if person.dynasty else [])
    node.extend([element("bibl", {}, "", element("title", {}, known.work))] if known and known.work else [])
    node.extend([element("note", {}, person.note)] if person.note else [])
    node.extend([element("idno", {"type": REGISTRIES[key].name}, number)
                 for key in ("cbdb", "wikidata") if (number := getattr(person, key))])
    return node


def editors(catalog: Catalog) -> list[Element]:
    """``editor`` of each, with the ORCID iD that the catalog knows, then ``funder``."""
    known = {editor.name: editor.orcid for editor in catalog.publication.editors}
    elements = [
        element("editor", {"ref": registry_address("orcid", known[name]) if known.get(name) else ""}, name)
        for name in catalog.project.editors
    ]
    for funder in catalog.publication.funders:
        name = f"{funder.name} ({funder.grant})" if funder.grant else funder.name
        elements.append(element("funder", {"ref": funder.url}, name))
    return elements


def edition_statement(changes: Sequence[Revision]) -> list[Element]:
    """``editionStmt`` (Guidelines 2.2.2) with the newest release; none if nothing was released."""
    number = next((change.release for change in changes if change.release), "")
    return [add_block(element("editionStmt"), element("edition", {"n": number}, number))] if number else []


def publication_statement(catalog: Catalog) -> Element:
    """``publicationStmt`` (Guidelines 2.2.4): whoever makes it available first, then what belongs to it."""
    project, publication = catalog.project, catalog.publication
    parts = [element("publisher", {}, project.publisher)]
    parts += [element("authority", {}, publication.authority)] if publication.authority else []
    parts += [element("pubPlace", {}, publication.place)] if publication.place else []
    day = publication.date or project.date
    parts += [element("date", {"when": day}, day)] if day else []
    parts += [element("idno", {"type": REGISTRIES["doi"].name}, publication.doi)] if publication.doi else []
    url = publication.url or project.url
    parts += [element("idno", {"type": "URL"}, url)] if url else []
    parts += [element("idno", {"type": number.type}, number.value) for number in publication.idno]
    return add_block(element("publicationStmt"), *parts, _licence(project.licence))


def changes_of(texts: Collection[str], catalog: Catalog) -> list[Revision]:
    """Return what people changed in any of some sources and editions, the newest first, as the Guidelines ask (2.6)."""
    touched = [change for change in catalog.revisions if not change.of or not {*texts}.isdisjoint(change.of)]
    return sorted(touched, key=lambda change: change.when, reverse=True)


_REVIEWED = {"proposed": "Units with proposed decisions 待审定的裁定所在之句",
             "approved": "Units with approved decisions 已审定的裁定所在之句"}


def revision_desc(revisions: Sequence[Revision], reviewed: Sequence[Review], catalog: Catalog) -> Element:
    """Return the ``revisionDesc``: what people changed, proposed and approved, and that the program encoded the text,
    the newest first."""
    changes = [({"n": revision.release, "when": revision.when, "who": revision.who}, revision.what)
               for revision in revisions]
    changes.append(({"when": catalog.project.date, "who": PROGRAM}, f"Encoded by Jiaokan {__version__}"))
    for review in reviewed:
        target = " ".join(f"#{unit}" for unit in review.units)
        changes.append(({"when": review.when, "who": review.who, "status": review.status, "target": target},
                        f"{_REVIEWED[review.status]}: {len(review.units)}"))
    changes.sort(key=lambda row: row[0]["when"], reverse=True)
    return add_block(element("revisionDesc"), *(
        element("change", {**attributes, "who": f"#{_agent(attributes['who'], catalog)}"}, what)
        for attributes, what in changes
    ))


def _agent(who: str, catalog: Catalog) -> str:
    return xml_id(who, catalog) if who in catalog.persons else who
