"""All texts of an edition folder, as the proposals need them: their passages, and what of these is punctuated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from pipeline.decisions.punctuation.files import PunctuatedLine, load
from pipeline.errors import CatalogError, Place
from pipeline.model import Document
from pipeline.punctuate.carried import PunctuatedText
from pipeline.punctuate.passages import BarePassage, PunctuatedPassage, of_editor, of_source, passages
from pipeline.punctuate.usage import FolderUsage
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, punctuation_paths, witness_path
from pipeline.tei.parse import from_tei


@dataclass(frozen=True, kw_only=True)
class FolderTexts:
    """The texts of a folder."""

    witnesses: tuple[tuple[BarePassage, ...], ...]
    """The passages of each witness, in the order of the catalog."""
    printed: tuple[PunctuatedPassage, ...]
    """What of them is punctuated by its source."""
    edition: tuple[BarePassage, ...]
    """The passages of the edition that is asked for."""
    lines: tuple[PunctuatedLine, ...]
    """The lines that its files of punctuation have."""
    read: tuple[PunctuatedPassage, ...]
    """What editors punctuated, of this edition and of the others."""

    @classmethod
    def of(cls, catalog: Catalog, edition: str) -> Self:
        """Read the TEI of all witnesses, of the edition, and of other editions that have punctuation.

        Raises CatalogError for a text whose TEI is not made yet, DecisionError for faults in files of punctuation.
        """
        documents = {name: _document(witness_path(catalog, name)) for name in catalog.sources}
        texts = {name: passages(document) for name, document in documents.items()}
        printed = [each for name, document in documents.items() for each in of_source(document, texts[name])]
        read: list[PunctuatedPassage] = []
        own: tuple[BarePassage, ...] = ()
        lines: tuple[PunctuatedLine, ...] = ()
        for name, plan in catalog.editions.items():
            if name != edition and not punctuation_paths(catalog.root, name):
                continue
            path = witness_path(catalog, plan.witness) if plan.kind == "reading" else edition_path(catalog, plan)
            found = passages(_document(path))
            typed = load(catalog.root, name, catalog.persons)
            read += of_editor(found, typed)
            if name == edition:
                own, lines = found, typed
        return cls(witnesses=tuple(texts.values()), printed=tuple(printed), edition=own, lines=lines, read=tuple(read))

    @cached_property
    def usage(self) -> FolderUsage:
        """How the witnesses use their graphs."""
        return FolderUsage.of(each.keys for texts in (*self.witnesses, self.edition) for each in texts)

    @cached_property
    def punctuated(self) -> PunctuatedText:
        """All punctuated passages, the editors' first."""
        return PunctuatedText.of([*self.read, *self.printed])

    @cached_property
    def taught(self) -> Sequence[PunctuatedPassage]:
        """What a model learns from: the editors' passages; those of sources too, while editors set fewer stops."""
        few = sum(len(each.stops) for each in self.read) < sum(len(each.stops) for each in self.printed)
        return [*self.read, *self.printed] if few else self.read


def _document(path: Path) -> Document:
    if not path.exists():
        raise CatalogError("this TEI has not been made yet", place=Place(str(path)), mend="`jiaokan build`")
    return from_tei(path.read_bytes(), name=path.name)
