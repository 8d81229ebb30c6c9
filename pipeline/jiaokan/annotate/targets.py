"""Targets of notes: scope lemmata (“司宫”至“东上”, 注“言兼”至“房来”), and comments on several units.

A scope is searched only in the base text of its own block, the units since the block before, because the same two
characters open many sentences. A scope that is not found is a finding: the paragraph may be lost.

Some works comment once on several units (丧服: five sentences, then 此五条…; stanzas, then their glosses). Such a note
extends back over the units without comment before its own, in the same division, to the first whose words it takes up;
or over as many as it counts, but not over those that an earlier note has counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from jiaokan.annotate.index import Index, find_words, search_form, to_simplified
from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Block, Division, Document, Head, Inline, Item, Note, Paragraph, Span, Trailer, Unit
from jiaokan.model.numerals import DIGITS, numeral
from jiaokan.model.text import counted
from jiaokan.model.walk import Retargeting, walk
from jiaokan.model.words import starts

_SCOPE = re.compile("(?P<zhu>注)?[“「](?P<first>[^“”「」]*)[”」](?:至[“「](?P<last>[^“”「」]*)[”」])?")
"""A scope lemma as printed by 注疏 of the 十行本 lineage: “first words”至“last words”, after 注 if it is on the 注."""
_STOPS = "。,、；;:：!?！？”’"
"""Punctuation after which a scope is likelier to begin or end."""


class ScopeText(NamedTuple):
    """One unit, head or note that may contain a scope."""

    id: str
    text: str
    """As printed: punctuation shows where sentences begin."""
    unit: bool


def resolve_scopes(document: Document) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document with scope lemmata and their notes pointing to units and notes, and unresolved scopes."""
    step = _Targets(document.id)
    divisions = tuple(step.division(d) for d in document.divisions)
    return replace(document, divisions=divisions), tuple(step.findings)


class _Targets:
    def __init__(self, name: str) -> None:
        self.name = name
        self.findings: list[Finding] = []
        self.units: list[ScopeText] = []
        self.notes: list[ScopeText] = []
        self.used = False

    def division(self, division: Division) -> Division:
        items: list[Block | Division] = []
        for item in division.items:
            match item:
                case Division():
                    items.append(self.division(item))
                case Note() if any(isinstance(part, Span) and part.role == "scope" for part in item.content):
                    items.append(self.note(item))
                case _:
                    self.collect(item)
                    items.append(item)
        return replace(division, items=tuple(items))

    def collect(self, item: Item) -> None:
        """Collect base text and the 注 on it; the first after a block begins a new window."""
        match item:
            case Paragraph():
                for part in item.content:
                    self.collect(part)
                return
            case Unit() | Head() | Trailer() | Note(subtype="zhu") if self.used:
                self.units, self.notes, self.used = [], [], False
        match item:
            case Unit() | Head() | Trailer():
                self.units.append(ScopeText(item.id, counted(item.content), unit=isinstance(item, Unit)))
            case Note(subtype="zhu"):
                self.notes.append(ScopeText(item.id, counted(item.content), unit=False))

    def note(self, note: Note) -> Note:
        """Resolve the scopes of a note; its target is the first on base text, else the first on a 注."""
        content: list[Inline] = []
        base: list[ScopeText] = []
        zhu: list[ScopeText] = []
        for part in note.content:
            if isinstance(part, Span) and part.role == "scope" and (match := _SCOPE.search(counted(part.content))):
                passages = self.resolve(match, base)
                (zhu if match["zhu"] else base).extend(passages)
                if passages:
                    part = replace(part, target=passages[0].id, target_end=passages[-1].id if len(passages) > 1 else "")
                else:
                    scope = counted(part.content).rstrip("。")
                    self.findings.append(Finding(
                        "scope-unresolved", Place(self.name),
                        Message("none-words-before-source-lacks", scope=scope, note=note.id,
                                scope2=scope.removeprefix("注"), target=note.target),
                        Message("compare-another-witness"), "warning",
                    ))
            content.append(part)
        self.used = True
        aim = [p for p in base if p.unit] or base or zhu
        if not aim:
            return replace(note, content=tuple(content))
        last = aim[-1].id if len(aim) > 1 else ""
        return replace(note, content=tuple(content), target=aim[0].id, target_end=last)

    def resolve(self, match: re.Match[str], base: list[ScopeText]) -> list[ScopeText]:
        """Return the passages from the first words of a scope to its last; empty if not found."""
        first, last = search_form(match["first"]), search_form(match["last"] or match["first"])
        if not first or not last:
            return []
        if not match["zhu"]:
            return self.span(first, last)
        within = {p.id for p in base}
        best, chosen = (0, False, 0), None
        for n, passage in enumerate(self.notes):
            plain, stops = _append("", {0}, passage.text)
            score = max((fit[0] for fit in _fits(plain, {0}, {len(plain)}, stops, first, last)), default=0)
            rank = score, passage.id.rpartition(".")[0] in within, n
            best, chosen = (rank, passage) if score and rank > best else (best, chosen)
        return [chosen] if chosen else []


    def span(self, first: str, last: str) -> list[ScopeText]:
        """Return the units that a scope covers; it may begin in one and end in another."""
        starts, text, stops = [], "", {0}
        for passage in self.units:
            starts.append(len(text))
            text, stops = _append(text, stops, passage.text)
        ends = [*starts[1:], len(text)]
        best = max(_fits(text, {*starts}, {*ends}, stops, first, last), default=None)
        extents = zip(self.units, starts, ends, strict=True) if best else ()
        return [p for p, start, stop in extents if best and start < best[1] and stop > best[2]]


