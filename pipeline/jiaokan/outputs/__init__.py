"""Outputs made from a TEI file (HTML, PDF, EPUB, DOCX); each is one module here, found by scanning.

In comes TEI with a plan's settings; out go files for readers: pages, books, documents. Read first `text.prepare` (the
form that all outputs print), `html` (the website) and `pdf` (layouts and Typst).

An output module has a `NAME` (its file name) and
``make(tei: bytes, target: Path, settings: OutputSettings) -> OutputReport``. The name is also its command
(``jiaokan NAME FILE``), its name in a plan's ``[print] also`` and its file's suffix; the first line of its docstring
is the command's help. The folders ``text``, ``print`` and ``web`` serve the outputs.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast
from xml.sax.saxutils import quoteattr

from jiaokan.characters.scripts import Interface
from jiaokan.errors import Finding, JiaokanError, Message, suggestion
from jiaokan.settings.plans import ApparatusPlan, PrintPlan

DOCUMENT = "TEI"
"""Name of the document in errors; an output gets no file name."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a witness: files in the order of their numbers, and how leaves follow them."""

    files: tuple[Path, ...]
    first: int = 1
    """The one of the first leaf, from 1."""
    pages: int = 1
    """Leaves on each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSettings:
    """Settings of an output that are not in the TEI."""

    print: PrintPlan = field(default_factory=PrintPlan)
    apparatus: ApparatusPlan = field(default_factory=ApparatusPlan)
    """Which entries the 校勘记 prints."""
    decisions: Path | None = None
    """Folder of the editor's decisions; its ``print.toml`` decides characters that no font has."""
    fonts: tuple[Path, ...] = ()
    """Font files for characters that our own font lacks (PDF)."""
    prepared: bytes = b""
    """The prepared form of the text (`jiaokan.outputs.text.prepare`), if it was made before; a build makes it
    from the TEI with the quotations between texts, which are links in the HTML and do not show in print."""
    interface: Interface = "hans"
    """Interface language; outputs derive it from the text's language."""
    language: str = ""
    """Language of the text (BCP 47), and its script (ISO 15924); outputs derive them as the interface."""
    script: str = ""
    press: Path | None = None
    """A Typst file whose functions and measures replace ours of the same name (PDF)."""
    profile: Path | None = None
    """The ICC profile of the press that the plan names (PDF)."""
    plates: tuple[Path, ...] = ()
    """The pictures that the plan names (PDF)."""
    description: str = ""
    """One sentence about the edition, if the TEI header has none."""
    pdf: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the text's PDFs, relative to its HTML folder, each with its layout; several of one layout are
    volumes."""
    tei: str = ""
    """Address of the text's TEI file, relative to its HTML folder; empty if the folder gets a copy."""
    latin: Mapping[str, str] = field(default_factory=dict)
    """Names and titles with their spelling in Latin letters, for an index by readings."""
    front: str = ""
    """The editor's front matter, from `jiaokan.outputs.text.front`; empty if there is none."""
    url: str = ""
    """Absolute address where the site will be published; empty if unknown."""
    image_hosts: tuple[str, ...] = ()
    """Hosts from which pages may load pictures of leaves (HTML)."""
    quoted: str = ""
    """Who quotes the text where, from `jiaokan.outputs.web.links` (HTML); empty if nobody does."""
    pictures: Mapping[str, Pictures] = field(default_factory=dict)
    """Pictures of the leaves of witnesses by id, from folders of this machine (HTML)."""
    witnesses: Mapping[str, bytes] = field(default_factory=dict)
    """TEI of an edition's witnesses by id, for their views (HTML)."""
    plain: bytes = b""
    """The text's TEI without quotations, whose document may be stored already (HTML); empty: that of the text."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OutputReport:
    """The result of an output."""

    files: tuple[Path, ...]
    """Every file written, in a fixed order."""
    pages: int
    """Pages of the PDF or of the site."""
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        """Return one line: a site has thousands of files."""
        return f"<{len(self.files):,} files, {self.pages:,} pages, {len(self.findings):,} findings>"


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
        """Write the output of one TEI file to `target`. Raises RenderError."""
        ...


def names() -> tuple[str, ...]:
    """Return the names of all outputs, sorted, without loading them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg))


def get(name: str) -> Output:
    """Return an output by its name. Raises JiaokanError for an unknown name."""
    if name not in names():
        raise JiaokanError(Message("output-missing", name=name), mend=suggestion(name, names()))
    return cast(Output, import_module(f"{__name__}.{name}"))
