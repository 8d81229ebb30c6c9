"""`jiaokan read`, `source`, `ledger`: a passage, a source as printed, and what a reader left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli._folder import folder_option, load, source_entry, text_names
from pipeline.cli._tei import tei_of
from pipeline.cli._terminal import print_text, say
from pipeline.errors import CatalogError, Place
from pipeline.model.marks import STYLES
from pipeline.settings.catalog import Catalog
from pipeline.settings.folder import edition_path, witness_path

if TYPE_CHECKING:
    from pipeline.model import Document


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
    from pipeline.tei.views import plain_text, punctuated_text

    path = Path(text)
    if not path.is_file():
        name, _, passage = text.partition(":")
        path, reference = _path(name, load(folder)), reference or passage
    if punctuated and witness:
        raise CatalogError("only the edition has the editor's punctuation, not a witness", mend="drop one option")
    if punctuated:
        print_text(punctuated_text(document_of(path, layer=True), STYLES[punctuated], reference=reference))
    else:
        print_text(plain_text(document_of(path), reference=reference, witness=witness))


@click.command("source")
@click.argument("text", shell_complete=text_names)
@folder_option
def source(text: str, folder: Path) -> None:
    """Print a transcription as its TEI gives it back.

    TEXT is the id of a source, or the TEI file of a witness.

    \b
    Example:  jiaokan source jizhu > jizhu.txt
    """
    from pipeline.tei.views import source_text

    print_text(source_text(document_of(_witness(text, folder))))


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
    dropped = document_of(_witness(text, folder)).dropped
    times, characters = Counter(rule for rule, _ in dropped), Counter[str]()
    for rule, words in dropped:
        characters[rule] += len(words)
        if everything:
            print_text(f"{rule}\t{words}")
    if not everything:
        for rule in times:
            say(f"{rule}\t{times[rule]} times\t{characters[rule]} characters")


def _path(name: str, catalog: Catalog) -> Path:
    """Return the TEI file of an edition or a source; raises CatalogError for an unknown name."""
    if name in catalog.editions:
        return edition_path(catalog, catalog.editions[name])
    if name in catalog.sources:
        return witness_path(catalog, name)
    if name.endswith(".xml"):
        raise CatalogError("file not found", place=Place(name))
    known = dict.fromkeys([*catalog.editions, *catalog.sources])
    raise CatalogError(f"no edition or source is called {name!r}", mend=f"there is: {', '.join(known)}")


def _witness(text: str, folder: Path) -> Path:
    if Path(text).is_file():
        return Path(text)
    catalog = load(folder)
    return witness_path(catalog, source_entry(text, catalog).id)


def document_of(path: Path, *, layer: bool = False) -> Document:
    """Return the text of any TEI file, with the editor's punctuation if `layer`.

    Raises CatalogError if the file does not exist.
    """
    from pipeline.tei.parse import from_tei

    if not path.exists():
        raise CatalogError("the TEI is not built yet", place=Place(str(path)), mend="run `jiaokan build`")
    return from_tei(tei_of(path), name=str(path), layer=layer)


COMMANDS = (read, source, ledger)
