"""`jiaokan collate`: an edition of the folder, or any files, as TEI or as an apparatus in many formats."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from jiaokan.api import Edition, Finding, TeiText, collate_texts, read_tei
from jiaokan.api.outputs import decisions_beside
from jiaokan.cli._folder import (
    EXISTING_FILE,
    TEXT_NAME,
    classes_option,
    emit,
    folder_option,
    out_option,
    part_option,
    run_limited,
    show,
)
from jiaokan.cli._terminal import say
from jiaokan.entries.left_out import find_left_out
from jiaokan.errors import Message
from jiaokan.exchange import exports
from jiaokan.model.references import References
from jiaokan.model.variants import LEVELS

if TYPE_CHECKING:
    from jiaokan.settings.plans import ApparatusPlan

Export = tuple[tuple[Finding, ...], str, list[str]]


@click.command("collate")
@click.argument("texts", nargs=-1, required=True, metavar="EDITION | FILES",
                type=TEXT_NAME)
@click.option("-f", "--format", "form", type=click.Choice(exports.names()),
              help="option-collate-format")
@click.option("--base", default="", help="option-collate-base")
@click.option("--level", type=click.Choice(list(LEVELS)), default="all", show_default=True,
              help="option-collate-level")
@classes_option
@part_option("all")
@click.option("--positive", is_flag=True, help="option-collate-positive")
@click.option("--witness", "files", multiple=True, metavar="ID=FILE",
              help="option-collate-witness")
@click.option("--text", "text", type=EXISTING_FILE, help="option-collate-text")
@out_option
@folder_option
def command(
    texts: tuple[str, ...], form: str | None, base: str, level: str, without: frozenset[str], part: str, positive: bool,
    files: tuple[str, ...], text: Path | None, out: Path | None, folder: Path,
) -> None:
    """Collate witnesses into an edition or an apparatus.

    \b
    Example:  jiaokan collate lunyu --out lunyu.xml
              jiaokan collate a.txt b.txt c.xml --base b -f csv
              jiaokan collate tei/editions/lunyu.xml -f nexus --level substantive
    """
    if text is not None and len(texts) != 1:
        raise click.UsageError(Message("text-file-apparatus-entries-point"))
    options: dict[str, Any] = {"level": level, "without": without, "part": part, "positive": positive}
    options["decisions"] = decisions_beside(Path(texts[0])) if Path(texts[0]).exists() else folder / "tei" / "decisions"
    if text is not None:
        findings, data, left = run_limited([Path(texts[0]), text], _written_apart, texts[0], text, form, options)
    elif (edition := _edition(texts, base, files, folder)) is not None:
        tei_text, plan = edition
        findings, data, left = _export(tei_text, form or "tei", options, plan)
    else:
        paths = [Path(name) for name in texts if name != "-"]
        findings, data, left = run_limited(paths, _written_files, _contents(texts, files), base, form, options)
    show(findings)
    for line in left:
        say(line, err=True)
    emit(data.encode(), out, sheet=form == "csv")


def _export(
    tei_text: TeiText, form: str, options: dict[str, Any], plan: ApparatusPlan | None = None
) -> Export:
    """Return the findings, the apparatus of a text, and what it leaves out, if its form has no place to say it."""
    apparatus = tei_text.apparatus(form, plan=plan, **options)
    without = LEVELS[options["level"]] | options["without"]
    if not (without and getattr(exports.get(form), "SILENT", False)):
        return tei_text.findings, apparatus, []
    left = find_left_out(tei_text.document, without=without, part=options["part"])
    return tei_text.findings, apparatus, [*left.messages(), *left.places(References(tei_text.document).of)]


def _written_apart(
    file: str, text: Path, form: str | None, options: dict[str, Any]
) -> Export:
    """As `_export`, of a file whose words are in another."""
    return _export(read_tei(file, text=text), form or "table", options)


def _written_files(
    named: list[BytesIO | Path], base: str, form: str | None, options: dict[str, Any]
) -> Export:
    """As `_export`, of files, which it collates."""
    return _export(collate_texts(named, base=base), form or "table", options)


def _edition(
    texts: tuple[str, ...], base: str, files: tuple[str, ...], folder: Path
) -> tuple[TeiText, ApparatusPlan] | None:
    """Collate an edition of the folder; None if `texts` are files."""
    if len(texts) == 1 and texts != ("-",) and (not Path(texts[0]).exists() or _is_edition(texts[0], folder)):
        if base:
            raise click.UsageError(Message("base-files-edition-declares-base"))
        edition = Edition(folder)
        witnesses = {name: Path(file) for name, _, file in (part.partition("=") for part in files)}
        return edition.collate(texts[0], witnesses), edition.catalog.editions[texts[0]].apparatus
    return None


def _is_edition(text: str, folder: Path) -> bool:
    """Whether a name of a folder, which is no file to collate, is the id of an edition."""
    return Path(text).is_dir() and any((at / "tei/editions" / f"{text}.toml").is_file()
                                       for at in (folder.resolve(), *folder.resolve().parents))


def _contents(texts: tuple[str, ...], files: tuple[str, ...]) -> list[BytesIO | Path]:
    """Return the files to collate, and what standard input has as a file ``stdin``; raises UsageError."""
    if files:
        raise click.UsageError(Message("witness-edition-folder-give-files"))
    if texts.count("-") > 1:
        raise click.UsageError(Message("standard-input-witness"))
    return [_stdin() if text == "-" else Path(text) for text in texts]


def _stdin() -> BytesIO:
    stream = BytesIO(sys.stdin.buffer.read())
    stream.name = "stdin"
    return stream


COMMANDS = (command,)
