"""`jiaokan convert`: transcriptions, Word files and other ways of linking, to TEI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import click

from jiaokan.api import Edition, read_source
from jiaokan.api.texts import read_bytes
from jiaokan.cli._folder import (
    EXISTING_FILE,
    TEXT_NAME,
    WORDS,
    emit,
    folder_option,
    out_option,
    show,
)
from jiaokan.cli._terminal import print_text, say
from jiaokan.errors import Message
from jiaokan.model.numerals import whole
from jiaokan.readers.tei.alone import with_text
from jiaokan.system.process import Inputs, call_within_limits

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("convert")
@click.argument("source", type=TEXT_NAME)
@click.option("--reader", help="option-convert-reader")
@click.option("--convention", type=FILE, help="option-convert-convention")
@click.option("--persons", type=FILE, help="option-convert-persons")
@click.option("--title", type=WORDS, default="", help="option-convert-title")
@click.option("--chapter", "chapters", type=WORDS, multiple=True, metavar="N=TITLE", help="option-convert-chapter")
@click.option("--apparatus", "method", type=click.Choice(["parallel", "double-end-point", "location"]),
              help="option-convert-apparatus")
@click.option("--text", "text", type=EXISTING_FILE,
              help="option-convert-text")
@click.option("--where", type=click.Choice(["internal", "external"]), default="external", show_default=True,
              help="option-convert-where")
@click.option("--overlap", type=click.Choice(["refuse", "split"]), default="refuse", show_default=True,
              help="option-convert-overlap")
@click.option("--unheld", type=click.Choice(["refuse", "keep"]), default="refuse", show_default=True,
              help="option-convert-unheld")
@click.option("--proof", is_flag=True, help="option-convert-proof")
@out_option
@folder_option
def command(
    source: str, reader: str | None, convention: Path | None, persons: Path | None, title: str,
    chapters: tuple[str, ...], method: Literal["parallel", "double-end-point", "location"] | None, text: Path | None,
    where: Literal["internal", "external"], overlap: str, unheld: str, proof: bool, out: Path | None, folder: Path,
) -> None:
    """Convert a transcription, a Word file or an apparatus to TEI.

    \b
    Example:  jiaokan convert jizhu --out jizhu.xml
              jiaokan convert my.txt --reader brackets --convention my.toml --chapter 1=学而
              jiaokan convert lunyu.docx -o lunyu.xml && jiaokan html lunyu.xml -o site
              jiaokan convert edition.xml --apparatus double-end-point -o points.xml --proof
    """
    file = Path(source)
    if proof and not (method and out):
        raise click.UsageError(Message("proof-prints-standard-output-give"))
    data = b"" if text is None else with_text(read_bytes(file), read_bytes(text), name=source, text_name=str(text))
    if method:
        from jiaokan.exchange.conversion import convert_apparatus

        changed = convert_apparatus(data or read_bytes(file), method, file=source, where=where,
                                    split=overlap == "split", keep=unheld == "keep")
        show(changed.findings)
        emit(changed.data, out)
        if proof:
            print_text(changed.proof.rstrip("\n"))
    elif data:
        emit(data, out)
    elif reader is not None:
        titles = dict(_chapters(chapters))
        converted = read_source(source, reader=reader, convention=convention, persons=persons, title=title,
                                chapters=titles)
        show(converted.findings)
        emit(converted.tei, out)
    elif file.suffix and (file.is_file() or file.parent != Path()):
        from jiaokan.exchange.imports import importer

        imported = call_within_limits(Inputs.of(file), importer(file.name).convert, read_bytes(file), source)
        show(imported.findings)
        notes = sum(finding.rule.endswith("-note") for finding in imported.findings)
        say(Message("notes-now-entries-still-notes", count=imported.entries, number1=notes), err=True)
        emit(imported.tei, out)
    else:
        converted = Edition(folder).convert(source)
        show(converted.findings)
        emit(converted.tei, out)


def _chapters(values: Iterable[str]) -> Iterator[tuple[int, str]]:
    for value in values:
        n, equals, title = value.partition("=")
        if not (whole(n, -1) >= 0 and equals and title):
            raise click.BadParameter(Message("chapter-label-invalid", value=value), param_hint="--chapter")
        yield int(n), title


COMMANDS = (command,)
