"""The line of a unit or note as the editor punctuates it at the desk: shown with what is proposed, held against its
words, written where `tei/punctuation` has it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from msgspec.structs import replace

from pipeline.decisions.punctuation.apply import NameTable
from pipeline.decisions.punctuation.files import Basis, PunctuatedLine, file_of
from pipeline.decisions.punctuation.hold import HeldLine
from pipeline.decisions.punctuation.notation import LineFault, faults, read, written
from pipeline.desk.journal import Clash
from pipeline.desk.kept import KeptText
from pipeline.errors import DecisionError, raise_all
from pipeline.model import Certainty
from pipeline.model.pointers import reference_of
from pipeline.model.vocabulary import PROGRAM
from pipeline.proposals.passages import PunctuatedPassage, passages
from pipeline.proposals.punctuation import Evidence, propose, untouched
from pipeline.settings.folder import punctuation_folder
from pipeline.settings.values import Strict

_LEAST = 2
"""Graphs of a name that is offered, at least: one graph alone is most often a word."""
_SHOWN = 12
"""Graphs of a line that does not fit by which it is told."""


class Type(Strict, frozen=True, kw_only=True, tag="type", tag_field="do"):
    """Write the marks and names of a unit or note."""

    id: str
    was: str
    """Its row in the file as the page had it; empty if it had none."""
    line: str
    """Its words with marks; empty: its row goes."""
    why: str = "by reading"
    cert: Certainty = "medium"


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAt:
    """A unit or note with its line, if it has one."""

    ref: str
    graphs: str
    row: str = ""
    held: HeldLine | None = None
    line: PunctuatedLine | None = None


def line_at(kept: KeptText, name: str) -> LineAt:
    """Return a unit or note with its line; raises DecisionError for an unknown id."""
    ref, chapter = name.partition(".")[2], kept.chapter_of(name)
    holding = kept.held(chapter) if chapter else None
    graphs = next((texts[ref] for texts in holding.streams.values() if ref in texts), None) if holding else None
    if holding is None or graphs is None:
        raise DecisionError(f"there is no unit or note {reference_of(name)}", mend="load the page again")
    held = holding.held.get(ref)
    return LineAt(ref=ref, graphs=graphs, row=kept.row(held.line) if held else "", held=held,
                  line=held.line if held else None)


def shown(kept: KeptText, name: str, evidence: Evidence) -> dict[str, Any]:
    """Return what the page needs to edit a line: its present form or the bare words, proposals, and unmarked names."""
    at = line_at(kept, name)
    proposed = at.line is not None and untouched(at.line)
    typed = written(at.graphs, at.held.text.marks, at.held.text.names) if at.held and not proposed else at.graphs
    basis = at.line.basis if at.line and not proposed else Basis()
    marked = {at.graphs[each.start : each.end] for each in at.held.text.names} if at.held else set[str]()
    forms: Iterable[str] = NameTable.of(kept.catalog).by_form
    unmarked = [form for form in forms if len(form) >= _LEAST and form in at.graphs and form not in marked]
    return {
        "id": name, "ref": reference_of(name), "words": at.graphs, "line": typed, "was": at.row,
        "resp": basis.resp, "when": basis.when, "cert": basis.cert, "why": basis.evidence,
        "changed": [list(each) for each in at.held.changed] if at.held else [],
        "proposal": _proposal(kept, at, evidence, proposed=proposed),
        "names": sorted(unmarked, key=lambda form: (-len(form), form)),
    }


def faults_of(kept: KeptText, name: str, typed: str) -> list[LineFault]:
    """Return the faults of a typed line: words that differ from the text, marks, names."""
    at, text = line_at(kept, name), read(typed)
    found = list(faults(text))
    if text.graphs != at.graphs:
        same = next((n for n, (mine, own) in enumerate(zip(text.graphs, at.graphs, strict=False)) if mine != own),
                    min(len(text.graphs), len(at.graphs)))
        has, reads = text.graphs[same : same + 1] or "nothing", at.graphs[same : same + 1] or "nothing"
        column = text.columns[same] if same < len(text.columns) else len(typed)
        found.insert(0, LineFault(column, f"「{has}」 does not agree with the text, which has 「{reads}」",
                                  "type only marks and names; change words by a decision"))
    table = NameTable.of(kept.catalog)
    found += [LineFault(name.column, f"unknown id {name.id!r}", "declare it in persons.toml or places.toml")
              for name in text.names if table.meant(text.graphs[name.start : name.end], name.id) is None]
    return found


def typed_edit(action: Type, kept: KeptText, resp: str, today: date) -> tuple[str, list[str], list[str]]:
    """Return the edit that writes a line: its file, the row to delete and the row to insert, each with its head.

    A row of the same person is changed in place; another is written among this person's rows of today. Raises Clash if
    the file no longer has the row of the page, DecisionError with the column for an invalid line.
    """
    at = line_at(kept, action.id)
    path = file_of(punctuation_folder(kept.catalog.root, kept.plan.id), at.ref, kept.lines)
    name = (at.line.path if at.line else path).relative_to(kept.catalog.root).as_posix()
    row = f"{at.ref}\t{action.line.strip()}"
    if at.row != action.was:
        raise Clash(name, row, at.row)
    wrong = faults_of(kept, action.id, action.line.strip()) if action.line.strip() else []
    raise_all(DecisionError(f"{reference_of(action.id)}, character {each.column}: {each.message}", mend=each.mend)
              for each in wrong[:1])
    basis = Basis(resp=resp, when=today.isoformat(), cert=action.cert, evidence=" ".join(action.why.split()))
    if at.line and at.line.basis.resp == resp != PROGRAM:
        basis = at.line.basis
    gone = ["\n".join((*at.line.basis.head(), at.row))] if at.line else []
    return name, gone, ["\n".join((*basis.head(), row))] if action.line.strip() else []


def unfit_lines(kept: KeptText) -> list[dict[str, Any]]:
    """Return the lines of a text that do not fit its words or have no unit any more, each with the reason."""
    found = []
    for chapter in kept.document.divisions:
        holding = kept.held(chapter)
        moved = {ref: each for ref, each in holding.held.items() if each.changed or each.lost or each.line.ref != ref}
        for ref, line in [*((ref, each.line) for ref, each in moved.items()), *((x.ref, x) for x in holding.homeless)]:
            reason = next((each.message for each in holding.findings if each.place.line == line.number), "")
            unit, path = f"{kept.document.id}.{ref}" if ref in moved else "", line.path.relative_to(kept.catalog.root)
            found.append({"kind": "line", "reason": reason, "table": "", "path": path.as_posix(), "line": line.number,
                          "unit": unit, "context": line.text.graphs[:_SHOWN]})
    return found


def _proposal(kept: KeptText, at: LineAt, evidence: Evidence, *, proposed: bool) -> dict[str, Any]:
    if proposed and at.held:
        marks = list(at.held.text.marks)
    else:
        chapter = kept.chapter_of(f"{kept.document.id}.{at.ref}")
        own = passages(replace(kept.document, divisions=(chapter,))) if chapter else ()
        passage = next((each for each in own if each.ref == at.ref), None)

        def others(each: PunctuatedPassage) -> bool:
            return (each.passage.text, each.passage.ref) != (kept.document.id, at.ref)

        marks = [each.typed() for each in propose(passage, evidence, others).marks] if passage else []
    bare = [dataclasses.replace(mark, why="", low=False) for mark in marks]
    return {"line": written(at.graphs, bare, ()) if marks else "",
            "marks": [{"sign": mark.sign, "at": mark.at, "low": mark.low, "why": mark.why} for mark in marks]}
