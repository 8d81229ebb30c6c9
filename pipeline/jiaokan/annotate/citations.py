"""Works cited by title, persons named, and the words quoted from them, inside notes.

Titles are those in 《》 and of ``titles.tsv``. A name of three characters or the name proper of a person is recognised
anywhere, other names before a word of speech. A bare surname (郑氏) is a person only where comments of this text begin
with it and have one speaker; a name that two persons share is nobody's.

Without quotation marks a quotation is marked only where its end is proven. Evidence, the best first: the base text of
this document has the words, and differs after them; a formula (是也) follows words without any of a commentator's;
after such words comes the commentary on them (注云), more of the same work (又曰), the next speaker (郑司农云…
康成谓…), or a word that a text quoted literally lacks (此, 然则). The end of a note or the next title proves nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import zip_longest

from msgspec.structs import replace

from jiaokan.annotate import index as tables
from jiaokan.annotate.index import FoundSpan, Index, mark_notes, rows, search_form, to_simplified
from jiaokan.model import Document, EditorsMark, EditorsName, Item, Note, Role, Span
from jiaokan.model.text import counted, edited
from jiaokan.model.walk import Rewriting
from jiaokan.settings.catalog import Person
from jiaokan.settings.lists import NONE, Lists
from jiaokan.settings.patterns import Expression, alternatives

_SPEECH = "(?=曰|云|谓|以为|注|説|说|言|之[说説言意]|则[曰云谓以]|亦[曰云谓以])"
"""After a name: its person speaks, or is said to hold an opinion."""
_SURNAME = re.compile(".氏")
_LABELS = 10
"""Least number of comments that begin with a bare surname for it to be the speaker's (docs/development/measured.md)."""


def _any_of(words: Iterable[str]) -> str:
    return alternatives(map(to_simplified, words))


@lru_cache(maxsize=8)
def works(lists: Lists = NONE) -> dict[str, str]:
    """Return the id of the work by title; a folder's titles replace the program's."""
    return {to_simplified(title): work for title, _, work in reversed(rows("titles", lists))}


@lru_cache(maxsize=8)
def _titles(lists: Lists) -> str:
    """Return the pattern of titles, the longest of all uses first."""
    patterns = ["(?<=《)[^《》]+(?=》)"]
    uses = {to_simplified(title): use for title, use, _ in reversed(rows("titles", lists))}
    frames = {use: pattern for use, pattern, *_ in reversed(rows("uses", lists))}
    for length in sorted({len(title) for title in uses}, reverse=True):
        for use, pattern in frames.items():
            titles = [_whole(title, uses) for title, of in uses.items() if of == use and len(title) == length]
            patterns += [pattern.replace("{0}", "|".join(titles))] if titles else []
    return "|".join(patterns)


def _whole(title: str, titles: Iterable[str]) -> str:
    """Return the pattern of a title that is not a part of a longer one, for which there may be no evidence."""
    longer = [other for other in titles if other != title]
    before = [f"(?<!{re.escape(other.removesuffix(title))})" for other in longer if other.endswith(title)]
    after = [re.escape(other.removeprefix(title)) for other in longer if other.startswith(title)]
    return "".join(before) + re.escape(title) + (f"(?!{'|'.join(after)})" if after else "")


def link_titles(document: Document, lists: Lists) -> Document:
    """Return a document in which titles that the editor marks point to their work, in simplified or traditional
    script: 集説 and 集說 are one. Of a title with its part (周礼·射人) the part counts, else the whole; 职 and 篇
    are no part of a title. A title that no list has points to nothing."""
    return _TitleLinks({search_form(title): work for title, work in works(lists).items()}).document(document)


class _TitleLinks(Rewriting):
    def __init__(self, by_title: Mapping[str, str]) -> None:
        self.works = by_title

    def item(self, item: Item) -> Item:
        item = super().item(item)
        if not isinstance(item, EditorsName) or item.kind != "title" or item.ref or item.part:
            return item
        title = to_simplified("".join(
            part.sign if isinstance(part, EditorsMark) else edited((part,)) for part in item.content))
        forms = (form for part in (title, *reversed(title.split("·"))) for form in (part, part.rstrip("职篇")))
        work = next((self.works[form] for form in map(search_form, forms) if form in self.works), "")
        return replace(item, ref=work) if work else item


def names(persons: Mapping[str, Person]) -> dict[str, str]:
    """Return the person by name; only unambiguous names of two characters or more that are not bare surnames."""
    forms = [(form, person.id) for person in persons.values() for form in dict.fromkeys((person.name, *person.names))]
    uses = Counter(form for form, _ in forms)
    return {form: who for form, who in forms if uses[form] == 1 and len(form) > 1 and not _SURNAME.fullmatch(form)}


