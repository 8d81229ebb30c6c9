"""`jiaokan html`, `pdf`, and a command for each further output, from any TEI file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from pipeline import outputs
from pipeline.cli import REGISTRY
from pipeline.cli._folder import FOLDER, WORDS, F, show
from pipeline.cli._tei import output_of
from pipeline.cli._terminal import progress, say
from pipeline.errors import JiaokanError, Place
from pipeline.model.variants import LEVELS
from pipeline.model.words import folded
from pipeline.settings import layouts, values
from pipeline.settings.names import folder_name
from pipeline.settings.plans import ApparatusPlan, EditionPlan, PrintPlan
from pipeline.settings.toml import load_typed
from pipeline.system.listing import matching
from pipeline.system.shown import visible

if TYPE_CHECKING:
    from pipeline.outputs import OutputSettings

FILE = click.Path(path_type=Path, dir_okay=False)
_OWN = ("html", "pdf")
"""Outputs with their own options."""
_FURTHER = tuple(name for name in outputs.names() if name not in _OWN)


def decisions_option(command: F) -> F:
    """Add the option ``--decisions``."""
    text = "A folder whose print.toml says how to print characters that no font has."
    return click.option("--decisions", type=FOLDER, help=text)(command)


def _sized(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Check the paper size; raises a usage error."""
    try:
        values.size_of(value or PrintPlan().paper)
    except ValueError as error:
        raise click.BadParameter(f"{error}; {values.known_sizes()}") from None
    return value


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
    from pipeline.outputs import OutputSettings, html

    _apart(files)
    for file in progress(files):
        target = out / folder_name(file.stem)
        settings = OutputSettings(decisions=decisions, witnesses=_witnesses(file))
        made = output_of(file, lambda tei, target=target, settings=settings: html.make(tei, target, settings))  # type: ignore[misc]
        show(made.findings)
    show(html.make_site(out, title=title or visible(out.resolve().name)).findings)
    say(out / "index.html")


def _apart(files: tuple[Path, ...]) -> None:
    """Raise JiaokanError if two files would have the same folder on the site, also where case is ignored."""
    first: dict[str, Path] = {}
    for file in files:
        other = first.setdefault(folded(folder_name(file.stem)), file)
        if other.absolute() != file.absolute():
            raise JiaokanError(f"its folder on the website would be that of {other}", place=Place(str(file)),
                               mend="rename one of the files")


