"""The Python API: read, collate, validate and typeset texts from a notebook or a script (docs/python.md).

In come paths, bytes, open files, TEI or strings of witnesses; out go texts, entries, findings and files. Read first
`tei_text` (a text and what it has as values, `values`), `texts` (read, collate, validate) and `outputs` (pages and
books of any TEI).

`jiaokan` itself offers the names of `__all__`, and the commands of `jiaokan` call the same functions. What is slow to
import is imported by the function that needs it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from jiaokan.api.inputs import folder_around, guard, path_of
from jiaokan.api.outputs import output_settings, to_html, to_pdf
from jiaokan.api.texts import (
    Level,
    Source,
    TeiText,
    checks,
    collate_texts,
    read_source,
    read_tei,
    text_of,
    text_of_edition,
    text_of_source,
    validate_tei,
)
from jiaokan.api.values import html_table
from jiaokan.errors import CatalogError, Finding, JiaokanError, Message, Place, one_line, suggestion

if TYPE_CHECKING:
    from jiaokan.build import BuildReport, Event
    from jiaokan.settings.catalog import Catalog

__all__ = [
    "Edition", "Finding", "JiaokanError", "Level", "TeiText", "checks", "collate_texts", "edition_root",
    "output_settings", "read_source", "read_tei", "to_html", "to_pdf", "validate_tei",
]


class Edition:
    """An edition folder, as ``jiaokan init`` makes it; raises CatalogError if there is none at or above `folder`.

    >>> folder = Edition("demo")
    >>> folder.sources, folder.editions
    (('jijie', 'yishu', 'jizhu'), ('jizhu', 'lunyu'))
    >>> folder.convert("jizhu").read("1.1")[:7]
    '子曰学而时习之'
    """

    @guard
    def __init__(self, folder: Path | str = ".") -> None:
        self.root = edition_root(path_of(folder))

    def __repr__(self) -> str:
        return one_line(f"Edition({str(self.root)!r}: {self._counts()})")

    def _counts(self) -> str:
        try:
            return f"{len(self.sources)} sources, {len(self.editions)} editions"
        except JiaokanError as error:  # a repr never fails
            return str(error.message)

    def _repr_html_(self) -> str:
        try:
            texts = dict.fromkeys(self.sources, "source") | dict.fromkeys(self.editions, "edition")
        except JiaokanError:
            texts = {}
        return html_table([{"text": name, "kind": kind} for name, kind in texts.items()], repr(self))

    @cached_property
    def catalog(self) -> Catalog:
        """The settings of the folder; raises CatalogError with everything that is wrong with them."""
        from jiaokan.settings.catalog import load

        return load(self.root)

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of the sources."""
        return tuple(self.catalog.sources)

    @property
    def editions(self) -> tuple[str, ...]:
        """The ids of the editions, critical editions and texts to read."""
        return tuple(self.catalog.editions)

    @guard
    def text(self, name: str) -> TeiText:
        """Return the TEI of an edition or a source that the last build made.

        Raises CatalogError for an unknown id, or if the TEI is not built yet.
        """
        from jiaokan.settings.folder import edition_path

        if name in self.catalog.editions:
            return read_tei(_check_built(edition_path(self.catalog, self.catalog.editions[name])))
        if name not in self.catalog.sources:
            known = tuple(dict.fromkeys([*self.editions, *self.sources]))
            raise CatalogError(Message("no-edition-source-called", name=name), mend=suggestion(name, known))
        return self.witness(name)

    @guard
    def witness(self, source: str) -> TeiText:
        """Return the TEI of a source that the last build made; raises CatalogError as `text`."""
        from jiaokan.settings.folder import witness_path

        return read_tei(_check_built(witness_path(self.catalog, self.catalog.source(source).id)))

    @guard
    def convert(self, source: str) -> TeiText:
        """Read a source and return its TEI; raises CatalogError, SourceError or DecisionError."""
        return text_of_source(self.catalog.source(source), self.catalog)

    @guard
    def collate(self, edition: str, witnesses: Mapping[str, Source] | None = None) -> TeiText:
        """Collate a critical edition; its witnesses' TEI must be built, or is given by id as texts or files.

        Raises CatalogError for an unknown id, CollationError or DecisionError for what cannot be collated or applied.
        """
        from jiaokan.editions.edition import make_edition, witnesses_of
        from jiaokan.editions.loose import LooseEdition

        plan = self.catalog.edition(edition, critical=True)
        paths_by_id = {self.catalog.source(name).id: path_of(source) if isinstance(source, str | os.PathLike)
                 else text_of(source).document for name, source in (witnesses or {}).items()}
        documents = witnesses_of(plan, self.catalog, paths_by_id)
        return text_of_edition(LooseEdition.of(make_edition(plan, documents, self.catalog)))

    @guard
    def build(self, out: Path | str | None = None, *, jobs: int = 0, force: bool = False, memory: int = 0,
              scheduler: str = "", watch: Callable[[Event], None] = lambda _: None) -> BuildReport:
        """Build the TEI, website and PDFs, as ``jiaokan build``; raises JiaokanError (see `jiaokan.build.build`)."""
        from jiaokan.build import build

        folder = path_of(out) if out else None
        return build(self.root, folder, jobs=jobs, force=force, memory=memory, scheduler=scheduler, watch=watch)


def _check_built(path: Path) -> Path:
    """Return the path of a TEI file; raises CatalogError if it is not built yet."""
    if not path.exists():
        raise CatalogError(Message("tei-not-built-yet"), place=Place(str(path)), mend=Message("run-jiaokan-build"))
    return path


def edition_root(folder: Path) -> Path:
    """Return the edition folder at or above a path.

    Raises CatalogError if there is none. A path that does not exist is an error too: for a mistyped name the folder
    around it is not meant.
    """
    if not folder.exists():
        raise CatalogError(Message("folder-not-found"), place=Place(str(folder)),
                           mend=Message("give-edition-folder-makes"))
    if root := folder_around(folder.resolve()):
        return root
    named = folder if folder.name else folder.resolve()  # "." names nothing
    raise CatalogError(Message("no-edition-folder-above-no"), place=Place(str(named)),
                       mend=Message("give-folder-make"))
