"""The punctuation of an edition as a whole: how far it reaches, what no longer fits, its files anew, and proposals."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from jiaokan.decisions.punctuation.apply import punctuate
from jiaokan.decisions.punctuation.files import PunctuatedLine, load
from jiaokan.decisions.punctuation.matching import LineMatches, MatchedLine, graphs_by_ref, match_lines
from jiaokan.decisions.punctuation.matching import line as carried_line
from jiaokan.decisions.punctuation.notation import TypedMark, TypedText
from jiaokan.editions.marks_of_file import read_marks
from jiaokan.editions.transfer import LEAST as LEAST_WORDS
from jiaokan.editions.transfer import compare_marks, transfer
from jiaokan.editions.translations import carried_rows, findings_on, match_translations
from jiaokan.errors import CatalogError, Finding, JiaokanError, Message, Place
from jiaokan.model import Document, Note, Unit
from jiaokan.model.pointers import order_key
from jiaokan.model.text import edited
from jiaokan.model.walk import walk
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.passages import BarePassage, source_marks
from jiaokan.proposals.punctuation import (
    FROM,
    Evidence,
    ProposedMark,
    ProposedPassage,
    files,
    is_untouched,
    origin_of,
    propose,
    within,
)
from jiaokan.proposals.stop_model import LEAST, StopModel
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import edition_path, layer_paths, punctuation_folder, witness_path
from jiaokan.settings.plans import EditionPlan
from jiaokan.tei.parse import from_tei

_DOUBT = 0.5
"""Chance of a mark from a file that is in doubt; any below `proposals.punctuation.SURE`."""
_LISTED = 20
"""References that are listed of passages that a file does not have."""
REVIEW, LOST, WAS = "# review", "# lost", "# was"
"""How the remarks begin by which a file says what was carried over: what changed; a line without a unit; one whose
marks went to others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterCount:
    """The units and notes of a chapter, those that have a line, its marks and names, those of low certainty."""

    chapter: str
    units: int
    all_units: int
    notes: int
    all_notes: int
    marks: int
    low: int
    names: int


def text_of(plan: EditionPlan, catalog: Catalog) -> Document:
    """Return the text that an edition shows, from its TEI; raises CatalogError if that has not been made."""
    path = witness_path(catalog, plan.witness) if plan.kind == "reading" else edition_path(catalog, plan)
    if not path.exists():
        raise CatalogError(Message("tei-file-not-exist-yet"), place=Place(str(path)), mend=Message("run-jiaokan-build"))
    return from_tei(path.read_bytes(), name=path.name)


def check(plan: EditionPlan, catalog: Catalog) -> tuple[Finding, ...]:
    """Return the findings on an edition's punctuation and translations; raises DecisionError for faulty files."""
    text = text_of(plan, catalog)
    translations = match_translations(text, plan.id, catalog)
    other = (finding for _, matches, _ in translations for finding in findings_on(matches))
    return (*punctuate(text, plan.id, catalog).findings, *other)


def counts(plan: EditionPlan, catalog: Catalog) -> tuple[ChapterCount, ...]:
    """Count the punctuation of an edition by chapters."""
    texts = graphs_by_ref(text_of(plan, catalog))
    unit_lines = match_lines(load(catalog.root, plan.id, catalog.persons), texts).lines
    every, done = Counter(map(_kind, texts)), Counter(map(_kind, unit_lines))
    marks, low, names = (Counter[str]() for _ in range(3))
    for ref, line in unit_lines.items():
        chapter = _kind(ref)[0]
        marks[chapter] += len(line.text.marks)
        names[chapter] += len(line.text.names)
        typed = [*(mark.low for mark in line.text.marks), *(name.low for name in line.text.names)]
        low[chapter] += len(typed) if line.line.basis.cert == "low" else sum(typed)
    return tuple(
        ChapterCount(chapter=chapter, units=done[chapter, False], all_units=every[chapter, False],
                     notes=done[chapter, True], all_notes=every[chapter, True],
                     marks=marks[chapter], low=low[chapter], names=names[chapter])
        for chapter in dict.fromkeys(chapter for chapter, _ in every)
    )


def _kind(ref: str) -> tuple[str, bool]:
    return ref.partition(".")[0], ".n" in ref


