"""TEI headers: each declares all that its file points to; who edits and publishes the text, and what people changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pipeline import __version__
from pipeline.decisions.characters import decided_glyphs
from pipeline.decisions.punctuation.files import Basis
from pipeline.decisions.readings import tallies
from pipeline.model import Division, Document
from pipeline.model.vocabulary import PROGRAM
from pipeline.model.walk import items
from pipeline.settings.catalog import Catalog, NamedPerson, Person, SourceEntry
from pipeline.settings.plans import EditionPlan
from pipeline.settings.tables import Named, Revision
from pipeline.settings.values import REGISTRIES, registry_address
from pipeline.tei.header import declarations
from pipeline.tei.header.origin import Uses, author, described, licence, list_wit, uses, works
from pipeline.tei.header.principles import counted, editorial, is_chinese, statement
from pipeline.tei.persons import xml_id
from pipeline.tei.shapes import ORG_PREFIX, PLACE_PREFIX
from pipeline.tei.tree import ID, LANG, Element, add_block, element


def witness_header(entry: SourceEntry, document: Document, catalog: Catalog) -> Element:
    """Return the ``teiHeader`` of a source's own document."""
    used = uses(document, catalog.lists.reported())
    authors = [catalog.persons[name] for name in entry.authors]
    titles = [element("title", {LANG: entry.language}, entry.title), *(author(each, catalog) for each in authors)]
    source = add_block(
        element("sourceDesc"), *described(entry, catalog), *list_wit([], used, catalog),
        *works(used.works, document.id, catalog),
    )
    encoding = [
        statement("projectDesc", f"{entry.title}转录本之编码文本。", f"{entry.title}轉錄本之編碼文本。",
             "A transcription as received, encoded.", entry.language),
        editorial(used.features, entry.language), _references(document), declarations.prefixes(variants=False),
        declarations.classes(variants=False, cited={}),
    ]
    changes = changes_of((entry.id,), catalog)
    return _header(titles, source, encoding, [entry.language], entry.authors, used, changes, catalog)


def edition_header(
    plan: EditionPlan, document: Document, catalog: Catalog, cited: Mapping[str, Mapping[str, str]] | None = None,
    bases: Sequence[tuple[str, Basis]] = (),
) -> Element:
    """Return the ``teiHeader`` of an edition: critical (with witnesses and variants) or reading.

    `cited` are the rows of lists that its classes rest on, as `declarations.classes` has them; `bases` what the
    editor's marks of punctuation rest on, by id.
    """
    used = uses(document, catalog.lists.reported())
    entries = [catalog.sources[name] for name in plan.all_witnesses()]
    written = entries[0] if plan.kind == "reading" and entries else None
    work = catalog.works.get(plan.work)
    authors = written.authors if written else work.authors if work else ()
    titles = [element("title", {LANG: entries[0].language if entries else "zh"}, plan.title)]
    titles += [element("title", {"type": "sub", LANG: "zh"}, plan.subtitle)] if plan.subtitle else []
    titles += [author(catalog.persons[name], catalog) for name in authors]
    origin = [*described(written, catalog)] if written else []
    origin += list_wit([] if written else entries, used, catalog)
    source = add_block(element("sourceDesc"), *origin, *works(used.works, document.id, catalog))
    language, about = entries[0].language if entries else "", plan.description
    english = about if about and not is_chinese(language) else (
        f"A {plan.kind} edition made from transcriptions as received.")
    encoding = [
        statement("projectDesc", about or f"{plan.title}之编辑本。", about or f"{plan.title}之編輯本。", english,
                  language),
        editorial(used.features, language), _references(document), declarations.prefixes(variants=not written),
        declarations.classes(variants=not written, cited=cited or {}),
    ]
    if bases:
        add_block(encoding[-1], declarations.bases(bases))
    if not written:
        add_block(encoding[1][0], *counted(*tallies(document, plan.settled), language))
        encoding.append(element("variantEncoding", {"method": "parallel-segmentation", "location": "internal"}))
    people = [*authors, *(name for entry in entries for name in entry.authors)]
    changes = changes_of((plan.id, *([written.id] if written else ())), catalog)
    return _header(titles, source, encoding, [e.language for e in entries], people, used, changes, catalog)


