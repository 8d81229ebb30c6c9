"""What an edition has of each kind of entry, and how the numbers that outputs say follow from each other.

Every element ``app`` is of one kind (docs/glossary.md, "What is counted"); tests check that each output says the
numbers of this census.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from jiaokan.entries import carriers, collated, entries, evidence, moves
from jiaokan.entries.collation_notes import stated_once
from jiaokan.entries.selected import WHOLE, select
from jiaokan.model import App, Document
from jiaokan.model.walk import walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """Numbers of an edition; the first is the sum of the next six."""

    apps: int  # elements ``app``
    entries: int  # places where words differ: `jiaokan.entries.entries`
    slips: int  # places where only a transcription differs from its book
    punctuation: int  # places where only punctuation differs
    introductions: int  # places where works only introduce a note differently
    transpositions: int  # places where a witness has what follows elsewhere
    continuations: int  # parts of an entry in later units
    collated: int  # entries in which collated witnesses differ: characters of NEXUS
    reported: int  # entries in which only witnesses known by report differ
    conjectured: int  # entries in which only persons who conjecture differ
    unstated: int  # entries that name nobody who differs; these four make all entries
    listed: int  # entries that lists, pages and the table of a build count
    passages: int  # moved passages; one can begin at several transpositions


def census(document: Document) -> Census:
    """Return the census of a document."""
    kinds = Counter(item.kind for item in walk(document) if isinstance(item, App))
    every = entries(document)
    known = frozenset(carriers(document))
    whose = Counter(evidence(entry, known) for entry in every)
    return Census(
        apps=kinds.total(), entries=len(every), slips=kinds["variant"] - len(every), punctuation=kinds["accidental"],
        introductions=kinds["attribution"], transpositions=kinds["move"], continuations=kinds["continued"],
        collated=len(collated(document, every)), reported=whose["reported"], conjectured=whose["conjecture"],
        unstated=whose["unstated"],
        listed=len(select(document, WHOLE, without=stated_once(document)).entries), passages=len(moves(document)))
