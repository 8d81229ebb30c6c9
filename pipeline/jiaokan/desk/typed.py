"""Lines of punctuation on the desk: what the page needs to edit one, its faults, its edit, and unfit ones."""

from __future__ import annotations

import dataclasses
from datetime import date
from typing import Any

from msgspec.structs import replace

from jiaokan.decisions.punctuation import files as punctuated
from jiaokan.decisions.punctuation.files import NameTable
from jiaokan.decisions.punctuation.hold import HeldLine
from jiaokan.decisions.punctuation.notation import LineFault, TypedMark, faults, read, written
from jiaokan.desk.journal import Clash
from jiaokan.desk.kept import KeptText
from jiaokan.errors import DecisionError, Message, raise_all
from jiaokan.model import Certainty
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import common_prefix
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.proposals.passages import PunctuatedPassage, passages
from jiaokan.proposals.punctuation import Evidence, propose, untouched
from jiaokan.settings.folder import punctuation_folder
from jiaokan.settings.values import Strict

_SHOWN = 12
"""Graphs of a line that does not fit by which it is listed."""
_LEAST = 2
"""Least length of an offered name in graphs: one graph alone is most often a word."""


class Type(Strict, frozen=True, kw_only=True, tag="type", tag_field="do"):
    """Write the marks and names of a unit or note."""

    id: str
    was: str
    """Its row in the file as the page had it; empty if it had none."""
    line: str
    """Its words with marks; empty: its row goes."""
    why: str = Message("by-reading")
    cert: Certainty = "medium"


def _line_at(kept: KeptText, name: str) -> tuple[str, str, HeldLine | None]:
    """Return the place of a unit or note, its graphs and its line; raises DecisionError for an unknown id."""
    ref, chapter = name.partition(".")[2], kept.chapter_of(name)
    holding = kept.held(chapter) if chapter else None
    graphs = next((texts[ref] for texts in holding.streams.values() if ref in texts), None) if holding else None
    if holding is None or graphs is None:
        raise DecisionError(Message("no-unit-note", reference=reference_of(name)), mend=Message("load-page-again"))
    return ref, graphs, holding.held.get(ref)


def shown(kept: KeptText, name: str, evidence: Evidence) -> dict[str, Any]:
    """Return what the page needs to edit a line: its present form or the bare words, proposals, and unmarked names.

    Raises DecisionError for an unknown id.
    """
    ref, graphs, held = _line_at(kept, name)
    proposed = held is not None and untouched(held.line)
    own = held if held and not proposed else None
    basis = own.line.basis if own else punctuated.Basis()
    marked = {graphs[each.start : each.end] for each in held.text.names} if held else set[str]()
    unmarked = [form for form in NameTable.of(kept.catalog).by_form
                if len(form) >= _LEAST and form in graphs and form not in marked]
    marks = list(held.text.marks) if held and proposed else _proposed_marks(kept, ref, evidence)
    bare = [dataclasses.replace(mark, why="", low=False) for mark in marks]
    return {
        "id": name, "ref": reference_of(name), "words": graphs,
        "line": written(graphs, own.text.marks, own.text.names) if own else graphs,
        "was": kept.row(held.line) if held else "",
        "resp": basis.resp, "when": basis.when, "cert": basis.cert, "why": basis.evidence,
        "changed": [list(each) for each in held.changed] if held else [],
        "proposal": {"line": written(graphs, bare, ()) if marks else "",
                     "marks": [{"sign": mark.sign, "at": mark.at, "low": mark.low, "why": mark.why}
                               for mark in marks]},
        "names": sorted(unmarked, key=lambda form: (-len(form), form)),
    }


def _proposed_marks(kept: KeptText, ref: str, evidence: Evidence) -> list[TypedMark]:
    chapter = kept.chapter_of(f"{kept.document.id}.{ref}")
    own = passages(replace(kept.document, divisions=(chapter,))) if chapter else ()
    passage = next((each for each in own if each.ref == ref), None)

    def others(each: PunctuatedPassage) -> bool:
        return (each.passage.text, each.passage.ref) != (kept.document.id, ref)

    return [each.typed() for each in propose(passage, evidence, others).marks] if passage else []


def faults_of(kept: KeptText, name: str, typed: str) -> list[LineFault]:
    """Return the faults of a typed line: words that differ from the text, marks, names.

    Raises DecisionError for an unknown id.
    """
    (_, graphs, _), text = _line_at(kept, name), read(typed)
    found = list(faults(text))
    if text.graphs != graphs:
        same = common_prefix(text.graphs, graphs)
        has, reads = text.graphs[same : same + 1] or "nothing", graphs[same : same + 1] or "nothing"
        column = text.columns[same] if same < len(text.columns) else len(typed)
        found.insert(0, LineFault(column, Message("not-agree-text", has=has, reads=reads),
                                  Message("type-marks-names-change-words")))
    table = NameTable.of(kept.catalog)
    found += [LineFault(name.column, Message("unknown-id", name=name.id), Message("declare-persons-toml-places-toml"))
              for name in text.names if table.meant(text.graphs[name.start : name.end], name.id) is None]
    return found


def typed_edit(action: Type, kept: KeptText, resp: str, today: date) -> tuple[str, list[str], list[str]]:
    """Return the edit that writes a line: its file, the row to delete and the row to insert, each with its head.

    A row of the same person is changed in place; another is written among this person's rows of today. Raises Clash if
    the file no longer has the row of the page, DecisionError with the column for an invalid line.
    """
    ref, _, held = _line_at(kept, action.id)
    folder = punctuation_folder(kept.catalog.root, kept.plan.id)
    path = held.line.path if held else punctuated.file_of(folder, ref, kept.lines)
    name = path.relative_to(kept.catalog.root).as_posix()
    row, was = f"{ref}\t{action.line.strip()}", kept.row(held.line) if held else ""
    if was != action.was:
        raise Clash(name, row, was)
    wrong = faults_of(kept, action.id, action.line.strip()) if action.line.strip() else []
    raise_all(DecisionError(Message("character-problem", reference=reference_of(action.id), column=each.column,
                                    message=each.message), mend=each.mend)
              for each in wrong[:1])
    basis = punctuated.Basis(resp=resp, when=today.isoformat(), cert=action.cert,
                             evidence=" ".join(action.why.split()))
    if held and held.line.basis.resp == resp != PROGRAM:
        basis = held.line.basis
    gone = ["\n".join((*held.line.basis.head(), was))] if held else []
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
