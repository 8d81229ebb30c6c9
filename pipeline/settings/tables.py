"""Types of ``catalog.toml`` and of the files in ``tei/catalog/``: project, publication, works, sources."""

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
    """The kind of number: ``ISBN``, ``Handle``, ``URN``."""
    value: Name
    """The number."""


class PublicationEditor(Strict, frozen=True, kw_only=True):
    """Further information on an editor."""

    name: Name
    """The name, as in ``editors`` of ``[project]``."""
    orcid: Orcid = ""
    """The ORCID iD (https://orcid.org), without the address."""
    affiliation: str = ""
    """Where the editor works; for repositories, not in the TEI."""


class Funder(Strict, frozen=True, kw_only=True):
    """Who paid for the work."""

    name: Name
    """The name of the body."""
    url: Address = ""
    """Its address, preferably in the Research Organization Registry (https://ror.org)."""
    grant: str = ""
    """Number or title of the grant."""


class Publication(Strict, frozen=True, kw_only=True):
    """How the edition is published: TEI ``publicationStmt`` (Guidelines 2.2.4) and ``titleStmt``."""

    doi: Doi = ""
    """The DOI; ``jiaokan bundle --doi`` writes it."""
    idno: tuple[OtherNumber, ...] = ()
    """Other numbers of the publication."""
    url: Address = ""
    """The page that describes the publication; empty: `url` of ``[project]``."""
    authority: str = ""
    """Who makes it available, if not the publisher: an institute, a project (TEI ``authority``)."""
    place: str = ""
    """Place of publication (TEI ``pubPlace``)."""
    date: Day = ""
    """Day of publication; empty: `date` of ``[project]``."""
    editors: tuple[PublicationEditor, ...] = ()
    """Identifiers of the editors, each with its name in ``editors`` of ``[project]``."""
    funders: tuple[Funder, ...] = ()
    """Who paid for it."""
    keywords: tuple[str, ...] = ()
    """Keywords for repositories."""


class Revision(Strict, frozen=True, kw_only=True):
    """A change that people made, for the ``revisionDesc`` of the changed texts."""

    when: Day
    """The day of the change."""
    who: AgentId
    """Who made it: id of a person, or ``editors``."""
    what: Name
    """What was changed, in one sentence."""
    of: tuple[TextId, ...] = ()
    """Ids of the changed sources and editions; none: all."""


class Holder(Strict, frozen=True, kw_only=True):
    """Where the book itself is kept (TEI ``msIdentifier``)."""

    repository: Name
    """The library."""
    shelfmark: str = ""
    """Its shelfmark."""
    settlement: str = ""
    """The town."""
    country: str = ""
    """The country."""


Language = Annotated[str, msgspec.Meta(pattern=(
    r"^(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?"
    r"(?:-(?:[0-9A-Za-z]{5,8}|[0-9][0-9A-Za-z]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[0-9A-Za-z]{2,8})+)*"
    r"(?:-x(?:-[0-9A-Za-z]{1,8})+)?$"
))]
"""A language tag (RFC 5646, 2.1: language, script, region, variants, extensions, private use), in the case that its
section 2.1.1 recommends."""


class Licence(Strict, frozen=True, kw_only=True):
    """The terms under which a text may be used."""

    name: Name
    """The name of the licence, or what is known of the rights."""
    url: Address = ""
    """The address of its text."""
    copies: bool | None = None
    """Whether copies may be passed on, as `jiaokan bundle` does with sources. Default: true if `url` is a licence or
    mark of Creative Commons, all of which allow it, else false."""

    def allows_copies(self) -> bool:
        """Whether copies may be passed on."""
        free = re.match(r"https?://creativecommons\.org/(?:licenses|publicdomain)/", self.url)
        return bool(free) if self.copies is None else self.copies


class Chapter(Strict, frozen=True, kw_only=True):
    """A chapter 篇 of a work: its number and all titles under which sources print it."""

    n: int
    """Its number in the work, from 1, used in references."""
    title: Name
    """Its usual title."""
    names: tuple[str, ...] = ()
    """Other headings of it in sources, in full."""
    label: str = ""
    """Its label in references, if not its number (1A for 梁惠王上, the first half of 孟子 1)."""


