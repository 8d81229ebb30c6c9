"""Lines of punctuation on the desk: what the page needs to edit one, its faults, its edit, and unfit ones."""

from __future__ import annotations

import dataclasses
from datetime import date

from msgspec.structs import replace

from jiaokan.decisions.punctuation import files as punctuated
from jiaokan.decisions.punctuation.files import NameTable
from jiaokan.decisions.punctuation.matching import MatchedLine
from jiaokan.decisions.punctuation.notation import LineFault, TypedMark, faults, read, write_notation
from jiaokan.desk.journal import Clash
from jiaokan.desk.replies import Conflict
from jiaokan.desk.texts import DeskText
from jiaokan.errors import DecisionError, Message, raise_all
from jiaokan.model import Certainty
from jiaokan.model.pointers import reference_of
from jiaokan.model.text import common_prefix
from jiaokan.model.vocabulary import PROGRAM
from jiaokan.proposals.passages import PunctuatedPassage, passages
from jiaokan.proposals.punctuation import Evidence, is_untouched, propose
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


def _line_at(desk_text: DeskText, name: str) -> tuple[str, str, MatchedLine | None]:
    """Return the place of a unit or note, its graphs and its line; raises DecisionError for an unknown id."""
    ref, chapter = name.partition(".")[2], desk_text.chapter_of(name)
    matches = desk_text.match_lines(chapter) if chapter else None
    graphs = next((texts[ref] for texts in matches.streams.values() if ref in texts), None) if matches else None
    if matches is None or graphs is None:
        raise DecisionError(Message("no-unit-note", reference=reference_of(name)), mend=Message("load-page-again"))
    return ref, graphs, matches.lines.get(ref)


def line_for_page(desk_text: DeskText, name: str, evidence: Evidence) -> dict[str, object]:
    """Return what the page needs to edit a line: its present form or the bare words, proposals, and unmarked names.

    Raises DecisionError for an unknown id.
    """
    ref, graphs, line = _line_at(desk_text, name)
    proposed = line is not None and is_untouched(line.line)
    final = line if line and not proposed else None
    basis = final.line.basis if final else punctuated.Basis()
    marked = {graphs[name_mark.start : name_mark.end] for name_mark in line.text.names} if line else set[str]()
    unmarked = [form for form in NameTable.of(desk_text.catalog).by_form
                if len(form) >= _LEAST and form in graphs and form not in marked]
    marks = list(line.text.marks) if line and proposed else _proposed_marks(desk_text, ref, evidence)
    bare = [dataclasses.replace(mark, why="", low=False) for mark in marks]
    return {
        "id": name, "ref": reference_of(name), "words": graphs,
        "line": write_notation(graphs, final.text.marks, final.text.names) if final else graphs,
        "was": desk_text.row(line.line) if line else "",
        "resp": basis.resp, "when": basis.when, "cert": basis.cert, "why": basis.evidence,
        "changed": [list(change) for change in line.changed] if line else [],
        "proposal": {"line": write_notation(graphs, bare, ()) if marks else "",
                     "marks": [{"sign": mark.sign, "at": mark.at, "low": mark.low, "why": mark.why}
                               for mark in marks]},
        "names": sorted(unmarked, key=lambda form: (-len(form), form)),
    }


def _proposed_marks(desk_text: DeskText, ref: str, evidence: Evidence) -> list[TypedMark]:
    chapter = desk_text.chapter_of(f"{desk_text.document.id}.{ref}")
    passages_here = passages(replace(desk_text.document, divisions=(chapter,))) if chapter else ()
    passage = next((candidate for candidate in passages_here if candidate.ref == ref), None)

    def others(candidate: PunctuatedPassage) -> bool:
        return (candidate.passage.text, candidate.passage.ref) != (desk_text.document.id, ref)

    return [mark.as_typed() for mark in propose(passage, evidence, others).marks] if passage else []


def faults_of(desk_text: DeskText, name: str, typed: str) -> list[LineFault]:
    """Return the faults of a typed line: words that differ from the text, marks, names.

    Raises DecisionError for an unknown id.
    """
    (_, graphs, _), text = _line_at(desk_text, name), read(typed)
    line_faults = list(faults(text))
    if text.graphs != graphs:
        same = common_prefix(text.graphs, graphs)
        typed_here, reads = text.graphs[same : same + 1] or "nothing", graphs[same : same + 1] or "nothing"
        column = text.columns[same] if same < len(text.columns) else len(typed)
        line_faults.insert(0, LineFault(column, Message("not-agree-text", has=typed_here, reads=reads),
                                        Message("type-marks-names-change-words")))
    table = NameTable.of(desk_text.catalog)
    line_faults += [LineFault(name.column, Message("unknown-id", name=name.id),
                              Message("declare-persons-toml-places-toml"))
                    for name in text.names if table.meaning_of(text.graphs[name.start : name.end], name.id) is None]
    return line_faults


def typed_edit(action: Type, desk_text: DeskText, resp: str, today: date) -> tuple[str, list[str], list[str]]:
    """Return the edit that writes a line: its file, the row to delete and the row to insert, each with its head.

    A row of the same person is changed in place; another is written among this person's rows of today. Raises Clash if
    the file no longer has the row of the page, DecisionError with the column for an invalid line.
    """
    ref, _, line = _line_at(desk_text, action.id)
    folder = punctuation_folder(desk_text.catalog.root, desk_text.plan.id)
    path = line.line.path if line else punctuated.file_of(folder, ref, desk_text.lines)
    name = path.relative_to(desk_text.catalog.root).as_posix()
    row, was = f"{ref}\t{action.line.strip()}", desk_text.row(line.line) if line else ""
    if was != action.was:
        raise Clash(name, row, was)
    wrong = faults_of(desk_text, action.id, action.line.strip()) if action.line.strip() else []
    raise_all(DecisionError(Message("character-problem", reference=reference_of(action.id), column=fault.column,
                                    message=fault.message), mend=fault.mend)
              for fault in wrong[:1])
    basis = punctuated.Basis(resp=resp, when=today.isoformat(), cert=action.cert,
                             evidence=" ".join(action.why.split()))
    if line and line.line.basis.resp == resp != PROGRAM:
        basis = line.line.basis
    gone = ["\n".join((*line.line.basis.head(), was))] if line else []
    return name, gone, ["\n".join((*basis.head(), row))] if action.line.strip() else []


def unfit_lines(desk_text: DeskText) -> list[Conflict]:
    """Return the lines of a text that do not fit its words or have no unit any more, each with the reason."""
    rows: list[Conflict] = []
    for chapter in desk_text.document.divisions:
        matches = desk_text.match_lines(chapter)
        moved = {ref: line for ref, line in matches.lines.items() if line.changed or line.lost or line.line.ref != ref}
        for ref, line in [*((ref, row.line) for ref, row in moved.items()), *((x.ref, x) for x in matches.unmatched)]:
            reason = next((finding.message for finding in matches.findings if finding.place.line == line.number), "")
            unit = f"{desk_text.document.id}.{ref}" if ref in moved else ""
            path = line.path.relative_to(desk_text.catalog.root)
            rows.append({"kind": "line", "reason": reason, "table": "", "path": path.as_posix(), "line": line.number,
                         "unit": unit, "context": line.text.graphs[:_SHOWN]})
    return rows
