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

from pipeline.decisions.punctuation.files import PunctuatedLine
from pipeline.decisions.punctuation.notation import written
from pipeline.model.identifiers import order_key
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
    folder: Path, day: str, proposals: Iterable[ProposedPassage], lines: Sequence[PunctuatedLine]
) -> Mapping[Path, str]:
    """Give the files of a folder of punctuation as they are with the proposals, which replace untouched ones.

    `lines` are those that the files have; a passage that has another line gets no proposal. `day` is that of the
    edition: no clock decides what is written.
    """
    theirs = {each.ref for each in lines if not untouched(each)}
    gone: defaultdict[Path, set[int]] = defaultdict(set)
    by_file: defaultdict[Path, list[ProposedPassage]] = defaultdict(list)
    for proposal in proposals:
        if proposal.passage.ref not in theirs and proposal.marks:
            by_file[_file(folder, proposal.passage.ref, lines)].append(proposal)
    new = {proposal.passage.ref for some in by_file.values() for proposal in some}
    for each in lines:
        if each.ref in new:
            gone[each.path].add(each.number)
    return {path: _text(path, gone[path], by_file[path], day) for path in sorted({*by_file, *gone})}


def _file(folder: Path, ref: str, lines: Sequence[PunctuatedLine]) -> Path:
    """Give the file of a chapter: the one that has most of its lines, else the one of its number."""
    chapter = ref.partition(".")[0]
    own = [each.path for each in lines if each.ref.partition(".")[0] == chapter]
    return max(sorted(set(own)), key=own.count) if own else folder / f"{chapter:0>2}.txt"


def _text(path: Path, gone: set[int], proposals: Iterable[ProposedPassage], day: str) -> str:
    """Give a file without some of its rows and with proposals at its end; an empty head of the program's goes."""
    head = [f"# resp: {PROGRAM}", f"# when: {day}", "# cert: medium", f"# evidence: {EVIDENCE}"]
    before = path.read_text(encoding="utf-8-sig").splitlines() if path.exists() else []
    rows = [row for n, row in enumerate(before, 1) if n not in gone]
    while rows and (not rows[-1].strip() or rows[-1] in head):
        rows.pop()
    made = [line(each) for each in sorted(proposals, key=lambda each: order_key(each.passage.ref))]
    return "\n".join([*rows, *([""] if rows else []), *head, *made, ""])
