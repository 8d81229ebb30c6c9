"""Build an edition folder: what is stale is made again, everything else is kept.

In comes an edition folder; out go its TEI, website and books, and which steps ran. Read first `stages` (the steps as
data), `run` (which are stale, in which order) and `work` (what each stage calls).
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from jiaokan.build.cache import Cache
from jiaokan.build.cluster import LOCAL
from jiaokan.build.memory import usual
from jiaokan.build.run import FAILED, Event, StepResult, lock_outputs, run
from jiaokan.build.stages import steps
from jiaokan.errors import Finding, JiaokanError, Message, Place
from jiaokan.settings import catalog as catalogs
from jiaokan.settings.catalog import Catalog, SourceEntry
from jiaokan.settings.folder import edition_path, witness_path
from jiaokan.settings.plans import EditionPlan
from jiaokan.stats.counts import Counts
from jiaokan.system.atomic import inside
from jiaokan.system.listing import below
from jiaokan.system.process import without_collection
from jiaokan.system.store import Store, are_settled, cache_folder, program, stamp, states

__all__ = ["BuildReport", "Event", "build", "cores", "last_counts", "last_findings", "stale_sources"]


@without_collection()  # a library has a million objects, without cycles
def build(
    root: Path, out: Path | None = None, *, jobs: int = 0, force: bool = False, memory: int = 0,
    scheduler: str = "", watch: Callable[[Event], None] = lambda _: None, without: Collection[str] = (),
) -> BuildReport:
    """Build the edition folder `root` into `out` (default: ``root/build``).

    At most `jobs` processes (0: one per core) run at a time, as many as fit into `memory` bytes (0: 600 MB for each, or
    what is free); or the workers of a Dask `scheduler` (address, or ``local``) do the work. `force` makes everything
    again; stages in `without` are skipped. Raises JiaokanError; existing outputs then stay as they were.
    """
    root = root.resolve()
    out = (out or inside(root, root / "build")).resolve()
    if out == root or out.is_relative_to(root / "tei"):
        raise JiaokanError(Message("outputs-among-texts"), place=Place(str(out)), mend=Message("choose-another-folder"))
    catalog = catalogs.load(root)
    plan = steps(catalog, out)
    for folder in {path.parent for step in plan for path in step.outputs}:
        inside(out if folder.is_relative_to(out) else root, folder)
    cache = Cache(out)
    if force:
        cache.records.clear()
        Store(cache_folder("site", out)).clear()
    _check(catalog, [step.subject for step in plan if step.stage == "read" and not cache.known(step, root)])
    with lock_outputs(out):
        here = None if scheduler not in ("", LOCAL) else memory or usual(jobs or cores())
        results = run(plan, catalog, cache, jobs=jobs or cores(), watch=watch, memory=here, scheduler=scheduler,
                      without=without)
    return report(results, catalog, out)


def _check(catalog: catalogs.Catalog, sources: Collection[str]) -> None:
    """Check the decisions and these sources; skipped if there are none and the decisions were found sound before.

    Raises JiaokanError as `jiaokan.readers.check`.
    """
    decisions = states(below(catalog.root / "tei" / "decisions"))
    files, cache = (decisions, catalogs.files_of(catalog.root)), Store(cache_folder("settings", catalog.root))
    made_from = stamp(program(), *files)
    if not sources and cache.get("decisions", made_from, bool):
        return
    from jiaokan.readers import check  # slow to import

    check(catalog, sources)
    if are_settled(*files[0].values(), *files[1].values()):
        cache.put("decisions", made_from, True)


def stale_sources(catalog: catalogs.Catalog, out: Path) -> set[str]:
    """Return the ids of the sources whose TEI is stale."""
    cache = Cache(out)
    read = (step for step in steps(catalog, out) if step.stage == "read")
    return {step.subject for step in read if cache.fresh(step, cache.key(step, catalog.root)) is None}


def last_findings(out: Path, subject: str, sources: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return the findings of the last build: of checking a TEI file (``editions/ID.xml``), and of reading sources."""
    records = Cache(out).records
    recorded_steps = (records.get(name) for name in (f"check {subject}", *(f"read {source}" for source in sources)))
    return tuple(finding for record in recorded_steps if record for finding in record.outcome.findings)