def _header(
    titles: list[Element], source: Element, encoding: list[Element], languages: list[str],
    authors: Iterable[str], used: Uses, changes: Sequence[Revision], catalog: Catalog,
) -> Element:
    judged = {code: each for code, each in decided_glyphs(catalog.root).items() if code in used.glyphs}
    used.agents |= dict.fromkeys([*(each.resp for each in judged.values()), *(each.who for each in changes)])
    stated = add_block(element("titleStmt"), *titles, *editors(catalog), *_agents(used, catalog))
    file = add_block(element("fileDesc"), stated, publication_statement(catalog), source)
    encoding += [declarations.characters(used.glyphs, judged)] if used.glyphs else []
    encoding.append(declarations.application())
    profile = add_block(element("profileDesc"), declarations.languages(languages))
    people = {*authors, *used.speakers, *used.agents}
    declared: list[tuple[str, Person | NamedPerson]] = [*catalog.persons.items(), *catalog.named.items()]
    known = [_person(person, xml_id(key, catalog)) for key, person in declared if key in people]
    lists = [add_block(element("listPerson"), *known)] if known else []
    orgs = [_called("org", f"{ORG_PREFIX}{key}", org, org.kind)
            for key, org in catalog.orgs.items() if key in used.orgs]
    lists += [add_block(element("listOrg"), *orgs)] if orgs else []
    if lists:
        add_block(profile, add_block(element("particDesc"), *lists))
    if places := [_called("place", f"{PLACE_PREFIX}{key}", place)
                  for key, place in catalog.places.items() if key in used.places]:
        add_block(profile, add_block(element("settingDesc"), add_block(element("listPlace"), *places)))
    return add_block(element("teiHeader"), file, add_block(element("encodingDesc"), *encoding), profile,
                     revision_desc(changes, catalog))


def _references(document: Document) -> Element:
    inside = items(document.divisions, into=lambda item: isinstance(item, Division))
    labelled = any(isinstance(item, Division) and item.label for item in inside)
    return declarations.references(document.reference, labelled=labelled)


def _agents(used: Uses, catalog: Catalog) -> list[Element]:
    named = {PROGRAM: ("encoding and collation 编码、校勘", f"Jiaokan {__version__}")}
    for agent in sorted(used.agents):
        if agent not in catalog.persons and agent != PROGRAM:
            named[agent] = ("editorial decisions 校定", "、".join(catalog.project.editors) or agent)
    return [
        element("respStmt", {ID: agent}, "", element("resp", {}, what), element("name", {}, who))
        for agent, (what, who) in named.items()
    ]


def _called(tag: str, identifier: str, named: Named, kind: str = "") -> Element:
    made = element(tag, {ID: identifier, "type": kind}, "", element(f"{tag}Name", {"type": "main"}, named.name))
    made.extend([element(f"{tag}Name", {}, each) for each in named.names])
    if named.note:
        made.append(element("note", {}, named.note))
    return made


def _person(person: Person | NamedPerson, identifier: str) -> Element:
    known = person if isinstance(person, Person) else None
    name = element("persName", {"type": "main"}, person.name)
    made = element("person", {ID: identifier, "n": known.label if known else ""}, "", name)
    made.extend([element("persName", {}, each) for each in person.names])
    for event, year in (("birth", known.birth), ("death", known.death)) if known else ():
        if year:
            made.append(element(event, {"when": f"{year:05d}" if year < 0 else f"{year:04d}"}))
    if person.dynasty:
        made.append(element("floruit", {}, person.dynasty))
    if known and known.work:
        made.append(element("bibl", {}, "", element("title", {}, known.work)))
    if person.note:
        made.append(element("note", {}, person.note))
    for key in ("cbdb", "wikidata"):
        if number := getattr(person, key):
            made.append(element("idno", {"type": REGISTRIES[key].name}, number))
    return made


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
    parts += [element("idno", {"type": each.type}, each.value) for each in publication.idno]
    return add_block(element("publicationStmt"), *parts, licence(project.licence))


def changes_of(texts: Collection[str], catalog: Catalog) -> list[Revision]:
    """Return what people changed in any of some sources and editions, the newest first, as the Guidelines ask (2.6)."""
    touched = [each for each in catalog.revisions if not each.of or not {*texts}.isdisjoint(each.of)]
    return sorted(touched, key=lambda each: each.when, reverse=True)


def revision_desc(made: Sequence[Revision], catalog: Catalog) -> Element:
    """``revisionDesc``: what people changed, and that the program encoded the text, the newest first."""
    changes = [(each.when, xml_id(each.who, catalog) if each.who in catalog.persons else each.who, each.what)
            for each in made]
    changes.append((catalog.project.date, PROGRAM, f"Encoded by Jiaokan {__version__}"))
    changes.sort(key=lambda row: row[0], reverse=True)
    return add_block(element("revisionDesc"), *(
        element("change", {"when": when, "who": f"#{who}"}, what) for when, who, what in changes
    ))
