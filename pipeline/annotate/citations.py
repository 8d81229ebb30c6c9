"""Works cited by title and persons named, inside notes, with the words quoted from them where these can be told.

Titles are those in 《》 and those of ``titles.tsv``, the program's and the folder's. Persons are those of the
edition's persons.toml: a name of three characters or the name proper wherever it stands, another before a word of
speech. A bare surname (郑氏) is somebody only where comments of this very text begin with it and have one speaker; a
name that two share is nobody.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.annotate.index import FoundSpan, Index, evened, folded, placed, rewrite_notes
from pipeline.annotate.tables import editions, rows
from pipeline.errors import Finding
from pipeline.model import Content, Document, Note, Role, Span
from pipeline.model.text import counted
from pipeline.settings.catalog import Person
from pipeline.settings.lists import NONE, Lists
from pipeline.settings.patterns import alternatives

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


def _names_and_titles(persons: Mapping[str, Person], known: Mapping[str, str], lists: Lists) -> re.Pattern[str]:
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
    pattern = _names_and_titles(persons, known, lists)
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


_OPENING = re.compile("(?:职|文|记|注|疏|篇|传)?[曰云](?![“「‘])")
"""What stands between a title or name and the words quoted; quotation marks say where these end without us."""
_CLOSING = re.compile("(?:者?是也|是矣|是其(?:证|义|类|事)|其是之谓)")
"""Formulae that close a quotation: the commentator says that this is what he meant (是也, 是其证)."""
_OWN = re.compile(
    "[故盖葢案按岂何乎哉矣耳焉犹注疏経○〈【 \u3000]|也.|是以|可知|所以|谓此|此谓|言此|即此|云|又.{1,4}曰|职曰"
)
"""Words of one who comments: among them it is not certain that all is quoted."""
_ANY = re.compile(f"{_OWN.pattern}|[则此今若然谓非经郑亦]")
"""The same, where only another speaker's name comes after them."""
_DOUBTED = re.compile(f"{_OWN.pattern}|.礼|则")
"""The same, where no formula closes the quotation: the name of another rite, or a conclusion, may be the
commentator's."""
_UNFINISHED = frozenset("于扵而之以乃遂与其不则在自及有如为立皆当无若从")
"""A quotation does not end so: the commentator goes on in other words, or the text differs."""
_NEVER = re.compile("(?!)")
"""For works of which the folder says nothing."""
_LEAST, _MOST = 2, 28
"""Characters of a quotation that is marked on such evidence. Of 160 in three unpunctuated sources one is longer than
20; a most of 40 adds two, one of which runs on into the next citation; a least of 4 loses 14, 1 adds none."""
_NEAR = 20
"""How many characters of the base text further on the quotation may go on. 6 or 60 changes nothing in the texts of
this repository."""
_PROVEN = 6
"""Characters that must stand in the base text for it to prove anything. 4 takes formulae of any chapter for
quotations (主人升一等; 20 more, two lost); 8 loses twelve."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A title or a name, from `start` to `end` of a text."""

    start: int
    end: int
    span: Span


@dataclass(frozen=True, slots=True)
class BaseWords:
    """The base text of a document, all together, folded and evened."""

    text: str
    places: Mapping[str, Sequence[int]]
    """Where in it each beginning that is asked for stands: to search the whole text for each is quadratic."""

    @classmethod
    def of(cls, index: Index, openings: Iterable[str]) -> BaseWords:
        """Take the base text of a document, for what `openings` gives of its citations."""
        text = evened("".join(index.base.values()))
        places: dict[str, list[int]] = {words: [] for words in openings}
        for at in range(len(text) - _PROVEN + 1 if places else 0):
            if (found := places.get(text[at : at + _PROVEN])) is not None:
                found.append(at)
        return cls(text, places)

    def reach(self, words: str) -> int:
        """Give how many characters of `words` stand in the base text from the first on; one graph may differ."""
        size, places = _PROVEN, self.places.get(words[:_PROVEN], ())
        if not places:
            return 0
        while size < len(words) and (more := [at for at in places if self.text.startswith(words[size], at + size)]):
            size, places = size + 1, more
        at = places[0] + size
        return 0 if self._goes_on(words[size:], self.text[at : at + _NEAR]) else size

    @staticmethod
    def _goes_on(ours: str, theirs: str) -> bool:
        """Whether a text quoted goes on after one graph that differs, or after words left out."""
        again = (ours[skipped : skipped + 3] for skipped in (0, 1))
        return any(len(words) == 3 and words in theirs for words in again) or ours[1:2] == theirs[1:2] != ""