def _one_sign(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Check that the value is one character; raises a usage error."""
    if value is not None and len(value) != 1:
        raise click.BadParameter(f"{value!r} is not one character")
    return value


@click.command("pdf")
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, help="The PDF; with --to typst a folder (default: named after FILE, here).")
@click.option("--to", "form", type=click.Choice(["pdf", "typst", *_FURTHER]), default="pdf", show_default=True,
              help="PDF; its Typst source with templates and fonts; or another output.")
@click.option("--plan", type=FILE, help="An edition's tei/editions/ID.toml, whose [print] table applies.")
@click.option("--layout", type=click.Choice(layouts.names()),
              help=f"Page layout (default: {PrintPlan().layout}). "
                   + " ".join(f"{name}: {layouts.declaration(name).about}" for name in layouts.names()))
@click.option("--paper", callback=_sized,
              help="Page size: a5, 大32开, 140x203 … (default: 170x240).")
@click.option("--level", type=click.Choice(list(LEVELS)),
              help="Which entries: all; no script pairs (graphic, default); no graphs (reading); substantive ones.")
@click.option("--missing", callback=_one_sign,
              help="Printed for characters that no font has, e.g. 〓 (default: no PDF is made).")
@click.option("--press", type=FILE, help="A Typst file whose functions and measures replace ours.")
@click.option("--font", "fonts", type=FILE, multiple=True, help="A further font. Can be repeated.")
@decisions_option
def pdf(file: Path, out: Path | None, form: str, plan: Path | None, press: Path | None, fonts: tuple[Path, ...],
        decisions: Path | None, **choices: str | None) -> None:
    """Make a PDF from a TEI file.

    \b
    Example:  jiaokan pdf tei/editions/lunyu.xml --layout traditional
    """
    from pipeline.outputs import get, pdf

    settings = _settings(plan, press, fonts, decisions, {key: value for key, value in choices.items() if value})
    if form == "pdf":
        made = output_of(file, lambda tei: pdf.make(tei, out or Path(f"{file.stem}.pdf"), settings))
    elif form == "typst":
        made = output_of(file, lambda tei: pdf.make_source(tei, out or Path(f"{file.stem}-typst"), settings))
    else:
        made = output_of(file, lambda tei: get(form).make(tei, out or Path(f"{file.stem}.{form}"), settings))
    show(made.findings)
    files = ", ".join(map(str, made.files))
    say(f"{files}: {made.pages} pages" if form == "pdf" else out or made.files[0])


def _settings(
    plan: Path | None, press: Path | None, fonts: tuple[Path, ...], decisions: Path | None, choices: dict[str, str]
) -> OutputSettings:
    """Return the settings of an output: options override the plan's [print], which overrides the defaults."""
    from pipeline.outputs import OutputSettings
    from pipeline.outputs.front import front_matter
    from pipeline.settings.catalog import load
    from pipeline.settings.folder import font_paths, front_path, press_path, profile_path

    printed, told, description, front, profile = PrintPlan(), ApparatusPlan(), "", "", None
    latin: dict[str, str] = {}
    if plan:
        home = plan.resolve().parent.parent
        if plan.resolve().parent.name != "editions" or home.name != "tei":
            raise JiaokanError("not the plan of an edition", place=Place(str(plan)), mend="give tei/editions/ID.toml")
        catalog = load(home.parent)
        edition, latin = catalog.editions[load_typed(plan, EditionPlan).id], catalog.latin()
        printed, told, description = edition.print, edition.apparatus, edition.description
        front = front_matter(front_path(catalog, edition))
        fonts, profile = fonts or font_paths(catalog, edition), profile_path(catalog, edition)
        press = press or (press_path(catalog) if press_path(catalog).exists() else None)
        decisions = decisions or catalog.root / "tei" / "decisions"
    return OutputSettings(
        print=replace(printed, **choices), fonts=fonts, press=press, decisions=decisions, description=description,
        front=front, apparatus=told, profile=profile, latin=latin,
    )


def _witnesses(file: Path) -> dict[str, bytes]:
    """Return the TEI of the witnesses beside an edition of a folder; none for any other file."""
    if file.resolve().parent.name != "editions":
        return {}
    found = matching(file.resolve().parent.parent / "witnesses", "*.xml")
    return {path.stem: path.read_bytes() for path in found}


def _command(name: str) -> click.Command:
    """Return the command of an output without its own options."""
    @click.command(name, help=f"{REGISTRY[name][1]}\n\n\b\nExample:  jiaokan {name} tei/editions/lunyu.xml")
    @click.argument("file", type=FILE)
    @click.option("-o", "--out", type=FILE, help="The output (default: named after FILE, here).")
    @click.option("--plan", type=FILE, help="An edition's tei/editions/ID.toml, whose [print] table applies.")
    @click.option("--font", "fonts", type=FILE, multiple=True, help="A further font. Can be repeated.")
    @decisions_option
    def command(file: Path, out: Path | None, plan: Path | None, fonts: tuple[Path, ...],
                decisions: Path | None) -> None:
        target = out or Path(f"{file.stem}.{name}")
        settings = _settings(plan, None, fonts, decisions, {})
        show(output_of(file, lambda tei: outputs.get(name).make(tei, target, settings)).findings)
        say(target)

    return command


COMMANDS = (html, pdf, *map(_command, _FURTHER))
