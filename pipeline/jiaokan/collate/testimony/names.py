"""The copies and persons that books of collation notes name, beside those that the folder declares.

A note that says 楊本作某 names a witness that need not be in ``tei/lists/traditions.tsv``: it is a reported witness of
the edition under the name that the note has, with its pinyin as id; so is a person who conjectures (李如圭云). A row of
the folder for the same name replaces both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path

from msgspec.structs import replace

from jiaokan.annotate.citations import names as names_of_persons
from jiaokan.annotate.citations import works
from jiaokan.annotate.index import own_rows, to_simplified
from jiaokan.characters import pinyin
from jiaokan.collate.testimony.glosses import STOP, has_glosses, part_clauses
from jiaokan.collate.testimony.layout import note_texts
from jiaokan.model import Document
from jiaokan.model.vocabulary import table_rows
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.lists import Lists
from jiaokan.settings.patterns import alternatives
from jiaokan.settings.plans import EditionPlan, TestimonyPlan
from jiaokan.settings.tables import Person

_COPY = re.compile("(?P<graph>[^\\W\\d_])本(?=[及与并俱皆亦同无有作误譌讹脱衍叠不增多上下阙倒]|..?本|$|改|补)")
_NO_NAME = frozenset("此其之是根反音也下上同者曰云如字又亦或刻他后後叶卷家衆众名人注解")
"""Graphs before 本 that name no copy; 或本 and 俗本 are reported witnesses of the program."""
_SOUND = ("音", "反")  # after these a gloss of sound ends: 音弓本亦作躬
_LEADS = frozenset("从從依据據今按案考引")
"""Verbs before the name of a copy (從定本, 今據景德本), which are no part of it."""
_USUAL = frozenset("一監监毛閩闽宋蜀浙元明殿舊旧古別别原岳建坊今俗諸诸")
"""Graphs by which copies are usually called: one place is enough. Of others a surname, or a name that occurs twice."""
_WORKS = ("釋文", "唐石經", "蜀石經", "漢石經", "開成石經", "通解", "集說", "說文")
"""Works and stones by which notes call a text, beside the copies in 本."""
_OPENS = "(?:^|(?<=[反也同下注非通云貌。]))"
"""Before the name of an exegete a clause ends."""
_GIVEN = "[^\\W\\d_作云本音反又亦改讀读同皆並竝并]"
_CLAUSE_COPY = re.compile(f"{_OPENS}[^\\W\\d_本作]{{1,2}}本(?![亦又或今])[^\\W\\d_]?")
_SPEAKS = re.compile("(?:^|本|(?<=[。；]))(?P<name>[^\\W\\d_]{2,4}?)(?:[云曰谓]|以为)")
_NOT_SURNAMES = frozenset("易詩诗書书禮礼經经傳传注文古今本字音雅")
"""Surnames that are titles or words of a gloss where a clause begins."""
_OFFICIAL = re.compile("(?P<name>臣[^\\W\\d_]{1,3}?)[按案]")
_NOT_PERSONS = re.compile(".*[经注疏传记礼书文篇诗志雅义箋笺说例图上下此或旧]$")


def with_books(plan: EditionPlan, documents: Mapping[str, Document], catalog: Catalog) -> Catalog:
    """Return the catalog of an edition with the copies and persons that its books of collation notes name."""
    books = [documents[book.source] for book in plan.testimony if book.source in documents]
    if not books:
        return catalog
    notes = [list(note_texts(division)) for book in books for division in book.chapters()]
    glosses = [note.words for of_book in notes if has_glosses(of_book) for note in of_book]
    words = [_copies_of_clauses(note.words) if has_glosses(of_book) else note.words or note.quote
             for of_book in notes for note in of_book]
    known = {to_simplified(name) for name in catalog.lists.tradition_ids()}
    taken = {*catalog.sources, *catalog.editions, *catalog.works, *catalog.persons, *catalog.named, *catalog.places,
             *catalog.orgs, *catalog.lists.reported_traditions()}
    words_of_all = to_simplified("\n".join(words))
    exegetes = find_exegetes(glosses)
    named = [*(f"{name}本" for name in exegetes), *find_copies(words, exegetes),
             *(work for work in _WORKS if to_simplified(work) in words_of_all)]
    copies = {name: _new_id(name, taken) for name in dict.fromkeys(named) if to_simplified(name) not in known}
    ids = {to_simplified(name): known_id for name, known_id in {**catalog.lists.tradition_ids(), **copies}.items()}
    copies |= {name: ids[to_simplified(f"{name}本")] for name in exegetes if to_simplified(name) not in ids}
    persons = {to_simplified(name): who for name, who in names_of_persons(catalog.persons).items()}
    speakers = [name for name in _speakers(words) if to_simplified(name) not in persons]
    new = [Person(id=_new_id(name, taken), name=name, label=name[:2]) for name in speakers]
    labels = {name: name if name.endswith("本") or f"{name}本" not in words_of_all else f"{name}本" for name in copies}
    rows = (*catalog.lists.of("traditions"), *((name, known_id, labels[name]) for name, known_id in copies.items()))
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
             for first in by_graph for second in by_graph if first != second and "一" not in (first, second))
    return dict(pairs)


def find_exegetes(glosses: Iterable[str]) -> list[str]:
    """Return the names of exegetes whose text glosses report (鄭作, 王肅本作): a surname, or one with a graph, that has
    a text and is named at least twice where a clause begins."""
    text = STOP.join(map(part_clauses, glosses))
    bare = to_simplified(text)
    schools = [name for name in load_exegetes() if to_simplified(name) in bare]
    named: list[str] = []
    for size in (0, 1):
        counts: Counter[str] = Counter()
        with_text: dict[str, None] = {}
        for match in _exegete_pattern(size).finditer(bare):
            name = text[slice(*match.span("name"))]
            counts[name] += 1
            if match["verb"] != "云":
                with_text[name] = None
        named += [name for name in with_text if counts[name] > 1 and to_simplified(name) not in works()
                  and not _NOT_PERSONS.fullmatch(to_simplified(name)) and not set(name) <= set(named)
                  and name not in schools]
    return [*schools, *named]


@cache
def load_exegetes() -> tuple[str, ...]:
    """Return the names in ``exegetes.tsv``."""
    text = (Path(__file__).parent / "exegetes.tsv").read_text(encoding="utf-8")
    return tuple(name for _, cells in table_rows(text) for name in cells[0].split())


@lru_cache(maxsize=2)
def _exegete_pattern(size: int) -> re.Pattern[str]:
    return re.compile(f"{_OPENS}(?P<name>{_surname()}{_GIVEN}{{{size}}})(?P<verb>本?[又亦]?作|云|本)")


def _surname() -> str:
    return f"[{re.escape(''.join(name for name in _surnames() if name not in _NOT_SURNAMES))}]"


def _copies_of_clauses(gloss: str) -> str:
    """Return what a gloss says of copies with a name (一本作, 皇本作); 本亦作 after a sense names none."""
    return STOP.join(match[0] for match in _CLAUSE_COPY.finditer(part_clauses(gloss)))


def find_copies(notes: Iterable[str], exegetes: Sequence[str] = ()) -> list[str]:
    """Return the names of copies (楊本, 朱子本) in the words of notes, without those of exegetes, in the order of their
    first use."""
    others = re.compile(alternatives(f"{name}本" for name in exegetes))
    words = [others.sub(STOP, note) for note in notes]
    surnames = _surnames()
    counts: Counter[str] = Counter()
    before: dict[str, list[str]] = {}
    for note in words:
        bare = to_simplified(note)
        for match in _COPY.finditer(bare):
            graph = note[match.start()]
            if match["graph"] not in _NO_NAME and bare[max(match.start() - 1, 0) : match.start()] not in _SOUND:
                counts[graph] += 1
                before.setdefault(graph, []).append(note[max(match.start() - 3, 0) : match.start()])
    names = []
    for graph, count in counts.items():
        known = graph in _USUAL or graph in surnames
        first = "" if known else _shared_end(before[graph])
        if first[-1:] in surnames and count == 1:
            first = first[-1:]
        if known or count > 1 or first in surnames:
            names.append(f"{first if count > 1 or first in surnames else ''}{graph}本")
    return names


def _shared_end(words: Sequence[str]) -> str:
    """Return the words in which some words end alike: 興國 of what is before 軍本."""
    backwards = (set(graphs) for graphs in zip(*(word[::-1] for word in words), strict=False))
    same = [graphs.pop() for graphs in takewhile(lambda graphs: len(graphs) == 1, backwards)]
    return "".join(takewhile(lambda graph: graph.isalpha() and graph not in _LEADS, same))[::-1]


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