def surnames(index: Index) -> dict[str, str]:
    """Return the speaker by bare surname, for those with which comments of the text begin, if it is always the same."""
    by_surname: defaultdict[str, list[str]] = defaultdict(list)
    for note in index.notes.values():
        first = note.content[0] if note.content else ""
        if isinstance(first, Span) and first.role == "attribution" and note.resp:
            by_surname[counted(first.content).rstrip("曰云")].append(note.resp)
    return {
        name: speakers[0] for name, speakers in by_surname.items()
        if _SURNAME.fullmatch(name) and len(set(speakers)) == 1 and len(speakers) >= _LABELS
    }


def _names_and_titles(persons: Mapping[str, Person], known: Mapping[str, str], lists: Lists) -> Expression:
    """Return the pattern of persons and titles in simplified script; it tests first characters first, for speed."""
    proper = {person.name for person in persons.values()}
    sure = {form for form in known if len(form) > 2 or form in proper}
    bare = {form for form in known.keys() - sure if _SURNAME.fullmatch(form)}
    others = known.keys() - sure - bare
    no_other = f"(?!{alternatives(tables.editions(lists))})"  # 张氏 before the name of an edition is its collator
    person = f"(?P<person>(?:{_any_of(sure)})|(?:{_any_of(bare)}){no_other}|(?:{_any_of(others)}){_SPEECH})"
    first = "".join(sorted({to_simplified(word)[0] for word in (*known, *works(lists))}))
    pattern = f"(?:(?<=《)|(?=[{re.escape(first)}]))(?:{person}|(?P<title>{_titles(lists)}))"
    return tables.compile_rows("uses", pattern, lists)


def mark_citations(
    document: Document, persons: Mapping[str, Person], lists: Lists = NONE, index: Index | None = None
) -> Document:
    """Return a numbered document with titles, names and their quotations marked; `index` is the document's."""
    index = index or Index.of(document)
    known = {**names(persons), **surnames(index)}
    pattern = _names_and_titles(persons, known, lists)
    people = {to_simplified(form): person for form, person in known.items()}
    listed: deque[list[FoundSpan]] = deque()
    begun: set[str] = set()
    base = to_simplified("".join(index.base.values()))
    # in a text that names a master, his name is not the title of his book: 孟子對曰 in the commentaries on 孟子
    masters = {title for title in works(lists) if title.endswith("子") and title in base}

    def collect(_: Note, text: str) -> list[FoundSpan]:
        plain = to_simplified(text)
        citations = []
        for match in pattern.finditer(plain):
            role: Role = "person" if match["person"] else "title"
            if match[0] in masters and plain[match.start() - 1 : match.start()] != "《":
                continue
            ref = people[match[0]] if match["person"] else works(lists).get(match[0], "")
            citations.append(FoundSpan(*match.span(), Span(role=role, content=(), ref=ref)))
        for citation, following in zip_longest(citations, citations[1:]):
            if opening := _OPENING.match(plain, citation.end):
                words = search_form(plain[opening.end() : following.start if following else None])
                begun.update([words[:_PROVEN]] if len(words) >= _PROVEN else [])
        listed.append(citations)
        return []

    mark_notes(document, collect, "title", "person")
    quoting = Quoting(index, persons, lists, begun)

    def find(_: Note, text: str) -> list[FoundSpan]:
        citations, plain = listed.popleft(), to_simplified(text)
        quotes: list[FoundSpan] = []
        for citation, following in zip_longest(citations, citations[1:]):
            opening = _OPENING.match(plain, citation.end)
            if opening and not (quotes and citation.start < quotes[-1].end):
                end = _end(plain, opening, citation, following, quoting)
                quotes += [FoundSpan(opening.end(), end, _QUOTE)] if end else []
        return [*quotes, *citations]

    return mark_notes(document, find, "title", "person")


_OPENING = re.compile("(?:职|文|记|注|疏|篇|传)?[曰云](?![“「‘])")
"""Between a title or name and the words quoted; not before quotation marks, which show the end themselves."""
_CLOSING = re.compile("(?:者?是也|是矣|是其(?:证|义|类|事)|其是之谓)")
_OWN = re.compile(
    "[故盖葢案按岂何乎哉矣耳焉犹注疏経○〈【 \u3000]|也.|是以|可知|所以|谓此|此谓|言此|即此|云|又.{1,4}曰|职曰"
)
"""Words of a commentator: with one of them, it is not certain that all is quoted."""
_ANY = re.compile(f"{_OWN.pattern}|[则此今若然谓非经郑亦]")
"""The same, where only another speaker's name follows."""
_DOUBTED = re.compile(f"{_OWN.pattern}|.礼|则")
"""The same, where no formula closes the quotation."""
_UNFINISHED = frozenset("于扵而之以乃遂与其不则在自及有如为立皆当无若从")
"""No quotation ends so: the commentator goes on in other words, or the text differs."""
_NEVER = re.compile("(?!)")
_QUOTE = Span(role="quote", content=())
_LEAST, _MOST = 2, 28
"""Least and most characters of a quotation that is marked on such evidence (docs/development/measured.md)."""
_NEAR = 20
"""Characters of the base text in which a quotation may go on after a difference."""
_PROVEN = 6
"""Characters that the base text must share to prove anything (docs/development/measured.md)."""


