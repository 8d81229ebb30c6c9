"""The editor's decisions applied to a collated chapter: on single places, and throughout (``[[passim]]``).

Decisions on places that no longer fit are refused together. A ``[[passim]]`` holds wherever a witness writes a word in
its own way; as in print ("下同") the first place of a chapter has the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import itemgetter

from msgspec.structs import replace

from jiaokan.characters.equality import judge
from jiaokan.collate.content import Place as Offsets
from jiaokan.collate.content import Unfit, inside, words
from jiaokan.collate.editorial.apply import Contradiction, choose, decide, with_remark
from jiaokan.collate.editorial.locate import SEARCHES, DecidedText, DecidedTexts, Search, decided_texts, reason
from jiaokan.decisions.characters import Choices
from jiaokan.decisions.kinds import MISFITS, Filed
from jiaokan.decisions.readings import NAMES
from jiaokan.decisions.tables import Class, Comment, Emendation, Lemma, Passim, ReadingDecision, Reject
from jiaokan.errors import DecisionError, Finding, Message, Place, raise_all
from jiaokan.model import App, Content, Division, Item, Note, Reading, Unit
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import attested
from jiaokan.model.variants import ORTHOGRAPHIC
from jiaokan.model.vocabulary import EDITORS
from jiaokan.model.walk import Rewriting

REPORTABLE = (Lemma, Class, Comment, Reject)  # Kinds of decisions that can be on an entry of reported readings only
CONTRADICTS = Message("the-decision-contradicts")  # Beginning of the reason of a conflict between two decisions
_SETTLING = (Lemma, Emendation, Reject)  # Kinds of decisions of which only one can be true of an entry
_AGAINST = {Class: (Class, Reject), Reject: (Class, *_SETTLING)}  # What a decision can contradict, if not these
SUGGESTED = 20
"""For at most so many decisions the nearest unit is suggested: each suggestion reads all units of the chapter."""
SOURCE = "decision:passim"  # `Reading.source` of the lemma of an entry that a ``[[passim]]`` decides
Conflict = tuple[Filed[ReadingDecision], str]  # A decision, and why it does not fit


class ChapterDecisions:
    """The decisions on one chapter: applied to its collation, then to what its notes report; the rest are refused."""

    def __init__(
        self, chapter: str, decisions: Iterable[Filed[ReadingDecision]], choices: Choices | None = None,
        base: str = "",
    ) -> None:
        self.base = base
        self.choices = choices or Choices()
        self.open = [filed for filed in decisions if filed.decision.id.startswith(f"{chapter}.")]
        self.conflicts: list[Conflict] = []
        self.findings: list[Finding] = []
        self.applied: list[Filed[ReadingDecision]] = []

    def apply(self, chapter: Division) -> Division:
        """Return a collated chapter, its notes numbered by place, with its decisions applied: those whose words are
        exactly where they say, then those with one changed neighbour, then those whose unit has another number now,
        each with a finding. After each, those that fit what it made of the text. Those on missing entries may be on
        what the notes report: they wait."""
        decided = self._apply_all(chapter, finished=False)
        self.open = [filed for filed, why in self.conflicts if _may_be_reported(filed, why)]
        self.conflicts = [conflict for conflict in self.conflicts if not _may_be_reported(*conflict)]
        return decided

    def apply_to_reports(self, chapter: Division) -> Division:
        """Return the finished chapter with the decisions on entries of reported readings applied. Raises DecisionError
        that lists every decision on the chapter which does not fit."""
        decided = self._apply_all(chapter, finished=True)
        refuse_misfits(self.conflicts)
        return decided

    def _apply_all(self, chapter: Division, *, finished: bool) -> Division:
        if not self.open:
            return chapter
        texts = decided_texts(chapter.items, self.base)
        left = self.open
        for search in SEARCHES:
            left = self._apply(left, search, texts, finished)
        now = DecidedTexts(texts)
        self.conflicts += [(filed, reason(filed.decision, now, near=n < SUGGESTED)) for n, filed in enumerate(left)]
        contents = {id(text.item): text.content for text in texts if text.content is not text.item.content}
        return _Replacing(contents).division(chapter) if contents else chapter

    def _apply(
        self, decisions: Sequence[Filed[ReadingDecision]], search: Search, texts: Sequence[DecidedText], finished: bool
    ) -> list[Filed[ReadingDecision]]:
        pending = list(decisions)
        while pending:
            located: dict[int, list[tuple[Filed[ReadingDecision], Offsets]]] = {}
            left: list[Filed[ReadingDecision]] = []
            now = DecidedTexts(texts)
            for filed in pending:
                try:
                    place = search(filed.decision, now)
                except Unfit as why:
                    self.conflicts.append((filed, str(why)))
                    continue
                if place is None:
                    left.append(filed)
                    continue
                text, start, end = place
                located.setdefault(id(text), []).append((filed, (start, end)))
                if search is SEARCHES[-1]:
                    self.findings.append(Finding(
                        "decision-moved", Place(f"tei/decisions/{filed.path.name}", filed.line),
                        Message("the-decision-says-words-now-stand", context=filed.decision.context,
                                unit=filed.decision.unit, reference_of=reference_of(text.place)),
                                Message("write-unit", place=text.place), "warning",
                    ))
            for text in texts:
                self._apply_to_text(text, located.get(id(text), []), finished)
            if len(left) == len(pending):
                break
            pending = left
        return pending

    def _apply_to_text(
        self, text: DecidedText, located: list[tuple[Filed[ReadingDecision], Offsets]], finished: bool
    ) -> None:
        """Apply the decisions on one text in their order; a lemma of another length moves what follows it. In a
        finished text none may change the words: pointers count them."""
        for number, (filed, here) in enumerate(located):
            before = len(text.words)
            try:
                content = inside(text.content, here, text.witnesses,
                                 partial(decide, decision=filed.decision, choices=self.choices))
                if finished and attested(content) != text.words:
                    raise Unfit(Message("note-reports-reading-decide-emendation"))
                text.content = content
            except Contradiction as entry:
                kinds = _AGAINST.get(type(filed.decision), _SETTLING)
                others = [other for other in self.applied if isinstance(other.decision, kinds)
                          and (other.decision.resp, other.decision.why) in entry.remarks]
                self.conflicts.append((filed, contradiction(others[-1:])))
                self.conflicts += [(other, contradiction([filed])) for other in others[-1:]]
                continue
            except Unfit as reason:
                self.conflicts.append((filed, str(reason)))
                continue
            self.applied.append(filed)
            longer = len(text.words) - before
            if longer and isinstance(filed.decision, (Lemma, Emendation)):
                for n in range(number + 1, len(located)):
                    later, (start, end) = located[n]
                    if (start, end) == here:
                        located[n] = later, (start, end + longer)
                    elif start >= here[1]:
                        located[n] = later, (start + longer, end + longer)


def _may_be_reported(filed: Filed[ReadingDecision], why: str) -> bool:
    return isinstance(filed.decision, REPORTABLE) and not why.startswith(CONTRADICTS)


def refuse_misfits(conflicts: Iterable[Conflict]) -> None:
    """Raise DecisionError that lists decisions with the reasons why they do not fit, in the order of the files."""
    raise_all([
        DecisionError(Message("not-fit", name=NAMES[type(filed.decision)], context=filed.decision.context,
                              unit=filed.decision.unit,
                              speaker=f" ({filed.decision.speaker})" if filed.decision.speaker else "", why=why),
                      place=filed.place, mend=Message("correct-says-edition-now-withdraw"))
        for filed, why in sorted(conflicts, key=lambda conflict: conflict[0].place)
    ], MISFITS)


def contradiction(others: Sequence[Filed[ReadingDecision]]) -> str:
    """Return the reason of a conflict with another decision on the same entry."""
    for other in others:
        reading = getattr(other.decision, "reading", None)
        resp = Message("all-editors") if other.decision.resp == EDITORS else other.decision.resp
        prints = "" if reading is None else Message("on-reading", reading=reading)
        return (Message("withdraw-one", contradicts=CONTRADICTS, kind=NAMES[type(other.decision)], prints=prints,
                        resp=resp, other=other.path.name, line=other.line, why=other.decision.why))
    return Message("another-decision-same-entry-withdraw", contradicts=CONTRADICTS)


class _Replacing(Rewriting):
    """Units and notes are known by identity: notes of one place still have the same id."""

    def __init__(self, contents: dict[int, Content]) -> None:
        self.contents = contents

    def item(self, item: Item) -> Item:
        new = self.contents.get(id(item))
        return super().item(item if new is None or isinstance(item, str) else replace(item, content=new))


class PassimDecisions:
    """The decisions that hold throughout an edition: applied first, so that decisions on places see the result."""

    def __init__(self, decisions: Iterable[Filed[Passim]], choices: Choices | None = None) -> None:
        self.decisions = tuple(decisions)
        self.choices = choices or Choices()
        self._last: tuple[Division, Division] | None = None

    def apply(self, chapter: Division) -> Division:
        """Return a collated chapter with the reading of each decision as lemma where one fits; the last is kept."""
        if not self.decisions:
            return chapter
        if self._last is None or self._last[0] is not chapter:
            self._last = chapter, _Choosing(self.decisions, self.choices).division(chapter)
        return self._last[1]

    def explain(self, chapter: Division) -> Division:
        """Return the decided chapter with the reason of each decision at the first place that it is still about; a
        place that has a decision of its own does not count."""
        return _Explaining(self.decisions).division(chapter) if self.decisions else chapter


def used_passim(chapter: Division, decisions: Sequence[Filed[Passim]]) -> frozenset[Passim]:
    """Return the decisions that are about an entry of a finished chapter."""
    if not decisions:
        return frozenset()
    explaining = _Explaining(tuple(decisions))
    explaining.division(chapter)
    return frozenset(filed.decision for filed in decisions if id(filed) in explaining.used)


def unused_errors(used: Iterable[frozenset[Passim]], decisions: Iterable[Filed[Passim]]) -> list[DecisionError]:
    """Return an error for each decision that is `used_passim` in none of the edition's chapters."""
    there = frozenset[Passim]().union(*used)
    return [
        DecisionError(
            Message("passim-about-no-entry-nowhere", words=filed.decision.words, source=filed.decision.source,
                    reading=filed.decision.reading), place=filed.place,
            mend=Message("correct-says-witnesses-withdraw-notes"))
        for filed in decisions if filed.decision not in there]


