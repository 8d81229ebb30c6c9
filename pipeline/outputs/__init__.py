"""What is made of a TEI file for people: each output is one module of this folder, found by scanning.

An output module has a `NAME` (its own file name) and a function
``make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport``. Its name is also its command
(``jiaokan NAME FILE``), what a plan's ``[print] also`` calls it, and the ending of the file that a build then makes;
the first line of its docstring is the command's help. What serves the outputs stands in folders (``print``, ``web``).
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast
from xml.sax.saxutils import quoteattr

from pipeline.characters.scripts import Interface
from pipeline.errors import Finding, JiaokanError, suggestion
from pipeline.settings.plans import ApparatusPlan, PrintPlan

DOCUMENT = "TEI"
"""What errors call the document that an output is given: it comes without the name of its file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSettings:
    """What an output has to know that the TEI does not say."""

    print: PrintPlan = field(default_factory=PrintPlan)
    apparatus: ApparatusPlan = field(default_factory=ApparatusPlan)
    """What the 校勘记 tells."""
    decisions: Path | None = None
    """Folder of the editor's decisions: its ``print.toml`` says how characters that no font has are printed."""
    fonts: tuple[Path, ...] = ()
    """Font files for characters that our own font lacks (PDF)."""
    interface: Interface = "hans"
    """What the program speaks of the text: an output tells it from the text's language."""
    press: Path | None = None
    """A Typst file whose functions and measures are used instead of ours of the same name (PDF)."""
    profile: Path | None = None
    """The ICC profile of the press that the plan names (PDF)."""
    description: str = ""
    """One sentence on what the edition is, for the landing page, if the TEI header has none."""
    pdf: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the text's PDFs, relative to its HTML folder, each with its layout; several of one layout
    are its volumes. Empty: none is offered."""
    tei: str = ""
    """Address of the text's TEI file, relative to the text's HTML folder; empty: none is offered."""
    latin: Mapping[str, str] = field(default_factory=dict)
    """Names and titles that the settings spell in Latin letters: an index by readings goes by them."""
    front: str = ""
    """What the editor wrote to stand before the text, as `pipeline.outputs.front` gives it; empty: nothing."""
    url: str = ""
    """Where the site will be published, as an absolute address; empty: nobody has said."""
    image_hosts: tuple[str, ...] = ()
    """Hosts from which pages may fetch pictures of leaves (HTML)."""
    quoted: str = ""
    """Who quotes the text where, as `pipeline.outputs.web.quoted` gives it (HTML); empty: nobody."""
    witnesses: Mapping[str, bytes] = field(default_factory=dict)
    """The TEI of an edition's witnesses, by id: a page then shows each from its own (HTML)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputReport:
    """What an output made."""

    files: tuple[Path, ...]
    """Every file written, in a fixed order."""
    pages: int
    """Pages of the PDF or of the site."""
    findings: tuple[Finding, ...] = ()


def facts(*parts: str, **about: str) -> str:
    """Return the parameter ``facts`` of the stylesheets: what pages need besides the TEI (see xslt/params.xsl).

    `parts` are XML elements of the namespace ``urn:jiaokan:prepared`` (declared in each), or empty; `about` become
    attributes (``image_hosts`` is ``@image-hosts``).
    """
    attributes = "".join(f" {name.replace('_', '-')}={quoteattr(value)}" for name, value in about.items() if value)
    return f'<facts xmlns="urn:jiaokan:prepared"{attributes}>{"".join(parts)}</facts>'


class Output(Protocol):
    """A module that makes one kind of output."""

    NAME: str

    def make(self, tei: bytes, target: Path, settings: OutputSettings) -> OutputReport:
        """Make the output of one TEI file at `target`; raises RenderError."""
        ...


def names() -> tuple[str, ...]:
    """Give the names of all outputs, in alphabetical order, without loading them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg))


def get(name: str) -> Output:
    """Give an output by its name; raises JiaokanError with the nearest name there is, or all."""
    if name not in names():
        raise JiaokanError(f"no output {name!r}", mend=suggestion(name, names(), f"known: {', '.join(names())}"))
    return cast(Output, import_module(f"{__name__}.{name}"))