class Work(Strict, frozen=True, kw_only=True):
    """A work with numbered chapters; sources of one work can be collated."""

    id: str
    """Its id: letters a-z, digits and -."""
    title: Name
    """Its usual title."""
    chapters: tuple[Chapter, ...]
    """All its chapters, including those that no source of the folder has."""
    authors: tuple[PersonId, ...] = ()
    """Ids of its authors; empty if unknown, as for most classics."""
    section: str = ""
    """The heading 部类 under which a site of many texts lists it (``经部·礼类``); empty: after all others."""
    reference: str = ""
    """The form of references to it (`pipeline.model.references`): ``{chapter}.{section}`` (论语 1.4), ``{chapter}``
    (老子 25), ``T08.251.{page}``. Empty: chapter, section, unit."""
    annotators: Mapping[NoteSubtype, PersonId] = {}
    """Whom later commentators mean by 注曰 and 疏曰: ids of persons, by kind of note (``zhu``, ``shu``). Default: the
    only speaker of notes of this kind in a source."""

    def chapter(self, title: str) -> Chapter | None:
        """Return the chapter that a source prints under this title, or None."""
        return next((c for c in self.chapters if title == c.title or title in c.names), None)

    def headed(self, line: str) -> Chapter | None:
        """Return the chapter whose title a line is, with or without its white space, or None."""
        return self.chapter(line.strip()) or self.chapter("".join(line.split()))


class PrintedCorrections(Strict, frozen=True, kw_only=True):
    """The brackets in which a punctuated edition prints corrections: ``（誤）〔正〕``."""

    right: Pair
    """Round the right characters, which replace wrong ones before them or are added (``〔〕``)."""
    wrong: Pair = Pair("")
    """Round wrong or superfluous characters (``（）``); empty if the edition only adds."""


class SourceEntry(Strict, frozen=True, kw_only=True):
    """One transcription as received."""

    id: str
    """Its id: letters a-z, digits and -. References and files use it."""
    siglum: Annotated[Label, msgspec.Meta(min_length=1)]
    """The siglum of the witness in the apparatus; unique."""
    file: Name
    """The file, relative to the folder ``tei``."""
    sha256: str
    """Checksum of the file, which makes changes visible; ``jiaokan accept ID`` writes it."""
    work: Annotated[WorkId, msgspec.Meta(min_length=1)]
    """Id of the work that it transmits."""
    title: Name
    """Title of the book."""
    authors: tuple[PersonId, ...]
    """Ids of its authors; empty if unknown."""
    dynasty: str
    """Dynasty of the book."""
    reader: Name
    """The reader for its format; ``jiaokan explain reader`` lists all."""
    language: Language
    """Its language (BCP 47): ``lzh-Hant``, ``lzh-Hans``, ``grc``, ``en``, ``sa-Latn``. The script decides which
    variants are differences of script only."""
    licence: Licence
    """The terms under which the transcription may be used."""
    convention: str = ""
    """Name of its convention in ``tei/conventions``; empty: its own id."""
    signs: str = ""
    """Characters that separate or mark the text and do not belong to it (``⊕▼``), besides punctuation, ○ and ※."""
    corrections: PrintedCorrections | None = None
    """The brackets in which it prints its own corrections: ``{ wrong = "（）", right = "〔〕" }``. They become
    ``choice``, ``surplus``, ``supplied``, without the brackets."""
    edition: str = ""
    """The edition 版本 that was transcribed: ``四库全书本``, ``嘉庆刻本``."""
    holder: Holder | None = None
    """The library and shelfmark of the copy that was transcribed."""
    links: tuple[Address, ...] = ()
    """Addresses of pictures of it, or of its record in a library catalogue."""
    images: Images | None = None
    """Pictures of its pages, if the transcription marks pages."""
    origin: str = ""
    """The origin of the transcription."""
    note: str = ""
    """Other information, for the TEI header."""
    pinyin: str = ""
    """The title in Latin letters; empty: the common reading of its characters."""


class Project(Strict, frozen=True, kw_only=True):
    """What holds for all texts of the folder."""

    title: Name
    """Title of the whole, on the website."""
    publisher: str
    """The publisher; empty if there is none yet."""
    editors: tuple[str, ...]
    """Names of the editors."""
    date: Day
    """Day of this state of the edition."""
    licence: Licence
    """The terms under which the edition may be used."""
    image_hosts: tuple[Address, ...] = ()
    """Hosts (``https://iiif.example.org``) whose pictures pages of the site may load and show beside the text. Without
    them, pages only link to pictures, and no other host learns about readers."""
    url: Address = ""
    """Where the site is published (``https://example.org/yili/``); citations then begin with it."""


class CatalogFile(Strict, frozen=True, kw_only=True):
    """The whole file ``tei/catalog.toml``."""

    project: Project
    """What holds for all texts."""
    publication: Publication = Publication()
    """How they are published."""
    revision: tuple[Revision, ...] = ()
    """Changes made by people."""
    source: tuple[SourceEntry, ...] = ()
    """The transcriptions."""
    work: tuple[Work, ...] = ()
    """The works that they transmit."""


class CatalogPart(Strict, frozen=True, kw_only=True):
    """A file ``tei/catalog/NAME.toml`` with rows of the catalog; a library has one for each text."""

    source: tuple[SourceEntry, ...] = ()
    """Further transcriptions."""
    work: tuple[Work, ...] = ()
    """Further works."""
