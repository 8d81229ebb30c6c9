"""What an editor can decide about readings, as tables of ``tei/decisions/lemmas*.toml``.

Every table says where (`unit` of the edition; with `speaker`, that person's notes there; `context`, words as the
edition prints them, those in question in square brackets), who, when, why and how surely. ``[[lemma]]`` prints a
reading, or leaves its place open (cert low); ``[[class]]`` judges a reading; ``[[merge]]`` makes the entries in the
brackets one; ``[[split]]`` parts one at each ``|``; ``[[reject]]`` is no variant; ``[[note]]`` only speaks;
``[[emendation]]`` prints what no witness has; ``[[conjecture]]`` reports what somebody proposes.
"""

from __future__ import annotations

from pipeline.decisions import context
from pipeline.decisions.kinds import KINDS
from pipeline.decisions.tables import ReadingDecision, Reads
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
        return f"no edition is called {text!r}{context.name(text, catalog.editions)}"
    if text == plan.id and rest.split(".")[0] not in {str(chapter.n) for chapter in plan.chapters}:
        return "the edition has no such chapter"
    if reason := context.nobody(decision.resp, catalog.persons):
        return reason
    witnesses = [*plan.all_witnesses(), *catalog.lists.reported()]
    if isinstance(decision, Reads) and decision.witness and text == plan.id and decision.witness not in witnesses:
        own = [name for name, entry in catalog.sources.items() if entry.siglum == decision.witness]
        return f"{decision.witness!r} is no witness of the edition" + (
            f": write its id, {own[0]!r}" if own else context.name(decision.witness, witnesses)
        )
    return ""
