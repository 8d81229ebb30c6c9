"""Reads TEI P5 as a source: our own encoding, or any other as far as the model goes.

Elements that the model lacks are read as the nearest thing it has and counted in the ledger; words that are not text
(``reg``, ``del``, running titles) are in the ledger, too. No character is lost (`jiaokan.tei.lossless`). The
convention can name a witness of the file's apparatus (``witness = "宋"``, a siglum or an id), whose text is then read;
without it the text that the file prints is read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from jiaokan.annotate.identifiers import renumber
from jiaokan.errors import Finding, Message, SourceError
from jiaokan.model import App, Division, Document, Gap, Item, Note
from jiaokan.model.attestation import reading_of
from jiaokan.readers.common.source import Source, Speaker
from jiaokan.readers.tei.edition import with_entries
from jiaokan.readers.tei.facts import Facts
from jiaokan.readers.tei.text import OtherText, other_text, our_text
from jiaokan.readers.tei.units import in_units
from jiaokan.settings.catalog import Work
from jiaokan.settings.toml import to_type
from jiaokan.settings.values import Strict
from jiaokan.tei import tree
from jiaokan.tei.apparatus import inner_items, refill
from jiaokan.tei.lossless import all_words, check_conserved
from jiaokan.tei.tree import Element

CHECKS_TEXT = True
XML = True


class TeiConvention(Strict, frozen=True, kw_only=True):
    """The keys of the convention of a TEI source."""

    witness: str = ""
    speaker: tuple[Speaker, ...] = ()


def convention(source: str, table: Mapping[str, object]) -> TeiConvention:
    """Return the convention of a source. Raises CatalogError for an unknown key or a wrong type."""
    return to_type(table, TeiConvention, name=f"tei/conventions/{source}.toml", topic="reader tei")


def read(source: Source) -> tuple[Document, tuple[Finding, ...]]:
    """Return the document of a source, and findings. Our own TEI keeps its ids, renamed after the source. Raises
    TeiError if the file is not TEI or has no words, SourceError for an edition of ours and for an unknown witness."""
    rules = convention(source.id, source.convention)
    if ours := our_text(source.data, source.file):
        return renumber(replace(ours, id=source.id)), ()
    root, text, document, findings = _whole(source.data, source.file)
    left: list[tuple[str, str]] = []
    witness = _witness(rules.witness, text.facts.witnesses.sigla, source)
    hands = text.facts.witnesses.hands
    divisions = _cut([refill(division, _as_witness(division.items, witness, left, hands))
                      for division in document.divisions], source)
    document = replace(document, id=source.id, divisions=divisions, dropped=(*left, *document.dropped))
    check_conserved(root, document, source.file)
    return document, findings


def read_edition(source: Source) -> tuple[tuple[Division, ...], Facts, str]:
    """Return a source that is somebody's edition: its divisions with entries, cut as `read` cuts them; its header; and
    the id in it of the witness that the convention names. Raises TeiError and SourceError as `read`."""
    rules = convention(source.id, source.convention)
    _, text, document, _ = _whole(source.data, source.file)
    return _cut(document.divisions, source), text.facts, _witness(rules.witness, text.facts.witnesses.sigla, source)


_Whole = tuple[Element, OtherText, Document, tuple[Finding, ...]]
_LAST: dict[bytes, _Whole] = {}
"""The last file, by its bytes: an edition folder reads one file once for each of its witnesses."""


def _whole(data: bytes, file: str) -> _Whole:
    if data not in _LAST:
        _LAST.clear()
        root = tree.parse(data, name=file)
        text = other_text(root, file, "text")
        document, findings = with_entries(text, file)
        translated = (("tei-translation", line) for translation in text.translations
                      for passage in translation.passages for line in passage.words)
        document = replace(document, dropped=(*document.dropped, *translated))
        _LAST[data] = root, text, document, (*text.findings, *findings)
    root, text, document, findings = _LAST[data]
    here = (dataclasses.replace(finding, place=dataclasses.replace(finding.place, file=file)) for finding in findings)
    return root, text, document, tuple(here)


def _cut(divisions: Sequence[Division], source: Source) -> tuple[Division, ...]:
    speakers = {speaker.prefix: speaker for speaker in source.speakers}
    return _chapters(in_units(_sign_items(divisions, speakers)), source.work)


def _as_witness(
    items: Sequence[Item], witness: str, left: list[tuple[str, str]], hands: Mapping[str, str]
) -> tuple[Item, ...]:
    """Return a text with entries as one witness has it; a lost place where its words are unknown, and the
    lemma without `witness`. The words of other readings and of notes on entries go into `left`."""
    content: list[Item] = []
    for item in items:
        if isinstance(item, App):
            groups = (item.lemma, *item.readings)
            reading = reading_of(groups, witness) if witness else item.lemma
            reading = reading or reading_of(groups, hands.get(witness, ""))
            left += [("tei-rdg", words) for group in groups
                     if group is not reading and (words := all_words(group.content))]
            left += [("tei-note", all_words(note.content)) for note in item.notes]
            content += _as_witness(reading.content, witness, left, hands) if reading else (Gap(reason="lacuna"),)
        else:
            inside = inner_items(item)
            content.append(item if inside is None else refill(item, _as_witness(inside, witness, left, hands)))
    return tuple(content)


def is_annotated(source: Source) -> bool:
    """Whether a source is in our encoding, with lemmata and citations marked already."""
    return our_text(source.data, source.file) is not None


T = TypeVar("T", bound=Item)


def _sign_items(items: Sequence[T], speakers: Mapping[str, Speaker]) -> tuple[T, ...]:
    signed_items: list[T] = []
    for item in items:
        if (inside := inner_items(item)) is not None:
            item = refill(item, _sign_items(inside, speakers))
        if isinstance(item, Note) and item.resp:
            speaker = speakers.get(item.resp)
            item = replace(item, resp=speaker.person, subtype=speaker.subtype) if speaker else replace(item, resp="")
        signed_items.append(item)
    return tuple(signed_items)


def _witness(wanted: str, sigla: Mapping[str, str], source: Source) -> str:
    if not wanted:
        return ""
    identifier = next((name for name, siglum in sigla.items() if wanted in (name, siglum, siglum.strip("【】"))), "")
    if not identifier:
        raise SourceError(Message("file-no-witness", wanted=wanted), place=source.place(0),
                          mend=Message("its-witnesses", witnesses="、".join(sigla.values()) or "none"))
    return identifier


def _chapters(divisions: Sequence[Division], work: Work) -> tuple[Division, ...]:
    """Number the chapters: by their titles, in order where several have one title (two bibliographies); if one is
    unknown or used up, in the work's order; if the work declares none, by their own numbers if they differ."""
    chapters = [division for division in divisions if division.kind == "pian"]
    rest, numbers = list(work.chapters), list[str]()
    for title in (chapter.title for chapter in chapters):
        if chapter := next((c for c in rest if title == c.title or title in c.names), None):
            rest.remove(chapter)
            numbers.append(str(chapter.n))
    if len(numbers) < len(chapters) and work.chapters:
        last = max(chapter.n for chapter in work.chapters)
        numbers = [*(str(chapter.n) for chapter in work.chapters), *map(str, range(last + 1, last + 1 + len(chapters)))]
    elif not work.chapters:
        numbers = [chapter.n for chapter in chapters]
        if not all(numbers) or len(set(numbers)) < len(numbers):
            numbers = [str(n) for n in range(1, len(chapters) + 1)]
    count = iter(numbers)
    return tuple(replace(division, n=next(count)) if division.kind == "pian" else division for division in divisions)
