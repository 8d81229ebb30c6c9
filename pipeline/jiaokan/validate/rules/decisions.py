"""Rules that compare a file with the editor's decisions: lemmata, corrections, and what decisions quote from sources.

An apparatus note that misquotes its witness is worse than none; `decision-untrue` checks each quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from jiaokan.decisions import readings
from jiaokan.decisions.characters import Decisions, Placed, place_in
from jiaokan.decisions.kinds import KINDS, Filed, load
from jiaokan.decisions.tables import CorrectionDecision, Decision, ReadingDecision
from jiaokan.errors import CatalogError, DecisionError, Message
from jiaokan.model import App, Correction, Document, Figure, Gap, Head, Note, Supplied, Trailer, Unit
from jiaokan.model.numerals import numeral
from jiaokan.model.text import attested, edited, received
from jiaokan.model.walk import items, leaves, walk
from jiaokan.settings.patterns import alternatives
from jiaokan.tei.tree import ID, Element
from jiaokan.tei.witness_text import pieces
from jiaokan.validate.homes import Home
from jiaokan.validate.rule import Problem, Subject, rule


@rule("lemma-differs")
def _check_lemmas(subject: Subject) -> Iterator[Problem]:
    plan = subject.home.plan if subject.home else None
    if plan is None or plan.kind != "critical":
        return
    bases = {str(chapter.n): f"#{chapter.base}" for chapter in plan.chapters}
    for app in subject.in_text("app"):
        chapter = next((d.get("n", "") for d in app.iterancestors("{*}div") if d.get("type") == "pian"), "")
        base = bases.get(chapter, "")
        if base in _undecided_against(app) and next(app.iterancestors("{*}note"), None) is None:
            yield Problem(
                app, Message("lemma-differs-base-text-without", app=app.get(ID) or Message("an-entry"), base=base),
                Message("add-decision-tei-decisions-lemmas"),
            )
    for note in subject.in_text("note"):
        works = set(note.get("source", "").split())
        printed = (app for app in note.iter("{*}app") if next(app.iterancestors("{*}rdg"), None) is None)
        if len(works) > 1 and works <= set().union(*map(_undecided_against, printed)):
            name = note.get(ID) or Message("a-note")
            yield Problem(
                note, Message("no-witness-printed-apart-decisions", name=name),
                Message("print-witnesses-add-decision-tei"),
            )


def _undecided_against(app: Element) -> set[str]:
    """Return the witnesses whose words an entry does not print though no decision or loss says why."""
    if app.get("type") or not len(app) or any(
            app[0].get(key, "").startswith("decision:") for key in ("source", "corresp")):
        return set()
    open_readings = (reading.get("wit", "") for reading in app.iterfind("{*}rdg") if reading.get("ana") != "#var-lacuna"
                     and all(reading.find(f".//{{*}}{name}") is None for name in ("choice", "supplied", "surplus")))
    return set(" ".join(open_readings).split())


@rule("decision-stale")
def _check_fit(subject: Subject) -> Iterator[Problem]:
    home = subject.home
    if home is None or home.entry is None or home.document is None:
        return
    try:
        decided = Decisions.load(home.root)
    except CatalogError as error:
        yield Problem(subject.root, error.whole)
        return
    text, judged = _source_text(home.document)
    name = home.entry.id
    placed: tuple[Placed, ...] = (*decided.corrections, *decided.supplied)
    for filed in placed:
        decision = filed.decision
        if decision.source == name:
            if isinstance(decision, CorrectionDecision):
                expected, words = (decision.sic, decision.corr), decision.context
            else:
                expected, words = ("", decision.text), f"{decision.before}[{decision.text}]{decision.after}"
            try:
                judgement = judged.get(place_in(filed, text))
            except DecisionError:
                judgement = None
            if judgement != expected:
                yield Problem(subject.root,
                              Message("the-decision-tei-decisions-not-fit", words=words, name=filed.path.name),
                              Message("correct-context-withdraw-decision-convert"))


def _source_text(document: Document) -> tuple[str, dict[int, tuple[str, str]]]:
    """Return the text to which decisions are applied, without brackets, and its corrections and supplements by offset.
    The text is that of the reader's plain strings, without pictures and lacunae that the reader recognised."""
    parts: list[str] = []
    judged: dict[int, tuple[str, str]] = {}
    at = 0
    for item in leaves(document.divisions):
        match item:
            case Correction():
                judged[at] = item.sic, item.corr
            case Supplied():
                judged[at] = "", item.text
        is_source = not isinstance(item, Figure) and not (isinstance(item, Gap) and item.reason != "blank")
        parts.append(received(item) if is_source else "")
        at += len(parts[-1])
    return "".join(parts), judged


