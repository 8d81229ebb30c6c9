"""Who and what the texts name: ``persons.toml`` and ``places.toml`` as typed tables."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from pipeline.settings.values import CbdbPerson, Label, Name, Strict, WikidataItem

Year = Annotated[int, msgspec.Meta(ge=-3000, le=2100)]
"""A year of the common era; before it, negative."""


class Person(Strict, frozen=True, kw_only=True):
    """A commentator, an author or an editor."""

    id: str
    """The id by which all other tables name the person: letters a-z, digits and -."""
    name: Name
    """The usual name."""
    label: Annotated[Label, msgspec.Meta(min_length=1)]
    """One or two characters that are printed before a comment."""
    names: tuple[str, ...] = ()
    """Other forms under which texts cite the person."""
    forms: tuple[str, ...] = ()
    """Forms by which only names that the editor marked mean the person (敖, 康成): no reader looks for them."""
    dynasty: str = ""
    """Dynasty in which the person lived."""
    birth: Year = 0
    """Year of birth of the common era, where reference works agree; 0 if they do not, or nobody knows."""
    death: Year = 0
    """Year of death; 0 as for `birth`."""
    work: str = ""
    """Title of the commentary that is cited."""
    note: str = ""
    """What else is to be said of the person."""
    pinyin: str = ""
    """The name in Latin letters (Ao Jigong); empty: as its graphs are commonly read."""
    cbdb: CbdbPerson = ""
    """Number in the China Biographical Database, where one is sure that it is this person."""
    wikidata: WikidataItem = ""
    """Item of Wikidata (Q9397), where one is sure that it is this person."""


class Named(Strict, frozen=True, kw_only=True):
    """Whom or what the editor marks in the texts, whatever it is."""

    id: str
    """The id by which a marked name says what is meant: letters a-z, digits and -; nothing else has the same."""
    name: Name
    """The usual name."""
    names: tuple[str, ...] = ()
    """Other forms under which texts have it."""
    note: str = ""
    """What else is to be said: who somebody was, where a place is, what it is called now."""
    pinyin: str = ""
    """The name in Latin letters; empty: as its graphs are commonly read."""


class NamedPerson(Named, frozen=True, kw_only=True):
    """Somebody of whom the texts speak and whom the editor marks there, who wrote none of them: a king, a disciple.

    No reader takes such a name for that of a commentator.
    """

    dynasty: str = ""
    """Dynasty or state in which the person lived."""
    cbdb: CbdbPerson = ""
    """Number in the China Biographical Database, where one is sure that it is this person."""
    wikidata: WikidataItem = ""
    """Item of Wikidata (Q9397), where one is sure that it is this person."""


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
    """Others of whom the texts speak."""


class PlacesFile(Strict, frozen=True, kw_only=True):
    """``tei/places.toml``."""

    place: tuple[NamedPlace, ...] = ()
    """Places."""
    org: tuple[Organisation, ...] = ()
    """States, dynasties and clans."""
