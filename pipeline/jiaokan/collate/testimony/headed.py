"""Notes of the form of 張淳《儀禮識誤》: the right words as a head, the text as it is, a discussion, whom to follow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jiaokan.characters.equality import akin
from jiaokan.collate.testimony.grammar import Authorities
from jiaokan.collate.testimony.layout import NoteText
from jiaokan.collate.testimony.types import Claim, Report, count_shared, last_start
from jiaokan.model.words import simplified

_HEAD = 6
"""Graphs of the longest head. A choice."""
_ADOPTS = re.compile(r"[从從](?P<who>[^。，]{1,6})$")
_SAYS = re.compile(r"(?P<layer>经|注)曰(?P<quote>.+?)(?=经曰|注曰|$)")
_SHIWEN = re.compile(r"释文[云作曰](?P<words>[^音本又亦作]{2,4}?)(?=音|如字|本[又亦或]|刘|\w\w反)")
_FORMS = re.compile("(?:音|[本亦又或]作|今作)(?P<form>.)")
"""Another form of a glossed graph: its sound, which is mostly that of the common graph, or what other copies have."""


def read_headed_note(note: NoteText, names: Authorities, base: str) -> Iterator[Claim]:
    """Read a note of the right words as a head, the text as it is, a discussion, and whom to follow:
    遁　注曰辟逡巡按釋文云…從釋文."""
    head, rest, whole = note.quote, note.words, note.text
    folded = simplified(rest)
    if len(head) > _HEAD or folded[1:2] != "曰":
        return
    known = [simplified(name) for name in names.witnesses if len(name) > 1]
    short = "|".join(re.escape(name[:-1]) for name in known if name.endswith("本"))
    pattern = "|".join(["[按案从]", "释文", *([f"(?:{short})+本"] if short else []), *map(re.escape, known)])
    begun = re.compile(pattern).search(folded, 2)
    cut = begun.start() if begun else len(folded)  # the discussion: from 按 on, or where it names another copy
    match = _ADOPTS.search(folded)
    who = _witnesses_in(match["who"], names.witnesses) if match else []
    passages = [(quotation, _read_correction(rest[slice(*quotation.span("quote"))], head, rest[cut:]))
                for quotation in _SAYS.finditer(folded[:cut])]
    for quotation, change in passages:
        layer, quote = "text" if quotation["layer"] == "经" else "note", rest[slice(*quotation.span("quote"))]
        base_reading = (Report(base, change.on),) if base and change else ()
        if change:
            adopted = tuple(Report(name, change.reading) for name in who if name != base)
            yield Claim(note.id, whole, layer, quote, change.at, change.on, (*adopted, *base_reading), said=True)
        elif (at := last_start(quote, head)) >= 0 and (others := tuple(_others(rest[cut:], head, names.witnesses))):
            yield Claim(note.id, whole, layer, quote, at, quote[at : at + len(head)], others, said=True)
        elif not any(other for _, other in passages):
            yield Claim(note.id, whole, layer, quote)


def _others(discussion: str, head: str, names: Mapping[str, str]) -> Iterator[Report]:
    """Yield what other copies have in place of the head, which the quotation has: 監本中誤作申."""
    pattern = rf"(?P<who>\w{{0,6}}本){re.escape(simplified(head))}(?:误|皆|并)*作(?P<has>.)"
    for match in re.finditer(pattern, simplified(discussion)):
        for name in _witnesses_in(match["who"], names):
            yield Report(name, discussion[match.start("has")])


class _Change(NamedTuple):
    """Where in a quotation which words are to be replaced by which."""

    at: int
    on: str
    reading: str


def _read_correction(quote: str, head: str, discussion: str) -> _Change | None:
    """Return what the head corrects in a quotation; None if nothing shows it."""
    folded, plain = simplified(discussion), re.escape(simplified(head))
    if (at := last_start(quote, head)) >= 0:
        on = quote[at : at + len(head)]
        if re.search(f"[无無]{plain}字|中[无無]|[无無]此字", folded):
            return _Change(at, on, "")
        return _Change(at, on, head) if simplified(on) != simplified(head) or on != head else None
    if re.search(f"下有{plain}字", folded):
        return _Change(len(quote), "", head)
    if (match := re.search(f"(?P<on>.)作{plain}", folded)) and quote.count(on := discussion[match.start("on")]) == 1:
        return _Change(quote.index(on), on, head)
    match = _SHIWEN.search(folded)
    glossed = discussion[slice(*match.span("words"))] if match else ""  # what 释文 has before its gloss
    for words in filter(None, (head if len(head) > 1 else "", glossed)):
        windows = [(n, count_shared(quote[n : n + len(words)], words)) for n in range(len(quote) - len(words) + 1)]
        best = max((score for _, score in windows), default=0)
        if best and [score for _, score in windows].count(best) == 1:
            at = next(n for n, score in windows if score == best)
            return _Change(at, quote[at : at + len(words)], words)
    if len(head) > 1:
        return None
    forms = {discussion[match.start("form")] for match in _FORMS.finditer(folded)}
    alike = [n for n, graph in enumerate(quote) if graph in forms or akin(graph, head)]
    return _Change(alike[0], quote[alike[0]], head) if len(alike) == 1 else None


def _witnesses_in(text: str, names: Mapping[str, str]) -> list[str]:
    return list(dict.fromkeys(names[name] for name in names if simplified(name).removesuffix("本") in text))
