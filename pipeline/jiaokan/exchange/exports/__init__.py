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

from jiaokan.characters.scripts import Interface
from jiaokan.errors import JiaokanError, Message
from jiaokan.model import Document
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


class Export(Protocol):
    """A module that writes one form."""

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
