"""`jiaokan read`, `source`, `ledger`: a passage, a source as printed, and what a reader left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from pipeline.api import Edition, TeiText, read_tei
from pipeline.cli._folder import folder_option, show, text_names
from pipeline.cli._terminal import print_text, say
from pipeline.errors import CatalogError, Place
from pipeline.model.marks import STYLES


@click.command("read")
@click.argument("text", shell_complete=text_names)
@click.argument("reference", default="")
@click.option("-w", "--witness", default="", help="Print the text of this witness.")
@click.option("--punctuated", type=click.Choice([*STYLES]), is_flag=False, flag_value="full", default=None,
              help="Include the editor's punctuation, in this style: " + ", ".join(STYLES) + ".")
@folder_option
def read(text: str, reference: str, witness: str, punctuated: str | None, folder: Path) -> None:
    """Print a passage as plain text.

    One unit per line. TEXT is the id of an edition or a source, or a TEI file. REFERENCE is chapter, section and unit
    with dots between them.

    \b
    Example:  jiaokan read lunyu:1.1
              jiaokan read lunyu 1.1 --witness yishu
              jiaokan read some.xml 1.2.1
              jiaokan read lunyu 1.1 --punctuated=judou
    """
    name, _, passage = text.partition(":")
    found = read_tei(text) if Path(text).is_file() else _text_of(name, folder)
    show(found.findings)
    reference = reference or ("" if Path(text).is_file() else passage)
    print_text(found.read(reference, witness=witness, punctuated=punctuated or ""))


@click.command("source")
@click.argument("text", shell_complete=text_names)
@folder_option
def source(text: str, folder: Path) -> None:
    """Print a transcription as its TEI gives it back.

    TEXT is the id of a source, or the TEI file of a witness.

    \b
    Example:  jiaokan source jizhu > jizhu.txt
    """
    print_text(_witness(text, folder).source())


@click.command("ledger")
@click.argument("text", shell_complete=text_names)
@click.option("--all", "everything", is_flag=True, help="Print each omitted text, not only the numbers.")
@folder_option
def ledger(text: str, everything: bool, folder: Path) -> None:
    """List what a reader left out of a transcription.

    TEXT is the id of a source, or the TEI file of a witness.

    \b
    Example:  jiaokan ledger jizhu --all
    """
    dropped = _witness(text, folder).document.dropped
    times, characters = Counter(rule for rule, _ in dropped), Counter[str]()
    for rule, words in dropped:
        characters[rule] += len(words)
        if everything:
            print_text(f"{rule}\t{words}")
    if not everything:
        for rule in times:
            say(f"{rule}\t{times[rule]} times\t{characters[rule]} characters")


def _text_of(name: str, folder: Path) -> TeiText:
    if name.endswith(".xml"):
        raise CatalogError("file not found", place=Place(name))
    return Edition(folder).text(name)


def _witness(text: str, folder: Path) -> TeiText:
    if Path(text).is_file():
        return read_tei(text)
    edition = Edition(folder)
    return edition.witness(text)


COMMANDS = (read, source, ledger)
