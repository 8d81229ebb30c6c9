"""What an editor can decide about readings, as tables of ``tei/decisions/lemmas*.toml``, and as TOML again.

Every table says where (`unit` of the edition; with `speaker`, that person's notes there; `context`, words as the
edition prints them, those in question in square brackets), who, when, why and how surely. ``[[lemma]]`` prints a
reading, or leaves its place open (cert low); ``[[class]]`` judges a reading; ``[[merge]]`` makes the entries in the
brackets one; ``[[split]]`` parts one at each ``|``; ``[[reject]]`` is no variant; ``[[note]]`` only speaks;
``[[emendation]]`` prints what no witness has.
"""

from __future__ import annotations

from typing import Any

import msgspec

from pipeline.decisions import context
from pipeline.decisions.kinds import KINDS
from pipeline.decisions.tables import CharacterPair, ReadingDecision, Reads
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


def toml(decision: ReadingDecision) -> str:
    """Write a decision as a table of TOML."""
    lines = [f"[[{NAMES[type(decision)]}]]"]
    for field in msgspec.structs.fields(type(decision)):
        value = getattr(decision, field.name)
        if value is not None and (value != "" or field.required or field.name == "reading"):
            lines.append(f"{field.name} = {_string(value)}")
    order = ["unit", "speaker", "context", "reading", "witness", "variant", "resp", "why", "when", "cert"]
    lines[1:] = sorted(lines[1:], key=lambda line: order.index(line.split(" ")[0]))
    return "\n".join(lines) + "\n"


def toml_of_pair(pair: CharacterPair) -> str:
    """Write a decision on two characters as a table of TOML."""
    said = {name: getattr(pair, name) for name in ("left", "right", "variant", "source", "resp", "why", "when", "cert")}
    return "[[pair]]\n" + "".join(f"{name} = {_string(value)}\n" for name, value in said.items() if value is not None)


def _string(value: Any) -> str:
    """Write a basic string of TOML, whose escapes are those of JSON."""
    return msgspec.json.encode(str(value)).decode("utf-8").replace("\x7f", "\\u007f")
