"""Types of ``persons.toml`` and ``places.toml``: people, places and states that the texts name."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pipeline.settings.values import CbdbPerson, Label, Name, Strict, WikidataItem

Year = Annotated[int, msgspec.Meta(ge=-3000, le=2100)]
"""A year of the common era; negative before it."""


class Person(Strict, frozen=True, kw_only=True):
    """A commentator, an author or an editor."""

    id: str
    """The id that all other tables use: letters a-z, digits and -."""
    name: Name
    """The usual name."""
    label: Annotated[Label, msgspec.Meta(min_length=1)]
    """One or two characters that are printed before a comment."""
    names: tuple[str, ...] = ()
    """Other forms under which texts cite the person."""
    forms: tuple[str, ...] = ()
    """Forms that mean the person only in names marked by the editor (敖, 康成); readers do not look for them."""
    dynasty: str = ""
    """Dynasty in which the person lived."""
    birth: Year = 0
    """Year of birth of the common era, if reference works agree; 0 if they do not, or if it is unknown."""
    death: Year = 0
    """Year of death; 0 as for `birth`."""
    work: str = ""
    """Title of the commentary that is cited."""
    note: str = ""
    """Other information on the person."""
    pinyin: str = ""
    """The name in Latin letters (Ao Jigong); empty: the common reading of its characters."""
    cbdb: CbdbPerson = ""
    """Number in the China Biographical Database, if it certainly is this person."""
    wikidata: WikidataItem = ""
    """Item of Wikidata (Q9397), if it certainly is this person."""


class Named(Strict, frozen=True, kw_only=True):
    """A person, place or state whose name the editor marks in the texts."""

    id: str
    """The id that a marked name refers to: letters a-z, digits and -; unique."""
    name: Name
    """The usual name."""
    names: tuple[str, ...] = ()
    """Other forms of the name in the texts."""
    note: str = ""
    """Other information: who somebody was, where a place is, its modern name."""
    pinyin: str = ""
    """The name in Latin letters; empty: the common reading of its characters."""


class NamedPerson(Named, frozen=True, kw_only=True):
    """Somebody whom the texts mention and the editor marks, who wrote none of them: a king, a disciple.

    Readers never take such a name for a commentator.
    """

    dynasty: str = ""
    """Dynasty or state in which the person lived."""
    cbdb: CbdbPerson = ""
    """Number in the China Biographical Database, if it certainly is this person."""
    wikidata: WikidataItem = ""
    """Item of Wikidata (Q9397), if it certainly is this person."""


class NamedPlace(Named, frozen=True, kw_only=True):
    """A place that the editor marks in the texts."""


class Organisation(Named, frozen=True, kw_only=True):
    """A state, a dynasty or a clan that the editor marks in the texts (TEI ``org``)."""

    kind: Literal["state", "dynasty", "clan", ""] = ""
    """What it is."""


class PersonsFile(Strict, frozen=True, kw_only=True):
    """``tei/persons.toml``."""

    person: tuple[Person, ...] = ()
    """Everybody whom the texts cite, and their authors."""
    named: tuple[NamedPerson, ...] = ()
    """Others whom the texts mention."""


class PlacesFile(Strict, frozen=True, kw_only=True):
    """``tei/places.toml``."""

    place: tuple[NamedPlace, ...] = ()
    """Places."""
    org: tuple[Organisation, ...] = ()
    """States, dynasties and clans."""
