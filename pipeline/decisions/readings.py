"""What an editor can decide about readings, as tables of ``tei/decisions/lemmas*.toml``.

Every table says where (`unit` of the edition; with `speaker`, that person's notes there; `context`, words as the
edition prints them, those in question in square brackets), who, when, why and how surely. ``[[lemma]]`` prints a
reading, or leaves its place open (cert low); ``[[class]]`` judges a reading; ``[[merge]]`` makes the entries in the
brackets one; ``[[split]]`` parts one at each ``|``; ``[[reject]]`` is no variant; ``[[note]]`` only speaks;
``[[emendation]]`` prints what no witness has; ``[[conjecture]]`` reports what somebody proposes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.decisions.kinds import KINDS, did_you_mean, undeclared_person
from pipeline.decisions.tables import ReadingDecision, Reads
from pipeline.model import App, Document, Note, NoteGroup, Unit
from pipeline.model.variants import TABLE
from pipeline.model.walk import items, walk
from pipeline.model.words import PUNCTUATION
from pipeline.settings.catalog import Catalog
from pipeline.settings.plans import EditionPlan

NAMES: dict[type[ReadingDecision], str] = {
    kind.table: kind.name for kind in KINDS if issubclass(kind.table, ReadingDecision)
}
"""Each kind of decision on readings with the name of its table, in the order in which they are applied."""


def unknown(decision: ReadingDecision, plan: EditionPlan, catalog: Catalog) -> str:
    """Say what a decision names that an edition or its folder does not have; else nothing."""
    text, _, rest = decision.id.partition(".")
    if text not in catalog.editions:
        return f"unknown edition {text!r}{did_you_mean(text, catalog.editions)}"
    if text == plan.id and rest.split(".")[0] not in {str(chapter.n) for chapter in plan.chapters}:
        return "the edition has no such chapter"
    if reason := undeclared_person(decision.resp, catalog.persons):
        return reason
    witnesses = [*plan.all_witnesses(), *catalog.lists.reported()]
    if isinstance(decision, Reads) and decision.witness and text == plan.id and decision.witness not in witnesses:
        own = [name for name, entry in catalog.sources.items() if entry.siglum == decision.witness]
        return f"{decision.witness!r} is no witness of the edition" + (
            f": write its id, {own[0]!r}" if own else did_you_mean(decision.witness, witnesses)
        )
    return ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many entries there are in a layer, how many of them are decided, and of these how many are left open."""

    entries: int = 0
    decided: int = 0
    doubtful: int = 0


def is_decided(app: App) -> bool:
    """Tell whether an editor spoke of an entry: of it, of one of its readings, or of each graph that differs."""
    judged = any("decision:" in each.source for each in (app.lemma, *app.readings) if each.resp)
    differing = [each.source for each in app.readings if each.variant]
    corrected = all("decision:" in source for source in differing) and bool(differing)
    return judged or corrected or bool(app.notes) or bool(app.same_as)


def tallies(document: Document, settled: Collection[str] = ()) -> tuple[Tally, Tally]:
    """Count the entries of an edition in which collated witnesses differ: of its base text, and of signed notes.

    Entries whose weightiest class is one of the `settled` do not count, nor those inside what the base does not have.
    """
    texts = [item for item in walk(document) if isinstance(item, Unit) or (isinstance(item, Note) and item.resp)]
    collated = {name for text in texts for name in text.sources}
    made = []
    for layer in (Unit, Note):
        own = [
            app for text in texts if isinstance(text, layer)
            for app in items(text.content, readings=False, into=lambda item: not isinstance(item, (Note, NoteGroup)))
            if isinstance(app, App) and _counts(app, collated, settled)
        ]
        judged = [app for app in own if is_decided(app)]
        made.append(Tally(len(own), len(judged), sum(app.lemma.cert == "low" for app in judged)))
    return made[0], made[1]


def _counts(app: App, collated: Collection[str], settled: Collection[str]) -> bool:
    held = [each for each in (app.lemma, *app.readings) if any(name in collated for name in each.witnesses)]
    classes = [each.variant for each in app.readings if each.variant]
    return app.kind == "variant" and len(held) > 1 and bool(classes) and (
        max(classes, key=lambda name: TABLE[name].review) not in settled
    )


_ABSENT = re.compile(r"[无無脱脫阙闕缺夺奪删刪省衍非未]\w?$")
"""What stands before words that the witness does not have: 集编无「燕礼」, 本义脱去「弦」."""
_LINK = r"[^「」『』，。；：！？,;]{0,24}?"
"""What may stand between the name and the quotation, in one clause: 燕礼记注, 引此疏标目作, a title. It is the
clause that ends it; 24 only keeps the search short, and with 12 or 60 the same quotations are read here."""
_NO_WORD = re.compile(rf"[\s{re.escape(''.join(sorted(PUNCTUATION)))}]+")
_QUOTES = r"(?:「[^「」]*」[、及与與]?)+"


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that a decision says a source has."""

    source: str
    """Id of the source."""
    words: str
    """The words, without punctuation."""


def quotations_of(text: str, names: Mapping[str, str]) -> tuple[Quoted, ...]:
    """Return what a text quotes from sources, in its order; of a quotation with an ellipsis each part.

    `names` maps the names of sources to their ids.
    """
    if not names:
        return ()
    one = "|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name))))
    several = rf"(?:{one})(?:[、与與及和](?:{one}))*"
    before = re.compile(rf"(?P<names>{several})(?P<link>{_LINK})(?P<quotes>{_QUOTES})")
    after = re.compile(rf"(?P<quotes>{_QUOTES})[（(](?P<names>{several})[^（）()]{{0,2}}[）)]")
    found: dict[tuple[int, str, str], Quoted] = {}
    for pattern in (before, after):
        for match in pattern.finditer(text):
            if _in_quotation(text, match.start("names")) or _ABSENT.search(match.groupdict().get("link") or ""):
                continue
            for name in re.findall(one, match["names"]):
                for words in _parts_of_quotations(match["quotes"]):
                    found.setdefault((match.start("quotes"), name, words), Quoted(names[name], words))
    return tuple(found[key] for key in sorted(found))


def ids_by_name(sources: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Give by siglum and title the id of each source, from ids, sigla and titles."""
    return {name: each for each, siglum, title in sources for name in (title, siglum) if name}


def without_punctuation(text: str) -> str:
    """Give a text without punctuation and spaces."""
    return _NO_WORD.sub("", text)


def _in_quotation(text: str, at: int) -> bool:
    """Tell whether a place is within a quotation: what is named there, the quoted words name."""
    return text.count("「", 0, at) > text.count("」", 0, at)


def _parts_of_quotations(quotes: str) -> Iterator[str]:
    for words in re.findall("「([^「」]*)」", quotes):
        yield from filter(None, map(without_punctuation, re.split("…+|⋯+", words)))
