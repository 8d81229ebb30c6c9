"""What each stage does, as functions that run in any process. They import their rooms when called:

a build with nothing to do must not pay for loading Saxon, Typst and the schema.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pipeline.build.stages import Step
from pipeline.errors import Finding, machine
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import copy_path, font_paths, pdf_paths, press_path, schemas, witness_path
from pipeline.stats.counts import Figures, figures
from pipeline.system.atomic import write_file

if TYPE_CHECKING:
    from pipeline.outputs import OutputSettings


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a step reports."""

    findings: tuple[Finding, ...] = ()
    figures: Figures | None = None
    """Of a step that makes a text."""
    pages: int = 0
    """Of a step that makes a PDF."""
    seconds: float = 0.0


def perform(step: Step, catalog: Catalog) -> Outcome:
    """Do a step. Raises JiaokanError, also for what the machine refuses; then nothing was written."""
    start = time.perf_counter()
    try:
        outcome = _WORK[step.stage](step, catalog)
    except (OSError, RecursionError, MemoryError) as error:
        raise machine(error) from None
    return msgspec.structs.replace(outcome, seconds=round(time.perf_counter() - start, 3))


def _read(step: Step, catalog: Catalog) -> Outcome:
    from pipeline.readers import witness_tei

    entry = catalog.sources[step.subject]
    tei, document, findings = witness_tei(entry, catalog, schemas=schemas(catalog))
    write_file(step.outputs[0], tei)
    return Outcome(findings=findings, figures=figures(document))


def _collate(step: Step, catalog: Catalog) -> Outcome:
    from pipeline.collate import collate
    from pipeline.entries.grounds import cited
    from pipeline.tei.header.build import edition_header
    from pipeline.tei.parse import from_tei
    from pipeline.tei.write import to_tei

    plan = catalog.editions[step.subject]
    paths = {name: witness_path(catalog, name) for name in plan.all_witnesses()}
    witnesses = {name: from_tei(path.read_bytes(), name=path.name) for name, path in paths.items()}
    document, findings = collate(plan, witnesses, catalog)
    header = edition_header(plan, document, catalog, cited(document))
    write_file(step.outputs[0], to_tei(document, header, schemas=schemas(catalog)))
    return Outcome(findings=findings, figures=figures(document))


def _check(step: Step, catalog: Catalog) -> Outcome:
    from pipeline.validate import validate_bytes
    from pipeline.validate.folder import home

    path = step.inputs[0]
    name, data = path.relative_to(catalog.root).as_posix(), path.read_bytes()
    return Outcome(findings=validate_bytes(data, name=name, folder=home(path, data)))


def _copy(step: Step, _: Catalog) -> Outcome:
    from pipeline.tei.tree import without_schemas

    write_file(step.outputs[0], without_schemas(step.inputs[0].read_bytes()))
    return Outcome()


def _html(step: Step, catalog: Catalog) -> Outcome:
    from pipeline.outputs import html

    tei, settings = _shown(step, catalog)
    return Outcome(findings=html.make(tei, step.outputs[0], settings).findings)


def _pdf(step: Step, catalog: Catalog) -> Outcome:
    from pipeline.outputs import pdf

    tei, settings = _shown(step, catalog)
    press = press_path(catalog)
    layout = step.part or settings.print.made()[0]
    settings = replace(
        settings, press=press if press.exists() else None, fonts=font_paths(catalog, catalog.editions[step.subject]),
        print=msgspec.structs.replace(settings.print, layout=layout),
    )
    made = pdf.make(tei, step.outputs[0], settings)
    return Outcome(findings=made.findings, pages=made.pages)


def _site(step: Step, catalog: Catalog) -> Outcome:
    from pipeline.outputs import html

    made = html.make_site(step.outputs[0].parent, title=catalog.project.title, order=tuple(catalog.editions))
    return Outcome(findings=made.findings)


def _shown(step: Step, catalog: Catalog) -> tuple[bytes, OutputSettings]:
    """Give the TEI that an edition shows, and what its outputs have to know."""
    from pipeline.outputs import OutputSettings

    plan, path = catalog.editions[step.subject], step.inputs[0]
    up = Path("..", "..")
    settings = OutputSettings(
        print=plan.print, decisions=catalog.root / "tei" / "decisions", description=plan.description,
        pdf=" ".join(p.as_posix() for p in pdf_paths(up, plan).values()), tei=copy_path(up, path).as_posix(),
    )
    return path.read_bytes(), settings


_WORK: dict[str, Callable[[Step, Catalog], Outcome]] = {
    "read": _read, "collate": _collate, "html": _html, "pdf": _pdf, "site": _site, "check": _check, "copy": _copy,
}
