"""A source as readers get it: checked, decoded, cut into lines, with its conventions at hand."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec

from pipeline.decisions import boundaries
from pipeline.decisions.tables import Boundary
from pipeline.errors import CatalogError, Finding, Place, SourceError
from pipeline.readers.common.decoding import lines
from pipeline.settings.catalog import Catalog, SourceEntry, Work
from pipeline.settings.plans import Strict
from pipeline.settings.toml import TomlTable, fitting


@dataclass(frozen=True, slots=True)
class Speaker:
    """Words that introduce a comment, and who speaks after them."""

    prefix: str
    person: str
    """Id in persons.toml; empty where nobody knows."""
    subtype: str
    """As ``note/@subtype``."""


@dataclass(frozen=True, slots=True)
class Source:
    """One transcription, whole, as its reader gets it."""

    id: str
    file: str
    """Its path as written in the catalog, for messages."""
    lines: tuple[str, ...]
    """Physical lines without their ends; line n of the file is ``lines[n - 1]``."""
    work: Work
    convention: Mapping[str, Any]
    """The table of ``tei/conventions/ID.toml``: how this source marks its layers."""
    speakers: tuple[Speaker, ...]
    """The ``[[speaker]]`` rows of the convention, longest prefix first."""
    data: bytes = b""
    """The file as it is, for formats that are no lines."""
    boundaries: tuple[Boundary, ...] = ()
    """What the editor decided about where its layers begin."""

    def place(self, line: int, column: int = 0) -> Place:
        """Give the place of a line (and column) of the source, both from 1."""
        return Place(self.file, line, column)

    def finding(self, rule: str, line: int, message: str, mend: str = "") -> Finding:
        """Give a warning at a line of the source."""
        return Finding(rule, self.place(line), message, mend, "warning")


def load(entry: SourceEntry, catalog: Catalog) -> Source:
    """Read, check and cut a source.

    Raises SourceError if the file is missing, empty, not UTF-8, not fit for XML, or not the one whose sha256 is
    declared; CatalogError if its convention names a person who is not declared.
    """
    path = catalog.path(entry)
    place = Place(str(path))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", place=place, mend="see `file` in catalog.toml") from None
    digest = hashlib.sha256(data).hexdigest()
    if digest != entry.sha256:
        raise SourceError(
            f"sha256 is {digest}, the catalog declares {entry.sha256}", place=place,
            mend="if the new text is meant, put its sha256 into catalog.toml; else restore the file",
        )
    convention = catalog.convention(entry.id)
    return Source(
        id=entry.id,
        file=entry.file,
        lines=lines(data, str(path)),
        work=catalog.works[entry.work],
        convention=convention,
        speakers=_speakers(entry.id, convention, catalog),
        data=data,
        boundaries=boundaries.load(catalog.root, entry.id),
    )


Words = Annotated[str, msgspec.Meta(min_length=1)]


class SpeakerRow(Strict, frozen=True, kw_only=True):
    """A row ``[[speaker]]`` of a convention: words that name a speaker; as `Speaker`."""

    prefix: str
    person: str = ""
    subtype: str = "shuo"


class NamedRow(SpeakerRow, frozen=True, kw_only=True):
    """A row whose words are what is sought in the text: without any, everything would be a speaker."""

    prefix: Words


class _Speakers(Strict, frozen=True, kw_only=True):
    speaker: tuple[SpeakerRow, ...]


def _paths(convention: Mapping[str, Any], file: str) -> tuple[Path, ...]:
    return convention.paths if isinstance(convention, TomlTable) else (Path(file),)


def _speakers(source: str, convention: Mapping[str, Any], catalog: Catalog) -> tuple[Speaker, ...]:
    """Give the speaker rows of a convention, longest prefix first, each person declared."""
    rows = []
    file = f"tei/conventions/{source}.toml"
    for row in fitting(TomlTable({"speaker": convention.get("speaker", [])}, paths=_paths(convention, file)),
                       _Speakers).speaker:
        speaker = Speaker(row.prefix, row.person, row.subtype)
        if speaker.person and speaker.person not in catalog.persons:
            raise CatalogError(
                f"{speaker.prefix!r} is said by {speaker.person!r}, who is not declared",
                place=Place(f"tei/conventions/{source}.toml"), mend="add the person to persons.toml",
            )
        rows.append(speaker)
    return tuple(sorted(rows, key=lambda s: (-len(s.prefix), s.prefix)))
