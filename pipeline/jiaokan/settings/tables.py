"""Types of ``catalog.toml``, ``tei/catalog/*.toml``, ``persons.toml`` and ``places.toml``.

What each key means is the message ``key-TYPE.FIELD``, its example is in ``keys.tsv`` (`jiaokan explain catalog`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec

from jiaokan.settings.patterns import Pair
from jiaokan.settings.values import (
    Address,
    AgentId,
    CbdbPerson,
    Day,
    Doi,
    Label,
    Name,
    NoteSubtype,
    Orcid,
    PersonId,
    Strict,
    TextId,
    WikidataItem,
    Word,
    WorkId,
    without_direction,
)


class OtherNumber(Strict, frozen=True, kw_only=True):
    """A number of the publication other than its DOI (TEI ``idno``)."""

    type: Word
    value: Name


class PublicationEditor(Strict, frozen=True, kw_only=True):
    """Further information on an editor."""

    name: Name
    orcid: Orcid = ""
    affiliation: str = ""


class Funder(Strict, frozen=True, kw_only=True):
    """Who paid for the work."""

    name: Name
    url: Address = ""
    grant: str = ""


class Publication(Strict, frozen=True, kw_only=True):
    """How the edition is published: TEI ``publicationStmt`` (Guidelines 2.2.4) and ``titleStmt``."""

    doi: Doi = ""
    idno: tuple[OtherNumber, ...] = ()
    url: Address = ""
    authority: str = ""
    place: str = ""
    date: Day = ""
    editors: tuple[PublicationEditor, ...] = ()
    funders: tuple[Funder, ...] = ()
    keywords: tuple[str, ...] = ()


class Revision(Strict, frozen=True, kw_only=True):
    """A change that people made, for the ``revisionDesc`` of the changed texts."""

    when: Day
    who: AgentId
    what: Name
    of: tuple[TextId, ...] = ()
    release: Label = ""
    """The number of the release, if the change is one."""


class Holder(Strict, frozen=True, kw_only=True):
    """Where the book itself is kept (TEI ``msIdentifier``)."""

    repository: Name
    shelfmark: str = ""
    settlement: str = ""
    country: str = ""


Language = Annotated[str, msgspec.Meta(extra={"is": "language"}, pattern=(
    r"^[a-z]{2,3}(?:-[a-z]{3}){0,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?"
    r"(?:-(?:[0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[0-9A-Za-z]{2,8})+)*"
    r"(?:-x(?:-[0-9A-Za-z]{1,8})+)?$"
))]
"""A language tag (RFC 5646, 2.1: language, script, region, variants, extensions, private use), in the case that its
section 2.1.1 recommends. No language of four to eight letters is registered (IANA, Language Subtag Registry)."""


class Licence(Strict, frozen=True, kw_only=True):
    """The terms under which a text may be used."""

    name: Name
    url: Address = ""
    copies: bool | None = None

    def allows_copies(self) -> bool:
        """Whether copies may be passed on."""
        free = re.match(r"https?://creativecommons\.org/(?:licenses|publicdomain)/", self.url)
        return bool(free) if self.copies is None else self.copies


class Chapter(Strict, frozen=True, kw_only=True):
    """A chapter 篇 of a work: its number and all titles under which sources print it."""

    n: int
    title: Name
    names: tuple[str, ...] = ()
    label: str = ""


class Work(Strict, frozen=True, kw_only=True, dict=True):
    """A work with numbered chapters; sources of one work can be collated."""

    id: str
    title: Name
    chapters: tuple[Chapter, ...]
    authors: tuple[PersonId, ...] = ()
    section: str = ""
    reference: str = ""
    annotators: Mapping[NoteSubtype, PersonId] = {}

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[Chapter, ...]]:
        by_name: dict[str, list[Chapter]] = {}
        for chapter in self.chapters:
            for name in dict.fromkeys((chapter.title, *chapter.names)):
                by_name.setdefault(name, []).append(chapter)
        return {name: tuple(chapters) for name, chapters in by_name.items()}

    def chapter(self, title: str) -> Chapter | None:
        """Return the chapter that a source prints under this title, the first of several, or None."""
        return next(iter(self._by_name.get(title, ())), None)

    def chapter_of_heading(self, line: str) -> Chapter | None:
        """Return the chapter whose title a line is, with or without white space and marks of direction, or None."""
        return next(iter(self.chapters_of_heading(line)), None)

    def chapters_of_heading(self, line: str) -> tuple[Chapter, ...]:
        """Return the chapters whose title a line is, as `chapter_headed`: two poems can be called 柏舟."""
        line = without_direction(line)
        return self._by_name.get(line.strip()) or self._by_name.get("".join(line.split()), ())


class PrintedCorrections(Strict, frozen=True, kw_only=True):
    """The brackets in which a punctuated edition prints corrections: ``（誤）〔正〕``."""

    right: Pair
    wrong: Pair = Pair("")


class Images(Strict, frozen=True, kw_only=True):
    """The pictures of the print that a source transcribes."""

    address: str = ""
    manifest: str = ""
    folder: str = ""
    first: Annotated[int, msgspec.Meta(ge=1)] = 1
    pages: Annotated[int, msgspec.Meta(ge=1)] = 1


class SourceEntry(Strict, frozen=True, kw_only=True):
    """One transcription as received."""

    id: str
    siglum: Annotated[Label, msgspec.Meta(min_length=1)]
    file: Name
    sha256: str
    work: Annotated[WorkId, msgspec.Meta(min_length=1)]
    title: Name
    authors: tuple[PersonId, ...]
    dynasty: str
    reader: Name
    language: Language
    licence: Licence
    convention: str = ""
    signs: str = ""
    corrections: PrintedCorrections | None = None
    edition: str = ""
    holder: Holder | None = None
    links: tuple[Address, ...] = ()
    images: Images | None = None
    origin: str = ""
    note: str = ""
    pinyin: str = ""


class Project(Strict, frozen=True, kw_only=True):
    """What holds for all texts of the folder."""

    title: Name
    publisher: str
    editors: tuple[str, ...]
    date: Day
    licence: Licence
    image_hosts: tuple[Address, ...] = ()
    url: Address = ""


class CatalogFile(Strict, frozen=True, kw_only=True):
    """The whole file ``tei/catalog.toml``."""

    project: Project
    publication: Publication = Publication()
    revision: tuple[Revision, ...] = ()
    source: tuple[SourceEntry, ...] = ()
    work: tuple[Work, ...] = ()


class CatalogPart(Strict, frozen=True, kw_only=True):
    """A file ``tei/catalog/NAME.toml`` with rows of the catalog; a library has one for each text."""

    source: tuple[SourceEntry, ...] = ()
    """Further transcriptions."""
    work: tuple[Work, ...] = ()
    """Further works."""


Year = Annotated[int, msgspec.Meta(ge=-3000, le=2100)]
"""A year of the common era; negative before it."""


class Person(Strict, frozen=True, kw_only=True):
    """A commentator, an author or an editor."""

    id: str
    name: Name
    label: Annotated[Label, msgspec.Meta(min_length=1)]
    names: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    dynasty: str = ""
    birth: Year = 0
    death: Year = 0
    work: str = ""
    note: str = ""
    pinyin: str = ""
    cbdb: CbdbPerson = ""
    wikidata: WikidataItem = ""


class Named(Strict, frozen=True, kw_only=True):
    """A person, place or state whose name the editor marks in the texts."""

    id: str
    name: Name
    names: tuple[str, ...] = ()
    note: str = ""
    pinyin: str = ""


class NamedPerson(Named, frozen=True, kw_only=True):
    """Somebody whom the texts mention and the editor marks, who wrote none of them: a king, a disciple.

    Readers never take such a name for a commentator.
    """

    dynasty: str = ""
    cbdb: CbdbPerson = ""
    wikidata: WikidataItem = ""


class NamedPlace(Named, frozen=True, kw_only=True):
    """A place that the editor marks in the texts."""


class Organisation(Named, frozen=True, kw_only=True):
    """A state, a dynasty or a clan that the editor marks in the texts (TEI ``org``)."""

    kind: Literal["state", "dynasty", "clan", ""] = ""


class PersonsFile(Strict, frozen=True, kw_only=True):
    """``tei/persons.toml``."""

    person: tuple[Person, ...] = ()
    named: tuple[NamedPerson, ...] = ()


class PlacesFile(Strict, frozen=True, kw_only=True):
    """``tei/places.toml``."""

    place: tuple[NamedPlace, ...] = ()
    org: tuple[Organisation, ...] = ()