@rule("slip-again")
def _check_repeated_slips(subject: Subject) -> Iterator[Problem]:
    """A slip that is corrected in one place and stands in another of the source: the same word with a neighbour on each
    side or two on one, where the corrected words are at least as common in the source."""
    home = subject.home
    if home is None or home.entry is None or home.document is None:
        return
    try:
        decided = Decisions.load(home.root)
    except CatalogError:
        return  # `decision-stale` reports it
    text, judged = _source_text(home.document)
    for filed in decided.corrections:
        if filed.decision.source == home.entry.id:
            with suppress(DecisionError):
                for words, count in _find_remaining_slips(place_in(filed, text), filed.decision, text, judged):
                    message = Message("slip-again", **decision_place(filed), words=words, count=count)
                    yield Problem(subject.root, message, Message("correct-there-too"))


def _find_remaining_slips(
    at: int, decision: CorrectionDecision, text: str, judged: Mapping[int, tuple[str, str]]
) -> Iterator[tuple[str, int]]:
    after = at + len(decision.sic)
    for before, behind in ((1, 1), (2, 0), (0, 2)):
        ahead, following = text[at - before:at], text[after:after + behind]
        words, corrected = f"{ahead}{decision.sic}{following}", f"{ahead}{decision.corr}{following}"
        if decision.sic and len(words) > 2 and readings.without_punctuation(words) == words:
            left = sum(match.start() + before not in judged for match in re.finditer(re.escape(words), text))
            if 0 < left <= text.count(corrected):
                yield words, left
                return


PHRASE = 4
"""With so many characters a quotation is a phrase and is searched in the whole source; fewer occur in any long text by
chance and are searched at the decision's place."""
_REFERENCE = re.compile(r"\d+(?:\.\d+)+")
Quotation = tuple[Filed[Decision], readings.Quoted]


@rule("decision-untrue")
def _check_claims(subject: Subject) -> Iterator[Problem]:
    """Check what reasons say: phrases in a witness's file; in an edition single words at their place, what witnesses
    lack there, and what commentators say."""
    home = subject.home
    if home is None or home.document is None or (home.entry is None and home.plan is None):
        return
    try:
        decisions: Sequence[Filed[Decision]] = load(home.root, Decision)
    except CatalogError:
        return  # every command that reads decisions reports it
    sources = home.catalog.sources.values()
    known = readings.ids_by_name((source.id, source.siglum, source.title) for source in sources)
    quoted_words = list(_quotations(home, decisions, known))
    mend = Message("correct-quotation-words-another-unit")
    for (filed, quoted), where in _find_false_quotations(home, home.document, quoted_words):
        identifier = "quotation-untrue-there" if where else "quotation-untrue"
        message = Message(identifier, **decision_place(filed), words=quoted.words, where=where,
                          source=home.catalog.sources[quoted.source].siglum)
        yield Problem(subject.root, message, mend)
    if home.plan is None or home.plan.kind != "critical":
        return
    decisions_here = [filed for filed in decisions if isinstance(filed.decision, ReadingDecision)
                      and filed.decision.id.partition(".")[0] == home.plan.id]
    remarked = list(locate_reasons(home.document, decisions_here))
    for filed, source, words in _find_false_lacks(remarked, known):
        siglum = home.catalog.sources[source].siglum
        message = Message("lack-untrue", **decision_place(filed), source=siglum, words=words)
        yield Problem(subject.root, message, Message("correct-reason-witnesses"))
    for filed, source in _find_false_agreements(remarked, known):
        message = Message("alike-untrue", **decision_place(filed), source=home.catalog.sources[source].siglum)
        yield Problem(subject.root, message, Message("correct-reason-witnesses"))
    for filed, number in _find_wrong_counts(remarked):
        message = Message("count-untrue", **decision_place(filed), number=number)
        yield Problem(subject.root, message, Message("correct-reason-number"))
    for filed, quoted in _find_false_quotations_of_notes(home, home.plan.all_witnesses(), decisions_here):
        message = Message("quotation-of-notes-untrue", **decision_place(filed), words=quoted.words,
                          person=home.catalog.persons[quoted.source].name)
        yield Problem(subject.root, message, Message("name-says-book"))


