"""The apparatus of an edition for other programs and other people: each form is one module, found by scanning.

The module ``collatex_json.py`` is the form ``collatex-json`` of ``jiaokan collate -f``; each has a function
``write(document: Document, settings: ExportSettings) -> str``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Literal, Protocol, cast

from pipeline.characters.scripts import Interface
from pipeline.errors import JiaokanError
from pipeline.model import Document
from pipeline.settings.plans import ApparatusPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSettings:
    """What a form has to know that the document does not say."""

    sigla: Mapping[str, str] = field(default_factory=dict)
    """Printed names of the witnesses by id, in their order; one that is not there is named by its id."""
    persons: Mapping[str, str] = field(default_factory=dict)
    """Full names of persons by id: of those who conjecture."""
    without: frozenset[str] = frozenset()
    """Classes of variants that are left out: their readings go with the lemma."""
    part: str = "all"
    """``text`` (base text), ``notes`` (commentary) or ``all``."""
    apparatus: ApparatusPlan = field(default_factory=ApparatusPlan)
    """What the 校勘记 tells, as the edition's TOML says."""
    interface: Interface | Literal[""] = ""
    """What the program speaks of the text; empty: as its characters tell."""
    tei: bytes = b""
    """The edition's TEI with its header, for the form that is just this."""

    def siglum(self, witness: str) -> str:
        """Give the printed name of a witness."""
        return self.sigla.get(witness, witness)

    @property
    def names(self) -> Mapping[str, str]:
        """Give the names that sentences use: sigla of witnesses, full names of persons."""
        return {**self.sigla, **self.persons}


class Export(Protocol):
    """A module that writes one form."""

    def write(self, document: Document, settings: ExportSettings) -> str:
        """Give the edition in this form; raises JiaokanError if the form cannot hold it."""
        ...


def names() -> tuple[str, ...]:
    """Give the names of all forms, in alphabetical order."""
    return tuple(sorted(module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)))


def get(name: str) -> Export:
    """Give a form by its name; raises JiaokanError that lists the known names."""
    if name not in names():
        raise JiaokanError(f"no form {name!r}", mend=f"known: {', '.join(names())}")
    return cast(Export, import_module(f"{__name__}.{name.replace('-', '_')}"))
