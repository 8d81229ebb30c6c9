"""Read the witnesses of a published TEI edition off its apparatus, and its entries, to compare a collation with them.

At each ``app`` a witness has the ``rdg`` that names it, else the ``lem``; sigla of hands and of groups mean their
witnesses; `lacunaStart` and `witStart` are followed. The base is the text as it is edited. This reader shares no code
with the program that it measures, except that the apparatus of files with double end-points is first made parallel.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from lxml import etree

BASE = "base"
"""The name of the edited text as a witness."""
_XML = "{http://www.w3.org/XML/1998/namespace}id"
_SKIPPED = re.compile("note|witDetail|wit|mulu|docNumber|gap|space|figure|fw|del|surplus|sic|orig|label|bibl|listBibl")
_BLOCKS = frozenset(("p", "l", "head", "byline", "jhead", "item", "ab", "title", "lg", "div"))
_SIGLUM = re.compile("【([^】]*)】")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_MARKS = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Token:
    """A character or word; `without` are the witnesses that have a lacuna there."""

    text: str
    without: frozenset[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """A place of variation: its readings, each with its witnesses; the first is the lemma."""

    readings: tuple[tuple[frozenset[str], Items], ...]


Item = Token | Entry
Items = tuple[Item, ...]
Paragraphs = list[Items]


@dataclass(slots=True)
class _Builder:
    """Collects words and entries, in paragraphs."""

    items: list[Item] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    inside: bool = False
    """Whether it is for a reading, in which there are no paragraphs."""


class Edition:
    """A published edition: `witnesses` (the base first) and `paragraphs` of words and entries."""

    def __init__(self, data: bytes, *, words: bool) -> None:
        self.words = words
        root = etree.fromstring(data, etree.XMLParser(huge_tree=True, remove_comments=True, remove_pis=True))
        text = next(element for element in root.iter("{*}body"))
        body = next((div for div in text.iter("{*}div") if div.get("type") == "edition"), text)
        self._members, self._hands = _groups(root)
        self._glyphs = {code: chr(0x31000 + n) for n, code in enumerate(sorted(
            {element.get("ref", "") for element in root.iter("{*}g")}))}
        self._declared = {each.get(_XML, "") for each in root.iter("{*}witness")} - {""}
        named = {name for each in body.iter("{*}rdg") for name in self._witnesses(each)}
        later = {name for start in body.iter("{*}witStart") for name in self._witnesses(_parent(start))}
        self._absent = frozenset(later)
        self.witnesses = [BASE, *sorted(named)]
        self.paragraphs: Paragraphs = []
        self._out = _Builder()
        self._read(body)
        self._block()

    def _witnesses(self, rdg: etree._Element) -> list[str]:
        """Return the witnesses that a reading names: its own sigla, those of a group, of a hand its witness."""
        given = rdg.get("wit") or ""
        names = _SIGLUM.findall(given) or [each.lstrip("#") for each in given.split()]
        found = [one for name in names for one in self._members.get(name, (name,))]
        known = [self._hands.get(each, each) for each in found]
        if any(each in self._declared for each in known):  # CBETA's files give sigla without declaring them
            known = [each for each in known if each in self._declared]
        return [name for name in dict.fromkeys(known) if not re.search(r"CB|[？?]", name)]

    def _read(self, element: etree._Element) -> None:
        name = etree.QName(element).localname
        if name == "app":
            self._flush()
            self._app(element)
        elif name == "choice":
            self._child(next((c for c in element if etree.QName(c).localname in ("corr", "reg", "expan")), element[0]))
        elif name == "g" and not self.words:
            self._out.text.append(self._glyphs[element.get("ref", "")])
        elif not _SKIPPED.fullmatch(name) or (name == "note" and element.get("place") == "inline"):
            self._child(element, block=name in _BLOCKS)

    def _child(self, element: etree._Element, *, block: bool = False) -> None:
        if block:
            self._block()
        self._out.text.append(element.text or "")
        for child in element:
            if isinstance(child.tag, str):
                self._read(child)
            self._out.text.append(child.tail or "")
        if block:
            self._block()

    def _flush(self) -> None:
        out = self._out
        out.items += [Token(each, self._absent) for each in self._tokens("".join(out.text))]
        out.text = []

    def _tokens(self, text: str) -> list[str]:
        if not self.words:
            return _HAN.findall(text)
        text = re.sub(r"\{[^{}]*\}", "", text)  # what a hand did, in words
        return _MARKS.sub("", unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())).split()

    def _block(self) -> None:
        if self._out.inside:
            return
        self._flush()
        if self._out.items:
            self.paragraphs.append(tuple(self._out.items))
            self._out.items = []

    def _app(self, app: etree._Element) -> None:
        readings: list[tuple[frozenset[str], Items]] = []
        taken: set[str] = set()
        for each in app.iter("{*}lem", "{*}rdg"):
            if next(each.iterancestors("{*}app")) is not app:
                continue
            lemma = etree.QName(each).localname == "lem"
            names = frozenset() if lemma else frozenset(self._witnesses(each)) - taken
            taken |= names
            items = self._inside(each)
            self._coverage(each)
            if lemma:
                readings.insert(0, (frozenset(), items))
            elif names:
                readings.append((names, items))
        if not readings:
            return
        rest = frozenset(self.witnesses) - taken - self._absent  # without a lemma, the first reading is the text
        readings[0] = readings[0][0] | rest, readings[0][1]
        self._out.items.append(Entry(tuple((names - self._absent, items) for names, items in readings)))

    def _inside(self, reading: etree._Element) -> Items:
        outer, self._out = self._out, _Builder(inside=True)
        self._child(reading)
        self._flush()
        items = tuple(self._out.items)
        self._out = outer
        return items

    def _coverage(self, reading: etree._Element) -> None:
        names = self._witnesses(reading)
        for each in reading.iter("{*}lacunaStart", "{*}witEnd", "{*}lacunaEnd", "{*}witStart"):
            ends = etree.QName(each).localname in ("lacunaStart", "witEnd")
            self._absent = self._absent.union(names) if ends else self._absent.difference(names)


def _parent(element: etree._Element) -> etree._Element:
    return next(element.iterancestors("{*}rdg", "{*}lem"), element)


def _groups(root: etree._Element) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Return the members of each group of witnesses, and the witness of each hand. Hands are nested in their witness
    and named after it (N1, Mac); other nested witnesses are members of a group."""
    members: dict[str, list[str]] = {}
    hands: dict[str, str] = {}
    for outer in root.iter("{*}listWit", "{*}witness"):
        name = outer.get(_XML)
        inner = [each.get(_XML, "") for each in outer.iter("{*}witness") if each is not outer]
        if name and inner:
            if all(each.startswith(name) for each in inner):
                hands.update(dict.fromkeys(inner, name))
            else:
                members[name] = [each for each in inner if each not in hands]
    for name, own in members.items():
        members[name] = [each for each in own if each not in hands and each not in members]
    return members, hands


