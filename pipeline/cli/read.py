"""`jiaokan read`, `source`, `ledger`: what a text says, what its source printed, what was left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import folder_option, load, source_entry, text_names
from pipeline.cli._say import give, say
from pipeline.cli._tei import tei_of
from pipeline.errors import CatalogError, Place
from pipeline.model.marks import STYLES
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, witness_path

if TYPE_CHECKING:
    from pipeline.model import Document


@click.command("read")
@click.argument("text", shell_complete=text_names)
@click.argument("reference", default="")
@click.option("-w", "--witness", default="", help="Read the passage as this witness has it.")
@click.option("--punctuated", type=click.Choice([*STYLES]), is_flag=False, flag_value="full", default=None,
              help="With the editor's punctuation, in this style: " + ", ".join(STYLES) + ".")
@folder_option
def read(text: str, reference: str, witness: str, punctuated: str | None, folder: Path) -> None:
    """Print a passage as plain text, one unit a line.

    TEXT is the id of an edition or a source, or a TEI file; REFERENCE is chapter, section and unit, with dots.

    \b
    Example:  jiaokan read lunyu:1.1
              jiaokan read lunyu 1.1 --witness yishu
              jiaokan read some.xml 1.2.1
              jiaokan read lunyu 1.1 --punctuated=judou
    """
    from pipeline.tei.views import plain_text, punctuated_text

    path = Path(text)
    if not path.is_file():
        name, _, passage = text.partition(":")
        path, reference = _path(name, load(folder)), reference or passage
    if punctuated and witness:
        raise CatalogError("the editor punctuated the edition, not a witness", mend="leave out one of the two options")
    if punctuated:
        give(punctuated_text(document_of(path, layer=True), STYLES[punctuated], reference=reference))
    else:
        give(plain_text(document_of(path), reference=reference, witness=witness))


@click.command("source")
@click.argument("text", shell_complete=text_names)
@folder_option
def source(text: str, folder: Path) -> None:
    """Print a transcription as its witness TEI alone gives it back.

    TEXT is the id of a source, or a TEI file of a witness.

    \b
    Example:  jiaokan source jizhu > jizhu.txt
    """
    from pipeline.tei.views import source_text

    give(source_text(document_of(_witness(text, folder))))


@click.command("ledger")
@click.argument("text", shell_complete=text_names)
@click.option("--all", "everything", is_flag=True, help="Print each text that was left out, not only how many.")
@folder_option
def ledger(text: str, everything: bool, folder: Path) -> None:
    """Say what a reader left out of a transcription, and by which rule.

    TEXT is the id of a source, or a TEI file of a witness.

    \b
    Example:  jiaokan ledger jizhu --all
    """
    dropped = document_of(_witness(text, folder)).dropped
    times, characters = Counter(rule for rule, _ in dropped), Counter[str]()
    for rule, words in dropped:
        characters[rule] += len(words)
        if everything:
            give(f"{rule}\t{words}")
    if not everything:
        for rule in times:
            say(f"{rule}\t{times[rule]} times\t{characters[rule]} characters")


def _path(name: str, catalog: Catalog) -> Path:
    """Give the TEI of an edition or a source; raises CatalogError if nothing has this name."""
    if name in catalog.editions:
        return edition_path(catalog, catalog.editions[name])
    if name in catalog.sources:
        return witness_path(catalog, name)
    if name.endswith(".xml"):
        raise CatalogError("there is no such file", place=Place(name))
    known = dict.fromkeys([*catalog.editions, *catalog.sources])
    raise CatalogError(f"no edition or source is called {name!r}", mend=f"there is: {', '.join(known)}")


def _witness(text: str, folder: Path) -> Path:
    if Path(text).is_file():
        return Path(text)
    catalog = load(folder)
    return witness_path(catalog, source_entry(text, catalog).id)


def document_of(path: Path, *, layer: bool = False) -> Document:
    """Give the text of a TEI file, of any encoding, with the editor's punctuation if the `layer` is asked for.

    Raises CatalogError if it is not there.
    """
    from pipeline.tei.parse import from_tei

    if not path.exists():
        raise CatalogError("this TEI has not been made yet", place=Place(str(path)), mend="`jiaokan build`")
    return from_tei(tei_of(path), name=str(path), layer=layer)


COMMANDS = (read, source, ledger)
