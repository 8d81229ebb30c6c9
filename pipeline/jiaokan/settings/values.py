"""Types of values in settings: names declared elsewhere in the folder, dates, addresses, identifiers, paper sizes.

`jiaokan.settings.faults` checks them wherever a table has one: names against the folder, the others by `FORMS`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Annotated

import msgspec

from jiaokan.errors import Message

SHOWN = 40
"""So many characters of a wrong value are quoted in a message."""
FormFault = tuple[str, str] | None
"""What is wrong with a value, and the remedy; None if it is valid."""


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of TOML in which an unknown key is an error."""


Known = Mapping[str, Collection[str]]
"""What a folder declares: ids by what they are ids of (``person``, ``source``, ``work``)."""


def _names(what: str) -> msgspec.Meta:
    return msgspec.Meta(extra={"names": what})


def _is(form: str) -> msgspec.Meta:
    return msgspec.Meta(extra={"is": form})


PersonId = Annotated[str, _names("person")]
"""Id of a person of ``persons.toml``, or empty where nobody is meant."""
SourceId = Annotated[str, _names("source")]
"""Id of a ``[[source]]`` of the catalog."""
WorkId = Annotated[str, _names("work")]
"""Id of a ``[[work]]`` of the catalog."""
AgentId = Annotated[str, _names("agent")]
"""Id of a person of ``persons.toml``, or ``editors``: all editors together."""
TextId = Annotated[str, _names(Message("edition-source"))]
"""Id of a ``[[source]]`` or of an edition."""
NoteSubtype = Annotated[str, _names(Message("kind-note"))]
"""A kind of note (`jiaokan.model.vocabulary.NOTE_SUBTYPES`)."""
WHERE = {
    "person": "tei/persons.toml", "source": Message("source-tei-catalog-toml"),
    "work": Message("work-tei-catalog-toml"),
    "agent": Message("tei-persons-toml-write-editors"),
    "edition or source": Message("source-tei-catalog-toml-tei"),
    "kind of note": Message("the-program"),
}
"""Where each kind of name is declared."""
Name = Annotated[str, msgspec.Meta(min_length=1, extra={"is": "words"})]
"""Words that are shown, and so may not be missing."""
Label = Annotated[str, _is("label")]
"""Words that are printed as a siglum: one space between two words, no invisible or combining character (`LABEL`)."""
_UNSEEN = (r"\s\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u302a-\u302f\u3099\u309a\ue000-\uf8ff"
           r"\ufe00-\ufe0f\ufeff\U000e0000-\U0010fffd")
LABEL = f"(?:[^{_UNSEEN}]+(?: [^{_UNSEEN}]+)*)?"
"""As the type ``words`` of the schema has it."""
Word = Annotated[str, msgspec.Meta(min_length=1, extra={"is": "word"})]
"""A word of ASCII letters, digits and . _ + -, as the schema's type ``name``."""
Day = Annotated[str, _is("day")]
"""A day, a month or a year as the TEI writes it (``2026-11-20``; ISO 8601, W3C XML Schema)."""
Address = Annotated[str, _is("address")]
"""A web address, or empty."""
Paper = Annotated[str, _is("paper")]
"""A size of paper (`size_of`)."""
Isbn = Annotated[str, _is("isbn")]
"""An ISBN of thirteen digits with its hyphens; or empty."""
Doi = Annotated[str, _is("doi")]
"""A DOI, without ``https://doi.org/``; or empty."""
Orcid = Annotated[str, _is("orcid")]
"""An ORCID iD, without its address; or empty."""
WikidataItem = Annotated[str, _is("wikidata")]
"""An item of Wikidata; or empty."""
CbdbPerson = Annotated[str, _is("cbdb")]
"""The number of a person in the China Biographical Database; or empty."""


def sign(words: str) -> str:
    """Return words as a `Label` can have them: NFC, single spaces, without invisible characters."""
    return " ".join(re.sub(f"(?!\\s)[{_UNSEEN}]", "", unicodedata.normalize("NFC", words)).split())


def without_direction(words: str) -> str:
    """Return words without the embeddings and overrides of direction (UAX 9), which no settings can contain."""
    return re.sub("[\u202a-\u202e]", "", words)


def is_day(text: str) -> bool:
    """Whether a text is an existing year, month or day."""
    if not re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", text):
        return False
    try:
        date.fromisoformat((text + "-01-01")[:10])
    except ValueError:
        return False
    return True


def _paper_fault(value: str) -> FormFault:
    try:
        size_of(value)
    except ValueError as error:
        return error.args[0], Message("allowed-values-width-height-millimetres", paper_sizes=", ".join(PAPER_SIZES))
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """A registry of identifiers outside the folder: works, people, items of data."""

    name: str
    """Its name, also in ``idno/@type``."""
    form: re.Pattern[str]
    """The form of its identifiers, without an address before them."""
    address: str
    """The address of an identifier, which stands in place of ``{}``."""
    sample: str
    """An existing identifier, for messages."""
    has_right_digit: Callable[[str], bool] = lambda _: True
    """Whether the check digit of an identifier of this form is right."""


