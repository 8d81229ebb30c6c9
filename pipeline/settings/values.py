"""Types of values that name something declared elsewhere in the folder, or that must be of one form.

`pipeline.settings.faults` holds each against what the folder declares, wherever a table of settings has one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any

import msgspec


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of TOML in which an unknown key is an error."""


Known = Mapping[str, Collection[str]]
"""What a folder declares: ids by what they are ids of (``person``, ``source``, ``work``)."""


def _names(what: str) -> Any:
    return msgspec.Meta(extra={"names": what})


PersonId = Annotated[str, _names("person")]
"""Id of a person of ``persons.toml``, or empty where nobody is meant."""
SourceId = Annotated[str, _names("source")]
"""Id of a ``[[source]]`` of the catalog."""
WorkId = Annotated[str, _names("work")]
"""Id of a ``[[work]]`` of the catalog."""
AgentId = Annotated[str, _names("agent")]
"""Id of a person of ``persons.toml``, or ``editors``: all editors together."""
TextId = Annotated[str, _names("edition or source")]
"""Id of a ``[[source]]`` or of an edition."""
NoteSubtype = Annotated[str, _names("kind of note")]
"""A kind of note (`pipeline.model.vocabulary.NOTE_SUBTYPES`)."""
Name = Annotated[str, msgspec.Meta(min_length=1, extra={"is": "words"})]
"""Words that are shown, and so may not be missing."""
Label = Annotated[str, msgspec.Meta(extra={"is": "label"})]
"""Words that are printed as a sign: with one blank between two, and nothing that is not seen, or only on another
character (`LABEL`)."""
_UNSEEN = (r"\s\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u302a-\u302f\u3099\u309a\ue000-\uf8ff"
           r"\ufe00-\ufe0f\ufeff\U000e0000-\U0010fffd")
LABEL = f"(?:[^{_UNSEEN}]+(?: [^{_UNSEEN}]+)*)?"
"""As the type ``words`` of the schema has it."""
Day = Annotated[str, msgspec.Meta(extra={"is": "day"})]
"""A day, a month or a year as the TEI writes it (``2026-11-20``; ISO 8601, W3C XML Schema)."""
Address = Annotated[str, msgspec.Meta(extra={"is": "address"})]
"""An address of the web, or empty."""
WHERE = {
    "person": "tei/persons.toml", "source": "[[source]] of tei/catalog.toml", "work": "[[work]] of tei/catalog.toml",
    "agent": "tei/persons.toml, or write \"editors\"",
    "edition or source": "[[source]] of tei/catalog.toml, or as tei/editions/ID.toml",
    "kind of note": "the program",
}
"""Where each kind of name is declared."""


def sign(words: str) -> str:
    """Give some words as a sign can have them; empty if nothing is left."""
    return " ".join(re.sub(f"(?!\\s)[{_UNSEEN}]", "", unicodedata.normalize("NFC", words)).split())


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


def _is(key: str) -> Any:
    return msgspec.Meta(extra={"is": key})


Doi = Annotated[str, _is("doi")]
"""A DOI, without ``https://doi.org/``; or empty."""
Orcid = Annotated[str, _is("orcid")]
"""An ORCID iD, without its address; or empty."""
WikidataItem = Annotated[str, _is("wikidata")]
"""An item of Wikidata; or empty."""
CbdbPerson = Annotated[str, _is("cbdb")]
"""The number of a person in the China Biographical Database; or empty."""


def identifier_fault(key: str, value: str) -> tuple[str, str] | None:
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


def registry_address(key: str, value: str) -> str:
    """Give where an identifier of a registry leads."""
    return REGISTRIES[key].address.format(value)


PAPER_SIZES = {
    "170x240": (170.0, 240.0), "a4": (210.0, 297.0), "a5": (148.0, 210.0), "b5": (176.0, 250.0),
    "16开": (185.0, 260.0), "大16开": (210.0, 285.0), "32开": (130.0, 184.0), "大32开": (140.0, 203.0),
}
"""Width and height in millimetres after the trim. A and B: ISO 216. 开: of the sheets of Chinese printing, 16开 and
32开 of 787 × 1092 mm, 大32开 of 850 × 1168 mm, 大16开 of 889 × 1194 mm; GB/T 788-1999 has sizes of ISO beside them."""
SHORTEST_SIDE, LONGEST_SIDE = 70, 600
"""Millimetres of a side: smaller paper has no room for ten characters of 6 pt and its margins, no press has greater."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*[x×X*]\s*(\d+(?:\.\d+)?)(?:\s*mm)?")


def size_of(paper: str) -> tuple[float, float]:
    """Give width and height in millimetres of a size by its name (大32开) or its sides (``140x203``).

    Raises ValueError for what is neither.
    """
    name = paper.strip().lower().replace("開", "开")
    if name in PAPER_SIZES:
        return PAPER_SIZES[name]
    match = _SIZE.fullmatch(paper.strip())
    if not match:
        raise ValueError(f"{paper[:20]!r} is no size of paper")
    width, height = float(match[1]), float(match[2])
    if not all(SHORTEST_SIDE <= side <= LONGEST_SIDE for side in (width, height)):
        raise ValueError(f"paper of {width:g} × {height:g} mm; its sides may have {SHORTEST_SIDE} to {LONGEST_SIDE} mm")
    return width, height


def known_sizes() -> str:
    """Say which sizes there are."""
    return f'known values: {", ".join(PAPER_SIZES)}; or width and height in millimetres: "140x203"'
