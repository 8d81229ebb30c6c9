"""What an editor can decide about readings, as tables of ``tei/decisions/lemmas*.toml``, and as TOML again.

Every table says where (`unit` of the edition; with `speaker`, that person's notes there; `context`, words as the
edition prints them, those in question in square brackets), who, when, why and how surely. ``[[lemma]]`` prints a
reading, or leaves its place open (cert low); ``[[class]]`` judges a reading; ``[[merge]]`` makes the entries in the
brackets one; ``[[split]]`` parts one at each ``|``; ``[[reject]]`` is no variant; ``[[note]]`` only speaks;
``[[emendation]]`` prints what no witness has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from pipeline.decisions import context
from pipeline.errors import Place
from pipeline.model import Certainty, VariantClass
from pipeline.settings.catalog import Catalog, typed
from pipeline.settings.plans import EditionPlan, Strict
from pipeline.settings.toml import table_lines

_CONTEXT = re.compile(r"([^\[\]]*)\[([^\[\]]*)\]([^\[\]]*)")


class Ruling(Strict, frozen=True, kw_only=True):
    """Where something is decided, by whom, when, why and how surely."""

    unit: str
    context: str
    resp: str
    why: str
    when: date
    cert: Certainty = "medium"
    speaker: str = ""

    @property
    def id(self) -> str:
        """Id of the unit, or of the place of the notes; a reference (yili:6.1.2) means the same."""
        return self.unit.replace(":", ".", 1)

    def parts(self) -> tuple[str, str, str] | None:
        """Give the context before, in and after the brackets; None if it has not one pair of them."""
        found = _CONTEXT.fullmatch(self.context)
        return (found[1], found[2], found[3]) if found else None


class Reads(Ruling, frozen=True, kw_only=True):
    """A decision on one reading, given by its words or by a witness that has it."""

    reading: str | None = None
    witness: str = ""


class Lemma(Reads, frozen=True, kw_only=True):
    """The reading that the editor prints; of low certainty, the place is open."""


class Class(Reads, frozen=True, kw_only=True):
    """How a reading differs from the lemma."""

    variant: VariantClass


class Merge(Ruling, frozen=True, kw_only=True):
    """What stands in the brackets is one entry."""


class Split(Ruling, frozen=True, kw_only=True):
    """The entry in the brackets is several, parted at each ``|``."""


class Reject(Ruling, frozen=True, kw_only=True):
    """The entry is no variant of the text."""


class Comment(Ruling, frozen=True, kw_only=True):
    """What is to be said about the entry."""


class Emendation(Ruling, frozen=True, kw_only=True):
    """The editor prints what no witness has."""

    reading: str


class _File(Strict, frozen=True, kw_only=True):
    lemma: tuple[Lemma, ...] = ()
    classes: tuple[Class, ...] = msgspec.field(default=(), name="class")
    merge: tuple[Merge, ...] = ()
    split: tuple[Split, ...] = ()
    reject: tuple[Reject, ...] = ()
    note: tuple[Comment, ...] = ()
    emendation: tuple[Emendation, ...] = ()


KINDS: dict[type[Ruling], str] = {
    Merge: "merge", Split: "split", Lemma: "lemma", Emendation: "emendation", Class: "class", Reject: "reject",
    Comment: "note",
}
"""Each kind of decision with the name of its table, in the order in which they are applied."""


@dataclass(frozen=True, slots=True)
class Filed:
    """A decision and where it is filed."""

    path: Path
    ruling: Ruling
    line: int = 0

    @property
    def place(self) -> Place:
        """The file and line of its table."""
        return Place(str(self.path), self.line)


def load(root: Path) -> tuple[Filed, ...]:
    """Read the decisions of an edition folder in the order of their application; raises CatalogError."""
    return tuple(sorted(_filed(root), key=lambda each: list(KINDS).index(type(each.ruling))))


def _filed(root: Path) -> Iterator[Filed]:
    for path in sorted((root / "tei" / "decisions").glob("lemmas*.toml")):
        file, heads = typed(path, _File), table_lines(path)
        for field in msgspec.structs.fields(_File):
            lines = heads.get(field.encode_name, [])
            for ruling, line in zip_longest(getattr(file, field.name), lines):
                yield Filed(path, ruling, line or 0)


def unknown(ruling: Ruling, plan: EditionPlan, catalog: Catalog) -> str:
    """Say what a decision names that an edition or its folder does not have; else nothing."""
    text, _, rest = ruling.id.partition(".")
    if text not in catalog.editions:
        return f"no edition is called {text!r}{context.name(text, catalog.editions)}"
    if text == plan.id and rest.split(".")[0] not in {str(chapter.n) for chapter in plan.chapters}:
        return "the edition has no such chapter"
    if reason := context.nobody(ruling.resp, catalog.persons):
        return reason
    witnesses = [*plan.all_witnesses(), *catalog.lists.reported()]
    if isinstance(ruling, Reads) and ruling.witness and text == plan.id and ruling.witness not in witnesses:
        own = [name for name, entry in catalog.sources.items() if entry.siglum == ruling.witness]
        return f"{ruling.witness!r} is no witness of the edition" + (
            f": write its id, {own[0]!r}" if own else context.name(ruling.witness, witnesses)
        )
    return ""


def toml(ruling: Ruling) -> str:
    """Write a decision as a table of TOML."""
    lines = [f"[[{KINDS[type(ruling)]}]]"]
    for field in msgspec.structs.fields(type(ruling)):
        value = getattr(ruling, field.name)
        if value is not None and (value != "" or field.required or field.name == "reading"):
            lines.append(f"{field.name} = {_string(value)}")
    order = ["unit", "speaker", "context", "reading", "witness", "variant", "resp", "why", "when", "cert"]
    lines[1:] = sorted(lines[1:], key=lambda line: order.index(line.split(" ")[0]))
    return "\n".join(lines) + "\n"


def _string(value: Any) -> str:
    """Write a basic string of TOML, whose escapes are those of JSON."""
    return msgspec.json.encode(str(value)).decode("utf-8").replace("\x7f", "\\u007f")