def orcid_digit(identifier: str) -> bool:
    """Whether the last character of an ORCID iD is its check digit (ISO/IEC 7064, MOD 11-2)."""
    total = 0
    for digit in identifier.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    rest = (12 - total % 11) % 11
    return identifier[-1] == ("X" if rest == 10 else str(rest))


def isbn_digit(identifier: str) -> bool:
    """Whether the last digit of an ISBN is its check digit (ISO 2108, GB/T 5795: weights 1 and 3, modulo 10)."""
    digits = [int(char) for char in identifier if char.isdigit()]
    return sum(digits[::2], 3 * sum(digits[1::2])) % 10 == 0


REGISTRIES: Mapping[str, Registry] = MappingProxyType({
    # ISO 2108:2017, 4: five elements with hyphens or spaces between them; the check digit is that of EAN-13.
    "isbn": Registry(name="ISBN", form=re.compile(r"97[89](?:[- ]\d+){3}[- ]\d(?<=^.{17})"), address="urn:isbn:{}",
                     sample="978-7-101-00307-9", has_right_digit=isbn_digit),
    # The DOI Handbook, 2.2: 10., the number of the registrant, a slash, what it chose; no white space.
    "doi": Registry(name="DOI", form=re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s<>\"{}|\\^`]+"),
                    address="https://doi.org/{}", sample="10.5281/zenodo.3402901"),
    "orcid": Registry(name="ORCID", form=re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]"),
                      address="https://orcid.org/{}", sample="0000-0002-1825-0097", has_right_digit=orcid_digit),
    "wikidata": Registry(name="Wikidata", form=re.compile(r"Q[1-9]\d*"),
                         address="https://www.wikidata.org/entity/{}", sample="Q9397"),
    # China Biographical Database: the number of a person (c_personid), sometimes written with zeros before it.
    "cbdb": Registry(name="CBDB", form=re.compile(r"\d{1,7}"),
                     address="https://cbdb.fas.harvard.edu/cbdbapi/person.php?id={}", sample="3257"),
})
"""The registries by their key in the settings. Identifiers are checked by form and check digit, not on the network."""


def identifier_fault(key: str, value: str) -> FormFault:
    """Return what is wrong with an identifier of the registry `key`, and the remedy; None if it is valid or empty."""
    registry = REGISTRIES[key]
    has_form = registry.form.fullmatch(value)
    if not value or (has_form and registry.has_right_digit(value)):
        return None
    if has_form:
        return Message("check-digit-wrong", registry=registry.name, value=value), Message("copy-again-page")
    bare = registry.form.search(value)
    mend = f'write "{bare[0]}"' if bare and registry.has_right_digit(bare[0]) else (
        Message("write-without-address-before-delete", sample=registry.sample))
    return Message("registry-id-invalid", value=value[:60], registry=registry.name), mend


def registry_address(key: str, value: str) -> str:
    """Return the web address of an identifier of the registry `key`."""
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
    """Return width and height in millimetres of a size given by name (大32开) or by its sides (``140x203``).

    Raises ValueError if it is neither, or if a side is too short or too long.
    """
    name = paper.strip().lower().replace("開", "开")
    if name in PAPER_SIZES:
        return PAPER_SIZES[name]
    match = _SIZE.fullmatch(paper.strip())
    if not match:
        raise ValueError(Message("paper-size-invalid", paper=paper[:20]))
    width, height = float(match[1]), float(match[2])
    if not all(SHORTEST_SIDE <= side <= LONGEST_SIDE for side in (width, height)):
        raise ValueError(Message("paper-side-invalid", width=f"{width:g}", height=f"{height:g}", least=SHORTEST_SIDE,
                                 most=LONGEST_SIDE))
    return width, height


FORMS: Mapping[str, Callable[[str], FormFault]] = MappingProxyType({
    "words": lambda value: None if value.strip() else (Message("white-space"), Message("write-words-shown")),
    "label": lambda value: None if re.fullmatch(LABEL, value) else (
        Message("character-siglum-cannot", value=value[:SHOWN]),
        Message("use-no-private-combining-invisible")),
    "word": lambda value: None if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", value) else (
        Message("word-not-ascii", value=value[:SHOWN]), Message("write-example-isbn-handle-urn")),
    "day": lambda value: None if is_day(value) else (
        Message("date-invalid", value=value[:SHOWN]), Message("write-year-month-day")),
    "address": lambda value: None if re.fullmatch(r"(?:https?://[^\s<>\"{}|\\^`]+)?", value) else (
        Message("not-web-address", address=value[:SHOWN]),
        Message("begin-https-write-without-spaces")),
    "paper": _paper_fault,
    **{key: partial(identifier_fault, key) for key in REGISTRIES},
})
"""The check of each form of text, by the name that its type has in ``extra``."""
