"""Which entries of an edition its editor has decided, and how many: what his principles say is counted, not claimed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from pipeline.model import App, Document, Note, NoteGroup, Unit
from pipeline.model.variants import TABLE
from pipeline.model.walk import items, walk


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