def _quotations(home: Home, decisions: Iterable[Filed[Decision]], names: Mapping[str, str]) -> Iterator[Quotation]:
    """Yield what reasons and evidence quote from witnesses. A work that an edition lists as consulted (宋本论语 beside
    the witness 论语) is another copy; `consulted-differs` compares it."""
    works = alternatives(name for plan in home.catalog.editions.values() for work in plan.consulted
                         for name in (f"{work.edition}{work.title}", *work.names))
    for filed in decisions:
        for text in (filed.decision.why, getattr(filed.decision, "evidence", "")):
            yield from ((filed, quoted) for quoted in readings.quotations_of(re.sub(works, "他本", text), names))


def decision_place(filed: Filed[Decision]) -> dict[str, str | int]:
    """Return what messages say of a decision: its kind, file and line."""
    kind = next(row.name for row in KINDS if row.table is type(filed.decision))
    return {"kind": kind, "line": filed.line, "file": filed.path.name}


Remarked = tuple[Filed[Decision], App, Unit | Note]


def locate_reasons(document: Document, decisions: Iterable[Filed[Decision]]) -> Iterator[Remarked]:
    """Yield the decisions whose reason stands on an entry, with the entry and the text that it is in."""
    by_reason = {attested(note.content): (app, text) for text in walk(document) if isinstance(text, (Unit, Note))
                 for app in items(text.content) if isinstance(app, App) for note in app.notes}
    for filed in decisions:
        if there := by_reason.get(filed.decision.why):
            yield filed, *there


def _find_false_lacks(
    remarked: Iterable[Remarked], names: Mapping[str, str]
) -> Iterator[tuple[Filed[Decision], str, str]]:
    """Yield the decisions that say that a source lacks words that it has in the decided entry, with both."""
    for filed, app, _ in remarked:
        for claim in readings.lacking_in(filed.decision.why, names):
            for reading in (app.lemma, *app.readings):
                words = readings.without_punctuation(edited(reading.content))
                if claim.source in reading.witnesses and words and claim.words in words:
                    yield filed, claim.source, claim.words or words


def _find_false_agreements(
    remarked: Iterable[Remarked], names: Mapping[str, str]
) -> Iterator[tuple[Filed[Decision], str]]:
    """Yield the decisions that say that a source has the same though it does not have the unit or note at all."""
    for filed, _, text in remarked:
        alike = readings.alike_in(filed.decision.why, names)
        yield from ((filed, source) for source in alike if source not in text.sources)


_COUNT = re.compile(r"此([一二三四五六七八九十百]+)字")


def _find_wrong_counts(remarked: Iterable[Remarked]) -> Iterator[tuple[Filed[Decision], str]]:
    """Yield the decisions that give a number of characters (此七字) which neither a reading of their entry nor their
    quotations have."""
    for filed, app, _ in remarked:
        texts = [edited(reading.content) for reading in (app.lemma, *app.readings)]
        texts += re.findall("「([^「」]*)」", filed.decision.why)
        lengths = {len(readings.without_punctuation(text)) for text in texts}
        yield from ((filed, number) for number in _COUNT.findall(filed.decision.why) if numeral(number) not in lengths)


