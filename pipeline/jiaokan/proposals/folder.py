"""All texts of an edition folder: their passages, which of them are punctuated, and the marks to carry over.

For each place between two graphs the punctuated texts are searched for the same graphs before it and after it; what
counts is how many agree. A passage that agrees with one source in its first half and with another in its second takes
marks from both, and a graph that differs affects only the places beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

from rapidfuzz.distance import Postfix, Prefix

from jiaokan.decisions.punctuation.files import PunctuatedLine, load
from jiaokan.errors import CatalogError, Message, Place
from jiaokan.model import Document
from jiaokan.proposals.passages import BarePassage, FolderUsage, PunctuatedPassage, of_editor, of_source, passages
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import edition_path, punctuation_paths, witness_path
from jiaokan.tei.parse import from_tei


@dataclass(frozen=True, kw_only=True)
class FolderTexts:
    """The texts of a folder."""

    witnesses: tuple[tuple[BarePassage, ...], ...]
    """The passages of each witness, in the order of the catalog."""
    printed: tuple[PunctuatedPassage, ...]
    """Those that their sources punctuate."""
    edition: tuple[BarePassage, ...]
    lines: tuple[PunctuatedLine, ...]
    """The lines that its files of punctuation have."""
    read: tuple[PunctuatedPassage, ...]
    """What editors punctuated, of this edition and of the others."""

    @classmethod
    def of(cls, catalog: Catalog, edition: str) -> Self:
        """Read the TEI of all witnesses, of the edition, and of other punctuated editions. Raises CatalogError for a
        text whose TEI does not exist yet, DecisionError for faults in files of punctuation."""
        documents = {name: _document(witness_path(catalog, name)) for name in catalog.sources}
        texts = {name: passages(document) for name, document in documents.items()}
        printed = [passage for name, document in documents.items() for passage in of_source(document, texts[name])]
        read: list[PunctuatedPassage] = []
        edition_passages: tuple[BarePassage, ...] = ()
        lines: tuple[PunctuatedLine, ...] = ()
        for name, plan in catalog.editions.items():
            if name != edition and not punctuation_paths(catalog.root, name):
                continue
            path = witness_path(catalog, plan.witness) if plan.kind == "reading" else edition_path(catalog, plan)
            text = passages(_document(path))
            typed = load(catalog.root, name, catalog.persons)
            read += of_editor(text, typed)
            if name == edition:
                edition_passages, lines = text, typed
        return cls(
            witnesses=tuple(texts.values()), printed=tuple(printed), edition=edition_passages, lines=lines,
            read=tuple(read),
        )

    @cached_property
    def usage(self) -> FolderUsage:
        """How the witnesses use their graphs."""
        return FolderUsage.of(passage.keys for texts in (*self.witnesses, self.edition) for passage in texts)

    @cached_property
    def punctuated_text(self) -> PunctuatedText:
        """All punctuated passages, the editors' first."""
        return PunctuatedText.of([*self.read, *self.printed])

    @cached_property
    def training_passages(self) -> Sequence[PunctuatedPassage]:
        """The passages that a model learns from: the editors', and those of sources while editors set fewer stops."""
        few = sum(len(passage.stops) for passage in self.read) < sum(len(passage.stops) for passage in self.printed)
        return [*self.read, *self.printed] if few else self.read


def _document(path: Path) -> Document:
    if not path.exists():
        raise CatalogError(Message("tei-file-not-exist-yet"), place=Place(str(path)), mend=Message("run-jiaokan-build"))
    return from_tei(path.read_bytes(), name=path.name)


_SIDE = 2
"""Graphs on each side of a place that must agree; more are counted. These three: docs/development/measured.md."""
LEAST = 6
"""Graphs that agree, both sides together, without which nothing is carried over."""
_REACH = 12
"""Most graphs counted on each side."""
_MOST = 400
"""Places with the same graphs beside them that are compared, for speed: what stands oftener is a formula."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CarriedSlot:
    """The signs at a place in punctuated text with the same words around it."""

    signs: str
    """All marks there; empty where the same words stand without any."""
    agreeing: int
    """How many graphs before and after it agree."""
    source: PunctuatedPassage


@dataclass
class PunctuatedText:
    """Punctuated passages, indexed by the graphs beside each place."""

    passages: Sequence[PunctuatedPassage]
    places: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Passage and place by the graphs on both sides."""

    @classmethod
    def of(cls, passages: Iterable[PunctuatedPassage]) -> PunctuatedText:
        """Index passages; of two with the same words and marks, the first."""
        last_first = {(passage.passage.keys, passage.marks): passage for passage in reversed(tuple(passages))}
        distinct = tuple(last_first.values())[::-1]
        places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for n, passage in enumerate(distinct):
            keys = passage.passage.keys
            for at in range(_SIDE, len(keys) - _SIDE + 1):
                places[keys[at - _SIDE : at + _SIDE]].append((n, at))
        return cls(distinct, dict(places))

    def at(self, keys: str, place: int, allowed: Callable[[PunctuatedPassage], bool]) -> CarriedSlot | None:
        """Return the signs of the text in which most graphs beside a place agree; None if too few agree."""
        best: list[PunctuatedPassage] = []
        slots: list[str] = []
        most = (0, 0)
        for n, at in self.places.get(keys[max(0, place - _SIDE) : place + _SIDE], ())[:_MOST]:
            source = self.passages[n]
            theirs = source.passage.keys
            before = Postfix.similarity(keys[max(0, place - _REACH) : place], theirs[max(0, at - _REACH) : at])
            after = Prefix.similarity(keys[place : place + _REACH], theirs[at : at + _REACH])
            size = before + after, min(before, after)
            if size >= most and size[0] >= LEAST and allowed(source):
                if size > most:
                    most, best, slots = size, [], []
                best.append(source)
                slots.append(source.slots.get(at, ""))
        if not best:
            return None
        signs = max(dict.fromkeys(slots), key=slots.count)
        return CarriedSlot(signs=signs, agreeing=most[0], source=best[slots.index(signs)])
