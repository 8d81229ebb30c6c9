"""Translations in a file: taken out of the text, with the blocks of the text that each passage of them translates.

A translation is an element whose type says so (``div type="translation"``), or one in another language than that which
``corresp`` or a ``link`` pairs it with: parallel texts, divisions, paragraphs, segments. Its passages are paired with
the text by ``corresp``, by numbers, by their order where there are as many, else by the division.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from jiaokan.errors import Message, TeiError
from jiaokan.model import Division, Item, Note, NoteGroup
from jiaokan.readers.tei.elements import DIVISIONS, LEFT_OUT, name_of, stated_number, whole_text
from jiaokan.tei.apparatus import bounds, inner_items, size
from jiaokan.tei.linking.read import START
from jiaokan.tei.tree import ID, LANG, Element, Words, after, cut, loose_words

_TRANSLATION = re.compile(
    "translat(ion|ed)s?|traductions?|traducci[oó]n(es)?|traduzion[ei]|tradução|übersetzung|uebersetzung|vertaling|"
    "译文|譯文|今译|今譯|現代語訳|訳", re.IGNORECASE)
_BLOCKS = frozenset({"p", "ab", "l", "item", "stage", "speaker"})
_PARTS = DIVISIONS | {"text", "body", "lg", "sp"}
_PAIRED = _PARTS | _BLOCKS | {"seg", "s", "cl", "phr", "q", "quote"}
_KEPT = frozenset({"app", "rdg", "figure", "table", "egXML"})
"""What a translation cannot have: it then stays in the text."""
_BESIDE = re.compile("commentary|apparatus|bibliography|notes?|index", re.IGNORECASE)
_KEY = "translated "
"""The key of a point where a translated block of the text begins: this, and its number."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A passage of a translation."""

    keys: tuple[str, ...]
    """The points of the blocks of the text that it translates; those of the whole text where nothing shows which."""
    words: tuple[str, ...]
    """Its paragraphs or lines."""
    goes_on: bool = False
    """Whether it is words within a paragraph."""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation of the text, or of parts of it."""

    language: str
    name: str
    resp: str
    passages: tuple[Rendering, ...]


@dataclass(slots=True)
class _Pairing:
    """Pairs passages of translations with blocks of the text, in which it sets points."""

    partners: Mapping[Element, Element]
    """What each element corresponds to."""
    translations: frozenset[Element]
    head: Element | None = None
    """The head that names the translation, which is none of its passages."""
    points: dict[Element, str] = field(default_factory=dict)
    passages: list[Rendering] = field(default_factory=list)

    def pair(self, part: Element, original: Element) -> None:
        """Pair a part of a translation with a part of the text."""
        original = self.partners.get(part, original)
        here, there = _parts(part), [node for node in _parts(original) if node not in self.translations]
        blocks = [block for block in _loose_blocks(part) if block is not self.head]
        if len(here) == 1 and not blocks and not self._partner(here[0], there):
            self.pair(here[0], original)
            return
        if any(self._partner(node, there) is not None for node in here) or (here and len(here) == len(there)):
            if blocks:
                self._level(blocks, self._loose_text(original) or self._text(original)[:1])
            last = there[0] if there else original
            for number, node in enumerate(here):
                partner = self._partner(node, there)
                by_order = there[number] if len(here) == len(there) else last
                last = by_order if partner is None else partner
                self.pair(node, last)
            return
        self._level([block for block in _blocks(part) if block is not self.head], self._text(original))

    def _partner(self, node: Element, among: Sequence[Element]) -> Element | None:
        """Return what a part corresponds to: by pointers, else by its number."""
        if (stated := self.partners.get(node)) is not None:
            return stated
        number = stated_number(node)
        same = [other for other in among if number and stated_number(other) == number]
        return same[0] if len(same) == 1 else None

    def _level(self, blocks: Sequence[Element], text: Sequence[Element]) -> None:
        """Pair blocks of a translation with those of the text, by pointers, numbers or order; else all with all."""
        blocks = [part for block in blocks for part in self._segments(block)]
        partners = [self._partner(block, text) for block in blocks]
        if any(partner is not None for partner in partners):
            last: Sequence[Element] = text[:1]
            for block, partner in zip(blocks, partners, strict=True):
                last = last if partner is None else self._text(partner)
                self._add([block], last)
        elif len(blocks) == len(text):
            for block, original in zip(blocks, text, strict=True):
                self._add([block], [original])
        else:
            self._add(blocks, text)

    def _segments(self, block: Element) -> list[Element]:
        """Return the paired segments of a block if they are all its words; else the block."""
        segments = [node for node in block.iterdescendants("{*}*")
                    if node in self.partners and not any(up in self.partners for up in node.iterancestors())]
        whole = "".join(whole_text(block).split()) == "".join("".join(map(whole_text, segments)).split())
        return segments if segments and whole and block not in self.partners else [block]

    def _text(self, original: Element) -> list[Element]:
        return [block for block in _blocks(original) if self._is_text(block)]

    def _loose_text(self, original: Element) -> list[Element]:
        return [block for block in _loose_blocks(original) if self._is_text(block)]

    def _is_text(self, block: Element) -> bool:
        return name_of(block) not in ("note", "head") and self.translations.isdisjoint((block, *block.iterancestors()))

    def _add(self, blocks: Sequence[Element], text: Sequence[Element]) -> None:
        for block in text:
            self.points.setdefault(block, f"{_KEY}{len(self.points)}")
        words = tuple(line for block in blocks if (line := words_of(block)))
        if words:
            goes_on = name_of(blocks[0]) not in _BLOCKS | {"head"}
            self.passages.append(Rendering(tuple(self.points[block] for block in text), words, goes_on))


def take_translations(root: Element) -> tuple[Translation, ...]:
    """Take the translations out of a file's text and set a point in each block of the text that they translate. A file
    that is a translation and nothing else keeps its words. Raises TeiError if a word would be lost."""
    texts = [node for node in root.iter("{*}text") if not any(name_of(up) == "text" for up in node.iterancestors())]
    partners = _partners(texts)
    wholes = [node for node in _wholes(texts, partners) if _is_plain(node)]
    if not wholes or not any(_is_running(block, wholes) for text in texts for block in _blocks(text)):
        return ()
    pairing = _Pairing(partners, frozenset(wholes))
    translations: list[Translation] = []
    for whole in wholes:
        pairing.passages, pairing.head = [], _head(whole)
        original = _original(whole, pairing.translations)
        pairing.pair(whole, original)
        name = "" if pairing.head is None else words_of(pairing.head)
        language = _own_language(whole, original)
        translations.append(Translation(language, name, whole.get("resp", ""), tuple(pairing.passages)))
    for block, key in pairing.points.items():
        Words(block, follows=False).insert(0, block.makeelement(START, {"n": key}))
    _check_conserved(wholes, translations)
    for whole in wholes:
        cut(whole)
    return tuple(translations)


def _check_conserved(wholes: Sequence[Element], translations: Sequence[Translation]) -> None:
    lines = (line for translation in translations
             for line in (translation.name, *(line for passage in translation.passages for line in passage.words)))
    if lost := Counter("".join("".join(map(whole_text, wholes)).split())) - Counter("".join(lines)):
        raise TeiError(Message("characters-text-lost", count=lost.total(), some="".join(sorted(lost))[:20]),
                       mend=Message("nothing-written-please-report-file"))


def words_of(node: Element) -> str:
    """Return the words of a block of a translation; notes in square brackets, lost words as ``[…]``."""
    words = " ".join("".join(_words(node)).split())
    return f"[{words}]" if name_of(node) == "note" else words


def _words(node: Element) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        name = name_of(child) if isinstance(child.tag, str) else ""
        if name == "note":
            yield f" {words_of(child)}"
        elif name == "gap":
            yield "[…]"
        elif name:
            yield " " if name in ("lb", "pb", "cb", "p", "l", "ab", "item") and child.get("break") != "no" else ""
            yield from _words(child)
        yield after(child)


def _parts(node: Element) -> list[Element]:
    """Return the parts of a text or division, through what only holds them."""
    parts = [child for child in node
             if isinstance(child.tag, str) and name_of(child) in _PARTS and whole_text(child).strip()]
    return [inner for part in parts for inner in (_parts(part) if name_of(part) == "body" else [part])]


def _loose_blocks(node: Element) -> Iterator[Element]:
    """Yield the blocks of a text or division that are in none of its parts, heads and notes too."""
    for child in node:
        if isinstance(child.tag, str) and name_of(child) not in _PARTS:
            yield from _blocks(child)


def _blocks(node: Element) -> Iterator[Element]:
    """Yield the blocks with words of an element that hold no others; what is between them, too."""
    name = name_of(node)
    inside = [child for child in node if isinstance(child.tag, str)]
    if not whole_text(node).strip() or name in LEFT_OUT:
        return
    if name in _BLOCKS | {"note"} or not any(name_of(inner) in _BLOCKS for inner in node.iterdescendants("{*}*")):
        yield node
        return
    for child in inside:
        yield from _blocks(child)


def _is_plain(whole: Element) -> bool:
    """Whether a translation has words, all of them in blocks, and nothing that only a text can have."""
    if not whole_text(whole).strip() or any(name_of(inner) in _KEPT for inner in whole.iterdescendants("{*}*")):
        return False
    written = Counter("".join(whole_text(whole).split()))
    return not written - Counter("".join("".join(map(words_of, _blocks(whole))).split()))


def _is_running(block: Element, wholes: Sequence[Element]) -> bool:
    around = [block, *block.iterancestors()]
    return name_of(block) in _BLOCKS and not any(whole in around for whole in wholes) and not any(
        name_of(up) in ("front", "back") or _BESIDE.fullmatch(up.get("type", "")) for up in around)


def _wholes(texts: Sequence[Element], partners: Mapping[Element, Element]) -> list[Element]:
    """Return the outermost elements that are translations, in order."""
    whole = {node for text in texts for node in text.iterdescendants("{*}*")
             if name_of(node) in _PAIRED and _TRANSLATION.fullmatch(node.get("type", ""))}
    for node, partner in partners.items():
        if whole.isdisjoint((node, *node.iterancestors())):
            whole.add(_widest(node, partner))
    return [node for text in texts for node in text.iter("{*}*")
            if node in whole and whole.isdisjoint(node.iterancestors())]


def _widest(node: Element, partner: Element) -> Element:
    """Return the widest element round a translated passage that is in its language and has not its original in it."""
    language, originals = _language(node), {partner, *partner.iterancestors()}
    for around in node.iterancestors():
        if around in originals or name_of(around) not in _PAIRED or _language(around) != language:
            break
        node = node if name_of(around) == "body" else around
    return node


def _partners(texts: Sequence[Element]) -> dict[Element, Element]:
    """Return the elements of translations, each with what it translates: pairs of ``corresp`` or ``link`` in two
    languages, or of which one is in a translation by its type."""
    named = {node.get(ID, ""): node for text in texts for node in text.iter("{*}*") if node.get(ID)}
    order = {node: number for number, node in enumerate(node for text in texts for node in text.iter("{*}*"))}
    partners: dict[Element, Element] = {}
    root = texts[0].getroottree().getroot() if texts else None
    language = next((language for text in texts if (language := text.get(LANG, ""))), "")
    for pointing, pointed in _pairs(order, named, root):
        first, second = sorted((pointing, pointed), key=order.__getitem__)
        of_first, of_second = _is_translation(first), _is_translation(second)
        if of_first == of_second:
            tongues = [_language(node).partition("-")[0] for node in (first, second)]
            if not all(tongues) or tongues[0] == tongues[1] or of_first:
                continue
            of_first = tongues[1] == language.partition("-")[0]
        translation, original = (first, second) if of_first else (second, first)
        partners.setdefault(translation, original)
    return partners


def _pairs(
    order: Mapping[Element, int], named: Mapping[str, Element], root: Element | None
) -> Iterator[tuple[Element, Element]]:
    for node in order:
        for pointer in node.get("corresp", "").split():
            other = named.get(pointer.removeprefix("#"))
            if other is not None and other is not node and {name_of(node), name_of(other)} <= _PAIRED:
                yield node, other
    for link in () if root is None else root.iter("{*}link"):
        ends = [named.get(pointer.removeprefix("#")) for pointer in link.get("target", "").split()]
        pair = [end for end in ends if end is not None and name_of(end) in _PAIRED]
        if len(ends) == len(pair) == 2:
            yield pair[0], pair[1]


def _is_translation(node: Element) -> bool:
    return any(_TRANSLATION.fullmatch(up.get("type", "")) for up in (node, *node.iterancestors()))


def _language(node: Element) -> str:
    """Return the language that a part of the text states: its own, else that of what is around it."""
    stated = (up.get(LANG, "") for up in (node, *node.iterancestors()) if name_of(up) != "TEI")
    return next(filter(None, stated), "")


def _own_language(whole: Element, original: Element) -> str:
    """Return the language of a translation; empty if it only inherits that of the text."""
    stated = next(filter(None, (node.get(LANG, "") for node in whole.iter("{*}*"))), "")
    inherited = _language(whole)
    return stated or (inherited if inherited != _language(original) else "")


def _original(whole: Element, translations: frozenset[Element]) -> Element:
    """Return what a translation translates if nothing says it: the edition or division beside it, or around it."""
    around = whole.getparent()
    assert around is not None, "a translation is in a text"
    beside = [node for node in around if isinstance(node.tag, str) and name_of(node) in _PARTS
              and node not in translations and whole_text(node).strip() and not _BESIDE.fullmatch(node.get("type", ""))]
    editions = [node for node in beside if node.get("type") in ("edition", "original", "text", "transcription")]
    before = [node for node in whole.itersiblings(preceding=True) if node in beside]
    if len(editions) == 1:
        return editions[0]
    if name_of(around) in DIVISIONS - {"group"} and name_of(whole) not in _PARTS:
        return around
    return before[0] if before and name_of(whole) == name_of(before[0]) else around


def _head(whole: Element) -> Element | None:
    """Return the head of a translation that names it: the first of all its words."""
    return whole.find("{*}head") if name_of(whole) in DIVISIONS and not list(loose_words(whole)) else None


def characters_before(divisions: Sequence[Division], places: Mapping[str, int]) -> dict[str, int]:
    """Return how many characters of a text, without its notes, are before each place (`jiaokan.tei.apparatus`)."""
    runs = [(0, 0)]
    _count_runs(divisions, 0, runs)
    before = dict[str, int]()
    for key, place in places.items():
        last = bisect_right(runs, place, key=itemgetter(0)) - 1
        at, count = runs[last]
        goes_on = last + 1 < len(runs) and runs[last + 1][1] > count
        before[key] = count + (place - at if goes_on else 0)
    return before


def _count_runs(items: Sequence[Item], at: int, runs: list[tuple[int, int]]) -> int:
    """Add where each run of a text begins and ends: its place and the characters before it. Return the place of the
    end."""
    for item in items:
        inside = inner_items(item)
        if isinstance(item, (Note, NoteGroup)):
            at += size(item)
        elif inside is None:
            count, length = runs[-1][1], size(item)
            runs += [(at, count), (at + length, count + length)] if length else []
            at += length
        else:
            edge = bounds(item)
            at = _count_runs(inside, at + edge, runs) + edge
    return at
