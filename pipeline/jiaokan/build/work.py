"""The function of each stage, which can run in any process.

They import what they need when they are called: a build with nothing to do must not load Saxon, Typst and the schema.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from jiaokan.build.stages import STAGE, Step, program_of, steps
from jiaokan.errors import Finding, machine
from jiaokan.settings import folder
from jiaokan.settings.catalog import Catalog
from jiaokan.settings.plans import EditionPlan, Press
from jiaokan.stats.counts import Counts, figures
from jiaokan.system.atomic import link, staged_folder, write_file
from jiaokan.system.process import apart, can_fork, without_collection
from jiaokan.system.store import Store, cache_folder

if TYPE_CHECKING:
    from jiaokan.editions import TextResult
    from jiaokan.outputs import OutputSettings, Pictures


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The report of a step."""

    findings: tuple[Finding, ...] = ()
    figures: Counts | None = None  # of a step that makes a text
    pages: int = 0  # of a step that makes a PDF
    seconds: float = 0.0


@without_collection()
def perform(step: Step, catalog: Catalog) -> Outcome:
    """Do a step. Raises JiaokanError, also for errors of the machine; then nothing was written."""
    start = time.perf_counter()
    try:
        outcome = _WORK[step.stage](step, catalog)
    except (OSError, RecursionError, MemoryError) as error:
        raise machine(error) from None
    return msgspec.structs.replace(outcome, seconds=round(time.perf_counter() - start, 3))


_CATALOG: list[Catalog] = []  # in a worker: the settings of the folder that is built


def begin(catalog: Catalog) -> None:
    """In a worker: set the settings of the folder that is built."""
    _CATALOG[:] = [catalog]


def work(step: Step, alone: bool) -> Outcome:
    """In a worker after `begin`: do a step, `alone` in a process of its own, which frees its memory at the end. Raises
    as `perform`."""
    if alone:
        if can_fork():  # what is loaded here is there in the child
            import_module(f"jiaokan.{STAGE[step.stage].program[0].removesuffix('.py').replace('/', '.')}")
        return apart(perform, step, _CATALOG[0])
    return perform(step, _CATALOG[0])


