"""The copies and persons that books of collation notes name, beside those that the folder declares.

A note that says 楊本作某 names a witness that need not be in ``tei/lists/traditions.tsv``: it is a reported witness of
the edition under the name that the note has, with its pinyin as id; so is a person who conjectures (李如圭云). A row of
the folder for the same name replaces both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from jiaokan.annotate.citations import names as names_of_persons
from jiaokan.annotate.citations import works
from jiaokan.annotate.index import own_rows, to_simplified
from jiaokan.characters import pinyin
from jiaokan.collate.testimony.layout import note_texts
from jiaokan.model import Document
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.lists import Lists
from jiaokan.settings.plans import EditionPlan, TestimonyPlan
from jiaokan.settings.tables import Person

_COPY = re.compile("(?P<graph>[^\\W\\d_])本(?=[及与并俱皆亦同无有作误譌讹脱衍叠不增多上下阙倒]|..?本|$|改|补)")
_NO_NAME = frozenset("此其之是根反音也下上同者曰云如又亦或刻他后後叶卷")
"""Graphs before 本 that name no copy; 或本 and 俗本 are reported witnesses of the program."""
_SOUND = ("音", "反")  # after these a gloss of sound ends: 音弓本亦作躬
_USUAL = frozenset("監监毛閩闽宋蜀浙元明殿舊旧古別别原岳建坊今俗諸诸")
"""Graphs by which copies are usually called: one place is enough. Of others a surname, or a name that occurs twice."""
_WORKS = ("釋文", "唐石經", "蜀石經", "漢石經", "開成石經", "通解", "集說", "說文")
"""Works and stones by which notes call a text, beside the copies in 本."""
_SPEAKS = re.compile("(?:^|本|(?<=[。；]))(?P<name>[^\\W\\d_]{2,4}?)(?:[云曰谓]|以为)")
_OFFICIAL = re.compile("(?P<name>臣[^\\W\\d_]{1,3}?)[按案]")
_NOT_PERSONS = re.compile(".*[经注疏传记礼书文篇诗志雅义箋笺说例图上下此或旧]$")


def with_books(plan: EditionPlan, documents: Mapping[str, Document], catalog: Catalog) -> Catalog:
    """Return the catalog of an edition with the copies and persons that its books of collation notes name."""
    books = [documents[book.source] for book in plan.testimony if book.source in documents]
    if not books:
        return catalog
    words = [note.words or note.quote for book in books for division in book.chapters()
             for note in note_texts(division)]
    known = {to_simplified(name) for name in catalog.lists.tradition_ids()}
    taken = {*catalog.sources, *catalog.editions, *catalog.works, *catalog.persons, *catalog.named, *catalog.places,
             *catalog.orgs, *catalog.lists.reported_traditions()}
    words_of_all = to_simplified("\n".join(words))
    named = [*find_copies(words), *(work for work in _WORKS if to_simplified(work) in words_of_all)]
    copies = {name: _new_id(name, taken) for name in named if to_simplified(name) not in known}
    persons = {to_simplified(name): who for name, who in names_of_persons(catalog.persons).items()}
    speakers = [name for name in _speakers(words) if to_simplified(name) not in persons]
    new = [Person(id=_new_id(name, taken), name=name, label=name[:2]) for name in speakers]
    rows = (*catalog.lists.of("traditions"), *((name, known_id, name) for name, known_id in copies.items()))
    return replace(
        catalog, lists=Lists({**catalog.lists.rows, "traditions": rows}) if copies else catalog.lists,
        persons={**catalog.persons, **{person.id: person for person in new}})


def authors_of(books: Iterable[TestimonyPlan], catalog: Catalog) -> dict[str, str]:
    """Return the author of each book that has one."""
    entries = (catalog.sources[book.source] for book in books if book.source in catalog.sources)
    return {entry.id: entry.authors[0] for entry in entries if len(entry.authors) == 1}


def shared_names(witnesses: Mapping[str, str]) -> dict[str, str]:
    """Return the names of several copies under one word (監閩本), with their ids between blanks."""
    by_graph = {to_simplified(name)[0]: known for name, known in witnesses.items()
                if len(name) == 2 and name.endswith("本") and name[0] in _USUAL}
    pairs = ((first + second + "本", f"{by_graph[first]} {by_graph[second]}")
             for first in by_graph for second in by_graph if first != second)
    return dict(pairs)


def find_copies(notes: Iterable[str]) -> list[str]:
    """Return the names of copies (楊本, 朱子本) in the words of notes, in the order of their first use."""
    words = list(notes)
    surnames = _surnames()
    counts: Counter[str] = Counter()
    before: dict[str, set[str]] = {}
    for note in words:
        bare = to_simplified(note)
        for match in _COPY.finditer(bare):
            graph = note[match.start()]
            if match["graph"] not in _NO_NAME and bare[max(match.start() - 1, 0) : match.start()] not in _SOUND:
                counts[graph] += 1
                before.setdefault(graph, set()).add(note[max(match.start() - 1, 0) : match.start()])
    names = []
    for graph, count in counts.items():
        first = next(iter(before[graph]), "")
        longer = len(before[graph]) == 1 and first and first in surnames and graph not in surnames
        if longer or graph in _USUAL or graph in surnames or count > 1:
            names.append(f"{first if longer else ''}{graph}本")
    return names


def _speakers(notes: Iterable[str]) -> Iterator[str]:
    surnames, titles = _surnames(), works()
    seen: set[str] = set()
    for note in notes:
        bare = to_simplified(note)
        for match in (*_OFFICIAL.finditer(bare), *_SPEAKS.finditer(bare)):
            name = note[slice(*match.span("name"))]
            if match["name"][0] not in surnames or match["name"] in titles or _NOT_PERSONS.fullmatch(match["name"]):
                continue
            if len(match["name"]) > 3 and match.re is _SPEAKS:
                continue
            if name not in seen:
                seen.add(name)
                yield name


def _surnames() -> frozenset[str]:
    return frozenset("".join(row[0] for row in own_rows("surnames", 1)))


def _new_id(name: str, taken: set[str]) -> str:
    letters = re.sub("[^a-z]", "", pinyin.title(name).lower().replace("ü", "v")) or "named"
    number = 1
    while (known := letters if number == 1 else f"{letters}-{number}") in taken:
        number += 1
    taken.add(known)
    return known

