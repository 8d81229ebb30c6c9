"""What `jiaokan init` needs of a TEI file: its title, chapters, witnesses and speakers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jiaokan.model import Division, Head, Note
from jiaokan.model.text import counted
from jiaokan.model.walk import walk
from jiaokan.readers.tei.facts import Facts, facts
from jiaokan.readers.tei.text import other_text, our_text
from jiaokan.tei.header.stated import Statement, statements_of
from jiaokan.tei.persons import is_ours
from jiaokan.tei.tree import parse


@dataclass(frozen=True, slots=True)
class Outline:
    """What `jiaokan init` needs of a TEI file."""

    facts: Facts
    chapters: tuple[tuple[str, tuple[str, ...]], ...]
    """Each chapter's title and its paragraphs without notes."""
    witnesses: tuple[str, ...]
    """Sigla of the witnesses with the whole text, if there is an apparatus; the printed one first."""
    signers: tuple[tuple[str, str], ...] = ()
    """Signers of comments: id in the file, and name."""
    stated: tuple[Statement, ...] = ()
    """What the header states, if it is not one of ours."""


def outline(text: str, file: str) -> Outline:
    """Return the outline of a TEI document. Raises TeiError if it is not TEI or has no words, SourceError for an
    edition of ours."""
    data = text.encode()
    root = parse(data, name=file)
    sigla, signing = tuple[str, ...](), dict[str, str]()
    if ours := our_text(data, file):
        known, document = facts(root), ours
    else:
        other = other_text(root, file, "text")
        known, document = other.facts, other.document
        signing = {item.resp: known.persons[item.resp] for item in walk(document)
                   if isinstance(item, Note) and item.kind == "commentary" and item.resp}
        if any(entry.readings for entry in other.entries):
            sigla = tuple(known.witnesses.sigla[name] for name in known.witnesses.whole())
    outlined = tuple((chapter.title, tuple(_paragraphs(chapter))) for chapter in document.chapters())
    stated = () if is_ours(root) else statements_of(root, principles=True)
    return Outline(known, outlined, sigla, tuple(signing.items()), stated)


def _paragraphs(division: Division) -> Iterator[str]:
    for item in division.items:
        if isinstance(item, Division):
            yield from _paragraphs(item)
        elif not isinstance(item, Head) and (words := " ".join(counted(item).split())):
            yield words
