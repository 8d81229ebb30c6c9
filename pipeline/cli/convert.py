"""`jiaokan convert`: one transcription to TEI, of an edition folder or any file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from pipeline.cli._folder import WORDS, emit, folder_option, load, out_option, show, source_entry, text_names
from pipeline.errors import Finding
from pipeline.model.numerals import whole
from pipeline.settings.adhoc import Alone, catalog_of
from pipeline.settings.catalog import Catalog, Chapter, SourceEntry

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("convert")
@click.argument("source", shell_complete=text_names)
@click.option("--reader", help="For a file that is in no catalog: the reader for its format.")
@click.option("--convention", type=FILE, help="For such a file: how it marks its layers (TOML).")
@click.option("--persons", type=FILE, help="For such a file: who is cited (TOML).")
@click.option("--title", type=WORDS, default="", help="For such a file: its title (default: the file's name).")
@click.option("--chapter", "chapters", type=WORDS, multiple=True, metavar="N=TITLE", help="For such a file: a chapter.")
@out_option
@folder_option
def command(
    source: str, reader: str | None, convention: Path | None, persons: Path | None, title: str,
    chapters: tuple[str, ...], out: Path | None, folder: Path,
) -> None:
    """Read one transcription and write its TEI.

    SOURCE is the id of a source in the folder's catalog; with --reader, any text file.

    \b
    Example:  jiaokan convert jizhu --out jizhu.xml
              jiaokan convert my.txt --reader brackets --convention my.toml --chapter 1=学而
    """
    if reader is None:
        catalog = load(folder)
        data, findings = _convert(source_entry(source, catalog), catalog)
    else:
        alone = Alone(file=Path(source), reader=reader, convention=convention, persons=persons, title=title,
                      chapters=tuple(_chapters(chapters)))
        with catalog_of(alone) as (entry, catalog):
            data, findings = _convert(entry, catalog)
    show(findings)
    emit(data, out)


def _convert(entry: SourceEntry, catalog: Catalog) -> tuple[bytes, tuple[Finding, ...]]:
    from pipeline.editions.make.witness import make_witness

    made = make_witness(entry, catalog)
    return made.tei, made.findings


def _chapters(given: Iterable[str]) -> Iterator[Chapter]:
    for each in given:
        n, equals, title = each.partition("=")
        if not (whole(n, -1) >= 0 and equals and title):
            raise click.BadParameter(f"{each!r} is not of the form 6=燕礼", param_hint="--chapter")
        yield Chapter(n=int(n), title=title)


COMMANDS = (command,)
