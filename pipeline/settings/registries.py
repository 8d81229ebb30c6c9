"""Identifiers that registries outside the folder give: works, people, items of data. Each by its form, and where it
leads.

They are held against their form only, and, where it has one, against its check digit: nothing is asked of the network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

import msgspec


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """One registry."""

    name: str
    """What it is called, also in ``idno/@type``."""
    form: re.Pattern[str]
    """What its identifiers look like, without an address before them."""
    address: str
    """Where an identifier leads, which stands in place of ``{}``."""
    sample: str
    """One that exists, for messages."""
    right: Callable[[str], bool] = lambda _: True
    """Whether the check digit of one that has the form is right."""


def orcid_digit(identifier: str) -> bool:
    """Whether the last sign of an ORCID iD is the check digit of those before it (ISO/IEC 7064, MOD 11-2)."""
    total = 0
    for digit in identifier.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    rest = (12 - total % 11) % 11
    return identifier[-1] == ("X" if rest == 10 else str(rest))


REGISTRIES: Mapping[str, Registry] = MappingProxyType({
    # The DOI Handbook, 2.2: 10., the number of the registrant, a slash, what it chose; no white space.
    "doi": Registry(name="DOI", form=re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s<>\"{}|\\^`]+"),
                    address="https://doi.org/{}", sample="10.5281/zenodo.3402901"),
    "orcid": Registry(name="ORCID", form=re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]"),
                      address="https://orcid.org/{}", sample="0000-0002-1825-0097", right=orcid_digit),
    "wikidata": Registry(name="Wikidata", form=re.compile(r"Q[1-9]\d*"),
                         address="https://www.wikidata.org/entity/{}", sample="Q9397"),
    # China Biographical Database: the number of a person (c_personid), sometimes written with zeros before it.
    "cbdb": Registry(name="CBDB", form=re.compile(r"\d{1,7}"),
                     address="https://cbdb.fas.harvard.edu/cbdbapi/person.php?id={}", sample="3257"),
})
"""The registries by their key in the settings."""


def _of(key: str) -> Any:
    return msgspec.Meta(extra={"is": key})


Doi = Annotated[str, _of("doi")]
"""A DOI, without ``https://doi.org/``; or empty."""
Orcid = Annotated[str, _of("orcid")]
"""An ORCID iD, without its address; or empty."""
WikidataItem = Annotated[str, _of("wikidata")]
"""An item of Wikidata; or empty."""
CbdbPerson = Annotated[str, _of("cbdb")]
"""The number of a person in the China Biographical Database; or empty."""


def unfit(key: str, value: str) -> tuple[str, str] | None:
    """Say what is wrong with an identifier of a registry and what to write; None if nothing is, or if it is empty."""
    registry = REGISTRIES[key]
    if not value or (registry.form.fullmatch(value) and registry.right(value)):
        return None
    bare = registry.form.search(value)
    if registry.form.fullmatch(value):
        return f"{value!r} has a wrong check digit: it is no {registry.name} iD", "copy it once more from its page"
    mend = f'write "{bare[0]}"' if bare and registry.right(bare[0]) else (
        f'write it as "{registry.sample}", without the address before it, or leave the key out')
    return f"{value[:60]!r} is no {registry.name} identifier", mend


def address(key: str, value: str) -> str:
    """Give where an identifier of a registry leads."""
    return REGISTRIES[key].address.format(value)
