"""Rules that hold a file against what the editor decided: the base of each chapter, lemmata, single characters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.decisions.characters import Decisions, place_in
from pipeline.decisions.tables import CorrectionDecision, SuppliedDecision
from pipeline.errors import CatalogError, DecisionError
from pipeline.model import Correction, Document, Figure, Gap, Supplied
from pipeline.model.text import received
from pipeline.model.vocabulary import TRANSMITTED
from pipeline.model.walk import leaves
from pipeline.tei.tree import ID, Element
from pipeline.validate.rule import Problem, Subject, rule


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
            if base and base in reading.get("wit", "").split() and not decided and not _yields(reading):
                yield Problem(
                    app, f"the lemma of {app.get(ID) or 'an entry'} is not what the base {base} has, "
                    "and no decision says so", "decide it in tei/decisions/lemmas.toml, or print what the base has",
                )


def _yields(reading: Element) -> bool:
    """Whether the base gives way by rule: its graph is lost or mended, or it leaves something out of a 注 or 疏."""
    note = next(reading.iterancestors("{*}note"), None)
    abridged = note is not None and note.get("subtype") in TRANSMITTED and reading.get("ana") == "#var-omission"
    mended = any(reading.find(f".//{{*}}{name}") is not None for name in ("choice", "supplied", "surplus"))
    return abridged or mended or reading.get("ana") == "#var-lacuna"


def _decisions(subject: Subject) -> Iterator[Problem]:
    home = subject.home
    if home is None or home.entry is None or home.document is None:
        return
    try:
        decided = Decisions.load(home.root)
    except CatalogError as error:
        yield Problem(subject.root, str(error))
        return
    text, judged = _received(home.document)
    name = home.entry.id
    for path, each in decided.corrections:
        if each.source == name and judged.get(_place(each, text, path)) != (each.sic, each.corr):
            yield _stale(subject, path, each.context)
    for path, lost in decided.supplied:
        if lost.source == name and judged.get(_place(lost, text, path)) != ("", lost.text):
            yield _stale(subject, path, f"{lost.before}[{lost.text}]{lost.after}")


def _place(decided: CorrectionDecision | SuppliedDecision, text: str, path: Path) -> int:
    """Where a decision applies in the text as received, −1 where it does not."""
    try:
        return place_in(decided, text, path)
    except DecisionError:
        return -1


def _stale(subject: Subject, path: Path, words: str) -> Problem:
    return Problem(
        subject.root, f"the decision on “{words}” of tei/decisions/{path.name} does not apply to the text",
        "correct its context to what the text has, or withdraw the decision; then convert the source again",
    )


def _received(document: Document) -> tuple[str, dict[int, tuple[str, str]]]:
    """The words to which decisions are applied, without brackets; and where in them what was corrected or supplied.

    They are the plain strings that the reader gave: not what it knew for a picture or a lacuna itself.
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


RULES = (rule("lemma-differs", _lemma), rule("decision-stale", _decisions))
