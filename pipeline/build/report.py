"""The report of a build: for each text its counts, findings, pages, seconds and outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.build.run import FAILED, StepResult
from pipeline.errors import Finding
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, witness_path
from pipeline.stats.counts import Counts


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
