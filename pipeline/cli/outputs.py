"""`jiaokan html` and `jiaokan pdf`: outputs of any TEI files of the encoding."""

from __future__ import annotations

from pathlib import Path

import click

from pipeline.cli._folder import FOLDER, F, show
from pipeline.cli._progress import each
from pipeline.errors import JiaokanError, Place
from pipeline.plans import PrintPlan

FILE = click.Path(path_type=Path, dir_okay=False)


def decisions_option(command: F) -> F:
    """Add ``--decisions``."""
    text = "A folder whose print.toml says how characters that no font has are printed."
    return click.option("--decisions", type=FOLDER, help=text)(command)


@click.command("html")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("-o", "--out", type=FOLDER, required=True, help="The site's folder; texts there already stay.")
@click.option("--title", default="", help="The title of the site (default: the folder's name).")
@decisions_option
def html(files: tuple[Path, ...], out: Path, title: str, decisions: Path | None) -> None:
    """Make a website of TEI files: a folder for each text, and a page that leads to all.

    \b
    Example:  jiaokan html tei/editions/yili.xml --out site
    """
    from pipeline.outputs import OutputSettings, html

    for file in each(files):
        target = out / file.stem
        made = html.make(_tei(file), target, OutputSettings(decisions=decisions))
        show(made.findings)
    show(html.make_site(out, title=title or out.resolve().name).findings)
    click.echo(out / "index.html")


@click.command("pdf")
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, help="The PDF (default: FILE with .pdf, in this folder).")
@click.option("--layout", type=click.Choice(["modern", "traditional"]), default="modern", show_default=True,
              help="Lines across, or the woodblock page: columns, notes in double lines.")
@click.option("--paper", type=click.Choice(["a5", "170x240", "a4"]), default="170x240", show_default=True,
              help="Size of the page.")
@click.option("--level", type=click.Choice(["all", "graphic", "substantive"]), default="graphic", show_default=True,
              help="Which entries are printed: all; without script pairs; substantive ones only.")
@decisions_option
def pdf(file: Path, out: Path | None, layout: str, paper: str, level: str, decisions: Path | None) -> None:
    """Make a PDF of a TEI file.

    \b
    Example:  jiaokan pdf tei/editions/yili.xml --paper a5
    """
    from pipeline.outputs import OutputSettings, pdf

    target = out or Path(f"{file.stem}.pdf")
    plan = PrintPlan(layout=layout, paper=paper, level=level)  # type: ignore[arg-type]  # checked by click
    made = pdf.make(_tei(file), target, OutputSettings(print=plan, decisions=decisions))
    show(made.findings)
    click.echo(f"{target}: {made.pages} pages")


def _tei(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise JiaokanError(f"cannot be read: {error.strerror}", place=Place(str(file))) from None


COMMANDS = (html, pdf)