@dataclass(frozen=True, slots=True)
class Quoting:
    """What tells in a document where a quotation ends."""

    words: BaseWords
    commented: re.Pattern[str]
    """What comes next where a quotation ends: the commentary on it, or more from the same work."""
    recited: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]]
    """By id the works that are quoted word for word, with the turn to the commentator's words, and the words that
    such a work has not (``uses.tsv``)."""

    @classmethod
    def of(cls, index: Index, persons: Mapping[str, Person], lists: Lists, begun: Iterable[str]) -> Quoting:
        """Take what a document, the persons whom it may name and the lists of its folder tell.

        `begun`: what `openings` gives of its citations. A commentator calls himself by his given name, and others by
        their surname: 郑注云, 孔疏, 郑云.
        """
        names = [evened(person.name) for person in persons.values() if 1 < len(person.name) < 4]
        given, family = alternatives(name[1:] for name in names if len(name) == 3), alternatives(n[0] for n in names)
        pattern = f"(?:{family})?[注疏]亦?[云曰]|(?:{family})[云曰]|又[云曰]|{given}|(?:{family})疏"
        turns = {use: (re.compile(turn), re.compile(strange)) for use, _, turn, strange in rows("uses", lists) if turn}
        recited = {work: turns[use] for _, use, work in rows("titles", lists) if use in turns}
        return cls(BaseWords.of(index, begun), re.compile(pattern), recited)


def openings(text: str, found: Sequence[Citation]) -> Iterator[str]:
    """Give how the words after each citation of a text, which is evened, begin, as `BaseWords` are asked for them."""
    for n, citation in enumerate(found):
        if opening := _OPENING.match(text, citation.end):
            limit = found[n + 1].start if n + 1 < len(found) else len(text)
            words = folded(text[opening.end() : limit])
            if len(words) >= _PROVEN:
                yield words[:_PROVEN]


def quoted(text: str, found: Sequence[Citation], quoting: Quoting) -> list[tuple[int, int]]:
    """Give from where to where something is quoted after the citations of a text, which is evened."""
    places: list[tuple[int, int]] = []
    for n, citation in enumerate(found):
        opening = _OPENING.match(text, citation.end)
        if opening is None or (places and citation.start < places[-1][1]):
            continue
        following = found[n + 1] if n + 1 < len(found) else None
        if end := _end(text, opening, citation, following, quoting):
            places.append((opening.end(), end))
    return places


def _end(text: str, lead: re.Match[str], citation: Citation, following: Citation | None, quoting: Quoting) -> int:
    """Give where a quotation that begins after the words `lead` ends; 0 if nothing proves it."""
    start = lead.end()
    limit = following.start if following else len(text)
    if reached := quoting.words.reach(folded(text[start:limit])):
        end = _at(text, start, reached)
        return 0 if text[end - 1] in _UNFINISHED else end
    for closing, own in ((_CLOSING, _OWN), (quoting.commented, _DOUBTED)):
        match = closing.search(text, start, limit)
        if match and _pure(text[start : match.start()], own):
            return match.start()
    around = text[citation.start - 1 : citation.start] + lead[0]
    turns, strange = quoting.recited.get(citation.span.ref, (_NEVER, _NEVER))
    turn = None if {"注", "疏"} & set(around) else turns.search(text, start, limit)
    if turn and _pure(text[start : turn.start()], strange):
        return turn.start()
    if following and citation.span.role == following.span.role == "person" and _pure(text[start:limit], _ANY):
        return limit
    return 0


def _pure(said: str, own: re.Pattern[str]) -> bool:
    return _LEAST <= len(said) <= _MOST and not own.search(said)


def _at(text: str, start: int, count: int) -> int:
    """Give where the `count`-th folded character from `start` on ends."""
    end = start
    while count:
        count -= len(folded(text[end]))
        end += 1
    return end


def laid_out(text: str, found: Sequence[Citation], quotations: Sequence[tuple[int, int]]) -> Content:
    """Give a text with its citations as spans, those in a quotation inside it."""
    quotes = [FoundSpan(start, end, Span(role="quote", content=())) for start, end in quotations]
    return placed(text, [*quotes, *(FoundSpan(each.start, each.end, each.span) for each in found)])


_QUOTATION = re.compile("(?<=[云曰言谓注::])(?:“[^“”]+”|「[^「」]+」)")

"""Words in quotation marks after a word of speech, after 注, or after a colon."""


def quotations(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Give the document with its quotations marked; lemmata, which are marked already, are none of them."""

    def rewrite(note: Note, text: str) -> Content:  # noqa: ARG001 (every note is treated alike)
        quote = Span(role="quote", content=())
        return placed(text, [FoundSpan(*match.span(), quote) for match in _QUOTATION.finditer(text)])

    return rewrite_notes(document, rewrite, frozenset({"attribution", "scope", "call", "punct", "lemma", "quote"})), ()