def _find_false_quotations_of_notes(
    home: Home, witnesses: Iterable[str], decisions: Iterable[Filed[Decision]]
) -> Iterator[tuple[Filed[Decision], readings.Quoted]]:
    """Yield the decisions that quote a phrase from a commentator of whom no witness has a note with it, nor is it of
    the base text."""
    spoken: dict[str, list[str]] = {}
    base: list[str] = []
    for document in filter(None, map(home.witness, witnesses)):
        for text in walk(document):
            if isinstance(text, (Unit, Note)):
                spoken_words = base if isinstance(text, Unit) else spoken.setdefault(text.resp, [])
                spoken_words += map(readings.without_punctuation, {attested(text.content), edited(text.content)})
    names = {name: key for name, key in readings.ids_of_speakers(home.catalog.persons).items() if key in spoken}
    book = re.compile(f"本(?:{'|'.join(map(re.escape, names))})")  # of an edition outside the folder: 宋本何氏集解
    for filed in decisions:
        for quoted in readings.quotations_of(book.sub("本", filed.decision.why), names):
            texts = (*spoken[quoted.source], *base)
            if len(quoted.words) >= PHRASE and not any(quoted.words in text for text in texts):
                yield filed, quoted


def _find_false_quotations(
    home: Home, document: Document, quoted_words: Iterable[Quotation]
) -> Iterator[tuple[Quotation, str]]:
    """Yield the false quotations that this file can disprove, with the place where they are not found."""
    if home.entry is not None:
        every = [item for item in walk(document) if isinstance(item, (Unit, Note, Head, Trailer))]
        layers = (every, [item for item in every if isinstance(item, Unit)])
        texts = [readings.without_punctuation("".join(view(item.content) for item in layer))
                 for view in (attested, edited) for layer in layers]
        quotations_here = (quotation for quotation in quoted_words
                           if quotation[1].source == home.path.stem and _is_phrase(*quotation))
        yield from ((quotation, "") for quotation in quotations_here
                    if not any(quotation[1].words in text for text in texts))
        return
    there: dict[str, list[tuple[str, str]]] = {}
    printed = _readings_by_witness(document)
    for filed, quoted in quoted_words:
        decision, source = filed.decision, quoted.source
        if home.plan is None or source not in home.plan.all_witnesses():
            continue
        if not isinstance(decision, ReadingDecision) or _is_phrase(filed, quoted):
            continue
        if decision.id.partition(".")[0] == home.plan.id:
            if source not in there:
                whole: dict[str, str] = {}
                for piece in pieces(document, source):
                    whole[piece.here] = whole.get(piece.here, "") + piece.text
                there[source] = [(place, readings.without_punctuation(text))
                                 for place, text in (*whole.items(), *printed.get(source, ()))]
            places = f"{decision.id}.", *(f"{home.plan.id}.{reference}."
                                          for reference in _REFERENCE.findall(decision.why))
            if not any(quoted.words in text for place, text in there[source] if f"{place}.".startswith(places)):
                yield (filed, quoted), decision.id


def _readings_by_witness(document: Document) -> dict[str, list[tuple[str, str]]]:
    """Return what the readings of each witness print, with the id of their unit or note."""
    printed_readings: dict[str, list[tuple[str, str]]] = {}
    for text in walk(document):
        if isinstance(text, (Unit, Note)) and text.id:
            for app in (item for item in items(text.content) if isinstance(item, App)):
                for reading in (app.lemma, *app.readings):
                    with suppress(KeyError):  # it holds what no text may, which the schema reports
                        words = attested(reading.content)
                        for witness in reading.witnesses:
                            printed_readings.setdefault(witness, []).append((text.id, words))
    return printed_readings


def _is_phrase(filed: Filed[Decision], quoted: readings.Quoted) -> bool:
    return len(quoted.words) >= PHRASE or not isinstance(filed.decision, ReadingDecision)