def carry_files(plan: EditionPlan, catalog: Catalog) -> tuple[dict[Path, str], tuple[Finding, ...]]:
    """Return the files of an edition's punctuation and translations, carried over to its changed text, and findings on
    their lines.

    Each line has its unit's present words, after a remark on what changed. A line whose unit is gone stays as a remark,
    so nothing is lost. Raises DecisionError for faulty files.
    """
    text = text_of(plan, catalog)
    matches = match_lines(load(catalog.root, plan.id, catalog.persons), graphs_by_ref(text))
    rows, findings = dict(_changed_rows(matches)), list(matches.findings)
    for _, matches, words in match_translations(text, plan.id, catalog):
        rows |= {key: carried_rows(changed_rows, words[key]) for key, changed_rows in _changed_rows(matches).items()}
        findings += findings_on(matches)
    anew = {}
    for path in layer_paths(catalog.root, plan.id):
        before = path.read_text(encoding="utf-8-sig").split("\n")
        after = [row for number, old in enumerate(before, 1) for row in rows.get((path, number), (old,))]
        if after != before:
            anew[path] = "\n".join(after)
    return anew, tuple(findings)


def _changed_rows(matches: LineMatches) -> Mapping[tuple[Path, int], Sequence[str]]:
    lines: defaultdict[tuple[Path, int], list[MatchedLine]] = defaultdict(list)
    for unit in matches.lines.values():
        lines[unit.line.path, unit.line.number].append(unit)
    rows: dict[tuple[Path, int], Sequence[str]] = {}
    for key, several in lines.items():
        line, review_rows = several[0].line, []
        if len(several) == 1 and several[0].ref == line.ref and not several[0].changed and not several[0].lost:
            continue
        for unit in several:
            changes = "; ".join(f"{old or '—'} → {new or '—'}" for _, old, new in unit.changed)
            gone = Message("left-out", lost="、".join(unit.lost)) if unit.lost else ""
            review_rows += [f"{REVIEW} {unit.ref}: {changes}{gone}"] if changes or gone else []
        review_rows += [f"{WAS}: {_line_text(line)}"] if any(unit.lost for unit in several) else []
        rows[key] = [*review_rows, *(carried_line(unit.ref, unit.text)
                              for unit in sorted(several, key=lambda unit: order_key(unit.ref)))]
    rows |= {(line.path, line.number): [f"{LOST}: {_line_text(line)}"] for line in matches.unmatched}
    return rows | {(line.path, line.number): [f"{WAS}: {_line_text(line)}"] for line in matches.merged}


