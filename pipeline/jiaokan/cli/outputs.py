"""`jiaokan html`, `pdf`, and a command for each further output, from any TEI file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from jiaokan import outputs
from jiaokan.api import to_html, to_pdf
from jiaokan.api.texts import Source
from jiaokan.cli import registry
from jiaokan.cli._folder import FOLDER, WORDS, F, run_limited, show, texts_folder_option
from jiaokan.cli._paths import TEXT_FILE
from jiaokan.cli._terminal import progress, say
from jiaokan.errors import Message
from jiaokan.model.variants import LEVELS
from jiaokan.outputs import OutputReport
from jiaokan.settings import layouts

FILE = click.Path(path_type=Path, dir_okay=False)
_OWN = ("html", "pdf")
"""Outputs with their own options."""
_FURTHER = tuple(name for name in outputs.names() if name not in _OWN)


def decisions_option(command: F) -> F:
    """Add the option ``--decisions``."""
    return click.option("--decisions", type=FOLDER, help="option-decisions")(command)


def positive_option(command: F) -> F:
    """Add the option ``--positive``."""
    return click.option("--positive", is_flag=True, help="option-outputs-positive")(command)


@click.command("html")
@click.argument("files", nargs=-1, required=True, type=TEXT_FILE)
@texts_folder_option
@click.option("-o", "--out", type=FOLDER, required=True, help="option-outputs-out")
@click.option("--title", type=WORDS, default="", help="option-outputs-title")
@positive_option
@decisions_option
def html(files: tuple[Path, ...], out: Path, title: str, positive: bool, decisions: Path | None) -> None:
    """Make a website from TEI files.

    \b
    Example:  jiaokan html tei/editions/lunyu.xml --out site
    """
    report = to_html(
        files, out, title=title, decisions=decisions, positive=positive,
        watch=lambda findings: progress(list(findings)), run=_run)
    show(report.findings)
    say(out / "index.html")


def _run(source: Source, make: Callable[..., OutputReport], *arguments: object) -> OutputReport:
    return run_limited([Path(str(source))], make, source, *arguments)


@click.command("pdf")
@click.argument("file", type=TEXT_FILE)
@texts_folder_option
@click.option("-o", "--out", type=FILE, help="option-outputs-out-2")
@click.option("--to", "form", type=click.Choice(["pdf", "typst", *_FURTHER]), default="pdf", show_default=True,
              help="option-outputs-to")
@click.option("--plan", type=FILE, help="option-outputs-plan")
@click.option("--layout", type=click.Choice(layouts.names()),
              help="option-outputs-layout")
@click.option("--paper", help="option-outputs-paper")
@click.option("--level", type=click.Choice(list(LEVELS)),
              help="option-outputs-level")
@click.option("--missing", help="option-outputs-missing")
@click.option("--press", type=FILE, help="option-outputs-press")
@click.option("--font", "fonts", type=FILE, multiple=True, help="option-outputs-font")
@positive_option
@decisions_option
def pdf(file: Path, out: Path | None, form: str, plan: Path | None, press: Path | None, fonts: tuple[Path, ...],
        positive: bool, decisions: Path | None, **choices: str | None) -> None:
    """Make a PDF from a TEI file.

    \b
    Example:  jiaokan pdf tei/editions/lunyu.xml --layout traditional
    """
    target = out or Path(f"{file.stem}-typst" if form == "typst" else f"{file.stem}.{form}")
    report = run_limited([file], to_pdf, file, target, form=form, plan=plan, press=press, fonts=fonts,
                         decisions=decisions, positive=positive, **choices)
    show(report.findings)
    files = ", ".join(map(str, report.files))
    say(Message("pages-written", files=files, count=report.pages) if form == "pdf" else out or report.files[0])
    if any(finding.severity == "error" for finding in report.findings):
        raise click.exceptions.Exit(1)


def _command(name: str) -> click.Command:
    @click.command(name, help=f"{registry()[name].about}\n\n\b\nExample:  jiaokan {name} tei/editions/lunyu.xml")
    @click.argument("file", type=TEXT_FILE)
    @texts_folder_option
    @click.option("-o", "--out", type=FILE, help="option-outputs-out-2")
    @click.option("--plan", type=FILE, help="option-outputs-plan")
    @click.option("--font", "fonts", type=FILE, multiple=True, help="option-outputs-font")
    @positive_option
    @decisions_option
    def command(file: Path, out: Path | None, plan: Path | None, fonts: tuple[Path, ...],
                positive: bool, decisions: Path | None) -> None:
        target = out or Path(f"{file.stem}.{name}")
        report = run_limited([file], to_pdf, file, target, form=name, plan=plan, fonts=fonts, decisions=decisions,
                             positive=positive)
        show(report.findings)
        say(target)

    return command


COMMANDS = (html, pdf, *map(_command, _FURTHER))
