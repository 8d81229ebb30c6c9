"""Proposals as lines of the files in which an editor punctuates, below what he set himself.

They stand at the end of a chapter's file, under a head that names the program; each mark has its reason in braces and,
in doubt, a question mark. To take a mark is to delete these; to take a line is to move it above that head. What an
editor has touched is his: a line of his own, and a proposed line in which a mark has no reason any more, stay as they
are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pipeline.decisions.filing import file_lines as rows_of
from pipeline.decisions.punctuation.files import PunctuatedLine, file_of
from pipeline.decisions.punctuation.notation import written
from pipeline.model.pointers import order_key
from pipeline.model.vocabulary import PROGRAM
from pipeline.punctuate.propose import ProposedPassage

EVIDENCE = "proposed by jiaokan punctuate; each mark says on what it rests"


def line(proposal: ProposedPassage) -> str:
    """Give the line of a file for what is proposed."""
    marks = [mark.typed() for mark in proposal.marks]
    return f"{proposal.passage.ref}\t{written(proposal.passage.graphs, marks, ())}"


def untouched(typed: PunctuatedLine) -> bool:
    """Tell whether a line is a proposal in which nobody has changed a mark."""
    names = typed.text.names
    return typed.basis.resp == PROGRAM and not names and all(mark.why for mark in typed.text.marks)


def files(
    folder: Path, day: str, proposals: Iterable[ProposedPassage], lines: Sequence[PunctuatedLine], reference: str = ""
) -> Mapping[Path, str]:
    """Give the files of a folder of punctuation that change when proposals are written into them.

    `lines` are those that the files have. Of these the untouched proposals of the passage at `reference`, empty for the
    whole text, go, also those whose unit has other words or another number now; a passage that has any other line gets
    no proposal. `day` is that of the edition: no clock decides what is written.
    """
    theirs = {each.ref for each in lines if not untouched(each)}
    gone: defaultdict[Path, set[int]] = defaultdict(set)
    made: defaultdict[Path, list[ProposedPassage]] = defaultdict(list)
    for proposal in proposals:
        if proposal.passage.ref not in theirs and proposal.marks:
            made[file_of(folder, proposal.passage.ref, lines)].append(proposal)
    for each in lines:
        if untouched(each) and within(each.ref, reference):
            gone[each.path].add(each.number)
    return {path: _text(path, gone[path], made[path], day) for path in sorted({*made, *gone})}


def within(ref: str, reference: str) -> bool:
    """Tell whether a unit or note stands in the passage at a reference; all do where that is empty."""
    return not reference or f"{ref}.".startswith(f"{reference}.")


def _text(path: Path, gone: set[int], proposals: Iterable[ProposedPassage], day: str) -> str:
    """Give a file without some of its rows and with proposals at its end, under a head of the program's."""
    head = [f"# resp: {PROGRAM}", f"# when: {day}", "# cert: medium", f"# evidence: {EVIDENCE}"]
    before = rows_of(path.read_bytes().decode("utf-8")) if path.exists() else []
    rows = [row.removesuffix("\n") for n, row in enumerate(before, 1) if n not in gone]
    made = [line(each) for each in sorted(proposals, key=lambda each: order_key(each.passage.ref))]
    while rows and (not rows[-1].strip() or rows[-1].rstrip() in head):
        rows.pop()
    if made and next((row for row in reversed(rows) if row.startswith("# resp:")), "").rstrip() != head[0]:
        made = [*([""] if rows else []), *head, *made]
    return "\n".join([*rows, *made, ""])
