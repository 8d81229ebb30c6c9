"""Why a passage was read as it was: the judgements of its reader, the form of the source, the editor's decisions.

A reader that weighs signs has ``explain(source) -> tuple[Judgement, ...]``; for what its source marks by form alone
the form itself is the judgement. Both are put together by place, so that every reader answers in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from jiaokan import readers
from jiaokan.decisions.characters import Decisions, Located, Placed
from jiaokan.decisions.kinds import Filed
from jiaokan.decisions.tables import CorrectionDecision, GlyphDecision, SuppliedDecision
from jiaokan.errors import Message, Place, TeiError, suggestion
from jiaokan.model import Division, Item, Note
from jiaokan.model.pointers import id_of
from jiaokan.model.references import References
from jiaokan.readers.common.evidence import Inference, form_judgements
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.tei.witness_text import Extent, Printed, places, printed_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The reasons for the reading of one passage."""

    reference: str
    what: str
    """What it was read as, in a few words."""
    place: Place
    text: str
    """What the source prints there."""
    opening: tuple[Inference, ...]
    """Why it begins there, and who speaks."""
    inside: tuple[Inference, ...]
    """What was judged further on in it: mostly words that look like a speaker and are none."""
    characters: tuple[str, ...] = ()
    """What the editor decided about characters in it."""


class Explainer:
    """The explanations for one source; created once, asked often. It reads the source again and raises as that does."""

    def __init__(self, entry: SourceEntry, catalog: Catalog) -> None:
        self.entry, self.persons = entry, catalog.persons
        self.source, self.document = readers.load_without_decisions(entry, catalog)
        self.printed: Printed = printed_text(self.document)
        self.references = References(self.document)
        self.places = places(self.source.lines, self.document.dropped, self.printed.text, entry.file)
        explain = getattr(readers.reader(entry.reader), "explain", None)
        self.judgements: tuple[Inference, ...] = tuple(explain(self.source)) if explain else ()
        self.decisions: list[Located] = Decisions.load(catalog.root).locate(self.document)

    def explain(self, reference: str) -> Explanation:
        """Explain a passage by its reference (``jizhu:6.1.3``) or id; raises TeiError if there is none."""
        extent = self._extent(reference)
        item, start, end = extent.item, extent.start, extent.end
        inner = [e for e in self.printed.extents.values() if e is not extent and start <= e.start and e.end <= end]
        if isinstance(item, Division):
            opening, inside = self._division(inner)
        else:
            inferences = [j for at, j in self._within(start, end) if not any(e.start <= at < e.end for e in inner)]
            opening, inside = self._parts(inferences, extent)
        return Explanation(
            reference=self.references.of(extent.id), what=self._what(item), place=self.place(start),
            text=self.printed.text[start:end], opening=opening, inside=inside,
            characters=tuple(_decision(filed) for at, filed in self.decisions if extent.leaf <= at < extent.leaf_end),
        )

    def place(self, at: int) -> Place:
        """Return the place in the source of a printed character."""
        return self.places[at] if at < len(self.places) else self.source.place(0)

    def _extent(self, reference: str) -> Extent:
        cited = self.references.ids(reference.removeprefix(f"{self.document.id}:"))
        identifier = cited[0] if cited else reference.replace(":", ".", 1)
        known = self.printed.extents
        if identifier not in known:
            names = {self.references.of(known_id): None for known_id in known}
            mend = suggestion(self.references.of(identifier), names, Message("read-shows-all", id=self.entry.id))
            raise TeiError(Message("passage-missing", reference=reference), place=Place(self.entry.file), mend=mend)
        return known[identifier]

    def _within(self, start: int, end: int) -> list[tuple[int, Inference]]:
        span = {self.places[at]: at for at in range(start, min(end, len(self.places)))}
        return [(span[j.place], j) for j in self.judgements if j.place in span]

    def _parts(
        self, inferences: Sequence[Inference], extent: Extent
    ) -> tuple[tuple[Inference, ...], tuple[Inference, ...]]:
        rend = getattr(extent.item, "rend", "")
        reach = {self.place(at) for at in range(extent.start, min(extent.end, extent.start + len(rend) // 2 + 2))}
        opening = tuple(j for j in inferences if j.place in reach and not re.match("no\\b", j.verdict))
        formal = form_judgements(extent.item, self.place(extent.start), self.source, weighed=bool(opening))
        return (*opening, *formal), tuple(j for j in inferences if j not in opening)

    def _division(self, inner: Sequence[Extent]) -> tuple[tuple[Inference, ...], tuple[Inference, ...]]:
        ends = [e for e in inner if type(e.item).__name__ in ("Head", "Trailer")]
        opening = [j for e in ends for j in self.explain(e.id).opening]
        start, end = min((e.start for e in inner), default=0), max((e.end for e in inner), default=0)
        return tuple(opening), tuple(j for _, j in self._within(start, end) if j.cert != "high")

    def _what(self, item: Item) -> str:
        if isinstance(item, Note):
            resp, persons = item.resp, self.persons
            who = f"{persons[resp].name} ({resp})" if resp in persons else resp or Message("nobody-known")
            sure = Message("certainty", cert=item.cert) if item.cert else ""
            kind = f"{item.kind} {item.subtype}".strip()
            end = Message("up-to", end=self.references.of(item.target_end)) if item.target_end else ""
            return Message("note-explained", kind=kind, who=who, sure=sure, of=self.references.of(id_of(item.target)),
                           end=end)
        if isinstance(item, Division):
            return f"{item.kind} {item.title}".strip()
        return {"Unit": Message("unit-base-text")}.get(type(item).__name__, type(item).__name__.lower())


def _decision(filed: Placed | Filed[GlyphDecision]) -> str:
    decision = filed.decision
    match decision:
        case CorrectionDecision():
            what = f"{decision.sic} → {decision.corr}"
        case SuppliedDecision():
            what = Message("text-lost", text=decision.text)
        case _:
            what = f"{decision.code} = {decision.standard or 'undecided'}"
    evidence = getattr(decision, "evidence", "")
    why = re.sub(r"\s+", " ", decision.why) + (f"; {evidence}" if evidence else "")
    who = ", ".join(filter(None, (decision.resp, str(decision.when or ""), decision.cert)))
    return f"{what} ({who}): {why} [{filed.path.name}]"
