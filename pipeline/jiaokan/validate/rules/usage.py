"""Rules on a place unlike all others of its file: a slip where the file itself shows what is usual."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from rapidfuzz.distance import OSA

from jiaokan.errors import Message
from jiaokan.tei.tree import ID, LANG, Element, after, local
from jiaokan.validate.rule import Problem, Subject, rule

_ENOUGH, _EXCEPTIONS = 10, 20
"""So many elements have something, and at most one of so many has not: then it is missing there. A choice."""
_USUAL = (
    ("sp", "who"), ("person", ID), ("place", ID), ("org", ID), ("category", ID), ("witness", ID), ("handNote", ID),
    ("rdg", "wit"), ("pb", "n"), ("zone", ID), ("surface", ID), ("app", "from"), ("u", "who"), ("event", ID),
)
"""Elements with an attribute that either all have or none."""


@rule("attribute-missing")
def _check_missing(subject: Subject) -> Iterator[Problem]:
    for name, attribute in () if subject.is_ours else _USUAL:
        elements = subject.tags.get(name, [])
        lacking = [element for element in elements if not element.get(attribute)]
        having = len(elements) - len(lacking)
        if lacking and having >= _ENOUGH and _EXCEPTIONS * len(lacking) <= having:
            shown = "xml:id" if attribute == ID else attribute
            for element in lacking:
                message = Message("attribute-missing-here", element=name, name=shown, count=having)
                yield Problem(element, message, Message("add-attribute", name=shown))


@rule("name-differs")
def _check_names(subject: Subject) -> Iterator[Problem]:
    """Report a name that leads elsewhere than in all other places: of a speech by ``@who``, of others by their key."""
    persons: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    places = list(_names_with_keys(subject))
    for element, name, value, _ in places:
        persons[local(element), name][value] += 1
    for element, name, value, attribute in places:
        count = persons[local(element), name]
        usual, times = count.most_common(1)[0]
        if count[value] == 1 and len(count) == 2 and times >= _ENOUGH:
            message = Message("name-of-another", name=name, attribute=attribute, value=value, usual=usual, count=times)
            yield Problem(element, message, Message("did-you-mean", name=usual), attribute=attribute)


def _names_with_keys(subject: Subject) -> Iterator[tuple[Element, str, str, str]]:
    """Yield each element that names somebody with its words, what it leads to, and the attribute that says so."""
    for element in () if subject.is_ours else subject.all("sp", "persName", "placeName", "orgName", "rs", "name"):
        attribute = "who" if local(element) == "sp" else "ref" if element.get("ref") else "key"
        label = element.find("{*}speaker") if attribute == "who" else element
        words = "" if label is None else " ".join("".join(map(str, label.itertext())).split())
        value = " ".join(element.get(attribute, "").split())
        if words and value:
            yield element, words, value, attribute


@rule("picture-twice")
def _check_pictures(subject: Subject) -> Iterator[Problem]:
    """Report a picture of two pages where nearly all pages have their own: not where pictures show two pages."""
    pages = [page for page in subject.all("pb") if page.get("facs")]
    count = Counter(page.get("facs", "") for page in pages)
    again = [page for n, page in enumerate(pages) if n and page.get("facs") == pages[n - 1].get("facs")]
    if subject.is_ours or len(count) < _ENOUGH or _EXCEPTIONS * len(again) > len(count):
        return
    for page in again:
        yield Problem(page, Message("picture-of-page-before", picture=page.get("facs", "")[-60:]),
                      Message("correct-one-of-them"), attribute="facs")


_VALUED = frozenset({"type", "subtype", "rend", "unit", "reason", "role", "place"})
_LONG = 5  # letters of a value of which another can be a slip


@rule("value-unlike")
def _check_values(subject: Subject) -> Iterator[Problem]:
    """Report a value that is there once and differs by a slip from one that the same element has very often."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    once: dict[tuple[str, str, str], Element] = {}
    for element, name in () if subject.is_ours else zip(subject.elements, subject.names, strict=True):
        for attribute in map(str, element.keys()):
            value = element.get(attribute, "") if attribute in _VALUED else ""
            if len(value) >= _LONG and value.isalpha():
                counts[name, attribute][value] += 1
                once[name, attribute, value] = element
    for (name, attribute), values in counts.items():
        often = [value for value, times in values.items() if times >= _ENOUGH]
        for value, times in values.items():
            if times == 1 and any(_is_slip(value, usual) for usual in often):
                usual = next(usual for usual in often if _is_slip(value, usual))
                message = Message("value-once", element=name, name=attribute, value=value, usual=usual,
                                  count=values[usual])
                yield Problem(once[name, attribute, value], message, Message("did-you-mean", name=usual),
                              attribute=attribute)


def _is_slip(value: str, usual: str) -> bool:
    """Whether one letter is missing, added, exchanged with the next, or another (not the last one)."""
    return OSA.distance(value, usual, score_cutoff=1) == 1 and value[:-1] != usual[:-1]


_NAMED = ("persName", "placeName", "orgName", "geogName", "head", "title", "speaker", "quote", "foreign", "emph", "lem")
"""Elements that are nothing without words."""


@rule("element-empty")
def _check_empty(subject: Subject) -> Iterator[Problem]:
    empty = [element for element in (() if subject.is_ours else subject.all(*_NAMED))
             if not len(element) and not (element.text or "").strip() and not set(element.keys()) - {LANG}]
    kinds = Counter(map(local, empty))
    for element in empty:
        name = local(element)
        filled = len(subject.tags[name]) - kinds[name]
        if kinds[name] <= max(1, filled // _EXCEPTIONS):
            yield Problem(element, Message("element-without-words", element=name), Message("add-words-or-remove"))


_LONG_WORDS, _LONG_ENTRY = 40, 20
"""Letters of a paragraph, and of an entry of a list with an id, that nobody writes twice: two children of a play have
no more than one name. On 335 files of others one finding, which is right; the limits were not made on them."""
_LISTED = ("person", "place", "org", "bibl", "biblStruct", "witness", "event")


@rule("content-twice")
def _check_copies(subject: Subject) -> Iterator[Problem]:
    """Report an element that says what the one before it says: it was copied and not changed."""
    for element in () if subject.is_ours else subject.all("p", *_LISTED):
        before, name = element.getprevious(), local(element)
        if before is None or local(before) != name or len(element) != len(before):
            continue
        words = " ".join("".join(map(str, element.itertext())).split())
        limit = _LONG_ENTRY if element.get(ID) and name != "p" else _LONG_WORDS
        if len(words) > limit and _parts_of(element) == _parts_of(before):
            message = Message("said-twice", element=name, words=words[:30])
            yield Problem(element, message, Message("keep-one-of-them"), before)


def _parts_of(element: Element) -> list[object]:
    """Return the words and markup of an element without its ids, for a comparison."""
    return [(str(node.tag), {name: value for name, value in node.items() if name != ID}, (node.text or "").strip(),
             after(node).strip() if node is not element else "") for node in element.iter()]
