"""Types of values that name something declared elsewhere in the folder, or that must be of one form.

`pipeline.settings.faults` holds each against what the folder declares, wherever a table of settings has one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Annotated, Any

import msgspec

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
