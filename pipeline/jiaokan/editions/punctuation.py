"""The punctuation of an edition as a whole: how far it reaches, what no longer fits, its files anew, and proposals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jiaokan.decisions.punctuation.apply import punctuate
from jiaokan.decisions.punctuation.files import PunctuatedLine, load
from jiaokan.decisions.punctuation.hold import HeldLine, Holding, hold, present
from jiaokan.decisions.punctuation.hold import line as carried_line
from jiaokan.editions.translations import carried_rows, findings_on, matched
from jiaokan.errors import CatalogError, Finding, JiaokanError, Message, Place
from jiaokan.model import Document
from jiaokan.model.pointers import order_key
from jiaokan.proposals.folder import FolderTexts
from jiaokan.proposals.learned import LEAST, StopModel
from jiaokan.proposals.models import DEFAULT, NO_MODEL, model_file
from jiaokan.proposals.network import ENDING, LEFT_OUT, Progress, StopNetwork
from jiaokan.proposals.punctuated import punctuated_passages
from jiaokan.proposals.punctuation import Evidence, ProposedPassage, files, propose, untouched, within
from jiaokan.proposals.words import ENDING as WORDS
from jiaokan.proposals.words import LearnedWords
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
    without: str = ""
    """Why there is no statistical model, if there is none."""


def _network(name: str) -> StopNetwork | None:
    if name == NO_MODEL or (not name and not model_file(DEFAULT, ENDING).exists()):
        return None
    return StopNetwork.load(model_file(name or DEFAULT, ENDING))


def learn(paths: Iterable[Path], name: str, progress: Progress) -> Learned:
    """Learn a model from punctuated texts and store it for the user.

    Raises JiaokanError for what `punctuated_passages` raises it for, and if the texts have too few stops.
    """
    path = model_file(name, ENDING)
    taught = tuple(punctuated_passages(paths))
    if len(taught) < LEAST:
        raise JiaokanError(Message("punctuated-paragraphs-were-found", count=len(taught)), place=Place("--learn"),
                           mend=Message("give-texts-least", least=LEAST))
    network = StopNetwork.trained(f"model {name}", taught, progress)
    path.parent.mkdir(parents=True, exist_ok=True)
    network.saved(path)
    LearnedWords.of(taught).saved(path.with_suffix(WORDS))
    unseen = taught[::LEFT_OUT]
    return Learned(path, len(taught), sum(len(each.passage.keys) for each in taught), network.reliability(unseen))


@dataclass(frozen=True, slots=True)
class Learned:
    """A model that was learned: its file, from how many paragraphs and graphs, and how reliable its chances are."""

    path: Path
    passages: int
    graphs: int
    reliability: Sequence[tuple[float, int, float]]


def proposed(
    plan: EditionPlan, catalog: Catalog, reference: str = "", *, sure: float = 0.0, model: str = ""
) -> Proposals:
    """Propose marks for each passage without a line in an edition's files, or with an untouched proposal.

    `reference` names a chapter, section, unit or note (``6``, ``6.3``, ``6.3.1.n2``); empty: the whole edition. With
    `sure` only passages are included in which each place is at least so certain. Text that its source prints with
    marks is skipped. `model` names one that was learned on this machine; empty: ``default``, if there is one.
    Raises CatalogError for an unknown passage, JiaokanError for an unknown model.
    """
    texts = FolderTexts.of(catalog, plan.id)
    theirs = {each.ref for each in texts.lines if not untouched(each)}
    wanted = [each for each in texts.edition if within(each.ref, reference)]
    if not wanted:
        raise CatalogError(Message("has-no-passage", plan=plan.id, reference=reference), place=Place(plan.id),
                           mend=Message("write-chapter-section-unit-note"))
    network = _network(model)
    trained: StopModel | StopNetwork | None = network
    if model != NO_MODEL and len(texts.taught) >= LEAST:
        trained = StopModel.trained(texts.taught, texts.usage, network=network)
    without = "" if trained or model == NO_MODEL else (
        Message("without-statistical-model-none-learned"))
    words = LearnedWords.load(model_file(model or DEFAULT, WORDS)) if network else None
    evidence = Evidence(punctuated=texts.punctuated, words=words, model=trained)
    made = [propose(each, evidence) for each in wanted if each.ref not in theirs and not each.printed]
    kept = tuple(each for each in made if each.marks and each.certain >= sure)
    return Proposals(proposals=kept, texts=texts, reference=reference, without=without)


def proposal_files(plan: EditionPlan, catalog: Catalog, made: Proposals) -> Mapping[Path, str]:
    """Return the files of an edition's punctuation with proposals in them."""
    return files(punctuation_folder(catalog.root, plan.id), catalog.project.date, made.proposals,
                 made.texts.lines, made.reference)
