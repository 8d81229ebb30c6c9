"""The rule on pointers to words: they lie within the text that they point into, and a lemma finds its words there."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.annotate.index import folded
from pipeline.model.numerals import MOST_SPACE, whole
from pipeline.model.pointers import Range, range_of
from pipeline.tei.shapes import CHARACTERS
from pipeline.tei.tree import Element, after, local
from pipeline.validate.rule import Problem, Subject, rule

_POINTING = ("target", "corresp")
_LEFT_OUT = frozenset({"note", "noteGrp", "corr", "supplied", "rdg", "figure", "index"})
"""What offsets do not count; of an entry they count the lemma, of a correction what the source has."""
_PRINTED = frozenset({"choice", "surplus"})
"""Whose ``@rend`` says which brackets the source has around them; another element with one is itself no text."""
_EMPTY = frozenset({"app", "choice", "noteGrp"})
"""What holds no words of its own: white space there is formatting, words are a fault of structure."""
_JUDGED = frozenset({"app", "choice", "supplied", "surplus", "g"})
"""Where these stand, what is printed is not what every witness or the source has: there a lemma may differ."""

Piece = tuple[str, bool]
"""Characters that offsets count, and whether they are the same in every witness and as edited."""


def pieces(element: Element, sure: bool = True) -> Iterator[Piece]:
    """Give the characters of an element that offsets count (`pipeline.model.text` says which), piece by piece."""
    own = local(element) not in _EMPTY
    yield (element.text or "").replace("\n", "") if own else "", sure
    for child in element:
        if isinstance(child.tag, str):
            yield from _child(child, sure and local(child) not in _JUDGED)
        yield after(child).replace("\n", "") if own else "", sure


def _child(element: Element, sure: bool) -> Iterator[Piece]:
    name = local(element)
    match name:
        case "g":
            yield str(CHARACTERS.read(element.get("ref", "#g-3013"))), False
        case "gap":
            yield element.get("rend", ""), sure
        case "space":
            yield " " * min(whole(element.get("quantity", "1")), MOST_SPACE), sure
        case _ if name in _LEFT_OUT or (element.get("rend") and name not in _PRINTED):
            yield "", sure
        case "pc" if element.get("resp"):
            yield "", sure
        case _:
            yield from pieces(element, sure)
            yield "", sure


def _words(subject: Subject) -> Iterator[Problem]:
    texts: dict[str, tuple[Piece, ...]] = {}
    for element, name, pointer in _pointers(subject):
        place = range_of(pointer[1:])
        target = subject.target(place.id) if place else None
        if place is None or target is None:
            continue
        if place.id not in texts:
            texts[place.id] = tuple(pieces(target))
        text = "".join(words for words, _ in texts[place.id])
        words = text[place.offset : place.offset + place.length]
        said = "".join(each for each, _ in pieces(element))
        if place.offset + place.length > len(text):
            yield Problem(element, f"the text of {place.id} has {len(text)} characters, {pointer} goes beyond them",
                          _found(said, text, place), target, name)
        elif element.get("type") == "lemma" and _differs(element, words, texts[place.id], place):
            yield Problem(element, f"the lemma “{said}” points to other words: “{words}”", _found(said, text, place),
                          target, name)


def _pointers(subject: Subject) -> Iterator[tuple[Element, str, str]]:
    """Each pointer into the file of what can point to words: the element, the attribute, the pointer."""
    for element in subject.in_text("quote", "seg", "ref", "note"):
        for name in _POINTING:
            yield from ((element, name, each) for each in element.get(name, "").split() if each.startswith("#"))


def _found(said: str, text: str, place: Range) -> str:
    """Where the words of a pointing element stand in a text, as a suggestion."""
    words = said.strip("“”‘’「」『』\"'")
    at = text.find(words)
    near = f"#string-range({place.id},{at},{len(words)})"
    return f"did you mean {near!r}?" if words and at >= 0 else "annotate the source again"


def _parted(lemma: Element) -> bool:
    """Whether a lemma stands in a reading of its note: it may be a part of one, the rest being the same elsewhere."""
    for each in lemma.iterancestors():
        if local(each) in ("rdg", "lem", "note"):
            return local(each) != "note"
    return False


def _differs(lemma: Element, words: str, text: tuple[Piece, ...], place: Range) -> bool:
    """Whether a lemma points to other words than its own, where nothing in either was judged."""
    at = 0
    for piece, sure in text:
        if not sure and at <= place.offset + place.length and at + len(piece) >= place.offset:
            return False
        at += len(piece)
    own = tuple(pieces(lemma))
    return not _parted(lemma) and all(sure for _, sure in own) and folded(words) != folded("".join(p for p, _ in own))


RULES = (rule("words-elsewhere", _words),)