class Quoting:
    """Evidence in a document for the ends of quotations: its base text, and formulae."""

    def __init__(self, index: Index, persons: Mapping[str, Person], lists: Lists, begun: Iterable[str]) -> None:
        """Collect the evidence; `begun` are the beginnings of possible quotations."""
        self.text = to_simplified("".join(index.base.values()))
        self.places: dict[str, list[int]] = {words: [] for words in begun}
        """Where the base text has these beginnings: to search it for each would be quadratic."""
        for at in range(len(self.text) - _PROVEN + 1 if self.places else 0):
            if (occurrences := self.places.get(self.text[at : at + _PROVEN])) is not None:
                occurrences.append(at)
        # a commentator calls himself by his given name, and others by their surname: 郑注云, 孔疏, 郑云
        names = [to_simplified(person.name) for person in persons.values() if 1 < len(person.name) < 4]
        forename, family = alternatives(name[1:] for name in names if len(name) == 3), alternatives(n[0] for n in names)
        self.commented = re.compile(
            f"(?:{family})?[注疏]亦?[云曰]|(?:{family})[云曰]|又[云曰]|{forename}|(?:{family})疏")
        """What follows a quotation: the commentary on it, or more from the same work."""
        turns = {use: tuple(tables.compile_pattern("uses", pattern, lists) for pattern in (turn, strange))
                 for use, _, turn, strange in rows("uses", lists) if turn}
        self.recited = {work: turns[use] for _, use, work in rows("titles", lists) if use in turns}
        """The works that are quoted literally: what turns to the commentator's words, and words that the work lacks."""

    def reach(self, words: str) -> int:
        """Return how many characters at the beginning of `words` the base text has."""
        size, places = _PROVEN, self.places.get(words[:_PROVEN], [])
        if not places:
            return 0
        while size < len(words) and (more := [at for at in places if self.text.startswith(words[size], at + size)]):
            size, places = size + 1, more
        at = places[0] + size
        ours, theirs = words[size:], self.text[at : at + _NEAR]
        again = (ours[skipped : skipped + 3] for skipped in (0, 1))  # after one graph that differs, or words left out
        goes_on = any(len(words) == 3 and words in theirs for words in again) or ours[1:2] == theirs[1:2] != ""
        return 0 if goes_on else size


def _end(text: str, lead: re.Match[str], citation: FoundSpan, following: FoundSpan | None, quoting: Quoting) -> int:
    """Return the end of a quotation that begins after the words `lead`; 0 if nothing proves it."""
    start = lead.end()
    limit = following.start if following else len(text)
    if reached := quoting.reach(search_form(text[start:limit])):
        end = start
        while reached:  # punctuation not counted
            reached -= len(search_form(text[end]))
            end += 1
        return 0 if text[end - 1] in _UNFINISHED else end
    for closing, not_quoted in ((_CLOSING, _OWN), (quoting.commented, _DOUBTED)):
        match = closing.search(text, start, limit)
        if match and _pure(text[start : match.start()], not_quoted):
            return match.start()
    around = text[citation.start - 1 : citation.start] + lead[0]
    turns, strange = quoting.recited.get(citation.span.ref, (_NEVER, _NEVER))
    turn = None if {"注", "疏"} & set(around) else turns.search(text, start, limit)
    if turn and _pure(text[start : turn.start()], strange):
        return turn.start()
    if following and citation.span.role == following.span.role == "person" and _pure(text[start:limit], _ANY):
        return limit
    return 0


def _pure(words: str, not_quoted: Expression) -> bool:
    return _LEAST <= len(words) <= _MOST and not not_quoted.search(words)


_QUOTATION = re.compile("(?<=[云曰言谓注::])(?:“[^“”]+”|「[^「」]+」)")
"""Words in quotation marks after a word of speech, after 注, or after a colon."""


def mark_quotations(document: Document) -> Document:
    """Return the document with words in its source's own quotation marks marked as quotations, except lemmata."""
    return mark_notes(
        document, lambda _, text: (FoundSpan(*match.span(), _QUOTE) for match in _QUOTATION.finditer(text)),
        "lemma", "quote",
    )