class _EntryPass(Rewriting):
    def __init__(self, decisions: tuple[Filed[Passim], ...], choices: Choices | None = None) -> None:
        self.decisions, self.choices = decisions, choices or Choices()
        self.noted = False
        self.used: set[int] = set()

    def item(self, item: Item) -> Item:
        outer = self.noted
        if isinstance(item, (Unit, Note)):
            self.noted = isinstance(item, Note)
        rewritten = super().item(item)
        self.noted = outer
        return rewritten

    def decision_on(self, app: App) -> tuple[Filed[Passim], Reading] | None:
        """Return the decision that an entry is about, and the reading that it chooses. If a third reading is printed by
        now, the place has been decided by itself."""
        readings = (app.lemma, *app.readings) if app.kind == "variant" else ()
        every = [(reading, words(reading.content)) for reading in readings]
        for filed in self.decisions if every else ():
            passim = filed.decision
            if self.noted and not passim.notes:
                continue
            source = next((reading for reading, text in every
                           if passim.source in reading.witnesses and _same(text, passim.words)), None)
            alike = [(text != passim.reading, reading) for reading, text in every
                     if source and reading is not source and _same(text, passim.reading)]
            chosen = min(alike, key=itemgetter(0))[1] if alike else None
            if chosen and app.lemma in (source, chosen):
                return filed, chosen
        return None


class _Choosing(_EntryPass):
    def app(self, app: App) -> App:
        entry = super().app(app)
        choice = self.decision_on(entry)
        return choose(entry, choice[1], choice[0].decision, SOURCE, self.choices) if choice else entry


class _Explaining(_EntryPass):
    def app(self, app: App) -> App:
        entry = super().app(app)
        choice = self.decision_on(entry) if entry.lemma.source == SOURCE else None
        if choice is None or id(choice[0]) in self.used:
            return entry
        self.used.add(id(choice[0]))
        bare = replace(entry, notes=())
        return replace(entry, notes=(*with_remark(bare, choice[0].decision).notes, *entry.notes))


def _same(text: str, wanted: str) -> bool:
    return text == wanted or (len(text) == len(wanted) and judge(text, wanted).variant in ORTHOGRAPHIC)
