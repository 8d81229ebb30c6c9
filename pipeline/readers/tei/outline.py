"""What a TEI file shows of itself, for who writes settings for it: title, language, chapters, witnesses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeline.errors import Place, SourceError, TeiError
from pipeline.model import App, Division, Document, Head, Note
from pipeline.model.text import counted
from pipeline.model.walk import walk
from pipeline.readers.tei.facts import facts
from pipeline.readers.tei.text import negative, other_text
from pipeline.tei.parse import from_tei
from pipeline.tei.tree import parse


@dataclass(frozen=True, slots=True)
class Outline:
    """A TEI file as a survey needs it."""

    title: str
    language: str
    """BCP 47, as the file says; empty if it does not."""
    chapters: tuple[tuple[str, tuple[str, ...]], ...]
    """Each chapter: its title, and its paragraphs without notes."""
    witnesses: tuple[str, ...]
    """Sigla of the witnesses that have the text, if it has an apparatus; the one that is printed first."""
    signers: tuple[tuple[str, str], ...] = ()
    """Who signs its comments: the id in the file, and the name."""
    editors: tuple[str, ...] = ()
    """Names of those who edited it, as its header says."""
    licence: tuple[str, str] = ("", "")
    """Under what terms the header says that it may be used: words, address."""


def outline(text: str, file: str) -> Outline:
    """Give the outline of a TEI document; raises TeiError for what is no TEI or has no words, SourceError as
    `hold_witness`."""
    data = text.encode()
    root = parse(data, name=file)
    known, sigla = facts(root), tuple[str, ...]()
    signing: tuple[str, ...] = ()
    try:
        own = from_tei(data, name=file)
        chapters = tuple(own.chapters())
    except TeiError:
        chapters = ()
    if chapters:
        hold_witness(own, file)
    else:
        other = other_text(root, file, "text")
        known, chapters = other.facts, tuple(other.document.chapters())
        comments = (each for each in walk(other.document) if isinstance(each, Note) and each.kind == "commentary")
        signing = tuple(dict.fromkeys(each.resp for each in comments if each.resp))
        sigla = tuple(known.witnesses.sigla[name] for name in known.witnesses.whole()) if any(
            entry.readings for entry in negative(other.entries)
        ) else ()
    told = tuple((each.title, tuple(_paragraphs(each))) for each in chapters)
    return Outline(known.title, known.language, told, sigla, tuple((key, known.persons[key]) for key in signing),
                   known.editors, (known.licence, known.licence_url))


def hold_witness(own: Document, file: str) -> None:
    """Raise SourceError for an edition in our encoding: its witnesses have TEI of their own, which say more."""
    if any(isinstance(item, App) for item in walk(own)):
        raise SourceError("this is an edition, not a witness", place=Place(file),
                          mend="give the TEI of one of its witnesses")


def _paragraphs(division: Division) -> Iterator[str]:
    for item in division.items:
        if isinstance(item, Division):
            yield from _paragraphs(item)
        elif not isinstance(item, Head) and (words := _words(item)):
            yield words


def _words(item: Any) -> str:
    return " ".join(counted(item).split())
