"""How an edition is published and by whom, what people changed in it, and where its witnesses are kept: tables of the
catalog whose words stand in the headers of the TEI and in what a repository is told (`jiaokan bundle`)."""

from __future__ import annotations

from pipeline.settings.plans import Strict
from pipeline.settings.references import Address, AgentId, Day, Name, TextId
from pipeline.settings.registries import Doi, Orcid


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
