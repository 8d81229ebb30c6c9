"""The punctuation of an edition as a whole: how far it reaches, what no longer fits, its files anew, and proposals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jiaokan.decisions.punctuation.apply import punctuate
from jiaokan.decisions.punctuation.files import PunctuatedLine, load
from jiaokan.decisions.punctuation.hold import HeldLine, Holding, hold, present
from jiaokan.decisions.punctuation.hold import line as carried_line
from jiaokan.editions.translations import carried_rows, findings_on, matched
from jiaokan.errors import CatalogError, Finding, Message, Place
from jiaokan.model import Document
from jiaokan.model.pointers import order_key
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.passages import BarePassage
from jiaokan.proposals.punctuation import Evidence, ProposedPassage, files, propose, untouched, within
from jiaokan.proposals.stop_model import LEAST, StopModel
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.folder import edition_path, layer_paths, punctuation_folder, witness_path
from jiaokan.settings.plans import EditionPlan
from jiaokan.tei.parse import from_tei

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
    other = (found for _, holding, _ in matched(text, plan.id, catalog) for found in findings_on(holding))
    return (*punctuate(text, plan.id, catalog).findings, *other)


def counts(plan: EditionPlan, catalog: Catalog) -> tuple[ChapterCount, ...]:
    """Count the punctuation of an edition by chapters."""
    texts = present(text_of(plan, catalog))
    held = hold(load(catalog.root, plan.id, catalog.persons), texts).held
    every, done = Counter(map(_kind, texts)), Counter(map(_kind, held))
    marks, low, names = (Counter[str]() for _ in range(3))
    for ref, each in held.items():
        chapter = _kind(ref)[0]
        marks[chapter] += len(each.text.marks)
        names[chapter] += len(each.text.names)
        typed = [*(mark.low for mark in each.text.marks), *(name.low for name in each.text.names)]
        low[chapter] += len(typed) if each.line.basis.cert == "low" else sum(typed)
    return tuple(
        ChapterCount(chapter=chapter, units=done[chapter, False], all_units=every[chapter, False],
                     notes=done[chapter, True], all_notes=every[chapter, True],
                     marks=marks[chapter], low=low[chapter], names=names[chapter])
        for chapter in dict.fromkeys(chapter for chapter, _ in every)
    )


def _kind(ref: str) -> tuple[str, bool]:
    return ref.partition(".")[0], ".n" in ref


def carried(plan: EditionPlan, catalog: Catalog) -> tuple[dict[Path, str], tuple[Finding, ...]]:
    """Return the files of an edition's punctuation and translations, carried over to its changed text, and findings on
    their lines.

    Each line has its unit's present words, after a remark on what changed. A line whose unit is gone stays as a remark,
    so nothing is lost. Raises DecisionError for faulty files.
    """
    text = text_of(plan, catalog)
    holding = hold(load(catalog.root, plan.id, catalog.persons), present(text))
    rows, findings = dict(_changed_rows(holding)), list(holding.findings)
    for _, holding, words in matched(text, plan.id, catalog):
        rows |= {key: carried_rows(each, words[key]) for key, each in _changed_rows(holding).items()}
        findings += findings_on(holding)
    anew = {}
    for path in layer_paths(catalog.root, plan.id):
        before = path.read_text(encoding="utf-8-sig").split("\n")
        after = [row for number, old in enumerate(before, 1) for row in rows.get((path, number), (old,))]
        if after != before:
            anew[path] = "\n".join(after)
    return anew, tuple(findings)


def _changed_rows(holding: Holding) -> Mapping[tuple[Path, int], Sequence[str]]:
    lines: defaultdict[tuple[Path, int], list[HeldLine]] = defaultdict(list)
    for held in holding.held.values():
        lines[held.line.path, held.line.number].append(held)
    rows: dict[tuple[Path, int], Sequence[str]] = {}
    for key, several in lines.items():
        line, made = several[0].line, []
        if len(several) == 1 and several[0].ref == line.ref and not several[0].changed and not several[0].lost:
            continue
        for held in several:
            changes = "; ".join(f"{old or '—'} → {new or '—'}" for _, old, new in held.changed)
            gone = Message("left-out", lost="、".join(held.lost)) if held.lost else ""
            made += [f"{REVIEW} {held.ref}: {changes}{gone}"] if changes or gone else []
        made += [f"{WAS}: {_typed(line)}"] if any(held.lost for held in several) else []
        rows[key] = [*made, *(carried_line(held.ref, held.text)
                              for held in sorted(several, key=lambda each: order_key(each.ref)))]
    rows |= {(line.path, line.number): [f"{LOST}: {_typed(line)}"] for line in holding.homeless}
    return rows | {(line.path, line.number): [f"{WAS}: {_typed(line)}"] for line in holding.merged}


def _typed(line: PunctuatedLine) -> str:
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


def proposed(
    plan: EditionPlan, catalog: Catalog, reference: str = "", *, sure: float = 0.0, model: bool = True
) -> Proposals:
    """Propose marks for each passage without a line in an edition's files, or with an untouched proposal.

    `reference` names a chapter, section, unit or note (``6``, ``6.3``, ``6.3.1.n2``); empty: the whole edition. With
    `sure` only passages are included in which each place is at least so certain. Text that its source prints with
    marks is skipped. Without `model` only parallels and rules propose. Raises CatalogError for an unknown passage.
    """
    texts = FolderTexts.of(catalog, plan.id)
    taken = {line.ref for line in texts.lines if not untouched(line)}
    wanted = passages_at(texts, plan, reference)
    trained = StopModel.train(texts.taught, texts.usage) if model and len(texts.taught) >= LEAST else None
    evidence = Evidence(punctuated=texts.punctuated, model=trained)
    proposals = [propose(passage, evidence) for passage in wanted if passage.ref not in taken and not passage.printed]
    sure_proposals = tuple(proposal for proposal in proposals if proposal.marks and proposal.certain >= sure)
    return Proposals(proposals=sure_proposals, texts=texts, reference=reference, without=model and trained is None)


def passages_at(texts: FolderTexts, plan: EditionPlan, reference: str) -> list[BarePassage]:
    """Return the passages of an edition within a reference; raises CatalogError if there are none."""
    wanted = [passage for passage in texts.edition if within(passage.ref, reference)]
    if not wanted:
        raise CatalogError(Message("has-no-passage", plan=plan.id, reference=reference), place=Place(plan.id),
                           mend=Message("write-chapter-section-unit-note"))
    return wanted


def proposal_files(plan: EditionPlan, catalog: Catalog, made: Proposals) -> Mapping[Path, str]:
    """Return the files of an edition's punctuation with proposals in them."""
    return files(punctuation_folder(catalog.root, plan.id), catalog.project.date, made.proposals,
                 made.texts.lines, made.reference)
