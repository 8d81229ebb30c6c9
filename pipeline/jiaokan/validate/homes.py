"""The edition folder that a TEI file is in: its source or plan, and the witnesses beside it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from jiaokan.errors import JiaokanError, TeiError
from jiaokan.model import Document
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.settings.plans import EditionPlan
from jiaokan.tei.parse import from_tei


@dataclass
class Home:
    """A file ``ROOT/tei/witnesses/ID.xml`` or ``ROOT/tei/editions/ID.xml`` of an edition folder."""

    root: Path
    path: Path
    data: bytes
    catalog: Catalog

    fault: TeiError | None = None  # why the file is not in our encoding; set by `document`

    @cached_property
    def document(self) -> Document | None:
        """The document; None if the file is not in our encoding."""
        try:
            return from_tei(self.data, name=self.path.name)
        except TeiError as error:
            self.fault = error
            return None

    @property
    def entry(self) -> SourceEntry | None:
        """The source of a witness."""
        return self.catalog.sources.get(self.path.stem) if self.path.parent.name == "witnesses" else None

    @property
    def plan(self) -> EditionPlan | None:
        """The plan of an edition."""
        return self.catalog.editions.get(self.path.stem) if self.path.parent.name == "editions" else None

    def witness(self, name: str) -> Document | None:
        """Return the witness of this id from its own file; None if it cannot be read."""
        path = self.root / "tei" / "witnesses" / f"{name}.xml"
        return _read(path, path.stat().st_mtime_ns) if path.exists() else None


def home(path: Path, data: bytes, catalog: Catalog | None = None) -> Home | None:
    """Return the edition folder of a file; None if it is in none, or the folder's settings cannot be read. `catalog` is
    its catalog, if already loaded."""
    place = path.resolve()
    if place.parent.name not in ("witnesses", "editions") or place.parents[1].name != "tei":
        return None
    root = place.parents[2]
    try:
        known = catalog if catalog and catalog.root == root else _catalog(root)
    except JiaokanError:
        return None
    return Home(root, place, data, known)


_catalog = cache(catalogs.load)


@cache
def _read(path: Path, _changed: int) -> Document | None:
    try:
        return from_tei(path.read_bytes(), name=path.name)
    except TeiError:
        return None  # reported for that file itself; errors of the system are not caught
