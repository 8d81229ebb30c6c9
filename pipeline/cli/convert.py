"""`jiaokan convert`, `convert-apparatus`, `import`: other formats and other ways of linking, to TEI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from pipeline.api import Edition, read_source
from pipeline.cli._folder import (
    EXISTING_FILE,
    WORDS,
    emit,
    folder_option,
    out_option,
    show,
    text_names,
)
from pipeline.cli._terminal import print_text, say
from pipeline.model.numerals import whole

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("convert")
@click.argument("source", shell_complete=text_names)
@click.option("--reader", help="For a file without a catalog: the reader for its format.")
@click.option("--convention", type=FILE, help="For such a file: its markup (TOML).")
@click.option("--persons", type=FILE, help="For such a file: the cited persons (TOML).")
@click.option("--title", type=WORDS, default="", help="For such a file: its title (default: the file name).")
@click.option("--chapter", "chapters", type=WORDS, multiple=True, metavar="N=TITLE", help="For such a file: a chapter.")
@out_option
@folder_option
def convert(
    source: str, reader: str | None, convention: Path | None, persons: Path | None, title: str,
    chapters: tuple[str, ...], out: Path | None, folder: Path,
) -> None:
    """Convert one transcription to TEI.

    SOURCE is the id of a source in the folder's catalog; with --reader, any text file.

    \b
    Example:  jiaokan convert jizhu --out jizhu.xml
              jiaokan convert my.txt --reader brackets --convention my.toml --chapter 1=学而
    """
    if reader is None:
        made = Edition(folder).convert(source)
    else:
        made = read_source(source, reader=reader, convention=convention, persons=persons, title=title,
                           chapters=dict(_chapters(chapters)))
    show(made.findings)
    emit(made.tei, out)


def _chapters(values: Iterable[str]) -> Iterator[tuple[int, str]]:
    for value in values:
        n, equals, title = value.partition("=")
        if not (whole(n, -1) >= 0 and equals and title):
            raise click.BadParameter(f"{value!r} is not of the form 6=燕礼", param_hint="--chapter")
        yield int(n), title


@click.command("convert-apparatus")
@click.argument("file", type=EXISTING_FILE)
@click.option("--to", "method", required=True, type=click.Choice(["parallel", "double-end-point", "location"]),
              help="Linking method: entries around their words, two points, or a location with the words.")
@click.option("--where", type=click.Choice(["internal", "external"]), default="external", show_default=True,
              help="For methods outside the text: entries after their words, or all in standOff.")
@click.option("--overlap", type=click.Choice(["refuse", "split"]), default="refuse", show_default=True,
              help="For parallel: refuse or split entries that overlap or cross elements.")
@click.option("--unheld", type=click.Choice(["refuse", "keep"]), default="refuse", show_default=True,
              help="Refuse or keep entries whose words are not in the text.")
@click.option("--proof", is_flag=True, help="Print the comparison of each witness and entry. Needs --out.")
@out_option
def convert_apparatus(
    file: Path, method: Any, where: Any, overlap: str, unheld: str, proof: bool, out: Path | None
) -> None:
    """Convert an apparatus to another TEI linking method.

    Everything else in the file stays the same. Each conversion is checked: the text of each witness and all entries
    must be the same as before.

    \b
    Example:  jiaokan convert-apparatus edition.xml --to double-end-point -o points.xml --proof
              jiaokan convert-apparatus T08n0251.xml --to parallel --overlap split -o parallel.xml
    """
    from pipeline.exchange.conversion.convert import convert_apparatus

    if proof and out is None:
        raise click.UsageError("--proof prints to standard output; give the file with --out")
    made = convert_apparatus(file.read_bytes(), method, file=str(file), where=where, split=overlap == "split",
                     keep=unheld == "keep")
    show(made.findings)
    emit(made.data, out)
    if proof:
        print_text(made.proof.rstrip("\n"))


@click.command("import")
@click.argument("file", type=EXISTING_FILE)
@out_option
def import_file(file: Path, out: Path | None) -> None:
    """Convert a Word file whose footnotes are a 校勘記 to TEI.

    FILE is a .docx file. Footnotes that are sentences of a 校勘記 become apparatus entries; the others stay notes and
    are listed. Use the TEI with html, pdf, read, stats, collate and init --from.

    \b
    Example:  jiaokan import lunyu.docx -o lunyu.xml && jiaokan html lunyu.xml -o site
    """
    from pipeline.exchange.imports import importer

    made = importer(file.name).convert(file.read_bytes(), str(file))
    show(made.findings)
    say(f"{made.entries} notes are now entries, {len(made.findings)} are still notes", err=True)
    emit(made.tei, out)


COMMANDS = (convert, convert_apparatus, import_file)
