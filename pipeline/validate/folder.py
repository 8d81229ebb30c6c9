"""The edition folder in which a TEI file lies: what it can be held against."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from pipeline.errors import JiaokanError, TeiError
from pipeline.model import Document
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog, SourceEntry
from pipeline.settings.plans import EditionPlan
from pipeline.tei.parse import from_tei


@dataclass
class Home:
    """A file ``ROOT/tei/witnesses/ID.xml`` or ``ROOT/tei/editions/ID.xml`` of an edition folder."""

    root: Path
    path: Path
    data: bytes
    catalog: Catalog
    """The folder's settings."""

    fault: TeiError | None = None
    """Why the file is not of our encoding, once that was tried (`document`)."""

    @cached_property
    def document(self) -> Document | None:
        """What the file holds; None if it is not of our encoding."""
        try:
            return from_tei(self.data, name=self.path.name)
        except TeiError as error:
            self.fault = error
            return None

    @property
    def entry(self) -> SourceEntry | None:
        """The source of which the file is the TEI."""
        return self.catalog.sources.get(self.path.stem) if self.path.parent.name == "witnesses" else None

    @property
    def plan(self) -> EditionPlan | None:
        """The plan of the edition that the file is."""
        return self.catalog.editions.get(self.path.stem) if self.path.parent.name == "editions" else None

    def witness(self, name: str) -> Document | None:
        """Give the witness of this id from its own file; None if there is none that can be read."""
        return _witness(self.root / "tei" / "witnesses" / f"{name}.xml")


def home(path: Path, data: bytes, catalog: Catalog | None = None) -> Home | None:
    """Give the edition folder of a file; None if it lies in none, or in one whose settings cannot be read. `catalog`
    are its settings, if they are at hand."""
    place = path.resolve()
    if place.parent.name not in ("witnesses", "editions") or place.parents[1].name != "tei":
        return None
    root = place.parents[2]
    try:
        known = catalog if catalog and catalog.root == root else _catalog(root)
    except JiaokanError:
        return None
    return Home(root, place, data, known)


@cache
def _catalog(root: Path) -> Catalog:
    return catalogs.load(root)


@cache
def _read(path: Path, _changed: int) -> Document | None:
    try:
        return from_tei(path.read_bytes(), name=path.name)
    except TeiError:
        return None  # that is told of the file itself; what the machine refuses is no finding in another


def _witness(path: Path) -> Document | None:
    return _read(path, path.stat().st_mtime_ns) if path.exists() else None
