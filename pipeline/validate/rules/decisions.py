"""Rules that compare a file with the editor's decisions: lemmata, corrections, and what decisions quote from sources.

An apparatus note that misquotes its witness is worse than none; `decision-untrue` checks each quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pipeline.decisions.characters import Decisions, place_in
from pipeline.decisions.kinds import KINDS, Filed, load
from pipeline.decisions.readings import Quoted, ids_by_name, quotations_of, without_punctuation
from pipeline.decisions.tables import CorrectionDecision, ReadingDecision, SuppliedDecision
from pipeline.errors import CatalogError, DecisionError, Message
from pipeline.model import App, Correction, Document, Figure, Gap, Head, Note, Supplied, Trailer, Unit
from pipeline.model.text import attested, edited, received
from pipeline.model.vocabulary import TRANSMITTED
from pipeline.model.walk import items, leaves, walk
from pipeline.settings.values import Strict
from pipeline.tei.tree import ID, Element
from pipeline.tei.witness_text import pieces
from pipeline.validate.folder import Home
from pipeline.validate.rule import Problem, Subject, rule


@rule("lemma-differs")
def _lemma(subject: Subject) -> Iterator[Problem]:
    plan = subject.home.plan if subject.home else None
    if plan is None or plan.kind != "critical":
        return
    bases = {str(chapter.n): f"#{chapter.base}" for chapter in plan.chapters}
    for app in subject.in_text("app"):
        if app.get("type"):
            continue
        chapter = next((d.get("n", "") for d in app.iterancestors("{*}div") if d.get("type") == "pian"), "")
        base, lemma = bases.get(chapter, ""), app[0] if len(app) else app
        decided = lemma.get("source", "").startswith("decision:")
        for reading in app.iterfind("{*}rdg"):
            if base and base in reading.get("wit", "").split() and not decided and not _is_replaced(reading):
                yield Problem(
                    app, Message("the lemma of {} differs from the base text {}, without a decision",
                                 app.get(ID) or Message("an entry"), base),
                    Message("add a decision to tei/decisions/lemmas.toml, or print the reading of the base text"),
                )


def _is_replaced(reading: Element) -> bool:
    """Whether the base text gives way by rule: its graph is lost or corrected, or it abridges a 注 or 疏."""
    note = next(reading.iterancestors("{*}note"), None)
    abridged = note is not None and note.get("subtype") in TRANSMITTED and reading.get("ana") == "#var-omission"
    mended = any(reading.find(f".//{{*}}{name}") is not None for name in ("choice", "supplied", "surplus"))
    return abridged or mended or reading.get("ana") == "#var-lacuna"


@rule("decision-stale")
def _decisions(subject: Subject) -> Iterator[Problem]:
    home = subject.home
    if home is None or home.entry is None or home.document is None:
        return
    try:
        decided = Decisions.load(home.root)
    except CatalogError as error:
        yield Problem(subject.root, Message.of(str(error)))
        return
    text, judged = _received(home.document)
    name = home.entry.id
    decisions: list[tuple[Path, CorrectionDecision | SuppliedDecision, tuple[str, str], str]] = [
        *((path, each, (each.sic, each.corr), each.context) for path, each in decided.corrections),
        *((path, lost, ("", lost.text), f"{lost.before}[{lost.text}]{lost.after}") for path, lost in decided.supplied),
    ]
    for path, decision, expected, words in decisions:
        if decision.source == name:
            try:
                found = judged.get(place_in(decision, text, path))
            except DecisionError:
                found = None
            if found != expected:
                yield Problem(subject.root, Message("the decision on “{}” in tei/decisions/{} does not fit the text",
                                                    words, path.name),
                              Message("correct its context, or withdraw the decision; then convert the source again"))


def _received(document: Document) -> tuple[str, dict[int, tuple[str, str]]]:
    """Return the text to which decisions are applied, without brackets, and its corrections and supplements by offset.

    The text is that of the reader's plain strings, without pictures and lacunae that the reader recognised.
    """
    parts: list[str] = []
    judged: dict[int, tuple[str, str]] = {}
    at = 0
    for item in leaves(document.divisions):
        match item:
            case Correction():
                judged[at] = item.sic, item.corr
            case Supplied():
                judged[at] = "", item.text
        own = not isinstance(item, Figure) and not (isinstance(item, Gap) and item.reason != "blank")
        parts.append(received(item) if own else "")
        at += len(parts[-1])
    return "".join(parts), judged


PHRASE = 4
"""With so many characters a quotation is a phrase and is searched in the whole source; fewer occur in any long text by
chance and are searched at the decision's place."""
_REFERENCE = re.compile(r"\d+(?:\.\d+)+")
Quotation = tuple[Filed[Any], Quoted]
"""A decision and a quotation in it."""


