"""`jiaokan html`, `pdf`, and a command for each further output, from any TEI file."""

from __future__ import annotations

from pathlib import Path

import click

from jiaokan import outputs
from jiaokan.api import to_html, to_pdf
from jiaokan.cli import registry
from jiaokan.cli._folder import FOLDER, WORDS, F, show
from jiaokan.cli._terminal import progress, say
from jiaokan.model.variants import LEVELS
from jiaokan.settings import layouts
from jiaokan.settings.plans import PrintPlan

FILE = click.Path(path_type=Path, dir_okay=False)
_OWN = ("html", "pdf")
"""Outputs with their own options."""
_FURTHER = tuple(name for name in outputs.names() if name not in _OWN)


def decisions_option(command: F) -> F:
    """Add the option ``--decisions``."""
    text = "A folder whose print.toml says how to print characters that no font has (default: tei/decisions beside)."
    return click.option("--decisions", type=FOLDER, help=text)(command)


@click.command("html")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("-o", "--out", type=FOLDER, required=True, help="Folder of the website; texts already in it are kept.")
@click.option("--title", type=WORDS, default="", help="Title of the website (default: the folder name).")
@decisions_option
def html(files: tuple[Path, ...], out: Path, title: str, decisions: Path | None) -> None:
    """Make a website from TEI files.

    Each text has its own folder; the start page lists them all.

    \b
    Example:  jiaokan html tei/editions/lunyu.xml --out site
    """
    made = to_html(files, out, title=title, decisions=decisions, watch=lambda found: progress(list(found)))
    show(made.findings)
    say(out / "index.html")


@click.command("pdf")
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, help="The PDF; with --to typst a folder (default: named after FILE, here).")
@click.option("--to", "form", type=click.Choice(["pdf", "typst", *_FURTHER]), default="pdf", show_default=True,
              help="PDF; its Typst source with templates and fonts; or another output.")
@click.option("--plan", type=FILE, help="An edition's tei/editions/ID.toml, whose [print] table applies.")
@click.option("--layout", type=click.Choice(layouts.names()),
              help=f"Page layout (default: {PrintPlan().layout}). "
                   + " ".join(f"{name}: {layouts.declaration(name).about}" for name in layouts.names()))
@click.option("--paper", help="Page size: a5, 大32开, 140x203 … (default: 170x240).")
@click.option("--level", type=click.Choice(list(LEVELS)),
              help="Which entries: all; no script pairs (graphic, default); no graphs (reading); substantive ones.")
@click.option("--missing", help="Printed for characters that no font has, e.g. 〓 (default: their code in a box); "
              "refuse: no PDF is made.")
@click.option("--press", type=FILE, help="A Typst file whose functions and measures replace ours.")
@click.option("--font", "fonts", type=FILE, multiple=True, help="A further font. Can be repeated.")
@decisions_option
def pdf(file: Path, out: Path | None, form: str, plan: Path | None, press: Path | None, fonts: tuple[Path, ...],
        decisions: Path | None, **choices: str | None) -> None:
    """Make a PDF from a TEI file. Exit code 1 if a finding is an error.

    \b
    Example:  jiaokan pdf tei/editions/lunyu.xml --layout traditional
    """
    target = out or Path(f"{file.stem}-typst" if form == "typst" else f"{file.stem}.{form}")
    made = to_pdf(file, target, form=form, plan=plan, press=press, fonts=fonts, decisions=decisions, **choices)
    show(made.findings)
    files = ", ".join(map(str, made.files))
    say(f"{files}: {made.pages} pages" if form == "pdf" else out or made.files[0])
    if any(finding.severity == "error" for finding in made.findings):
        raise click.exceptions.Exit(1)


def _command(name: str) -> click.Command:
    @click.command(name, help=f"{registry()[name].english}\n\n\b\nExample:  jiaokan {name} tei/editions/lunyu.xml")
    @click.argument("file", type=FILE)
    @click.option("-o", "--out", type=FILE, help="The output (default: named after FILE, here).")
    @click.option("--plan", type=FILE, help="An edition's tei/editions/ID.toml, whose [print] table applies.")
    @click.option("--font", "fonts", type=FILE, multiple=True, help="A further font. Can be repeated.")
    @decisions_option
    def command(file: Path, out: Path | None, plan: Path | None, fonts: tuple[Path, ...],
                decisions: Path | None) -> None:
        target = out or Path(f"{file.stem}.{name}")
        show(to_pdf(file, target, form=name, plan=plan, fonts=fonts, decisions=decisions).findings)
        say(target)

    return command


COMMANDS = (html, pdf, *map(_command, _FURTHER))
