"""Build an edition folder: what is stale is made again, everything else is kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.build.cache import Cache
from pipeline.build.cluster import LOCAL
from pipeline.build.memory import available
from pipeline.build.run import FAILED, Event, StepResult, locked, run
from pipeline.build.stages import steps
from pipeline.errors import Finding, JiaokanError, Place
from pipeline.settings import catalog as catalogs
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, witness_path
from pipeline.stats.counts import Counts
from pipeline.system.atomic import inside
from pipeline.system.listing import below
from pipeline.system.process import without_collection, without_search_of_now
from pipeline.system.store import Store, cache_folder, program, settled, stamp, states

__all__ = ["BuildReport", "Event", "build", "cores", "counted", "recorded", "stale_sources"]


def build(
    root: Path, out: Path | None = None, *, jobs: int = 0, force: bool = False, memory: int = 0,
    scheduler: str = "", watch: Callable[[Event], None] = lambda _: None, without: Collection[str] = (),
) -> BuildReport:
    """Build the edition folder `root` into `out` (default: ``root/build``).

    At most `jobs` processes (0: one per core) run at a time, as many as fit into `memory` bytes (0: what is free); or
    the workers of a Dask `scheduler` (address, or ``local``) do the work. `force` makes everything again; stages in
    `without` are skipped. Raises JiaokanError; existing outputs then stay as they were.
    """
    root = root.resolve()
    out = (out or inside(root, root / "build")).resolve()
    if out == root or out.is_relative_to(root / "tei"):
        raise JiaokanError("outputs would be among the texts", place=Place(str(out)), mend="choose another folder")
    with without_collection():  # a library has a million objects, without cycles
        catalog = catalogs.load(root)
        plan = steps(catalog, out)
        for folder in {path.parent for step in plan for path in step.outputs}:
            inside(out if folder.is_relative_to(out) else root, folder)
        cache = Cache(out)
        if force:
            cache.records.clear()
            Store(cache_folder("site", out)).clear()
        _check(catalog, [step.subject for step in plan if step.stage == "read" and not cache.known(step, root)])
    with locked(out), without_search_of_now():
        here = None if scheduler not in ("", LOCAL) else memory or available()
        results = run(plan, catalog, cache, jobs=jobs or cores(), watch=watch, memory=here, scheduler=scheduler,
                      without=without)
    with without_collection():
        return report(results, catalog, out)


def _check(catalog: catalogs.Catalog, sources: Collection[str]) -> None:
    """Check the decisions and these sources; skipped if there are none and the decisions were found sound before.

    Raises JiaokanError as `pipeline.readers.check`.
    """
    decisions = states(below(catalog.root / "tei" / "decisions"))
    files, cache = (decisions, catalogs.files_of(catalog.root)), Store(cache_folder("settings", catalog.root))
    made_from = stamp(program(), *files)
    if not sources and cache.get("decisions", made_from, bool):
        return
    from pipeline.readers import check  # slow to import

    check(catalog, sources)
    if settled(*files[0].values(), *files[1].values()):
        cache.put("decisions", made_from, True)


def stale_sources(catalog: catalogs.Catalog, out: Path) -> set[str]:
    """Return the ids of the sources whose TEI is stale."""
    cache = Cache(out)
    read = (step for step in steps(catalog, out) if step.stage == "read")
    return {step.subject for step in read if cache.fresh(step, cache.key(step, catalog.root)) is None}


def recorded(out: Path, subject: str, sources: Collection[str] = ()) -> tuple[Finding, ...]:
    """Return the findings of the last build: of checking a TEI file (``editions/ID.xml``), and of reading sources."""
    records = Cache(out).records
    found = (records.get(name) for name in (f"check {subject}", *(f"read {each}" for each in sources)))
    return tuple(each for record in found if record for each in record.outcome.findings)


def counted(catalog: catalogs.Catalog, out: Path) -> dict[str, Counts]:
    """Return the counts of the last build by the ids of sources and critical editions."""
    records = Cache(out).records
    made = [*(("read", name) for name in catalog.sources),
            *(("collate", plan.id) for plan in catalog.editions.values() if plan.kind == "critical")]
    known = {name: records.get(f"{stage} {name}") for stage, name in made}
    return {name: each.outcome.figures for name, each in known.items() if each and each.outcome.figures}


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRow:
    """The row of one text."""

    id: str
    title: str
    kind: str
    """``witness``, ``critical`` or ``reading``."""
    figures: Counts
    findings: int
    pages: int
    seconds: float
    """Time of its own steps, in whichever build they were done."""
    outputs: tuple[Path, ...]
    made: bool = False
    """Whether any of its steps was done in this build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """The result of a build."""

    rows: tuple[TextRow, ...]
    findings: tuple[Finding, ...]
    done: int
    """Number of steps that were done; the others were up to date."""
    total: int
    site: Path

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings on outputs that could not be made."""
        return tuple(finding for finding in self.findings if finding.rule == FAILED)

    @property
    def errors(self) -> int:
        """The number of findings that are errors."""
        return sum(finding.severity == "error" for finding in self.findings)


def report(results: tuple[StepResult, ...], catalog: Catalog, out: Path) -> BuildReport:
    """Return the report of the results of a build."""
    return BuildReport(
        rows=tuple(_rows(results, catalog, out)),
        findings=tuple(sorted({finding for result in results for finding in result.outcome.findings})),
        done=sum(not result.fresh for result in results),
        total=len(results),
        site=out / "html" / "index.html",
    )


def _rows(results: tuple[StepResult, ...], catalog: Catalog, out: Path) -> Iterator[TextRow]:
    texts, shown = _by_text(results), _by_edition(results)
    for entry in catalog.sources.values():
        path = witness_path(catalog, entry.id)
        yield _row(entry.id, entry.title, "witness", texts.get(path, []), (path,))
    for plan in catalog.editions.values():
        path = edition_path(catalog, plan)
        text, made = texts.get(path, []), shown.get(plan.id, [])
        own = text if path.parent.name == "editions" else []  # the steps of a witness count in its own row
        counted = next((r.outcome.figures for r in text if r.outcome.figures), Counts())
        printed = (pdf for r in made if r.step.stage == "pdf" for pdf in r.step.outputs)
        outputs = (path, out / "html" / plan.id / "index.html", *printed)
        yield _row(plan.id, plan.title, plan.kind, own + made, outputs, counted)


def _by_text(results: tuple[StepResult, ...]) -> dict[Path, list[StepResult]]:
    """Return the results of making and of checking each TEI file."""
    found: dict[Path, list[StepResult]] = {}
    for each in results:
        paths = each.step.inputs[:1] if each.step.stage == "check" else each.step.outputs
        for path in paths:
            found.setdefault(path, []).append(each)
    return found


def _by_edition(results: tuple[StepResult, ...]) -> dict[str, list[StepResult]]:
    """Return the results for the pages and PDFs of each edition."""
    found: dict[str, list[StepResult]] = {}
    for each in results:
        if each.step.stage in ("html", "pdf"):
            found.setdefault(each.step.subject, []).append(each)
    return found


def _row(
    name: str, title: str, kind: str, results: list[StepResult], outputs: tuple[Path, ...],
    counted: Counts | None = None,
) -> TextRow:
    return TextRow(
        id=name, title=title, kind=kind,
        figures=counted or next((r.outcome.figures for r in results if r.outcome.figures), Counts()),
        findings=sum(len(r.outcome.findings) for r in results),
        pages=next((r.outcome.pages for r in results if r.outcome.pages), 0),  # of the first layout
        seconds=sum(r.outcome.seconds for r in results),
        outputs=outputs,
        made=any(not r.fresh for r in results),
    )
