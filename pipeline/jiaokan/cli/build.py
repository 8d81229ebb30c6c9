"""`jiaokan build`: all outputs of an edition folder."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from jiaokan.api import edition_root
from jiaokan.build import BuildReport, Event, TextRow, build
from jiaokan.cli._folder import FOLDER, folder_argument, show
from jiaokan.cli._report import as_json, finding_row
from jiaokan.cli._terminal import Bar, class_name, console, print_text, say, word_message
from jiaokan.errors import Message, visible
from jiaokan.model.variants import TABLE

_SHOWN = 60
"""Up to this many texts, each has a row in the table; of a larger library only those that were rebuilt."""
_OPEN = 6
"""The website, and this many PDFs less one, are listed at the end."""
_KINDS = {"witness": Message("text-kind-witness"), "critical": Message("text-kind-edition"),
          "reading": Message("label-to-read")}


def _bytes(_context: click.Context, _option: click.Parameter, value: str | None) -> int:
    size = re.fullmatch(r"([1-9][0-9]{0,6})([MG])i?B?", value or "0", re.IGNORECASE)
    if value and not size:
        raise click.BadParameter(Message("size-invalid", size=value))
    return int(size[1]) * {"M": 2**20, "G": 2**30}[size[2].upper()] if size else 0


@click.command("build")
@folder_argument
@click.option("--out", type=FOLDER, help="option-build-out")
@click.option("-j", "--jobs", type=click.IntRange(1), help="option-build-jobs")
@click.option("--memory", callback=_bytes, metavar="SIZE",
              help="option-build-memory")
@click.option("--scheduler", default="", metavar="ADDRESS|local",
              help="option-build-scheduler")
@click.option("--force", is_flag=True, help="option-build-force")
@click.option("--findings", "verbose", is_flag=True, help="option-build-findings")
@click.option("-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True,
              help="option-build-format")
@click.option("-q", "--quiet", is_flag=True, help="option-build-quiet")
def command(
    folder: Path, out: Path | None, jobs: int | None, memory: int, scheduler: str, force: bool, verbose: bool,
    form: str, quiet: bool,
) -> None:
    """Build the TEI, website and PDFs of an edition folder.

    \b
    Example:  jiaokan build demo
    """
    start = time.perf_counter()
    with Bar() as bar:
        report = build(edition_root(folder), out, jobs=jobs or 0, force=force, memory=memory, scheduler=scheduler,
                       watch=_watch(bar, quiet))
    seconds = time.perf_counter() - start
    if form == "json":
        print_text(_as_json(report, seconds).rstrip("\n"))
    else:
        show(report.findings if verbose else (*report.failed_outputs, *report.grave))
        if not quiet:
            _print(report, seconds, verbose)
    if report.errors:
        raise click.exceptions.Exit(1)


def _watch(bar: Bar, quiet: bool) -> Callable[[Event], None]:
    def watch(event: Event) -> None:
        if event.kind == "start":
            bar.start(event.step.name)
        else:
            bar.done(event.step.name, total=event.total, quiet=quiet or event.kind == "fresh")

    return watch


def _as_json(report: BuildReport, seconds: float) -> str:
    """Return the table and all findings for a program; `findings` have the keys of `validate --format json`."""
    texts = [{
        "id": row.id, "kind": row.kind, "title": row.title, **asdict(row.figures), "findings": row.findings,
        "pages": row.pages, "seconds": round(row.seconds, 1), "outputs": [_relative(path) for path in row.outputs],
    } for row in report.rows]
    return as_json({
        "texts": texts, "steps": {"done": report.done, "total": report.total}, "seconds": round(seconds, 1),
        "errors": report.errors, "findings": [finding_row(finding, word_message) for finding in report.findings],
        "site": _relative(report.site),
    })


def _print(report: BuildReport, seconds: float, verbose: bool) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("text", "", "title"):
        table.add_column(name and word_message(Message(f"label-{name}")), no_wrap=True)
    table.add_column(word_message(Message("base-text")), justify="right", no_wrap=True)
    for name in ("commentary", "units", "notes", "speakers"):
        table.add_column(word_message(Message(f"label-{name}")), justify="right", no_wrap=True)
    table.add_column(word_message(Message("apparatus-entries-class")))
    for name in ("findings", "pages", "seconds"):
        table.add_column(word_message(Message(f"label-{name}")), justify="right", no_wrap=True)
    rows = _rows(report)
    for row in rows:
        table.add_row(*map(visible, _cells(row)))
    screen = console()
    width = max(screen.width, 120) if screen.is_terminal else 200  # never truncate numbers
    console(width=width).print(table)
    say()
    for row in rows:
        say("  ".join(_relative(path) for path in row.outputs))
    if len(rows) < len(report.rows):
        say(_rest(report, len(report.rows) - len(rows)))
    count = Message("steps-done", done=report.done, count=report.total)
    say(Message("witnesses-made", witnesses=count, seconds=seconds) if report.done
        else Message("all-up-to-date", seconds=seconds))
    if report.findings and not verbose:
        say(Message("findings-errors-findings-lists",
                    findings=Message("finding-count", count=len(report.findings)),
                    errors=Message("error-count", count=report.errors)))
    say(Message("label-open"))
    for path in [report.site,
                 *(path_made for row in rows for path_made in row.outputs if path_made.suffix == ".pdf")][:_OPEN]:
        say(f"  {_relative(path)}")


def _rows(report: BuildReport) -> tuple[TextRow, ...]:
    if len(report.rows) <= _SHOWN:
        return report.rows
    return tuple(row for row in report.rows if row.was_built)[:_SHOWN]


def _rest(report: BuildReport, left: int) -> str:
    texts = [row.figures for row in report.rows if row.kind != "reading"]
    base, commentary = sum(counts.characters for counts in texts), sum(counts.commentary for counts in texts)
    notes = sum(counts.notes for counts in texts)
    return (Message("further-texts-characters-base-text", left=left, count=len(report.rows), base=base,
                    commentary=commentary, notes=notes))


def _cells(row: TextRow) -> tuple[str, ...]:
    counted = row.figures
    entries = ", ".join(f"{class_name(key)} {counted.entries[key]}" for key in TABLE if key in counted.entries)
    numbers = (counted.characters, counted.commentary, counted.units, counted.notes, counted.speakers)
    return (
        row.id, word_message(_KINDS[row.kind]), row.title, *(f"{n:,}" for n in numbers), entries,
        str(row.findings or ""), str(row.pages or ""), f"{row.seconds:.1f}",
    )


def _relative(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


COMMANDS = (command,)
