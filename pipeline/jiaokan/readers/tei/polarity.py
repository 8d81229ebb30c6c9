"""Whether silence is agreement: positive and negative apparatus (TEI Guidelines, 12.1.2).

TEI has no attribute for it. The first of these signs that an edition shows decides:

1. The words of its ``encodingDesc`` call the apparatus positive or negative.
2. Its lemmata name one and the same witness again and again, never another beside it: negative, with the printed text
   as base (CBETA names 【大】 alone). In a positive one some witness would agree with it somewhere.
3. Else each entry decides. Where the lemma names witnesses, it is positive: a witness that it does not name is silent.
   Where nobody is named for the lemma, it is negative: all who are not named agree; but if nearly all lemmata of the
   edition name witnesses, a lemma without any is the editor's own, with which nobody agrees by silence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from jiaokan.errors import Finding, Message, Place
from jiaokan.model import Document
from jiaokan.model.attestation import silent_entries
from jiaokan.tei.apparatus import Attested, Variation
from jiaokan.tei.tree import Element, bare

Polarity = Literal["positive", "negative", "base", "positive by rule", "by entry"]
"""``positive``, ``negative``: the header says so; the others follow from the entries."""

_MANY = 20
"""So many entries show that a witness is the only one ever named with lemmata."""
_NEARLY = 0.9


def _says(what: str) -> re.Pattern[str]:
    word = f"\\b{what}[vf]\\w*"
    return re.compile(f"{word}\\s+(?:\\w+\\s+)?apparat|apparat\\w*\\s+(?:\\w+\\s+){{0,2}}{word}", re.I)


_POSITIVE, _NEGATIVE = _says("positi"), _says("n[eé]gati")


def polarity_of(root: Element, entries: Sequence[Variation], witnesses: Collection[str]) -> Polarity:
    """Return how an edition uses silence; `witnesses` have the whole text."""
    header = " ".join("".join(map(str, part.itertext())) for part in root.iterfind("{*}teiHeader/{*}encodingDesc"))
    positive, negative = bool(_POSITIVE.search(header)), bool(_NEGATIVE.search(header))
    if positive != negative:
        return "positive" if positive else "negative"
    lemmata = [entry.lemma for entry in entries if entry.differing_witnesses() and entry.lemma != ()]
    named = [lemma for lemma in lemmata if lemma]
    alone = Counter(lemma for lemma in named if len(lemma) == 1)
    often, many = alone.most_common(1)[0][1] if alone else 0, len(lemmata)
    if len(witnesses) > 2 and many >= _MANY and alone.total() == many and often >= _NEARLY * many:
        return "base"
    return "positive by rule" if named and len(named) >= _NEARLY * len(lemmata) else "by entry"


def polarity_inside(root: Element, named: Callable[[str], tuple[str, ...]], witnesses: Collection[str]) -> Polarity:
    """Return how an edition uses silence, from its elements as written: what the readings of entries contain is read
    before all entries are known. `named` returns the witnesses that a ``wit`` names."""
    if root.find(".//{*}rdg//{*}app") is None:
        return "by entry"
    entries: list[Variation] = []
    for app in root.iter("{*}app"):
        parts = [part for part in app.iterdescendants("{*}lem", "{*}rdg") if next(part.iterancestors("{*}app")) is app]
        who = [(bare(part), named(part.get("wit", ""))) for part in parts]
        lemma = next((names for name, names in who if name == "lem"), ()) or None
        readings = tuple(Attested(witnesses=names, content=()) for name, names in who if name == "rdg")
        entries.append(Variation(start=0, end=0, lemma=lemma, readings=readings))
    return polarity_of(root, entries, witnesses)


def polarise(
    entries: Sequence[Variation], polarity: Polarity, witnesses: Collection[str]
) -> tuple[Variation, ...]:
    """Return entries whose lemma is None where all who are not named agree, and names who agrees everywhere else."""
    if polarity == "by entry":
        return tuple(entries)
    if polarity.startswith("positive"):
        return tuple(replace(entry, lemma=()) if entry.lemma is None and entry.differing_witnesses() else entry
                     for entry in entries)
    base = Counter(entry.lemma for entry in entries if entry.lemma and entry.differing_witnesses()).most_common(1)
    agreed = {base[0][0]} if polarity == "base" and base else None
    return tuple(_as_negative(entry, witnesses)
                 if entry.lemma != () and (agreed is None or entry.lemma in agreed) else entry for entry in entries)


def _as_negative(entry: Variation, witnesses: Collection[str]) -> Variation:
    """Return an entry with whose lemma all agree who are not named elsewhere; who is named for it stays known."""
    named = entry.lemma or ()
    also = (*entry.also, *(name for name in named if name not in witnesses))
    return replace(entry, lemma=None, stated=named, also=also)


def assumption_findings(document: Document, polarity: Polarity, file: str) -> Iterator[Finding]:
    """Yield what was assumed of witnesses that entries do not name, if it matters."""
    count = f"{sum(len(names) for _, names in silent_entries(document)):,}"
    if polarity == "base":
        message = Message("negative-apparatus-lemmata-name-witness")
    elif polarity == "negative":
        message = Message("header-calls-apparatus-negative-not")
    elif count == "0":
        return
    elif polarity == "positive":
        message = Message("header-calls-apparatus-positive-times", count=count)
    elif polarity == "by entry":
        message = Message("not-named-silent-lemma-names", count=count)
    else:
        message = Message("positive-apparatus-lemmata-name-witnesses", count=count)
    yield Finding("tei-silence", Place(file), message,
                  Message("wrong-write-encodingdesc"), "info")