def read(path: Path, *, words: bool) -> Edition:
    """Return the edition of a TEI file; `words`: of an alphabet, else of Chinese characters."""
    data = path.read_bytes()
    if re.search(rb"<app [^>]*\bfrom=", data):
        from jiaokan.exchange.conversion import convert_apparatus

        data = convert_apparatus(data, "parallel", file=path.name, split=True, keep=True).data
    return Edition(data, words=words)


def words_of(items: Items, witness: str) -> list[str]:
    """Return the words that a witness has."""
    return [word for word, _ in _walk(items, witness)]


def _walk(items: Items, witness: str) -> Iterator[tuple[str, frozenset[str]]]:
    for item in items:
        if isinstance(item, Entry):
            yield from _walk(next((own for names, own in item.readings if witness in names), ()), witness)
        elif witness not in item.without:
            yield item.text, item.without


@dataclass(frozen=True, slots=True)
class Place:
    """An entry as it is compared: its words of the base from `start` to `end`, the words of each witness there."""

    start: int
    end: int
    words: tuple[tuple[str, tuple[str, ...]], ...]
    groups: frozenset[frozenset[str]]

    @property
    def varying(self) -> frozenset[str]:
        """The witnesses that differ from the base."""
        return frozenset(name for group in self.groups if BASE not in group for name in group)


def places(paragraphs: Paragraphs, witnesses: Sequence[str]) -> list[Place]:
    """Return the entries of paragraphs in order, an outer one before those inside, trimmed (`_trimmed`)."""
    base = [word for items in paragraphs for word in words_of(items, BASE)]
    found: list[Place] = []
    at = 0
    for items in paragraphs:
        _entries(items, at, base, witnesses, found)
        at += len(words_of(items, BASE))
    return found


def _entries(items: Items, at: int, base: list[str], witnesses: Sequence[str], found: list[Place]) -> None:
    for item in items:
        if isinstance(item, Entry):
            present = [name for name in witnesses if any(name in names for names, _ in item.readings)]
            words = {name: tuple(words_of((item,), name)) for name in present}
            size = len(words.get(BASE, ()))
            if len({*words.values()}) > 1:
                nested = any(isinstance(inner, Entry) for _, own in item.readings for inner in own)
                groups = _partition(words) if not nested else frozenset(names for names, _ in item.readings if names)
                found.append(_trimmed((at, at + size), words, groups, base))
            for names, own in item.readings:
                if BASE in names:
                    _entries(own, at, base, [name for name in present if name in names], found)
            at += size
        elif BASE not in item.without:
            at += 1


def _partition(words: dict[str, tuple[str, ...]]) -> frozenset[frozenset[str]]:
    ordered = sorted(words, key=lambda name: words[name])
    return frozenset(frozenset(group) for _, group in groupby(ordered, key=lambda name: words[name]))


def _trimmed(
    span: tuple[int, int], words: dict[str, tuple[str, ...]], groups: frozenset[frozenset[str]], base: list[str]
) -> Place:
    """Trim what all readings share at both ends; slide a pure addition or omission right as far as words allow."""
    start, end = span
    while all(words.values()) and len({own[0] for own in words.values()}) == 1:
        words = {name: own[1:] for name, own in words.items()}
        start += 1
    while all(words.values()) and len({own[-1] for own in words.values()}) == 1:
        words = {name: own[:-1] for name, own in words.items()}
        end -= 1
    while end < len(base) and len({own for own in words.values() if own}) == 1 and not all(words.values()):
        longer = next(own for own in words.values() if own)
        if longer[0] != base[end] or (end > start and base[start] != longer[0]):
            break
        words = {name: (*own[1:], own[0]) if own else () for name, own in words.items()}
        start, end = start + 1, end + 1
    return Place(start, end, tuple(sorted(words.items())), groups)
