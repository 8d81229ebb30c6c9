"""Works cited by title and persons named, inside notes, with the words quoted from them where these can be told.

Titles are those in 《》 and those of ``titles.tsv``. Persons are those of the edition's persons.toml: a name of three
characters or the name proper wherever it stands, another before a word of speech. A bare surname (郑氏) is somebody
only where comments of this very text begin with it and have one speaker; a name that two share is nobody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import cache

from pipeline.annotate.index import Index, evened, rewrite_notes
from pipeline.annotate.quotation_end import Citation, Words, laid_out, openings, quoted
from pipeline.annotate.tables import rows
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Role, Span
from pipeline.model.pointers import characters
from pipeline.settings.catalog import Person

_USES = {
    "always": "(?:{0})",
    "own": "(?<![射燕聘觐牲酒牢冠昏虞先圣明])(?:{0})",
    "cited": "(?<=[见按案引据依及])(?:{0})|(?:{0})(?=[云曰注疏篇文职説说记])",
    "rite": "(?<=[见引])(?:{0})|(?:{0})(?=[云曰]|[注疏篇][云曰也所]|[注疏]疏)",
    "office": "(?:(?<=周礼)|(?<=周官)|(?<=工记)|(?<=[春夏秋冬天地]官))(?:{0})|(?:{0})(?=职[云曰文]|云)",
    "classic": "(?<![其故册赋读祝盟载韩毛梁乐为不之])(?:{0})(?=[云曰])",
}
"""When words count as a title, by the `use` of ``titles.tsv``; {0} stands for the titles."""
_SPEECH = "(?=曰|云|谓|以为|注|説|说|言|之[说説言意]|则[曰云谓以]|亦[曰云谓以])"
_NO_OTHER = "(?!监本)"
"""After a bare surname: what only another of that name has (张淳, who collated the 监本)."""
_SURNAME = re.compile(".氏")
_LABELS = 10
"""A bare surname is a speaker's if so many comments begin with it."""
_CLOSED: frozenset[Role] = frozenset({"attribution", "scope", "punct", "title", "person"})


def _any(words: Iterable[str]) -> str:
    """Give the pattern of some words, evened, the longest first."""
    found = {evened(word) for word in words}
    return "|".join(re.escape(word) for word in sorted(found, key=lambda word: (-len(word), word))) or "(?!)"


@cache
def works() -> dict[str, str]:
    """Give the id of the work behind each title."""
    return {evened(title): work for title, _, work in rows("titles.tsv", 3)}


@cache
def _titles() -> str:
    """Give the pattern of titles, the longest of all uses first."""
    found = ["(?<=《)[^《》]+(?=》)"]
    table = sorted(rows("titles.tsv", 3), key=lambda row: (-len(row[0]), row[0]))
    for length in sorted({len(title) for title, *_ in table}, reverse=True):
        for use, pattern in _USES.items():
            titles = [title for title, of, _ in table if of == use and len(title) == length]
            found += [pattern.format(_any(titles))] if titles else []
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
            found[characters(first.content).rstrip("曰云")].append(note.resp)
    return {
        name: speakers[0] for name, speakers in found.items()
        if _SURNAME.fullmatch(name) and len(set(speakers)) == 1 and len(speakers) >= _LABELS
    }


def _pattern(persons: Mapping[str, Person], known: Mapping[str, str]) -> re.Pattern[str]:
    """Give the pattern of persons and titles, for evened text; what can begin one is looked at first, for speed."""
    proper = {person.name for person in persons.values()}
    sure = {form for form in known if len(form) > 2 or form in proper}
    bare = {form for form in known.keys() - sure if _SURNAME.fullmatch(form)}
    others = known.keys() - sure - bare
    person = f"(?P<person>(?:{_any(sure)})|(?:{_any(bare)}){_NO_OTHER}|(?:{_any(others)}){_SPEECH})"
    first = "".join(sorted({evened(word)[0] for word in (*known, *works())}))
    return re.compile(f"(?:(?<=《)|(?=[{re.escape(first)}]))(?:{person}|(?P<title>{_titles()}))")


def citations(document: Document, persons: Mapping[str, Person]) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with titles of works, names of persons and what is quoted from them marked in its notes."""
    index = Index.of(document)
    known = {**names(persons), **surnames(index)}
    pattern = _pattern(persons, known)
    people = {evened(form): person for form, person in known.items()}
    listed: deque[list[Citation]] = deque()
    begun: set[str] = set()

    def listing(note: Note, text: str) -> Content:  # noqa: ARG001 (every note is treated alike)
        found = [
            Citation(match.start(), match.end(), _span(match, people)) for match in pattern.finditer(evened(text))
        ]
        begun.update(openings(text, found))
        listed.append(found)
        return (text,)

    rewrite_notes(document, listing, _CLOSED)
    words = Words.of(index, begun)

    def rewrite(note: Note, text: str) -> Content:  # noqa: ARG001
        found = listed.popleft()
        return laid_out(text, found, quoted(text, found, words)) if found else (text,)

    return rewrite_notes(document, rewrite, _CLOSED), ()


def _span(match: re.Match[str], people: Mapping[str, str]) -> Span:
    """Give the title or the person that stands at a match, still without its words."""
    if match["person"]:
        return Span(role="person", content=(), ref=people[match[0]])
    return Span(role="title", content=(), ref=works().get(match[0], ""))