def _fits(
    text: str, begins: set[int], ends: set[int], stops: set[int], first: str, last: str
) -> Iterator[tuple[int, int, int]]:
    """Yield score, end and beginning of each stretch from the first words of a scope to its last. The score is higher
    if the stretch begins and ends with a passage, or at a stop."""
    ends_ = starts(text, last)
    for begin in starts(text, first):
        for end in (at + len(last) for at in ends_):
            if end >= begin + len(first):
                yield 1 + 2 * (begin in begins) + (begin in stops) + 2 * (end in ends) + (end in stops), end, begin


def _append(text: str, stops: set[int], more: str) -> tuple[str, set[int]]:
    all_stops = set(stops)
    for piece in re.split(f"(?<=[{_STOPS}])", more):
        text += search_form(piece)
        all_stops.add(len(text))
    return text, all_stops


_DIGITS = f"{DIGITS[1:]}十"
"""The digits of Chinese numbers below twenty: no comment counts more sentences."""
_COUNTED = re.compile(f"(?:^|[ 　]|愚按)(?:此上?|以上)([{_DIGITS}]|十[{_DIGITS}])条")
"""How many sentences a comment is on (此五条, 以上三条), at its beginning or that of the compiler's addition."""
_BEGIN = r"(?:^|(?<=[也矣耳即。;○　\s]))"
_TAKEN_UP = re.compile(rf"{_BEGIN}(?P<word>\w{{2,8}}?)(?=者|谓|犹|也)")
"""A word that a sentence explains: X者, X谓, X犹, X也 (洪诚《训诂学》)."""
_OPENING = re.compile(rf"{_BEGIN}(?P<word>\w{{4,20}})")
_FURTHEST = 30
"""Most units back to which a note extends: a bound for texts without comments, where each would be searched."""
_QUOTED = 4
"""This many characters of a unit at the beginning of a sentence are a quotation."""


def extend_targets(document: Document) -> Document:
    """Return a numbered document with its notes on several units pointing to the first and the last of them."""
    index = Index.of(document)
    targets: dict[str, tuple[str, str]] = {}
    for units in _runs(document):
        free: list[str] = []
        done = 0
        for n, unit in enumerate(units):
            notes = [note for note in index.on.get(unit, ()) if note.kind == "commentary"]
            for note in notes:
                if note.target_end:
                    continue
                label = note.content[0] if note.content else ""
                named = counted(label.content) if isinstance(label, Span) and label.role == "attribution" else ""
                text = index.texts[note.id].removeprefix(named)
                first = ""
                if match := _COUNTED.search(to_simplified(text)):
                    count = numeral(match[1])
                    begin = max(n + 1 - count, done)  # not what a note before has counted
                    if begin < n and (done or count <= n + 1):
                        first, done = units[begin], n + 1
                if first := first or _back(index, note, text, free):
                    targets[note.id] = first, note.target
            free = [] if notes else [*free[1 - _FURTHEST :], unit]
    divisions = map(Retargeting(targets).division, document.divisions)
    return replace(document, divisions=tuple(divisions)) if targets else document


def _runs(document: Document) -> Iterator[list[str]]:
    run: list[str] = []
    for item in walk(document):
        if isinstance(item, Unit):
            run.append(item.id)
        elif isinstance(item, (Division, Head, Trailer)):
            yield run
            run = []
    yield run


def _back(index: Index, note: Note, text: str, free: list[str]) -> str:
    """Return the first of the `free` units, which have no comment, whose words the `text` of a note takes up."""
    commented = index.texts[note.target]
    for n, unit in enumerate(free):
        after = "".join(index.texts[later] for later in free[n + 1 :]) + commented
        if any(not find_words(commented, word) for word in _words(text, index.texts[unit], after)):
            return unit
    return ""


def _words(text: str, unit: str, after: str) -> Iterator[str]:
    """Yield the words of a unit, or across its end, that a note takes up."""
    for match in _TAKEN_UP.finditer(to_simplified(text)):
        word = text[match.start("word") : match.end("word")]
        if find_words(unit, word):
            yield word
    for match in _OPENING.finditer(text):
        word = match["word"]
        if find_words(unit, word[:_QUOTED]):
            yield word[:_QUOTED]
        if len(unit) and len(after) and word[:2] == unit[-1] + after[0]:
            yield word[:2]
