"""Exports of the apparatus for other programs and for people: one module a form, found by scanning.

The module ``collatex_json.py`` is the form ``collatex-json`` of ``jiaokan collate -f``; each has a function
``write(document: Document, settings: ExportSettings) -> str``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Literal, Protocol, cast

from jiaokan.characters.scripts import Interface, term
from jiaokan.entries import Entry
from jiaokan.entries.left_out import Exclusions, find_left_out
from jiaokan.errors import JiaokanError, Message
from jiaokan.messages import language_of_interface
from jiaokan.model import Document
from jiaokan.model.references import References
from jiaokan.settings.plans import ApparatusPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSettings:
    """What a form needs beside the document."""

    sigla: Mapping[str, str] = field(default_factory=dict)
    """Printed names of the witnesses by id, in order; others are called by their id."""
    persons: Mapping[str, str] = field(default_factory=dict)  # full names, by id, of persons who conjecture
    without: frozenset[str] = frozenset()  # classes of variants that are left out: their readings join the lemma
    part: str = "all"  # ``text`` (base text), ``notes`` (commentary) or ``all``
    apparatus: ApparatusPlan = field(default_factory=ApparatusPlan)  # contents of the 校勘记, from the edition's TOML
    interface: Interface | Literal[""] = ""  # language of the wording; empty: that of the text's characters
    tei: bytes = b""  # the edition's TEI, for forms that copy from it
    decisions: Path | None = None  # folder of the editor's decisions; its forms.toml decides traditional forms
    positive: bool = False  # whether entries name the witnesses of the lemma too
    shown: bool = False  # whether it is somebody else's file: what that does not state, no form states

    @property
    def is_positive(self) -> bool:
        """Whether the user or the edition's TOML asks for the witnesses of the lemma."""
        return self.positive or self.apparatus.positive

    def siglum(self, witness: str) -> str:
        """Return the printed name of a witness."""
        return self.sigla.get(witness, witness)

    def distinct_sigla(self, names: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
        """Return a siglum for each witness, no two the same and none of those `taken`: the second 通解 is 通解2."""
        by_witness: dict[str, str] = {}
        for name in names:
            siglum, n = self.siglum(name), 1
            while siglum in taken or siglum in by_witness.values():
                n += 1
                siglum = f"{self.siglum(name)}{n}"
            by_witness[name] = siglum
        return by_witness

    @property
    def names(self) -> Mapping[str, str]:
        """Names in sentences: sigla of witnesses, full names of persons."""
        return {**self.sigla, **self.persons}


def left_out_by(
    document: Document, settings: ExportSettings, kept: Iterable[Entry] | None = None, *, moved: bool = True
) -> Exclusions:
    """Return what a form leaves out that has the entries `kept`, or those of the settings, and moved passages or not.
    """
    return find_left_out(document, without=settings.without, part=settings.part, kept=kept, moved=moved)


def tell_readers(left: Exclusions, document: Document, interface: Interface) -> list[str]:
    """Return lines for people that say what is left out, in their language: numbers, then references by class."""
    def class_name(name: str) -> str:
        return term(f"variant-{name}", interface)

    def place(identifier: str) -> str:
        return where.of(identifier).partition(":")[2]

    where, language = References(document), language_of_interface(interface)
    said = [message.in_language(language) for message in left.messages(class_name)]
    return [*said, *left.places(place, class_name)]


def tell_programs(left: Exclusions) -> list[str]:
    """Return lines that say what is left out, the same in each language: ids of classes and of entries."""
    return [*map(str, left.messages(str)), *left.places(str, str)]


class Export(Protocol):
    """A module that writes one form.

    It says what it leaves out, in its own way: as a comment, a note, a property. A form without a place for that has
    ``SILENT = True``; the command line then says it on standard error.
    """

    def write(self, document: Document, settings: ExportSettings) -> str:
        """Return the edition in this form. Raises JiaokanError if the form cannot hold it."""
        ...


def names() -> tuple[str, ...]:
    """Return the names of all forms in alphabetical order."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def get(name: str) -> Export:
    """Return a form by name. Raises JiaokanError for an unknown name."""
    if name not in names():
        raise JiaokanError(Message("form-missing", name=name), mend=Message("known-names", names=", ".join(names())))
    return cast(Export, import_module(f"{__name__}.{name.replace('-', '_')}"))
