"""Rules on ids, on pointers to elements, and on pointers to words (``words:``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from jiaokan.annotate.index import search_form
from jiaokan.errors import Message, suggestion
from jiaokan.model.numerals import MOST_SPACE, whole
from jiaokan.model.pointers import WORDS, Range, range_of
from jiaokan.tei.shapes import CHARACTERS
from jiaokan.tei.tree import ID, Element, after, local
from jiaokan.validate.rule import Problem, Subject, pointers, rule

_TEXT = frozenset({"seg", "lg", "note", "head", "trailer", "div", "TEI"})
LEADS_TO: Mapping[str, Mapping[str, frozenset[str]]] = {
    "wit": {"": frozenset({"witness"})},
    "resp": {"": frozenset({"person", "respStmt"})},
    "who": {"": frozenset({"person", "respStmt"})},
    "ana": {"": frozenset({"category"})},
    "target": {"": _TEXT},
    "targetEnd": {"": _TEXT},
    "corresp": {"quote": _TEXT, "seg": _TEXT},
    "source": {"label": frozenset({"person"}), "note": frozenset({"witness"}), "lg": frozenset({"witness"}),
               "seg": frozenset({"person", "witness"}), **dict.fromkeys(
                   ("persName", "placeName", "orgName", "name"), frozenset({"category"}))},
    "ref": {"persName": frozenset({"person"}), "placeName": frozenset({"place"}), "orgName": frozenset({"org"}),
            "author": frozenset({"person"}), "title": frozenset({"bibl"}), "g": frozenset({"char"})},
}
"""The elements that an attribute may point to, by element (empty: any)."""
_HEADER = ("wit", "resp", "who", "ana")
_NOT_NAMED = frozenset({
    "p", "ab", "l", "lg", "div", "seg", "anchor", "w", "pc", "pb", "lb", "cb", "milestone", "head", "app", "rdg", "lem",
    "body", "text", "date", "figure", "graphic", "surface", "zone", "char", "glyph", "taxonomy",
})
"""Elements that are no witness, person or hand in any TEI."""
_NAMING = {"wit": "witness", "who": "person", "resp": "person, respStmt", "hand": "handNote", "new": "handNote"}
"""Attributes that name somebody, with what they usually point to."""
_OTHER_THINGS = {
    "persName": {"place", "bibl", "event"}, "author": {"place", "event"}, "placeName": {"person", "bibl", "event"},
    "orgName": {"person", "bibl", "event"}, "title": {"person", "place", "org", "event"},
    "settlement": {"person", "bibl", "org"}, "country": {"person", "bibl", "org"},
}
"""What the ``@ref`` of a name does not point to in any TEI. A family may be an org, a court a place."""


@rule("pointer-dangling")
def _check_dangling(subject: Subject) -> Iterator[Problem]:
    known = subject.ids
    for element, name in subject.pointing:
        if name == "wit" and not subject.declares_witnesses:
            continue  # reported once, by `witnesses-undeclared`
        if not subject.is_ours and WORDS in element.get(name, ""):
            continue  # a prefix of another file, judged by its own declaration
        for wanted in pointers(element, name):
            if wanted not in known:
                message = Message("points-no-element-id", element=local(element), name=name, wanted=wanted)
                mend = subject.nearest_id(wanted) or Message("declare-correct-pointer")
                yield Problem(element, message, mend, attribute=name)


@rule("pointer-kind")
def _kind(subject: Subject) -> Iterator[Problem]:
    if not subject.is_ours:
        yield from _wrong_kinds(subject)
        return
    for element, name in subject.pointing:
        kinds = LEADS_TO.get(name)
        allowed = kinds.get("") or kinds.get(local(element)) if kinds else None
        if not allowed:
            continue
        wrong_targets: list[tuple[Message, Element | None]] = []
        for word in element.get(name, "").split() if name in _HEADER else ():
            if not word.startswith("#"):
                wrong_targets.append((Message("points-outside-file", element=local(element), name=name, word=word),
                                      None))
        for wanted in pointers(element, name):
            target = subject.target(wanted)
            if target is not None and local(target) not in allowed:
                wrong_targets.append((
                    Message("points-to-wrong-element", element=local(element), key=name, id=wanted,
                            target=local(target)), target))
        for message, other in wrong_targets:
            mend = Message("point-to", allowed=", ".join(sorted(allowed)))
            yield Problem(element, message, mend, other, name)


def _wrong_kinds(subject: Subject) -> Iterator[Problem]:
    for element, name in subject.pointing:
        others = _NOT_NAMED if name in _NAMING else _OTHER_THINGS.get(local(element), ()) if name == "ref" else ()
        for wanted in pointers(element, name) if others else ():
            target = subject.target(wanted)
            if target is not None and local(target) in others:
                message = Message("points-to-wrong-element", element=local(element), key=name, id=wanted,
                                  target=local(target))
                allowed = _NAMING.get(name) or ", ".join(sorted(LEADS_TO["ref"].get(local(element), ("place",))))
                yield Problem(element, message, Message("point-to", allowed=allowed), target, name)


@rule("siglum-undeclared")
def _siglum(subject: Subject) -> Iterator[Problem]:
    witnesses = subject.witnesses | subject.reported_witnesses
    for mark in subject.all("milestone"):
        ed = mark.get("ed", "")
        if mark.get("unit") == "unit" and not (ed and mark.get("n")):
            yield Problem(mark, Message("milestone-unit-unit-lacks-ed"),
                          Message("add-ed-witness-n-unit"))
        elif ed and ed not in witnesses:
            known = ", ".join(sorted(witnesses)) or Message("none")
            mend = suggestion(ed, witnesses, Message("expected-one-of", expected=known))
            yield Problem(mark, Message("milestone-ed-not-witness", ed=ed), mend, attribute="ed")


@rule("id-duplicate")
def _check_duplicates(subject: Subject) -> Iterator[Problem]:
    for identifier, elements in subject.ids.items():
        for again in elements[1:]:
            message = Message("id-duplicate", identifier=identifier, element=local(elements[0]), element2=local(again))
            yield Problem(again, message, Message("give-another-id"), elements[0], "xml:id")


@rule("reference-broken")
def _reference(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("div", "head", "trailer", "seg", "lg"):
        identifier = element.get(ID)
        parent = next((a for a in element.iterancestors() if a.get(ID) and local(a) in ("div", "TEI")), None)
        if identifier and parent is not None and len(subject.ids[identifier]) == 1:
            above = parent.get(ID, "")
            if not identifier.startswith(f"{above}."):
                message = Message("id-not-begin-id-contains", identifier=identifier, element=local(element),
                                  above=above)
                mend = Message("expected-id-beginning", above=above)
                yield Problem(element, message, mend, parent, "xml:id")


@rule("id-missing")
def _check_missing(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("div", "head", "trailer", "seg", "lg", "note", "app"):
        name, kind = local(element), element.get("type")
        wanted = name in ("div", "head", "trailer") or kind == {"note": "commentary", "app": None}.get(name, "jing")
        if wanted and not element.get(ID):
            shown = f"<{name} type=\"{kind}\">" if kind else f"<{name}>"
            on = next(iter(pointers(element, "target")), "")
            above = on or next((str(a.get(ID)) for a in element.iterancestors() if a.get(ID)), "…")
            step = {"head": "h", "trailer": "t", "note": "n…", "app": "a…"}.get(name) or element.get("n") or "…"
            yield Problem(element, Message("id-missing", shown=shown),
                          Message("expected-xml-id", above=f"{above}.{step}"))


_COUNTED = re.compile("-[0-9]+$")  # the suffix that distinguishes a second chapter of the same number


@rule("number-broken")
def _number(subject: Subject) -> Iterator[Problem]:
    for element in subject.in_text("div", "seg", "lg"):
        identifier = element.get(ID, "")
        last = identifier.rpartition(".")[2]
        if element.get("subtype") == "stated":  # the number of somebody else's file
            continue
        if element.get("type") == "pian" and element.get("n") == _COUNTED.sub("", last):
            continue
        if last and element.get("n") != last and len(subject.ids[identifier]) == 1:
            message = Message("element-has-n", id=identifier, n=element.get("n", ""))
            yield Problem(element, message, Message("expected-n", last=last), attribute="n")
    counted: dict[str, tuple[int, str]] = {}
    for element in subject.in_text("note", "app"):
        identifier = element.get(ID, "")
        series = identifier.rstrip("0123456789")
        if "." in identifier:
            before, previous = counted.get(series, (0, "0"))
            number = identifier.removeprefix(series)
            counted[series] = (before + 1, number)
            follows = number in (str(before + 1), str(whole(previous) + 1))  # one that is missing shifts no others
            if not follows and len(subject.ids[identifier]) == 1:
                yield _numbering_problem(element, identifier, before + 1, f"{series}{before + 1}")
    titles: dict[str, int] = {}
    for element in subject.in_text("head", "trailer"):
        identifier = element.get(ID, "")
        above, division = identifier.rpartition(".")[0], element.getparent()
        if above and division is not None and division.get(ID) == above:
            series = f"{above}.{local(element)[0]}"
            titles[series] = count = titles.get(series, 0) + 1
            expected = f"{series}{count if count > 1 else ''}"
            if identifier != expected and len(subject.ids[identifier]) == 1:
                yield _numbering_problem(element, identifier, count, expected)


def _numbering_problem(element: Element, identifier: str, count: int, expected: str) -> Problem:
    message = Message("number-series", identifier=identifier, count=count, element=local(element))
    return Problem(element, message, Message("expected-value", expected=expected), attribute="xml:id")


_LEFT_OUT = frozenset({"note", "noteGrp", "corr", "supplied", "rdg", "figure", "index"})
"""Elements that offsets do not count; of an entry they count the lemma, of a correction what the source has."""
_PRINTED = frozenset({"choice", "surplus"})
"""Elements whose ``@rend`` are brackets of the source; others with ``@rend`` are not text."""
_EMPTY = frozenset({"app", "choice", "noteGrp"})  # elements without text of their own: white space there is formatting
_JUDGED = frozenset({"app", "choice", "supplied", "surplus", "g"})
"""Elements whose text is not that of every witness or of the source: there a lemma may differ."""

Piece = tuple[str, bool]  # characters that offsets count, and whether they are the same in every witness and as edited


def pieces(element: Element, sure: bool = True) -> Iterator[Piece]:
    """Yield the characters of an element that offsets count (as `jiaokan.model.text.counted`), piece by piece."""
    has_words = local(element) not in _EMPTY
    yield (element.text or "").replace("\n", "") if has_words else "", sure
    for child in element:
        name, same = local(child) if isinstance(child.tag, str) else "", sure and local(child) not in _JUDGED
        if name == "g":
            yield str(CHARACTERS.read(child.get("ref", "#g-3013"))), False
        elif name == "gap":
            yield child.get("rend", ""), same
        elif name == "space":
            yield " " * min(whole(child.get("quantity", "1")), MOST_SPACE), same
        elif name and name not in _LEFT_OUT and not (child.get("rend") and name not in _PRINTED) and not (
                name == "pc" and child.get("type") is None):
            yield from pieces(child, same)
            yield "", same
        elif name:
            yield "", same
        yield after(child).replace("\n", "") if has_words else "", sure


@rule("words-elsewhere")
def _words(subject: Subject) -> Iterator[Problem]:
    texts: dict[str, tuple[Piece, ...]] = {}
    pointing = ((element, name, pointer) for element in subject.in_text("quote", "seg", "ref", "note")
                for name in ("target", "corresp") for pointer in element.get(name, "").split()
                if pointer.startswith(("#", WORDS)))
    for element, name, pointer in pointing:
        place = range_of(pointer.removeprefix("#"))
        target = subject.target(place.id) if place else None
        if place is None and pointer.startswith(WORDS):
            message = Message("prefix-pattern-differs", element=local(element), name=name, pointer=pointer)
            yield Problem(element, message, Message("expected-pattern", pattern=f"{WORDS}ID/4/2"), attribute=name)
        if place is None or target is None:
            continue
        if place.id not in texts:
            texts[place.id] = tuple(pieces(target))
        text = "".join(words for words, _ in texts[place.id])
        words = text[place.offset : place.offset + place.length]
        own_words = "".join(piece for piece, _ in pieces(element))
        if place.offset + place.length > len(text):
            message = Message("text-characters-points-beyond-end", place=place.id, count=len(text), pointer=pointer)
            yield Problem(element, message, _suggest_pointer(own_words, text, place), target, name)
        elif element.get("type") == "lemma" and _differs(element, words, texts[place.id], place):
            message = Message("lemma-points-other-words", name=own_words, words=words)
            yield Problem(element, message, _suggest_pointer(own_words, text, place), target, name)


def _suggest_pointer(words_here: str, text: str, place: Range) -> Message:
    words = words_here.strip("“”‘’「」『』\"'")
    at = text.find(words)
    near = Range(place.id, at, len(words))
    return Message("did-you-mean", name=str(near)) if words and at >= 0 else Message("annotate-source-again")


def _differs(lemma: Element, words: str, text: tuple[Piece, ...], place: Range) -> bool:
    """Whether a lemma points to words other than its own, if nothing in either was judged."""
    at = 0
    for piece, sure in text:
        if not sure and at <= place.offset + place.length and at + len(piece) >= place.offset:
            return False
        at += len(piece)
    around = next((local(ancestor) for ancestor in lemma.iterancestors()
                   if local(ancestor) in ("rdg", "lem", "note")), "note")
    if around != "note":  # in a reading a lemma may be a part of one, the rest being the same elsewhere
        return False
    lemma_pieces = tuple(pieces(lemma))
    own_words = "".join(piece for piece, _ in lemma_pieces)
    return all(sure for _, sure in lemma_pieces) and search_form(words) != search_form(own_words)
