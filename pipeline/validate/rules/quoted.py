"""What decisions quote from the sources is there: phrases anywhere in the source, single words at its place.

A collation note that quotes its witness wrongly is worse than none: the rule does what a proofreader does with each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipeline.decisions.kinds import KINDS, Filed, load
from pipeline.decisions.readings import Quoted, ids_by_name, quotations_of, without_punctuation
from pipeline.decisions.tables import ReadingDecision
from pipeline.errors import CatalogError
from pipeline.model import App, Content, Document, Head, Note, Trailer, Unit
from pipeline.model.text import attested, edited
from pipeline.model.walk import items, walk
from pipeline.settings.values import Strict
from pipeline.tei.witness_text import pieces
from pipeline.validate.folder import Home
from pipeline.validate.rule import Problem, Subject, rule

PHRASE = 4
"""So many words are a phrase, sought in the whole source; fewer stand in any long text by chance, and are sought where
the decision is."""
_REFERENCE = re.compile(r"\d+(?:\.\d+)+")
Said = tuple[Filed[Any], Quoted]
"""A decision, and what it quotes."""


def _quoted(subject: Subject) -> Iterator[Problem]:
    """A witness's file has the phrases that decisions quote from it, an edition the single words, each at its place."""
    home = subject.home
    if home is None or home.document is None or (home.entry is None and home.plan is None):
        return
    try:
        if not (decisions := load(home.root, Strict)):
            return
        known = ids_by_name((each.id, each.siglum, each.title) for each in home.catalog.sources.values())
        said = tuple(_said(decisions, known))
    except CatalogError:
        return  # every command that reads decisions tells it
    for (filed, quoted), where in _untrue(home, home.document, said):
        kind = next(each.name for each in KINDS if each.table is type(filed.decision))
        yield Problem(
            subject.root, f"the [[{kind}]] in line {filed.line} of tei/decisions/{filed.path.name} quotes "
            f"“{quoted.words}” from {home.catalog.sources[quoted.source].siglum}, which does not have that{where}",
            "quote what it has; of words in another unit say where: （6.1.3）",
        )


def _said(decisions: Iterable[Filed[Any]], known: Mapping[str, str]) -> Iterator[Said]:
    """Every quotation from a source in the words of decisions."""
    for filed in decisions:
        for text in (filed.decision.why, getattr(filed.decision, "evidence", "")):
            yield from ((filed, quoted) for quoted in quotations_of(text, known))


def _untrue(home: Home, document: Document, said: Iterable[Said]) -> Iterator[tuple[Said, str]]:
    """Those that the file can tell to be untrue, and where they are not."""
    if home.entry is not None:
        texts = _whole(document)
        own = (each for each in said if each[1].source == home.path.stem and _is_phrase(*each))
        yield from ((each, "") for each in own if not any(each[1].words in one for one in texts))
        return
    there: dict[str, list[tuple[str, str]]] = {}
    printed = _printed_by(document)
    for filed, quoted in said:
        decision, source = filed.decision, quoted.source
        if home.plan is None or source not in home.plan.all_witnesses() or _is_phrase(filed, quoted):
            continue
        if decision.id.partition(".")[0] == home.plan.id:
            if source not in there:
                there[source] = _by_place(document, source, printed.get(source, ()))
            places = _places(decision)
            if not any(quoted.words in text for place, text in there[source] if _within(place, places)):
                yield (filed, quoted), f" in {decision.id}"


def _is_phrase(filed: Filed[Any], quoted: Quoted) -> bool:
    """Whether words are sought in the whole source: of a decision that is on no place of an edition all are."""
    return len(quoted.words) >= PHRASE or not isinstance(filed.decision, ReadingDecision)


def _whole(document: Document) -> tuple[str, ...]:
    """What a source says, as printed and as mended: all in its order, and the base text alone, which notes part."""
    every = [item for item in walk(document) if isinstance(item, (Unit, Note, Head, Trailer))]
    layers = (every, [item for item in every if isinstance(item, Unit)])
    return tuple(without_punctuation("".join(view(item.content) for item in layer))
                 for view in (attested, edited) for layer in layers)


def _places(decision: ReadingDecision) -> tuple[str, ...]:
    """The place of a decision, and those that its reason names."""
    edition = decision.id.partition(".")[0]
    return decision.id, *(f"{edition}.{each}" for each in _REFERENCE.findall(decision.why))


def _within(identifier: str, places: Iterable[str]) -> bool:
    return any(identifier == each or identifier.startswith(f"{each}.") for each in places)


def _by_place(document: Document, witness: str, printed: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The words of a witness by unit and note of the edition: read back as mended, then its readings as printed."""
    whole: dict[str, str] = {}
    for piece in pieces(document, witness):
        whole[piece.here] = whole.get(piece.here, "") + piece.text
    return [(place, without_punctuation(text)) for place, text in (*whole.items(), *printed)]


def _printed_by(document: Document) -> dict[str, list[tuple[str, str]]]:
    """The readings of each witness as printed, with the units and notes in which they stand."""
    found: dict[str, list[tuple[str, str]]] = {}
    for text in walk(document):
        if isinstance(text, (Unit, Note)) and text.id:
            for app in items(text.content):
                for reading in (app.lemma, *app.readings) if isinstance(app, App) else ():
                    for witness in reading.witnesses:
                        found.setdefault(witness, []).append((text.id, _printed(reading.content)))
    return found


def _printed(content: Content) -> str:
    """What a reading prints; nothing if something stands in it that no text holds, of which the grammar tells."""
    try:
        return attested(content)
    except KeyError:
        return ""


RULES = (rule("decision-untrue", _quoted),)