@rule("decision-untrue")
def _quoted(subject: Subject) -> Iterator[Problem]:
    """Check the quotations in decisions: phrases in a witness's file, single words at their place in an edition."""
    home = subject.home
    if home is None or home.document is None or (home.entry is None and home.plan is None):
        return
    try:
        decisions: Sequence[Filed[Any]] = load(home.root, Strict)
        if not decisions:
            return
        known = ids_by_name((each.id, each.siglum, each.title) for each in home.catalog.sources.values())
        quoted_words = [(filed, quoted) for filed in decisions
                        for text in (filed.decision.why, getattr(filed.decision, "evidence", ""))
                        for quoted in quotations_of(text, known)]
    except CatalogError:
        return  # every command that reads decisions reports it
    for (filed, quoted), where in _untrue(home, home.document, quoted_words):
        kind = next(each.name for each in KINDS if each.table is type(filed.decision))
        siglum = home.catalog.sources[quoted.source].siglum
        named = kind, filed.line, filed.path.name, quoted.words, siglum
        if where:
            message = Message("the [[{}]] in line {} of tei/decisions/{} quotes “{}” from {}, which does not have it "
                              "in {}", *named, where)
        else:
            message = Message("the [[{}]] in line {} of tei/decisions/{} quotes “{}” from {}, which does not have it",
                              *named)
        mend = Message("correct the quotation; for words of another unit add its reference: （6.1.3）")
        yield Problem(subject.root, message, mend)


def _untrue(home: Home, document: Document, quoted_words: Iterable[Quotation]) -> Iterator[tuple[Quotation, str]]:
    """Yield the false quotations that this file can disprove, with the place where they are not found."""
    if home.entry is not None:
        every = [item for item in walk(document) if isinstance(item, (Unit, Note, Head, Trailer))]
        layers = (every, [item for item in every if isinstance(item, Unit)])
        texts = [without_punctuation("".join(view(item.content) for item in layer))
                 for view in (attested, edited) for layer in layers]
        own = (each for each in quoted_words if each[1].source == home.path.stem and _is_phrase(*each))
        yield from ((each, "") for each in own if not any(each[1].words in one for one in texts))
        return
    there: dict[str, list[tuple[str, str]]] = {}
    printed = _readings_by_witness(document)
    for filed, quoted in quoted_words:
        decision, source = filed.decision, quoted.source
        if home.plan is None or source not in home.plan.all_witnesses() or _is_phrase(filed, quoted):
            continue
        if decision.id.partition(".")[0] == home.plan.id:
            if source not in there:
                whole: dict[str, str] = {}
                for piece in pieces(document, source):
                    whole[piece.here] = whole.get(piece.here, "") + piece.text
                there[source] = [(place, without_punctuation(text))
                                 for place, text in (*whole.items(), *printed.get(source, ()))]
            places = f"{decision.id}.", *(f"{home.plan.id}.{each}." for each in _REFERENCE.findall(decision.why))
            if not any(quoted.words in text for place, text in there[source] if f"{place}.".startswith(places)):
                yield (filed, quoted), decision.id


def _readings_by_witness(document: Document) -> dict[str, list[tuple[str, str]]]:
    """Return what the readings of each witness print, with the id of their unit or note."""
    found: dict[str, list[tuple[str, str]]] = {}
    for text in walk(document):
        if isinstance(text, (Unit, Note)) and text.id:
            for app in (item for item in items(text.content) if isinstance(item, App)):
                for reading in (app.lemma, *app.readings):
                    with suppress(KeyError):  # it holds what no text may, which the schema reports
                        words = attested(reading.content)
                        for witness in reading.witnesses:
                            found.setdefault(witness, []).append((text.id, words))
    return found


def _is_phrase(filed: Filed[Any], quoted: Quoted) -> bool:
    return len(quoted.words) >= PHRASE or not isinstance(filed.decision, ReadingDecision)
