"""How an edition is published and by whom, what people changed in it, and where its witnesses are kept: tables of the
catalog whose words stand in the headers of the TEI and in what a repository is told (`jiaokan bundle`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec

from pipeline.settings.images import Images
from pipeline.settings.patterns import Pair
from pipeline.settings.values import (
    Address,
    AgentId,
    Day,
    Doi,
    Label,
    Name,
    NoteSubtype,
    Orcid,
    PersonId,
    Strict,
    TextId,
    WorkId,
)


class OtherNumber(Strict, frozen=True, kw_only=True):
    """A number of the publication other than its DOI (TEI ``idno``)."""

    type: Name
    """What kind of number it is: ``ISBN``, ``Handle``, ``URN``."""
    value: Name
    """The number."""


class PublicationEditor(Strict, frozen=True, kw_only=True):
    """What is known of an editor besides the name."""

    name: Name
    """The name, as ``editors`` of ``[project]`` has it."""
    orcid: Orcid = ""
    """The ORCID iD (https://orcid.org), without the address."""
    affiliation: str = ""
    """Where the editor works; for repositories, not in the TEI."""


class Funder(Strict, frozen=True, kw_only=True):
    """Who paid for the work."""

    name: Name
    """The name of the body."""
    url: Address = ""
    """Its address, best that of the Research Organization Registry (https://ror.org)."""
    grant: str = ""
    """Number or title of the grant."""


class Publication(Strict, frozen=True, kw_only=True):
    """How the edition is published: what its TEI says in ``publicationStmt`` (Guidelines 2.2.4) and ``titleStmt``."""

    doi: Doi = ""
    """The DOI; ``jiaokan bundle --doi`` writes it."""
    idno: tuple[OtherNumber, ...] = ()
    """Other numbers of the publication."""
    url: Address = ""
    """The page that describes the publication; empty: `url` of ``[project]``."""
    authority: str = ""
    """Who makes it available, if that is not the publisher: an institute, a project (TEI ``authority``)."""
    place: str = ""
    """Place of publication (TEI ``pubPlace``)."""
    date: Day = ""
    """Day of publication; empty: `date` of ``[project]``."""
    editors: tuple[PublicationEditor, ...] = ()
    """Identifiers of the editors, each by the name that it has in ``editors`` of ``[project]``."""
    funders: tuple[Funder, ...] = ()
    """Who paid for it."""
    keywords: tuple[str, ...] = ()
    """Words under which repositories list it."""


class Revision(Strict, frozen=True, kw_only=True):
    """A change that people made, for ``revisionDesc`` of the texts that it touched."""

    when: Day
    """When it was made."""
    who: AgentId
    """Who made it: id of a person, or ``editors``."""
    what: Name
    """What was changed, in a sentence."""
    of: tuple[TextId, ...] = ()
    """Ids of the sources and editions that it touched; none: all."""


class Holder(Strict, frozen=True, kw_only=True):
    """Where the book itself is kept (TEI ``msIdentifier``)."""

    repository: Name
    """The library."""
    shelfmark: str = ""
    """Its number there."""
    settlement: str = ""
    """The town."""
    country: str = ""
    """The country."""


Language = Annotated[str, msgspec.Meta(pattern=(
    r"^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?"
    r"(?:-(?:[0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[0-9A-Za-z]{2,8})+)*"
    r"(?:-x(?:-[0-9A-Za-z]{1,8})+)?$"
))]
"""A language tag by its form (RFC 5646, 2.1: language, script, region, variants, extensions, private use), in the case
that its section 2.1.1 recommends."""


class Licence(Strict, frozen=True, kw_only=True):
    """Under what terms a text may be used."""

    name: Name
    """The licence by its name, or what is known of the rights."""
    url: Address = ""
    """Where it can be read."""
    copies: bool | None = None
    """Whether copies may be passed on, as `jiaokan bundle` does with sources; left out: yes where `url` is that of a
    licence or mark of Creative Commons, all of which allow it, else no."""

    def allows_copies(self) -> bool:
        """Tell whether copies may be passed on."""
        free = re.match(r"https?://creativecommons\.org/(?:licenses|publicdomain)/", self.url)
        return bool(free) if self.copies is None else self.copies


class Chapter(Strict, frozen=True, kw_only=True):
    """A chapter 篇 of a work: its canonical number and every title under which sources print it."""

    n: int
    """Its number in the work, from 1: references count by it."""
    title: Name
    """Its usual title."""
    names: tuple[str, ...] = ()
    """Other lines that head it in a source, written out."""
    label: str = ""
    """What references call it where that is not its number (1A for 梁惠王上, the first half of 孟子 1)."""


class Work(Strict, frozen=True, kw_only=True):
    """A work whose chapters are numbered; sources of one work can be collated."""

    id: str
    """Its id: letters a-z, digits and -."""
    title: Name
    """Its usual title."""
    chapters: tuple[Chapter, ...]
    """All its chapters, also those that no source of the folder has."""
    authors: tuple[PersonId, ...] = ()
    """Ids of its authors; empty where nobody is known, as of most classics."""
    section: str = ""
    """Under what heading 部类 a site of many texts lists it (``经部·礼类``); empty: after all others."""
    reference: str = ""
    """The form in which its readers cite it, as `pipeline.model.references` has it: ``{chapter}.{section}`` (论语 1.4),
    ``{chapter}`` (老子 25), ``T08.251.{page}``. Empty: chapter, section, unit."""
    annotators: Mapping[NoteSubtype, PersonId] = {}
    """Whom later commentators mean by 注曰 and 疏曰: ids of persons, by kind of note (``zhu``, ``shu``). Where none is
    declared, it is the one who speaks all notes of this kind in a source."""

    def chapter(self, title: str) -> Chapter | None:
        """Give the chapter that a source prints under this title, or None."""
        return next((c for c in self.chapters if title == c.title or title in c.names), None)

    def headed(self, line: str) -> Chapter | None:
        """Give the chapter whose title a line is, with its white space or without, or None."""
        return self.chapter(line.strip()) or self.chapter("".join(line.split()))


class PrintedCorrections(Strict, frozen=True, kw_only=True):
    """The brackets in which a punctuated edition prints what it changes: ``（誤）〔正〕``."""

    right: Pair
    """Round what is right: what stands for the wrong graphs before it, or is added (``〔〕``)."""
    wrong: Pair = Pair("")
    """Round what is wrong or one too many (``（）``); empty where the edition only adds."""


class SourceEntry(Strict, frozen=True, kw_only=True):
    """One transcription as received."""

    id: str
    """Its id: letters a-z, digits and -. References and files are called by it."""
    siglum: Annotated[Label, msgspec.Meta(min_length=1)]
    """The short name of the witness in the apparatus; no other source has the same."""
    file: Name
    """The file, as seen from the folder ``tei``."""
    sha256: str
    """Checksum of the file, so that no change goes unnoticed; ``jiaokan accept ID`` writes it."""
    work: Annotated[WorkId, msgspec.Meta(min_length=1)]
    """Id of the work that it transmits."""
    title: Name
    """Title of the book."""
    authors: tuple[PersonId, ...]
    """Ids of its authors; empty where nobody is known."""
    dynasty: str
    """Dynasty of the book."""
    reader: Name
    """The reader for its format: ``jiaokan explain reader`` lists them."""
    language: Language
    """As BCP 47 has it: ``lzh-Hant``, ``lzh-Hans``, ``grc``, ``en``, ``sa-Latn``; its script decides what is a
    difference of script only."""
    licence: Licence
    """Under what terms the transcription may be used."""
    convention: str = ""
    """Name of the file in ``tei/conventions`` by which it marks its layers; if empty, its own id."""
    signs: str = ""
    """Characters that part or mark the text and are no words of it (``⊕▼``); punctuation, ○ and ※ never are."""
    corrections: PrintedCorrections | None = None
    """The brackets in which it prints corrections of its own: ``{ wrong = "（）", right = "〔〕" }``. They are then no
    words of the text; what stands in them is ``choice``, ``surplus``, ``supplied``."""
    edition: str = ""
    """The edition 版本 that was transcribed: ``四库全书本``, ``嘉庆刻本``."""
    holder: Holder | None = None
    """Who keeps the copy that was transcribed, under which number."""
    links: tuple[Address, ...] = ()
    """Addresses of pictures of it, or of its record in a catalogue."""
    images: Images | None = None
    """The pictures of the pages of the print, where the transcription marks its pages."""
    origin: str = ""
    """Where the transcription comes from."""
    note: str = ""
    """What else is to be said of it; stands in the header of the TEI."""
    pinyin: str = ""
    """The title in Latin letters; empty: as its graphs are commonly read."""


class Project(Strict, frozen=True, kw_only=True):
    """What holds for all texts of the folder."""

    title: Name
    """Title of the whole, over the website."""
    publisher: str
    """Who publishes it; empty where nobody does yet."""
    editors: tuple[str, ...]
    """Names of the editors."""
    date: Day
    """Day of this state of the edition."""
    licence: Licence
    """Under what terms the edition may be used."""
    image_hosts: tuple[Address, ...] = ()
    """Hosts (``https://iiif.example.org``) from which pages of the site may fetch the pictures of leaves and show them
    beside the text. None: pages only lead to pictures, and no other host learns who reads."""
    url: Address = ""
    """Where the site is published (``https://example.org/yili/``): citations then begin with it."""


class CatalogFile(Strict, frozen=True, kw_only=True):
    """The whole file ``tei/catalog.toml``."""

    project: Project
    """What holds for all texts."""
    publication: Publication = Publication()
    """How they are published."""
    revision: tuple[Revision, ...] = ()
    """What people changed in them."""
    source: tuple[SourceEntry, ...] = ()
    """The transcriptions."""
    work: tuple[Work, ...] = ()
    """The works that they transmit."""


class CatalogPart(Strict, frozen=True, kw_only=True):
    """A file ``tei/catalog/NAME.toml``: rows that might stand in ``tei/catalog.toml``. A library has a file a text."""

    source: tuple[SourceEntry, ...] = ()
    """Further transcriptions."""
    work: tuple[Work, ...] = ()
    """Further works."""
