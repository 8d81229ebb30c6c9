"""The sources of a folder as the desk keeps them: each read once, and again as far as decisions on it changed.

What is kept: the source as read before decisions on characters, which new boundaries and targets alone change; these
decisions applied; and each chapter as its TEI gives it back, since texts are collated from that. No file is written:
the next build does.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from dataclasses import dataclass, field
from threading import RLock

from msgspec.structs import replace

from pipeline import readers
from pipeline.annotate.identifiers import renumber
from pipeline.characters.glyphs import contexts
from pipeline.characters.parallels import Parallels, SearchText, witness
from pipeline.decisions.characters import Decisions
from pipeline.decisions.kinds import load
from pipeline.decisions.tables import Boundary, TargetDecision
from pipeline.errors import DecisionError
from pipeline.model import Division, Document
from pipeline.model.walk import strings
from pipeline.readers.common.source import Source
from pipeline.settings.catalog import Catalog
from pipeline.tei.parse import from_tei
from pipeline.tei.tree import element
from pipeline.tei.write import to_tei

_AROUND = 8
"""Characters before what somebody selected that say which of several places is meant; more say it no better."""


@dataclass
class _Received:
    """A source, and what has been made of it."""

    cut: Hashable = None
    """The decisions by which it was cut and its notes aimed."""
    source: Source | None = None
    document: Document | None = None
    """It as read, before decisions on characters."""
    text: str = ""
    """All its plain strings."""
    bare: str = ""
    """Of these, letters and graphs; and where they stand:"""
    places: array[int] = field(default_factory=lambda: array("L"))
    said: Hashable = None
    """The decisions on its characters that were applied last."""
    made: Document | None = None
    """It with these."""
    chapters: dict[str, tuple[Division, Division]] = field(default_factory=dict)
    """Each chapter with its decisions, and as its TEI gives it back, where that is not the same."""


class ReceivedSources:
    """The sources of a folder; any thread may ask."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._sources: dict[str, _Received] = {}
        self._parallels: tuple[Hashable, Parallels] | None = None
        self._lock = RLock()
        self.refused: dict[str, DecisionError] = {}
        """Of each source what of its decisions does not fit: it stays as it was."""

    @property
    def decisions(self) -> Decisions:
        """What is decided of their characters."""
        return Decisions.load(self.catalog.root)

    def read(self) -> None:
        """Read all that nobody has asked for yet."""
        for name in self.catalog.sources:
            self._read(name)

    def document(self, name: str, before: Document | None = None) -> Document:
        """Give a source with the decisions of the folder as they are now, as its TEI would give it back; chapters that
        are what they were `before` are the same objects. Decisions that do not fit are told (`refused`), and a source
        that has any is as it was before. Raises as `readers.read` for all else."""
        with self._lock:
            self.refused.pop(name, None)
            try:
                made, kept = self._decided(name), self._sources[name]
            except DecisionError as error:
                if before is None:
                    raise
                self.refused[name] = error
                return before
            known = {each.id: each for each in before.divisions} if before else {}
            return replace(made, divisions=tuple(self._as_tei(made, each, known.get(each.id), kept.chapters)
                                                 for each in made.divisions))

    def _decided(self, name: str) -> Document:
        """Give a source with the decisions on its characters, applied again if they are not those that were."""
        kept, decisions = self._read(name), self.decisions
        own = (*(each for _, each in decisions.corrections if each.source == name),
               *(each for _, each in decisions.supplied if each.source == name),
               *(each for _, each in decisions.literals if each.source == name))
        said = kept.cut, own, tuple(each for each in decisions.glyphs.items() if each[0] in kept.text)
        if kept.made is None or kept.said != said:
            assert kept.source is not None and kept.document is not None
            entry = self.catalog.sources[name]
            kept.made = renumber(readers.apply_decisions(kept.source, kept.document, entry, self.catalog))
            kept.said = said
        return kept.made

    def parallels(self) -> Parallels:
        """Give all sources laid out for search, with what is decided of their characters.

        Raises DecisionError where a decision on them does not fit.
        """
        with self._lock:
            decisions = self.decisions
            state = decisions, tuple(self._read(name).cut for name in self.catalog.sources)
            if self._parallels is None or self._parallels[0] != state:
                self._parallels = state, Parallels(self._searched(name, decisions) for name in self.catalog.sources)
            return self._parallels[1]

    def selected(self, source: str, words: str, before: str) -> dict[str, str]:
        """Give the words that somebody selected as a decision on their source says them: a context in which they stand
        once, and what stands before and after their beginning; nothing if it is not plain which place is meant.

        `before` is what stands before them on the page. Marks and white space do not matter.
        """
        kept = self._latest(source)
        text, places = kept.text, kept.places
        known, sought = ("".join(filter(str.isalnum, each)) for each in (before, words))
        at = next((found[0] + n for n in range(min(len(known), _AROUND), -1, -1)
                   if len(found := _places(kept.bare, known[len(known) - n :] + sought)) == 1), None)
        if at is None or not sought:
            return {}
        start, end = places[at], places[at + len(sought) - 1] + 1
        left, right = contexts(text, start, end - start)
        own = text[start:end]
        return {"context": left + own + right, "sic": own, "before": left, "after": own + right}

    def _latest(self, name: str) -> _Received:
        """Give a source as it was read last, where decisions on it do not fit any more."""
        try:
            return self._read(name)
        except DecisionError:
            if (kept := self._sources[name]).document is None:
                raise
            return kept

    def _searched(self, name: str, decisions: Decisions) -> SearchText:
        document = self._read(name).document
        assert document is not None
        return witness(document, decisions)

    def _read(self, name: str) -> _Received:
        """Read a source, if it is not as it was read last."""
        with self._lock:
            root, kept = self.catalog.root, self._sources.setdefault(name, _Received())
            boundaries = (each.decision for each in load(root, Boundary))
            targets = (each.decision for each in load(root, TargetDecision))
            cut = (*(each for each in boundaries if each.source == name),
                   *(each for each in targets if each.source == name))
            if kept.document is None or kept.cut != cut:
                source, document = readers.as_received(self.catalog.sources[name], self.catalog)
                kept.source, kept.document, kept.cut = source, document, cut
                kept.text = "".join(strings(document))
                kept.bare = "".join(filter(str.isalnum, kept.text))
                kept.places = array("L", (n for n, char in enumerate(kept.text) if char.isalnum()))
            return kept

    @staticmethod
    def _as_tei(
        document: Document, chapter: Division, before: Division | None, known: dict[str, tuple[Division, Division]]
    ) -> Division:
        """Give a chapter as its TEI gives it back: the same as `before`, if that is what it is."""
        if chapter == before:
            return before
        own, back = known.get(chapter.id, (None, None))
        if own != chapter or back is None:
            tei = to_tei(replace(document, divisions=(chapter,)), element("teiHeader"))
            back, = from_tei(tei, name=document.id).divisions
            known[chapter.id] = chapter, back
        return before if before is not None and back == before else back


def _places(text: str, words: str) -> list[int]:
    """Give where words stand in a text, the first two places of them."""
    first = text.find(words)
    second = text.find(words, first + 1) if first >= 0 else -1
    return [at for at in (first, second) if at >= 0]