def _read(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.editions.witness import make_witness

    return _write_tei(step, make_witness(catalog.sources[step.subject], catalog, schemas=folder.schemas(catalog)))


def _collate(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.editions.edition import make_edition, witnesses_of

    plan = catalog.editions[step.subject]
    return _write_tei(step, make_edition(plan, witnesses_of(plan, catalog), catalog, schemas=folder.schemas(catalog)))


def _punctuate(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.editions.edition import make_reading, witnesses_of

    plan = catalog.editions[step.subject]
    text = witnesses_of(plan, catalog)[plan.witness]
    return _write_tei(step, make_reading(plan, text, catalog, schemas=folder.schemas(catalog)))


def _write_tei(step: Step, edition: TextResult) -> Outcome:
    write_file(step.outputs[0], edition.tei)
    return Outcome(findings=edition.findings, figures=figures(edition.document))


def _check(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.validate import validate_bytes
    from jiaokan.validate.homes import home

    path = step.inputs[0]
    name, data = path.relative_to(catalog.root).as_posix(), path.read_bytes()
    return Outcome(findings=validate_bytes(data, name=name, folder=home(path, data, catalog)))


def _copy(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.proposals.lay import read, with_quotations
    from jiaokan.tei.inert import make_inert, not_run

    path, *table = step.inputs
    data = path.read_bytes()
    if table and table[0].exists():
        homes = {text: folder.edition_path(catalog, plan).relative_to(catalog.root / "tei").as_posix()
                 for text, plan in folder.shown_texts(catalog).items()}
        data = with_quotations(data, read(table[0]), name=path.name, homes=homes)
    copy = make_inert(data, name=path.name)
    write_file(step.outputs[0], copy.data)
    return Outcome(findings=not_run(copy, path.name))


def _quote(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.proposals import lay
    from jiaokan.proposals.library import Library
    from jiaokan.proposals.quotations import quotations_in
    from jiaokan.tei.parse import from_tei

    (target, *own_tables), program = step.outputs, program_of(step.stage)
    with Library(Store(cache_folder("quotations", target.parent)).path("library.sqlite")) as library:
        texts: list[str] = []
        for path in reversed(step.inputs):
            data = path.read_bytes()
            digest = hashlib.sha256(program.encode() + data).hexdigest()
            texts.append(library.take(digest, partial(from_tei, data, name=path.name)))
        library.keep(texts)
        names = {person.id: (person.name, *person.names) for person in catalog.persons.values()}
        quotations = quotations_in(library, [*reversed(dict.fromkeys(texts))], names, folder.shown_texts(catalog))
    whole = lay.quotation_table(quotations)
    parts = lay.parts(whole)
    for path in own_tables:  # unchanged ones, of ten thousand nearly all, are not written again
        part = parts.get(path.stem)
        if part is None:
            path.unlink(missing_ok=True)
        elif not path.exists() or path.read_bytes() != part:
            write_file(path, part, lasting=False)
    write_file(target, whole)
    return Outcome()


def _quotations_xml(plan: EditionPlan, table: Iterable[Path], catalog: Catalog) -> str:
    """Return the quotations of an edition's text in other texts, for its outputs."""
    from jiaokan.outputs.web.links import quoted_xml
    from jiaokan.proposals.lay import read

    people = {person.id: person.label or person.name for person in catalog.persons.values()}
    folders = {text: other.id for text, other in folder.shown_texts(catalog).items()}
    own_text = folder.shown_text(plan)
    return quoted_xml(own_text, [row for path in table for row in read(path)], people, folders)


def _prepare(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.outputs import OutputSettings
    from jiaokan.outputs.text.prepare import prepare

    plan = catalog.editions[step.subject]
    settings = OutputSettings(apparatus=plan.apparatus, description=plan.description)
    write_file(step.outputs[0], prepare(step.inputs[0].read_bytes(), settings), lasting=False)
    return Outcome()


def _html(step: Step, catalog: Catalog, target: Path | None = None, missing: Collection[str] = ()) -> Outcome:
    """Make the pages of an edition, which do not offer the `missing` PDFs (names of files)."""
    from jiaokan.outputs import html

    tei, settings = _output_settings(step, catalog)
    table = [path for path in step.inputs if path.suffix == ".tsv"]
    _, plain, *copies = (path for path in step.inputs if path.suffix == ".xml")
    settings = replace(
        settings, url=catalog.project.url, image_hosts=catalog.project.image_hosts,
        plain=plain.read_bytes(), pictures=_pictures_of(catalog.editions[step.subject], catalog),
        quoted=_quotations_xml(catalog.editions[step.subject], table, catalog),
        witnesses={path.stem: path.read_bytes() for path in copies},
        pdf={address: layout for address, layout in settings.pdf.items() if Path(address).name not in missing},
    )
    return Outcome(findings=html.make(tei, target or step.outputs[0], settings).findings)


def _pictures_of(plan: EditionPlan, catalog: Catalog) -> dict[str, Pictures]:
    """Return the pictures of the leaves of an edition's witnesses, where the catalog names a folder of them."""
    from jiaokan.outputs import Pictures

    entries = [catalog.sources[name] for name in plan.all_witnesses()] if plan.kind == "critical" else []
    return {entry.id: Pictures(folder.picture_paths(catalog, entry), entry.images.first, entry.images.pages)
            for entry in entries if entry.images and entry.images.folder}


def _print_settings(step: Step, catalog: Catalog) -> tuple[bytes, OutputSettings]:
    """Return the TEI of an edition and the settings of its print in the step's layout, without the press's inks."""
    tei, settings = _output_settings(step, catalog)
    plan, press = catalog.editions[step.subject], folder.press_path(catalog)
    return tei, replace(
        settings, press=press if press.exists() else None, fonts=folder.font_paths(catalog, plan),
        plates=folder.plate_paths(catalog, plan),
        print=msgspec.structs.replace(
            settings.print, layout=step.part or settings.print.pdf_layouts()[0], press=Press()),
        quoted=_quotations_xml(plan, (path for path in step.inputs if path.suffix == ".tsv"), catalog),
    )


def _book(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.outputs import pdf

    write_file(step.outputs[0], pdf.make_book(*_print_settings(step, catalog)), lasting=False)
    return Outcome()


def _pdf(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.outputs import pdf

    tei, settings = _print_settings(step, catalog)
    plan = catalog.editions[step.subject]
    written = step.inputs[1]
    book = written.read_bytes() if written.exists() else b""  # if there is none, the PDF fails for the same reason
    target = folder.pdf_paths(step.outputs[0].parents[1], plan)[settings.print.layout]
    report = pdf.make(tei, target, settings, book)
    if plan.print.press.is_wanted():  # the file for the press has its inks, not the colours of a screen, and no links
        settings = replace(settings, print=msgspec.structs.replace(settings.print, press=plan.print.press),
                           profile=folder.profile_path(catalog, plan))
        pdf.make(tei, folder.press_file(target), settings, book)
    return Outcome(findings=report.findings, pages=report.pages)


def _also(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.outputs import get

    tei, settings = _output_settings(step, catalog)
    settings = replace(settings, fonts=folder.font_paths(catalog, catalog.editions[step.subject]))
    return Outcome(findings=get(step.part).make(tei, step.outputs[0], settings).findings)


def _site(step: Step, catalog: Catalog) -> Outcome:
    from jiaokan.outputs import html
    from jiaokan.outputs.web.earlier import EarlierSite, identity
    from jiaokan.tei.header.declarations import side_by_side

    (target,) = step.outputs
    earlier = EarlierSite(Store(cache_folder("site", target.parent)), target, program_of(step.stage))
    missing = {path.name for path in step.inputs if path.suffix == ".pdf" and not path.exists()}
    every = steps(catalog, target.parent) if missing else ()
    pages = {page.subject: page for page in every if page.stage == "html"}
    fonts = target / "assets" if earlier.is_unchanged("assets") else None  # not somebody else's, with other shapes
    with staged_folder(target) as site:  # the whole site changes at once: no page links to one of an older state
        (site / "files").mkdir()
        for path in step.inputs:
            file = f"files/{path.name}"
            page_step = pages.get(path.name)
            if page_step and missing & {Path(pdf).name for pdf in _output_settings(page_step, catalog)[1].pdf}:
                _html(page_step, catalog, site / path.name, missing)
            elif not path.suffix:
                link(path, site / path.name)
            elif path.suffix == ".pdf" and path.exists():
                link(path, site / file)
            elif path.suffix == ".xml" and not earlier.again(site, file, earlier.key(identity(path))):
                write_file(site / file, side_by_side(path.read_bytes()))  # pointers as the files lie there
        report = html.make_site(site, title=catalog.project.title, order=tuple(catalog.editions),
                              fonts=fonts, latin=catalog.latin(), url=catalog.project.url,
                              sections=folder.sections(catalog), earlier=earlier)
    earlier.save(target)
    return Outcome(findings=report.findings)


def _output_settings(step: Step, catalog: Catalog) -> tuple[bytes, OutputSettings]:
    """Return the TEI of an edition and the settings of its outputs."""
    from jiaokan.outputs import OutputSettings
    from jiaokan.outputs.text.front import front_matter

    plan, path = catalog.editions[step.subject], step.inputs[0]
    settings = OutputSettings(
        print=plan.print, apparatus=plan.apparatus, description=plan.description,
        decisions=catalog.root / "tei" / "decisions",
        pdf={f"../files/{file.name}": layout for layout, path in folder.pdf_paths(Path(), plan).items()
             for file in plan.print.files(path)},
        tei=f"../files/{path.name}", front=front_matter(folder.front_path(catalog, plan)), latin=catalog.latin(),
        prepared=b"".join(file.read_bytes() for file in step.inputs if file.suffix == folder.PREPARED),
    )
    return path.read_bytes(), settings


_WORK: dict[str, Callable[[Step, Catalog], Outcome]] = {
    "read": _read, "collate": _collate, "punctuate": _punctuate, "prepare": _prepare, "html": _html, "book": _book,
    "pdf": _pdf, "also": _also, "site": _site, "check": _check, "copy": _copy, "quote": _quote,
}
