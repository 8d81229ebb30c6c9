"""`jiaokan read`: a passage, a transcription as printed, or what a reader left out of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from jiaokan.api import Edition, TeiText, read_tei
from jiaokan.cli._folder import folder_option, show, text_names
from jiaokan.cli._terminal import print_text, say
from jiaokan.errors import CatalogError, Message, Place
from jiaokan.model.marks import STYLES


@click.command("read")
@click.argument("text", shell_complete=text_names)
@click.argument("reference", default="")
@click.option("-w", "--witness", default="", help="option-read-witness")
@click.option("--punctuated", type=click.Choice([*STYLES]), is_flag=False, flag_value="full", default=None,
              help="option-read-punctuated")
@click.option("--source", "as_source", is_flag=True, help="option-read-source")
@click.option("--omitted", type=click.Choice(["numbers", "all"]), is_flag=False, flag_value="numbers", default=None,
              help="option-read-omitted")
@folder_option
def command(
    text: str, reference: str, witness: str, punctuated: str | None, as_source: bool, omitted: str | None, folder: Path
) -> None:
    """Print a passage, a transcription, or what was left out of it.

    \b
    Example:  jiaokan read lunyu:1.1
              jiaokan read lunyu 1.1 --witness yishu
              jiaokan read some.xml 1.2.1
              jiaokan read lunyu 1.1 --punctuated=judou
              jiaokan read jizhu --source > jizhu.txt
              jiaokan read jizhu --omitted=all
    """
    is_file = Path(text).is_file()
    name, _, passage = text.partition(":")
    if is_file:
        edition_text = read_tei(text)
    elif name.endswith(".xml"):
        raise CatalogError(Message("file-not-found"), place=Place(name))
    else:
        edition_text = Edition(folder).witness(text) if as_source or omitted else Edition(folder).text(name)
    if as_source:
        print_text(edition_text.source())
    elif omitted:
        _print_omitted(edition_text, everything=omitted == "all")
    else:
        show(edition_text.findings)
        reference = reference or ("" if is_file else passage)
        print_text(edition_text.read(reference, witness=witness, punctuated=punctuated or ""))


def _print_omitted(text: TeiText, *, everything: bool) -> None:
    times, characters = Counter[str](), Counter[str]()
    for rule, words in text.document.dropped:
        times[rule] += 1
        characters[rule] += len(words)
        if everything:
            print_text(f"{rule}\t{words}")
    if not everything:
        for rule in times:
            say(Message("times-characters", rule=rule, time=times[rule], character=characters[rule]))


COMMANDS = (command,)