def last_counts(catalog: catalogs.Catalog, out: Path) -> dict[str, Counts]:
    """Return the counts of the last build by the ids of sources and critical editions."""
    records = Cache(out).records
    stages = [*(("read", name) for name in catalog.sources),
            *(("collate", plan.id) for plan in catalog.editions.values() if plan.kind == "critical")]
    known = {name: records.get(f"{stage} {name}") for stage, name in stages}
    return {name: record.outcome.figures for name, record in known.items() if record and record.outcome.figures}


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_GRAVE = frozenset({
    "brackets-unused", "calls-unused", "chapter-none", "chapter-unopened", "note-none", "speaker-none",
})
"""Rules of findings that `build` prints without being asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRow:
    """The row of one text."""

    id: str
    title: str
    kind: str  # ``witness``, ``critical`` or ``reading``
    figures: Counts
    findings: int
    pages: int
    seconds: float  # time of its own steps, in whichever build they were done
    outputs: tuple[Path, ...]
    was_built: bool = False  # whether any of its steps was done in this build


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BuildReport:
    """The result of a build."""

    rows: tuple[TextRow, ...]
    findings: tuple[Finding, ...]
    done: int  # number of steps that were done; the others were up to date
    total: int
    site: Path

    def __repr__(self) -> str:
        """Return one line: a build has many rows and findings."""
        return f"<{self.done} of {self.total} steps, {len(self.rows)} texts, {len(self.findings):,} findings>"

    @property
    def failed_outputs(self) -> tuple[Finding, ...]:
        """The findings on outputs that could not be made."""
        return tuple(finding for finding in self.findings if finding.rule == FAILED)

    @property
    def grave(self) -> tuple[Finding, ...]:
        """The findings that make an edition useless: no chapter, no note or nobody who speaks was found."""
        return tuple(finding for finding in self.findings if finding.rule in _GRAVE)

    @property
    def errors(self) -> int:
        """The number of findings that are errors."""
        return sum(finding.severity == "error" for finding in self.findings)


def report(results: tuple[StepResult, ...], catalog: Catalog, out: Path) -> BuildReport:
    """Return the report of the results of a build."""
    texts: defaultdict[Path, list[StepResult]] = defaultdict(list)
    shown: defaultdict[str, list[StepResult]] = defaultdict(list)
    for result in results:
        stage = result.step.stage
        for path in result.step.inputs[:1] if stage == "check" else result.step.outputs:
            texts[path].append(result)
        if stage in ("html", "pdf"):
            shown[result.step.subject].append(result)
    rows = []
    for entry in catalog.sources.values():
        path = witness_path(catalog, entry.id)
        rows.append(_row(entry, "witness", texts[path], (path,), texts[path]))
    for plan in catalog.editions.values():
        path = edition_path(catalog, plan)
        own_results = texts[path] if path.parent.name == "editions" else []  # a witness's steps count in its own row
        printed = (pdf for r in shown[plan.id] if r.step.stage == "pdf" for pdf in r.step.outputs)
        outputs = (path, out / "html" / plan.id / "index.html", *printed)
        rows.append(_row(plan, plan.kind, own_results + shown[plan.id], outputs, texts[path]))
    return BuildReport(
        rows=tuple(rows),
        findings=tuple(sorted({finding for result in results for finding in result.outcome.findings})),
        done=sum(not result.fresh for result in results), total=len(results), site=out / "html" / "index.html",
    )


def _row(
    text: SourceEntry | EditionPlan, kind: str, results: list[StepResult], outputs: tuple[Path, ...],
    counted: list[StepResult],
) -> TextRow:
    """Return the row of a text; its figures are those of `last_counts`."""
    outcomes = [result.outcome for result in results]
    return TextRow(
        id=text.id, title=text.title, kind=kind, outputs=outputs,
        figures=next((result.outcome.figures for result in counted if result.outcome.figures), Counts()),
        findings=sum(len(outcome.findings) for outcome in outcomes),
        pages=next((outcome.pages for outcome in outcomes if outcome.pages), 0),  # of the first layout
        seconds=sum(outcome.seconds for outcome in outcomes), was_built=any(not result.fresh for result in results),
    )