def _line_text(line: PunctuatedLine) -> str:
    return carried_line(line.ref, line.text).replace("\t", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """The proposals for an edition."""

    proposals: tuple[ProposedPassage, ...]
    texts: FolderTexts
    reference: str = ""
    """The passage that was asked for, empty for the whole text."""
    without: bool = False
    """Whether there is no statistical model, since the folder has too little punctuated text."""
    origin: str = ""
    """The name of the file from which the marks are; empty for the program's own."""
    differences: tuple[tuple[str, Message], ...] = ()
    """References of passages, and how the file differs there."""


def propose_marks(
    plan: EditionPlan, catalog: Catalog, reference: str = "", *, sure: float = 0.0, model: bool = True
) -> Proposals:
    """Propose marks for each passage without a line in an edition's files, or with an untouched proposal.

    `reference` names a chapter, section, unit or note (``6``, ``6.3``, ``6.3.1.n2``); empty: the whole edition. With
    `sure` only passages are included in which each place is at least so certain. Text that its source prints with
    marks is skipped. Without `model` only parallels and rules propose. Raises CatalogError for an unknown passage.
    """
    texts = FolderTexts.of(catalog, plan.id)
    edited_refs = {line.ref for line in texts.lines if not is_untouched(line) or origin_of(line)}
    wanted = passages_at(texts, plan, reference)
    enough = model and len(texts.training_passages) >= LEAST
    trained = StopModel.train(texts.training_passages, texts.usage) if enough else None
    evidence = Evidence(punctuated=texts.punctuated_text, model=trained)
    proposals = [propose(passage, evidence) for passage in wanted
                 if passage.ref not in edited_refs and not passage.printed]
    sure_proposals = tuple(proposal for proposal in proposals if proposal.marks and proposal.certain >= sure)
    return Proposals(proposals=sure_proposals, texts=texts, reference=reference, without=model and trained is None)


def proposed_from(
    file: Path, plan: EditionPlan, catalog: Catalog, reference: str = "", *, sure: float = 0.0
) -> Proposals:
    """Propose the marks and names of a punctuated file of the same words.

    Passages with a line of the editor's, or with marks of their source, get none: where the file has other marks, this
    is a difference. Raises SourceError or TeiError for a file that cannot be read, JiaokanError for one without marks
    or with other words, CatalogError for an unknown passage.
    """
    texts = FolderTexts.of(catalog, plan.id)
    wanted = passages_at(texts, plan, reference)
    text, notes = read_marks(file)
    if not (text.text.marks or notes.text.marks):
        raise JiaokanError(Message("file-without-marks"), place=Place(str(file)), mend=Message("give-punctuated-file"))
    result = transfer(wanted, text, notes)
    if result.share < LEAST_WORDS:
        raise JiaokanError(Message("file-has-other-words", share=result.share, plan=plan.id), place=Place(str(file)),
                           mend=Message("give-file-same-words"))
    origin = re.sub(r"[{}\s]+", " ", file.name).strip()
    present_marks = _present_marks(texts, plan, catalog)
    proposals, differences = [], [*result.differences]
    for passage in wanted:
        if passage.ref not in result.texts:
            continue
        theirs = result.texts[passage.ref].text
        if passage.ref in present_marks:
            differences += [(passage.ref, difference)
                            for difference in compare_marks(present_marks[passage.ref], theirs)]
        elif theirs.marks or theirs.names:
            proposals.append(_proposal(passage, theirs, f"{FROM}{origin}"))
    if result.absent:
        differences.append(("—", Message("file-lacks-passages", count=len(result.absent),
                                         refs=", ".join(result.absent[:_LISTED]))))
    return Proposals(proposals=tuple(proposal for proposal in proposals if proposal.certain >= sure), texts=texts,
                     reference=reference, origin=origin, differences=tuple(differences))


def _present_marks(texts: FolderTexts, plan: EditionPlan, catalog: Catalog) -> Mapping[str, tuple[TypedMark, ...]]:
    """Return the marks of the passages that have some: the editor's, else those that the source prints."""
    printed = {passage.ref for passage in texts.edition if passage.printed}
    marks = {ref: source_marks(edited(item.content)) for item in walk(text_of(plan, catalog))
             if isinstance(item, Unit | Note) and (ref := item.id.partition(".")[2]) in printed}
    theirs = [line for line in texts.lines if not is_untouched(line)]
    unit_lines = match_lines(theirs, {passage.ref: passage.graphs for passage in texts.edition}).lines
    return marks | {ref: unit_line.text.marks for ref, unit_line in unit_lines.items()}


def _proposal(passage: BarePassage, text: TypedText, reason: str) -> ProposedPassage:
    marks = tuple(ProposedMark(sign=mark.sign, at=mark.at, chance=_DOUBT if mark.low else 1.0, reason=reason)
                  for mark in text.marks)
    names = tuple(replace(name, why=reason) for name in text.names)
    doubtful = any(mark.low for mark in text.marks) or any(name.low for name in text.names)
    return ProposedPassage(passage=passage, marks=marks, certain=_DOUBT if doubtful else 1.0, names=names)


def passages_at(texts: FolderTexts, plan: EditionPlan, reference: str) -> list[BarePassage]:
    """Return the passages of an edition within a reference; raises CatalogError if there are none."""
    wanted = [passage for passage in texts.edition if within(passage.ref, reference)]
    if not wanted:
        raise CatalogError(Message("has-no-passage", plan=plan.id, reference=reference), place=Place(plan.id),
                           mend=Message("write-chapter-section-unit-note"))
    return wanted


def proposal_files(plan: EditionPlan, catalog: Catalog, proposals: Proposals) -> Mapping[Path, str]:
    """Return the files of an edition's punctuation with proposals in them."""
    return files(punctuation_folder(catalog.root, plan.id), catalog.project.date, proposals.proposals,
                 proposals.texts.lines, proposals.reference, origin=proposals.origin)
