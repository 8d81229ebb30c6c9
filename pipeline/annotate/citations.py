"""Works cited by title and persons named, inside notes, with the words quoted from them where these can be told.

Titles are those in 《》 and those of ``titles.tsv``, the program's and the folder's. Persons are those of the
edition's persons.toml: a name of three characters or the name proper wherever it stands, another before a word of
speech. A bare surname (郑氏) is somebody only where comments of this very text begin with it and have one speaker; a
name that two share is nobody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import lru_cache

from pipeline.annotate.index import Index, evened, rewrite_notes
from pipeline.annotate.quotation_end import Citation, Quoting, laid_out, openings, quoted
from pipeline.annotate.tables import alternatives, editions, rows
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Role, Span
from pipeline.model.text import counted
from pipeline.settings.catalog import Person
from pipeline.settings.lists import NONE, Lists

_SPEECH = "(?=曰|云|谓|以为|注|説|说|言|之[说説言意]|则[曰云谓以]|亦[曰云谓以])"
"""What follows a name where its person speaks or is spoken of as one who holds something."""
_SURNAME = re.compile(".氏")
"""A bare surname."""
_LABELS = 10
"""A bare surname is a speaker's if so many comments begin with it. In the texts of this repository 3 marks one more
person, 30 nine less."""
_CLOSED: frozenset[Role] = frozenset({"attribution", "scope", "call", "punct", "title", "person"})


def _any(words: Iterable[str]) -> str:
    """Give the pattern of some words, evened, the longest first."""
    return alternatives(map(evened, words))


@lru_cache(maxsize=8)
def works(lists: Lists = NONE) -> dict[str, str]:
    """Give the id of the work behind each title; a folder's title stands for the program's."""
    return {evened(title): work for title, _, work in reversed(rows("titles", lists))}


@lru_cache(maxsize=8)
def _titles(lists: Lists) -> str:
    """Give the pattern of titles, the longest of all uses first."""
    found = ["(?<=《)[^《》]+(?=》)"]
    uses = {title: use for title, use, _ in reversed(rows("titles", lists))}
    frames = {use: pattern for use, pattern, *_ in reversed(rows("uses", lists))}
    for length in sorted({len(title) for title in uses}, reverse=True):
        for use, pattern in frames.items():
            titles = [title for title, of in uses.items() if of == use and len(title) == length]
            found += [pattern.replace("{0}", _any(titles))] if titles else []
    return "|".join(found)


def names(persons: Mapping[str, Person]) -> dict[str, str]:
    """Give the person behind each name that can mean only one, is no bare surname, and has two characters or more."""
    forms = [(form, person.id) for person in persons.values() for form in dict.fromkeys((person.name, *person.names))]
    uses = Counter(form for form, _ in forms)
    return {
        form: person for form, person in forms
        if uses[form] == 1 and len(form) > 1 and not _SURNAME.fullmatch(form)
    }


def surnames(index: Index) -> dict[str, str]:
    """Give the speaker behind each bare surname with which comments of the text begin, if it is always the same."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for note in index.notes.values():
        first = note.content[0] if note.content else ""
        if isinstance(first, Span) and first.role == "attribution" and note.resp:
            found[counted(first.content).rstrip("曰云")].append(note.resp)
    return {
        name: speakers[0] for name, speakers in found.items()
        if _SURNAME.fullmatch(name) and len(set(speakers)) == 1 and len(speakers) >= _LABELS
    }


def _pattern(persons: Mapping[str, Person], known: Mapping[str, str], lists: Lists) -> re.Pattern[str]:
    """Give the pattern of persons and titles, for evened text; what can begin one is looked at first, for speed."""
    proper = {person.name for person in persons.values()}
    sure = {form for form in known if len(form) > 2 or form in proper}
    bare = {form for form in known.keys() - sure if _SURNAME.fullmatch(form)}
    others = known.keys() - sure - bare
    no_other = f"(?!{alternatives(editions(lists))})"  # 张氏 before the name of an edition is he who collated it
    person = f"(?P<person>(?:{_any(sure)})|(?:{_any(bare)}){no_other}|(?:{_any(others)}){_SPEECH})"
    first = "".join(sorted({evened(word)[0] for word in (*known, *works(lists))}))
    return re.compile(f"(?:(?<=《)|(?=[{re.escape(first)}]))(?:{person}|(?P<title>{_titles(lists)}))")


def citations(
    document: Document, persons: Mapping[str, Person], lists: Lists = NONE, index: Index | None = None
) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with titles of works, names of persons and what is quoted from them marked in its notes.

    `index` is that of the document, if it is made already.
    """
    index = index or Index.of(document)
    known = {**names(persons), **surnames(index)}
    pattern = _pattern(persons, known, lists)
    people = {evened(form): person for form, person in known.items()}
    listed: deque[list[Citation]] = deque()
    begun: set[str] = set()

    def listing(note: Note, text: str) -> Content:  # noqa: ARG001 (every note is treated alike)
        plain = evened(text)
        found = [Citation(each.start(), each.end(), _span(each, people, lists)) for each in pattern.finditer(plain)]
        begun.update(openings(plain, found))
        listed.append(found)
        return (text,)

    rewrite_notes(document, listing, _CLOSED)
    quoting = Quoting.of(index, persons, lists, begun)

    def rewrite(note: Note, text: str) -> Content:  # noqa: ARG001
        found = listed.popleft()
        return laid_out(text, found, quoted(evened(text), found, quoting)) if found else (text,)

    return rewrite_notes(document, rewrite, _CLOSED), ()


def _span(match: re.Match[str], people: Mapping[str, str], lists: Lists) -> Span:
    """Give the title or the person that stands at a match in evened text, still without its words."""
    if match["person"]:
        return Span(role="person", content=(), ref=people[match[0]])
    return Span(role="title", content=(), ref=works(lists).get(match[0], ""))
