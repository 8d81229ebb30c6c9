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
